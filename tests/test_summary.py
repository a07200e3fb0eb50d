import random
import struct

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.summary import SUMMARY_SCHEMA, nearest_rank, summarise


def results(*rows, metric="m"):
    schema = {
        f"{metric}.value": pl.Float64,
        f"{metric}.status": pl.String,
        f"{metric}.reason": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row").lazy()


def scored(*values):
    return [(value, "scored", None) for value in values]


def row(lazy, total):
    return summarise(lazy, ["m"], total).row(0, named=True)


def test_the_mean_is_of_the_scored_cases_only():
    summary = row(
        results(
            *scored(1.0, 0.5), (None, "skipped", "why"), (None, "error", "case failed")
        ),
        4,
    )

    assert summary["mean"] == 0.75


def test_every_status_has_its_own_count_and_together_they_are_the_cases():
    summary = row(
        results(
            *scored(1.0),
            (None, "skipped", "a"),
            (None, "skipped", "a"),
            (None, "not_applicable", "b"),
            (None, "judge_error", "c"),
            (None, "error", "case failed"),
        ),
        total=10,
    )

    counts = {
        name: summary[name]
        for name in ("scored", "skipped", "not_applicable", "errors", "unfinished")
    }
    assert counts == {
        "scored": 1,
        "skipped": 2,
        "not_applicable": 1,
        "errors": 2,
        "unfinished": 4,
    }


@pytest.mark.parametrize(
    ("values", "p50", "p95"),
    [
        ([7.0], 7.0, 7.0),  # positions max(1, ceil(.5)) = 1 and max(1, ceil(.95)) = 1
        ([1.0, 2.0], 1.0, 2.0),  # ceil(1.0) = 1, ceil(1.9) = 2
        ([1.0, 2.0, 3.0, 4.0], 2.0, 4.0),  # ceil(2.0) = 2, ceil(3.8) = 4
        ([float(n) for n in range(1, 21)], 10.0, 19.0),  # ceil(10) = 10, ceil(19) = 19
        (
            [float(n) for n in range(1, 22)],
            11.0,
            20.0,
        ),  # ceil(10.5) = 11, ceil(19.95) = 20
    ],
)
def test_percentiles_are_nearest_rank(values, p50, p95):
    summary = row(results(*scored(*reversed(values))), len(values))

    assert (summary["p50"], summary["p95"]) == (p50, p95)


def test_no_scored_case_gives_nulls_and_a_reason_never_a_zero():
    summary = row(results((None, "skipped", "no ids"), (None, "skipped", "no ids")), 2)

    assert (summary["mean"], summary["p50"], summary["p95"]) == (None, None, None)
    assert summary["reason"] == "no ids"


def test_no_finished_case_gives_a_row_per_metric_all_the_same():
    summary = summarise(pl.LazyFrame(), ["a", "b"], 3)

    assert summary["metric"].to_list() == ["a", "b"]
    assert summary["unfinished"].to_list() == [3, 3]
    assert summary.schema == SUMMARY_SCHEMA


def test_the_most_common_skip_reason_is_shown_and_ties_break_alphabetically():
    tied = results(
        (None, "skipped", "b"),
        (None, "skipped", "a"),
        (None, "skipped", "c"),
        (None, "skipped", "b"),
        (None, "skipped", "a"),
    )

    assert row(tied, 5)["reason"] == "a"


def test_a_failure_gives_the_reason_only_where_nothing_was_skipped():
    failed = [(None, "error", "case failed")] * 3

    assert row(results(*failed), 3)["reason"] == "case failed"
    assert row(results(*failed, (None, "skipped", "why")), 4)["reason"] == "why"


@given(st.lists(st.floats(0, 1, width=64), min_size=1, max_size=60), st.randoms())
def test_the_summary_is_the_same_to_the_last_bit_in_any_order_and_cut(values, order):
    shuffled = list(values)
    order.shuffle(shuffled)
    cut = order.randint(0, len(shuffled))
    parts = [results(*scored(*piece)) for piece in (shuffled[:cut], shuffled[cut:])]

    one = row(results(*scored(*values)), len(values))
    other = row(pl.concat(parts), len(values))

    assert struct.pack("<d", one["mean"]) == struct.pack("<d", other["mean"])
    assert one == other


def test_many_partitionings_of_many_values_give_one_mean():
    source = random.Random(7)
    values = [source.random() for _ in range(20_000)]
    means = set()
    for _ in range(6):
        source.shuffle(values)
        size = source.randint(100, 5_000)
        parts = [
            results(*scored(*values[i : i + size])) for i in range(0, len(values), size)
        ]
        means.add(row(pl.concat(parts), len(values))["mean"])

    assert len(means) == 1


def test_nearest_rank_of_nothing_is_null():
    assert nearest_rank(pl.Series([], dtype=pl.Float64), 0.5) is None
