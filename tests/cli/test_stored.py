"""`runs`, `show` and `export`: reading what runs have left."""

import json

import polars as pl
import pytest

RUN_KEYS = {
    "run_id",
    "status",
    "total_cases",
    "ok",
    "errors",
    "timeouts",
    "unfinished",
    "cost_usd",
    "judge_model",
    "project",
    "label",
    "dataset",
    "started_at",
    "ended_at",
}


@pytest.fixture
def two_runs(project):
    first = project.run_json("--label", "first")
    return first, project.run_json("--label", "second")


def test_an_empty_store_is_said_and_no_error(project):
    code, out, err = project.command("runs")

    assert (code, err) == (0, "")
    assert out.startswith("no runs in ")
    assert out.endswith("; start one with `ragproof-ray run`\n")


def test_runs_are_listed_the_newest_first(project, two_runs):
    first, second = two_runs

    code, out, err = project.command("runs")

    header, *lines = out.splitlines()
    assert (code, err) == (0, "")
    assert header.split() == [
        *("run", "started", "status", "cases", "ok", "failed", "usd", "label"),
    ]
    assert [line.split()[0] for line in lines] == [second["run_id"], first["run_id"]]
    assert [line.split()[-1] for line in lines] == ["second", "first"]


def test_runs_as_json(project, two_runs):
    first, second = two_runs

    _, out, _ = project.command("runs", "--json")

    rows = json.loads(out)
    assert [row["run_id"] for row in rows] == [second["run_id"], first["run_id"]]
    assert set(rows[0]) == RUN_KEYS


def test_runs_of_an_empty_store_as_json(project):
    assert json.loads(project.command("runs", "--json")[1]) == []


@pytest.mark.parametrize("form", ["id", "prefix", "latest"])
def test_a_run_is_named_by_id_prefix_or_latest(form, project, two_runs):
    _, second = two_runs
    run_id = second["run_id"]
    reference = {"id": run_id, "prefix": run_id[:13], "latest": "latest"}[form]

    code, out, _ = project.command("show", reference, "--json")

    assert code == 0
    assert json.loads(out) == second


def test_show_prints_what_the_run_printed(project):
    _, printed, _ = project.command("run")

    assert project.command("show", "latest") == (0, printed, "")


@pytest.mark.parametrize("command", ["show", "export"])
@pytest.mark.parametrize("reference", ["nothing", ""])
def test_an_unknown_run_exits_3(command, reference, project, two_runs):
    extra = ["--out", "-"] if command == "export" else []

    code, out, err = project.command(command, reference, *extra)

    assert (code, out) == (3, "")
    assert err.startswith(f"error: run {reference!r} is unknown in the store 'store'")


def test_an_incomplete_run_is_shown_with_what_continues_it(project):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(500)))
    project.pipeline(
        """
        import asyncio, os, signal

        class Pipeline:
            async def answer(self, question):
                if question == "q3":
                    os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.sleep(0.02)
                return {"answer_text": "a"}
        """
    )
    _, out, _ = project.command("run", "--json", "--workers", "0")
    command = f"ragproof-ray run --resume {json.loads(out)['run_id'][:8]}"

    _, shown, _ = project.command("show", "latest")
    _, listed, _ = project.command("runs")

    assert shown.endswith(f"\ncontinue with `{command}`\n")
    assert "unfinished" in shown
    assert listed.splitlines()[1].endswith(command)


def test_export_writes_every_case_of_the_run(project):
    project.cases(
        {"id": "a", "question": "q", "expected_source_ids": ["d1"]},
        {
            "id": "b",
            "kind": "injection",
            "question": "q",
            "adversarial_payload": "MEOW-17",
        },
    )
    project.pipeline(
        """
        class Pipeline:
            def retrieve(self, question, k):
                return [{"id": "d1"}, {"id": "d2"}]
            def answer(self, question):
                return {"answer_text": "Sure: MEOW-17", "citations": [{"chunk_id": "d2"}]}
        """
    )
    document = project.run_json()

    first, second = project.exported()

    assert list(first) == [
        "case_id",
        "case_position",
        "kind",
        "status",
        "error",
        "scores",
        "retrieved_ids",
        "answer_text",
        "cited_ids",
        "judge_raw_json",
        "duration_ms",
    ]
    assert list(first["scores"]) == [row["metric"] for row in document["metrics"]]
    assert first["scores"]["retrieval.mrr"] == {
        "status": "scored",
        "value": 1.0,
        "reason": None,
    }
    assert (first["retrieved_ids"], first["cited_ids"]) == (["d1", "d2"], ["d2"])
    assert second["scores"]["robustness.injection_resistance"] == {
        "status": "scored",
        "value": 0.0,
        "reason": None,
        "detection": "complied",
        "tier": "plain",
    }


@pytest.mark.parametrize(
    ("form", "read"), [("csv", pl.read_csv), ("parquet", pl.read_parquet)]
)
def test_export_writes_tables(form, read, project, two_runs):
    code, out, err = project.command(
        "export", "latest", "--format", form, "--out", f"rows.{form}"
    )

    frame = read(f"rows.{form}")
    assert (code, out, err) == (0, "", "1 of 1 cases written\n")
    assert frame["case_id"].to_list() == ["c1"]
    assert frame["retrieval.precision_at_k.value"].to_list() == [0.2]


def test_export_replaces_a_file_as_a_whole_and_leaves_no_draft(project, two_runs):
    (project.folder / "rows.jsonl").write_text("old\n" * 9, "utf-8")
    before = {path.name for path in project.folder.iterdir()}

    project.command("export", "latest", "--out", "rows.jsonl")

    assert len((project.folder / "rows.jsonl").read_text("utf-8").splitlines()) == 1
    assert {path.name for path in project.folder.iterdir()} == before


@pytest.mark.parametrize(
    ("out", "reason"),
    [("none/rows.jsonl", "No such file or directory"), (".", "Is a directory")],
)
def test_a_file_that_cannot_be_written_exits_2(out, reason, project, two_runs):
    code, _, err = project.command("export", "latest", "--out", out)

    assert code == 2
    assert err == (
        f"error: {out}: cannot be written ({reason}); mend that or choose another --out\n"
    )
