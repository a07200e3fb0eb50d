"""The contract that every executor keeps: the same rows, whatever runs them."""

import math

import pytest

PIPELINE = """
    import asyncio
    import hashlib

    def number(text):
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)

    class Pipeline:
        async def retrieve(self, question, k):
            seed = number(question)
            await asyncio.sleep(seed % 40 / 10_000)
            if seed % 500 == 3:
                await asyncio.Event().wait()
            if seed % 37 == 5:
                raise ValueError(f"no index for {question}")
            return [
                {"id": f"d{(seed + step) % 50}", "text": f"passage {seed % 97}", "score": step}
                for step in range(seed % 7)
            ]

        async def answer(self, question):
            seed = number(question)
            if seed % 41 == 7:
                raise SystemExit(3)
            return {
                "answer_text": None if seed % 11 == 0 else f"answer {seed % 13}",
                "citations": [{"chunk_id": f"d{(seed + 1) % 60}"}, {"chunk_id": f"d{seed % 50}"}],
            }

    def closeness(case, response):
        value = number(case.id + (response.answer or "")) % 1000
        return None if value < 50 else 1 / (1 + value)
"""
KINDS = ("qa", "qa", "qa", "unanswerable", "injection")


def many_cases(count):
    for n in range(count):
        kind = KINDS[n % 5]
        yield {
            "id": f"case-{n}",
            "kind": kind,
            "question": f"what about {n}?",
            "expected_source_ids": [f"d{n % 50}", f"d{n * 7 % 50}"] if n % 3 else [],
            "expected_answer": f"answer {n % 13}" if n % 4 else None,
            "adversarial_payload": "tone_hijack" if kind == "injection" else None,
        }


def comparable(row):
    """Leave out what may differ: durations, and the free text of errors."""
    error = row["error"] and row["error"].split(":")[0]
    return {**row, "error": error} | {"duration_ms": None}


@pytest.fixture
def evaluated(project, local_ray):
    project.cases(*many_cases(3000))
    project.pipeline(PIPELINE)
    project.write_config(
        run={"concurrency": 32, "case_timeout_seconds": 1.0},
        metrics=[f"{project.module}.closeness"],
    )

    def evaluate(*arguments):
        document = project.run_json(*arguments)
        return document, list(map(comparable, project.exported(document["run_id"])))

    return evaluate


@pytest.mark.ray
def test_summary_and_rows_are_equal_to_the_last_bit_on_both_executors(evaluated):
    here, rows_here = evaluated("--workers", "0")
    for shard_size in ("53", "997", "null"):
        there, rows_there = evaluated(
            "--workers", "2", "--set", f"run.shard_size={shard_size}"
        )

        assert there["metrics"] == here["metrics"]
        assert rows_there == rows_here
        assert (there["ok"], there["errors"], there["timeouts"]) == (
            here["ok"],
            here["errors"],
            here["timeouts"],
        )

    statuses = {row["status"] for row in rows_here}
    assert statuses == {"ok", "error", "timeout"}
    assert [row["case_position"] for row in rows_here] == list(range(3000))
    for metric in here["metrics"]:
        counts = [
            metric[name] for name in ("scored", "skipped", "not_applicable", "errors")
        ]
        assert sum(counts) == 3000
        assert metric["mean"] is None or math.isfinite(metric["mean"])
    closeness = here["metrics"][-1]
    assert closeness["scored"] > 2000
    assert closeness["mean"] not in (0.0, 1.0)
