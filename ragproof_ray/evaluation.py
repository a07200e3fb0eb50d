"""The library: one call that evaluates, and what it returns."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from ragproof_ray.config import RunConfig, config_from_mapping, load_config
from ragproof_ray.engine.records import Status
from ragproof_ray.engine.run import run
from ragproof_ray.engine.store import Store


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A run as `evaluate` leaves it.

    Attributes:
        run_id: names the run in its store.
        status: `completed`, or `partial` after an interrupt.
        summary: one row per metric, see `ragproof_ray.summary.SUMMARY_SCHEMA`.
        store: where the run is kept.
    """

    run_id: str
    status: Status
    summary: pl.DataFrame
    store: Store

    def cases(self) -> pl.LazyFrame:
        """Return one row per finished case, in no particular order.

        The columns are described in `docs/store.md`; `ordinal` is the position in the
        dataset.
        """
        return self.store.scan_results(self.run_id)


def evaluate(
    config: RunConfig | Mapping[str, Any] | str | Path,
    workers: int | Literal["auto"] = 0,
) -> Evaluation:
    """Evaluate the configured dataset through the configured pipeline.

    Works inside a running event loop, and in any thread: the evaluation has a loop and
    a thread of its own, and returns when it is over. In the main thread, the first
    Ctrl-C ends it early, with what is finished.

    Args:
        config: a validated configuration, a mapping like one, or a YAML file's path.
        workers: 0 for this process, N for N Ray workers; stands over the config's.

    Raises:
        ConfigError: the input is at fault; nothing ran.
        ExecutionError: the run stopped; finished cases are kept.
    """
    outcome = run(_loaded(config, [f"run.workers={json.dumps(workers)}"]))
    if outcome.fault is not None:
        raise outcome.fault
    view = outcome.view
    return Evaluation(view.manifest.run_id, view.status, outcome.summary, outcome.store)


def _loaded(
    config: RunConfig | Mapping[str, Any] | str | Path, overrides: list[str]
) -> RunConfig:
    if isinstance(config, RunConfig):
        config = config.model_dump(exclude_unset=True)
    if isinstance(config, Mapping):
        return config_from_mapping(config, overrides)
    return load_config(Path(config), overrides)
