# ruff: noqa: RUF001 - other alphabets are the point
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.metrics.refusal import is_refusal
from ragproof_ray.metrics.screening import keep_possible_refusals

PIECES = (
    "I", " ", "do not", "don’t", "cannot", "**know**", "the documents", ", ", ". ", "\n",
    "mention", "but", '"', "'", "no information", "\u200b", "in the context", "answer",
    "weiß nicht", "ich", "je ne sais pas", "no sé", "не знаю", "わかりません", "[d-1]",
    "\u00a0", "find", "it", "unknown", "Ｉ", "`", "although", "that", "N/A",
)  # fmt: skip


def kept(answers):
    frame = pl.DataFrame({"answer_text": answers}, schema={"answer_text": pl.String})
    return keep_possible_refusals(frame)["answer_text"].to_list()


@given(st.lists(st.lists(st.sampled_from(PIECES)).map("".join), max_size=8))
def test_no_refusal_is_screened_out(answers):
    refusals = [answer for answer in answers if is_refusal(answer)]

    assert set(refusals) <= set(kept(answers))


def test_ordinary_answers_are_screened_out():
    answers = [
        "The warranty lasts two years.",
        "The lid is not heat-resistant and must never be left on the stove.",
        "Bring your piano to the casino.",
    ]

    assert kept(answers) == []
