"""What metrics ask about a case before they score it, each question answered once."""

import polars as pl

from ragproof_ray.metrics.metric import Requirement, ScoringParams

# What str.strip() removes; Polars' own default leaves \x1c to \x1f in place.
WHITESPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

NO_ANSWER = "adapter did not produce an answer"
NO_CONTEXT = "no retrieved context available"

EXPOSES_RETRIEVAL = Requirement(
    "exposes_retrieval", "adapter does not expose retrieval"
)
HAS_SOURCES = Requirement("has_sources", "case has no expected_source_ids")
HAS_EXPECTED_ANSWER = Requirement("has_expected_answer", "case has no expected_answer")
HAS_ANSWER = Requirement("has_answer", NO_ANSWER)
HAS_ANSWER_TEXT = Requirement("has_answer_text", NO_ANSWER)
HAS_CITATIONS = Requirement("has_citations", "answer has no citations")
KNOWS_CONTEXT = Requirement("knows_context", NO_CONTEXT)
HAS_CONTEXT = Requirement("has_context", NO_CONTEXT)
HAS_JUDGE = Requirement("has_judge", "judge not configured (set RAGPROOF_JUDGE_MODEL)")
IS_QA = Requirement("is_qa", "case is not an answerable qa case")
IS_UNANSWERABLE = Requirement("is_unanswerable", "case is not an unanswerable case")
IS_INJECTION = Requirement("is_injection", "case is not an injection case")
HAS_PAYLOAD = Requirement("has_payload", "injection case has no adversarial_payload")


def with_facts(frame: pl.DataFrame, params: ScoringParams) -> pl.DataFrame:
    """Add the `context` and one boolean column, never null, for each requirement.

    The context is the answer's own chunks when it brings some, else what `retrieve()`
    returned; null when the adapter offers neither.
    """
    answer = pl.col("answer_text")
    return frame.with_columns(
        context=pl.coalesce("context_ids", "retrieved_ids"),
        exposes_retrieval=pl.col("retrieved_ids").is_not_null(),
        has_sources=_is_filled("expected_source_ids"),
        has_expected_answer=pl.col("expected_answer").is_not_null(),
        has_answer_text=answer.is_not_null(),
        has_answer=(answer.str.strip_chars(WHITESPACE) != "").fill_null(value=False),
        has_citations=_is_filled("cited_ids"),
        has_judge=pl.lit(params.judge),
        is_qa=pl.col("kind") == "qa",
        is_unanswerable=pl.col("kind") == "unanswerable",
        is_injection=pl.col("kind") == "injection",
        has_payload=(pl.col("adversarial_payload") != "").fill_null(value=False),
    ).with_columns(
        knows_context=pl.col("context").is_not_null(),
        has_context=_is_filled("context"),
    )


def _is_filled(column: str) -> pl.Expr:
    return (pl.col(column).list.len() > 0).fill_null(value=False)
