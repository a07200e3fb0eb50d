"""The use case: evaluate a dataset through a pipeline, or continue a run that began.

Resolves the configuration to things, opens the run (manifest first), hands the cases
to an executor, and closes the launch with its summary.
"""

import hashlib
import inspect
import os
import platform
import secrets
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from signal import Signals

import polars as pl
import pyarrow as pa

from ragproof_ray import __version__
from ragproof_ray.config import RunConfig, config_hash, store_folder
from ragproof_ray.dataset import DatasetFingerprint, DatasetReader
from ragproof_ray.engine import ordinals, runs
from ragproof_ray.engine.check import check_environment
from ragproof_ray.engine.local import LocalExecutor
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.parts import RANK_OK
from ragproof_ray.engine.plan import Executor, LaunchPlan, Progress
from ragproof_ray.engine.records import CloseRecord, DatasetRecord, Manifest
from ragproof_ray.engine.runs import RunView
from ragproof_ray.engine.stop import StopSignals
from ragproof_ray.engine.store import CASES_PER_FILE, Store
from ragproof_ray.errors import ConfigError, ExecutionError, StoreError
from ragproof_ray.metrics import (
    ScoringParams,
    UserMetric,
    load_user_metric,
    metric_names,
)

_BEAT_EVERY = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Options:
    """What a single start of the driver may ask for beside the configuration.

    Attributes:
        label: free text shown with the run.
        limit: evaluate only the first cases of the dataset.
        resume: id, unique prefix or `latest` of the run to continue.
        keep_failures: when resuming, keep failed cases as they are.
        force: when resuming, do so although another driver seems to be at it.
    """

    label: str | None = None
    limit: int | None = None
    resume: str | None = None
    keep_failures: bool = False
    force: bool = False


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


OnProgress = Callable[[Progress, int], None]


def run(
    config: RunConfig,
    options: Options = Options(),
    on_progress: OnProgress | None = None,
) -> RunOutcome:
    """Evaluate the configured dataset, or what is left of it.

    Args:
        config: a validated configuration.
        options: of this start.
        on_progress: called about twice a second with the progress of this launch and
            the number of cases it set out to do.

    Raises:
        ConfigError: the input is at fault; nothing ran.
        ExecutionError: Ray cannot be reached, or the store is at fault. Any other
            fault is part of the outcome.
    """
    check_environment()
    user_metrics = tuple(map(load_user_metric, config.metrics))
    names = metric_names(user_metrics)
    store = Store(store_folder(config))
    dataset, path = _store_dataset(store, config)
    with _executor(config, user_metrics) as executor:
        if options.resume is None:
            manifest = _new_manifest(
                config, options, dataset, path, names, user_metrics
            )
            store.create_run(manifest)
            todo: Ranges = (range(manifest.total_cases),)
        else:
            manifest = _resumable(store, config, options, dataset, names)
            todo = _unfinished(store, manifest, options.keep_failures)
        launch = _Launch(store, manifest, executor.workers, todo, on_progress)
        return launch.run(executor, config)


class _Launch:
    """One start of the driver on a run, from its first sign of life to its record."""

    def __init__(
        self,
        store: Store,
        manifest: Manifest,
        workers: int,
        todo: Ranges,
        on_progress: OnProgress | None,
    ) -> None:
        self._store = store
        self._manifest = manifest
        self._workers = workers
        self._todo = todo
        self._on_progress = on_progress
        self._signals = StopSignals()
        self._started_at = datetime.now(UTC)
        self._beat_at: datetime | None = None
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
        now = datetime.now(UTC)
        if self._beat_at is None or now - self._beat_at >= _BEAT_EVERY:
            self._beat_at = now
            self._store.beat(self._run_id, runs.heartbeat(self._id, now, os.getpid()))
        if self._on_progress is not None:
            self._on_progress(progress, ordinals.count(self._todo))

    def run(self, executor: Executor, config: RunConfig) -> RunOutcome:
        """Evaluate, and close the launch however the evaluation ends.

        Raises:
            StoreError: the launch stays open and the run shows as interrupted.
        """
        with self._signals:
            self.show(Progress())
            try:
                self._evaluate(executor, config)
            except StoreError:
                raise
            except ExecutionError as error:
                return self._close(error)
            return self._close()

    def _evaluate(self, executor: Executor, config: RunConfig) -> None:
        if self._todo:
            self.show(executor.execute(self._plan(config), self._todo, self))

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
            workers=self._workers,
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


def _store_dataset(store: Store, config: RunConfig) -> tuple[DatasetFingerprint, str]:
    if config.dataset is None:
        raise ConfigError(
            "no dataset: set `dataset` in the config, or pass --dataset FILE"
        )
    reader = DatasetReader(config.dataset, batch_rows=CASES_PER_FILE)
    store.put_dataset(reader, lambda: reader.fingerprint.content_hash)
    return reader.fingerprint, config.dataset


def _executor(config: RunConfig, user_metrics: Sequence[UserMetric]) -> Executor:
    wanted, address = config.run.workers, config.run.address
    if wanted == 0 and address:
        raise ConfigError(
            f"run.workers 0 runs in this process and cannot join {address!r}; "
            "drop run.address, or give a number of workers"
        )
    if address is None and wanted in (0, "auto"):
        return LocalExecutor(config.adapter, user_metrics, config.run.concurrency)
    from ragproof_ray.engine.cluster import ClusterExecutor

    return ClusterExecutor(
        config.adapter,
        workers=None if wanted == "auto" else wanted,
        address=address,
        concurrency=config.run.concurrency,
        shard_size=config.run.shard_size,
        case_attempts=config.run.case_attempts,
    )


def _new_manifest(
    config: RunConfig,
    options: Options,
    dataset: DatasetFingerprint,
    path: str,
    names: list[str],
    user_metrics: Sequence[UserMetric],
) -> Manifest:
    return Manifest(
        run_id=str(uuid.uuid4()),
        project=config.project,
        label=options.label,
        started_at=datetime.now(UTC),
        dataset=DatasetRecord(
            path=path,
            dataset_hash=dataset.dataset_hash,
            case_set_hash=dataset.case_set_hash,
            content_hash=dataset.content_hash,
            cases=dataset.cases,
            kinds=dict(dataset.kinds),
        ),
        total_cases=min(dataset.cases, options.limit or dataset.cases),
        metrics=names,
        user_metrics={
            metric.name: _source_hash(metric.function) for metric in user_metrics
        },
        k=config.run.k,
        source_match=config.run.source_match,
        adapter=config.adapter.target or config.adapter.type,
        judge_model=None,
        prompt_versions={},
        config=config.model_dump(mode="json"),
        config_hash=config_hash(config),
        versions={
            "ragproof-ray": __version__,
            "python": platform.python_version(),
            "polars": pl.__version__,
            "pyarrow": pa.__version__,
        },
    )


def _source_hash(function: Callable[..., object]) -> str | None:
    """Return the SHA-256 of a function's source, None where there is none to read."""
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        return None
    return hashlib.sha256(source.encode()).hexdigest()


def _resumable(
    store: Store,
    config: RunConfig,
    options: Options,
    dataset: DatasetFingerprint,
    names: list[str],
) -> Manifest:
    """Return the manifest of the run to continue.

    Raises:
        ConfigError: another driver is at it, or something that results depend on has
            changed; names each change.
    """
    run_id = runs.resolve(store, options.resume or "")
    manifest = store.read_manifest(run_id)
    if options.limit is not None:
        raise ConfigError(
            "--limit is fixed when a run begins; drop it, or start a new run"
        )
    now = datetime.now(UTC)
    other = runs.open_launch(store, run_id, now)
    if other is not None and not options.force:
        age = (now - other.beat_at).total_seconds()
        raise ConfigError(
            f"run {run_id} is being worked on by process {other.pid} on {other.host} "
            f"(last sign of life {age:.0f} s ago); wait for it to end, or pass --force "
            "if it is gone"
        )
    wanted = {
        "dataset": (manifest.dataset.dataset_hash[:12], dataset.dataset_hash[:12]),
        "run.k": (manifest.k, config.run.k),
        "run.source_match": (manifest.source_match, config.run.source_match),
        "metrics": (manifest.metrics, names),
    }
    changes = [
        f"{name} was {before!r} and is {after!r}"
        for name, (before, after) in wanted.items()
        if before != after
    ]
    if changes:
        raise ConfigError(
            f"run {run_id} cannot be continued: {'; '.join(changes)}; "
            "put it back, or start a new run"
        )
    return manifest


def _unfinished(store: Store, manifest: Manifest, keep_failures: bool) -> Ranges:
    """Return the cases without an accepted row, and unless kept the failed ones."""
    accepted = store.accepted(manifest.run_id)
    everything: Ranges = (range(manifest.total_cases),)
    if not accepted.ordinals:
        return everything
    rows = store.scan_results(manifest.run_id, accepted).select("ordinal", "rank")
    done = rows if keep_failures else rows.filter(pl.col("rank") >= RANK_OK)
    return ordinals.difference(everything, done.collect()["ordinal"])
