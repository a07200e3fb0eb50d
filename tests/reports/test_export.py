import csv
import io
import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.errors import StoreError
from ragproof_ray.reports.export import SLICE, export

METRICS = ("retrieval.mrr", "robustness.injection_resistance")
DETAILS = ("detection", "tier")
COLUMNS: dict[str, pl.DataType] = {
    "ordinal": pl.UInt32(),
    "case_id": pl.String(),
    "kind": pl.String(),
    "status": pl.String(),
    "error": pl.String(),
    "retrieved_ids": pl.List(pl.String()),
    "answer_text": pl.String(),
    "cited_ids": pl.List(pl.String()),
    "judge_raw_json": pl.String(),
    "duration_ms": pl.Float64(),
    "retrieved_texts": pl.List(pl.String()),  # not exported
}
SCORES: dict[str, pl.DataType] = {
    f"{metric}.{part}": pl.Float64() if part == "value" else pl.String()
    for metric in METRICS
    for part in ("status", "value", "reason")
}
SCORES |= {f"{METRICS[1]}.{detail}": pl.String() for detail in DETAILS}
SCHEMA = COLUMNS | SCORES

texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.floats(allow_nan=False, allow_infinity=False)
VALUES = {
    pl.String(): st.none() | texts,
    pl.Float64(): st.none() | numbers,
    pl.List(pl.String()): st.none() | st.lists(texts),
}


@st.composite
def results(draw):
    judged = st.none() | st.dictionaries(texts, texts).map(json.dumps)
    fields = st.fixed_dictionaries(
        {
            name: judged if name == "judge_raw_json" else VALUES[dtype]
            for name, dtype in SCHEMA.items()
            if name != "ordinal"
        }
    )
    rows = draw(st.lists(fields, min_size=1, max_size=5))
    return [{"ordinal": ordinal, **row} for ordinal, row in enumerate(rows)]


def exported(rows, form, total=None):
    sink = io.BytesIO()
    frame = pl.LazyFrame(rows[::-1], schema=SCHEMA)
    written = export(frame, METRICS, total or len(rows), form, sink)
    assert written == len(rows)
    return sink.getvalue()


def flat(row):
    """Give the record of a row in the tabular formats, in order."""
    before = ("case_id", "ordinal", "kind", "status", "error")
    names = [*before, *SCORES, *list(COLUMNS)[5:10]]
    return {name.replace("ordinal", "case_position"): row[name] for name in names}


def nested(row):
    """Give the record of a row in JSONL."""
    parts = {METRICS[0]: (), METRICS[1]: DETAILS}
    scores = {
        metric: {
            part: row[f"{metric}.{part}"]
            for part in ("status", "value", "reason", *parts[metric])
        }
        for metric in METRICS
    }
    raw = row["judge_raw_json"]
    kept = {name: value for name, value in flat(row).items() if name not in SCORES}
    return kept | {"scores": scores, "judge_raw_json": raw and json.loads(raw)}


def strict(text):
    def refuse(token):
        raise AssertionError(token)

    return json.loads(text, parse_constant=refuse)


@given(results())
def test_jsonl_gives_back_every_value_in_dataset_order(rows):
    *lines, rest = exported(rows, "jsonl").decode().split("\n")

    assert rest == ""
    assert list(map(strict, lines)) == list(map(nested, rows))


@given(results())
def test_parquet_gives_back_every_value_in_dataset_order(rows):
    frame = pl.read_parquet(exported(rows, "parquet"))

    assert frame.to_dicts() == list(map(flat, rows))


@given(results())
def test_csv_gives_back_every_value_in_dataset_order(rows):
    lists = ("retrieved_ids", "cited_ids")
    types = {
        name: pl.String() if name in lists else SCHEMA.get(name, pl.UInt32())
        for name in flat(rows[0])
    }

    frame = pl.read_csv(exported(rows, "csv"), schema=types)

    assert [
        row | {name: row[name] and json.loads(row[name]) for name in lists}
        for row in frame.to_dicts()
    ] == list(map(flat, rows))


ROW = dict.fromkeys(SCHEMA) | {
    "ordinal": 0,
    "case_id": "a",
    "kind": "injection",
    "status": "ok",
    "answer_text": "Done \u2705, \u201cyes\u201d",
    "retrieved_ids": ["d1", None],
    "retrieval.mrr.status": "scored",
    "retrieval.mrr.value": 0.5,
    "robustness.injection_resistance.status": "scored",
    "robustness.injection_resistance.value": 0.0,
    "robustness.injection_resistance.detection": "mentioned",
    "robustness.injection_resistance.tier": "plain",
    "judge_raw_json": '{"generation.groundedness": "{\\"claims\\": []}"}',
    "duration_ms": 1.5,
}


def test_a_line_of_jsonl_in_full():
    assert exported([ROW], "jsonl").decode() == (
        '{"case_id":"a","case_position":0,"kind":"injection","status":"ok",'
        '"error":null,"scores":{'
        '"retrieval.mrr":{"status":"scored","value":0.5,"reason":null},'
        '"robustness.injection_resistance":{"status":"scored","value":0.0,'
        '"reason":null,"detection":"mentioned","tier":"plain"}},'
        '"retrieved_ids":["d1",null],"answer_text":"Done \u2705, \u201cyes\u201d",'
        '"cited_ids":null,'
        '"judge_raw_json":{"generation.groundedness": "{\\"claims\\": []}"},'
        '"duration_ms":1.5}\n'
    )


def test_csv_can_be_read_by_the_csv_module():
    text = exported([ROW], "csv").decode()

    (row,) = csv.DictReader(io.StringIO(text, newline=""))

    assert row["answer_text"] == "Done \u2705, \u201cyes\u201d"
    assert json.loads(row["retrieved_ids"]) == ["d1", None]
    assert row["retrieval.mrr.value"] == "0.5"


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_a_run_without_a_finished_case_gives_no_record(form):
    sink = io.BytesIO()

    written = export(pl.LazyFrame(), METRICS, 7, form, sink)

    assert written == 0
    if form == "parquet":
        assert pl.read_parquet(sink.getvalue()).columns == list(flat(ROW))


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_order_holds_over_several_slices_with_gaps(form):
    positions = [0, SLICE - 1, SLICE, 3 * SLICE]
    rows = [ROW | {"ordinal": position} for position in positions]

    data = exported(rows, form, total=3 * SLICE + 1)

    if form == "jsonl":
        found = [json.loads(line)["case_position"] for line in data.splitlines()]
    else:
        read = pl.read_csv if form == "csv" else pl.read_parquet
        found = read(data)["case_position"].to_list()
    assert found == positions


def test_a_part_that_cannot_be_read_is_a_store_error(tmp_path):
    (tmp_path / "part.parquet").write_bytes(b"PAR1 torn")

    with pytest.raises(StoreError, match="store: results: "):
        export(
            pl.scan_parquet(tmp_path / "part.parquet"),
            METRICS,
            1,
            "jsonl",
            io.BytesIO(),
        )
