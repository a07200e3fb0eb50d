import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.dataset.faults import InvalidRecordError
from ragproof_ray.dataset.jsonslices import elements, members

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
INDENTS = st.sampled_from([None, 0, 2])


@given(st.dictionaries(st.text(), JSON), INDENTS)
def test_members_are_the_parts_of_an_object(value, indent):
    parts = members(json.dumps(value, indent=indent))

    assert {key: json.loads(text) for key, text in parts} == value


@given(st.lists(JSON), INDENTS)
def test_elements_are_the_parts_of_an_array(value, indent):
    parts = elements(json.dumps(value, indent=indent))

    assert [json.loads(text) for text in parts] == value


def test_duplicate_keys_are_kept_apart():
    assert members(' {"a" : 1 ,"a":[2 ]}\n') == [("a", "1"), ("a", "[2 ]")]


@pytest.mark.parametrize("text", ["[1]", "7", '"{"', "null"])
def test_json_that_is_no_object_has_no_members(text):
    assert members(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Expecting value at column 1"),
        ('{"a":1}{', "Extra data at column 8"),
        ("[" * 100_000, "nested more than"),
    ],
)
def test_broken_json_has_no_parts(text, words):
    with pytest.raises(InvalidRecordError) as raised:
        members(text)

    assert words in str(raised.value)


def test_what_only_a_part_gets_wrong_is_left_to_its_reader():
    text = '{"cases":[NaN,1e999,{"a":1,"a":2}]}'

    [(_, cases)] = members(text)
    assert list(elements(cases)) == ["NaN", "1e999", '{"a":1,"a":2}']
