"""What is wrong with a dataset, gathered so that one look mends a whole file.

Knows nothing of cases or formats.
"""

import reprlib
from collections.abc import Sequence
from pathlib import Path

from ragproof_ray.errors import DatasetError

FAULT_LIMIT = 20


class InvalidRecordError(ValueError):
    """One record of a dataset cannot be used; each argument is one fault."""


class FaultList:
    """The first `FAULT_LIMIT` faults of one file, in the order of its records.

    Args:
        path: the file, as the user wrote it.
        noun: what the file counts: `line`, `row` or `case`, from 1.
    """

    def __init__(self, path: str, noun: str) -> None:
        self._path = path
        self._noun = noun
        self._faults: list[tuple[int, str]] = []

    def __len__(self) -> int:
        return len(self._faults)

    @property
    def is_full(self) -> bool:
        """Whether checking further would find faults that are not shown."""
        return len(self._faults) >= FAULT_LIMIT

    def add(self, number: int, *messages: str) -> None:
        """Note what is wrong with the record of that number."""
        room = FAULT_LIMIT - len(self._faults)
        self._faults += [(number, message) for message in messages[:room]]

    def raise_if_any(self) -> None:
        """Raise `DatasetError` with one text line for each fault."""
        if not self._faults:
            return
        by_number = sorted(self._faults, key=lambda fault: fault[0])
        report = [f"{self._place(number)}: {text}" for number, text in by_number]
        if self.is_full:
            report.append(
                f"checking stopped after {FAULT_LIMIT} faults; "
                f"further {self._noun}s were not checked"
            )
        raise DatasetError("\n".join(report))

    def _place(self, number: int) -> str:
        if self._noun == "line":
            return f"{self._path}:{number}"
        return f"{self._path}: {self._noun} {number}"


def raise_file_faults(path: Path, messages: Sequence[str]) -> None:
    """Raise `DatasetError` with the first faults of a file as a whole, if any."""
    if not messages:
        return
    report = [f"{path}: {message}" for message in messages[:FAULT_LIMIT]]
    if len(messages) > FAULT_LIMIT:
        report.append(f"and {len(messages) - FAULT_LIMIT} more")
    raise DatasetError("\n".join(report))


def shown(value: object) -> str:
    """The value's repr, cut so that a hostile value cannot flood a terminal."""
    return reprlib.repr(value)
