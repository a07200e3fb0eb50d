import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.dataset.faults import InvalidRecordError
from ragproof_ray.dataset.jsontext import (
    MAX_DEPTH,
    decode_json,
    decode_utf8,
    encode_json,
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON)
def test_decoding_undoes_encoding(value):
    assert decode_json(encode_json(value)) == value


@given(JSON)
def test_encoding_is_compact_and_unescaped(value):
    expected = json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    assert encode_json(value) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a":1,"a":1}', "key 'a' appears twice"),
        ('{"x":[{"b":1,"c":2,"b":3}]}', "key 'b' appears twice"),
        ("[NaN]", "NaN is not JSON"),
        ("[Infinity]", "Infinity is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
        ("[1e999]", "number '1e999' is too large"),
        ("[-1e999]", "number '-1e999' is too large"),
        ("9" * 5000, "an integer has 5000 digits"),
        ('"\\ud83d"', "unpaired surrogate \\ud83d"),
        ('"\\uDE00 x"', "unpaired surrogate \\ude00"),
        ('{"k\\udfff":1}', "unpaired surrogate \\udfff"),
        ("[" * 5000 + "]" * 5000, "nested more than 100 levels"),
        ('{"a":1', "not valid JSON: Expecting ',' delimiter at column 7"),
        ('{"a":1} x', "not valid JSON: Extra data at column 9"),
        ('{"a":\n tru}', "not valid JSON: Expecting value at line 2 column 2"),
        ('"a\tb"', "not valid JSON: Invalid control character at column 3"),
    ],
)
def test_what_json_alone_would_let_pass_is_refused(text, words):
    with pytest.raises(InvalidRecordError) as raised:
        decode_json(text)

    assert words in str(raised.value)


def test_a_surrogate_pair_is_one_character():
    assert decode_json('"\\ud83d\\ude00"') == "\U0001f600"


def test_an_escaped_backslash_before_ud_is_no_surrogate():
    assert decode_json('"C:\\\\udrive"') == "C:\\udrive"


def test_carriage_returns_around_a_value_are_white_space():
    assert decode_json("\t7 \r") == 7


def test_a_byte_that_is_not_utf8_is_named_with_its_offset():
    with pytest.raises(InvalidRecordError) as raised:
        decode_utf8(b"abc\xe9 d")

    assert "byte 0xe9 at offset 3" in str(raised.value)


def test_a_byte_order_mark_is_dropped_at_the_start_only():
    assert decode_utf8(b"\xef\xbb\xbfa\xef\xbb\xbf") == "a\ufeff"


@pytest.mark.parametrize("value", [math.nan, math.inf, b"x", {1, 2}])
def test_values_that_json_does_not_have_are_not_encoded(value):
    with pytest.raises(InvalidRecordError, match="a value is not JSON"):
        encode_json({"k": value})


def test_nesting_is_bounded_where_it_is_encoded():
    def nested(depth):
        return json.loads("[" * depth + "]" * depth)

    assert encode_json(nested(MAX_DEPTH)) == "[" * MAX_DEPTH + "]" * MAX_DEPTH
    with pytest.raises(InvalidRecordError, match="nested more than 100"):
        encode_json(nested(MAX_DEPTH + 1))


def test_many_shallow_containers_are_not_deep():
    assert encode_json([[]] * 1000) == "[" + ",".join(["[]"] * 1000) + "]"
