"""The contract that every executor keeps: the same rows, whatever runs them."""

import json
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

        # As text: 0.0 and -0.0 are equal as numbers.
        assert json.dumps(there["metrics"]) == json.dumps(here["metrics"])
        assert json.dumps(rows_there) == json.dumps(rows_here)
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


WORKERS = ["0", pytest.param("2", marks=pytest.mark.ray)]


@pytest.mark.parametrize("workers", WORKERS)
def test_concurrency_bounds_the_calls_of_all_workers_together(
    project, local_ray, workers
):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(60)))
    project.pipeline(
        """
        import os, time

        class Pipeline:
            def answer(self, question):
                began = time.monotonic()
                time.sleep(0.03)
                with open(f"calls-{os.getpid()}", "a") as calls:
                    calls.write(f"{began} {time.monotonic()}\\n")
                return {"answer_text": "yes"}
        """
    )
    project.write_config(run={"concurrency": 5, "shard_size": 10})
    project.run_json("--workers", workers)

    lines = [
        line
        for path in project.folder.glob("calls-*")
        for line in path.read_text().splitlines()
    ]
    spans = [tuple(map(float, line.split())) for line in lines]
    assert len(spans) == 60
    at_once = max(sum(b <= moment < e for b, e in spans) for moment, _ in spans)
    assert at_once <= 5
    assert at_once >= 3, "the calls do run beside each other"


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import nosuchmodule_anywhere", "nosuchmodule_anywhere"),
        ("class Pipeline:\n    def __init__(self): raise SystemExit(4)", "SystemExit"),
        ("class Pipeline:\n    pass", "retrieve"),
    ],
)
def test_a_pipeline_that_cannot_be_built_is_a_config_error(
    project, local_ray, workers, source, message
):
    project.pipeline(source)
    code, out, err = project.command("run", "--workers", workers)

    assert code == 3
    assert err.startswith("error: ")
    assert message in err
    assert "Traceback" not in err
    assert out == ""
    assert not (project.folder / "store" / "runs").exists(), "no run was begun"


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("method", ["retrieve", "answer"])
def test_half_a_pipeline_is_scored_for_the_half_it_has(
    project, local_ray, workers, method
):
    bodies = {
        "retrieve": "def retrieve(self, question, k): return [{'id': 'd1'}]",
        "answer": "def answer(self, question): return {'answer_text': 'a'}",
    }
    project.pipeline(f"class Pipeline:\n    {bodies[method]}")
    document = project.run_json("--workers", workers)

    metrics = {metric["metric"]: metric for metric in document["metrics"]}
    row = project.exported()[0]
    if method == "retrieve":
        assert metrics["retrieval.mrr"]["mean"] == 1.0
        assert row["answer_text"] is None
        assert (
            metrics["robustness.overrefusal"]["reason"]
            == "adapter did not produce an answer"
        )
    else:
        assert metrics["retrieval.mrr"]["reason"] == "adapter does not expose retrieval"
        assert row["retrieved_ids"] is None
        assert metrics["robustness.overrefusal"]["scored"] == 1


def test_a_module_that_installs_a_signal_handler_can_be_evaluated_in_process(project):
    project.pipeline(
        """
        import signal

        signal.signal(signal.SIGUSR1, lambda *_: None)

        class Pipeline:
            def answer(self, question):
                return {"answer_text": "yes"}
        """
    )

    assert project.run_json("--workers", "0")["ok"] == 1


def test_a_module_that_changes_the_directory_moves_neither_dataset_nor_store(project):
    project.pipeline(
        """
        import os, tempfile

        os.chdir(tempfile.mkdtemp())

        class Pipeline:
            def answer(self, question):
                return {"answer_text": "yes"}

        def one(case, response):
            return 1
        """
    )
    project.cases(*({"id": f"c{n}", "question": "q"} for n in range(20_000)))
    document = project.run_json(
        "--workers", "0", "--set", f"metrics=[{project.module}.one]"
    )

    assert document["ok"] == 20_000
    assert (project.folder / "store" / "runs" / document["run_id"]).is_dir()


@pytest.mark.ray
def test_the_adapter_is_built_once_in_each_worker_process(project, local_ray):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(60)))
    project.pipeline(
        """
        import os

        class Pipeline:
            def __init__(self):
                with open("built", "a") as built:
                    built.write(f"{os.getpid()}\\n")

            def answer(self, question):
                return {"answer_text": "yes"}
        """
    )
    project.write_config(run={"shard_size": 5})
    project.run_json("--workers", "2")

    built = (project.folder / "built").read_text().split()
    assert len(built) == len(set(built)), "twelve shards, but no process built it twice"
