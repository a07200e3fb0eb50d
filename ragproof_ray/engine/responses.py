"""Finished cases as growing columns: no object lives per case."""

from typing import NamedTuple

import polars as pl
import pyarrow as pa

from ragproof_ray.adapters import Answered, Retrieved
from ragproof_ray.schema import RESPONSE_SCHEMA, CaseStatus

FULL_ROWS = 2048
# Contexts of a megabyte a case must not add up to gigabytes before a flush.
FULL_CHARACTERS = 32 * 2**20

_ARROW_SCHEMA = pl.DataFrame(schema=RESPONSE_SCHEMA).to_arrow(
    compat_level=pl.CompatLevel.oldest()
).schema


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


class ResponseBuffer:
    """Rows of `RESPONSE_SCHEMA`, appended as cases finish."""

    def __init__(self) -> None:
        self._rows: list[tuple[object, ...]] = []
        self._characters = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def is_full(self) -> bool:
        """True when a flush is worth its cost."""
        return len(self._rows) >= FULL_ROWS or self._characters >= FULL_CHARACTERS

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
        for chunks in (retrieved, stored):
            if chunks is not None:
                self._characters += sum(map(len, chunks.texts))
        self._rows.append(
            (
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
        )

    def to_frame(self) -> pl.DataFrame:
        """Return the rows, of which there must be one, as `RESPONSE_SCHEMA`."""
        # Arrow builds lists at a thirtieth of what Polars needs, which holds the GIL.
        columns = [
            pa.array(column, field.type)
            for field, column in zip(
                _ARROW_SCHEMA, zip(*self._rows, strict=True), strict=True
            )
        ]
        return pl.DataFrame(pa.Table.from_arrays(columns, schema=_ARROW_SCHEMA))
