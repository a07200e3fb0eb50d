"""Undoing the disguises of a text, so that it can be compared letter by letter."""

import html
import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote

_DECODING_ROUNDS = 3
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))", re.IGNORECASE)
_TAG = re.compile(
    r"<!--.{0,200}?-->|</?([a-z][a-z0-9-]*)(?:\s[^<>]*)?/?>", re.IGNORECASE | re.DOTALL
)
_BREAKING_TAG = re.compile(
    r"address|article|blockquote|br|dd|div|dl|dt|h[1-6r]|li|ol|p|pre|section|table"
    r"|tbody|td|th|thead|tr|ul",
    re.IGNORECASE,
)
_SEPARATOR_NAMES = {"dot": ".", "dash": "-", "hyphen": "-", "underscore": "_"}
_NAMED_SEPARATOR = re.compile(
    r"\s{0,2}[\[({<]\s{0,2}(dot|dash|hyphen|underscore)\s{0,2}[\])}>]\s{0,2}"
    r"|\s{1,2}(dot|dash|hyphen|underscore)\s{1,2}",
    re.IGNORECASE,
)
_MARKDOWN_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_EMPHASIS_UNDERSCORES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])|_{2,}")
_EMPHASIS = "*~`"

# Letters that look like a Latin one, in lower case; Greek by its capitals.
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁһαβεζηικμνορτυχı", "abekmhopctyxijsdhabezhikmnoptyxi"
)
_LETTER_SYMBOL = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|REGIONAL INDICATOR SYMBOL LETTER"
    r"|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER) ([A-Z])"
)
# Marks laid over any letter, variation selectors, and the fillers of Hangul, which
# count as letters. Vowel signs of other scripts are text and stay.
_OVERLAY = re.compile(
    "[\u0300-\u036f\u115f\u1160\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\u3164\ufe00-\ufe0f\ufe20-\ufe2f\uffa0\U000e0100-\U000e01ef]"
)


class Folded(NamedTuple):
    """A text with its disguises undone.

    `characters` are folded and visible; `origins[i]` is the index in `text` of the
    character that `characters[i]` came from. `text` keeps case and neighbours, for
    questions about word boundaries.
    """

    text: str
    characters: str
    origins: list[int]


def fold(text: str) -> Folded:
    """Fold case, compatibility forms, lookalikes, emphasis and invisible characters."""
    plain = strip_markdown(text)
    characters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(plain):
        folded = _FOLDING[ord(character)]
        characters.append(folded)
        origins.extend([index] * len(folded))
    return Folded(plain, "".join(characters), origins)


def letters(text: str) -> str:
    """Give only the folded letters and digits: a fast test of what `fold` could find."""
    return strip_markdown(text).translate(_LETTERS)


def is_letter(character: str) -> bool:
    """Tell letters, digits and the vowel signs of a script from separators."""
    return unicodedata.category(character)[0] in "LNM"


def decode(text: str) -> str:
    """Undo entities, percent and backslash codes, named separators and HTML tags.

    A text with tags is given twice, without them and with them, since what counts may
    stand in an attribute.
    """
    for _ in range(_DECODING_ROUNDS):
        decoded = _ESCAPE.sub(
            lambda code: chr(int(code[1] or code[2], 16)),
            unquote(html.unescape(text), errors="ignore"),
        )
        if decoded == text:
            break
        text = decoded
    text = _NAMED_SEPARATOR.sub(
        lambda name: _SEPARATOR_NAMES[(name[1] or name[2]).lower()], text
    )
    bare = _TAG.sub(_replace_tag, text)
    return text if bare == text else f"{bare}\n{text}"


def strip_markdown(text: str) -> str:
    """Drop backslash escapes; turn underscores that mark emphasis into asterisks."""
    return _EMPHASIS_UNDERSCORES.sub("*", _MARKDOWN_ESCAPE.sub("", text))


def _replace_tag(tag: re.Match[str]) -> str:
    return "\n" if _BREAKING_TAG.fullmatch(tag[1] or "") else ""


def _fold_character(character: str) -> str:
    if character in _EMPHASIS or _is_invisible(character):
        return ""
    symbol = _LETTER_SYMBOL.fullmatch(unicodedata.name(character, ""))
    if symbol:
        return symbol[1].lower()
    decomposed = unicodedata.normalize("NFKD", character).casefold()
    return _OVERLAY.sub("", decomposed).translate(_LOOKALIKES)


def _is_invisible(character: str) -> bool:
    if character.isspace():
        return False
    category = unicodedata.category(character)
    return category in {"Cf", "Cc"} or _OVERLAY.match(character) is not None


class _CharacterTable(dict[int, str]):
    """A table for `str.translate` that folds each character once."""

    def __init__(self, *, letters_only: bool) -> None:
        super().__init__()
        self._letters_only = letters_only

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if self._letters_only:
            folded = "".join(filter(is_letter, folded))
        self[code] = folded
        return folded


_FOLDING = _CharacterTable(letters_only=False)
_LETTERS = _CharacterTable(letters_only=True)
