"""Outcomes as columns, against the plain way of building the same frame."""

from itertools import count

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.adapters import Answered, Retrieved
from ragproof_ray.engine.responses import (
    FULL_CHARACTERS,
    FULL_ROWS,
    Failure,
    Outcome,
    ResponseBuffer,
)
from ragproof_ray.schema import RESPONSE_SCHEMA, CaseStatus

CHUNKS = Retrieved(["a", "b"], ["A", "B"], ["one", "two"], [0.5, None])
FAILURE = Failure(CaseStatus.TIMEOUT, "too late", "TimeoutError", "answer")

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@st.composite
def chunk_columns(draw):
    size = draw(st.integers(0, 3))
    column = st.lists(texts, min_size=size, max_size=size)
    score = st.none() | st.floats(allow_nan=False)
    scores = st.lists(score, min_size=size, max_size=size)
    return Retrieved(draw(column), draw(column), draw(column), draw(scores))


outcomes = st.builds(
    Outcome,
    st.integers(0, 2**32 - 1),
    st.floats(0, 1e6),
    st.none() | chunk_columns(),
    st.none()
    | st.builds(
        Answered,
        st.none() | texts,
        st.lists(texts, max_size=3),
        st.none() | chunk_columns(),
    ),
    st.none() | st.just(FAILURE),
)


def frame_of(*outcomes):
    buffer = ResponseBuffer()
    for outcome in outcomes:
        buffer.add(outcome)
    return buffer.to_frame()


def plain_row(outcome):
    retrieved, answered = outcome.retrieved, outcome.answered
    context = answered and answered.context
    is_repeated = bool(
        context
        and retrieved
        and context.ids == retrieved.ids
        and context.texts == retrieved.texts
    )
    stored = None if is_repeated else context
    return {
        "ordinal": outcome.ordinal,
        "status": "timeout" if outcome.failure else "ok",
        "error": "too late" if outcome.failure else None,
        "error_type": "TimeoutError" if outcome.failure else None,
        "error_stage": "answer" if outcome.failure else None,
        "retrieved_ids": retrieved and retrieved.ids,
        "retrieved_document_ids": retrieved and retrieved.document_ids,
        "retrieved_texts": retrieved and retrieved.texts,
        "retrieved_scores": retrieved and retrieved.scores,
        "answer_text": answered and answered.text,
        "cited_ids": answered and answered.cited_ids,
        "context_ids": stored and stored.ids,
        "context_texts": stored and stored.texts,
        "context_is_retrieved": is_repeated,
        "duration_ms": outcome.duration_ms,
    }


@given(st.lists(outcomes, min_size=1, max_size=6))
def test_the_frame_holds_the_outcomes_row_by_row(outcomes):
    expected = pl.DataFrame(list(map(plain_row, outcomes)), schema=RESPONSE_SCHEMA)

    frame = frame_of(*outcomes)

    assert frame.schema == RESPONSE_SCHEMA
    assert frame.equals(expected)


def test_a_list_that_is_missing_differs_from_one_that_is_empty():
    frame = frame_of(Outcome(0, 1.0), Outcome(1, 1.0, Retrieved([], [], [], [])))

    assert frame["retrieved_ids"].to_list() == [None, []]


def test_context_that_repeats_the_retrieved_chunks_is_stored_once():
    frame = frame_of(Outcome(0, 1.0, CHUNKS, Answered("yes", [], CHUNKS)))

    assert frame["context_ids"].to_list() == [None]
    assert frame["context_is_retrieved"].to_list() == [True]


def test_a_buffer_is_full_at_its_number_of_rows():
    buffer = ResponseBuffer()
    fullness = []
    for ordinal in range(FULL_ROWS):
        fullness.append(buffer.is_full)
        buffer.add(Outcome(ordinal, 1.0, failure=FAILURE))

    assert not any(fullness)
    assert buffer.is_full


def test_a_buffer_is_full_at_its_number_of_characters():
    big = Retrieved(["a"], ["a"], ["x" * (FULL_CHARACTERS // 4)], [None])
    buffer = ResponseBuffer()
    for ordinal in count():
        if buffer.is_full:
            break
        buffer.add(Outcome(ordinal, 1.0, big))

    assert len(buffer) == 4
