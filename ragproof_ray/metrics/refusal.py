"""A deterministic test of whether an answer declined to answer.

An answer is taken apart into clauses. It is a refusal when a clause declines and no
other clause answers anything; courtesy, offers and talk about the sources do not count
as an answer. Covers English, German, French, Spanish, Portuguese, Italian, Dutch,
Russian, Chinese, Japanese and Korean.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ragproof_ray.metrics.refusal_phrases import (
    CASES,
    CONCESSIONS,
    CONDITIONS,
    CONTRASTS,
    COURTESIES,
    REFUSALS,
)


def _any_of(expressions: Sequence[str]) -> re.Pattern[str]:
    """Compile alternatives, testing the word boundary of most of them only once."""
    at_word = [text[2:] for text in expressions if text.startswith(r"\b")]
    elsewhere = [text for text in expressions if not text.startswith(r"\b")]
    if at_word:
        elsewhere.append(rf"\b(?:{'|'.join(at_word)})")
    return re.compile("|".join(elsewhere))


_INVISIBLE = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_APOSTROPHES = "'\u2018\u2019\u02bc\u00b4\u2032`\uff07"
_APOSTROPHE = re.compile(f"[{_APOSTROPHES}]")
_NOISE = re.compile(rf"[*_~#{_INVISIBLE}]|\[[^\]]{{0,80}}\]|<[^<>]{{1,80}}>")
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
_REFUSALS = [(cues.split("|"), _any_of(phrases)) for cues, phrases in REFUSALS]
_COURTESY = _any_of(COURTESIES)
_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_SUBSTANCE = 3  # words, or as many pairs of ideographs, that can carry an answer

# For Polars: matches whatever `is_refusal` could accept, and little else.
REFUSAL_HINT = "(?i)" + "|".join(
    [
        *(
            re.escape(cue).replace(r"\ ", r"(?:^|\W)").replace("'", f"[{_APOSTROPHES}]")
            for cues, _ in _REFUSALS
            for cue in cues
        ),
        rf"\w[*_~#{_INVISIBLE}]+\w|[{_INVISIBLE}\uff01-\uff5e]",
    ]
)


def is_refusal(answer: str, question: str = "") -> bool:
    """Tell whether an answer declines to answer.

    Args:
        answer: the text of the pipeline.
        question: what was asked; declining words that come from it are an echo.
    """
    cued, rest = [], []
    for clause in _clauses(_without_quotes(_fold(answer))):
        (cued if _cued_languages(clause) else rest).append(clause)
    # The cheap half first: most real answers end here.
    if not cued or any(map(_is_substantial, rest)):
        return False
    asked = _fold(question)
    declining = [clause for clause in cued if _declines(clause, asked)]
    others = [clause for clause in cued if clause not in declining]
    return bool(declining) and not any(map(_is_substantial, others))


def _fold(text: str) -> str:
    text = _NOISE.sub("", unicodedata.normalize("NFKC", text).lower())
    return _APOSTROPHE.sub("'", text).strip()


def _without_quotes(text: str) -> str:
    """Drop quoted speech, unless the answer is nothing else."""
    bare = _QUOTED.sub(" ", text)
    return bare if _WORD.search(bare) else text


def _clauses(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        if _CONCESSION.match(sentence):
            sentence = sentence.replace(", ", "; ", 1)
        for clause in _CONTRAST.split(sentence):
            folded = _SPACES.sub(" ", clause).strip(" .,;:!?-–—。、,\"'()")
            if folded:
                yield folded


def _cued_languages(clause: str) -> list[re.Pattern[str]]:
    """Give the phrases of the languages that the clause could decline in."""
    padded = f" {clause} "
    return [
        phrases for cues, phrases in _REFUSALS if any(cue in padded for cue in cues)
    ]


def _declines(clause: str, asked: str) -> bool:
    return any(
        found is not None
        and found[0] not in asked
        and not _CONDITION.search(clause[: found.start()])
        and not _CASE.match(clause[found.end() :])
        for found in (phrases.search(clause) for phrases in _cued_languages(clause))
    )


def _is_substantial(clause: str) -> bool:
    """Tell a clause that may hold an answer from courtesy and scraps."""
    words = len(_WORD.findall(clause)) + len(_WIDE.findall(clause)) // 2
    if words < _SUBSTANCE and not any(map(str.isdigit, clause)):
        return False
    return _COURTESY.search(clause) is None
