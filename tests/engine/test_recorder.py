"""The pace of flushes, and what they change in the process around them."""

import asyncio
import sys

import pytest

from ragproof_ray.config import AdapterSection
from ragproof_ray.engine.feed import CaseFeed
from ragproof_ray.engine.plan import LaunchPlan, Shard
from ragproof_ray.engine.recorder import Recorder, flush_interval
from ragproof_ray.engine.results import PartWriter
from ragproof_ray.engine.store import Store
from ragproof_ray.metrics import ScoringParams


@pytest.mark.parametrize(
    ("launch_age_s", "interval_s"),
    [(0.0, 5.0), (500.0, 5.0), (1000.0, 10.0), (6000.0, 60.0), (9000.0, 60.0)],
)
def test_flushes_are_a_hundredth_of_the_launch_apart_within_limits(
    launch_age_s, interval_s
):
    assert flush_interval(launch_age_s) == interval_s


def test_the_switch_interval_of_the_process_is_put_back(tmp_path):
    store = Store(str(tmp_path))
    plan = LaunchPlan(
        store=str(tmp_path),
        run_id="run",
        launch="launch",
        launched_at=0.0,
        dataset_hash="dataset",
        content_hash="content",
        adapter=AdapterSection(type="python", target="a:b"),
        scoring=ScoringParams(5, "chunk"),
        user_metrics=(),
        case_timeout_s=5.0,
        store_context=True,
        grace_s=5.0,
    )
    writer = PartWriter(plan, Shard((), 1, "attempt", 1), store, ())
    before = sys.getswitchinterval()

    async def enter_and_leave():
        async with Recorder(CaseFeed(iter(())), writer):
            return sys.getswitchinterval()

    inside = asyncio.run(enter_and_leave())

    assert inside < before
    assert sys.getswitchinterval() == before
