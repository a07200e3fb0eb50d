"""The live progress line of a run."""

import time
from typing import TextIO

from ragproof_ray.engine.plan import Progress

_WHOLE_FROM = 10  # cases a second; below it a decimal is worth its width


def progress_text(progress: Progress, total: int, elapsed_s: float) -> str:
    """Return one line: cases done, errors, rate, time left.

    >>> progress_text(Progress(done=500, failed=2), 1500, 10.0)
    '500/1,500 cases · 2 errors · 50/s · 0:20 left'
    """
    rate = progress.done / elapsed_s if elapsed_s > 0 else 0.0
    text = f"{progress.done:,}/{total:,} cases · {progress.failed:,} errors"
    if not rate:
        return text
    left_s = round((total - progress.done) / rate)
    minutes, seconds = divmod(left_s, 60)
    hours, minutes = divmod(minutes, 60)
    clock = (
        f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
    )
    shown_rate = f"{rate:,.0f}/s" if rate >= _WHOLE_FROM else f"{rate:.1f}/s"
    return f"{text} · {shown_rate} · {clock} left"


class ProgressLine:
    """Redraws one line on a terminal; silent on anything else.

    Args:
        stream: where to draw.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_live = stream.isatty()
        self._started: float | None = None

    def __call__(self, progress: Progress, total: int) -> None:
        """Redraw the line; the clock starts with the first call."""
        if not self._is_live:
            return
        now = time.monotonic()
        self._started = self._started or now
        text = progress_text(progress, total, now - self._started)
        self._draw(f"\r{text}\x1b[K")

    def clear(self) -> None:
        """Remove the line."""
        if self._started is not None:
            self._draw("\r\x1b[K")

    def _draw(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
