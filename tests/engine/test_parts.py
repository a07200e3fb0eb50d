import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.engine.parts import Accepted, PartName, accept

OLD = str(PartName("20260101T000000000000aa", 1, "aaaa", 0))
RETRY = str(PartName("20260101T000000000000aa", 2, "0000", 0))
NEW = str(PartName("20260102T000000000000aa", 1, "0000", 0))


def index(*rows):
    schema = {"part": pl.String, "ordinal": pl.UInt32, "rank": pl.UInt8}
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_a_part_name_reads_back():
    name = PartName("20260101T000000000000ab12cd", 12, "deadbeef", 3)

    assert str(name) == "20260101T000000000000ab12cd-00012-deadbeef-00003.parquet"
    assert PartName.parse(str(name)) == name


@pytest.mark.parametrize(
    "name", ["", "x.parquet", "a-1-b-2.parquet.tmp-1", "a-b-c-d.parquet"]
)
def test_a_foreign_file_is_no_part(name):
    assert PartName.parse(name) is None


def test_without_a_double_case_nothing_loses():
    accepted = accept({OLD: 2, NEW: 1}, index((OLD, 0, 2), (OLD, 1, 0), (NEW, 2, 2)))

    assert accepted == Accepted({OLD: 2, NEW: 1}, {}, 3)


def test_the_greater_rank_wins_also_against_a_newer_launch():
    accepted = accept({OLD: 1, NEW: 1}, index((OLD, 5, 2), (NEW, 5, 0)))

    assert accepted.losers == {NEW: [5]}
    assert accepted.ordinals == 1


def test_of_equal_ranks_the_newer_launch_wins():
    accepted = accept({OLD: 1, NEW: 1}, index((OLD, 5, 0), (NEW, 5, 0)))

    assert accepted.losers == {OLD: [5]}


def test_of_one_launch_the_later_attempt_wins_whatever_its_id():
    accepted = accept({OLD: 1, RETRY: 1}, index((OLD, 5, 2), (RETRY, 5, 2)))

    assert accepted.losers == {OLD: [5]}


def test_attempts_are_counted_as_numbers_beyond_the_padding():
    late = str(PartName("20260101T000000000000aa", 100_000, "a", 0))
    early = str(PartName("20260101T000000000000aa", 99_999, "a", 0))

    accepted = accept({late: 1, early: 1}, index((late, 5, 2), (early, 5, 2)))

    assert accepted.losers == {early: [5]}


@given(
    st.lists(
        st.tuples(
            st.sampled_from([OLD, RETRY, NEW]), st.integers(0, 9), st.integers(0, 2)
        ),
        unique_by=lambda row: row[:2],
    )
)
def test_exactly_one_row_of_each_case_wins_the_greatest(rows):
    counts = {part: sum(row[0] == part for row in rows) for part in (OLD, RETRY, NEW)}

    accepted = accept(counts, index(*rows))

    lost = {(part, o) for part, gone in accepted.losers.items() for o in gone}
    winners = {
        (o, rank, PartName.parse(part))
        for part, o, rank in rows
        if (part, o) not in lost
    }
    expected = {
        max((o, rank, PartName.parse(part)) for part, o, rank in rows if o == ordinal)
        for ordinal in {row[1] for row in rows}
    }
    assert winners == expected
