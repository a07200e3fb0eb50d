import math
from collections import UserDict, deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ragproof_ray.adapters.reply import (
    Answered,
    ReplyError,
    Retrieved,
    read_answered,
    read_retrieved,
)


@dataclass
class ChunkObject:
    id: Any
    text: str = ""
    score: Any = None
    metadata: Any = field(default_factory=dict)


class ChunkModel(BaseModel):
    id: int
    text: str


class ChunkTuple(NamedTuple):
    id: str
    text: str


class CitationObject(NamedTuple):
    chunk_id: int


class AnswerObject(NamedTuple):
    answer_text: str
    citations: Any
    retrieved_chunks: Any = None


class IdEnum(IntEnum):
    SEVEN = 7


def chunk(**fields):
    return {"id": "a"} | fields


def columns(reply):
    retrieved = read_retrieved(reply)
    assert retrieved is not None
    return retrieved


def test_chunks_become_one_list_per_column_in_their_order():
    reply = [
        {"id": "b", "text": "two", "score": 0.5, "metadata": {"document_id": "d"}},
        {"id": "a", "text": "one", "score": 2, "metadata": {}},
        {"id": "b"},
    ]

    assert read_retrieved(reply) == Retrieved(
        ids=["b", "a", "b"],
        document_ids=["d", "a", "b"],
        texts=["two", "one", ""],
        scores=[0.5, 2.0, None],
    )


def test_no_chunks_are_an_empty_retrieval():
    assert read_retrieved([]) == Retrieved([], [], [], [])


def test_none_instead_of_chunks_means_no_retrieval():
    assert read_retrieved(None) is None


@pytest.mark.parametrize(
    "reply",
    [
        (chunk(),),
        deque([chunk()]),
        (item for item in [chunk()]),
        {"first": chunk()}.values(),
        [UserDict(chunk())],
        [ChunkTuple("a", "")],
        [ChunkObject("a")],
        [chunk(unknown=object(), text="")],
    ],
    ids=[
        "tuple",
        "deque",
        "generator",
        "values",
        "mapping",
        "named tuple",
        "dataclass",
        "unknown key",
    ],
)
def test_every_ordered_form_of_a_reply_gives_the_same_columns(reply):
    assert read_retrieved(reply) == Retrieved(["a"], ["a"], [""], [None])


def test_pydantic_models_are_read_by_their_attributes():
    assert read_retrieved([ChunkModel(id=3, text="t")]) == Retrieved(
        ["3"], ["3"], ["t"], [None]
    )


@pytest.mark.parametrize(
    ("chunk_id", "text"),
    [
        (7, "7"),
        (-1, "-1"),
        (10**30, "1" + "0" * 30),
        (np.int64(7), "7"),
        (IdEnum.SEVEN, "7"),
        (np.str_("x"), "x"),
        ("", ""),
    ],
)
def test_an_integer_id_becomes_its_decimal_text(chunk_id, text):
    assert columns([{"id": chunk_id}]).ids == [text]


@pytest.mark.parametrize("chunk_id", [True, 1.0, None, b"a", ["a"], np.bool_(1)])
def test_an_id_that_is_neither_text_nor_integer_is_refused(chunk_id):
    with pytest.raises(ReplyError) as caught:
        read_retrieved([chunk(), {"id": chunk_id}])

    assert str(caught.value) == (
        f"retrieve()[1].id: got {type(chunk_id).__name__}; give text or an integer"
    )


@pytest.mark.parametrize(
    "score",
    ["NaN", "Infinity", "-Infinity", math.nan, math.inf, -math.inf, np.float32("nan")],
)
def test_a_score_that_is_not_finite_becomes_null(score):
    assert columns([chunk(score=score)]).scores == [None]


def test_scores_that_are_not_finite_leave_the_order_alone():
    reply = [
        {"id": "a", "text": "t", "score": "NaN"},
        {"id": "b", "text": "t", "score": None},
        {"id": "c", "text": "t", "score": math.inf},
    ]

    retrieved = columns(reply)

    assert retrieved.ids == ["a", "b", "c"]
    assert retrieved.scores == [None, None, None]


@pytest.mark.parametrize("score", [0.5, "0.5", np.float32(0.5), np.float64(0.5)])
def test_a_number_in_any_dress_is_a_score(score):
    assert columns([chunk(score=score)]).scores == [0.5]


@pytest.mark.parametrize(
    ("document_id", "text"),
    [
        ("d", "d"),
        ("", ""),
        (None, "a"),
        (7, "7"),
        (1.5, "1.5"),
        (True, "True"),
        (False, "False"),
    ],
)
def test_the_document_id_is_text_and_falls_back_to_the_chunk_id_when_null(
    document_id, text
):
    reply = [chunk(metadata={"document_id": document_id})]

    assert columns(reply).document_ids == [text]


def test_metadata_may_be_an_object():
    @dataclass
    class Metadata:
        document_id: int

    reply = [ChunkObject("a", metadata=Metadata(5))]

    assert columns(reply).document_ids == ["5"]


def test_the_document_id_of_an_integer_id_is_that_integer_as_text():
    assert columns([{"id": 4}]).document_ids == ["4"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("nul \0 and \x1b stay", "nul \0 and \x1b stay"),
        ("\ufeffmark", "\ufeffmark"),
    ],
    ids=["high", "low", "pair", "control", "byte order mark"],
)
def test_only_unpaired_surrogates_are_replaced(text, kept):
    reply = [{"id": text, "text": text, "metadata": {"document_id": text}}]
    answer = {"answer_text": text, "citations": [{"chunk_id": text}]}

    assert read_retrieved(reply) == Retrieved([kept], [kept], [kept], [None])
    assert read_answered(answer) == Answered(kept, [kept], None)


def test_an_answer_keeps_its_citations_with_their_duplicates():
    reply = {
        "answer_text": "yes",
        "citations": [{"chunk_id": "b"}, {"chunk_id": 1}, {"chunk_id": "b"}],
    }

    assert read_answered(reply) == Answered("yes", ["b", "1", "b"], None)


def test_the_answers_own_chunks_are_its_context():
    reply = {"answer_text": "yes", "retrieved_chunks": [chunk(text="t", score=1)]}

    assert read_answered(reply).context == Retrieved(["a"], ["a"], ["t"], [1.0])


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"citations": None, "retrieved_chunks": None},
        {"citations": [], "retrieved_chunks": []},
        {"citations": iter(()), "retrieved_chunks": iter(())},
    ],
)
def test_a_null_or_empty_list_in_an_answer_means_absent(fields):
    assert read_answered({"answer_text": "yes"} | fields) == Answered("yes", [], None)


@pytest.mark.parametrize("reply", [None, {"answer_text": None}])
def test_a_null_answer_or_text_means_no_answer(reply):
    assert read_answered(reply) == Answered(None, [], None)


def test_a_blank_answer_text_is_kept():
    assert read_answered({"answer_text": " "}).text == " "


def test_an_answer_may_be_objects_and_generators_throughout():
    reply = AnswerObject(
        "yes",
        (CitationObject(number) for number in (1, 2)),
        (ChunkObject(number, "t") for number in (1,)),
    )

    assert read_answered(reply) == Answered(
        "yes", ["1", "2"], Retrieved(["1"], ["1"], ["t"], [None])
    )


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            "some text",
            'retrieve(): got str; give a list whose items are each a dict such as {"id": "doc-1", "text": "..."}',
        ),
        (
            {"a", "b"},
            'retrieve(): got set; give a list whose items are each a dict such as {"id": "doc-1", "text": "..."}',
        ),
        (
            ["doc-1"],
            'retrieve()[0]: got str; give a dict such as {"id": "doc-1", "text": "..."}',
        ),
        ([{"text": "t"}], "retrieve()[0].id: is missing; give text or an integer"),
        ([chunk(text=None)], "retrieve()[0].text: got NoneType; give text"),
        ([chunk(metadata=None)], "retrieve()[0].metadata: got NoneType; give a dict"),
        ([chunk(score="high")], "retrieve()[0].score: got str; give a finite number or null"),
        ([chunk(score=10**400)], "retrieve()[0].score: got int; give a finite number or null"),
        (
            [chunk()] * 1_000_001,
            "retrieve(): more than 1,000,000 items; give fewer",
        ),
        (
            [chunk(metadata={"document_id": 10**5000})],
            "retrieve()[0].metadata.document_id: got int; give text",
        ),
        ([{"id": 10**5000}], "retrieve()[0].id: got int; give text or an integer"),
    ],
)  # fmt: skip
def test_a_wrong_retrieval_names_the_place_the_finding_and_the_remedy(reply, message):
    with pytest.raises(ReplyError) as caught:
        read_retrieved(reply)

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            "Paris",
            'answer(): got str; give a dict such as {"answer_text": "...", "citations": [{"chunk_id": "doc-1"}]}',
        ),
        ({}, "answer().answer_text: is missing; give text, or null for no answer"),
        (
            {"answer_text": 5},
            "answer().answer_text: got int; give text, or null for no answer",
        ),
        (
            {"answer_text": "", "citations": ["doc-1"]},
            'answer().citations[0]: got str; give a dict such as {"chunk_id": "doc-1"}',
        ),
        (
            {"answer_text": "", "citations": {"chunk_id": "a"}},
            'answer().citations: got dict; give a list whose items are each a dict such as {"chunk_id": "doc-1"}',
        ),
        (
            {"answer_text": "", "retrieved_chunks": [chunk(), {"id": 1.5}]},
            "answer().retrieved_chunks[1].id: got float; give text or an integer",
        ),
    ],
)
def test_a_wrong_answer_names_the_place_the_finding_and_the_remedy(reply, message):
    with pytest.raises(ReplyError) as caught:
        read_answered(reply)

    assert str(caught.value) == message


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.sampled_from(["NaN", "Infinity", "\ud800", np.float32("inf"), np.int8(3)])
    | st.binary(max_size=3)
)
KEYS = [
    *("id", "text", "score", "metadata", "document_id", "chunk_id"),
    *("answer_text", "citations", "retrieved_chunks", "other"),
]


def containers(inner):
    record = st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    items = st.lists(inner, max_size=4)
    return (
        record
        | items
        | items.map(tuple)
        | items.map(iter)
        | record.map(UserDict)
        | record.map(lambda fields: type("Object", (), fields)())
    )


replies = st.recursive(scalars, containers, max_leaves=20)
# Near misses: the right outline with anything at all in its places.
near_chunks = st.lists(
    st.fixed_dictionaries(
        {"id": scalars},
        optional={
            "text": replies,
            "score": replies,
            "metadata": st.fixed_dictionaries({"document_id": replies}),
        },
    ),
    max_size=3,
)
near_answers = st.fixed_dictionaries(
    {"answer_text": st.text(st.characters()) | st.none()},
    optional={
        "citations": st.lists(st.fixed_dictionaries({"chunk_id": scalars})),
        "retrieved_chunks": near_chunks,
    },
)


def assert_storable(retrieved):
    assert len({len(column) for column in retrieved}) == 1
    for texts in retrieved[:3]:
        assert "".join(texts).encode().decode() == "".join(texts)
    assert all(score is None or math.isfinite(score) for score in retrieved.scores)


@given(replies | near_chunks)
def test_any_retrieval_is_storable_or_a_reply_error(reply):
    try:
        retrieved = read_retrieved(reply)
    except ReplyError:
        return

    if retrieved is not None:
        assert_storable(retrieved)


@given(replies | near_answers)
def test_any_answer_is_storable_or_a_reply_error(reply):
    try:
        answered = read_answered(reply)
    except ReplyError:
        return

    kept = "".join([answered.text or "", *answered.cited_ids])
    assert kept.encode().decode() == kept
    if answered.context is not None:
        assert_storable(answered.context)


def naive_columns(chunks):
    """The contract's sentences, one chunk at a time, for well-formed dicts."""
    ids = [str(item["id"]) for item in chunks]
    documents = [item.get("metadata", {}).get("document_id") for item in chunks]
    scores = [item.get("score") for item in chunks]
    return Retrieved(
        ids,
        [
            own if document is None else str(document)
            for own, document in zip(ids, documents, strict=True)
        ],
        [item.get("text", "") for item in chunks],
        [
            None if score is None or not math.isfinite(score) else float(score)
            for score in scores
        ],
    )


texts = st.text(st.characters(exclude_categories=["Cs"]))
document_ids = st.none() | texts | st.booleans() | st.integers() | st.floats()
well_formed_chunks = st.fixed_dictionaries(
    {"id": texts | st.integers()},
    optional={
        "text": texts,
        "score": st.none() | st.floats() | st.integers(-9, 9),
        "metadata": st.fixed_dictionaries({}, optional={"document_id": document_ids}),
    },
)


@given(st.lists(well_formed_chunks))
def test_well_formed_chunks_read_as_the_naive_reference_says(chunks):
    assert read_retrieved(chunks) == naive_columns(chunks)
