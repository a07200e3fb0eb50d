"""The RAGPROOF_* variables, read once and checked together.

RAGPROOF_LLM_API_KEY is not among them: it is read where a request is sent, and
never held in a record that could be printed or pickled.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from ragproof_ray.config.faults import config_error, near_match, shown_value
from ragproof_ray.config.sections import MAX_COUNT

PROVIDERS = ("openrouter", "openai", "ollama", "anthropic")

_MAX_USD = Decimal("1e12")
_PROVIDER = "RAGPROOF_LLM_PROVIDER"
_INPUT_PRICE = "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK"
_OUTPUT_PRICE = "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK"
_BUDGET = "RAGPROOF_MAX_COST_USD"
_CONCURRENCY = "RAGPROOF_MAX_CONCURRENCY"


@dataclass(frozen=True, slots=True)
class Environment:
    """The settings of judge and generator; None is unset."""

    provider: str
    base_url: str | None
    judge_model: str | None
    generator_model: str | None
    input_usd_per_mtok: Decimal | None
    output_usd_per_mtok: Decimal | None
    budget_usd: Decimal | None  # None also for an infinite one
    max_concurrency: int | None


def read_environment(environ: Mapping[str, str]) -> Environment:
    """Read the RAGPROOF_* variables; a blank one is unset.

    Raises:
        ConfigError: Names every variable with a bad value, and a budget that cannot
            be kept because a judge is set and its prices are not.

    """
    variables = Variables(environ)
    environment = Environment(
        provider=variables.provider(),
        base_url=variables.text("RAGPROOF_LLM_BASE_URL"),
        judge_model=variables.text("RAGPROOF_JUDGE_MODEL"),
        generator_model=variables.text("RAGPROOF_GEN_MODEL"),
        input_usd_per_mtok=variables.price(_INPUT_PRICE),
        output_usd_per_mtok=variables.price(_OUTPUT_PRICE),
        budget_usd=variables.budget(),
        max_concurrency=variables.max_concurrency(),
    )
    if environment.judge_model and environment.budget_usd is not None:
        variables.need_prices()
    if variables.faults:
        raise config_error(variables.faults)
    return environment


class Variables:
    """Typed reads of an environment that remember every mistake in `faults`."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.faults: list[str] = []

    def text(self, name: str) -> str | None:
        """Return the trimmed value, None when blank."""
        return self._environ.get(name, "").strip() or None

    def provider(self) -> str:
        """Return RAGPROOF_LLM_PROVIDER, the first of `PROVIDERS` when unset."""
        text = self.text(_PROVIDER)
        if text in PROVIDERS:
            return text
        if text is not None:
            nearest = near_match(text, PROVIDERS)
            hint = f" (did you mean {nearest!r}?)" if nearest else ""
            self._refuse(_PROVIDER, f"one of {', '.join(PROVIDERS)}{hint}")
        return PROVIDERS[0]

    def max_concurrency(self) -> int | None:
        """Return RAGPROOF_MAX_CONCURRENCY, 1 or more."""
        text = self.text(_CONCURRENCY)
        if text is None:
            return None
        try:
            value = int(text)
        except ValueError:
            value = 0
        if 1 <= value <= MAX_COUNT:
            return value
        self._refuse(_CONCURRENCY, "a whole number >= 1")
        return None

    def price(self, name: str) -> Decimal | None:
        """Return USD per million tokens, exactly as written."""
        text = self.text(name)
        return None if text is None else self._usd(name, text)

    def budget(self) -> Decimal | None:
        """Return RAGPROOF_MAX_COST_USD; an infinite budget is none."""
        text = self.text(_BUDGET)
        if text is None or text.lower().lstrip("+") in ("inf", "infinity"):
            return None
        return self._usd(_BUDGET, text)

    def need_prices(self) -> None:
        """Note each unset price: a budget counted without it would never end a run."""
        for name in (_INPUT_PRICE, _OUTPUT_PRICE):
            if self.text(name) is None:
                self.faults.append(
                    f"{name}: missing, but {_BUDGET} needs it to count what the judge "
                    "costs; give the price in USD per million tokens (0 if it is free)"
                )

    def _usd(self, name: str, text: str) -> Decimal | None:
        try:
            amount = Decimal(text)
        except InvalidOperation:
            amount = Decimal("nan")
        if not amount.is_nan() and 0 <= amount <= _MAX_USD:
            return amount
        self._refuse(name, "an amount in USD >= 0, such as 0.25")
        return None

    def _refuse(self, name: str, expected: str) -> None:
        value = shown_value(self.text(name))
        self.faults.append(f"{name}: got {value}; give {expected}")
