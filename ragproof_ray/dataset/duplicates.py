"""Find ids used twice at 8 bytes a case: hash all, then look at the suspects."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import polars as pl


class Duplicate(NamedTuple):
    """An id and the numbers of two records that carry it."""

    case_id: str
    first: int
    again: int


class IdHashes:
    """The 64-bit hashes of all ids seen."""

    def __init__(self) -> None:
        self._hashes = [pl.Series(dtype=pl.UInt64)]

    def add(self, ids: pl.Series) -> None:
        """Take the ids of the next frame."""
        self._hashes.append(ids.hash())

    def suspects(self) -> pl.Series:
        """The hashes seen more than once; ids that differ may share one."""
        ordered = pl.concat(self._hashes).sort()
        return ordered.filter(ordered == ordered.shift()).unique()


def find_duplicates(
    batches: Iterable[tuple[pl.Series, Sequence[int]]], suspects: pl.Series
) -> Iterator[Duplicate]:
    """Compare, letter by letter, the ids whose hash is a suspect.

    Args:
        batches: per frame its ids and, aligned with them, their record numbers.
        suspects: as `IdHashes.suspects` gives them.
    """
    first_use: dict[str, int] = {}
    for ids, numbers in batches:
        for index in ids.hash().is_in(suspects.implode()).arg_true():
            case_id, number = ids[index], numbers[index]
            first = first_use.setdefault(case_id, number)
            if first != number:
                yield Duplicate(case_id, first, number)
