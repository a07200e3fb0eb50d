"""Ranking metrics over the retrieved list, with binary relevance.

Sources: Manning, Raghavan and Schütze, *Introduction to Information Retrieval*, ch. 8;
Järvelin and Kekäläinen 2002 (nDCG, in the form with log2(rank + 1)).
"""

from itertools import accumulate
from math import log2

import polars as pl

from ragproof_ray.metrics.facts import EXPOSES_RETRIEVAL, HAS_SOURCES
from ragproof_ray.metrics.matching import match_positions
from ragproof_ray.metrics.metric import Metric, ScoringParams


def rank_columns(frame: pl.DataFrame, params: ScoringParams) -> pl.DataFrame:
    """Compute what the four metrics are made of, one row per row of `frame`.

    Returns:
        `sources`: number of distinct expected ids; `first_hit`: position from 1 of the
        first of them in the whole list, null when none is there; `hits`: how many of
        them are among the first k; `dcg` and `ideal_dcg` at k.
    """
    by_document = params.source_match == "document"
    ranked = "retrieved_document_ids" if by_document else "retrieved_ids"
    positions = pl.col("positions")
    found = match_positions(frame, pl.col(ranked), pl.col("expected_source_ids"))
    ranks = found.select(
        sources=frame["expected_source_ids"].list.n_unique().fill_null(0),
        first_hit=positions.list.first(),
        top=positions.list.filter(pl.element() <= params.k),
    )
    return ranks.select(
        "sources",
        "first_hit",
        hits=pl.col("top").list.len(),
        dcg=_dcg(ranks["top"]),
        ideal_dcg=_ideal_dcg(ranks["sources"].clip(upper_bound=params.k)),
    )


def _discounts(count: int) -> list[float]:
    return [1 / log2(position + 1) for position in range(1, count + 1)]


def _dcg(top: pl.Series) -> pl.Series:
    """Sum the discounts of each list of positions, from the first to the last.

    Looked up, since Polars' own logarithm differs from `math.log2` in the last bit;
    summed per list, so that a score does not depend on the rows beside it.
    """
    deepest = top.list.last().max()
    discounts = pl.Series(_discounts(deepest if isinstance(deepest, int) else 1))
    discount = pl.element().replace_strict(
        pl.int_range(1, len(discounts) + 1, dtype=pl.Int64, eager=True), discounts
    )
    return top.list.eval(discount).list.sum()


def _ideal_dcg(hits: pl.Series) -> pl.Series:
    most = hits.max()
    sums = [0.0, *accumulate(_discounts(most if isinstance(most, int) else 0))]
    return pl.Series(sums).gather(hits)


def _precision_at_k(params: ScoringParams) -> pl.Expr:
    """Hits / k, in [0, 1]; a shorter list is not excused, an empty one scores 0."""
    # Polars divides by a number as it multiplies by its inverse: 3 / 5 is not 3 * 0.2.
    k = pl.col("hits").clip(params.k, params.k)
    return pl.col("hits") / k


def _recall_at_k(_: ScoringParams) -> pl.Expr:
    """Hits / expected ids, in [0, 1]; an empty list scores 0."""
    return pl.col("hits") / pl.col("sources")


def _mrr(_: ScoringParams) -> pl.Expr:
    """1 / position of the first hit in the whole list, in [0, 1]; 0 without a hit."""
    return (1 / pl.col("first_hit")).fill_null(0.0)


def _ndcg_at_k(_: ScoringParams) -> pl.Expr:
    """Gain over the gain of an ideal list of all expected ids, cut at k; in [0, 1]."""
    return pl.col("dcg") / pl.col("ideal_dcg")


_REQUIRES = (EXPOSES_RETRIEVAL, HAS_SOURCES)

RETRIEVAL = (
    Metric("retrieval.mrr", _REQUIRES, _mrr),
    Metric("retrieval.ndcg_at_k", _REQUIRES, _ndcg_at_k),
    Metric("retrieval.precision_at_k", _REQUIRES, _precision_at_k),
    Metric("retrieval.recall_at_k", _REQUIRES, _recall_at_k),
)
