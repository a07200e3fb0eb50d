from datetime import UTC, datetime

import polars as pl
import pytest

from ragproof_ray.engine.records import DatasetRecord, Manifest
from ragproof_ray.engine.runs import RunView
from ragproof_ray.metrics import metric_names
from ragproof_ray.reports.table import run_heading, runs_table, summary_table
from ragproof_ray.summary import SUMMARY_SCHEMA

METRIC = "retrieval.recall_at_k"


def summary(*rows):
    return pl.DataFrame(rows, schema=SUMMARY_SCHEMA, orient="row")


def row(metric=METRIC, *, not_applicable=0, unfinished=0, reason=None):
    return (metric, 0.5, 0.25, 1.0, 3, 2, not_applicable, 1, unfinished, reason)


def view(**changes):
    record = DatasetRecord("cases.jsonl", "a" * 64, "b" * 64, "c" * 64, 3, {"qa": 3})
    manifest = {
        "run_id": "12345678-0000-0000-0000-000000000000",
        "project": "shop",
        "label": None,
        "started_at": datetime(2026, 5, 4, 3, 2, tzinfo=UTC),
        "dataset": record,
        "total_cases": 3,
        "metrics": [METRIC],
        "user_metrics": {},
        "k": 5,
        "source_match": "chunk",
        "adapter": "shop:Pipeline",
        "judge_model": None,
        "prompt_versions": {},
        "config": {},
        "config_hash": "d" * 64,
        "versions": {},
    } | changes
    counts = {"ok": 1, "error": 1, "timeout": 0}
    return RunView(Manifest(**manifest), "partial", counts, 0, None)


def test_a_row_shows_three_decimals_and_counts():
    header, line = summary_table(summary(row(reason="case failed"))).split("\n")

    assert header.split() == [
        "metric",
        "mean",
        "p50",
        "p95",
        "scored",
        "skipped",
        "errors",
        "note",
    ]
    assert line.split(maxsplit=7) == [
        METRIC,
        "0.500",
        "0.250",
        "1.000",
        "3",
        "2",
        "1",
        "case failed",
    ]


def test_a_missing_value_is_a_dash():
    nothing = (METRIC, None, None, None, 0, 6, 0, 0, 0, "x")

    line = summary_table(summary(nothing)).split("\n")[1]

    assert line.split()[:4] == [METRIC, "-", "-", "-"]


@pytest.mark.parametrize("column", ["not applicable", "unfinished"])
def test_a_rare_count_is_a_column_only_when_there_is_one(column):
    name = column.replace(" ", "_")

    assert column not in summary_table(summary(row()))
    assert column in summary_table(summary(row(**{name: 1})))


@pytest.mark.parametrize("width", [None, 1, 20, 40, 80, 200])
def test_no_width_cuts_the_name_of_a_metric(width):
    names = metric_names(())

    table = summary_table(summary(*map(row, names)), width)

    assert [line.split()[0] for line in table.split("\n") if "." in line] == names


def test_the_heading_says_what_ran_and_how_it_went():
    assert run_heading(view(label="first")).split("\n") == [
        "run 12345678-0000-0000-0000-000000000000 (first): partial",
        "2 of 3 cases finished: 1 ok, 1 errors, 0 timeouts",
        "dataset cases.jsonl (aaaaaaaaaaaa), k 5, source match chunk",
    ]


def test_a_label_cannot_forge_a_line_of_the_heading():
    heading = run_heading(view(label="x): completed\n9 of 9 cases\x1b[2J"))

    assert len(heading.split("\n")) == 3
    assert "\x1b" not in heading


def test_runs_show_what_continues_those_that_are_not_complete():
    header, first, second = runs_table(
        [view(), view(label="[red]")], ["ragproof-ray run --resume 1", None]
    ).split("\n")

    assert header.endswith("label  continue with")
    assert first.endswith("ragproof-ray run --resume 1")
    assert second.endswith("[red]")


def test_runs_have_no_column_of_commands_when_all_are_complete():
    assert "continue" not in runs_table([view()], [None])
