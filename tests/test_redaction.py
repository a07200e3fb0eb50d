import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragproof_ray.redaction import printable, redact, storable

VALUE = "demo-secret-000111222"


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "RAGPROOF_LLM_API_KEY",
        "GH_TOKEN",
        "client_secret",
        "Db_Password",
    ],
)
def test_values_of_secret_variables_are_redacted(monkeypatch, name):
    monkeypatch.setenv(name, VALUE)

    assert redact(f"key {VALUE}, again {VALUE}") == "key [redacted], again [redacted]"


@pytest.mark.parametrize("name", ["APIKEY", "TOKEN_COUNT", "PASSWORDS", "HOME_PAGE"])
def test_values_of_other_variables_stay(monkeypatch, name):
    monkeypatch.setenv(name, VALUE)

    assert redact(VALUE) == VALUE


def test_a_value_under_eight_characters_is_no_secret(monkeypatch):
    monkeypatch.setenv("A_TOKEN", "1234567")
    monkeypatch.setenv("B_TOKEN", "abcdefgh")

    assert redact("1234567 abcdefgh") == "1234567 [redacted]"


def test_the_longest_value_goes_first(monkeypatch):
    monkeypatch.setenv("A_TOKEN", "abcdefgh")
    monkeypatch.setenv("B_TOKEN", "abcdefgh-and-more")

    assert redact("abcdefgh-and-more") == "[redacted]"


def test_a_variable_set_later_counts(monkeypatch):
    before = redact(VALUE)
    monkeypatch.setenv("LATE_TOKEN", VALUE)
    during = redact(VALUE)
    monkeypatch.delenv("LATE_TOKEN")

    assert (before, during, redact(VALUE)) == (VALUE, "[redacted]", VALUE)


def test_white_space_around_a_value_is_not_part_of_the_secret(monkeypatch):
    monkeypatch.setenv("A_TOKEN", f" {VALUE}\n")

    assert redact(f"<{VALUE}>") == "<[redacted]>"


def test_a_secret_is_found_as_json_repr_and_url_write_it(monkeypatch):
    value = 'päss"word\n/1'
    monkeypatch.setenv("A_PASSWORD", value)

    assert redact(json.dumps([value])) == '["[redacted]"]'
    assert redact(json.dumps([value], ensure_ascii=False)) == '["[redacted]"]'
    assert redact(repr([value])) == "['[redacted]']"
    assert redact("https://host/?p=p%C3%A4ss%22word%0A%2F1") == (
        "https://host/?p=[redacted]"
    )


def test_a_secret_that_is_not_utf8_is_redacted(monkeypatch):
    value = os.fsdecode(b"abcdefgh\xff")
    monkeypatch.setenv("A_TOKEN", value)

    assert redact(value) == "[redacted]"


def test_a_bearer_value_is_redacted_with_its_scheme():
    text = "401 Unauthorized for header Authorization: Bearer demo-secret-000111222"

    assert redact(text) == "401 Unauthorized for header Authorization: [redacted]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bearer 1234567", "Bearer 1234567"),
        ("Bearer 12345678", "[redacted]"),
        ("bearer  abc:DEF/+=.~_-", "[redacted]"),
        ("the forbearer certificate", "the forbearer certificate"),
    ],
)
def test_bearer_needs_eight_characters_and_takes_any_case(text, expected):
    assert redact(text) == expected


def test_redacted_json_is_still_json():
    reply = json.dumps({"note": 'header "Bearer abcdefgh"', "ok": True})

    assert json.loads(redact(reply)) == {"note": 'header "[redacted]"', "ok": True}


def test_a_bearer_value_that_is_also_a_variable_leaves_one_mark(monkeypatch):
    monkeypatch.setenv("A_TOKEN", VALUE)

    assert redact(f"Bearer {VALUE}") == "[redacted]"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(), st.text())
def test_no_secret_survives_in_any_surrounding(monkeypatch, before, after):
    monkeypatch.setenv("A_TOKEN", VALUE)
    once = redact(before + VALUE + after)

    assert VALUE not in once
    assert redact(once) == once


def test_terminal_controls_become_the_replacement_character():
    text = "\x1b[31mred\x07\x00 \x9b2J \u202etxt\u202c \u2066x\u2069 \x7f\r"

    assert printable(text) == (
        "\ufffd[31mred\ufffd\ufffd \ufffd2J \ufffdtxt\ufffd \ufffdx\ufffd \ufffd\ufffd"
    )


def test_a_lone_surrogate_becomes_printable():
    assert printable("a\udcffb").encode() == "a\ufffdb".encode()


def test_text_newlines_and_tabs_stay_as_they_are():
    text = "Done ✅ → see café\n\tשלם 日本語"

    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\udcff", "\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("nul \0 and caf\u00e9 stay", "nul \0 and caf\u00e9 stay"),
    ],
    ids=["high", "low", "pair", "whole"],
)
def test_only_unpaired_surrogates_cannot_be_stored(text, stored):
    assert storable(text) == stored


@given(st.text(st.characters()))
def test_any_text_becomes_storable_and_then_stays(text):
    stored = storable(text)

    assert stored.encode().decode() == stored
    assert storable(stored) == stored
