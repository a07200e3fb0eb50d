"""Real signals to real processes: a short grace, a partial run, nothing left behind."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("number", "workers", "expected"),
    [
        (signal.SIGINT, "0", 130),
        (signal.SIGTERM, "0", 143),
        pytest.param(signal.SIGINT, "2", 130, marks=pytest.mark.ray),
        # Ray's own processes obey a SIGTERM to the group, and answer no more.
        pytest.param(signal.SIGTERM, "2", 143, marks=pytest.mark.ray),
    ],
)
def test_a_signal_ends_a_run_as_partial_and_it_resumes(
    scene, number, workers, expected
):
    scene.prepare(400, 0.05, concurrency=4)
    process = scene.start("--workers", workers, "--verbose")
    scene.wait_for(lambda: len(scene.calls.begun) >= scene.count * 0.1)
    assert process.poll() is None
    sent = time.monotonic()
    os.killpg(process.pid, number)  # as a terminal does: to every process of the group
    out, err = process.communicate(timeout=45)
    took = time.monotonic() - sent

    assert process.returncode == expected, err
    assert '"status": "partial"' in out
    assert "Traceback" not in err
    assert "continue with `ragproof-ray run" in err
    assert "--resume" in err
    assert took < 25 if number == signal.SIGTERM else took < 10
    done = len(scene.calls.begun)
    assert scene.count * 0.1 <= done <= scene.count * 0.9
    scene.wait_for(lambda: not scene.members(process.pid), limit_s=10)
    assert list(Path(tempfile.gettempdir()).glob(f"rp-{process.pid}-*")) == []
    log = scene.project.folder / "ragproof-ray.log"
    assert (
        not log.exists() if workers == "0" else "==> raylet.out <==" in log.read_text()
    )

    resumed = scene.project.run_json("--resume", "latest", "--workers", "0")
    assert (resumed["ok"], resumed["status"]) == (scene.count, "completed")
    repeated = sum(scene.calls.begun.values()) - scene.count
    assert 0 <= repeated <= 4, "only calls cut off in flight may run again"


def test_a_synchronous_call_that_never_returns_does_not_keep_the_process(project):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(100)))
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
    project.write_config(run={"case_timeout_seconds": 1.0})
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "ragproof_ray", "run"],
        cwd=project.folder,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "99 ok, 0 errors, 1 timeouts" in done.stdout
    assert time.monotonic() - began < 1 + 5


def test_one_signal_ends_a_run_whose_pipeline_holds_the_event_loop(scene):
    scene.prepare(100, 0.0, concurrency=2)
    scene.project.pipeline(
        """
        import time

        class Pipeline:
            async def answer(self, question):
                if question == "q5":
                    open("blocked", "w").close()
                    time.sleep(1000)
                return {"answer_text": "yes"}
        """
    )
    process = scene.start("--workers", "0")
    scene.wait_for((scene.project.folder / "blocked").exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=40)

    assert process.returncode == 130, err
    assert '"status": "partial"' in out
    assert "Traceback" not in err


def test_a_call_without_end_in_a_pool_of_the_pipelines_does_not_keep_the_process(scene):
    scene.prepare(20, 0.0, concurrency=4, case_timeout_seconds=0.5)
    scene.project.pipeline(
        """
        import asyncio, time

        class Pipeline:
            async def answer(self, question):
                if question == "q5":
                    await asyncio.to_thread(time.sleep, 1000)
                return {"answer_text": "yes"}
        """
    )
    process = scene.start("--workers", "0")
    out, err = process.communicate(timeout=30)

    assert process.returncode == 0, err
    assert '"timeouts": 1' in out


def test_a_signal_before_the_run_begins_ends_it_at_once_and_leaves_nothing(scene):
    scene.prepare(1, 0.0)
    scene.project.pipeline(
        """
        import time
        open("building", "w").close()
        time.sleep(1000)
        """
    )
    process = scene.start("--workers", "0")
    scene.wait_for((scene.project.folder / "building").exists)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=20)

    assert process.returncode == 143, err
    assert (out, "Traceback" in err) == ("", False)
    assert not (scene.project.folder / "store" / "runs").exists()
    stored = (scene.project.folder / "store" / "datasets").iterdir()
    assert not [path for path in stored if path.name.startswith("staging")]
