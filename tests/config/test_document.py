import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.config.document import Document, read_document
from ragproof_ray.errors import ConfigError


def refusal(text):
    with pytest.raises(ConfigError) as caught:
        read_document(text, "c.yaml")
    return str(caught.value)


def test_an_empty_document_has_no_value():
    assert read_document("# only a comment\n", "c.yaml") == (None, [])


def test_a_key_given_twice_is_named_with_both_lines():
    value, faults = read_document("a: 1\nb: {c: 1,\n  c: 2}\na: 3\na: 4\n", "c.yaml")

    assert value == {"a": 4, "b": {"c": 2}}
    assert faults == [
        "c.yaml line 4: key 'a' is already on line 1; keep one",
        "c.yaml line 5: key 'a' is already on line 1; keep one",
        "c.yaml line 3: key 'c' is already on line 2; keep one",
    ]


def test_a_key_over_a_merged_one_is_no_duplicate():
    text = "a: &a {x: 1, y: 1}\nb: {<<: *a, x: 2}\n"

    assert read_document(text, "c.yaml") == (
        {"a": {"x": 1, "y": 1}, "b": {"x": 2, "y": 1}},
        [],
    )


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("a: [\n", "line 2 column 1", "expected the node content"),
        ("a:\n\tb: 1\n", "line 2 column 1", "; indent with spaces"),
        ("a: 1\n b: 2\n", "line 2 column 3", "mapping values are not allowed here"),
        ("a: *b\n", "line 1 column 4", "found undefined alias 'b'"),
        ("a: 1\n---\nb: 2\n", "line 2 column 1", "found another document"),
        ("? [a]\n: 1\n", "line 1 column 3", "found unhashable key"),
        ("a: !!int x\n", "line 1 column 4", "does not fit its type"),
        ("a: !!bool x\n", "line 1 column 4", "does not fit its type"),
        ("a: !!int ''\n", "line 1 column 4", "does not fit its type"),
        ("a: !!timestamp x\n", "line 1 column 4", "does not fit its type"),
        ("a: 2024-13-45\n", "line 1 column 4", "does not fit its type"),
        (f"a: 0x{'f' * 300}\n", "line 1 column 4", "the number is too large"),
        (f"a: {'9' * 5000}\n", "line 1 column 4", "does not fit its type"),
        ('a: "\\ud800"\n', "line 1 column 4", "half of a surrogate pair"),
        ('a: "\\U99999999"\n', "line 1 column 7", "is out of range"),
        ("a: &a [*a]\n", "line 1 column 4", "inside its own anchor"),
    ],
)
def test_what_is_not_yaml_is_placed_by_line_and_column(text, place, problem):
    message = refusal(text)

    assert message.startswith(f"c.yaml {place}: not valid YAML: ")
    assert problem in message


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:os.system", "!!python/name:os.system", "!custom"]
)
def test_tags_beyond_plain_data_are_refused(tag):
    assert refusal(f"a: {tag} [x]\n").endswith("; remove the tag")


def test_a_control_character_is_named_with_its_line():
    assert refusal("a: 1\nb: \x00\n") == (
        "c.yaml line 2: character U+0000 is not allowed in YAML; remove it"
    )


def test_a_surrogate_pair_in_json_escapes_is_one_character():
    assert read_document('a: "\\ud83d\\ude00"', "c.yaml").value == {"a": "😀"}


def test_aliases_that_expand_without_bound_are_refused():
    rows = ["a0: &a0 [x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 40)]

    assert refusal("\n".join(rows)) == (
        "c.yaml: over 100,000 values with its aliases written out; "
        "drop what the run does not need"
    )


def test_merge_keys_that_expand_without_bound_are_refused():
    rows = ["a0: &a0 {x: 1}"]
    rows += [
        f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}" for i in range(1, 40)
    ]

    assert "over 100,000 values" in refusal("\n".join(rows))


def test_deep_nesting_is_refused():
    assert refusal("[" * 5000) == "c.yaml: nested too deeply; flatten it"


def test_a_secret_in_broken_yaml_is_redacted(monkeypatch):
    monkeypatch.setenv("DEMO_TOKEN", "demo-secret-000111222")

    assert "demo-secret" not in refusal("a: *demo-secret-000111222\n")


FRAGMENTS = st.sampled_from(
    [
        *[
            "a",
            "b",
            ":",
            "-",
            "[",
            "]",
            "{",
            "}",
            ",",
            "?",
            "#",
            "|",
            ">",
            "%",
            "@",
            "=",
            "~",
            "1",
            "'",
            '"',
            "<<",
            "---",
            ".inf",
            "0x",
            "1:9",
            "&x",
            "*x",
        ],
        *[
            "int",
            "float",
            "bool",
            "binary",
            "timestamp",
            "set",
            "omap",
            "pairs",
            "null",
            "map",
            "seq",
            "str",
        ],
        *[" ", "\n", "\n  ", "\t", ": ", "- ", " !!", "\\ud800"],
    ]
)


def value_or_refusal(text):
    try:
        return read_document(text, "c.yaml")
    except ConfigError as error:
        return error


@given(st.lists(FRAGMENTS | st.text(max_size=3), max_size=30).map("".join))
def test_any_text_gives_a_document_or_a_config_error(text):
    assert isinstance(value_or_refusal(text), Document | ConfigError)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(VALUES)
def test_what_yaml_writes_is_read_back(value):
    text = yaml.safe_dump(value)

    assert read_document(text, "c.yaml") == (value, [])
