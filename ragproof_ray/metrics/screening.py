"""Choosing, column by column, the answers that could be refusals.

The same phrases as `refusal`, loosened so that Polars can search with them: what
`is_refusal` accepts passes, and most of the rest does not reach Python.
"""

import re

import polars as pl

from ragproof_ray.metrics.refusal import APOSTROPHES, CUES, NOISE
from ragproof_ray.metrics.refusal_phrases import REFUSALS

_LOOKAHEAD = re.compile(r"\(\?!(?:[^()]|\([^()]*\))*\)")
_ANCHOR = re.compile(r"\\b|(?<!\[)\^|\$")
# Dropped quotations join what stood around them, which a search cannot follow.
_QUOTATION = '["“„«「]|(?:^|[\\s(])[' + APOSTROPHES + "]"


def keep_possible_refusals(rows: pl.DataFrame) -> pl.DataFrame:
    """Keep the rows whose `answer_text` could decline, and few others."""
    answer = pl.col("answer_text")
    folded = (
        answer.str.normalize("NFKC")
        .str.to_lowercase()
        .str.replace_all(NOISE, "")
        .str.replace_all(f"[{APOSTROPHES}]", "'")
        .str.replace_all(r"\s+", " ")
    )
    phrases = [
        pl.col("folded").str.contains(_loosen(phrases)) for _, phrases in REFUSALS
    ]
    return (
        rows.filter(answer.str.contains(_cue_expression()))
        .with_columns(folded=folded)
        .filter(pl.any_horizontal(*phrases, answer.str.contains(_QUOTATION)))
    )


def _cue_expression() -> str:
    """Match the cues in unfolded text, and what could hide one."""
    # Each class of all Unicode words would cost a short run half a millisecond.
    edge = "(?:^|[^a-z0-9_]|$)"
    cues = [
        re.escape(cue).replace(r"\ ", edge).replace("'", f"[{APOSTROPHES}]")
        for cue in CUES
    ]
    return "(?i)" + "|".join([*cues, rf"\w{NOISE}+\w", "[\uff01-\uff5e]"])


def _loosen(phrases: tuple[str, ...]) -> str:
    """Drop anchors and widen words, since many Unicode words are too much for Polars."""
    united = _ANCHOR.sub("", _LOOKAHEAD.sub("", "|".join(phrases)))
    return (
        united.replace("[\\w']", r"\w")
        .replace("[\\w,]", r"\w")
        .replace(r"\w", "[^ .!?]")
    )
