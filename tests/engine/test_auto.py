from typing import cast

import pytest

from ragproof_ray.engine import ordinals
from ragproof_ray.engine.auto import TIMED, WARM_UP, AutoExecutor, Moment, ray_pays
from ragproof_ray.engine.plan import LaunchPlan, Progress


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "left", "cpus", "expected"),
    [
        (1.5, 1.5, 10_000, 2, True),  # 10 ms a case, all computing: 100 s are left
        (1.5, 1.5, 1_000, 2, False),  # 10 s are left: less than Ray's start pays back
        (1.5, 0.3, 10_000, 2, False),  # waiting for a service: workers would wait too
        (1.5, 1.5, 10_000, 1, False),  # one processor
        (0.01, 0.01, 250_000, 2, False),  # 67 us a case: 17 s are left
        (0.01, 0.01, 1_000_000, 2, True),  # 67 s are left
    ],
)
def test_ray_pays_for_long_computing_only(wall_s, cpu_s, left, cpus, expected):
    assert ray_pays(150, wall_s, cpu_s, left, cpus) is expected


PLAN = cast("LaunchPlan", None)  # passed on, not looked at


class Recording:
    """An executor that notes what it was given and reports it done."""

    workers = 3

    def __init__(self, work=lambda: None):
        self.given = []
        self.entered = 0
        self._work = work

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, *error):
        self.entered -= 1

    def execute(self, plan, todo, monitor):
        self._work()
        self.given.append(todo)
        monitor.show(Progress(done=ordinals.count(todo)))
        return Progress(done=ordinals.count(todo))


class Watch:
    def __init__(self):
        self.stopping = False
        self.seen = []

    def show(self, progress):
        self.seen.append(progress.done)


def evaluate(total, watch, work=lambda: None, seconds=0.0):
    """Evaluate with clocks that say that the timed cases took some computing seconds."""
    local, cluster = Recording(work), Recording()
    clocks = iter([Moment(0.0, 0.0), Moment(seconds, seconds)])
    executor = AutoExecutor(local, lambda: cluster, cpus=2, clocks=lambda: next(clocks))
    with executor:
        done = executor.execute(PLAN, (range(total),), watch)
    return local, cluster, executor, done


def test_a_short_run_stays_in_this_process():
    watch = Watch()
    local, cluster, executor, done = evaluate(300, watch)

    assert local.given == [
        (range(WARM_UP),),
        (range(WARM_UP, 200),),
        (range(200, 300),),
    ]
    assert cluster.given == []
    assert (done.done, executor.workers) == (300, 0)
    assert watch.seen == [50, 200, 300], "progress goes on, it does not start anew"


def test_a_long_computing_run_moves_to_ray_after_the_first_cases():
    local, cluster, executor, done = evaluate(1_000_000, Watch(), seconds=0.02)

    assert local.given == [(range(WARM_UP),), (range(WARM_UP, WARM_UP + TIMED),)]
    assert cluster.given == [(range(WARM_UP + TIMED, 1_000_000),)]
    assert (done.done, executor.workers) == (1_000_000, 3)
    assert (local.entered, cluster.entered) == (0, 0)


@pytest.mark.parametrize("total", [1, WARM_UP, WARM_UP + 1, WARM_UP + TIMED])
def test_few_cases_are_done_once_each(total):
    local, _, _, done = evaluate(total, Watch())

    assert [o for todo in local.given for r in todo for o in r] == list(range(total))
    assert done.done == total


def test_a_stop_during_the_first_cases_starts_no_more():
    watch = Watch()

    def stop():
        watch.stopping = True

    local, _, _, done = evaluate(1000, watch, work=stop)

    assert local.given == [(range(WARM_UP),)]
    assert done.done == WARM_UP
