import pytest

from ragproof_ray.config import config_from_mapping
from ragproof_ray.errors import ConfigError

PYTHON = {"type": "python", "target": "app:Pipeline"}


def message(**keys):
    with pytest.raises(ConfigError) as caught:
        config_from_mapping({"project": "p", "adapter": PYTHON} | keys, (), {})
    return str(caught.value)


@pytest.mark.parametrize(
    ("keys", "mistake"),
    [
        ({"projct": "p"}, "projct: unknown key; did you mean 'project'?"),
        (
            {"run": {"Source-Match": "chunk"}},
            "run.Source-Match: unknown key; did you mean 'source_match'?",
        ),
        (
            {"gate": {"thresholds": {"m": {"max-dorp": 1}}}},
            "gate.thresholds.m.max-dorp: unknown key; did you mean 'max_drop'?",
        ),
        (
            {"adapter": PYTHON | {"http": {"answr": {}}}},
            "adapter.http.answr: unknown key; did you mean 'answer'?",
        ),
    ],
)
def test_an_unknown_key_names_the_nearest_valid_key(keys, mistake):
    assert message(**keys) == f"config: {mistake}"


def test_an_unknown_key_far_from_all_lists_the_valid_keys():
    assert message(adapter=PYTHON | {"zzz": 1}) == (
        "config: adapter.zzz: unknown key; valid keys: type, target, http"
    )


def test_a_key_that_is_not_text_is_named():
    assert message(run={5: 1}) == (
        "config: run.5: the key is not text; put it in quotes"
    )


def test_all_mistakes_are_reported_together():
    assert message(project=5, run={"k": 0, "kk": 1}, gate={"seed": "x"}) == (
        "4 mistakes in the configuration:\n"
        "  config: project: got 5; give text (in quotes)\n"
        "  config: run.k: got 0; give a number >= 1\n"
        "  config: run.kk: unknown key; did you mean 'k'?\n"
        "  config: gate.seed: got 'x'; give a whole number"
    )


def test_mistakes_after_the_fiftieth_are_counted():
    lines = message(run={f"zz{i}": 1 for i in range(53)}).splitlines()

    assert lines[0] == "53 mistakes in the configuration:"
    assert len(lines) == 52
    assert lines[-1] == "  and 3 more"


def test_a_long_value_is_cut():
    assert message(run={"k": "x" * 100}) == (
        f"config: run.k: got '{'x' * 59}...; give a whole number"
    )


def test_a_value_is_redacted_before_it_is_cut(monkeypatch):
    secret = "s" * 70
    monkeypatch.setenv("DEMO_API_KEY", secret)

    assert message(run={"k": secret}) == (
        "config: run.k: got '[redacted]'; give a whole number"
    )


def test_a_secret_used_as_a_key_is_redacted(monkeypatch):
    monkeypatch.setenv("DEMO_API_KEY", "demo-secret-000111222")

    assert "config: run.[redacted]: unknown key" in message(
        run={"demo-secret-000111222": 1}
    )


def test_the_contents_of_a_mapping_are_not_shown():
    assert message(dataset={"password": "x"}) == (
        "config: dataset: got a mapping; give text (in quotes)"
    )


def test_a_number_with_thousands_of_digits_is_not_written_out():
    assert message(run={"k": 10**5000}) == (
        "config: run.k: got a very large number; give a number <= 2147483647"
    )


def test_a_value_of_another_type_is_named_by_type():
    assert message(dataset=object()) == (
        "config: dataset: got a value of type object; give text (in quotes)"
    )


def test_a_key_with_control_characters_is_escaped():
    assert message(**{"a\x1b[2J": 1}).startswith("config: 'a\\x1b[2J': unknown key")


def test_a_body_that_holds_itself_is_refused():
    body: list[object] = []
    body.append(body)
    request = {"url": "u", "body": body}
    http = {"answer": {"request": request, "answer_path": "a"}}

    assert message(adapter={"type": "http", "http": http}).startswith(
        "config: adapter.http.answer.request.body"
    )
