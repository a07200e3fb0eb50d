"""Whatever the bytes are, reading ends in cases or in one `DatasetError`."""

import json
import tempfile
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.dataset import DatasetReader
from ragproof_ray.errors import DatasetError
from ragproof_ray.schema import CASE_SCHEMA

NAMES = st.sampled_from(["c.jsonl", "c.json", "c.frozen.json", "c.parquet"])
KEYS = st.sampled_from(
    [
        "id",
        "kind",
        "question",
        "expected_answer",
        "expected_source_ids",
        "adversarial_payload",
        "metadata",
        "meta",
        "cases",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS | st.text(), inner),
    max_leaves=8,
)
VALID = b'{"id":"a","kind":"qa","question":"q\\ud83d\\ude00","metadata":{"k":[1.5]}}\n'
FROZEN = (
    b'{"meta":{"dataset_hash":"0","size":1,"generation":null},"cases":['
    + VALID.strip()
    + b"]}"
)
SPLICES = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 4), st.binary(max_size=4)),
    min_size=1,
    max_size=4,
)


def read_or_refuse(raw, name):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(raw)
        try:
            frames = list(DatasetReader(path, batch_rows=2))
        except DatasetError:
            return
    assert all(frame.schema == CASE_SCHEMA for frame in frames)
    assert pl.concat(frames)["case_id"].is_unique().all()


def spliced(raw, splices):
    for start, length, insert in splices:
        at = start % (len(raw) + 1)
        raw = raw[:at] + insert + raw[at + length :]
    return raw


@given(st.binary(max_size=200), NAMES)
def test_arbitrary_bytes_end_in_cases_or_a_dataset_error(raw, name):
    read_or_refuse(raw, name)


@given(st.lists(JSON, max_size=4), NAMES)
def test_arbitrary_json_lines_end_in_cases_or_a_dataset_error(values, name):
    read_or_refuse("\n".join(map(json.dumps, values)).encode(), name)


@given(SPLICES, st.sampled_from(["c.jsonl", "c.json"]))
def test_damaged_lines_end_in_cases_or_a_dataset_error(splices, name):
    read_or_refuse(spliced(VALID * 3, splices), name)


@given(SPLICES, st.sampled_from(["c.frozen.json", "c.json"]))
def test_a_damaged_frozen_file_ends_in_cases_or_a_dataset_error(splices, name):
    read_or_refuse(spliced(FROZEN, splices), name)


@pytest.fixture(scope="module")
def parquet_bytes():
    sink = pa.BufferOutputStream()
    table = pa.table(
        {
            "id": ["a", "b"],
            "question": ["q", "r"],
            "expected_source_ids": [["s"], None],
            "metadata": [{"k": 1}, None],
        }
    )
    pq.write_table(table, sink)
    return sink.getvalue().to_pybytes()


@given(splices=SPLICES, offset=st.integers(0, 3000))
def test_a_damaged_parquet_file_ends_in_cases_or_a_dataset_error(
    parquet_bytes, splices, offset
):
    shifted = [(start + offset, length, insert) for start, length, insert in splices]

    read_or_refuse(spliced(parquet_bytes, shifted), "c.parquet")
