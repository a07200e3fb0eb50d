"""A debugging metric: does the answer repeat the expected one?"""

import polars as pl

from ragproof_ray.metrics.facts import (
    HAS_ANSWER_TEXT,
    HAS_EXPECTED_ANSWER,
    WHITESPACE,
)
from ragproof_ray.metrics.metric import Metric, ScoringParams


def _exact_match(_: ScoringParams) -> pl.Expr:
    """1 when both texts are equal without surrounding whitespace, else 0."""
    answer = pl.col("answer_text").str.strip_chars(WHITESPACE)
    expected = pl.col("expected_answer").str.strip_chars(WHITESPACE)
    return (answer == expected).cast(pl.Float64)


ECHO = (
    Metric(
        "echo.exact_match",
        (HAS_EXPECTED_ANSWER, HAS_ANSWER_TEXT),
        _exact_match,
        binary=True,
    ),
)
