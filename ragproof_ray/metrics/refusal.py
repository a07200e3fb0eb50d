"""A deterministic test of whether an answer declined to answer.

An answer is taken apart into clauses. It is a refusal when a clause declines and no
other clause answers anything; courtesy, offers and talk about the sources do not count
as an answer. Covers English, German, French, Spanish, Portuguese, Italian, Dutch,
Russian, Chinese, Japanese and Korean.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from ragproof_ray.metrics.refusal_context import (
    CASES,
    CONCESSIONS,
    CONDITIONS,
    CONTRASTS,
    COURTESIES,
)
from ragproof_ray.metrics.refusal_phrases import REFUSALS

_INVISIBLE = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
APOSTROPHES = "'\u2018\u2019\u02bc\u00b4\u2032`\uff07"
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")
NOISE = rf"(?:[*_~#{_INVISIBLE}]|\[[^\]]{{0,80}}\]|<[^<>]{{1,80}}>)"
_NOISE = re.compile(NOISE)
_SPACES = re.compile(r"\s+")
_QUOTED = re.compile(
    r'"[^"]{0,400}"|“[^”]{0,400}”|«[^»]{0,400}»|„[^“”]{0,400}[“”]|「[^」]{0,400}」'
    r"|(?:^|(?<=[\s(]))'(?:[^']|(?<=\w)'(?=\w)){2,200}'(?=[\s).,;:!?]|$)"
)
_SENTENCE_END = re.compile(r"(?<=[.!?:])[\"')]*\s+|(?<=[。!?…])|\n+")
_CONTRAST = re.compile(CONTRASTS)
_CONCESSION = re.compile(CONCESSIONS)
_CONDITION = re.compile(CONDITIONS)
_CASE = re.compile(CASES)
CUES = [cue for cues, _ in REFUSALS for cue in cues.split("|")]
_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_EDGES = " .,;:!?-\u2013\u2014\u3002\u3001\"'()"
_SUBSTANCE = 3  # words, or as many pairs of ideographs, that can carry an answer


def is_refusal(answer: str, question: str = "") -> bool:
    """Tell whether an answer declines to answer.

    Args:
        answer: the text of the pipeline.
        question: what was asked; declining words that come from it are an echo.
    """
    clauses = list(_clauses(_without_quotes(_fold(answer))))
    cued = [clause for clause in clauses if _has_cue(clause)]
    # The cheap half first: most real answers end here.
    if not cued or any(_is_substantial(c) for c in clauses if c not in cued):
        return False
    asked = _fold(question)
    others = [clause for clause in cued if not _declines(clause, asked)]
    return len(others) < len(cued) and not any(map(_is_substantial, others))


def _fold(text: str) -> str:
    text = _NOISE.sub("", unicodedata.normalize("NFKC", text).lower())
    return _APOSTROPHE.sub("'", text).strip()


def _without_quotes(text: str) -> str:
    """Drop quoted speech, unless the answer is nothing else."""
    bare = _QUOTED.sub(" ", text)
    return bare if _WORD.search(bare) else text


def _clauses(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        for part in _CONTRAST.split(sentence):
            # "Although I cannot say, it ...": the main clause follows the comma.
            commas = 1 if _CONCESSION.match(part) else 0
            for clause in part.split(", ", maxsplit=commas):
                folded = _SPACES.sub(" ", clause).strip(_EDGES)
                if folded:
                    yield folded


@cache
def _any_of(expressions: tuple[str, ...]) -> re.Pattern[str]:
    """Compile alternatives, testing the word boundary of most of them only once.

    On first use, since most processes never see an answer that could be a refusal.
    """
    at_word = [text[2:] for text in expressions if text.startswith(r"\b")]
    elsewhere = [text for text in expressions if not text.startswith(r"\b")]
    if at_word:
        elsewhere.append(rf"\b(?:{'|'.join(at_word)})")
    return re.compile("|".join(elsewhere))


def _has_cue(clause: str) -> bool:
    padded = f" {clause} "
    for cue in CUES:  # noqa: SIM110 - three times as fast as any()
        if cue in padded:
            return True
    return False


def _declines(clause: str, asked: str) -> bool:
    return any(
        found is not None
        and found[0] not in asked
        and not _CONDITION.search(clause[: found.start()])
        and not _CASE.match(clause[found.end() :])
        for found in (_any_of(phrases).search(clause) for _, phrases in REFUSALS)
    )


def _is_substantial(clause: str) -> bool:
    """Tell a clause that may hold an answer from courtesy and scraps."""
    words = len(_WORD.findall(clause)) + len(_WIDE.findall(clause)) // 2
    if words < _SUBSTANCE and not any(map(str.isdigit, clause)):
        return False
    return _any_of(COURTESIES).search(clause) is None
