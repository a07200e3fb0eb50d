"""Tries everything a run needs, without running it."""

import os
import warnings
from collections.abc import Iterator

from ragproof_ray.config import RunConfig, read_environment, store_folder
from ragproof_ray.dataset import DatasetReader
from ragproof_ray.engine.local import LocalExecutor
from ragproof_ray.engine.store import Store
from ragproof_ray.metrics import load_user_metric, metric_names

PROBE_S = 30.0
_QUESTION = "What is this about?"


def check_environment() -> None:
    """Read the RAGPROOF_* variables, and warn of a judge that would not be asked.

    Raises:
        ConfigError: names every variable with a bad value.
    """
    model = read_environment(os.environ).judge_model
    if model is not None:
        warnings.warn(
            f"RAGPROOF_JUDGE_MODEL is {model!r}, but this version has no judge yet; the "
            "judge metrics are skipped",
            stacklevel=3,
        )


def check(config: RunConfig) -> Iterator[str]:
    """Yield a finding for each thing that works, in the order in which a run needs it.

    Raises:
        ConfigError: the next thing is the user's to mend.
        ExecutionError: the store cannot be written, or the pipeline's reply failed or
            took longer than 30 s.
    """
    check_environment()
    yield f"config: project {config.project!r}"
    user_metrics = tuple(map(load_user_metric, config.metrics))
    yield f"metrics: {len(metric_names(user_metrics))}"
    question = _QUESTION
    if config.dataset is not None:
        reader = DatasetReader(config.dataset)
        for number, batch in enumerate(reader):
            question = batch["question"][0] if number == 0 else question
        yield f"dataset: {reader.fingerprint.cases:,} cases in {config.dataset}"
    store = Store(store_folder(config))
    store.try_writing()
    yield f"store: {store.location} can be written"
    with LocalExecutor(config.adapter, user_metrics, concurrency=1) as executor:
        yield f"adapter: {executor.probe(question, 1, PROBE_S)}"
