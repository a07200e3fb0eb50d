"""Real signals to real processes: a short grace, a partial run, nothing left behind."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

PIPELINE = """
    import asyncio
    from pathlib import Path

    class Pipeline:
        async def answer(self, question):
            with Path("calls").open("a") as calls:
                calls.write(question + "\\n")
            await asyncio.sleep(0.05)
            return {"answer_text": "yes"}
"""
CASES = 400


@pytest.fixture
def running(project):
    """Start a run of 400 cases in a process of its own; return it once it is under way."""
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(CASES)))
    project.pipeline(PIPELINE)
    project.write_config()
    started = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "ragproof_ray", "run", "--json", *arguments],
            cwd=project.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        wait_for(lambda: calls(project) >= CASES * 0.1)
        assert process.poll() is None
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def calls(project):
    path = project.folder / "calls"
    return path.read_text().count("\n") if path.exists() else 0


def wait_for(condition, limit_s=60):
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)


def members(session):
    """Return the command lines of the processes of a session that still live."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(entry.name)) == session:
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" "))
        except (ProcessLookupError, FileNotFoundError):
            continue
    return [line for line in found if line]


@pytest.mark.parametrize(
    ("number", "workers", "expected"),
    [
        (signal.SIGINT, "0", 130),
        (signal.SIGTERM, "0", 143),
        pytest.param(signal.SIGINT, "2", 130, marks=pytest.mark.ray),
    ],
)
def test_a_signal_ends_a_run_as_partial_and_it_resumes(
    project, running, number, workers, expected
):
    process = running("--workers", workers)
    os.killpg(process.pid, number)  # as a terminal does: to every process of the group
    out, err = process.communicate(timeout=30)

    assert process.returncode == expected, err
    assert '"status": "partial"' in out
    assert "Traceback" not in err
    assert "continue with `ragproof-ray run" in err
    assert "--resume" in err
    done = calls(project)
    assert CASES * 0.1 <= done <= CASES * 0.9
    wait_for(lambda: not members(process.pid), limit_s=10)
    assert list(Path(tempfile.gettempdir()).glob(f"rp-{process.pid}-*")) == []

    resumed = project.run_json("--resume", "latest", "--workers", "0")
    assert (resumed["ok"], resumed["status"]) == (CASES, "completed")
    repeated = calls(project) - CASES
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
