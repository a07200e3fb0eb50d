"""The one reader of datasets: a file in, validated frames and a fingerprint out."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pyarrow as pa

from ragproof_ray.dataset.case import Case, read_case
from ragproof_ray.dataset.duplicates import IdHashes, find_duplicates
from ragproof_ray.dataset.faults import FaultList, InvalidRecordError, shown
from ragproof_ray.dataset.fingerprint import DatasetFingerprint, Fingerprinter
from ragproof_ray.dataset.frozen import FrozenMeta, check_seal
from ragproof_ray.dataset.sources import Source, open_source
from ragproof_ray.errors import DatasetError
from ragproof_ray.schema import CASE_SCHEMA

_ARROW_SCHEMA = pa.schema(CASE_SCHEMA)


class _Batch(NamedTuple):
    cases: list[Case]
    numbers: list[int]


class DatasetReader:
    """Iterate validated frames of `CASE_SCHEMA` from JSONL, Parquet or frozen JSON.

    Streams: memory does not grow with the dataset, but for 8 bytes a case; a
    file named `.json` is the exception and held whole. Faults, duplicate ids
    among them, raise one `DatasetError` when the file is read to its end, so
    act on no frame before the iteration is over. Every iteration reads anew.

    Args:
        path: the dataset, relative to the working directory.
        batch_rows: greatest height of a frame.
        for_freezing: also require what `freeze` requires of a case.
    """

    def __init__(
        self, path: Path | str, *, batch_rows: int = 8192, for_freezing: bool = False
    ) -> None:
        self._path = Path(path)
        self._batch_rows = batch_rows
        self._for_freezing = for_freezing
        self._fingerprint: DatasetFingerprint | None = None
        self.frozen_meta: FrozenMeta | None = None

    @property
    def fingerprint(self) -> DatasetFingerprint:
        """Hashes and counts; `RuntimeError` before an iteration has ended well."""
        if self._fingerprint is None:
            raise RuntimeError(
                "the fingerprint is complete after the last frame; iterate first"
            )
        return self._fingerprint

    def __iter__(self) -> Iterator[pl.DataFrame]:
        try:
            yield from self._frames()
        except OSError as error:
            raise DatasetError(
                f"{self._path}: cannot be read ({error.strerror}); check the file"
            ) from error

    def _frames(self) -> Iterator[pl.DataFrame]:
        self._fingerprint = None
        source = open_source(self._path)
        self.frozen_meta = source.meta
        faults = FaultList(str(self._path), source.noun)
        hashes, ids, rows = Fingerprinter(), IdHashes(), 0
        for cases, _ in self._batches(source, faults):
            frame = _to_frame(cases, hashes.add(cases), rows)
            rows += frame.height
            ids.add(frame["case_id"])
            if not faults:
                yield frame
        self._add_duplicates(source, ids.suspects(), faults)
        faults.raise_if_any()
        self._seal(hashes.finish(frozen=source.meta is not None))

    def _batches(self, source: Source, faults: FaultList) -> Iterator[_Batch]:
        batch = _Batch([], [])
        for number, record in source.records():
            try:
                if isinstance(record, InvalidRecordError):
                    raise record
                case = read_case(record, for_freezing=self._for_freezing)
            except InvalidRecordError as error:
                faults.add(number, *error.args)
                if faults.is_full:
                    break
                continue
            batch.cases.append(case)
            batch.numbers.append(number)
            if len(batch.cases) == self._batch_rows:
                yield batch
                batch = _Batch([], [])
        if batch.cases:
            yield batch

    def _add_duplicates(
        self, source: Source, suspects: pl.Series, faults: FaultList
    ) -> None:
        if suspects.is_empty():
            return
        told_before = FaultList(str(self._path), source.noun)
        batches = (
            (pl.Series([case.case_id for case in cases]), numbers)
            for cases, numbers in self._batches(source, told_before)
        )
        for twice in find_duplicates(batches, suspects):
            faults.add(
                twice.again,
                f"id {shown(twice.case_id)} is already used by {source.noun} "
                f"{twice.first}; give each case an id of its own",
            )
            if faults.is_full:
                return

    def _seal(self, fingerprint: DatasetFingerprint) -> None:
        if self.frozen_meta is not None:
            check_seal(self._path, self.frozen_meta, fingerprint)
        if not fingerprint.cases:
            raise DatasetError(
                f"{self._path}: holds no cases; write one JSON object a line"
            )
        self._fingerprint = fingerprint


def _to_frame(cases: list[Case], hashes: list[str], first: int) -> pl.DataFrame:
    columns: dict[str, object] = dict(
        zip(Case._fields, zip(*cases, strict=True), strict=True)
    )
    columns |= {"ordinal": range(first, first + len(cases)), "case_hash": hashes}
    # Arrow builds columns, lists above all, at a fraction of the cost in Polars.
    arrays = [pa.array(columns[field.name], field.type) for field in _ARROW_SCHEMA]
    return pl.DataFrame(pa.Table.from_arrays(arrays, schema=_ARROW_SCHEMA))
