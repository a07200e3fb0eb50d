"""Synchronous user code in daemon threads, awaited from an event loop.

Neither `asyncio.to_thread` nor an executor will do: their threads are joined at
exit, so one call that never returns would keep the process alive, and their size
is bounded, so waiting for a free thread would be counted as the adapter's time.
"""

import asyncio
import contextvars
import inspect
import threading
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, Self

from ragproof_ray.errors import CaseError


class AdapterExitError(CaseError):
    """User code ended by an exception that would end more than its own case.

    Stands for `SystemExit`, a `CancelledError` that nobody asked for, and the
    like. `error_type` is the class name of the original, `text` its name and text.
    """

    def __init__(self, error_type: str, text: str) -> None:
        super().__init__(error_type, text)
        self.error_type = error_type
        self.text = text

    def __str__(self) -> str:
        return f"the adapter raised {self.text}; raise an ordinary exception instead"

    @classmethod
    def standing_for(cls, error: BaseException) -> Self:
        """Build the stand-in of `error`; also when its own `str()` fails."""
        return cls(type(error).__name__, exception_text(error))


def exception_text(error: BaseException) -> str:
    """Return `Type: text` of an exception, whatever its `str()` does."""
    return "".join(traceback.format_exception_only(error)).strip()


def is_awaited() -> bool:
    """Tell whether somebody waits for what this thread does.

    False only in a thread of `DaemonThreads` whose call was abandoned.
    """
    thread = threading.current_thread()
    return not (isinstance(thread, _Thread) and thread.is_abandoned)


class DaemonThreads:
    """Runs each call at once: in the thread that became idle last, or in a new one.

    Serves one event loop at a time; loops may follow one another.
    """

    def __init__(self, max_stuck: int = 1_000) -> None:
        self._max_stuck = max_stuck
        self._idle: list[_Thread] = []
        self._abandoned: list[_Call] = []
        self._mailbox: _Mailbox | None = None
        self._is_closed = False

    @property
    def stuck(self) -> int:
        """Number of calls whose caller was cancelled and which have not returned."""
        self._abandoned = [call for call in self._abandoned if not call.has_returned]
        return len(self._abandoned)

    async def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Return `function(*args)`, run in a thread with the caller's contextvars.

        Cancelling the caller abandons the call: its late result is dropped. An
        `Exception` comes back as it is, any other exception as `AdapterExitError`.
        Raises `CaseError` at once when no thread can be started, or when more than
        `max_stuck` abandoned calls are still running.
        """
        call = _Call(partial(function, *args), self._current_mailbox())
        self._take_thread().calls.put(call)
        try:
            return await call.future
        finally:
            if not call.has_returned:
                self._abandoned.append(call)

    def close(self) -> None:
        """Let idle threads end now, and busy ones when their call returns."""
        self._is_closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().calls.put(None)

    def _current_mailbox(self) -> "_Mailbox":
        loop = asyncio.get_running_loop()
        if self._mailbox is None or self._mailbox.loop is not loop:
            self._mailbox = _Mailbox(loop)
        return self._mailbox

    def _take_thread(self) -> "_Thread":
        # The length alone is an upper bound, and all that the hot path pays for.
        if len(self._abandoned) > self._max_stuck and self.stuck > self._max_stuck:
            raise CaseError(
                f"{self.stuck:,} adapter calls that timed out are still running, so no"
                " further one is started; give the pipeline's own calls a time limit"
            )
        try:
            return self._idle.pop()
        except IndexError:
            return self._start_thread()

    def _start_thread(self) -> "_Thread":
        thread = _Thread(self._give_back)
        try:
            thread.start()
        except RuntimeError as error:
            raise CaseError(
                f"no thread could be started for the adapter call ({error}); lower"
                " run.concurrency or raise the limit on threads"
            ) from error
        return thread

    def _give_back(self, thread: "_Thread") -> None:
        """Make a thread idle; runs in that thread, appending and popping are atomic."""
        self._idle.append(thread)
        if self._is_closed:
            self.close()


class _Mailbox:
    """Takes finished calls from threads to the loop, one wake-up for many."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._finished: deque[_Call] = deque()
        self._is_waking = False

    def put(self, call: "_Call") -> None:
        """Post a call that has returned; runs in its thread.

        Safe without a lock: the flag falls before the mail is taken out, so two
        threads can at worst wake the loop twice.
        """
        self._finished.append(call)
        if self._is_waking:
            return
        self._is_waking = True
        try:
            self.loop.call_soon_threadsafe(self._deliver)
        except RuntimeError:  # the loop is closed: nobody waits any more
            self._is_waking = False
            self._finished.clear()
            call.discard()

    def _deliver(self) -> None:
        self._is_waking = False
        while self._finished:
            self._finished.popleft().resolve()


class _Call:
    """One call on its way through a thread and back to the loop that waits."""

    def __init__(self, function: Callable[[], Any], mailbox: _Mailbox) -> None:
        self.future: asyncio.Future[Any] = mailbox.loop.create_future()
        self.has_returned = False
        self._mailbox = mailbox
        self._context = contextvars.copy_context()
        self._function = function
        self._value: Any = None
        self._error: Exception | None = None

    def run(self) -> None:
        """Call and keep what comes of it; runs in the thread."""
        try:
            self._value = self._context.run(self._function)
        except StopIteration as error:  # a future refuses to carry it
            self._error = AdapterExitError.standing_for(error)
        except Exception as error:  # noqa: BLE001 - raised again where the caller waits
            self._error = error
        except BaseException as error:  # noqa: BLE001 - would end the thread unseen
            self._error = AdapterExitError.standing_for(error)
        self.has_returned = True

    def post(self) -> None:
        self._mailbox.put(self)

    def resolve(self) -> None:
        """Wake the caller, if it still waits; runs in the loop."""
        if self.future.done():
            self.discard()
        elif self._error is None:
            self.future.set_result(self._value)
        else:
            self.future.set_exception(self._error)

    def discard(self) -> None:
        """Drop a late result; a coroutine would warn that nobody awaited it."""
        if inspect.iscoroutine(self._value):
            self._value.close()


class _Thread(threading.Thread):
    """A daemon thread that runs the calls put to it, until it gets None."""

    def __init__(self, give_back: Callable[["_Thread"], None]) -> None:
        super().__init__(name="ragproof-adapter", daemon=True)
        self.calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._give_back = give_back
        self._call: _Call | None = None

    @property
    def is_abandoned(self) -> bool:
        """Whether the caller of the current call was cancelled."""
        return self._call is not None and self._call.future.cancelled()

    def run(self) -> None:
        """Serve until told to end."""
        while (call := self.calls.get()) is not None:
            self._call = call
            call.run()
            self._call = None
            self._give_back(self)
            call.post()
            del call  # an idle thread must not keep the last case alive
