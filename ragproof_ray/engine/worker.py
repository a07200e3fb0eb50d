"""One shard, from its cases to its published parts; the same in every process.

A fixed number of coroutines pull from one iterator of cases, call the adapter and
record the outcome. One more keeps the time: it cancels calls whose deadline passed,
gives up those that ignore it, paces flushes and reports, and ends the shard early.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

from ragproof_ray.adapters import Adapter, AdapterExitError
from ragproof_ray.adapters.threads import exception_text
from ragproof_ray.engine import ordinals
from ragproof_ray.engine.feed import Ask, CaseFeed
from ragproof_ray.engine.plan import Control, Late, LaunchPlan, Progress, Shard
from ragproof_ray.engine.recorder import Recorder
from ragproof_ray.engine.responses import Failure, Outcome
from ragproof_ray.engine.results import PartWriter
from ragproof_ray.engine.store import Store
from ragproof_ray.errors import CaseError, ExecutionError
from ragproof_ray.metrics import UserMetric
from ragproof_ray.redaction import redact, storable
from ragproof_ray.schema import CaseStatus

_CANCEL_S = 1.0
_LATE_FACTOR = 3  # times the mean duration of the calls that have ended
_MESSAGE_LENGTH = 2000
# A pipeline that never waits would keep the loop from the timekeeper for ever.
_CASES_BETWEEN_YIELDS = 256


async def evaluate_shard(
    plan: LaunchPlan,
    shard: Shard,
    store: Store,
    adapter: Adapter,
    user_metrics: Sequence[UserMetric],
    control: Control,
) -> Progress:
    """Evaluate the cases of a shard and publish their results as parts.

    Returns:
        How many cases are stored, how many of them failed, and how many calls were
        given up and may still run in this process.

    Raises:
        StoreError: cases cannot be read or results cannot be written.
    """
    feed = CaseFeed(store.read_cases(plan.content_hash, shard.cases))
    writer = PartWriter(plan, shard, store, tuple(user_metrics))
    async with Recorder(feed, writer) as recorder:
        try:
            await _Evaluation(plan, shard, adapter, feed, recorder, control).run()
        except asyncio.CancelledError:
            await recorder.finish()  # the loop ends; what is finished is kept
            raise
        await recorder.finish()
    await control.beat(recorder.progress)
    return recorder.progress


class _Flight:
    """One coroutine's current call, as the timekeeper sees it."""

    __slots__ = (
        "ask",
        "deadline",
        "dropped",
        "expired_at",
        "given_up",
        "stage",
        "started",
    )

    def __init__(self) -> None:
        self.ask: Ask | None = None
        self.stage = ""
        self.started = 0.0
        self.deadline = 0.0
        self.expired_at: float | None = None
        self.given_up = False
        self.dropped = False


class _Evaluation:
    """The coroutines of one shard and what they share."""

    def __init__(
        self,
        plan: LaunchPlan,
        shard: Shard,
        adapter: Adapter,
        feed: CaseFeed,
        recorder: Recorder,
        control: Control,
    ) -> None:
        self._plan = plan
        self._concurrency = min(shard.concurrency, ordinals.count(shard.cases))
        self._adapter = adapter
        self._asks = iter(feed)
        self._recorder = recorder
        self._control = control
        self._loop = asyncio.get_running_loop()
        self._tick_s = min(max(plan.case_timeout_s / 20, 0.01), 0.25)
        self._flights: dict[asyncio.Task[None], _Flight] = {}
        self._given_up = 0
        self._stopping_since: float | None = None
        self._fault: BaseException | None = None
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Return when every coroutine has ended or was given up."""
        for _ in range(self._concurrency):
            self._launch_puller()
        timekeeper = asyncio.create_task(self._keep_time())
        timekeeper.add_done_callback(self._note_fault)
        try:
            await self._ended.wait()
        finally:
            timekeeper.remove_done_callback(self._note_fault)
            timekeeper.cancel()
            self._drop_flights()
            self._report()
        if self._fault is not None:
            raise self._fault

    def _launch_puller(self) -> None:
        task = asyncio.create_task(self._pull())
        self._flights[task] = _Flight()
        task.add_done_callback(self._land)

    def _land(self, task: "asyncio.Task[None]") -> None:
        flight = self._flights.pop(task, None)
        if flight is not None and not flight.dropped:
            self._note_fault(task)
        if not self._flights:
            self._ended.set()

    def _note_fault(self, task: "asyncio.Task[None]") -> None:
        if task.cancelled():
            error: BaseException | None = ExecutionError(
                "the pipeline cancelled tasks that are not its own; cancel only yours"
            )
        else:
            error = task.exception()
        if error is not None:
            self._fault = self._fault or error
            self._ended.set()

    async def _pull(self) -> None:
        task = _current_task()
        flight = self._flights[task]
        count = 0
        while not self._control.stopping:
            ask = next(self._asks, None)
            if ask is None:
                return
            outcome = await self._evaluate(task, flight, ask)
            if outcome is None:
                return
            self._recorder.add(outcome)
            await self._recorder.make_room()
            count += 1
            if count % _CASES_BETWEEN_YIELDS == 0:
                await asyncio.sleep(0)

    async def _evaluate(
        self, task: "asyncio.Task[None]", flight: _Flight, ask: Ask
    ) -> Outcome | None:
        """Return what the adapter made of a case, or None when nobody waits for it."""
        started = self._loop.time()
        flight.ask, flight.started = ask, started
        flight.deadline = started + self._plan.case_timeout_s
        self._control.started(ask.ordinal)
        retrieved, answered, failure = None, None, None
        try:
            if self._adapter.supports_retrieve:
                flight.stage = "retrieve"
                retrieved = await self._adapter.retrieve(
                    ask.question, self._plan.scoring.k
                )
            if self._adapter.supports_answer:
                flight.stage = "answer"
                answered = await self._adapter.answer(ask.question)
        except asyncio.CancelledError as error:
            if flight.dropped:
                raise
            failure = describe(error, flight.stage)
        except Exception as error:  # noqa: BLE001 - a bad case is data
            failure = describe(error, flight.stage)
        if flight.given_up or flight.dropped:
            return None
        await _absorb_cancellation(task)
        if flight.expired_at is not None:
            flight.expired_at, answered = None, None
            failure = self._timeout(flight.stage)
        flight.ask = None
        self._control.ended(ask.ordinal)
        duration_ms = (self._loop.time() - started) * 1000
        return Outcome(ask.ordinal, duration_ms, retrieved, answered, failure)

    def _timeout(self, stage: str) -> Failure:
        limit = self._plan.case_timeout_s
        message = (
            f"no reply from {stage}() within the case's {limit:g} s "
            "(run.case_timeout_seconds)"
        )
        return Failure(CaseStatus.TIMEOUT, message, "TimeoutError", stage)

    async def _keep_time(self) -> None:
        beat_at = self._loop.time()
        while True:
            await asyncio.sleep(self._tick_s)
            now = self._loop.time()
            self._expire(now)
            self._recorder.flush_if_due(now, time.time() - self._plan.launched_at)
            if now >= beat_at:
                beat_at = now + self._control.interval_s
                self._report(self._late(now))
                await self._control.beat(self._recorder.progress)
            if self._control.stopping:
                self._wind_down(now)

    def _report(self, late: Late | None = None) -> None:
        progress = self._recorder.progress
        progress.stuck = self._adapter.stuck + self._given_up
        progress.late = late

    def _late(self, now: float) -> Late | None:
        """Return the oldest call, when it takes longer than the calls before it."""
        expected_s = max(
            self._plan.late_from_s, _LATE_FACTOR * self._recorder.mean_duration_s
        )
        ages = (
            Late(now - flight.started, flight.ask.case_id, flight.stage)
            for flight in self._flights.values()
            if flight.ask is not None
        )
        oldest = max(ages, default=None)
        return oldest if oldest and oldest.age_s > expected_s else None

    def _expire(self, now: float) -> None:
        for task, flight in list(self._flights.items()):
            if flight.ask is None or now < flight.deadline:
                continue
            if flight.expired_at is None:
                flight.expired_at = now
                task.cancel()
            elif now >= flight.expired_at + self._plan.grace_s:
                self._give_up(task, flight, flight.ask)

    def _give_up(self, task: "asyncio.Task[None]", flight: _Flight, ask: Ask) -> None:
        """Record the timeout of a call that ignores its cancellation; replace it."""
        flight.given_up = True
        self._given_up += 1
        del self._flights[task]
        duration_ms = (self._plan.case_timeout_s + self._plan.grace_s) * 1000
        failure = self._timeout(flight.stage)
        self._recorder.add(Outcome(ask.ordinal, duration_ms, failure=failure))
        self._launch_puller()

    def _wind_down(self, now: float) -> None:
        """Let calls in flight end; after the grace cancel them, then leave them."""
        if self._stopping_since is None:
            self._stopping_since = now
        waited = now - self._stopping_since
        if waited >= self._plan.grace_s:
            self._drop_flights()
        if waited >= self._plan.grace_s + _CANCEL_S:
            self._ended.set()

    def _drop_flights(self) -> None:
        for task, flight in self._flights.items():
            if not flight.dropped:
                flight.dropped = True
                task.cancel()


async def _absorb_cancellation(task: "asyncio.Task[None]") -> None:
    """End a cancellation by the timekeeper, or by the pipeline itself.

    One that was asked for and not raised yet would strike at the next wait, which
    belongs to another case.
    """
    if task.cancelling():
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
    while task.cancelling():
        task.uncancel()


def _current_task() -> "asyncio.Task[None]":
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - coroutines of ours run in tasks
    return task


def describe(error: BaseException, stage: str) -> Failure:
    """Return what an exception of the user's pipeline means for its case."""
    status = CaseStatus.TIMEOUT if isinstance(error, TimeoutError) else CaseStatus.ERROR
    kind = type(error).__name__
    if isinstance(error, AdapterExitError):
        kind = error.error_type
    text = str(error) if isinstance(error, CaseError) else exception_text(error)
    message = storable(redact(text))[:_MESSAGE_LENGTH]
    return Failure(status, message, kind, stage)
