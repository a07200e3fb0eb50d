"""Random faults for as long as asked, each survived or the soak fails.

    make soak                                  ten minutes, a seed of its own
    SOAK_SECONDS=60 SOAK_SEED=7 make soak      a minute, and the same faults again

Every round runs the same cases and hits them with one kind of fault at a random
moment, once or more; then it resumes what is left. Checked each time: no case is
missing or doubled, no stored case ran again, nothing is left running, and the summary
equals that of an undisturbed run to the last bit.
"""

import os
import random
import secrets
import shutil
import signal
import time
from collections import Counter

import pytest

SECONDS = float(os.environ.get("SOAK_SECONDS", "600"))
SEED = int(os.environ.get("SOAK_SEED") or secrets.randbits(32))
LAST_SIGNALS = {"SIGINT": 130, "SIGTERM": 143}


def hit(scene, chosen, kind):
    """Run, disturb, and return how often it was hit."""
    workers = "2" if kind == "worker kill -9" else chosen.choice(["0", "2"])
    resume = ["--resume", "latest"] if scene.stored() else []
    driver = scene.start("--workers", workers, *resume)
    before = len(scene.stored())
    share = chosen.uniform(0.1, 0.6)
    begun = sum(scene.calls.begun.values())
    goal = begun + (scene.count - before) * share
    scene.wait_for(
        lambda: sum(scene.calls.begun.values()) > goal or driver.poll() is not None
    )
    if kind == "worker kill -9":
        hits = sum(
            bool(scene.kill_busy_worker(chosen)) for _ in range(chosen.randint(1, 3))
        )
        driver.communicate(timeout=120)
        assert driver.returncode == 0
        return hits
    was_running = driver.poll() is None
    if kind == "driver kill -9":
        driver.kill()
    else:
        os.killpg(driver.pid, signal.Signals[kind])
    driver.communicate(timeout=60)
    if was_running and kind in LAST_SIGNALS:
        assert driver.returncode in (LAST_SIGNALS[kind], 0)
    scene.wait_for(lambda: not scene.workers_alive())
    return int(was_running)


def test_soak(scene, capsys):
    chosen = random.Random(SEED)
    until = time.monotonic() + SECONDS
    survived: Counter[str] = Counter()
    kinds = ["worker kill -9", "driver kill -9", "SIGINT", "SIGTERM"]
    scene.prepare(4000, 0.01, concurrency=16, shard_size=250)
    (scene.project.folder / "calls").touch()
    expected = scene.undisturbed()
    rounds = 0
    while time.monotonic() < until:
        shutil.rmtree(scene.project.folder / "store", ignore_errors=True)
        (scene.project.folder / "calls").write_text("")
        faults = Counter[str]()
        for _ in range(chosen.randint(1, 3)):
            if len(scene.stored()) == scene.count:
                break
            kind = chosen.choice(kinds)
            kept, begun = scene.stored(), scene.calls.begun
            faults[kind] += hit(scene, chosen, kind)
            again = [n for n in kept if scene.calls.begun[f"q{n}"] != begun[f"q{n}"]]
            assert again == [], f"stored cases ran again after {kind}"
            assert kept <= scene.stored(), f"stored cases were lost by {kind}"
        document = scene.project.run_json("--resume", "latest", "--workers", "0")
        assert (document["ok"], document["status"]) == (scene.count, "completed")
        positions = [row["case_position"] for row in scene.project.exported()]
        assert positions == list(range(scene.count))
        assert document["metrics"] == expected
        survived += faults
        rounds += 1
        with capsys.disabled():
            print(f"round {rounds}: {dict(faults)}", flush=True)
    with capsys.disabled():
        print(
            f"seed {SEED}: {rounds} rounds, survived {dict(survived)}; nothing lost",
            flush=True,
        )
    assert rounds, pytest.fail("not a single round fitted into the time")
