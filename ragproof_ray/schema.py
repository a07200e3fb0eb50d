"""The shapes of cases, responses, results and summaries, and the words they use.

Knows Polars types only; computes nothing.
"""

from enum import StrEnum

import polars as pl

KINDS = ("qa", "unanswerable", "injection")


class CaseStatus(StrEnum):
    """How the adapter call of a case ended."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"


class MetricStatus(StrEnum):
    """What became of one metric on one case."""

    SCORED = "scored"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not_applicable"
    JUDGE_ERROR = "judge_error"
    ERROR = "error"


CASE_SCHEMA = pl.Schema(
    {
        "ordinal": pl.UInt32(),  # position in the dataset, from 0
        "case_id": pl.String(),
        "kind": pl.String(),
        "question": pl.String(),
        "expected_answer": pl.String(),
        "expected_source_ids": pl.List(pl.String()),  # as written; [] when absent
        "adversarial_payload": pl.String(),
        "metadata": pl.String(),  # JSON text, null when absent
        "case_hash": pl.String(),  # SHA-256 of the canonical case, metadata left out
    }
)

# One row per finished case, as the adapters deliver it. A list of a failed case,
# or of a capability that the adapter does not have, is null.
RESPONSE_SCHEMA = pl.Schema(
    {
        "ordinal": pl.UInt32(),
        "status": pl.String(),  # CaseStatus
        "error": pl.String(),  # redacted text, null when ok
        "error_type": pl.String(),  # exception class name, null when ok
        "error_stage": pl.String(),  # retrieve | answer | worker, null when ok
        "retrieved_ids": pl.List(pl.String()),
        "retrieved_document_ids": pl.List(pl.String()),
        "retrieved_texts": pl.List(pl.String()),
        "retrieved_scores": pl.List(pl.Float64()),
        "answer_text": pl.String(),
        "cited_ids": pl.List(pl.String()),  # as returned, duplicates kept
        "context_ids": pl.List(pl.String()),  # the answer's own non-empty chunks
        "context_texts": pl.List(pl.String()),
        # True: the answer's chunks equal the retrieved ones and are not repeated.
        "context_is_retrieved": pl.Boolean(),
        "duration_ms": pl.Float64(),
    }
)
