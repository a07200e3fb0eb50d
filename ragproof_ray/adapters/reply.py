"""What a pipeline returned, checked and turned into columns.

A reply of plain lists and dicts passes one compiled check. Only a reply that fails
it is rebuilt, from objects, tuples and integer ids, and checked again.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from itertools import islice, takewhile
from numbers import Integral
from typing import Annotated, Any, NamedTuple, NotRequired

from pydantic import (
    FailFast,
    Field,
    FiniteFloat,
    Strict,
    StrictStr,
    TypeAdapter,
    ValidationError,
)
from typing_extensions import TypedDict

from ragproof_ray.adapters.threads import is_awaited
from ragproof_ray.errors import CaseError
from ragproof_ray.redaction import storable

MAX_ITEMS = 1_000_000  # of a list in a reply; a generator may have no end


class ReplyError(CaseError):
    """A reply has the wrong shape; names the place, the finding and the remedy."""


class Retrieved(NamedTuple):
    """Retrieved chunks in rank order, one list per column, all of one length."""

    ids: list[str]
    document_ids: list[str]
    texts: list[str]
    scores: list[float | None]


class Answered(NamedTuple):
    """An answer: its text, the cited ids as returned, its own non-empty chunks."""

    text: str | None
    cited_ids: list[str]
    context: Retrieved | None


class _Metadata(TypedDict):
    document_id: NotRequired[StrictStr | None]


class _Chunk(TypedDict):
    id: StrictStr
    text: NotRequired[StrictStr]
    score: NotRequired[FiniteFloat | None]
    metadata: NotRequired[_Metadata]


class _Citation(TypedDict):
    chunk_id: StrictStr


# Strict lists, so that a check that fails has not used up a generator.
_Chunks = Annotated[list[_Chunk], Strict(), FailFast(), Field(max_length=MAX_ITEMS)]
_Citations = Annotated[
    list[_Citation], Strict(), FailFast(), Field(max_length=MAX_ITEMS)
]


class _Answer(TypedDict):
    answer_text: StrictStr | None
    citations: NotRequired[_Citations]
    retrieved_chunks: NotRequired[_Chunks]


_RETRIEVE_REPLY = TypeAdapter(_Chunks)
_ANSWER_REPLY = TypeAdapter(_Answer)


def read_retrieved(reply: Any) -> Retrieved | None:
    """Check what `retrieve()` returned; None means that nothing is retrievable.

    Raises `ReplyError`.
    """
    if reply is None:
        return None
    return _chunk_columns(_checked(_RETRIEVE_REPLY, reply, _plain_chunks, "retrieve()"))


def read_answered(reply: Any) -> Answered:
    """Check what `answer()` returned; None, like a null text, means no answer.

    Raises `ReplyError`.
    """
    if reply is None:
        return Answered(None, [], None)
    answer = _checked(_ANSWER_REPLY, reply, _plain_answer, "answer()")
    text = answer["answer_text"]
    citations = answer.get("citations", ())
    chunks = answer.get("retrieved_chunks")
    return Answered(
        None if text is None else _encodable([text])[0],
        _encodable([citation["chunk_id"] for citation in citations]),
        _chunk_columns(chunks) if chunks else None,
    )


def _chunk_columns(chunks: list[_Chunk]) -> Retrieved:
    ids = _encodable([chunk["id"] for chunk in chunks])
    return Retrieved(
        ids,
        _encodable([_document_id(chunk) for chunk in chunks]),
        _encodable([chunk.get("text", "") for chunk in chunks]),
        [chunk.get("score") for chunk in chunks],
    )


def _document_id(chunk: _Chunk) -> str:
    metadata = chunk.get("metadata")
    document_id = metadata.get("document_id") if metadata else None
    return chunk["id"] if document_id is None else document_id


def _encodable(texts: list[str]) -> list[str]:
    """Make every text storable; one check finds out whether any is not."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return [storable(text) for text in texts]
    return texts


def _checked(
    schema: TypeAdapter[Any], reply: Any, plain: Callable[[Any], Any], source: str
) -> Any:
    try:
        return schema.validate_python(reply)
    except ValidationError:
        plain_reply = plain(reply)
    try:
        return schema.validate_python(plain_reply)
    except ValidationError as error:
        raise ReplyError(_complaint(error, source)) from error


def _plain_record(value: Any, fields: Mapping[str, Callable[[Any], Any]]) -> Any:
    """Return the known fields of a mapping or an object as a plain dict.

    What has none of them is returned as it is, for the check to refuse.
    """
    if isinstance(value, Mapping):
        found = {name: value[name] for name in fields if name in value}
    else:
        read = {name: getattr(value, name, _ABSENT) for name in fields}
        found = {
            name: content for name, content in read.items() if content is not _ABSENT
        }
        if not found:
            return value
    return {name: fields[name](content) for name, content in found.items()}


def _plain_list(value: Any, plain: Callable[[Any], Any]) -> Any:
    """Return anything with an order as a list; a set has none and is refused.

    What is too long is cut to one item too many, for the check to refuse. A list that
    nobody waits for any more ends early.
    """
    if value is None:
        return []
    if isinstance(value, (str, bytes, bytearray)):
        return value
    if isinstance(value, (Sequence, Iterator, ValuesView)):
        items = takewhile(lambda _: is_awaited(), islice(value, MAX_ITEMS + 1))
        return [plain(item) for item in items]
    return value


def _plain_chunks(value: Any) -> Any:
    return _plain_list(value, lambda chunk: _plain_record(chunk, _CHUNK_FIELDS))


def _plain_citations(value: Any) -> Any:
    return _plain_list(value, lambda item: _plain_record(item, _CITATION_FIELDS))


def _plain_answer(value: Any) -> Any:
    return _plain_record(value, _ANSWER_FIELDS)


def _plain_metadata(value: Any) -> Any:
    return _plain_record(value, _METADATA_FIELDS)


def _plain_id(value: Any) -> Any:
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    return _as_text(int(value)) if is_integer else value


def _plain_score(value: Any) -> Any:
    """Return null for NaN and the infinities, also when they are written as text."""
    try:
        return value if math.isfinite(float(value)) else None
    except (TypeError, ValueError, OverflowError):
        return value


def _as_text(value: Any) -> Any:
    try:
        return value if value is None else str(value)
    except ValueError:  # an integer of more digits than Python converts
        return value


def _as_it_is(value: Any) -> Any:
    return value


_ABSENT = object()
_METADATA_FIELDS = {"document_id": _as_text}
_CITATION_FIELDS = {"chunk_id": _plain_id}
_CHUNK_FIELDS = {
    "id": _plain_id,
    "text": _as_it_is,
    "score": _plain_score,
    "metadata": _plain_metadata,
}
_ANSWER_FIELDS = {
    "answer_text": _as_it_is,
    "citations": _plain_citations,
    "retrieved_chunks": _plain_chunks,
}

_CHUNK_SHAPE = 'a dict such as {"id": "doc-1", "text": "..."}'
_CITATION_SHAPE = 'a dict such as {"chunk_id": "doc-1"}'
_EXPECTED = {
    "retrieve()": f"a list whose items are each {_CHUNK_SHAPE}",
    "retrieve()[]": _CHUNK_SHAPE,
    "answer()": 'a dict such as {"answer_text": "...", "citations": [{"chunk_id": "doc-1"}]}',
    "answer_text": "text, or null for no answer",
    "citations": f"a list whose items are each {_CITATION_SHAPE}",
    "citations[]": _CITATION_SHAPE,
    "retrieved_chunks": f"a list whose items are each {_CHUNK_SHAPE}",
    "retrieved_chunks[]": _CHUNK_SHAPE,
    "id": "text or an integer",
    "chunk_id": "text or an integer",
    "text": "text",
    "score": "a finite number or null",
    "metadata": "a dict",
    "document_id": "text",
}


def _complaint(error: ValidationError, source: str) -> str:
    """Say where the first fault is, what stands there and what should.

    Names the type found and not its value, which may be long or private.
    """
    fault = error.errors(include_url=False, include_context=False)[0]
    path, name = source, source
    for step in fault["loc"]:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
        name = f"{name}[]" if isinstance(step, int) else step
    if fault["type"] == "too_long":
        return f"{path}: more than {MAX_ITEMS:,} items; give fewer"
    is_missing = fault["type"] == "missing"
    finding = "is missing" if is_missing else f"got {type(fault['input']).__name__}"
    return f"{path}: {finding}; give {_EXPECTED[name]}"
