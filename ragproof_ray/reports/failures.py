"""The failed cases of a run in a few lines: what went wrong, where, how often."""

import polars as pl

from ragproof_ray.engine.files import store_errors
from ragproof_ray.reports.layout import one_line

_LONGEST = 160  # characters of an error


def failure_lines(results: pl.LazyFrame, most: int = 3) -> list[str]:
    """Return one line per kind of failure, the most frequent first.

    A kind is an exception's type and the call it came from; equals are ordered by
    their first case, which stands for all. No line when no case failed.

    Args:
        results: one row per finished case, or a frame without columns.
        most: kinds that are told apart.

    Raises:
        StoreError: the results cannot be read.
    """
    with store_errors("results"):
        if not results.collect_schema().names():
            return []
        kinds = _kinds(results)
    lines = [_line(*row) for row in kinds.head(most).iter_rows()]
    if kinds.height > most:
        lines.append(f"and {kinds.height - most:,} other kinds of failure")
    return lines


def _kinds(results: pl.LazyFrame) -> pl.DataFrame:
    return (
        results.filter(pl.col("error").is_not_null())
        .sort("ordinal")
        .group_by("error_type", "error_stage", maintain_order=True)
        .agg(pl.len(), pl.col("case_id", "error").first())
        .sort("len", descending=True, maintain_order=True)
        .select("len", "error_stage", "case_id", "error")
        .collect()
    )


def _line(cases: int, stage: str, first: str, error: str) -> str:
    text = error if len(error) <= _LONGEST else error[:_LONGEST] + "..."
    return one_line(f"{cases:,} in {stage}, first in case {first!r}: {text}")
