import asyncio
import math
import sys
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from ragproof_ray.errors import ConfigError
from ragproof_ray.metrics import (
    METRICS,
    Case,
    Chunk,
    Response,
    ScoringParams,
    Skip,
    UserMetric,
    load_user_metric,
    metric_names,
    score,
)

PARAMS = ScoringParams(5, "chunk")


@pytest.fixture
def run(frame_of):
    """Score cases with one function; gives (value, status, reason) per case."""

    def score_with(function, *cases):
        metric = UserMetric("mine.metric", function)
        scores = score(frame_of(*cases), PARAMS, [metric])
        return scores.select(pl.col("^mine\\.metric\\..*$")).rows()

    return score_with


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write an importable module into the working directory; gives its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p != str(tmp_path)])

    def write(source, name):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        return name

    return write


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (0.25, 0.25),
        (3, 3.0),
        (Fraction(1, 4), 0.25),
        (np.float32(0.5), 0.5),
        (np.int64(2), 2.0),
    ],
)
def test_numbers_are_scores(run, result, value):
    assert run(lambda _case, _response: result, {}) == [(value, "scored", None)]


def test_negative_zero_is_stored_as_zero(run):
    ((value, _, _),) = run(lambda _case, _response: -0.0, {})

    assert math.copysign(1, value) == 1


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (math.nan, "metric returned nan, not a finite number"),
        (math.inf, "metric returned inf, not a finite number"),
        (10**400, "metric returned inf, not a finite number"),
        (True, "metric returned a bool, not a number"),
        (np.True_, "metric returned a bool, not a number"),
        ("1.0", "metric returned a str, not a number"),
        ([1.0], "metric returned a list, not a number"),
    ],
)
def test_anything_else_is_an_error_of_that_case(run, result, reason):
    assert run(lambda _case, _response: result, {}) == [(None, "error", reason)]


def test_none_is_a_skip_without_a_reason_of_its_own(run):
    assert run(lambda _case, _response: None, {}) == [
        (None, "skipped", "metric returned no value")
    ]


def test_skip_gives_its_reason(run):
    assert run(lambda _case, _response: Skip("too short"), {}) == [
        (None, "skipped", "too short")
    ]


def test_an_unpaired_surrogate_in_a_reason_is_replaced(run):
    assert run(lambda _case, _response: Skip("\ud800 bad"), {}) == [
        (None, "skipped", "\ufffd bad")
    ]


@pytest.mark.parametrize("reason", [None, "", " ", 5, ["too short"]])
def test_a_skip_without_a_text_for_a_reason_says_so(run, reason):
    assert run(lambda _case, _response: Skip(reason), {}) == [
        (None, "skipped", "metric skipped without a reason")
    ]


class OwnStop(BaseException):
    pass


@pytest.mark.parametrize(
    "error",
    [
        *(SystemExit(3), KeyboardInterrupt(), GeneratorExit(), OwnStop()),
        asyncio.CancelledError(),
    ],
)
def test_what_would_end_more_than_a_case_is_an_error_of_that_case(run, error):
    def leave(case, _response):
        if case.id == "a":
            raise error
        return 1.0

    left, scored = run(leave, {"case_id": "a"}, {"case_id": "b"})

    assert left[1] == "error"
    assert left[2].startswith(f"{type(error).__name__}: ")
    assert scored == (1.0, "scored", None)


def test_a_number_that_cannot_be_read_is_an_error_of_that_case(run):
    class Broken(Fraction):
        def __float__(self):
            raise ValueError("no digits")

    assert run(lambda _case, _response: Broken(1, 2), {}) == [
        (None, "error", "ValueError: no digits")
    ]


def test_an_error_with_an_unpaired_surrogate_can_be_stored(run):
    def fail(_case, _response):
        raise ValueError("\udcff")

    assert run(fail, {}) == [(None, "error", "ValueError: \ufffd")]


def test_an_exception_is_an_error_of_that_case_and_metric_only(frame_of):
    def brittle(case, _response):
        if case.id == "c2":
            raise ValueError("no luck")
        return 1.0

    frame = frame_of(*({"case_id": name} for name in ("c1", "c2", "c3")))
    scores = score(
        frame,
        PARAMS,
        [UserMetric("m.brittle", brittle), UserMetric("m.steady", lambda *_: 0.5)],
    )

    assert scores["m.brittle.status"].to_list() == ["scored", "error", "scored"]
    assert scores["m.brittle.reason"].to_list() == [None, "ValueError: no luck", None]
    assert scores["m.steady.value"].to_list() == [0.5, 0.5, 0.5]


def test_a_nan_leaves_the_mean_of_the_other_cases_alone(run):
    values = {"a": 1.0, "b": math.nan, "c": 0.5}

    rows = run(lambda case, _: values[case.id], *({"case_id": i} for i in values))

    assert pl.Series([value for value, _, _ in rows]).mean() == 0.75
    assert [status for _, status, _ in rows] == ["scored", "error", "scored"]


def test_an_error_is_redacted_and_cut(run, monkeypatch):
    monkeypatch.setenv("DEMO_API_KEY", "sk-very-secret-0001")

    def leak(_case, _response):
        raise RuntimeError("key sk-very-secret-0001 " + "x" * 400)

    ((_, _, reason),) = run(leak, {})

    assert reason.startswith("RuntimeError: key [redacted] xxx")
    assert len(reason) == 300


def test_an_error_that_cannot_be_printed_is_still_an_error(run):
    class MuteError(Exception):
        def __str__(self):
            raise RuntimeError

    def fail(_case, _response):
        raise MuteError

    ((_, status, reason),) = run(fail, {})

    assert status == "error"
    assert reason.startswith("MuteError: ")


def test_a_failed_case_is_not_passed_on(run):
    seen = []

    rows = run(lambda case, _: seen.append(case.id), {"status": "timeout"})

    assert rows == [(None, "error", "case failed")]
    assert seen == []


def test_a_metric_sees_the_case_and_the_response(run):
    seen = []

    def look(case, response):
        seen.append((case, response))
        return 1

    run(
        look,
        {
            "case_id": "c9",
            "question": "Why?",
            "expected_answer": "So.",
            "expected_source_ids": ["d1"],
            "metadata": '{"tags": ["vip", 3]}',
            "retrieved_ids": ["a"],
            "retrieved_document_ids": ["d1"],
            "retrieved_texts": ["text"],
            "retrieved_scores": [0.5],
            "answer_text": "So.",
            "cited_ids": ["a", "a"],
        },
    )

    assert seen == [
        (
            Case("c9", "qa", "Why?", "So.", ("d1",), None, {"tags": ["vip", 3]}),
            Response((Chunk("a", "text", 0.5, "d1"),), "So.", ("a", "a")),
        )
    ]


def test_what_is_absent_is_none_or_empty(run):
    seen = []

    run(lambda case, response: seen.append((case.metadata, response)), {})

    assert seen == [({}, Response(None, None, ()))]


def test_chunks_without_stored_texts_have_none(run):
    seen = []

    run(lambda _, response: seen.extend(response.retrieved), {"retrieved_ids": ["a"]})

    assert seen == [Chunk("a", None, None, "a")]


@pytest.mark.parametrize("separator", [":", "."])
def test_a_metric_is_loaded_by_import_path(module, separator):
    name = module("def brevity(case, response): return 1.0", f"plain_{ord(separator)}")

    metric = load_user_metric(f"{name}{separator}brevity")

    assert metric.name == f"{name}.brevity"
    assert (metric.direction, metric.binary) == ("higher", False)


def test_direction_and_binary_are_attributes_of_the_function(module):
    name = module(
        "def cost(case, response): return 1\ncost.direction = 'lower'\ncost.binary = True",
        "with_attributes",
    )

    metric = load_user_metric(f"{name}:cost")

    assert (metric.direction, metric.binary) == ("lower", True)


@pytest.mark.parametrize(
    ("source", "attribute", "complaint"),
    [
        ("", "absent", "AttributeError"),
        ("raise RuntimeError('boom')", "m", "RuntimeError: boom"),
        ("raise SystemExit(3)", "m", "SystemExit: 3"),
        ("raise GeneratorExit('g')", "m", "GeneratorExit: g"),
        ("m = 3", "m", "is a int that cannot be called"),
        ("async def m(case, response): return 1", "m", "cannot be called as a metric"),
        ("def m(case, response): return 1\nm.direction = 'up'", "m", "'up'"),
        ("def m(case, response): return 1\nm.direction = ['up']", "m", "'up'"),
    ],
)
def test_what_cannot_be_a_metric_is_a_config_error(
    module, request, source, attribute, complaint
):
    name = module(source, f"bad_{abs(hash(request.node.name))}")

    with pytest.raises(ConfigError, match=complaint):
        load_user_metric(f"{name}:{attribute}")


def test_ctrl_c_during_the_import_of_a_metric_is_left_alone(module):
    name = module("raise KeyboardInterrupt", "interrupted_import")

    with pytest.raises(KeyboardInterrupt):
        load_user_metric(f"{name}:m")


@pytest.mark.parametrize("path", ["", "brevity", ":brevity", "module:"])
def test_a_path_without_module_or_function_is_a_config_error(path):
    with pytest.raises(ConfigError, match="is not an import path"):
        load_user_metric(path)


def test_names_may_not_collide():
    def metric(name):
        return UserMetric(name, lambda *_: 1.0)

    with pytest.raises(ConfigError, match=r"'a\.b' is taken twice"):
        metric_names([metric("a.b"), metric("a.b")])
    with pytest.raises(ConfigError, match=r"'retrieval\.mrr' is taken twice"):
        metric_names([metric("retrieval.mrr")])


def test_user_metrics_are_named_after_the_thirteen():
    names = metric_names([UserMetric("a.b", lambda *_: 1.0)])

    assert names == [*(metric.name for metric in METRICS), "a.b"]
