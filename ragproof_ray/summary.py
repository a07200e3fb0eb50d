"""The reduction: per-case results in, one row per metric out."""

import math
from collections.abc import Sequence

import polars as pl

from ragproof_ray.schema import MetricStatus

SUMMARY_SCHEMA = pl.Schema(
    {
        "metric": pl.String(),
        "mean": pl.Float64(),  # of the scored cases; null when there are none
        "p50": pl.Float64(),
        "p95": pl.Float64(),
        "scored": pl.Int64(),
        "skipped": pl.Int64(),
        "not_applicable": pl.Int64(),
        "errors": pl.Int64(),  # failed cases, judge errors and metric errors
        "unfinished": pl.Int64(),
        "reason": pl.String(),  # the most common one for not scoring a case
    }
)

# Up to so many cases one scan for all metrics is quicker than two for each.
_AT_ONCE = 10_000

_ERRORS = (MetricStatus.ERROR, MetricStatus.JUDGE_ERROR)
_SKIPS = (MetricStatus.SKIPPED, MetricStatus.NOT_APPLICABLE)


def summarise(
    results: pl.LazyFrame, metrics: Sequence[str], total: int
) -> pl.DataFrame:
    """Reduce results to one row of `SUMMARY_SCHEMA` per metric, in the given order.

    Args:
        results: one row per finished case, with `<metric>.value`, `.status` and
            `.reason` for every metric; or a frame without columns when no case is.
        metrics: names of the metrics.
        total: cases of the run, finished or not.

    The outcome does not depend on the order of the rows, to the last bit: values are
    summed in sorted order.
    """
    if not results.collect_schema().names():
        results = _no_results(metrics)
    if total <= _AT_ONCE:
        results = results.select(_columns(metrics)).collect().lazy()
    rows = [_summarise_one(results, name, total) for name in metrics]
    return pl.DataFrame(rows, schema=SUMMARY_SCHEMA, orient="row")


def _columns(metrics: Sequence[str]) -> list[str]:
    return [
        f"{name}.{part}" for name in metrics for part in ("value", "status", "reason")
    ]


def nearest_rank(ordered: pl.Series, fraction: float) -> float | None:
    """Return the value at position `max(1, ceil(fraction * n))` of a sorted column.

    This is the nearest-rank percentile; null for an empty column.
    """
    if ordered.is_empty():
        return None
    position = max(1, math.ceil(fraction * len(ordered)))
    return float(ordered[position - 1])


def mean(ordered: pl.Series) -> float | None:
    """Return the mean of a sorted column without nulls, None when it is empty."""
    value = ordered.rechunk().mean()
    return value if isinstance(value, float) else None


def _summarise_one(results: pl.LazyFrame, name: str, total: int) -> tuple[object, ...]:
    ordered = results.select(f"{name}.value").collect().to_series().drop_nulls().sort()
    outcomes = (
        results.group_by(status=f"{name}.status", reason=f"{name}.reason")
        .len("count")
        .collect()
    )
    counts = dict(_totals(outcomes, "status").iter_rows())
    return (
        name,
        mean(ordered),
        nearest_rank(ordered, 0.50),
        nearest_rank(ordered, 0.95),
        counts.get(MetricStatus.SCORED, 0),
        counts.get(MetricStatus.SKIPPED, 0),
        counts.get(MetricStatus.NOT_APPLICABLE, 0),
        sum(counts.get(status, 0) for status in _ERRORS),
        total - sum(counts.values()),
        _most_common_reason(outcomes, _SKIPS) or _most_common_reason(outcomes, _ERRORS),
    )


def _most_common_reason(
    outcomes: pl.DataFrame, statuses: Sequence[MetricStatus]
) -> str | None:
    """Return the reason given most often; of equals the first in the alphabet."""
    reasons = outcomes.filter(pl.col("status").is_in(list(statuses))).drop_nulls()
    counted = _totals(reasons, "reason")
    first = counted.sort("count", "reason", descending=[True, False]).head(1)
    return None if first.is_empty() else str(first["reason"][0])


def _totals(outcomes: pl.DataFrame, key: str) -> pl.DataFrame:
    return outcomes.group_by(key).agg(pl.col("count").sum())


def _no_results(metrics: Sequence[str]) -> pl.LazyFrame:
    parts = {"value": pl.Float64, "status": pl.String, "reason": pl.String}
    return pl.LazyFrame(
        schema={
            f"{name}.{part}": dtype for name in metrics for part, dtype in parts.items()
        }
    )
