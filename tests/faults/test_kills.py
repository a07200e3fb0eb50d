"""kill -9 of workers, of the driver and of a node: every case exactly once, to the bit.

Each test asserts that its victim was alive and the run between 10 % and 90 % done, and
counts the pipeline's calls in a file outside the store.
"""

import json
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from ragproof_ray.engine.store import Store

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


def cases(count):
    for n in range(count):
        sources = [f"d{n % 31}", f"d{n * 3 % 31}", f"d{n * 5 % 31}"][: n % 3 + 1]
        yield {"id": f"c{n}", "question": f"q{n}", "expected_source_ids": sources}


def prepare(project, count, latency, **run):
    project.cases(*cases(count))
    project.pipeline(PIPELINE % {"latency": latency})
    project.write_config(run=run)


def undisturbed(project):
    """Return the metrics of the same run without any fault, computed in process."""
    project.write_config(store="undisturbed", run={"concurrency": 64})
    before = (project.folder / "calls").read_bytes()
    metrics = project.run_json("--workers", "0")["metrics"]
    (project.folder / "calls").write_bytes(before)
    return metrics


class Calls:
    """What the file of calls tells so far."""

    def __init__(self, folder: Path) -> None:
        path = folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        self.begun: Counter[str] = Counter()
        self.inside: dict[int, set[str]] = defaultdict(set)
        for line in lines:
            pid, question, sign = line.split()
            if sign == "+":
                self.begun[question] += 1
                self.inside[int(pid)].add(question)
            else:
                self.inside[int(pid)].discard(question)


def wait_for(condition, limit_s=60.0):
    deadline = time.monotonic() + limit_s
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def stored(project):
    """Return the ordinals with an accepted row in the newest run."""
    store = Store(str(project.folder / "store"))
    if not (ids := store.run_ids()):
        return set()
    rows = store.index(ids[0], store.accepted(ids[0]).parts)
    return set(rows["ordinal"])


def start(project, *arguments, env=None):
    return subprocess.Popen(
        [sys.executable, "-m", "ragproof_ray", "run", "--json", *arguments],
        cwd=project.folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.ray
def test_twenty_random_kills_of_workers_lose_and_condemn_no_case(project, local_ray):
    count = 3000
    prepare(project, count, 0.05, concurrency=16, shard_size=200)
    chosen = random.Random(7)
    kills: list[tuple[int, int]] = []  # cases begun before, cases in flight
    over = threading.Event()

    def kill_now_and_then():
        while len(kills) < 20 and not over.wait(chosen.uniform(0.1, 0.6)):
            calls = Calls(project.folder)
            busy = [
                pid
                for pid, inside in calls.inside.items()
                if len(inside) > 1 and is_alive(pid)
            ]
            if busy and len(calls.begun) > count * 0.1:
                victim = chosen.choice(busy)
                kills.append((len(calls.begun), len(calls.inside[victim])))
                os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill_now_and_then)
    killer.start()
    document = project.run_json("--workers", "2")
    over.set()
    killer.join()

    assert len(kills) == 20
    assert all(count * 0.1 <= begun <= count for begun, _ in kills)
    assert (document["ok"], document["status"]) == (count, "completed")
    assert [row["case_position"] for row in project.exported()] == list(range(count))
    assert document["metrics"] == undisturbed(project)


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.ray)])
def test_a_killed_driver_resumes_and_so_does_its_killed_successor(project, workers):
    count = 20_000
    prepare(project, count, 0.002, concurrency=16, shard_size=1000)
    kept: list[set[int]] = []
    begun_before: list[Counter[str]] = []
    for attempt in range(2):
        resume = ["--resume", "latest", "--force"] if attempt else []
        driver = start(project, "--workers", workers, *resume)
        share = 0.1 + 0.3 * attempt
        wait_for(lambda share=share: len(stored(project)) >= count * share)
        assert driver.poll() is None
        driver.kill()
        driver.communicate()
        wait_for(lambda: not any(is_alive(pid) for pid in Calls(project.folder).inside))
        kept.append(stored(project))
        begun_before.append(Calls(project.folder).begun)
        assert count * 0.1 <= len(kept[-1]) <= count * 0.9

    assert kept[0] <= kept[1], "what was done stays done"
    _, out, _ = project.command("runs")
    assert "interrupted" in out or "running" in out
    document = project.run_json("--resume", "latest", "--force", "--workers", "0")

    final = Calls(project.folder).begun
    for done, before in zip(kept, begun_before, strict=True):
        assert all(final[f"q{n}"] == before[f"q{n}"] for n in done), (
            "a stored case ran again"
        )
    assert (document["ok"], document["status"]) == (count, "completed")
    assert [row["case_position"] for row in project.exported()] == list(range(count))
    assert document["metrics"] == undisturbed(project)


@pytest.fixture
def three_nodes(tmp_path):
    """A cluster of three nodes in a process of its own, and the environment to join it."""
    base = Path(tempfile.mkdtemp(prefix="rp-test-"))
    token = base / "token"
    token.write_text(secrets.token_hex(32))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    environment |= {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(token),
        "RAY_TMPDIR": str(base),
    }
    cluster = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("three_nodes.py"))],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    yield cluster, environment
    cluster.communicate()
    shutil.rmtree(base, ignore_errors=True)


def read_until(stream, word):
    """Return the rest of the first line that starts with a word; Ray prints others."""
    return (
        next(line for line in stream if line.startswith(word))
        .removeprefix(word)
        .strip()
    )


@pytest.mark.ray
def test_a_lost_node_costs_no_case(project, three_nodes):
    cluster, environment = three_nodes
    count = 3000
    prepare(project, count, 0.05, concurrency=24, shard_size=100)
    address = read_until(cluster.stdout, "address")
    driver = start(project, "--address", address, "--workers", "3", env=environment)
    wait_for(lambda: len(stored(project)) >= count * 0.2)
    assert driver.poll() is None
    cluster.stdin.write("kill\n")
    cluster.stdin.flush()
    read_until(cluster.stdout, "lost")
    done = len(stored(project))
    out, err = driver.communicate(timeout=120)

    assert driver.returncode == 0, err
    assert count * 0.1 <= done <= count * 0.9
    document = json.loads(out)
    assert (document["ok"], document["status"]) == (count, "completed")
    assert [row["case_position"] for row in project.exported()] == list(range(count))
    assert document["metrics"] == undisturbed(project)
