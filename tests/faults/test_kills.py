"""kill -9 of workers, of the driver and of a node: every case exactly once, to the bit.

Each test asserts that its victim was alive and the run between 10 % and 90 % done, and
counts the pipeline's calls in a file outside the store.
"""

import json
import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

import pytest


@pytest.mark.ray
def test_twenty_random_kills_of_workers_lose_and_condemn_no_case(scene, local_ray):
    scene.prepare(3000, 0.05, concurrency=16, shard_size=200)
    chosen = random.Random(7)
    kills: list[tuple[int, int]] = []  # cases begun before, cases in flight
    over = threading.Event()

    def kill_now_and_then():
        while len(kills) < 20 and not over.wait(chosen.uniform(0.1, 0.6)):
            begun = len(scene.calls.begun)
            if begun > scene.count * 0.1 and (inside := scene.kill_busy_worker(chosen)):
                kills.append((begun, inside))

    killer = threading.Thread(target=kill_now_and_then)
    killer.start()
    document = scene.project.run_json("--workers", "2")
    over.set()
    killer.join()

    assert len(kills) == 20
    assert all(begun <= scene.count * 0.9 for begun, _ in kills[:10])
    scene.assert_complete(document)


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.ray)])
def test_a_killed_driver_resumes_and_so_does_its_killed_successor(scene, workers):
    scene.prepare(40_000, 0.002, concurrency=16, shard_size=1000)
    kept: list[set[int]] = []
    begun_before: list[Counter[str]] = []
    for attempt in range(2):
        resume = ["--resume", "latest"] if attempt else []
        driver = scene.start("--workers", workers, *resume)
        share = 0.1 + 0.3 * attempt
        scene.wait_for(lambda share=share: len(scene.stored()) >= scene.count * share)
        assert driver.poll() is None
        driver.kill()
        driver.communicate()
        scene.wait_for(lambda: not scene.workers_alive())
        kept.append(scene.stored())
        begun_before.append(scene.calls.begun)
        assert scene.count * 0.1 <= len(kept[-1]) <= scene.count * 0.9

    assert kept[0] <= kept[1], "what was done stays done"
    _, out, _ = scene.project.command("runs")
    assert "interrupted" in out
    document = scene.project.run_json("--resume", "latest", "--workers", "0")

    final = scene.calls.begun
    for done, before in zip(kept, begun_before, strict=True):
        again = [n for n in done if final[f"q{n}"] != before[f"q{n}"]]
        assert again == [], "a stored case ran again"
    scene.assert_complete(document)


@pytest.fixture
def three_nodes():
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
    found = next(line for line in stream if line.startswith(word))
    return found.removeprefix(word).strip()


@pytest.mark.ray
def test_a_lost_node_costs_no_case(scene, three_nodes):
    cluster, environment = three_nodes
    scene.prepare(3000, 0.05, concurrency=24, shard_size=100)
    address = read_until(cluster.stdout, "address")
    driver = scene.start("--address", address, "--workers", "3", env=environment)
    scene.wait_for(lambda: len(scene.stored()) >= scene.count * 0.2)
    assert driver.poll() is None
    cluster.stdin.write("kill\n")
    cluster.stdin.flush()
    read_until(cluster.stdout, "lost")
    done = len(scene.stored())
    out, err = driver.communicate(timeout=120)

    assert driver.returncode == 0, err
    assert scene.count * 0.1 <= done <= scene.count * 0.9
    scene.assert_complete(json.loads(out))
