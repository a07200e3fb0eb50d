"""Cases from a Parquet file, a batch of rows at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ragproof_ray.dataset.case import CASE_KEYS, unknown_key_message
from ragproof_ray.dataset.faults import InvalidRecordError, raise_file_faults
from ragproof_ray.dataset.jsontext import decode_json
from ragproof_ray.errors import DatasetError

# What pyarrow raises for damaged bytes, for a map with a key twice (KeyError) and
# for values that Python does not have, such as the year 10000.
_READ_ERRORS = (pa.ArrowException, OSError, ValueError, KeyError, OverflowError)
_BATCH_ROWS = 1024
_READ_BUFFER_BYTES = 1 << 20


class ParquetSource:
    """One case a row, in columns named like the JSON keys.

    Metadata may be a struct, a map, or JSON text. Index columns that pandas
    writes are left out. A file that cannot be read raises `DatasetError`.
    """

    noun = "row"
    meta = None

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.absolute()  # the user's code may change the directory
        with self._open() as file:
            names = file.schema_arrow.names
        self._columns = [n for n in names if not n.startswith("__index_level_")]
        faults = [unknown_key_message(n) for n in self._columns if n not in CASE_KEYS]
        faults += [
            f"column {n!r} appears twice; keep one of them"
            for n in CASE_KEYS
            if self._columns.count(n) > 1
        ]
        raise_file_faults(path, faults)

    def records(self) -> Iterator[tuple[int, object]]:
        """Stream the rows."""
        number = 0
        for rows in self._row_batches():
            for row in rows:
                number += 1
                yield number, _with_metadata(row)

    def _open(self) -> pq.ParquetFile:
        try:
            # Else a file of a single row group would come into memory whole.
            return pq.ParquetFile(
                self._file, buffer_size=_READ_BUFFER_BYTES, pre_buffer=False
            )
        except _READ_ERRORS as error:
            raise self._broken(error) from error

    def _row_batches(self) -> Iterator[list[dict[str, Any]]]:
        with self._open() as file:
            batches = file.iter_batches(
                _BATCH_ROWS, columns=self._columns, use_threads=False
            )
            try:
                for batch in batches:
                    yield batch.to_pylist(maps_as_pydicts="strict")
            except _READ_ERRORS as error:
                raise self._broken(error) from error

    def _broken(self, error: Exception) -> DatasetError:
        return DatasetError(
            f"{self._path}: not a readable Parquet file ({error}); write it again"
        )


def _with_metadata(row: dict[str, Any]) -> object:
    text = row.get("metadata")
    if not isinstance(text, str):
        return row
    try:
        return row | {"metadata": decode_json(text)}
    except InvalidRecordError as error:
        return InvalidRecordError(f'field "metadata": {error}')
