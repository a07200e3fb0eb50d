"""The cases of a shard, handed out one by one and found again when they are scored."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl


class Ask(NamedTuple):
    """What an adapter needs to know of a case."""

    ordinal: int
    case_id: str
    question: str


class CaseFeed:
    """Iterates over the cases of a shard, read one batch at a time.

    A batch stays in memory until each of its cases was looked up again.

    Args:
        batches: frames of `CASE_SCHEMA`.
    """

    def __init__(self, batches: Iterator[pl.DataFrame]) -> None:
        self._live: list[pl.DataFrame] = []
        self._left: list[int] = []
        self._asks = self._read(batches)

    def __iter__(self) -> Iterator[Ask]:
        return self._asks

    def _read(self, batches: Iterator[pl.DataFrame]) -> Iterator[Ask]:
        for batch in batches:
            self._live.append(batch)
            self._left.append(batch.height)
            columns = batch["ordinal"], batch["case_id"], batch["question"]
            yield from map(Ask._make, zip(*columns, strict=True))

    def look_up(self, ordinals: pl.Series) -> pl.DataFrame:
        """Return the given cases in the given order, each asked for once."""
        wanted = ordinals.to_frame("ordinal")
        found = [batch.join(wanted, on="ordinal", how="semi") for batch in self._live]
        self._left = [
            left - part.height for left, part in zip(self._left, found, strict=True)
        ]
        live = zip(self._live, self._left, strict=True)
        self._live = [batch for batch, left in live if left]
        self._left = [left for left in self._left if left]
        return wanted.join(
            pl.concat(found), on="ordinal", how="left", maintain_order="left"
        )
