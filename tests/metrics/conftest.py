from collections.abc import Callable
from typing import Any, NamedTuple

import polars as pl
import pytest

from ragproof_ray.metrics import METRICS, ScoringParams, score
from ragproof_ray.schema import CASE_SCHEMA, RESPONSE_SCHEMA

CASE: dict[str, Any] = {
    "case_id": "c",
    "kind": "qa",
    "question": "How long is the warranty?",
    "expected_source_ids": [],
    "status": "ok",
}


class Entry(NamedTuple):
    value: float | None
    status: str
    reason: str | None


@pytest.fixture(scope="session")
def frame_of() -> Callable[..., pl.DataFrame]:
    """Build a frame of finished cases from what is special about each."""

    def build(*cases: dict[str, Any]) -> pl.DataFrame:
        rows = [CASE | {"ordinal": i} | case for i, case in enumerate(cases)]
        documents = [row.get("retrieved_ids") for row in rows]
        rows = [
            {"retrieved_document_ids": ids} | row
            for ids, row in zip(documents, rows, strict=True)
        ]
        return pl.DataFrame(rows, schema={**CASE_SCHEMA, **RESPONSE_SCHEMA})

    return build


@pytest.fixture(scope="session")
def entries(
    frame_of: Callable[..., pl.DataFrame],
) -> Callable[..., dict[str, Entry]]:
    """Score one case; gives metric name → (value, status, reason)."""

    def score_one(
        case: dict[str, Any], *, k: int = 5, source_match: Any = "chunk"
    ) -> dict[str, Entry]:
        scores = score(frame_of(case), ScoringParams(k, source_match))
        row = scores.row(0, named=True)
        return {
            metric.name: Entry(
                *(row[f"{metric.name}.{part}"] for part in Entry._fields)
            )
            for metric in METRICS
        }

    return score_one
