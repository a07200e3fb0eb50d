"""The user's pipeline as an adapter: each method called in the way its kind needs."""

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ragproof_ray.adapters.reply import (
    MAX_ITEMS,
    Answered,
    Retrieved,
    read_answered,
    read_retrieved,
)
from ragproof_ray.adapters.threads import AdapterExitError, DaemonThreads

T = TypeVar("T")

# An async generator that never waits would keep the loop from every deadline.
_ITEMS_BETWEEN_YIELDS = 1_000


class PythonAdapter:
    """A Python object with a callable `retrieve`, `answer` or both.

    A coroutine function runs on the event loop, anything else in a daemon thread;
    an awaitable or async iterator that comes out of a thread is finished on the
    loop. The pipeline's exceptions pass through, save that one which would end
    more than its case comes as `AdapterExitError`. Both methods raise `ReplyError`.
    """

    def __init__(self, pipeline: Any) -> None:
        self._threads = DaemonThreads()
        self._retrieve = _method(pipeline, "retrieve")
        self._answer = _method(pipeline, "answer")
        self.supports_retrieve = self._retrieve is not None
        self.supports_answer = self._answer is not None

    @property
    def stuck(self) -> int:
        """Number of abandoned synchronous calls that have not returned."""
        return self._threads.stuck

    async def retrieve(self, question: str, k: int) -> Retrieved | None:
        """Return every chunk that the pipeline gives, also more than `k`.

        None when there is no `retrieve` or it returned None.
        """
        return await self._call(self._retrieve, read_retrieved, question, k)

    async def answer(self, question: str) -> Answered:
        """Return the pipeline's answer; an empty one when there is no `answer`."""
        return await self._call(self._answer, read_answered, question)

    async def aclose(self) -> None:
        """Let the threads end; the pipeline itself stays open for other adapters."""
        self._threads.close()

    async def _call(
        self, method: "_Method | None", read: Callable[[Any], T], *args: Any
    ) -> T:
        if method is None:
            return read(None)
        if method.is_coroutine:
            return await contained(_read_on_loop(method.function(*args), read))
        result: T = await self._threads.call(
            _read_in_thread, method.function, args, read
        )
        if _is_pending(result):
            return await contained(_read_on_loop(result, read))
        return result


class _Method(NamedTuple):
    function: Callable[..., Any]
    is_coroutine: bool


def has_methods(pipeline: Any) -> bool:
    """Tell whether an object can serve as a pipeline at all."""
    return any(_method(pipeline, name) for name in ("retrieve", "answer"))


async def contained(awaitable: Awaitable[T]) -> T:
    """Await user code so that it cannot end the loop, the task or the process.

    `SystemExit`, a cancellation that nobody asked for and their like are raised
    as `AdapterExitError`. A real cancellation and Ctrl-C pass through.
    """
    task = asyncio.current_task()
    try:
        return await awaitable
    except BaseException as error:
        if isinstance(error, Exception) or _is_from_outside(error, task):
            raise
        raise AdapterExitError.standing_for(error) from error


def _is_from_outside(error: BaseException, task: "asyncio.Task[Any] | None") -> bool:
    if isinstance(error, asyncio.CancelledError):
        return task is None or task.cancelling() > 0
    if isinstance(error, GeneratorExit):  # while a coroutine is closed, no task runs it
        return task is None or asyncio.current_task(task.get_loop()) is not task
    return is_ctrl_c(error)


def is_ctrl_c(error: BaseException) -> bool:
    """Tell whether an exception may be a real Ctrl-C: only the main thread gets one."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    return in_main_thread and isinstance(error, KeyboardInterrupt)


def _method(pipeline: Any, name: str) -> _Method | None:
    function = getattr(pipeline, name, None)
    if not callable(function):
        return None
    inner = function
    while isinstance(inner, partial):
        inner = inner.func
    is_coroutine = any(
        inspect.iscoroutinefunction(candidate)
        for candidate in (inner, type(inner).__call__)
    )
    return _Method(function, is_coroutine)


def _is_pending(reply: Any) -> bool:
    return inspect.isawaitable(reply) or isinstance(reply, AsyncIterator)


def _read_in_thread(
    function: Callable[..., Any], args: tuple[Any, ...], read: Callable[[Any], T]
) -> Any:
    """Call and read in one go, so that generators are drained off the loop."""
    reply = function(*args)
    return reply if _is_pending(reply) else read(reply)


async def _read_on_loop(reply: Any, read: Callable[[Any], T]) -> T:
    if inspect.isawaitable(reply):
        reply = await reply
    if isinstance(reply, AsyncIterator):
        reply = await _drained(reply)
    return read(reply)


async def _drained(items: AsyncIterator[Any]) -> list[Any]:
    """Return the items, at most one more than a reply may have."""
    drained = []
    async for item in items:
        drained.append(item)
        if len(drained) > MAX_ITEMS:
            break
        if len(drained) % _ITEMS_BETWEEN_YIELDS == 0:
            await asyncio.sleep(0)
    return drained
