"""The manifest of a new run, and what may not change when an old one goes on."""

import hashlib
import inspect
import json
import platform
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import polars as pl
import pyarrow as pa

from ragproof_ray import __version__
from ragproof_ray.config import RunConfig, config_hash
from ragproof_ray.dataset import DatasetFingerprint
from ragproof_ray.engine.records import DatasetRecord, Manifest
from ragproof_ray.metrics import UserMetric, metric_names
from ragproof_ray.redaction import redact


def new_manifest(
    config: RunConfig,
    dataset: DatasetFingerprint,
    user_metrics: Sequence[UserMetric],
    *,
    label: str | None,
    limit: int | None,
    now: datetime,
) -> Manifest:
    """Return the manifest of a run that begins now.

    Raises:
        ConfigError: two metrics have one name.
    """
    return Manifest(
        run_id=str(uuid.uuid4()),
        project=config.project,
        label=label,
        started_at=now,
        dataset=DatasetRecord(
            path=config.dataset or "",
            dataset_hash=dataset.dataset_hash,
            case_set_hash=dataset.case_set_hash,
            content_hash=dataset.content_hash,
            cases=dataset.cases,
            kinds=dict(dataset.kinds),
        ),
        total_cases=min(dataset.cases, limit or dataset.cases),
        metrics=metric_names(user_metrics),
        user_metrics=_source_hashes(user_metrics),
        k=config.run.k,
        source_match=config.run.source_match,
        adapter=config.adapter.target or config.adapter.type,
        judge_model=None,
        prompt_versions={},
        config=_without_secrets(config),
        config_hash=config_hash(config),
        versions={
            "ragproof-ray": __version__,
            "python": platform.python_version(),
            "polars": pl.__version__,
            "pyarrow": pa.__version__,
        },
    )


def changes(
    manifest: Manifest,
    config: RunConfig,
    dataset: DatasetFingerprint,
    user_metrics: Sequence[UserMetric],
) -> Iterator[str]:
    """Yield what results depend on and differs now from when the run began."""
    compared = {
        "dataset": (manifest.dataset.dataset_hash[:12], dataset.dataset_hash[:12]),
        "run.k": (manifest.k, config.run.k),
        "run.source_match": (manifest.source_match, config.run.source_match),
        "metrics": (manifest.metrics, metric_names(user_metrics)),
    }
    for name, (before, after) in compared.items():
        if before != after:
            yield f"{name} was {before!r} and is {after!r}"
    sources = _source_hashes(user_metrics)
    for name in sorted(sources.keys() & manifest.user_metrics.keys()):
        if sources[name] != manifest.user_metrics[name]:
            yield f"the source of metric {name!r} has changed"


def _without_secrets(config: RunConfig) -> Mapping[str, Any]:
    document: dict[str, Any] = json.loads(redact(config.model_dump_json()))
    return document


def _source_hashes(user_metrics: Sequence[UserMetric]) -> dict[str, str | None]:
    return {metric.name: _source_hash(metric.function) for metric in user_metrics}


def _source_hash(function: Callable[..., object]) -> str | None:
    """Return the SHA-256 of a function's source, None where there is none to read."""
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        return None
    return hashlib.sha256(source.encode()).hexdigest()
