import polars as pl
import pytest

from ragproof_ray.errors import StoreError
from ragproof_ray.reports.failures import failure_lines


def results(*rows):
    names = ("ordinal", "case_id", "error_type", "error_stage", "error")
    return pl.LazyFrame(rows, schema=names, orient="row")


def test_no_finished_case_gives_no_line():
    assert failure_lines(pl.LazyFrame()) == []


def test_no_failed_case_gives_no_line():
    assert failure_lines(results((0, "a", None, None, None))) == []


def test_failures_are_counted_by_type_and_call_the_most_frequent_first():
    lines = failure_lines(
        results(
            (3, "d", "ValueError", "answer", "ValueError: d"),
            (0, "a", "TypeError", "answer", "TypeError: a"),
            (2, "c", "ValueError", "answer", "ValueError: c"),
            (1, "b", "ValueError", "retrieve", "ValueError: b"),
        )
    )

    assert lines == [
        "2 in answer, first in case 'c': ValueError: c",
        "1 in answer, first in case 'a': TypeError: a",
        "1 in retrieve, first in case 'b': ValueError: b",
    ]


def test_more_kinds_than_wanted_are_counted():
    rows = [(n, f"c{n}", f"Error{n}", "answer", "x") for n in range(5)]

    lines = failure_lines(results(*rows), most=2)

    assert lines[2:] == ["and 3 other kinds of failure"]


def test_a_long_error_is_cut_and_a_hostile_one_is_tamed():
    error = "\x1b[31mno [red] index\nforged line" + "x" * 500

    (line,) = failure_lines(results((0, "a\n", "E", "answer", error)))

    assert line.startswith(
        "1 in answer, first in case 'a\\n': \ufffd[31mno [red] index forged line"
    )
    assert line.endswith("xxx...")
    assert len(line) < 250


def test_results_that_cannot_be_read_are_a_store_error(tmp_path):
    damaged = tmp_path / "part.parquet"
    damaged.write_bytes(b"no parquet")

    with pytest.raises(StoreError, match=r"store: results: "):
        failure_lines(pl.scan_parquet(damaged))
