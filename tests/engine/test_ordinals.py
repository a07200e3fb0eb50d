import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.engine import ordinals

sets_of_ordinals = st.sets(st.integers(0, 300))


def ranges_of(values):
    return ordinals.from_series(pl.Series(sorted(values), dtype=pl.UInt32))


def flat(ranges):
    return [ordinal for r in ranges for ordinal in r]


def test_consecutive_ordinals_become_one_range():
    ranges = ordinals.from_series(pl.Series([7, 3, 1, 2, 3], dtype=pl.UInt32))

    assert ranges == (range(1, 4), range(7, 8))


def test_no_ordinals_are_no_ranges():
    assert ranges_of(set()) == ()
    assert ordinals.to_series(()).to_list() == []


@given(sets_of_ordinals)
def test_ranges_and_columns_hold_the_same_ordinals(values):
    ranges = ranges_of(values)

    assert ordinals.to_series(ranges).to_list() == sorted(values)
    assert ordinals.count(ranges) == len(values)


@given(sets_of_ordinals, sets_of_ordinals)
def test_difference_is_the_set_difference(values, done):
    left = ordinals.difference(
        ranges_of(values), pl.Series(list(done), dtype=pl.UInt32)
    )

    assert flat(left) == sorted(values - done)


@given(sets_of_ordinals, st.integers(1, 50))
def test_take_cuts_without_loss_and_never_more_than_asked(values, size):
    taken, rest = ordinals.take(ranges_of(values), size)

    assert flat(taken) + flat(rest) == sorted(values)
    assert len(flat(taken)) == min(size, len(values))


def test_take_stops_at_the_number_of_ranges_that_an_argument_may_hold():
    scattered = tuple(range(n, n + 1) for n in range(0, 4000, 2))

    taken, rest = ordinals.take(scattered, 5000)

    assert len(taken) == ordinals.MAX_RANGES == 1024
    assert flat(taken) + flat(rest) == list(range(0, 4000, 2))


@given(sets_of_ordinals, st.integers(1, 40))
def test_by_file_puts_every_ordinal_into_its_file_once(values, rows):
    files = list(ordinals.by_file(ranges_of(values), rows))

    assert [number for number, _ in files] == sorted({v // rows for v in values})
    assert [o for _, inside in files for o in flat(inside)] == sorted(values)
    assert all(o // rows == number for number, inside in files for o in flat(inside))
