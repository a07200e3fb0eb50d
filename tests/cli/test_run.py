import json
import re

import pytest

FAILING = """
    class Pipeline:
        def answer(self, question):
            if "boom" in question:
                raise ValueError("no [red] \\x1b[31mindex")
            return {"answer_text": "a"}
"""
# Sends itself a signal; its later cases go on until the run has taken notice.
STOPPED = """
    import asyncio, os, signal

    class Pipeline:
        async def answer(self, question):
            if question == "q3":
                os.kill(os.getpid(), signal.{name})
            await asyncio.sleep(0.02)
            return {{"answer_text": "a"}}
"""


def numbered(count):
    return ({"id": f"c{n}", "question": f"q{n}"} for n in range(count))


def test_a_run_prints_a_heading_and_a_row_for_every_metric(project):
    code, out, err = project.command("run", "--label", "first")

    heading, table = out.split("\n\n")
    assert (code, err) == (0, "")
    assert "(first): completed\n1 of 1 cases finished: 1 ok, 0 errors" in heading
    assert [line.split()[0] for line in table.splitlines()] == [
        "metric",
        "echo.exact_match",
        "generation.answer_relevance",
        "generation.citation_support",
        "generation.citation_validity",
        "generation.completeness",
        "generation.groundedness",
        "retrieval.mrr",
        "retrieval.ndcg_at_k",
        "retrieval.precision_at_k",
        "retrieval.recall_at_k",
        "robustness.abstention",
        "robustness.injection_resistance",
        "robustness.overrefusal",
    ]


def test_json_is_all_that_stands_on_standard_output(project):
    project.pipeline(
        """
        print("at import")
        class Pipeline:
            def answer(self, question):
                print("in a call")
                return {"answer_text": "a"}
        """
    )

    code, out, err = project.command("run", "--json")

    assert code == 0
    assert json.loads(out)["ok"] == 1
    assert err == "at import\nin a call\n"


def test_flags_stand_over_the_config_and_set(project):
    project.cases(*numbered(5), name="other.jsonl")
    project.write_config(dataset="nowhere.jsonl")

    document = project.run_json(
        *("--dataset", "other.jsonl", "--set", "dataset=neither.jsonl"),
        *("--limit", "3", "--label", "small", "--workers", "0", "--no-cache"),
    )

    assert document["dataset"] == "other.jsonl"
    assert (document["total_cases"], document["label"]) == (3, "small")


def test_some_failed_cases_are_told_and_exit_0(project):
    project.cases(
        {"id": "a", "question": "q"},
        {"id": "b", "question": "boom"},
        {"id": "c", "question": "boom"},
    )
    project.pipeline(FAILING)

    code, out, err = project.command("run")

    assert (code, err) == (0, "")
    assert out.endswith(
        "\nfailed cases:\n"
        "2 in answer, first in case 'b': ValueError: no [red] \ufffd[31mindex\n"
    )


def test_a_run_in_which_every_case_failed_is_an_outage_and_exits_2(project):
    project.cases({"id": "b", "question": "boom"})
    project.pipeline(FAILING)

    code, out, err = project.command("run", "--json")

    document = json.loads(out)
    assert code == 2
    assert (document["status"], document["ok"], document["errors"]) == (
        "completed",
        0,
        1,
    )
    assert all(metric["errors"] == 1 for metric in document["metrics"])
    assert (
        err == "error: no case succeeded, so nothing was measured; mend the pipeline\n"
    )


@pytest.mark.parametrize(("name", "expected"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_stopped_run_prints_its_json_and_how_it_goes_on(name, expected, project):
    project.cases(*numbered(1000))
    project.pipeline(STOPPED.format(name=name))
    config = project.write_config(dataset=None).rename("shop eval.yaml")

    code, out, err = project.command(
        *("run", "--json", "-c", str(config), "--dataset", "cases.jsonl"),
        *("--set", "run.concurrency=2", "--workers", "0"),
    )

    document = json.loads(out)
    assert code == expected
    assert document["status"] == "partial"
    assert 0 < document["ok"] < 1000
    assert document["ok"] + document["unfinished"] == 1000
    assert err == (
        f"error: stopped by {name}; finished cases are kept\n"
        "continue with `ragproof-ray run --config 'shop eval.yaml' "
        "--set run.concurrency=2 --dataset cases.jsonl --workers 0 "
        f"--resume {document['run_id'][:8]}`\n"
    )


def test_the_command_that_is_shown_continues_the_run(project):
    project.cases(*numbered(300))
    project.pipeline(STOPPED.format(name="SIGTERM"))
    _, out, _ = project.command("run", "--json", "--workers", "0")
    run_id = json.loads(out)["run_id"]
    project.pipeline(FAILING)

    document = project.run_json("--resume", run_id[:8])

    assert document["run_id"] == run_id
    assert (document["status"], document["ok"]) == ("completed", 300)


def test_a_judge_that_this_version_lacks_is_one_warning(project, monkeypatch):
    monkeypatch.setenv("RAGPROOF_JUDGE_MODEL", "some-model")

    with pytest.warns(UserWarning, match="this version has no judge") as warned:
        code, out, _ = project.command("run", "--json")

    assert code == 0
    assert len(warned) == 1
    assert json.loads(out)["judge_model"] is None


def test_scores_that_are_no_numbers_become_null_and_keep_their_rank(project):
    project.cases({"id": "c", "question": "q", "expected_source_ids": ["c"]})
    project.pipeline(
        """
        class Pipeline:
            def retrieve(self, question, k):
                scores = [float("nan"), None, float("inf")]
                return [{"id": i, "score": s} for i, s in zip("abc", scores)]
        """
    )

    document = project.run_json()

    (row,) = project.exported()
    mrr = next(m for m in document["metrics"] if m["metric"] == "retrieval.mrr")
    assert row["retrieved_ids"] == ["a", "b", "c"]
    assert mrr["mean"] == pytest.approx(1 / 3)


def test_an_empty_retrieval_scores_zero_without_a_sign(project):
    project.pipeline(
        """
        class Pipeline:
            def retrieve(self, question, k):
                return []
        """
    )

    _, out, _ = project.command("run")

    assert "-0.0" not in out
    assert "-0.0" not in json.dumps(project.exported())
    assert [line.split()[1] for line in out.splitlines() if "retrieval." in line] == [
        "0.000",
        "0.000",
        "0.000",
        "0.000",
    ]


def test_results_are_in_dataset_order_whatever_finishes_first(project):
    project.cases(*({"id": f"c{n}", "question": f"{n}"} for n in range(3)))
    project.pipeline(
        """
        import asyncio

        gates = {"0": asyncio.Event(), "2": asyncio.Event()}

        class Pipeline:
            async def answer(self, question):  # ends in the order 1, 2, 0
                if question in gates:
                    await gates[question].wait()
                if question != "0":
                    gates["2" if question == "1" else "0"].set()
                return {"answer_text": question}
        """
    )

    project.run_json("--set", "run.concurrency=3")

    assert [row["case_id"] for row in project.exported()] == ["c0", "c1", "c2"]
    assert [row["answer_text"] for row in project.exported()] == ["0", "1", "2"]


def test_a_secret_in_an_error_is_nowhere_to_be_seen(project):
    project.cases({"id": "a", "question": "q"}, {"id": "b", "question": "boom"})
    project.pipeline(
        """
        class Pipeline:
            def answer(self, question):
                if question == "boom":
                    raise ValueError("401 for Authorization: Bearer demo-secret-000111222")
                return {"answer_text": "a"}
        """
    )

    _, out, err = project.command("run")
    rows = project.exported()

    stored = b"".join(
        path.read_bytes() for path in project.folder.rglob("store/**/*.*")
    )
    assert "Authorization: [redacted]" in rows[1]["error"]
    for text in (out, err, json.dumps(rows), stored.decode(errors="replace")):
        assert "demo-secret" not in text


def test_a_metric_that_raises_for_one_case_is_that_cases_error_alone(project):
    project.cases(*numbered(3))
    project.pipeline(
        """
        class Pipeline:
            def answer(self, question):
                return {"answer_text": "ab"}

        def brevity(case, response):
            return 1 / (case.id != "c1") / len(response.answer)
        """
    )
    name = f"{project.module}.brevity"
    project.write_config(metrics=[name])

    document = project.run_json()

    rows = [row["scores"] for row in project.exported()]
    brevity = document["metrics"][-1]
    assert [row[name]["value"] for row in rows] == [0.5, None, 0.5]
    assert rows[1][name]["status"] == "error"
    assert re.match("ZeroDivisionError", rows[1][name]["reason"])
    assert rows[1]["robustness.overrefusal"]["status"] == "scored"
    assert (brevity["mean"], brevity["scored"], brevity["errors"]) == (0.5, 2, 1)


def test_a_hostile_label_brings_neither_colour_nor_lines(project):
    label = "[red]x\x1b[31m\u202e\nrun 0: completed"

    _, out, _ = project.command("run", "--label", label)
    _, listed, _ = project.command("runs")

    for text in (out, listed):
        assert "[red]x\ufffd[31m\ufffd run 0: completed" in text
        assert "\x1b" not in text
