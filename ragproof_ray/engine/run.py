"""The use case: evaluate a dataset through a pipeline, or continue a run that began.

Resolves the configuration to things, opens the run (manifest first), hands the cases
to an executor, and closes the launch with its summary.
"""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

import polars as pl

from ragproof_ray.config import RunConfig, store_folder
from ragproof_ray.dataset import DatasetFingerprint, DatasetReader
from ragproof_ray.engine import ordinals, runs
from ragproof_ray.engine.check import check_environment
from ragproof_ray.engine.executors import choose_executor
from ragproof_ray.engine.files import store_errors
from ragproof_ray.engine.launch import Launch, OnProgress, RunOutcome
from ragproof_ray.engine.manifest import changes, new_manifest
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.parts import RANK_OK
from ragproof_ray.engine.records import Manifest
from ragproof_ray.engine.stop import StopSignals
from ragproof_ray.engine.store import CASES_PER_FILE, Store
from ragproof_ray.errors import ConfigError
from ragproof_ray.metrics import UserMetric, load_user_metric, metric_names

# A faulty dataset of ordinary size is refused before anything else is started.
_HEAD_START_S = 0.5


@dataclass(frozen=True, slots=True)
class Options:
    """What a single start of the driver may ask for beside the configuration.

    Attributes:
        label: free text shown with the run.
        limit: evaluate only the first cases of the dataset.
        resume: id, unique prefix or `latest` of the run to continue.
        keep_failures: when resuming, keep failed cases as they are.
        force: when resuming, do so although another driver seems to be at it.
        ray_log: where to keep what a local Ray has logged; None keeps nothing.
    """

    label: str | None = None
    limit: int | None = None
    resume: str | None = None
    keep_failures: bool = False
    force: bool = False
    ray_log: Path | None = None


def run(
    config: RunConfig,
    options: Options = Options(),
    on_progress: OnProgress | None = None,
) -> RunOutcome:
    """Evaluate the configured dataset, or what is left of it.

    Args:
        config: a validated configuration.
        options: of this start.
        on_progress: see `Launch`.

    Raises:
        ConfigError: the input is at fault; nothing ran.
        ExecutionError: Ray cannot be reached, or the store is at fault. Any other
            fault is part of the outcome.
    """
    check_environment()
    # Before any code of the user's, which may change the working directory.
    store = Store(store_folder(config))
    with StopSignals() as signals, _reading(store, config) as reading:
        user_metrics = tuple(map(load_user_metric, config.metrics))
        metric_names(user_metrics)  # refuses two of one name
        with choose_executor(config, user_metrics, options.ray_log) as executor:
            dataset = reading.result()
            begin = _begin if options.resume is None else _resume
            manifest, todo = begin(store, config, options, dataset, user_metrics)
            launch = Launch(store, manifest, executor, todo, signals, on_progress)
            return launch.run(config)


@contextmanager
def _reading(store: Store, config: RunConfig) -> Iterator[Future[DatasetFingerprint]]:
    """Store the dataset in a thread, beside the start of the executor.

    Raises:
        ConfigError: there is no dataset, or one that is read quickly has a fault. A
            later fault is the future's.
    """
    if config.dataset is None:
        raise ConfigError(
            "no dataset: set `dataset` in the config, or pass --dataset FILE"
        )
    reader = DatasetReader(config.dataset, batch_rows=CASES_PER_FILE)
    abandoned = threading.Event()
    batches = takewhile(lambda _: not abandoned.is_set(), reader)

    def read() -> DatasetFingerprint:
        store.put_dataset(batches, lambda: reader.fingerprint.content_hash)
        return reader.fingerprint

    with ThreadPoolExecutor(1, "ragproof-dataset") as thread:
        reading = thread.submit(read)
        try:
            if wait([reading], _HEAD_START_S).done:
                reading.result()
            yield reading
        finally:
            abandoned.set()


def _begin(
    store: Store,
    config: RunConfig,
    options: Options,
    dataset: DatasetFingerprint,
    user_metrics: Sequence[UserMetric],
) -> tuple[Manifest, Ranges]:
    """Create a run; return its manifest and all its cases."""
    manifest = new_manifest(
        config,
        dataset,
        user_metrics,
        label=options.label,
        limit=options.limit,
        now=datetime.now(UTC),
    )
    store.create_run(manifest)
    return manifest, (range(manifest.total_cases),)


def _resume(
    store: Store,
    config: RunConfig,
    options: Options,
    dataset: DatasetFingerprint,
    user_metrics: Sequence[UserMetric],
) -> tuple[Manifest, Ranges]:
    """Return the manifest of the run to continue, and what is left of its cases.

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
    if found := list(changes(manifest, config, dataset, user_metrics)):
        raise ConfigError(
            f"run {run_id} cannot be continued: {'; '.join(found)}; "
            "put it back, or start a new run"
        )
    return manifest, _unfinished(store, manifest, options.keep_failures)


def _unfinished(store: Store, manifest: Manifest, keep_failures: bool) -> Ranges:
    """Return the cases without an accepted row, and unless kept the failed ones."""
    accepted = store.accepted(manifest.run_id)
    everything: Ranges = (range(manifest.total_cases),)
    if not accepted.ordinals:
        return everything
    rows = store.scan_results(manifest.run_id, accepted).select("ordinal", "rank")
    done = rows if keep_failures else rows.filter(pl.col("rank") >= RANK_OK)
    with store_errors(f"run {manifest.run_id}"):
        return ordinals.difference(everything, done.collect()["ordinal"])
