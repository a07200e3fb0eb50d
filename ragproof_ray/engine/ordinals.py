"""Sets of case ordinals as sorted, disjoint ranges: small to send, cheap to split."""

from collections.abc import Iterable, Iterator, Sequence

import polars as pl

Ranges = tuple[range, ...]

# A range pickles to about 20 bytes; this keeps a shard's argument far below 64 KiB
# even when every second case of a run is left to do.
MAX_RANGES = 1024


def count(ranges: Iterable[range]) -> int:
    """Return how many ordinals the ranges hold."""
    return sum(map(len, ranges))


def from_series(ordinals: pl.Series) -> Ranges:
    """Return the ranges that hold exactly the distinct ordinals of a column."""
    values = ordinals.cast(pl.Int64).unique().sort().alias("ordinal")
    runs = (
        pl.DataFrame({"ordinal": values})
        .with_columns(run=pl.col("ordinal") - pl.int_range(pl.len()))
        .group_by("run", maintain_order=True)
        .agg(first=pl.col("ordinal").first(), last=pl.col("ordinal").last())
    )
    return tuple(
        range(first, last + 1)
        for first, last in zip(runs["first"], runs["last"], strict=True)
    )


def to_series(ranges: Iterable[range]) -> pl.Series:
    """Return the ordinals of the ranges as one UInt32 column, in order."""
    columns = [
        pl.int_range(r.start, r.stop, dtype=pl.UInt32, eager=True) for r in ranges
    ]
    empty = pl.Series(dtype=pl.UInt32)
    return (pl.concat(columns) if columns else empty).alias("ordinal")


def difference(ranges: Iterable[range], done: pl.Series) -> Ranges:
    """Return the ordinals of the ranges that are not in `done`."""
    left = to_series(ranges).to_frame()
    finished = done.cast(pl.UInt32).to_frame("ordinal")
    return from_series(left.join(finished, on="ordinal", how="anti")["ordinal"])


def take(ranges: Sequence[range], size: int) -> tuple[Ranges, Ranges]:
    """Split off the first `size` ordinals, or fewer if they lie in too many ranges.

    Returns:
        The ordinals taken (at most `MAX_RANGES` ranges), and the rest.
    """
    taken: list[range] = []
    for index, current in enumerate(ranges):
        if size == 0 or len(taken) == MAX_RANGES:
            return tuple(taken), tuple(ranges[index:])
        taken.append(current[:size])
        if len(current) > size:
            return tuple(taken), (current[size:], *ranges[index + 1 :])
        size -= len(current)
    return tuple(taken), ()


def by_file(ranges: Iterable[range], rows: int) -> Iterator[tuple[int, list[range]]]:
    """Yield per file of `rows` cases, in order: its number and the ranges inside it."""
    number, inside = -1, list[range]()
    for current in ranges:
        for index in range(current.start // rows, (current.stop - 1) // rows + 1):
            if index != number and inside:
                yield number, inside
                inside = []
            number = index
            start = max(current.start, index * rows)
            inside.append(range(start, min(current.stop, (index + 1) * rows)))
    if inside:
        yield number, inside
