import json

import pytest

from ragproof_ray.dataset.case import Case, read_case
from ragproof_ray.dataset.faults import InvalidRecordError


def faults_of(record, **options):
    with pytest.raises(InvalidRecordError) as raised:
        read_case(record, **options)
    return raised.value.args


def test_absent_keys_take_their_defaults():
    case = read_case({"id": "a", "question": "q"})

    assert case == Case("a", "qa", "q", None, [], None, None)


def test_null_means_absent():
    case = read_case(
        {
            "id": "a",
            "question": "q",
            "kind": None,
            "expected_answer": None,
            "expected_source_ids": None,
            "adversarial_payload": None,
            "metadata": None,
        }
    )

    assert case == Case("a", "qa", "q", None, [], None, None)


def test_integer_ids_become_their_decimal_text():
    case = read_case({"id": -7, "question": "q", "expected_source_ids": [1, "b", 2]})

    assert case.case_id == "-7"
    assert case.expected_source_ids == ["1", "b", "2"]


def test_empty_texts_other_than_the_question_are_kept():
    case = read_case(
        {
            "id": "",
            "question": "q",
            "expected_answer": "",
            "expected_source_ids": [""],
            "adversarial_payload": "",
        }
    )

    assert case == Case("", "qa", "q", "", [""], "", None)


def test_metadata_is_kept_as_json_text_in_its_own_order():
    case = read_case(
        {"id": "a", "question": "q", "metadata": {"owner": {"t": "é"}, "a": [1, None]}}
    )

    assert case.metadata == '{"owner":{"t":"é"},"a":[1,null]}'


def test_empty_metadata_is_present():
    assert read_case({"id": "a", "question": "q", "metadata": {}}).metadata == "{}"


@pytest.mark.parametrize("kind", ["qa", "unanswerable", "injection"])
def test_the_three_kinds_are_accepted(kind):
    assert read_case({"id": "a", "question": "q", "kind": kind}).kind == kind


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"id": None}, 'field "id" is missing'),
        ({"id": True}, 'field "id" is a boolean (True)'),
        ({"id": 7.0}, 'field "id" is a number (7.0)'),
        ({"id": ["a"]}, 'field "id" is a list'),
        ({"question": None}, 'field "question" is missing'),
        ({"question": ""}, 'field "question" is empty; give it text or drop the case'),
        ({"question": " \u2003\n"}, 'field "question" is empty'),
        ({"question": 5}, 'field "question" is a number (5); write text'),
        ({"kind": "QA"}, "field \"kind\" is 'QA'; did you mean qa?"),
        ({"kind": "unanswerible"}, "did you mean unanswerable?"),
        ({"kind": ""}, "use one of qa, unanswerable, injection"),
        ({"kind": 1}, 'field "kind" is a number (1)'),
        ({"expected_answer": 42}, 'field "expected_answer" is a number (42)'),
        ({"expected_source_ids": "d1"}, 'field "expected_source_ids" is text'),
        ({"expected_source_ids": {}}, 'field "expected_source_ids" is an object'),
        ({"expected_source_ids": ["a", None]}, "holds null (None)"),
        ({"expected_source_ids": [1, True]}, "holds a boolean (True)"),
        ({"adversarial_payload": []}, 'field "adversarial_payload" is a list'),
        ({"metadata": "x"}, "field \"metadata\" is text ('x'); write an object"),
        ({"metadata": []}, 'field "metadata" is a list'),
    ],
)
def test_a_field_that_cannot_be_used_is_named(fields, words):
    [fault] = faults_of({"id": "a", "question": "q"} | fields)

    assert words in fault


def test_an_unknown_key_lists_the_allowed_ones_and_points_at_metadata():
    [fault] = faults_of({"id": "a", "question": "q", "expected_anser": "x"})

    assert fault == (
        "unknown key 'expected_anser'; did you mean expected_answer? allowed keys are "
        "id, kind, question, expected_answer, expected_source_ids, "
        "adversarial_payload, metadata; put anything else under metadata"
    )


def test_an_unknown_key_far_from_all_has_no_hint():
    [fault] = faults_of({"id": "a", "question": "q", "zzz": None})

    assert "did you mean" not in fault


def test_all_faults_of_a_case_are_told_at_once():
    faults = faults_of({"id": 1.5, "kind": "x", "question": " ", "owner": 1})

    assert len(faults) == 4


@pytest.mark.parametrize("record", [[], "text", 7, None, True])
def test_a_record_that_is_no_object_is_refused(record):
    [fault] = faults_of(record)

    assert fault.startswith("a case must be a JSON object, not ")


def test_metadata_nested_too_deep_is_refused():
    deep = json.loads('{"k":' * 200 + "1" + "}" * 200)

    [fault] = faults_of({"id": "a", "question": "q", "metadata": deep})
    assert fault.startswith('field "metadata": JSON is nested more than 100 levels')


def test_a_payload_close_to_a_shipped_id_is_refused():
    [fault] = faults_of(
        {"id": "a", "question": "q", "adversarial_payload": "tone_hijak"}
    )

    assert "adversarial_payload 'tone_hijak'" in fault
    assert "tone_hijack" in fault


def test_a_literal_payload_under_four_characters_is_refused():
    [fault] = faults_of({"id": "a", "question": "q", "adversarial_payload": "abc"})

    assert "adversarial_payload 'abc' is too short" in fault


@pytest.mark.parametrize("payload", ["tone_hijack", "PINEAPPLE_77"])
def test_a_shipped_payload_and_a_literal_marker_are_accepted(payload):
    case = read_case({"id": "a", "question": "q", "adversarial_payload": payload})

    assert case.adversarial_payload == payload


def test_freezing_needs_a_source_for_a_qa_case():
    record = {"id": "a", "question": "q", "expected_source_ids": []}

    [fault] = faults_of(record, for_freezing=True)
    assert fault.startswith("case 'a' is a qa case without expected_source_ids; ")


@pytest.mark.parametrize("payload", [None, ""])
def test_freezing_needs_a_payload_for_an_injection_case(payload):
    record = {
        "id": "a",
        "question": "q",
        "kind": "injection",
        "adversarial_payload": payload,
    }

    [fault] = faults_of(record, for_freezing=True)
    assert "is an injection case without adversarial_payload" in fault


def test_freezing_needs_nothing_of_an_unanswerable_case():
    record = {"id": "a", "question": "q", "kind": "unanswerable"}

    assert read_case(record, for_freezing=True).kind == "unanswerable"
