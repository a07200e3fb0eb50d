import io

import pytest

from ragproof_ray.cli.progress import ProgressLine, progress_text
from ragproof_ray.engine.plan import Late, Progress


class Terminal(io.StringIO):
    """A terminal that remembers what was drawn."""

    def isatty(self):
        return True

    def lines(self):
        """Give what stood on the line after each drawing."""
        return self.getvalue().split("\r")[1:]


@pytest.mark.parametrize(
    ("done", "failed", "elapsed_s", "text"),
    [
        (0, 0, 0.0, "0/1,500 cases, 0 errors"),
        (0, 0, 9.0, "0/1,500 cases, 0 errors"),
        (500, 2, 10.0, "500/1,500 cases, 2 errors, 50/s, 0:20 left"),
        (15, 1, 10.0, "15/1,500 cases, 1 errors, 1.5/s, 16:30 left"),
        (1, 0, 10.0, "1/1,500 cases, 0 errors, 0.1/s, 4:09:50 left"),
        (1500, 0, 1.0, "1,500/1,500 cases, 0 errors, 1,500/s, 0:00 left"),
    ],
)
def test_a_line_says_cases_errors_rate_and_time_left(done, failed, elapsed_s, text):
    assert progress_text(Progress(done, failed), 1500, elapsed_s) == text


def test_a_late_call_is_named_with_its_stage_and_age():
    late = Late(72.4, "case \x1b[31m7", "answer")

    text = progress_text(Progress(15, 1, late=late), 1500, 10.0)

    assert (
        text
        == "15/1,500 cases, 1 errors, 1.5/s, 16:30 left, case \ufffd[31m7 in answer() for 1:12"
    )


def test_a_shorter_line_covers_the_longer_one_before():
    terminal = Terminal()
    line = ProgressLine(terminal)

    line(Progress(done=0), 1_000_000)
    line(Progress(done=0), 10)

    first, second = terminal.lines()
    assert len(second) == len(first)
    assert second.rstrip() == "0/10 cases, 0 errors"


def test_clear_leaves_an_empty_line_with_the_cursor_at_its_start():
    terminal = Terminal()
    line = ProgressLine(terminal)
    line(Progress(), 10)

    line.clear()

    assert terminal.lines()[-2:] == [" " * len("0/10 cases, 0 errors"), ""]


def test_a_line_never_reaches_the_edge_of_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "12")
    terminal = Terminal()

    ProgressLine(terminal)(Progress(), 1000)

    assert terminal.lines() == ["0/1,000 cas"]


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_no_line_is_drawn_on_what_is_no_terminal(stream):
    line = ProgressLine(stream)

    line(Progress(), 10)
    line.clear()

    assert stream is None or stream.getvalue() == ""


def test_a_closed_terminal_harms_no_run():
    terminal = Terminal()
    line = ProgressLine(terminal)
    terminal.close()

    line(Progress(done=1), 2)
    line.clear()
