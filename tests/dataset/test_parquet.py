import datetime as dt
import json
import math

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ragproof_ray.dataset import DatasetReader
from ragproof_ray.errors import DatasetError

TEXTS = pa.array(["a", "b"])


@pytest.fixture
def save(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def save_columns(name="cases.parquet", **columns):
        pq.write_table(pa.table({"id": TEXTS, "question": TEXTS} | columns), name)
        return name

    return save_columns


def read(path):
    return pl.concat(list(DatasetReader(path)))


def refusal(path):
    with pytest.raises(DatasetError) as raised:
        list(DatasetReader(path))
    return str(raised.value)


def test_columns_are_read_by_name(save):
    frame = read(
        save(
            kind=["unanswerable", None],
            expected_answer=["x", None],
            expected_source_ids=[["s"], None],
        )
    )

    assert frame.drop("case_hash").rows() == [
        (0, "a", "unanswerable", "a", "x", ["s"], None, None),
        (1, "b", "qa", "b", None, [], None, None),
    ]


def test_parquet_and_jsonl_of_the_same_cases_have_one_fingerprint(save, write):
    table = DatasetReader(save(expected_source_ids=[["s"], []]))
    text = DatasetReader(
        write(
            '{"id":"a","question":"a","expected_source_ids":["s"]}\n'
            '{"id":"b","question":"b"}'
        )
    )
    list(table)
    list(text)

    assert table.fingerprint == text.fingerprint


def test_a_file_is_known_by_its_first_bytes_under_any_name(save):
    assert read(save("cases.data")).height == 2


def test_integer_ids_become_their_decimal_text(save):
    assert read(save(id=pa.array([7, 8])))["case_id"].to_list() == ["7", "8"]


@pytest.mark.parametrize(
    "kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
def test_every_text_encoding_is_accepted(save, kind):
    assert read(save(question=TEXTS.cast(kind)))["question"].to_list() == ["a", "b"]


@pytest.mark.parametrize(
    "metadata",
    [
        pa.array(['{"k":"v"}', None]),
        pa.array([{"k": "v"}, None]),
        pa.array([[("k", "v")], None], pa.map_(pa.string(), pa.string())),
    ],
)
def test_metadata_may_be_json_text_a_struct_or_a_map(save, metadata):
    assert read(save(metadata=metadata))["metadata"].to_list() == ['{"k":"v"}', None]


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ("{", "not valid JSON"),
        ('{"a":1,"a":2}', "key 'a' appears twice"),
        ("[]", "is a list"),
        ({"k": math.nan}, "a value is not JSON"),
        ({"k": dt.date(2020, 1, 1)}, "a value is not JSON"),
        ({"k": b"x"}, "a value is not JSON"),
    ],
)
def test_metadata_that_is_no_json_object_is_refused_by_row(save, metadata, words):
    report = refusal(save(metadata=pa.array([None, metadata])))

    assert report.startswith('cases.parquet: row 2: field "metadata"')
    assert words in report


def test_a_row_is_held_to_the_rules_of_a_line(save):
    report = refusal(save(question=["q", " "], kind=["Qa", "qa"]))

    first, second = report.split("\n")
    assert first.startswith("cases.parquet: row 1: field \"kind\" is 'Qa'")
    assert second.startswith('cases.parquet: row 2: field "question" is empty')


def test_duplicate_ids_are_refused_with_both_rows(save):
    report = refusal(save(id=["a", "a"]))

    assert report.startswith("cases.parquet: row 2: id 'a' is already used by row 1")


@pytest.mark.parametrize(
    "values",
    [pa.array([b"a", b"b"]), pa.array([1.5, 2.5]), pa.array([True, False])],
)
def test_a_column_of_another_type_is_refused(save, values):
    assert 'row 1: field "id" is ' in refusal(save(id=values))


def test_an_extra_column_is_refused_once(save):
    report = refusal(save(expected_anser=TEXTS))

    assert report.startswith(
        "cases.parquet: unknown key 'expected_anser'; did you mean"
    )
    assert "\n" not in report


def test_a_column_given_twice_is_refused(tmp_path):
    path = tmp_path / "cases.parquet"
    pq.write_table(pa.table([TEXTS, TEXTS, TEXTS], ["id", "question", "id"]), path)

    assert "column 'id' appears twice" in refusal(path)


def test_the_index_that_pandas_writes_is_left_out(save):
    assert read(save(__index_level_0__=pa.array([0, 1]))).height == 2


def test_a_missing_column_is_a_fault_of_its_rows(tmp_path):
    path = tmp_path / "cases.parquet"
    pq.write_table(pa.table({"id": TEXTS}), path)

    assert 'row 1: field "question" is missing' in refusal(path)


def test_a_map_with_a_key_twice_is_refused(save):
    metadata = pa.array(
        [[("k", "v"), ("k", "w")], None], pa.map_(pa.string(), pa.string())
    )

    assert "not a readable Parquet file" in refusal(save(metadata=metadata))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all", b"PAR1" * 9])
def test_a_broken_file_is_refused(write, content):
    assert "not a readable Parquet file" in refusal(write(content, "cases.parquet"))


def test_a_truncated_file_is_refused(save, tmp_path):
    path = tmp_path / save()
    path.write_bytes(path.read_bytes()[:-20])

    assert "not a readable Parquet file" in refusal(path)


def test_a_file_without_rows_is_refused(save):
    empty = pa.array([], pa.string())

    assert "holds no cases" in refusal(save(id=empty, question=empty))


def test_rows_are_numbered_across_row_groups(tmp_path):
    path = tmp_path / "cases.parquet"
    table = pa.table({"id": ["a", "b", "c"], "question": ["q", "q", ""]})
    pq.write_table(table, path, row_group_size=1)

    assert "row 3: " in refusal(path)


def test_metadata_round_trips_between_formats(save, write):
    metadata = {"owner": {"team": "billing"}, "tags": ["vip", 3]}
    case = {"id": "m1", "question": "q", "metadata": metadata}
    [frame] = DatasetReader(write(json.dumps(case)))

    again = read(
        save(
            id=frame["case_id"].to_arrow(),
            question=frame["question"].to_arrow(),
            metadata=frame["metadata"].to_arrow(),
        )
    )
    assert json.loads(again["metadata"][0]) == metadata
