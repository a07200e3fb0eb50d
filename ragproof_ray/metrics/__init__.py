"""The metrics: what each one asks of a case, and how its value is computed.

Importing this package loads no Polars, because the payload library and `Skip` are
wanted where start-up time counts; the table and `score` are loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ragproof_ray.metrics.user import (
    Case,
    Chunk,
    Response,
    Skip,
    UserMetric,
    load_user_metric,
)

if TYPE_CHECKING:
    from ragproof_ray.metrics.metric import Metric, Requirement, ScoringParams
    from ragproof_ray.metrics.scoring import METRICS, metric_names, score

__all__ = [
    "METRICS",
    "Case",
    "Chunk",
    "Metric",
    "Requirement",
    "Response",
    "ScoringParams",
    "Skip",
    "UserMetric",
    "load_user_metric",
    "metric_names",
    "score",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.scoring"), name)
