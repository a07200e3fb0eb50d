import pytest

ANSWER = {"answer_text": "Two years.", "retrieved_ids": ["a", "b"]}
VALIDITY = "generation.citation_validity"
NO_JUDGE = "judge not configured (set RAGPROOF_JUDGE_MODEL)"


def test_validity_is_the_share_of_cited_ids_in_the_context(entries):
    case = ANSWER | {"cited_ids": ["a", "zzz"]}

    assert entries(case)[VALIDITY].value == 1 / 2


def test_cited_ids_are_deduplicated(entries):
    case = ANSWER | {"cited_ids": ["a", "a", "a", "zzz"]}

    assert entries(case)[VALIDITY].value == 1 / 2


def test_the_answers_own_chunks_are_the_context_when_it_has_some(entries):
    case = ANSWER | {"cited_ids": ["a"], "context_ids": ["c"]}

    assert entries(case)[VALIDITY].value == 0.0


def test_citations_name_chunks_also_when_documents_are_matched(entries):
    case = ANSWER | {"cited_ids": ["a"], "retrieved_document_ids": ["x", "y"]}

    assert entries(case, source_match="document")[VALIDITY].value == 1.0


def test_validity_is_zero_when_the_context_is_empty(entries):
    case = ANSWER | {"cited_ids": ["a"], "retrieved_ids": []}

    assert entries(case)[VALIDITY] == (0.0, "scored", None)


@pytest.mark.parametrize("text", [None, "", " \t\n\x1c"])
def test_validity_is_skipped_without_an_answer(entries, text):
    case = ANSWER | {"answer_text": text, "cited_ids": []}

    assert entries(case)[VALIDITY] == (
        None,
        "skipped",
        "adapter did not produce an answer",
    )


@pytest.mark.parametrize("cited", [None, []])
def test_validity_is_skipped_without_citations(entries, cited):
    case = ANSWER | {"cited_ids": cited, "retrieved_ids": None}

    assert entries(case)[VALIDITY].reason == "answer has no citations"


def test_validity_is_skipped_when_nothing_exposes_a_context(entries):
    case = ANSWER | {"cited_ids": ["a"], "retrieved_ids": None}

    assert entries(case)[VALIDITY].reason == "no retrieved context available"


@pytest.mark.parametrize(
    "name", ["answer_relevance", "citation_support", "completeness", "groundedness"]
)
def test_judged_metrics_are_skipped_without_a_judge(entries, name):
    assert entries({})[f"generation.{name}"] == (None, "skipped", NO_JUDGE)
