"""The table of the thirteen metrics, and the scoring of a frame of finished cases."""

from collections import Counter
from collections.abc import Sequence

import polars as pl

from ragproof_ray.errors import ConfigError
from ragproof_ray.metrics.echo import ECHO
from ragproof_ray.metrics.facts import with_facts
from ragproof_ray.metrics.generation import GENERATION, citation_columns
from ragproof_ray.metrics.metric import Metric, Requirement, ScoringParams
from ragproof_ray.metrics.retrieval import RETRIEVAL, rank_columns
from ragproof_ray.metrics.robustness import ROBUSTNESS, robustness_columns
from ragproof_ray.metrics.user import UserMetric, user_columns
from ragproof_ray.schema import CaseStatus, MetricStatus

__all__ = [
    "METRICS",
    "Metric",
    "Requirement",
    "ScoringParams",
    "metric_names",
    "score",
]

METRICS: tuple[Metric, ...] = (*ECHO, *GENERATION, *RETRIEVAL, *ROBUSTNESS)

CASE_FAILED = "case failed"


def metric_names(user_metrics: Sequence[UserMetric] = ()) -> list[str]:
    """Name the metrics of a run: the thirteen in alphabetical order, then the user's.

    Raises ConfigError when two metrics have one name.
    """
    names = [
        *(metric.name for metric in METRICS),
        *(metric.name for metric in user_metrics),
    ]
    doubled = sorted(name for name, count in Counter(names).items() if count > 1)
    if doubled:
        raise ConfigError(
            f"metrics: the name {', '.join(map(repr, doubled))} is taken twice; "
            "list each metric once, and name yours unlike the built-in ones"
        )
    return names


def score(
    frame: pl.DataFrame, params: ScoringParams, user_metrics: Sequence[UserMetric] = ()
) -> pl.DataFrame:
    """Score finished cases.

    Args:
        frame: CASE_SCHEMA joined with RESPONSE_SCHEMA, one row per finished case.
        params: the settings that change scores.
        user_metrics: scored after the built-in ones.

    Returns:
        A frame of the same height and order with `<metric>.value` (Float64),
        `<metric>.status` (a MetricStatus) and `<metric>.reason` for every metric, and
        the details that a metric declares. A value is null unless its status is
        scored; a reason is null if it is. No row depends on the rows beside it.
    """
    facts = with_facts(frame, params)
    prepared = pl.concat(
        [
            facts,
            rank_columns(facts, params),
            citation_columns(facts),
            robustness_columns(facts),
        ],
        how="horizontal",
    )
    reasons = prepared.with_columns(_reason(metric) for metric in METRICS)
    built_in = reasons.select(
        column for metric in METRICS for column in _columns(metric, params)
    )
    return pl.concat(
        [built_in, *(user_columns(frame, metric) for metric in user_metrics)],
        how="horizontal",
    )


def _has_failed() -> pl.Expr:
    return pl.col("status") != CaseStatus.OK.value


def _reason(metric: Metric) -> pl.Expr:
    """Give the reason of the first test that a row fails, null where it passes all."""
    tests = [(_has_failed(), CASE_FAILED)] + [
        (~pl.col(requirement.fact), requirement.reason)
        for requirement in metric.requires
    ]
    reasons = [pl.when(failed).then(pl.lit(reason)) for failed, reason in tests]
    return pl.coalesce(reasons).alias(f"{metric.name}.reason")


def _columns(metric: Metric, params: ScoringParams) -> list[pl.Expr]:
    reason = pl.col(f"{metric.name}.reason")
    status = (
        pl.when(reason.is_null())
        .then(pl.lit(MetricStatus.SCORED.value))
        .when(_has_failed())
        .then(pl.lit(MetricStatus.ERROR.value))
        .otherwise(pl.lit(MetricStatus.SKIPPED.value))
    )
    value = pl.lit(None) if metric.value is None else metric.value(params)
    scored = pl.when(reason.is_null())
    return [
        # No score is negative: this turns -0.0 into 0.0. Polars skips adding zero.
        scored.then(value.cast(pl.Float64)).abs().alias(f"{metric.name}.value"),
        status.alias(f"{metric.name}.status"),
        reason,
        *(
            scored.then(pl.col(detail)).alias(f"{metric.name}.{detail}")
            for detail in metric.details
        ),
    ]
