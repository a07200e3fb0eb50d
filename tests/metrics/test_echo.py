import pytest

ECHO = "echo.exact_match"


@pytest.mark.parametrize(
    ("answer", "expected", "value"),
    [
        ("Paris", "Paris", 1.0),
        ("  Paris\n", "Paris", 1.0),
        ("Paris", "\u3000Paris\x1f", 1.0),
        ("paris", "Paris", 0.0),
        ("Par is", "Paris", 0.0),
        (" ", "", 1.0),
        ("x", "", 0.0),
    ],
)
def test_echo_compares_texts_without_surrounding_whitespace(
    entries, answer, expected, value
):
    case = {"answer_text": answer, "expected_answer": expected}

    assert entries(case)[ECHO] == (value, "scored", None)


def test_echo_is_skipped_without_an_expected_answer(entries):
    assert entries({})[ECHO] == (None, "skipped", "case has no expected_answer")


def test_echo_is_skipped_without_an_answer(entries):
    assert entries({"expected_answer": ""})[ECHO] == (
        None,
        "skipped",
        "adapter did not produce an answer",
    )
