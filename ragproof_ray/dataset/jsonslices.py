"""Cut a big JSON text into the texts of its parts, so that each is judged alone."""

import json
from collections.abc import Iterator

from ragproof_ray.dataset.faults import InvalidRecordError
from ragproof_ray.dataset.jsontext import TOO_DEEP, syntax_fault


def members(text: str) -> list[tuple[str, str]]:
    """Key and value text of each member of a JSON object, duplicate keys kept.

    Empty for JSON that is not an object. Checks the grammar of the whole text
    and nothing else; raises `InvalidRecordError` where it is broken.
    """
    try:
        _SKIMMER.decode(text)
    except json.JSONDecodeError as error:
        raise syntax_fault(error) from None
    except RecursionError:
        raise InvalidRecordError(TOO_DEEP) from None
    found = []
    at = _skip_space(text, 0)
    if text[at] != "{":
        return []
    at = _skip_space(text, at + 1)
    while text[at] != "}":
        key, end = _SKIMMER.raw_decode(text, at)
        start = _skip_space(text, _skip_space(text, end) + len(":"))
        _, end = _SKIMMER.raw_decode(text, start)
        found.append((key, text[start:end]))
        at = _next_part(text, end)
    return found


def elements(text: str) -> Iterator[str]:
    """Yield the text of each element of a JSON array that `members` has found."""
    at = _skip_space(text, len("["))
    while text[at] != "]":
        _, end = _SKIMMER.raw_decode(text, at)
        yield text[at:end]
        at = _next_part(text, end)


def _next_part(text: str, end: int) -> int:
    at = _skip_space(text, end)
    return _skip_space(text, at + 1) if text[at] == "," else at


def _skip_space(text: str, at: int) -> int:
    while text[at] in " \t\n\r":
        at += 1
    return at


def _forget(_pairs: object) -> None:
    return None


_SKIMMER = json.JSONDecoder(
    object_pairs_hook=_forget, parse_float=str, parse_int=str, parse_constant=str
)
