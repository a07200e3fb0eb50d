"""What a metric is: its name, what it asks of a case, and its value as a column."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from ragproof_ray.metrics.user import Direction


@dataclass(frozen=True, slots=True)
class ScoringParams:
    """The settings of a run that change scores.

    `k` is the cut of the ranked list, at least 1. `judge` says whether a judge is
    configured, so that the judge-backed metrics have verdicts to score.
    """

    k: int
    source_match: Literal["chunk", "document"]
    judge: bool = False


@dataclass(frozen=True, slots=True)
class Requirement:
    """A boolean column of `facts`, and the reason of a skip where it is false."""

    fact: str
    reason: str


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric.

    Args:
        name: its identity everywhere: column, summary row, config key, report line.
        requires: tested in order; the first that does not hold is the skip reason.
        value: builds the score from the prepared columns; None when only verdicts
            of the judge can give one.
        direction: which way is better.
        binary: whether every score is 0 or 1.
        prompts: the judge prompts whose verdicts it needs, or prefers when a judge
            is configured.
        details: prepared columns that are kept beside the score of a scored case,
            as `<name>.<detail>`.
    """

    name: str
    requires: tuple[Requirement, ...]
    value: Callable[[ScoringParams], pl.Expr] | None
    direction: Direction = "higher"
    binary: bool = False
    prompts: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
