"""Resuming: what runs again, what is kept, and what is refused."""

import importlib
import linecache
import socket
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from ragproof_ray.engine.records import Heartbeat
from ragproof_ray.engine.store import Store

# Every call leaves a line outside the store. Cases named in `broken` fail.
PIPELINE = """
    from pathlib import Path

    class Pipeline:
        def answer(self, question):
            with Path("calls").open("a") as calls:
                calls.write(question + "\\n")
            if question in Path("broken").read_text().split():
                raise ValueError("broken")
            if question in Path("slow").read_text().split():
                raise TimeoutError("slow")
            return {"answer_text": "yes"}
"""


@pytest.fixture
def hundred(project):
    """100 cases of which a first run failed 6 and timed out 4."""
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(100)))
    project.pipeline(PIPELINE)
    (project.folder / "broken").write_text(" ".join(f"q{n}" for n in range(6)))
    (project.folder / "slow").write_text(" ".join(f"q{n}" for n in range(50, 54)))
    project.first = project.run_json("--workers", "0")
    return project


def calls(project):
    return Counter((project.folder / "calls").read_text().split())


def mend(project):
    (project.folder / "broken").write_text("")
    (project.folder / "slow").write_text("")


def test_failed_cases_run_again_and_finished_ones_do_not(hundred):
    mend(hundred)
    again = hundred.run_json("--resume", "latest")

    assert (
        hundred.first["ok"],
        hundred.first["errors"],
        hundred.first["timeouts"],
    ) == (90, 6, 4)
    assert (again["ok"], again["errors"], again["timeouts"]) == (100, 0, 0)
    assert again["run_id"] == hundred.first["run_id"]
    assert Counter(calls(hundred).values()) == {1: 90, 2: 10}


def test_the_summary_after_a_resume_is_that_of_an_undisturbed_run(hundred):
    mend(hundred)
    resumed = hundred.run_json("--resume", "latest")
    undisturbed = hundred.run_json("--workers", "0")

    assert resumed["metrics"] == undisturbed["metrics"]


def test_keep_failures_runs_nothing_again(hundred):
    mend(hundred)
    again = hundred.run_json("--resume", "latest", "--keep-failures")

    assert (again["ok"], again["errors"], again["timeouts"]) == (90, 6, 4)
    assert set(calls(hundred).values()) == {1}


def test_a_case_that_fails_again_keeps_one_row(hundred):
    again = hundred.run_json("--resume", "latest")

    assert (again["ok"], again["errors"], again["timeouts"]) == (90, 6, 4)
    assert len(hundred.exported()) == 100


def test_a_run_is_resumed_by_prefix_any_number_of_times(hundred):
    prefix = hundred.first["run_id"][:8]
    for _ in range(2):
        hundred.run_json("--resume", prefix)
    mend(hundred)

    assert hundred.run_json("--resume", prefix)["ok"] == 100
    assert calls(hundred)["q0"] == 4
    assert calls(hundred)["q99"] == 1


@pytest.mark.parametrize(
    ("arguments", "change"),
    [
        (["--set", "run.k=7"], "run.k was 5 and is 7"),
        (
            ["--set", "run.source_match=document"],
            "run.source_match was 'chunk' and is 'document'",
        ),
        (["--set", "metrics=[os.path.basename]"], "metrics was"),
    ],
)
def test_a_resume_refuses_what_would_mix_two_runs(hundred, arguments, change):
    code, out, err = hundred.command("run", "--resume", "latest", *arguments)

    assert code == 3
    assert change in err
    assert out == ""


def test_a_resume_refuses_another_dataset_and_names_both_hashes(hundred):
    hundred.cases({"id": "c0", "question": "other"})
    code, _, err = hundred.command("run", "--resume", "latest")

    assert code == 3
    assert f"dataset was {hundred.first['dataset_hash'][:12]!r} and is" in err


def test_all_changes_are_named_together(hundred):
    hundred.cases({"id": "c0", "question": "other"})
    _, _, err = hundred.command("run", "--resume", "latest", "--set", "run.k=9")

    assert "dataset was" in err
    assert "run.k was 5 and is 9" in err


def test_a_run_that_another_driver_works_on_is_refused_unless_forced(hundred):
    store, run_id = Store("store"), hundred.first["run_id"]
    launch = "29990101T000000000000ffffff"
    store.beat(run_id, Heartbeat(launch, datetime.now(UTC), "elsewhere", 4711))

    code, _, err = hundred.command("run", "--resume", "latest")
    assert code == 3
    assert "process 4711 on elsewhere" in err
    assert "--force" in err
    assert hundred.run_json("--resume", "latest", "--force")["ok"] == 90


def test_a_run_whose_driver_died_shows_as_interrupted_with_the_command_to_continue(
    hundred,
):
    store, run_id = Store("store"), hundred.first["run_id"]
    long_ago = datetime.now(UTC) - timedelta(minutes=5)
    store.beat(run_id, Heartbeat("29990101T000000000000ffffff", long_ago, "here", 4711))

    _, out, _ = hundred.command("runs")

    assert "interrupted" in out
    assert f"ragproof-ray run --resume {run_id[:8]}" in out
    assert hundred.run_json("--resume", "latest")["ok"] == 90


def test_an_unknown_run_is_a_config_error_that_says_where_to_look(hundred):
    code, _, err = hundred.command("run", "--resume", "nosuchrun")

    assert code == 3
    assert "run 'nosuchrun' is unknown" in err
    assert "ragproof-ray runs" in err


def test_limit_is_fixed_when_a_run_begins(hundred):
    code, _, err = hundred.command("run", "--resume", "latest", "--limit", "5")

    assert code == 3
    assert "--limit is fixed when a run begins" in err


def test_a_limited_run_is_complete_and_resumes_within_its_limit(hundred):
    limited = hundred.run_json("--limit", "10")
    mend(hundred)
    again = hundred.run_json("--resume", limited["run_id"])

    assert (limited["total_cases"], limited["ok"], limited["errors"]) == (10, 4, 6)
    assert (again["total_cases"], again["ok"], again["errors"]) == (10, 10, 0)


def test_a_resume_refuses_a_metric_whose_source_has_changed(project):
    source = """
        class Pipeline:
            def answer(self, question):
                return {"answer_text": "yes"}

        def length(case, response):
            return %s
    """
    project.pipeline(source % "1")
    project.write_config(metrics=[f"{project.module}.length"])
    project.run_json("--workers", "0")
    metric = importlib.import_module(project.module)
    project.pipeline(source % "2")
    importlib.invalidate_caches()
    linecache.clearcache()
    importlib.reload(metric)

    code, _, err = project.command("run", "--resume", "latest")

    assert code == 3
    assert f"the source of metric '{project.module}.length' has changed" in err


def test_a_driver_of_this_host_that_is_gone_does_not_keep_its_run(hundred):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    beat = Heartbeat(
        "29990101T000000000000ffffff", datetime.now(UTC), socket.gethostname(), dead.pid
    )
    Store("store").beat(hundred.first["run_id"], beat)

    assert hundred.run_json("--resume", "latest")["ok"] == 90


def test_a_sign_of_life_from_the_future_is_no_sign(hundred):
    later = datetime.now(UTC) + timedelta(days=1)
    Store("store").beat(
        hundred.first["run_id"],
        Heartbeat("29990101T000000000000ffffff", later, "elsewhere", 1),
    )

    assert hundred.run_json("--resume", "latest")["ok"] == 90
