"""Finished cases as growing columns: no object lives per case."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl
import pyarrow as pa

from ragproof_ray.adapters import Answered, Retrieved
from ragproof_ray.schema import RESPONSE_SCHEMA, CaseStatus

FULL_ROWS = 8192
# Contexts of a megabyte a case must not add up to gigabytes before a flush.
FULL_CHARACTERS = 32 * 2**20

_ARROW_SCHEMA = pa.schema(RESPONSE_SCHEMA)


class Failure(NamedTuple):
    """Why a case has no response.

    Attributes:
        status: error or timeout.
        message: redacted text.
        kind: name of the exception class.
        stage: retrieve, answer or worker.
    """

    status: CaseStatus
    message: str
    kind: str
    stage: str


class Outcome(NamedTuple):
    """What the adapter made of one case."""

    ordinal: int
    duration_ms: float
    retrieved: Retrieved | None = None
    answered: Answered | None = None
    failure: Failure | None = None


class _Column:
    """Values, appended one by one."""

    def __init__(self) -> None:
        self._values: list[object] = []
        self.append = self._values.append

    def to_arrow(self, dtype: pa.DataType) -> pa.Array:
        return pa.array(self._values, dtype)


class _ListColumn:
    """Lists, kept as Arrow does: all their values, and where each one begins.

    No Python list lives per case, which the garbage collector would visit time and
    again until the flush.
    """

    def __init__(self) -> None:
        self._values: list[object] = []
        self._starts: list[int | None] = []

    def append(self, values: Sequence[object] | None) -> None:
        if values is None:
            self._starts.append(None)
        else:
            self._starts.append(len(self._values))
            self._values.extend(values)

    def to_arrow(self, dtype: pa.DataType) -> pa.Array:
        offsets = pa.array([*self._starts, len(self._values)], pa.int64())
        values = pa.array(self._values, dtype.value_type)
        return pa.LargeListArray.from_arrays(offsets, values)


class ResponseBuffer:
    """Rows of `RESPONSE_SCHEMA`, appended as cases finish."""

    def __init__(self) -> None:
        self._columns = [
            _ListColumn() if pa.types.is_large_list(field.type) else _Column()
            for field in _ARROW_SCHEMA
        ]
        self._appends = [column.append for column in self._columns]
        self._rows = 0
        self._characters = 0

    def __len__(self) -> int:
        return self._rows

    @property
    def is_full(self) -> bool:
        """True when a flush is worth its cost."""
        return self._rows >= FULL_ROWS or self._characters >= FULL_CHARACTERS

    def add(self, outcome: Outcome) -> None:
        """Append one finished case."""
        retrieved, answered = outcome.retrieved, outcome.answered
        context = answered.context if answered else None
        is_repeated = bool(
            context
            and retrieved
            and (context.ids, context.texts) == (retrieved.ids, retrieved.texts)
        )
        stored = None if is_repeated else context
        self._characters += _characters(retrieved) + _characters(stored)
        if answered:
            self._characters += len(answered.text or "") + _lengths(answered.cited_ids)
        row = (
            outcome.ordinal,
            *(outcome.failure or (CaseStatus.OK, None, None, None)),
            *(retrieved or (None, None, None, None)),
            answered.text if answered else None,
            answered.cited_ids if answered else None,
            stored.ids if stored else None,
            stored.texts if stored else None,
            is_repeated,
            outcome.duration_ms,
        )
        for append, value in zip(self._appends, row, strict=True):
            append(value)
        self._rows += 1

    def to_frame(self) -> pl.DataFrame:
        """Return the rows as `RESPONSE_SCHEMA`."""
        columns = [
            column.to_arrow(field.type)
            for column, field in zip(self._columns, _ARROW_SCHEMA, strict=True)
        ]
        return pl.DataFrame(pa.Table.from_arrays(columns, schema=_ARROW_SCHEMA))


def _characters(chunks: Retrieved | None) -> int:
    if chunks is None:
        return 0
    return _lengths(chunks.ids) + _lengths(chunks.document_ids) + _lengths(chunks.texts)


def _lengths(texts: Sequence[str]) -> int:
    return sum(map(len, texts))
