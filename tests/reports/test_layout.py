import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ragproof_ray.reports.layout import lay_out, one_line

LEFT = frozenset({"name"})
HEADER = ("name", "n", "note")


def test_columns_are_as_wide_as_their_widest_cell():
    table = lay_out(HEADER, [("a", "1", "x"), ("bbbbb", "200", "")], LEFT)

    assert table.split("\n") == [
        "name     n  note",
        "a        1  x",
        "bbbbb  200",
    ]


def test_wide_characters_count_two_cells():
    table = lay_out(HEADER, [("日本", "1", "x"), ("abcd", "2", "y")], LEFT)

    assert table.split("\n")[1:] == ["日本  1  x", "abcd  2  y"]


def test_without_a_terminal_a_row_is_one_line_however_long():
    table = lay_out(HEADER, [("a" * 300, "1", "b " * 300)], LEFT)

    assert len(table.split("\n")) == 2


def test_the_last_column_wraps_beside_its_row_when_there_is_room():
    # "name  n  " takes 9 of 30 cells; 21 are left.
    table = lay_out(HEADER, [("abcd", "1", "the case has no answer at all")], LEFT, 30)

    assert table.split("\n") == [
        "name  n  note",
        "abcd  1  the case has no",
        "         answer at all",
    ]


def test_the_last_column_wraps_below_its_row_when_there_is_no_room():
    table = lay_out(HEADER, [("abcd", "1", "the case has no answer at all")], LEFT, 25)

    assert table.split("\n") == [
        "name  n  note",
        "abcd  1",
        "    the case has no",
        "    answer at all",
    ]


@given(
    st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=5),
    st.none() | st.integers(1, 200),
)
def test_no_cell_but_the_last_is_ever_cut(rows, width):
    table = lay_out(HEADER, rows, LEFT, width)

    for name, number, _ in rows:
        assert one_line(name) in table
        assert one_line(number) in table


@given(st.text())
def test_a_text_becomes_one_line_without_controls(text):
    line = one_line(text)

    assert len(line.splitlines()) <= 1
    assert not any(ord(character) < 0x20 for character in line)


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("[red]x[/red]", "[red]x[/red]"),
        ("\x1b[31mx", "\ufffd[31mx"),
        ("a\nb\r\nc\td", "a b c d"),
        ("a\u2028b\u2029c", "a b c"),
        ("\u202egnp.exe", "\ufffdgnp.exe"),
        ("a\x00b\x85c", "a\ufffdb c"),
        ("\udcff", "\ufffd"),
    ],
)
def test_data_brings_no_markup_codes_or_breaks_of_its_own(hostile, shown):
    assert one_line(hostile) == shown


def test_a_table_takes_as_many_cells_as_it_needs():
    table = lay_out(HEADER, [("abcd", "1", "日本")], LEFT)

    assert max(map(cell_len, table.split("\n"))) == len("name  n  note")
