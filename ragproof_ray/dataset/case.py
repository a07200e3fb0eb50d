"""The rules that one case must meet, whatever file it came from."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ragproof_ray.dataset.faults import FAULT_LIMIT, InvalidRecordError, shown
from ragproof_ray.dataset.jsontext import encode_json
from ragproof_ray.schema import KINDS

CASE_KEYS = (
    "id",
    "kind",
    "question",
    "expected_answer",
    "expected_source_ids",
    "adversarial_payload",
    "metadata",
)
_KEY_SET = frozenset(CASE_KEYS)
_JSON_NAMES = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "an object",
}


class Case(NamedTuple):
    """One normalised case; the field order is that of the frame's columns."""

    case_id: str
    kind: str
    question: str
    expected_answer: str | None
    expected_source_ids: list[str]
    adversarial_payload: str | None
    metadata: str | None  # JSON text


def read_case(record: object, *, for_freezing: bool = False) -> Case:
    """Check one decoded record and fill in its defaults.

    A null counts as an absent key. Integer ids become their decimal text.

    Args:
        record: a JSON object as Python reads it; anything else is a fault.
        for_freezing: also require what makes a case worth freezing: a qa case
            has a source to find, an injection case a payload.

    Raises `InvalidRecordError` with every fault of the record.
    """
    if not isinstance(record, dict):
        raise InvalidRecordError(
            f"a case must be a JSON object, not {type_name(record)}; "
            "write one object with the keys id and question"
        )
    faults: list[str] = []
    if not record.keys() <= _KEY_SET:
        unknown = (key for key in record if key not in _KEY_SET)
        faults += map(unknown_key_message, islice(unknown, FAULT_LIMIT))
    get = record.get
    case = Case(
        _case_id(get("id"), faults),
        _kind(get("kind"), faults),
        _question(get("question"), faults),
        _text(get("expected_answer"), "expected_answer", faults),
        _source_ids(get("expected_source_ids"), faults),
        _payload(get("adversarial_payload"), faults),
        _metadata(get("metadata"), faults),
    )
    if for_freezing:
        _check_complete(case, record, faults)
    if faults:
        raise InvalidRecordError(*faults)
    return case


def unknown_key_message(key: str) -> str:
    """Say that a key does not belong, with the nearest that does."""
    near = get_close_matches(key, CASE_KEYS, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return (
        f"unknown key {shown(key)}; {hint}allowed keys are {', '.join(CASE_KEYS)}; "
        "put anything else under metadata"
    )


def type_name(value: object) -> str:
    """Name a value's type in the words of JSON."""
    if value is None:
        return "null"
    return _JSON_NAMES.get(type(value), type(value).__name__)


def _case_id(value: object, faults: list[str]) -> str:
    if type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    if value is None:
        faults.append('field "id" is missing; give the case an id of its own')
    else:
        faults.append(
            f'field "id" is {type_name(value)} ({shown(value)}); '
            "write it as text or as an integer"
        )
    return ""


def _kind(value: object, faults: list[str]) -> str:
    if value is None:
        return "qa"
    if type(value) is str:
        if value in KINDS:
            return value
        near = get_close_matches(value.lower(), KINDS, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        faults.append(
            f'field "kind" is {shown(value)}; {hint}use one of {", ".join(KINDS)}'
        )
    else:
        faults.append(_wrong_type("kind", value, f"one of {', '.join(KINDS)}"))
    return ""


def _question(value: object, faults: list[str]) -> str:
    if type(value) is str and value.strip():
        return value
    if value is None:
        faults.append('field "question" is missing; give it text or drop the case')
    elif type(value) is str:
        faults.append('field "question" is empty; give it text or drop the case')
    else:
        faults.append(_wrong_type("question", value, "text"))
    return ""


def _text(value: object, key: str, faults: list[str]) -> str | None:
    if value is None or type(value) is str:
        return value
    faults.append(_wrong_type(key, value, "text, or null for none"))
    return None


def _source_ids(value: object, faults: list[str]) -> list[str]:
    if value is None:
        return []
    if type(value) is not list:
        faults.append(_wrong_type("expected_source_ids", value, "a list of ids"))
        return []
    for item in value:
        if type(item) is not str:
            return _mixed_source_ids(value, faults)
    return value


def _mixed_source_ids(values: list[object], faults: list[str]) -> list[str]:
    wrong = [value for value in values if type(value) not in {str, int}]
    if wrong:
        faults.append(
            f'field "expected_source_ids" holds {type_name(wrong[0])} '
            f"({shown(wrong[0])}); write every id as text"
        )
        return []
    return [str(value) for value in values]


def _payload(value: object, faults: list[str]) -> str | None:
    text = _text(value, "adversarial_payload", faults)
    if text:
        problem = _payload_problem(text)
        if problem is not None:
            faults.append(problem)
    return text


@lru_cache(maxsize=1024)
def _payload_problem(text: str) -> str | None:
    from ragproof_ray.metrics.payloads import check_payload

    return check_payload(text)


def _metadata(value: object, faults: list[str]) -> str | None:
    if value is None:
        return None
    if type(value) is not dict:
        faults.append(_wrong_type("metadata", value, "an object"))
        return None
    try:
        return encode_json(value)
    except InvalidRecordError as error:
        faults.append(f'field "metadata": {error}')
        return None


def _check_complete(
    case: Case, record: Mapping[str, object], faults: list[str]
) -> None:
    if case.kind == "qa" and not record.get("expected_source_ids"):
        faults.append(
            f"case {shown(case.case_id)} is a qa case without expected_source_ids; "
            "name at least one source, or change its kind"
        )
    if case.kind == "injection" and not record.get("adversarial_payload"):
        faults.append(
            f"case {shown(case.case_id)} is an injection case without "
            "adversarial_payload; name a payload, or change its kind"
        )


def _wrong_type(key: str, value: object, wanted: str) -> str:
    return f'field "{key}" is {type_name(value)} ({shown(value)}); write {wanted}'
