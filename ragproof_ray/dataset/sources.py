"""Where records come from: one interface over JSONL, Parquet and frozen JSON."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from ragproof_ray.dataset.faults import InvalidRecordError
from ragproof_ray.dataset.frozen import FrozenMeta, FrozenText, load_frozen
from ragproof_ray.dataset.jsonslices import elements
from ragproof_ray.dataset.jsontext import decode_json, decode_utf8
from ragproof_ray.errors import DatasetError

_GZIP_MAGIC = b"\x1f\x8b"
_PARQUET_MAGIC = b"PAR1"


class Source(Protocol):
    """An open dataset file that can be read more than once."""

    @property
    def noun(self) -> str:
        """What its numbers count: line, row or case."""
        ...

    @property
    def meta(self) -> FrozenMeta | None:
        """The seal of a frozen file."""
        ...

    def records(self) -> Iterator[tuple[int, object]]:
        """Yield number and value of each record, from 1.

        A record that cannot be decoded comes as an `InvalidRecordError` value,
        so that the records behind it can still be checked.
        """
        ...


class JsonlSource:
    """One JSON object a line; lines end with LF only, blank lines are counted."""

    noun = "line"
    meta = None

    def __init__(self, path: Path) -> None:
        self._file = path.absolute()  # the user's code may change the directory

    def records(self) -> Iterator[tuple[int, object]]:
        """Stream the lines that are not blank."""
        with self._file.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                try:
                    text = decode_utf8(raw)
                except InvalidRecordError as error:
                    yield number, error
                    continue
                if text and not text.isspace():
                    yield number, _decoded(text)


class FrozenSource:
    """The cases of a frozen file, whose text is held in memory."""

    noun = "case"

    def __init__(self, frozen: FrozenText) -> None:
        self.meta = frozen.meta
        self._cases = frozen.cases

    def records(self) -> Iterator[tuple[int, object]]:
        """Decode the cases one by one."""
        for number, text in enumerate(elements(self._cases), start=1):
            yield number, _decoded(text)


def open_source(path: Path) -> Source:
    """Tell by name and first bytes which kind of file this is, and open it.

    Frozen is what is named `*.frozen.json`, or `*.json` with the keys meta and
    cases; Parquet what is named `*.parquet` or begins as Parquet does; all else
    is JSONL. Raises `DatasetError` for what is no readable file of these.
    """
    magic = _first_bytes(path)
    if magic.startswith(_GZIP_MAGIC):
        raise DatasetError(f"{path}: the file is compressed with gzip; unpack it first")
    if path.suffix == ".parquet" or magic == _PARQUET_MAGIC:
        from ragproof_ray.dataset.parquet import ParquetSource

        return ParquetSource(path)
    frozen = load_frozen(path) if path.suffix == ".json" else None
    return JsonlSource(path) if frozen is None else FrozenSource(frozen)


def _first_bytes(path: Path) -> bytes:
    if not path.exists():
        raise DatasetError(
            f"{path}: no such file; the path is relative to the working directory"
        )
    if not path.is_file():
        what = "a folder" if path.is_dir() else "not a regular file"
        raise DatasetError(f"{path}: is {what}; name a JSONL, Parquet or frozen file")
    with path.open("rb") as file:
        return file.read(len(_PARQUET_MAGIC))


def _decoded(text: str) -> object:
    try:
        return decode_json(text)
    except InvalidRecordError as error:
        return error
