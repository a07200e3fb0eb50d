"""Which ids of one list column are in another, row by row."""

import polars as pl


def match_positions(
    frame: pl.DataFrame, ranked: pl.Expr, relevant: pl.Expr
) -> pl.DataFrame:
    """Find the ranked ids that are relevant to their row.

    Both expressions give a list of ids per row; duplicates count once, at their first
    position. A null list matches nothing.

    Returns:
        As many rows as `frame`: `positions`, the ascending positions (from 1, in the
        deduplicated ranked list) of the relevant ids, [] where there are none.
    """
    rows = frame.select(
        row=pl.int_range(pl.len(), dtype=pl.UInt32),
        ranked=ranked.list.unique(maintain_order=True),
        relevant=relevant,
    )
    # The join is on the strings themselves: a hash of row and id is a little faster
    # but two different pairs could share one, and give a wrong score.
    hits = (
        rows.filter(pl.col("ranked").list.len() > 0)
        .select(
            "row",
            "ranked",
            positions=pl.int_ranges(1, pl.col("ranked").list.len() + 1),
        )
        .explode("ranked", "positions")
        .join(
            rows.select("row", ranked="relevant").explode("ranked"),
            on=["row", "ranked"],
            how="semi",
            maintain_order="left",
        )
        .group_by("row")
        .agg("positions")
    )
    return (
        rows.select("row")
        .join(hits, on="row", how="left", maintain_order="left")
        .select(pl.col("positions").fill_null([]))
    )
