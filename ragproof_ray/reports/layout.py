"""Columns of plain text. Data never carries colour, markup or line breaks into them."""

import textwrap
from collections.abc import Sequence

from rich.cells import cell_len

from ragproof_ray.redaction import printable

_GAP = "  "
_NARROWEST = 20  # cells, for the last column
_INDENT = " " * 4


def one_line(text: str) -> str:
    """Return a text as it can stand inside a line of ours."""
    return printable(" ".join(text.splitlines())).replace("\t", " ").strip()


def lay_out(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: frozenset[str],
    width: int | None = None,
) -> str:
    """Return a table whose cells are never cut.

    Args:
        header: names of the columns.
        rows: cells as text.
        left: columns that start at the left; the last one always does.
        width: cells of the terminal; the last column is wrapped to it, below its row
            when there is no room beside. None leaves every row on one line.
    """
    lines = [[one_line(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)][:-1]
    lefts = [name in left for name in header[:-1]]
    starts = [
        _GAP.join(map(_padded, line[:-1], widths, lefts)) + _GAP for line in lines
    ]
    return "\n".join(
        _with_last(start, line[-1], width)
        for start, line in zip(starts, lines, strict=True)
    )


def _padded(text: str, width: int, is_left: bool) -> str:
    space = " " * (width - cell_len(text))
    return text + space if is_left else space + text


def _with_last(start: str, last: str, width: int | None) -> str:
    if width is None or cell_len(start + last) <= width:
        return (start + last).rstrip()
    if width - cell_len(start) >= _NARROWEST:
        beside = textwrap.wrap(last, width - cell_len(start))
        return start + f"\n{' ' * cell_len(start)}".join(beside)
    below = textwrap.wrap(last, max(width - len(_INDENT), _NARROWEST))
    return f"\n{_INDENT}".join([start.rstrip(), *below])
