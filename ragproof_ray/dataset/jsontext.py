"""Strict JSON: what the grammar or a careful reader would refuse is refused.

`json` alone keeps the last of two equal keys, reads NaN and overflows to
infinity; each of these would change a case in silence.
"""

import json
from collections import Counter
from typing import Any, NoReturn

from ragproof_ray.dataset.faults import InvalidRecordError, shown

# Far above any real metadata and far below the recursion limit, so that whatever
# is read here can also be written and parsed again in a deeper call stack.
MAX_DEPTH = 100
TOO_DEEP = f"JSON is nested more than {MAX_DEPTH} levels deep; flatten it"


def decode_utf8(raw: bytes) -> str:
    """Decode a line or a file; a byte order mark at its start is dropped."""
    try:
        return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise InvalidRecordError(
            f"not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} "
            "(counted from 0); save the file as UTF-8"
        ) from None


def decode_json(text: str) -> Any:
    """Decode one JSON text.

    Refuses duplicate keys, NaN, infinities, numbers that overflow, unpaired
    surrogates, integers past Python's digit limit and nesting past Python's
    recursion limit, all as `InvalidRecordError`.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise syntax_fault(error) from None
    except RecursionError:
        raise InvalidRecordError(TOO_DEEP) from None
    if "\\ud" in text or "\\uD" in text:
        _check_surrogates(value)
    return value


def encode_json(value: object) -> str:
    """Encode a value as compact JSON, keys in their order, non-ASCII unescaped.

    Values that JSON does not have, and nesting deeper than `MAX_DEPTH`, raise
    `InvalidRecordError`.
    """
    try:
        text = _ENCODER.encode(value)
    except RecursionError:
        raise InvalidRecordError(TOO_DEEP) from None
    except (TypeError, ValueError) as error:
        raise InvalidRecordError(
            f"a value is not JSON ({error}); write it as text"
        ) from None
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(value)
    return text


def syntax_fault(error: json.JSONDecodeError) -> InvalidRecordError:
    """Say where the grammar is broken: the column, and the line if not the first."""
    where = f"column {error.colno}"
    if error.lineno > 1:
        where = f"line {error.lineno} {where}"
    reason = error.msg.removesuffix(" at")
    return InvalidRecordError(f"not valid JSON: {reason} at {where}; mend the syntax")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) == len(pairs):
        return mapping
    [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
    raise InvalidRecordError(f"key {shown(twice)} appears twice; keep one of them")


def _finite_float(text: str) -> float:
    value = float(text)
    if value in {float("inf"), float("-inf")}:
        raise InvalidRecordError(
            f"number {shown(text)} is too large for a float; write it as text"
        )
    return value


def _bounded_int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidRecordError(
            f"an integer has {len(text)} digits; write it as text"
        ) from None


def _no_constant(name: str) -> NoReturn:
    raise InvalidRecordError(f"{name} is not JSON; use null or leave the field out")


def _check_depth(value: object) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [item for holder in level for item in _items(holder)]
        if not level:
            return
    raise InvalidRecordError(TOO_DEEP)


def _items(holder: object) -> list[object]:
    if isinstance(holder, dict):
        return list(holder.values())
    return holder if isinstance(holder, list) else []


def _check_surrogates(value: object) -> None:
    try:
        encode_json(value).encode()
    except UnicodeEncodeError as error:
        code = ord(error.object[error.start])
        raise InvalidRecordError(
            f"unpaired surrogate \\u{code:04x}; write the whole character"
        ) from None


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys,
    parse_float=_finite_float,
    parse_int=_bounded_int,
    parse_constant=_no_constant,
)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
