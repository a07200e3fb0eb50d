"""Collects the outcomes of a shard and flushes them to the store as parts."""

import asyncio
import sys
from types import TracebackType
from typing import Self

from ragproof_ray.adapters.threads import DaemonThreads
from ragproof_ray.engine.feed import CaseFeed
from ragproof_ray.engine.plan import Progress
from ragproof_ray.engine.responses import Outcome, ResponseBuffer
from ragproof_ray.engine.results import PartWriter

_FLUSH_FRACTION = 0.01
_FLUSH_MIN_S = 5.0
_FLUSH_MAX_S = 60.0
# A flush takes the GIL back after each of its hundred calls of Polars; the thread of
# the pipeline would let it wait for Python's 5 ms each time, longer than they take.
_GIL_SWITCH_S = 0.001


def flush_interval(launch_age_s: float) -> float:
    """Return the seconds between two flushes: 1 % of the launch's age, 5 to 60."""
    return min(max(launch_age_s * _FLUSH_FRACTION, _FLUSH_MIN_S), _FLUSH_MAX_S)


class Recorder:
    """Turns outcomes into parts, scoring and writing in one thread, one at a time.

    Args:
        feed: where the cases of the outcomes are looked up.
        writer: publishes a part.
    """

    def __init__(self, feed: CaseFeed, writer: PartWriter) -> None:
        self.progress = Progress()
        self._feed = feed
        self._writer = writer
        self._buffer = ResponseBuffer()
        self._threads = DaemonThreads()  # a metric that hangs must not hold the exit
        self._switch_interval = sys.getswitchinterval()
        self._duration_ms = 0.0
        self._flushing: asyncio.Future[None] | None = None
        self._flushed_at = asyncio.get_running_loop().time()

    async def __aenter__(self) -> Self:
        sys.setswitchinterval(_GIL_SWITCH_S)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._threads.close()
        sys.setswitchinterval(self._switch_interval)

    def add(self, outcome: Outcome) -> None:
        """Append one outcome; a full buffer starts its flush if none is under way.

        Raises:
            StoreError: the flush before failed.
        """
        self._buffer.add(outcome)
        self.progress.done += 1
        self._duration_ms += outcome.duration_ms
        self.progress.failed += outcome.failure is not None
        if self._buffer.is_full and not self._is_flushing:
            self._start_flush()

    @property
    def mean_duration_s(self) -> float:
        """Mean time of the finished cases, 0 when there are none."""
        return self._duration_ms / 1000 / max(self.progress.done, 1)

    async def make_room(self) -> None:
        """Wait while the buffer is full and the flush before it still runs.

        Raises:
            StoreError: a flush failed.
        """
        while self._buffer.is_full:
            await self._settle()
            if self._buffer.is_full:
                self._start_flush()

    def flush_if_due(self, now: float, launch_age_s: float) -> None:
        """Start a flush when the last one was long enough ago.

        Raises:
            StoreError: the last flush failed.
        """
        if self._is_flushing:
            return
        self._raise_if_failed()
        is_due = now - self._flushed_at >= flush_interval(launch_age_s)
        if is_due and len(self._buffer):
            self._start_flush()

    async def finish(self) -> None:
        """Publish what is left.

        Raises:
            StoreError: a flush failed.
        """
        await self._settle()
        if len(self._buffer):
            self._start_flush()
            await self._settle()

    @property
    def _is_flushing(self) -> bool:
        return self._flushing is not None and not self._flushing.done()

    def _raise_if_failed(self) -> None:
        if self._flushing is not None:
            self._flushing.result()

    def _start_flush(self) -> None:
        self._raise_if_failed()
        loop = asyncio.get_running_loop()
        responses = self._buffer.to_frame()
        cases = self._feed.look_up(responses["ordinal"])
        self._buffer = ResponseBuffer()
        self._flushed_at = loop.time()
        write = self._threads.call(self._writer.write, responses, cases)
        self._flushing = loop.create_task(write)

    async def _settle(self) -> None:
        if self._flushing is not None:
            await asyncio.shield(self._flushing)
