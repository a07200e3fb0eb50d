"""One start of the driver on a run: its sign of life, its evaluation, its record."""

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from signal import Signals

import polars as pl

from ragproof_ray.config import RunConfig
from ragproof_ray.engine import ordinals, runs
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.plan import Executor, LaunchPlan, Progress
from ragproof_ray.engine.records import CloseRecord, Manifest
from ragproof_ray.engine.runs import RunView
from ragproof_ray.engine.stop import StopSignals
from ragproof_ray.engine.store import Store
from ragproof_ray.errors import ExecutionError, RagproofError, StoreError
from ragproof_ray.metrics import ScoringParams

_BEAT_EVERY_S = 10.0

OnProgress = Callable[[Progress, int], None]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How one start of the driver left its run.

    Attributes:
        signal: what the user ended it with, or None.
        fault: what stopped it, or None.
    """

    store: Store
    view: RunView
    summary: pl.DataFrame
    signal: Signals | None
    fault: ExecutionError | None


class Launch:
    """A launch, and the monitor of the executor that evaluates its cases.

    Args:
        store: holds the run.
        manifest: of the run.
        executor: entered already.
        todo: the cases of this launch.
        signals: entered already; the first one ends the launch early.
        on_progress: called about twice a second with the progress of this launch and
            the number of cases it set out to do.
    """

    def __init__(
        self,
        store: Store,
        manifest: Manifest,
        executor: Executor,
        todo: Ranges,
        signals: StopSignals,
        on_progress: OnProgress | None,
    ) -> None:
        self._store = store
        self._manifest = manifest
        self._executor = executor
        self._todo = todo
        self._on_progress = on_progress
        self._signals = signals
        self._started_at = datetime.now(UTC)
        self._next_beat_s = 0.0
        known = [*store.heartbeats(self._run_id), *store.close_records(self._run_id)]
        self._id = runs.launch_id(self._started_at, known, secrets.token_hex(3))

    @property
    def _run_id(self) -> str:
        return self._manifest.run_id

    @property
    def stopping(self) -> bool:
        """True once the user asked to stop."""
        return self._signals.received is not None

    def show(self, progress: Progress) -> None:
        """Renew the sign of life when it is time, and pass the progress on."""
        now_s = time.monotonic()
        if now_s >= self._next_beat_s:
            self._next_beat_s = now_s + _BEAT_EVERY_S
            beat = runs.heartbeat(self._id, datetime.now(UTC), os.getpid())
            self._store.beat(self._run_id, beat)
        if self._on_progress is not None:
            self._on_progress(progress, ordinals.count(self._todo))

    def run(self, config: RunConfig) -> RunOutcome:
        """Evaluate, and close the launch however the evaluation ends.

        Raises:
            StoreError: the launch stays open and the run shows as interrupted.
        """
        self._signals.is_under_way = True
        self.show(Progress())
        try:
            self._evaluate(config)
        except StoreError:
            self._store.forget(self._run_id, self._id)
            raise
        except RagproofError as error:
            return self._close(ExecutionError(str(error)))
        except KeyboardInterrupt:
            return self._close()
        except BaseException:
            self._close()
            raise
        return self._close()

    def _evaluate(self, config: RunConfig) -> None:
        if self._todo:
            self.show(self._executor.execute(self._plan(config), self._todo, self))

    def _plan(self, config: RunConfig) -> LaunchPlan:
        return LaunchPlan(
            store=self._store.absolute_location,
            run_id=self._run_id,
            launch=self._id,
            launched_at=self._started_at.timestamp(),
            dataset_hash=self._manifest.dataset.dataset_hash,
            content_hash=self._manifest.dataset.content_hash,
            adapter=config.adapter,
            scoring=ScoringParams(config.run.k, config.run.source_match),
            user_metrics=config.metrics,
            case_timeout_s=config.run.case_timeout_seconds,
            store_context=config.run.store_context,
        )

    def _close(self, fault: ExecutionError | None = None) -> RunOutcome:
        accepted = self._store.accepted(self._run_id)
        is_complete = accepted.ordinals >= self._manifest.total_cases
        results = self._store.scan_results(self._run_id, accepted)
        record = CloseRecord(
            launch=self._id,
            status="completed" if is_complete else "partial",
            started_at=self._started_at,
            ended_at=datetime.now(UTC),
            workers=self._executor.workers,
            counts=runs.case_counts(results),
            ordinals=accepted.ordinals,
            parts=dict(accepted.parts),
            losers=dict(accepted.losers),
        )
        self._store.close(self._run_id, record)
        summary = runs.summarise_run(self._store, self._run_id, accepted)
        self._store.put_summary(self._run_id, self._id, summary)
        view = runs.view(self._store, self._run_id, record.ended_at)
        return RunOutcome(self._store, view, summary, self._signals.received, fault)
