from math import log2

import pytest

PREFIX = "retrieval."


def values(scored):
    return {
        name.removeprefix(PREFIX): entry.value
        for name, entry in scored.items()
        if name.startswith(PREFIX)
    }


def test_a_hit_at_rank_three_scores_by_its_rank(entries):
    case = {"retrieved_ids": ["d1", "d2", "d3"], "expected_source_ids": ["d3"]}

    scored = values(entries(case))

    # One of five places, one of one source; 1 / log2(3 + 1) over 1 / log2(1 + 1).
    assert scored == {
        "precision_at_k": 1 / 5,
        "recall_at_k": 1.0,
        "mrr": 1 / 3,
        "ndcg_at_k": 0.5,
    }


def test_precision_divides_by_k_even_when_fewer_chunks_come_back(entries):
    case = {"retrieved_ids": ["d1"], "expected_source_ids": ["d1"]}

    assert entries(case, k=4)["retrieval.precision_at_k"].value == 1 / 4


def test_recall_ignores_a_relevant_chunk_below_k(entries):
    case = {"retrieved_ids": ["x", "d1", "d2"], "expected_source_ids": ["d1", "d2"]}

    assert entries(case, k=2)["retrieval.recall_at_k"].value == 1 / 2


def test_mrr_looks_below_k(entries):
    case = {"retrieved_ids": ["a", "b", "c", "d1"], "expected_source_ids": ["d1"]}

    scored = values(entries(case, k=2))

    assert scored["mrr"] == 1 / 4
    assert scored["ndcg_at_k"] == 0.0


def test_mrr_is_zero_without_a_hit(entries):
    case = {"retrieved_ids": ["a"], "expected_source_ids": ["d1"]}

    assert entries(case)["retrieval.mrr"].value == 0.0


def test_the_ideal_list_holds_all_expected_ids(entries):
    case = {"retrieved_ids": ["d1"], "expected_source_ids": ["d1", "d2"]}

    ndcg = entries(case)["retrieval.ndcg_at_k"].value

    assert ndcg == 1 / (1 + 1 / log2(3))
    assert round(ndcg, 6) == 0.613147


def test_the_ideal_list_is_cut_at_k(entries):
    case = {"retrieved_ids": ["d1"], "expected_source_ids": ["d1", "d2", "d3"]}

    assert entries(case, k=1)["retrieval.ndcg_at_k"].value == 1.0


def test_an_empty_retrieval_scores_zero(entries):
    case: dict[str, list[str]] = {"retrieved_ids": [], "expected_source_ids": ["d1"]}

    assert set(values(entries(case)).values()) == {0.0}


def test_a_duplicate_counts_once_and_does_not_push_others_down(entries):
    case = {"retrieved_ids": ["x", "x", "d1", "d1"], "expected_source_ids": ["d1"]}

    scored = values(entries(case, k=2))

    # Deduplicated: x, d1.
    assert scored == {
        "precision_at_k": 1 / 2,
        "recall_at_k": 1.0,
        "mrr": 1 / 2,
        "ndcg_at_k": 1 / log2(3),
    }


def test_expected_ids_are_a_set(entries):
    case = {"retrieved_ids": ["d1"], "expected_source_ids": ["d1", "d1", "d2"]}

    assert entries(case)["retrieval.recall_at_k"].value == 1 / 2


def test_documents_are_matched_by_document_id(entries):
    case = {
        "retrieved_ids": ["d1#1", "d1#2", "d2#1"],
        "retrieved_document_ids": ["d1", "d1", "d2"],
        "expected_source_ids": ["d2"],
    }

    assert entries(case, source_match="document")["retrieval.mrr"].value == 1 / 2
    assert entries(case, source_match="chunk")["retrieval.mrr"].value == 0.0


def test_duplicates_collapse_after_document_mapping_and_before_the_cut(entries):
    case = {
        "retrieved_ids": ["d1#1", "d1#2", "d1#3", "d2#1"],
        "retrieved_document_ids": ["d1", "d1", "d1", "d2"],
        "expected_source_ids": ["d2"],
    }

    scored = values(entries(case, k=2, source_match="document"))

    assert scored["recall_at_k"] == 1.0


def test_an_empty_document_id_counts_as_an_id(entries):
    case = {
        "retrieved_ids": ["c1"],
        "retrieved_document_ids": [""],
        "expected_source_ids": [""],
    }

    assert entries(case, source_match="document")["retrieval.mrr"].value == 1.0


def test_list_order_wins_over_tied_scores(entries):
    case = {
        "retrieved_ids": ["d1", "d2", "d3"],
        "retrieved_scores": [1.0, 1.0, 1.0],
        "expected_source_ids": ["d3"],
    }

    assert entries(case)["retrieval.mrr"].value == 1 / 3


@pytest.mark.parametrize("name", ["mrr", "ndcg_at_k", "precision_at_k", "recall_at_k"])
def test_retrieval_is_skipped_when_the_adapter_does_not_expose_it(entries, name):
    case: dict[str, object] = {"retrieved_ids": None, "expected_source_ids": []}

    assert entries(case)[PREFIX + name] == (
        None,
        "skipped",
        "adapter does not expose retrieval",
    )


@pytest.mark.parametrize("expected", [[], None])
def test_retrieval_is_skipped_without_expected_ids(entries, expected):
    case = {"retrieved_ids": ["d1"], "expected_source_ids": expected}

    assert entries(case)["retrieval.mrr"] == (
        None,
        "skipped",
        "case has no expected_source_ids",
    )


def test_retrieval_is_scored_for_every_kind_of_case(entries):
    case = {"retrieved_ids": ["d1"], "expected_source_ids": ["d1"]}

    for kind in ("qa", "unanswerable", "injection"):
        assert entries(case | {"kind": kind})["retrieval.mrr"].value == 1.0
