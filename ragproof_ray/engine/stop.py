"""SIGINT, SIGTERM and SIGHUP: a request to end a run early, or at once.

Before a run begins there is nothing to keep, so the first signal interrupts. Once it
is under way the first signal is only noted, and the next one interrupts.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self

from ragproof_ray.errors import StoppedBySignal

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopSignals:
    """Handles the signals while it is entered.

    Outside the main thread no handler can be set and nothing is noted.

    Attributes:
        received: the first signal, or None.
        is_under_way: set it when a run has begun.
    """

    def __init__(self) -> None:
        self.received: signal.Signals | None = None
        self.is_under_way = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {
                number: signal.signal(number, self._note) for number in _SIGNALS
            }
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        is_first = self.received is None
        self.received = self.received or signal.Signals(number)
        if not (is_first and self.is_under_way):
            raise StoppedBySignal(self.received)


@contextmanager
def kept_handlers() -> Iterator[None]:
    """Put back the signal handlers that a library replaces when it starts.

    A signal that the library turned into `SystemExit` meanwhile is given to the
    handler that it was meant for.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    is_terminated = False
    try:
        yield
    except SystemExit:
        is_terminated = True
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if is_terminated:
            signal.raise_signal(signal.SIGTERM)


@contextmanager
def no_signals() -> Iterator[None]:
    """Ignore the signals while something is torn down that must not be left half."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
