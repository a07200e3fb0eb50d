"""The live progress line of a run."""

import shutil
import time
from contextlib import suppress
from typing import TextIO

from ragproof_ray.engine.plan import Progress
from ragproof_ray.reports.layout import one_line

_WHOLE_FROM = 10  # cases a second; below it a decimal is worth its width


def progress_text(progress: Progress, total: int, elapsed_s: float) -> str:
    """Return one line: cases done, errors, rate, time left, and a call that is late.

    >>> progress_text(Progress(done=500, failed=2), 1500, 10.0)
    '500/1,500 cases, 2 errors, 50/s, 0:20 left'
    """
    parts = [f"{progress.done:,}/{total:,} cases", f"{progress.failed:,} errors"]
    if progress.done and elapsed_s > 0:
        rate = progress.done / elapsed_s
        parts.append(f"{rate:,.0f}/s" if rate >= _WHOLE_FROM else f"{rate:.1f}/s")
        parts.append(f"{_clock((total - progress.done) / rate)} left")
    if late := progress.late:
        case_id = one_line(late.case_id)
        parts.append(f"{case_id} in {late.stage}() for {_clock(late.age_s)}")
    return ", ".join(parts)


def _clock(seconds: float) -> str:
    """Return m:ss, or h:mm:ss from an hour on.

    >>> _clock(3661)
    '1:01:01'
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{rest:02d}"
    return f"{minutes}:{rest:02d}"


class ProgressLine:
    """Redraws one line on a terminal; silent on anything else.

    Args:
        stream: where to draw; None when it is closed.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._terminal = stream if stream is not None and stream.isatty() else None
        self._started: float | None = None
        self._drawn = 0

    def __call__(self, progress: Progress, total: int) -> None:
        """Redraw the line; the clock starts with the first call."""
        now = time.monotonic()
        self._started = self._started or now
        self._draw(progress_text(progress, total, now - self._started))

    def clear(self) -> None:
        """Remove the line."""
        if self._drawn:
            self._draw("")
            self._draw("")

    def _draw(self, text: str) -> None:
        """Write over the last text; spaces instead of codes suit every terminal."""
        if self._terminal is None:
            return
        shown = text[: shutil.get_terminal_size().columns - 1]
        with suppress(OSError, ValueError):  # a line that nobody can see harms no run
            self._terminal.write(f"\r{shown:<{self._drawn}}")
            self._terminal.flush()
        self._drawn = len(shown)
