"""The words for what is wrong with a configuration.

Every message names the place, shows the value without its secrets, and says what
to give instead.
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ragproof_ray.config.sections import RunConfig
from ragproof_ray.errors import ConfigError
from ragproof_ray.redaction import redact

_MAX_SHOWN = 60
_MAX_FAULTS = 50

_EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than": "a number > {gt:g}",
    "greater_than_equal": "a number >= {ge:g}",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_type": "a whole number",
    "invalid-json-value": "a JSON value",
    "less_than_equal": "a number <= {le}",
    "literal_error": "{expected}",
    "model_type": "a mapping",
    "string_too_short": "some text",
    "string_type": "text (in quotes)",
    "tuple_type": "a list",
}


def config_error(faults: Sequence[str]) -> ConfigError:
    """Return one error for all faults, one line each, the first 50 of them."""
    shown = list(faults[:_MAX_FAULTS])
    if len(faults) > _MAX_FAULTS:
        shown.append(f"and {len(faults) - _MAX_FAULTS} more")
    if len(faults) > 1:
        shown = [f"{len(faults)} mistakes in the configuration:", *shown]
    return ConfigError(redact("\n  ".join(shown)))


def shown_value(value: object) -> str:
    """Return a value as a message shows it: redacted, then cut; no contents."""
    match value:
        case Mapping():
            return "a mapping"
        case list() | tuple() | set() | frozenset():
            return "a list"
        case None | bool():
            return "null" if value is None else str(value).lower()
        case int() if value.bit_length() > _MAX_SHOWN * 3:
            return "a very large number"
        case str() | bytes() | int() | float():
            return _cut(redact(repr(value)))
        case _:
            return f"a value of type {type(value).__name__}"


def near_match(word: str, valid: Iterable[str]) -> str | None:
    """Return the valid word closest to `word`, or None when none is close."""
    spelling = word.lower().replace("-", "_")
    matches = difflib.get_close_matches(spelling, list(valid), n=1)
    return matches[0] if matches else None


def validation_faults(error: ValidationError, data: object) -> dict[str, str]:
    """Return what is wrong at each dotted path of `data`, in the order found."""
    details: dict[str, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        details.setdefault(_dotted_path(detail, data), []).append(detail)
    return {path: _explain(branches) for path, branches in details.items()}


def _dotted_path(detail: ErrorDetails, data: object) -> str:
    """Follow `loc` through the data; pydantic's own tags for a branch lead nowhere."""
    parts = []
    for part in detail["loc"]:
        match data:
            case Mapping() if part in data:
                data = data[part]
            # A key that is no text cannot be followed, and what is under it is not here.
            case list() | tuple() if isinstance(part, int) and part < len(data):
                data = data[part]
            case _:
                continue
        parts.append(_shown_key(part))
    if detail["type"] == "missing":
        parts.append(str(detail["loc"][-1]))
    return ".".join(parts) or "top level"


def _explain(branches: Sequence[ErrorDetails]) -> str:
    """Say what is wrong with one value; a union gives one detail for each branch."""
    first = branches[0]
    match first["type"]:
        case "missing":
            return "missing; add it"
        case "extra_forbidden":
            return _unknown_key(first["loc"])
        case "invalid_key":
            return "the key is not text; put it in quotes"
        case "value_error":
            return str(first["ctx"]["error"])
    expected = " or ".join(dict.fromkeys(_expected(branch) for branch in branches))
    return f"got {shown_value(first['input'])}; give {expected}"


def _expected(detail: ErrorDetails) -> str:
    template = _EXPECTED.get(detail["type"])
    if template is None:
        return f"another value ({detail['msg']})"
    return template.format(**detail.get("ctx", {}))


def _unknown_key(loc: Sequence[int | str]) -> str:
    *parents, key = loc
    valid = _section_at(parents).model_fields
    nearest = near_match(str(key), valid)
    if nearest is None:
        return f"unknown key; valid keys: {', '.join(valid)}"
    return f"unknown key; did you mean {nearest!r}?"


def _section_at(parents: Iterable[int | str]) -> type[BaseModel]:
    section: type[BaseModel] = RunConfig
    for part in parents:
        if part in section.model_fields:
            section = _nested(section.model_fields[str(part)].annotation) or section
    return section


def _nested(annotation: object) -> type[BaseModel] | None:
    """Return the section inside an annotation such as `dict[str, X]` or `X | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_nested(argument) for argument in get_args(annotation))
    return next((section for section in inner if section), None)


def _shown_key(key: int | str) -> str:
    text = redact(str(key))
    return text if text.isprintable() and len(text) <= _MAX_SHOWN else _cut(repr(text))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "..."
