"""`--workers auto`: in this process, unless the first cases show that Ray pays.

Ray pays where the processor is what a run waits for, and long enough to earn back its
start. A run that waits for its pipeline gains nothing: `run.concurrency` bounds the
calls over all workers together.
"""

import time
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple, Self

from ragproof_ray.engine import ordinals
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.plan import Executor, LaunchPlan, Monitor, Progress

WARM_UP = 50
TIMED = 150
BUSY_SHARE = 0.7
PAYS_FROM_S = 20.0


def ray_pays(cases: int, wall_s: float, cpu_s: float, left: int, cpus: int) -> bool:
    """Tell whether the rest of a run is better done by Ray workers.

    Args:
        cases: how many were timed.
        wall_s: the time they took.
        cpu_s: the processor time this process spent on them.
        left: cases still to do.
        cpus: processors of this machine.

    Two processors halve at best what is left, and starting Ray and its workers costs
    about 8 s, so the rest has to be worth more than twice that.
    """
    is_busy = cpu_s >= BUSY_SHARE * wall_s
    return cpus > 1 and is_busy and wall_s / cases * left > PAYS_FROM_S


class Moment(NamedTuple):
    """A reading of both clocks, in seconds."""

    wall_s: float
    cpu_s: float  # of this process, all its threads


def read_clocks() -> Moment:
    """Return this moment."""
    return Moment(time.perf_counter(), time.process_time())


class AutoExecutor:
    """Starts in this process and moves to Ray when the first cases speak for it.

    Args:
        local: evaluates the first cases, and all if Ray does not pay.
        cluster: makes the executor for the rest.
        cpus: processors of this machine.
        clocks: read before and after the timed cases.
    """

    def __init__(
        self,
        local: Executor,
        cluster: Callable[[], Executor],
        cpus: int,
        clocks: Callable[[], Moment] = read_clocks,
    ) -> None:
        self._local = local
        self._cluster = cluster
        self._cpus = cpus
        self._clocks = clocks
        self.workers = 0

    def __enter__(self) -> Self:
        self._local.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._local.__exit__(kind, error, traceback)

    def execute(self, plan: LaunchPlan, todo: Ranges, monitor: Monitor) -> Progress:
        """Evaluate the given cases; returns early when the monitor is stopping.

        Raises:
            ExecutionError: the evaluation cannot go on.
        """
        warm_up, todo = ordinals.take(todo, WARM_UP)
        done = self._local.execute(plan, warm_up, monitor)
        timed, todo = ordinals.take(todo, TIMED)
        if not timed or monitor.stopping:
            return done
        before = self._clocks()
        done += self._local.execute(plan, timed, _Offset(monitor, done))
        after = self._clocks()
        if not todo or monitor.stopping:
            return done
        rest = _Offset(monitor, done)
        cases, left = ordinals.count(timed), ordinals.count(todo)
        wall_s, cpu_s = after.wall_s - before.wall_s, after.cpu_s - before.cpu_s
        if not ray_pays(cases, wall_s, cpu_s, left, self._cpus):
            return done + self._local.execute(plan, todo, rest)
        with self._cluster() as cluster:
            self.workers = cluster.workers
            return done + cluster.execute(plan, todo, rest)


class _Offset:
    """A monitor that adds what was done before."""

    def __init__(self, monitor: Monitor, done: Progress) -> None:
        self._monitor = monitor
        self._done = done

    @property
    def stopping(self) -> bool:
        return self._monitor.stopping

    def show(self, progress: Progress) -> None:
        self._monitor.show(self._done + progress)
