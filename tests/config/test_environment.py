from decimal import Decimal

import pytest

from ragproof_ray.config import Environment, read_environment
from ragproof_ray.errors import ConfigError

PRICES = {
    "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "0.15",
    "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "0.60",
}


def refusal(environ):
    with pytest.raises(ConfigError) as caught:
        read_environment(environ)
    return str(caught.value)


def test_an_empty_environment_is_all_defaults():
    assert read_environment({}) == Environment(
        provider="openrouter",
        base_url=None,
        judge_model=None,
        generator_model=None,
        input_usd_per_mtok=None,
        output_usd_per_mtok=None,
        budget_usd=None,
        max_concurrency=None,
    )


def test_every_variable_is_read():
    environ = PRICES | {
        "RAGPROOF_LLM_PROVIDER": " ollama ",
        "RAGPROOF_LLM_BASE_URL": "http://localhost:1234/v1",
        "RAGPROOF_JUDGE_MODEL": "judge-1",
        "RAGPROOF_GEN_MODEL": "writer-1",
        "RAGPROOF_MAX_COST_USD": "2.50",
        "RAGPROOF_MAX_CONCURRENCY": " 16 ",
    }

    assert read_environment(environ) == Environment(
        provider="ollama",
        base_url="http://localhost:1234/v1",
        judge_model="judge-1",
        generator_model="writer-1",
        input_usd_per_mtok=Decimal("0.15"),
        output_usd_per_mtok=Decimal("0.60"),
        budget_usd=Decimal("2.50"),
        max_concurrency=16,
    )


@pytest.mark.parametrize("blank", ["", "  ", "\t\n"])
def test_a_blank_variable_is_unset(blank):
    names = ["LLM_PROVIDER", "JUDGE_MODEL", "MAX_COST_USD", "MAX_CONCURRENCY"]
    environ = {f"RAGPROOF_{name}": blank for name in names}

    assert read_environment(environ) == read_environment({})


def test_money_keeps_its_decimal_text():
    environ = PRICES | {
        "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "0.1000000000000000000001"
    }

    assert str(read_environment(environ).input_usd_per_mtok) == (
        "0.1000000000000000000001"
    )


def test_an_infinite_budget_is_no_budget():
    environ = {"RAGPROOF_MAX_COST_USD": "inf", "RAGPROOF_JUDGE_MODEL": "judge-1"}

    assert read_environment(environ).budget_usd is None


@pytest.mark.parametrize("name", ["MAX_COST_USD", "JUDGE_INPUT_COST_PER_MTOK"])
@pytest.mark.parametrize("text", ["nan", "sNaN", "-1", "-inf", "1e13", "$5", "0,5"])
def test_an_amount_of_money_refuses(name, text):
    assert refusal({f"RAGPROOF_{name}": text}) == (
        f"RAGPROOF_{name}: got '{text}'; give an amount in USD >= 0, such as 0.25"
    )


def test_a_price_cannot_be_infinite():
    assert "got 'inf'" in refusal({"RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "inf"})


@pytest.mark.parametrize("text", ["0", "-1", "5.0", "many", "2147483648", "9" * 5000])
def test_max_concurrency_refuses(text):
    message = refusal({"RAGPROOF_MAX_CONCURRENCY": text})

    assert message.startswith(f"RAGPROOF_MAX_CONCURRENCY: got '{text[:59]}")
    assert message.endswith("; give a whole number >= 1")


def test_an_unknown_provider_names_the_nearest():
    assert refusal({"RAGPROOF_LLM_PROVIDER": "OpenAI"}) == (
        "RAGPROOF_LLM_PROVIDER: got 'OpenAI'; give one of "
        "openrouter, openai, ollama, anthropic (did you mean 'openai'?)"
    )


def test_a_provider_far_from_all_lists_them():
    assert refusal({"RAGPROOF_LLM_PROVIDER": "xyz"}).endswith(
        "give one of openrouter, openai, ollama, anthropic"
    )


def test_a_budget_with_a_judge_needs_both_prices():
    environ = {
        "RAGPROOF_JUDGE_MODEL": "judge-1",
        "RAGPROOF_MAX_COST_USD": "5",
        "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "0.15",
    }

    assert refusal(environ) == (
        "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK: missing, but RAGPROOF_MAX_COST_USD "
        "needs it to count what the judge costs; give the price in USD per million "
        "tokens (0 if it is free)"
    )


def test_zero_is_a_price():
    environ = {
        "RAGPROOF_JUDGE_MODEL": "judge-1",
        "RAGPROOF_MAX_COST_USD": "5",
        "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK": "0",
        "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK": "0",
    }

    assert read_environment(environ).input_usd_per_mtok == 0


def test_a_budget_without_a_judge_needs_no_prices():
    assert read_environment({"RAGPROOF_MAX_COST_USD": "5"}).budget_usd == 5


def test_every_bad_variable_is_reported_together():
    environ = {
        "RAGPROOF_LLM_PROVIDER": "xyz",
        "RAGPROOF_MAX_COST_USD": "nan",
        "RAGPROOF_MAX_CONCURRENCY": "0",
    }
    lines = refusal(environ).splitlines()

    assert lines[0] == "3 mistakes in the configuration:"
    assert [line.split(":")[0].strip() for line in lines[1:]] == list(environ)


def test_the_key_is_in_no_field():
    environment = read_environment({"RAGPROOF_LLM_API_KEY": "demo-secret-000111222"})

    assert "demo-secret" not in repr(environment)


def test_a_secret_in_the_wrong_variable_is_redacted(monkeypatch):
    monkeypatch.setenv("RAGPROOF_LLM_API_KEY", "demo-secret-000111222")

    assert "got '[redacted]'" in refusal(
        {"RAGPROOF_MAX_COST_USD": "demo-secret-000111222"}
    )
