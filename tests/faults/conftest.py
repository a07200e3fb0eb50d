import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ragproof_ray.engine.store import Store

T = TypeVar("T")

# One line for each call: process, question, whether it begins. Answers differ in
# length, so that means have digits to lose.
PIPELINE = """
    import asyncio
    import os

    CALLS = os.open("calls", os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    class Pipeline:
        async def retrieve(self, question, k):
            n = int(question[1:])
            os.write(CALLS, f"{os.getpid()} {question} +\\n".encode())
            await asyncio.sleep(%(latency)s)
            os.write(CALLS, f"{os.getpid()} {question} -\\n".encode())
            return [{"id": f"d{(n * 7 + i) %% 31}", "text": f"text {n}"} for i in range(n %% 9)]

        async def answer(self, question):
            n = int(question[1:])
            return {"answer_text": f"answer {n}", "citations": [{"chunk_id": f"d{n %% 31}"}]}
"""


class Calls:
    """What the pipeline's file of calls tells so far."""

    def __init__(self, path: Path) -> None:
        self.begun: Counter[str] = Counter()
        self.inside: dict[int, set[str]] = defaultdict(set)
        for line in path.read_text().splitlines() if path.exists() else ():
            pid, question, sign = line.split()
            if sign == "+":
                self.begun[question] += 1
                self.inside[int(pid)].add(question)
            else:
                self.inside[int(pid)].discard(question)


class Scene:
    """A project whose pipeline leaves traces, and what a fault test does to its runs."""

    def __init__(self, project: Any) -> None:
        self.project = project
        self.count = 0
        self._started: list[subprocess.Popen[str]] = []

    def prepare(self, count: int, latency: float, **run: object) -> None:
        """Write `count` cases and a pipeline that takes `latency` seconds for each."""
        self.count = count
        self.project.cases(*map(self._case, range(count)))
        self.project.pipeline(PIPELINE % {"latency": latency})
        self.project.write_config(run=run)

    @staticmethod
    def _case(n: int) -> dict[str, object]:
        sources = [f"d{n % 31}", f"d{n * 3 % 31}", f"d{n * 5 % 31}"][: n % 3 + 1]
        return {"id": f"c{n}", "question": f"q{n}", "expected_source_ids": sources}

    def start(
        self, *arguments: str, env: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start a run in a process and a session of its own."""
        process = subprocess.Popen(
            [sys.executable, "-m", "ragproof_ray", "run", "--json", *arguments],
            cwd=self.project.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def end(self) -> None:
        """Kill what a failed test left running."""
        for process in self._started:
            if process.poll() is None:
                process.kill()
            process.communicate()

    @property
    def calls(self) -> Calls:
        """The calls so far."""
        return Calls(self.project.folder / "calls")

    def stored(self) -> set[int]:
        """Return the ordinals with an accepted row in the only run."""
        store = Store(str(self.project.folder / "store"))
        if not (ids := store.run_ids()):
            return set()
        return set(store.index(ids[0], store.accepted(ids[0]).parts)["ordinal"])

    def wait_for(self, condition: Callable[[], T], limit_s: float = 60.0) -> T:
        """Return what a condition gives once it holds."""
        deadline = time.monotonic() + limit_s
        while not (found := condition()):
            assert time.monotonic() < deadline, "it did not come about in time"
            time.sleep(0.02)
        return found

    def workers_alive(self) -> bool:
        """Tell whether any process that ever ran the pipeline still lives."""
        return any(map(_is_alive, self.calls.inside))

    @staticmethod
    def members(session: int) -> list[bytes]:
        """Return the command lines of the processes of a session that still live."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if os.getsid(int(entry.name)) == session:
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" "))
            except (ProcessLookupError, FileNotFoundError):
                continue
        return [line for line in found if line]

    def kill_busy_worker(self, chosen: random.Random) -> int:
        """Kill a process with several cases in flight; return how many, 0 if none."""
        inside = self.calls.inside
        busy = [
            pid for pid, cases in inside.items() if len(cases) > 1 and _is_alive(pid)
        ]
        if not busy:
            return 0
        victim = chosen.choice(busy)
        os.kill(victim, signal.SIGKILL)
        return len(inside[victim])

    def assert_complete(self, document: dict[str, Any]) -> None:
        """Check that every case is there once, and the summary that of a quiet run."""
        assert (document["ok"], document["status"]) == (self.count, "completed")
        positions = [
            row["case_position"] for row in self.project.exported(document["run_id"])
        ]
        assert positions == list(range(self.count))
        assert document["metrics"] == self.undisturbed()

    def undisturbed(self) -> Any:
        """Return the metrics of the same cases without any fault, in process."""
        config = self.project.folder / "ragproof.yaml"
        kept = config.read_text(), (self.project.folder / "calls").read_bytes()
        self.project.write_config(store="undisturbed", run={"concurrency": 64})
        metrics = self.project.run_json("--workers", "0")["metrics"]
        config.write_text(kept[0])
        (self.project.folder / "calls").write_bytes(kept[1])
        return metrics


def _is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def scene(project: Any) -> Iterator[Scene]:
    made = Scene(project)
    yield made
    made.end()
