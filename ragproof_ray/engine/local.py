"""Runs a launch in this process: one shard, on an event loop in a thread of its own.

The thread leaves the caller's thread free for signals and progress, works inside a
running event loop, and is a daemon, so that a pipeline that never returns cannot
keep the process alive.
"""

import asyncio
import math
import secrets
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, wait
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Any, Self, TypeVar

from ragproof_ray.adapters import Adapter, open_adapter
from ragproof_ray.adapters.loading import preload
from ragproof_ray.config import AdapterSection
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.plan import LaunchPlan, Monitor, Progress, Shard
from ragproof_ray.engine.store import Store
from ragproof_ray.engine.worker import describe, evaluate_shard
from ragproof_ray.errors import ExecutionError, RagproofError
from ragproof_ray.metrics import UserMetric

_POLL_S = 0.2
_CLOSE_S = 2.0
_WIND_UP_S = 5.0  # long enough for a flush of what is finished
# A stopping evaluation cancels its calls after the grace, flushes and returns.
_STOP_S = 5.0

_T = TypeVar("_T")


class LocalExecutor:
    """An executor without Ray; the adapter is built on entry.

    Args:
        adapter: the pipeline to build.
        user_metrics: the loaded user metrics.
        concurrency: adapter calls in flight.

    Raises:
        ConfigError: on entry, when the adapter cannot be built.
    """

    workers = 0

    def __init__(
        self,
        adapter: AdapterSection,
        user_metrics: Sequence[UserMetric],
        concurrency: int,
    ) -> None:
        self._section = adapter
        self._user_metrics = tuple(user_metrics)
        self._concurrency = concurrency
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._serve, name="ragproof-loop", daemon=True
        )
        self._adapter: Adapter | None = None

    def __enter__(self) -> Self:
        # Modules that install signal handlers can be imported in this thread only.
        preload(self._section.target or "")
        self._thread.start()
        try:
            self._adapter = self._wait(open_adapter(self._section))
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._adapter is not None and self._thread.is_alive():
            closing = asyncio.run_coroutine_threadsafe(
                self._adapter.aclose(), self._loop
            )
            with suppress(TimeoutError, CancelledError):
                closing.result(_CLOSE_S)
        self._stop()

    def execute(self, plan: LaunchPlan, todo: Ranges, monitor: Monitor) -> Progress:
        """Evaluate the given cases; returns early when the monitor is stopping.

        Raises:
            ExecutionError: the store failed, or the pipeline ended the event loop.
        """
        assert self._adapter is not None  # noqa: S101 - set on entry
        control = _Control()
        shard = Shard(todo, 0, secrets.token_hex(4), self._concurrency)
        evaluation = evaluate_shard(
            plan, shard, Store(plan.store), self._adapter, self._user_metrics, control
        )
        give_up_at = math.inf

        def look_after() -> None:
            nonlocal give_up_at
            if monitor.stopping and not control.stopping:
                control.stopping = True
                give_up_at = time.monotonic() + plan.grace_s + _STOP_S
            monitor.show(control.progress)
            if time.monotonic() > give_up_at:
                raise _OverdueError

        try:
            return self._wait(evaluation, look_after)
        except _OverdueError:
            # User code holds the loop or the flush; what is stored is kept.
            return control.progress

    def probe(self, question: str, k: int, limit_s: float) -> str:
        """Return in words what one call of the pipeline brought.

        Raises:
            ExecutionError: it failed, or took longer than `limit_s` seconds.
        """
        assert self._adapter is not None  # noqa: S101 - set on entry
        give_up_at = time.monotonic() + limit_s

        def look_after() -> None:
            if time.monotonic() > give_up_at:
                raise ExecutionError(
                    f"adapter: no reply within {limit_s:g} s; try the pipeline by itself"
                )

        try:
            return self._wait(_probe(self._adapter, question, k), look_after)
        except RagproofError:
            raise
        except Exception as error:
            failure = describe(error, "the probe")
            raise ExecutionError(f"adapter: {failure.message}") from error

    def _wait(
        self,
        coroutine: Coroutine[Any, Any, _T],
        look_after: Callable[[], None] = lambda: None,
    ) -> _T:
        """Return a coroutine's result; `look_after` is called meanwhile."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        while not wait([future], _POLL_S).done:
            if not self._thread.is_alive():
                raise _loop_ended()
            look_after()
        if future.cancelled():
            raise _loop_ended()
        return future.result()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            with suppress(SystemExit, KeyboardInterrupt):
                self._loop.run_forever()
        finally:
            _wind_up(self._loop)

    def _stop(self) -> None:
        with suppress(RuntimeError):  # the pipeline has ended the loop already
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSE_S)


class _OverdueError(Exception):
    """An evaluation does not end although its grace is over."""


def _loop_ended() -> ExecutionError:
    return ExecutionError(
        "the pipeline ended the event loop (a task of its own raised SystemExit or "
        "KeyboardInterrupt); finished cases are kept, continue with --resume"
    )


def _wind_up(loop: asyncio.AbstractEventLoop) -> None:
    """Close a loop; tasks that ignore their cancellation are left without a word."""
    loop.set_exception_handler(lambda *_: None)
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        with suppress(SystemExit, KeyboardInterrupt):
            loop.run_until_complete(asyncio.wait(tasks, timeout=_WIND_UP_S))
    loop.close()


async def _probe(adapter: Adapter, question: str, k: int) -> str:
    if adapter.supports_answer:
        text = (await adapter.answer(question)).text
        return f"answered with {len(text or '')} characters"
    retrieved = await adapter.retrieve(question, k)
    return f"retrieved {len(retrieved.ids) if retrieved else 0} chunks"


class _Control:
    """Links the loop's thread with the caller's; each field has one writer."""

    interval_s = 0.2

    def __init__(self) -> None:
        self.stopping = False
        self.progress = Progress()

    def started(self, ordinal: int) -> None:
        """Do nothing: a case that kills this process ends the run."""

    def ended(self, ordinal: int) -> None:
        """Do nothing, as `started`."""

    async def beat(self, progress: Progress) -> None:
        self.progress = replace(progress)
