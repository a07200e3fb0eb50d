"""Metrics of the answer against its context; all but one are judged."""

import polars as pl

from ragproof_ray.metrics.facts import (
    HAS_ANSWER,
    HAS_CITATIONS,
    HAS_CONTEXT,
    HAS_EXPECTED_ANSWER,
    HAS_JUDGE,
    KNOWS_CONTEXT,
)
from ragproof_ray.metrics.matching import match_positions
from ragproof_ray.metrics.metric import Metric, ScoringParams


def citation_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """Count the distinct cited ids: `cited`, and `valid`, those in the context.

    Chunk ids are compared whatever `source_match` says: a citation names a chunk.
    """
    found = match_positions(frame, pl.col("cited_ids"), pl.col("context"))
    return found.select(
        cited=frame["cited_ids"].list.n_unique(),
        valid=pl.col("positions").list.len(),
    )


def _citation_validity(_: ScoringParams) -> pl.Expr:
    """Valid / cited ids, in [0, 1]; 0 when the context is empty."""
    return pl.col("valid") / pl.col("cited")


GENERATION = (
    Metric(
        "generation.answer_relevance",
        (HAS_JUDGE, HAS_ANSWER),
        value=None,
        prompts=("answer_relevance",),
    ),
    Metric(
        "generation.citation_support",
        (HAS_JUDGE, HAS_ANSWER, HAS_CITATIONS, HAS_CONTEXT),
        value=None,
        prompts=("citation_support",),
    ),
    Metric(
        "generation.citation_validity",
        (HAS_ANSWER, HAS_CITATIONS, KNOWS_CONTEXT),
        _citation_validity,
    ),
    Metric(
        "generation.completeness",
        (HAS_JUDGE, HAS_ANSWER, HAS_EXPECTED_ANSWER),
        value=None,
        prompts=("completeness",),
    ),
    Metric(
        "generation.groundedness",
        (HAS_JUDGE, HAS_ANSWER, HAS_CONTEXT),
        value=None,
        prompts=("groundedness",),
    ),
)
