from pathlib import Path

import pytest

from ragproof_ray.dataset.faults import FaultList, raise_file_faults, shown
from ragproof_ray.errors import DatasetError


def report(faults):
    with pytest.raises(DatasetError) as raised:
        faults.raise_if_any()
    return str(raised.value).split("\n")


def test_no_fault_raises_nothing():
    FaultList("cases.jsonl", "line").raise_if_any()


def test_faults_are_reported_together_in_the_order_of_the_file():
    faults = FaultList("cases.jsonl", "line")
    faults.add(9, "c")
    faults.add(2, "a", "b")

    assert report(faults) == [
        "cases.jsonl:2: a",
        "cases.jsonl:2: b",
        "cases.jsonl:9: c",
    ]


def test_rows_and_cases_are_named_in_words():
    faults = FaultList("cases.parquet", "row")
    faults.add(3, "a")

    assert report(faults) == ["cases.parquet: row 3: a"]


def test_only_the_first_twenty_faults_are_kept():
    faults = FaultList("cases.jsonl", "line")
    for number in range(1, 31):
        faults.add(number, "a")

    lines = report(faults)
    assert lines[19] == "cases.jsonl:20: a"
    assert lines[20:] == [
        "checking stopped after 20 faults; further lines were not checked"
    ]


def test_nineteen_faults_leave_room_for_one():
    faults = FaultList("cases.jsonl", "line")
    faults.add(1, *["a"] * 19)

    assert not faults.is_full


def test_faults_of_a_whole_file_name_it_and_count_what_is_left_out():
    with pytest.raises(DatasetError) as raised:
        raise_file_faults(Path("c.parquet"), ["a"] * 23)

    lines = str(raised.value).split("\n")
    assert lines == ["c.parquet: a"] * 20 + ["and 3 more"]


def test_a_file_without_faults_raises_nothing():
    raise_file_faults(Path("c.parquet"), [])


def test_a_shown_value_is_short():
    assert len(shown("x" * 10_000)) < 60
