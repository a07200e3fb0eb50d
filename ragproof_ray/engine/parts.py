"""The parts protocol without any I/O: part names, and which row of a case wins.

Parts are immutable and never written twice, so the same case may have rows in
several of them. Of all rows of one case the greatest (rank, launch, attempt number,
attempt id, part number) counts, whole.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import polars as pl

RANK_FAILED = 0
RANK_JUDGE_ERROR = 1
RANK_OK = 2

_LAUNCH = re.compile(r"[0-9]{8}T[0-9]{12}[0-9a-f]{6}")
_NAME = re.compile(r"([0-9A-Za-z]+)-([0-9]+)-([0-9A-Za-z]+)-([0-9]+)\.parquet")


def is_launch(name: str) -> bool:
    """Tell whether a name is that of a launch: UTC to the microsecond, and a token."""
    return _LAUNCH.fullmatch(name) is not None


class PartName(NamedTuple):
    """Name of one part; tuples compare in the order in which rows win."""

    launch: str
    attempt_no: int
    attempt_id: str
    number: int

    def __str__(self) -> str:
        return (
            f"{self.launch}-{self.attempt_no:05d}-{self.attempt_id}"
            f"-{self.number:05d}.parquet"
        )

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """Return the name's fields, or None for a file that is no part."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        launch, attempt_no, attempt_id, number = match.groups()
        return cls(launch, int(attempt_no), attempt_id, int(number))


@dataclass(frozen=True, slots=True)
class Accepted:
    """The parts that count for a run.

    Attributes:
        parts: rows per part name.
        losers: per part name, the ordinals whose row loses to another part's.
        ordinals: number of distinct cases among all rows.
    """

    parts: Mapping[str, int] = field(default_factory=dict)
    losers: Mapping[str, list[int]] = field(default_factory=dict)
    ordinals: int = 0


def accept(rows: Mapping[str, int], index: pl.DataFrame) -> Accepted:
    """Decide the winning rows among valid parts.

    Args:
        rows: row count per part name.
        index: one row per stored row: `part` (String), `ordinal` (UInt32), `rank`
            (UInt8).
    """
    ordinals = index["ordinal"].n_unique()
    losers = {} if ordinals == index.height else _losing_rows(rows, index)
    return Accepted(dict(rows), losers, ordinals)


def _losing_rows(rows: Iterable[str], index: pl.DataFrame) -> dict[str, list[int]]:
    order = pl.DataFrame({"part": sorted(rows, key=_precedence)}).with_row_index("nth")
    ranked = index.join(order, on="part").sort("ordinal", "rank", "nth")
    losing = ranked.filter(pl.col("ordinal") == pl.col("ordinal").shift(-1))
    grouped = losing.group_by("part").agg("ordinal").sort("part")
    return dict(zip(grouped["part"], grouped["ordinal"].to_list(), strict=True))


def _precedence(name: str) -> PartName:
    parsed = PartName.parse(name)
    if parsed is None:
        msg = f"{name!r} is not the name of a part"
        raise ValueError(msg)
    return parsed
