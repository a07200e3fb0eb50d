"""Metrics that users write as plain functions of one case."""

import inspect
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from numbers import Real
from pathlib import Path
from traceback import TracebackException
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ragproof_ray.errors import ConfigError
from ragproof_ray.redaction import redact, storable

if TYPE_CHECKING:
    import polars as pl

Direction = Literal["higher", "lower"]

_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Skip:
    """What a metric returns for a case that it does not apply to, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Case:
    """A case as a user's metric sees it; `metadata` is {} when the case has none."""

    id: str
    kind: str
    question: str
    expected_answer: str | None
    expected_source_ids: tuple[str, ...]
    adversarial_payload: str | None
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One retrieved chunk; `text` is None when the run does not keep contexts."""

    id: str
    text: str | None
    score: float | None
    document_id: str


@dataclass(frozen=True, slots=True)
class Response:
    """What the pipeline returned for a case.

    `retrieved` is None when the adapter does not expose retrieval, `answer` when there
    is no answer. `citations` are the cited ids as returned, duplicates kept.
    """

    retrieved: tuple[Chunk, ...] | None
    answer: str | None
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UserMetric:
    """A user's function and the name, direction and scale of its scores."""

    name: str
    function: Callable[[Case, Response], object]
    direction: Direction = "higher"
    binary: bool = False


class Outcome(NamedTuple):
    """What became of a user's metric on one case."""

    value: float | None
    status: str
    reason: str | None


def load_user_metric(path: str) -> UserMetric:
    """Import a metric named `package.module:function` or `package.module.function`.

    The working directory can be imported from. Raises ConfigError when there is no such
    function, or it cannot be a metric.
    """
    module_name, _, attribute = path.rpartition(":" if ":" in path else ".")
    if not module_name or not attribute:
        raise ConfigError(
            f"metrics: {path!r} is not an import path; write `package.module:function`"
        )
    function = _import_function(path, module_name, attribute)
    direction: Direction = getattr(function, "direction", "higher")
    if direction not in ("higher", "lower"):
        raise ConfigError(
            f"metrics: {path!r} has direction {direction!r}; use 'higher' or 'lower'"
        )
    binary = bool(getattr(function, "binary", False))
    return UserMetric(f"{module_name}.{attribute}", function, direction, binary)


def _import_function(
    path: str, module_name: str, attribute: str
) -> Callable[..., object]:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found: Callable[..., object] = getattr(import_module(module_name), attribute)
    except KeyboardInterrupt:  # Ctrl-C, during a long import
        raise
    except BaseException as error:
        raise ConfigError(
            f"metrics: {path!r} cannot be imported: {_describe(error)}; "
            "check the path, and that the module can be imported from here"
        ) from error
    if not callable(found) or inspect.iscoroutinefunction(found):
        raise ConfigError(
            f"metrics: {path!r} is a {type(found).__name__} that cannot be called as a "
            "metric; write `def metric(case, response)`"
        )
    return found


def user_columns(frame: "pl.DataFrame", metric: UserMetric) -> "pl.DataFrame":
    """Score each row of a frame; gives its value, status and reason columns."""
    import polars as pl

    outcomes = [_score_row(metric, row) for row in frame.iter_rows(named=True)]
    return pl.DataFrame(
        outcomes,
        schema={
            f"{metric.name}.value": pl.Float64,
            f"{metric.name}.status": pl.String,
            f"{metric.name}.reason": pl.String,
        },
        orient="row",
    )


def _score_row(metric: UserMetric, row: Mapping[str, Any]) -> Outcome:
    if row["status"] != "ok":
        return Outcome(None, "error", "case failed")
    try:
        return _outcome(metric.function(_case(row), _response(row)))
    # Scoring runs in a thread of ours, where Ctrl-C and cancellations do not arrive.
    except BaseException as error:  # noqa: BLE001 - a user's function may raise anything
        return Outcome(None, "error", _describe(error))


def _outcome(result: object) -> Outcome:
    if result is None:
        return Outcome(None, "skipped", "metric returned no value")
    if isinstance(result, Skip):
        return Outcome(None, "skipped", _skip_reason(result.reason))
    if isinstance(result, bool) or not isinstance(result, Real):
        kind = type(result).__name__
        return Outcome(None, "error", f"metric returned a {kind}, not a number")
    try:
        value = float(result)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        return Outcome(None, "error", f"metric returned {value}, not a finite number")
    return Outcome(value + 0.0, "scored", None)  # -0.0 becomes 0.0


def _skip_reason(reason: object) -> str:
    if not isinstance(reason, str) or not reason.strip():
        return "metric skipped without a reason"
    return storable(reason)


def _describe(error: BaseException) -> str:
    """Give `Type: text`, redacted and cut, also when the error cannot be printed."""
    text = str(TracebackException(type(error), error, None))
    return storable(redact(f"{type(error).__name__}: {text}"))[:_LONGEST_REASON]


def _case(row: Mapping[str, Any]) -> Case:
    return Case(
        id=row["case_id"],
        kind=row["kind"],
        question=row["question"],
        expected_answer=row["expected_answer"],
        expected_source_ids=tuple(row["expected_source_ids"] or ()),
        adversarial_payload=row["adversarial_payload"],
        metadata=json.loads(row["metadata"] or "{}"),
    )


def _response(row: Mapping[str, Any]) -> Response:
    retrieved = None if row["retrieved_ids"] is None else tuple(_chunks(row))
    return Response(retrieved, row["answer_text"], tuple(row["cited_ids"] or ()))


def _chunks(row: Mapping[str, Any]) -> Iterator[Chunk]:
    ids = row["retrieved_ids"]
    absent = [None] * len(ids)
    return map(
        Chunk,
        ids,
        row["retrieved_texts"] or absent,
        row["retrieved_scores"] or absent,
        row["retrieved_document_ids"] or ids,
    )
