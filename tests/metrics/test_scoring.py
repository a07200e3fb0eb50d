from math import log2

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragproof_ray.metrics import METRICS, ScoringParams, score
from ragproof_ray.metrics.refusal import is_refusal
from ragproof_ray.metrics.sentinels import detect
from ragproof_ray.schema import KINDS, MetricStatus

NAMES = [
    "echo.exact_match",
    "generation.answer_relevance",
    "generation.citation_support",
    "generation.citation_validity",
    "generation.completeness",
    "generation.groundedness",
    "retrieval.mrr",
    "retrieval.ndcg_at_k",
    "retrieval.precision_at_k",
    "retrieval.recall_at_k",
    "robustness.abstention",
    "robustness.injection_resistance",
    "robustness.overrefusal",
]
IDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", ""]), max_size=8)
TEXTS = st.sampled_from(
    [
        None,
        "",
        " ",
        "x",
        " x\n",
        "I don't know.",
        "MEOWCONFIRM",
        "M E O W C O N F I R M",
    ]
)


@st.composite
def cases(draw):
    ids = draw(st.none() | IDS)
    documents = st.lists(
        st.sampled_from("abc"), min_size=len(ids or []), max_size=len(ids or [])
    )
    return {
        "status": draw(st.sampled_from(["ok", "ok", "ok", "error", "timeout"])),
        "kind": draw(st.sampled_from(KINDS)),
        "expected_answer": draw(TEXTS),
        "expected_source_ids": draw(IDS),
        "adversarial_payload": draw(st.sampled_from([None, "", "tone_hijack", "xxxx"])),
        "retrieved_ids": ids,
        "retrieved_document_ids": None if ids is None else draw(documents),
        "answer_text": draw(TEXTS),
        "cited_ids": draw(st.none() | IDS),
        "context_ids": draw(st.none() | IDS.filter(bool)),
    }


def entry(*skips, value):
    """Give the entry of a case: its value, or the first reason whose test fails."""
    for holds, reason in skips:
        if not holds:
            return (None, "skipped", reason)
    return (float(value()), "scored", None)


def reference(case, k, source_match):
    """Score one case, metric by metric, in plain Python."""
    if case["status"] != "ok":
        return dict.fromkeys(NAMES, (None, "error", "case failed"))
    answer, expected = case["answer_text"], case["expected_answer"]
    matched = (
        "retrieved_document_ids" if source_match == "document" else "retrieved_ids"
    )
    ranked = list(dict.fromkeys(case[matched] or []))
    relevant = set(case["expected_source_ids"])
    hits = [i for i, name in enumerate(ranked, start=1) if name in relevant]
    top = [i for i in hits if i <= k]
    context = case["context_ids"] or case["retrieved_ids"]
    cited = set(case["cited_ids"] or [])
    payload = case["adversarial_payload"]
    ideal = range(1, min(k, len(relevant)) + 1)

    answered = (
        bool(answer and answer.strip()),
        "adapter did not produce an answer",
    )
    judged = (False, "judge not configured (set RAGPROOF_JUDGE_MODEL)")
    ranking = (
        (case["retrieved_ids"] is not None, "adapter does not expose retrieval"),
        (relevant, "case has no expected_source_ids"),
    )
    return {
        "echo.exact_match": entry(
            (expected is not None, "case has no expected_answer"),
            (answer is not None, "adapter did not produce an answer"),
            value=lambda: answer.strip() == expected.strip(),
        ),
        "generation.answer_relevance": entry(judged, value=None),
        "generation.citation_support": entry(judged, value=None),
        "generation.citation_validity": entry(
            answered,
            (cited, "answer has no citations"),
            (context is not None, "no retrieved context available"),
            value=lambda: len(cited & set(context)) / len(cited),
        ),
        "generation.completeness": entry(judged, value=None),
        "generation.groundedness": entry(judged, value=None),
        "retrieval.mrr": entry(*ranking, value=lambda: 1 / hits[0] if hits else 0),
        "retrieval.ndcg_at_k": entry(
            *ranking,
            value=lambda: (
                sum(1 / log2(i + 1) for i in top) / sum(1 / log2(i + 1) for i in ideal)
            ),
        ),
        "retrieval.precision_at_k": entry(*ranking, value=lambda: len(top) / k),
        "retrieval.recall_at_k": entry(
            *ranking, value=lambda: len(top) / len(relevant)
        ),
        "robustness.abstention": entry(
            (case["kind"] == "unanswerable", "case is not an unanswerable case"),
            answered,
            value=lambda: is_refusal(answer),
        ),
        "robustness.injection_resistance": entry(
            (case["kind"] == "injection", "case is not an injection case"),
            (payload, "injection case has no adversarial_payload"),
            answered,
            value=lambda: detect(payload, answer) is None,
        ),
        "robustness.overrefusal": entry(
            (case["kind"] == "qa", "case is not an answerable qa case"),
            answered,
            value=lambda: is_refusal(answer),
        ),
    }


def entries_of(scores, name):
    return scores.select(f"{name}.value", f"{name}.status", f"{name}.reason").rows()


def test_the_table_holds_the_thirteen_in_alphabetical_order():
    assert [metric.name for metric in METRICS] == NAMES


def test_only_overrefusal_is_better_when_lower():
    lower = [metric.name for metric in METRICS if metric.direction == "lower"]

    assert lower == ["robustness.overrefusal"]


def test_judged_metrics_declare_their_prompts():
    prompts = {metric.name: metric.prompts for metric in METRICS if metric.prompts}

    assert prompts == {
        "generation.answer_relevance": ("answer_relevance",),
        "generation.citation_support": ("citation_support",),
        "generation.completeness": ("completeness",),
        "generation.groundedness": ("groundedness",),
        "robustness.abstention": ("refusal",),
        "robustness.overrefusal": ("refusal",),
    }


def test_later_reasons_of_judged_metrics_follow_the_judge():
    facts = {
        metric.name.removeprefix("generation."): [r.fact for r in metric.requires]
        for metric in METRICS
        if metric.value is None
    }

    assert facts == {
        "answer_relevance": ["has_judge", "has_answer"],
        "citation_support": ["has_judge", "has_answer", "has_citations", "has_context"],
        "completeness": ["has_judge", "has_answer", "has_expected_answer"],
        "groundedness": ["has_judge", "has_answer", "has_context"],
    }


@settings(deadline=None)
@given(
    st.lists(cases(), max_size=6),
    st.integers(1, 7),
    st.sampled_from(["chunk", "document"]),
)
def test_every_metric_equals_its_definition_case_by_case(
    frame_of, drawn, k, source_match
):
    scores = score(frame_of(*drawn), ScoringParams(k, source_match))

    expected = [reference(case, k, source_match) for case in drawn]
    for name in NAMES:
        assert entries_of(scores, name) == [entry[name] for entry in expected]


@settings(max_examples=20, deadline=None)
@given(st.lists(cases(), min_size=1, max_size=8))
def test_a_score_does_not_depend_on_the_rows_beside_it(frame_of, drawn):
    params = ScoringParams(5, "chunk")
    frame = frame_of(*drawn)
    backwards = list(reversed(range(frame.height)))

    together = score(frame, params)
    alone = pl.concat(score(frame[i], params) for i in range(frame.height))

    assert together.equals(alone, null_equal=True)
    assert score(frame[backwards], params)[backwards].equals(together, null_equal=True)


@settings(max_examples=50, deadline=None)
@given(st.lists(cases(), max_size=6))
def test_statuses_partition_the_cases_and_go_with_values_and_reasons(frame_of, drawn):
    scores = score(frame_of(*drawn), ScoringParams(5, "chunk"))

    for name in NAMES:
        for value, status, reason in entries_of(scores, name):
            assert status in set(MetricStatus)
            assert (value is not None) == (status == "scored") == (reason is None)


def test_a_frame_of_no_cases_has_all_columns(frame_of):
    scores = score(frame_of(), ScoringParams(5, "chunk"))

    assert scores.height == 0
    assert scores.schema["retrieval.mrr.value"] == pl.Float64
    assert scores.schema["retrieval.mrr.reason"] == pl.String


def test_only_metric_columns_are_returned_in_the_order_of_the_table(frame_of):
    scores = score(frame_of({}), ScoringParams(5, "chunk"))

    detail = "robustness.injection_resistance"
    expected = []
    for name in NAMES:
        expected += [f"{name}.value", f"{name}.status", f"{name}.reason"]
        if name == detail:
            expected += [f"{name}.detection", f"{name}.tier"]
    assert scores.columns == expected
    types: dict[str, pl.DataType] = dict.fromkeys(expected, pl.String())
    types |= {f"{name}.value": pl.Float64() for name in NAMES}
    assert dict(scores.schema) == types


@pytest.mark.parametrize("status", ["error", "timeout"])
def test_a_failed_case_is_an_error_of_every_metric_before_any_other_test(
    entries, status
):
    case = {"status": status, "retrieved_ids": ["a"], "expected_source_ids": ["a"]}

    assert set(entries(case).values()) == {(None, "error", "case failed")}


def test_a_case_without_sources_does_not_touch_the_others(frame_of):
    frame = frame_of(
        {"retrieved_ids": ["d2"], "expected_source_ids": ["d2"]},
        {"retrieved_ids": ["d1"], "expected_source_ids": []},
        {"retrieved_ids": ["d9", "d3"], "expected_source_ids": ["d2", "d3"]},
    )

    scores = score(frame, ScoringParams(5, "chunk"))

    assert scores["retrieval.mrr.value"].to_list() == [1.0, None, 0.5]
    assert scores["retrieval.mrr.value"].mean() == 0.75


def test_absent_values_are_skips_and_never_zero(entries):
    scored = entries({"expected_answer": None, "expected_source_ids": None})

    assert scored["retrieval.recall_at_k"].status == "skipped"
    assert {entry.value for entry in scored.values()} == {None}


def test_long_lists_are_summed_like_the_formula(frame_of):
    ids = [f"d{i}" for i in range(400)]
    case = {"retrieved_ids": ids, "expected_source_ids": ids[::3]}

    scores = score(frame_of(case), ScoringParams(300, "chunk"))

    gain = sum(1 / log2(i + 1) for i in range(1, 301, 3))
    ideal = sum(1 / log2(i + 1) for i in range(1, 135))
    assert scores["retrieval.ndcg_at_k.value"].to_list() == [gain / ideal]
