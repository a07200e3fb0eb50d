"""Workers that really die: the guilty case is recorded, the innocent are evaluated."""

from collections import Counter

import pytest

PIPELINE = """
    import asyncio
    import os
    from pathlib import Path

    class Pipeline:
        async def answer(self, question):
            with Path("calls").open("a") as calls:
                calls.write(question + "\\n")
            await asyncio.sleep(0.01)
            if question == "q17":
                os._exit(1)
            return {"answer_text": "yes"}
"""


def calls(project):
    return Counter((project.folder / "calls").read_text().split())


@pytest.mark.ray
def test_a_case_that_kills_its_worker_is_condemned_and_no_other(project, local_ray):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(100)))
    project.pipeline(PIPELINE)
    project.write_config(run={"concurrency": 16, "case_attempts": 2})
    document = project.run_json("--workers", "2")

    assert (document["ok"], document["errors"], document["status"]) == (
        99,
        1,
        "completed",
    )
    rows = project.exported()
    assert [row["case_id"] for row in rows] == [f"c{n}" for n in range(100)]
    killer = rows[17]
    assert (killer["status"], killer["error"]) == ("error", "worker died (2 attempts)")
    assert {score["status"] for score in killer["scores"].values()} == {"error"}
    # Once in company, then case_attempts times alone.
    assert calls(project)["q17"] == 3
    assert (
        max(count for question, count in calls(project).items() if question != "q17")
        <= 3
    )


@pytest.mark.ray
def test_calls_that_never_return_leave_no_thread_in_a_worker_and_no_suspect(
    project, local_ray
):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(20)))
    project.pipeline(
        """
        import time

        class Pipeline:
            def answer(self, question):
                while question == "q5":
                    time.sleep(1)
                return {"answer_text": "yes"}
        """
    )
    project.write_config(run={"concurrency": 4, "case_timeout_seconds": 0.5})
    document = project.run_json("--workers", "2")

    assert (document["ok"], document["errors"], document["timeouts"]) == (19, 0, 1)
