import asyncio
import contextvars
import inspect
import pickle
import subprocess
import sys
import threading

import pytest

from ragproof_ray.adapters.threads import AdapterExitError, DaemonThreads
from ragproof_ray.errors import CaseError


async def abandon(threads, function):
    """Start a call and cancel its caller while it runs; return its thread."""
    loop = asyncio.get_running_loop()
    started = loop.create_future()

    def announced():
        loop.call_soon_threadsafe(started.set_result, threading.current_thread())
        return function()

    caller = asyncio.create_task(threads.call(announced))
    thread = await started
    caller.cancel()
    await asyncio.wait([caller])
    assert caller.cancelled()
    return thread


def finish(threads, thread):
    """Wait until a call that may now return is through with everything."""
    threads.close()
    thread.join(timeout=10)
    assert not thread.is_alive()


def test_a_call_returns_what_the_function_returns():
    result = asyncio.run(DaemonThreads().call(divmod, 7, 2))

    assert result == (3, 1)


def test_a_call_runs_in_a_daemon_thread():
    thread = asyncio.run(DaemonThreads().call(threading.current_thread))

    assert thread.daemon
    assert thread is not threading.current_thread()


def test_no_call_waits_for_another():
    barrier = threading.Barrier(100, timeout=10)

    async def meet():
        threads = DaemonThreads()
        return await asyncio.gather(*(threads.call(barrier.wait) for _ in range(100)))

    places = asyncio.run(meet())

    assert sorted(places) == list(range(100))


def test_the_loop_runs_while_a_call_blocks():
    async def blocked_until_the_loop_sets_it():
        event = threading.Event()
        call = asyncio.create_task(DaemonThreads().call(event.wait, 10))
        await asyncio.sleep(0)
        event.set()
        return await call

    assert asyncio.run(blocked_until_the_loop_sets_it()) is True


def test_the_thread_that_became_idle_last_is_used_first():
    async def idents():
        threads = DaemonThreads()
        return [await threads.call(threading.get_ident) for _ in range(5)]

    assert len(set(asyncio.run(idents()))) == 1


def test_a_call_sees_the_context_variables_of_its_caller():
    variable = contextvars.ContextVar("variable", default="unset")

    async def seen():
        variable.set("set by the caller")
        return await DaemonThreads().call(variable.get)

    assert asyncio.run(seen()) == "set by the caller"


def test_an_ordinary_exception_comes_back_as_itself():
    error = ValueError("index is empty")

    def fail():
        raise error

    with pytest.raises(ValueError, match="index is empty") as caught:
        asyncio.run(DaemonThreads().call(fail))

    assert caught.value is error


class OwnStopError(BaseException):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "error_type", "text"),
    [
        (SystemExit(3), "SystemExit", "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt", "KeyboardInterrupt"),
        (GeneratorExit("g"), "GeneratorExit", "GeneratorExit: g"),
        (StopIteration(1), "StopIteration", "StopIteration: 1"),
        (
            asyncio.CancelledError(),
            "CancelledError",
            "asyncio.exceptions.CancelledError",
        ),
    ],
)
def test_what_would_end_more_than_a_case_comes_back_as_a_case_error(
    error, error_type, text
):
    def fail():
        raise error

    with pytest.raises(AdapterExitError) as caught:
        asyncio.run(DaemonThreads().call(fail))

    assert caught.value.error_type == error_type
    assert str(caught.value) == (
        f"the adapter raised {text}; raise an ordinary exception instead"
    )


def test_an_exception_that_cannot_be_printed_is_named():
    def fail():
        raise OwnStopError

    with pytest.raises(AdapterExitError, match="OwnStopError") as caught:
        asyncio.run(DaemonThreads().call(fail))

    assert caught.value.error_type == "OwnStopError"


def test_a_thread_survives_what_its_call_raised():
    async def idents():
        threads = DaemonThreads()
        before = await threads.call(threading.get_ident)
        with pytest.raises(AdapterExitError):
            await threads.call(sys.exit)
        return before, await threads.call(threading.get_ident)

    before, after = asyncio.run(idents())

    assert before == after


def test_a_cancelled_call_is_stuck_until_it_returns():
    async def counts():
        threads = DaemonThreads()
        release = threading.Event()
        thread = await abandon(threads, release.wait)
        while_running = threads.stuck
        release.set()
        finish(threads, thread)
        return while_running, threads.stuck

    assert asyncio.run(counts()) == (1, 0)


def test_a_late_result_is_dropped():
    async def late_then_next():
        threads = DaemonThreads()
        release = threading.Event()
        thread = await abandon(threads, release.wait)
        release.set()
        finish(threads, thread)
        return await threads.call(lambda: "next")

    assert asyncio.run(late_then_next()) == "next"


def test_a_late_exception_is_dropped():
    release = threading.Event()

    def fail():
        release.wait()
        raise ValueError

    async def late_then_next():
        threads = DaemonThreads()
        thread = await abandon(threads, fail)
        release.set()
        finish(threads, thread)
        return await threads.call(lambda: "next")

    assert asyncio.run(late_then_next()) == "next"


def test_a_late_coroutine_is_closed():
    release = threading.Event()

    async def never_started():
        pass

    coroutine = never_started()

    def make():
        release.wait()
        return coroutine

    async def late():
        threads = DaemonThreads()
        thread = await abandon(threads, make)
        release.set()
        finish(threads, thread)
        await asyncio.sleep(0)

    asyncio.run(late())

    assert inspect.getcoroutinestate(coroutine) == inspect.CORO_CLOSED


def test_a_result_after_the_loop_has_closed_is_dropped():
    threads = DaemonThreads()
    release = threading.Event()
    thread = asyncio.run(abandon(threads, release.wait))

    release.set()
    finish(threads, thread)

    assert threads.stuck == 0
    assert asyncio.run(threads.call(lambda: "next loop")) == "next loop"


def test_a_call_is_refused_when_too_many_are_stuck():
    async def refused_then_next():
        threads = DaemonThreads(max_stuck=2)
        release = threading.Event()
        stuck = [await abandon(threads, release.wait) for _ in range(3)]
        try:
            with pytest.raises(CaseError) as caught:
                await threads.call(int)
        finally:
            release.set()
        for thread in stuck:
            finish(threads, thread)
        return str(caught.value), await threads.call(lambda: "next")

    message, after = asyncio.run(refused_then_next())

    assert message == (
        "3 adapter calls that timed out are still running, so no further one is"
        " started; give the pipeline's own calls a time limit"
    )
    assert after == "next"


def test_a_thread_that_cannot_be_started_is_a_case_error():
    more_than_the_address_space = 1 << 47
    previous = threading.stack_size(more_than_the_address_space)
    try:
        with pytest.raises(CaseError, match=r"lower run\.concurrency"):
            asyncio.run(DaemonThreads().call(int))
    finally:
        threading.stack_size(previous)


def test_closing_ends_idle_threads_at_once_and_busy_ones_when_they_return():
    async def ended():
        threads = DaemonThreads()
        release = threading.Event()
        busy = asyncio.create_task(
            threads.call(lambda: release.wait() and threading.current_thread())
        )
        await asyncio.sleep(0)
        idle = await threads.call(threading.current_thread)
        threads.close()
        idle.join(timeout=10)
        release.set()
        was_busy = await busy
        was_busy.join(timeout=10)
        return idle.is_alive(), was_busy.is_alive()

    assert asyncio.run(ended()) == (False, False)


def test_a_stuck_call_does_not_keep_the_process_alive():
    program = """
import asyncio, threading
from ragproof_ray.adapters.threads import DaemonThreads

async def main():
    threads = DaemonThreads()
    try:
        async with asyncio.timeout(0.05):
            await threads.call(threading.Event().wait)
    except TimeoutError:
        print("timeout, stuck:", threads.stuck)

asyncio.run(main())
"""

    finished = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert finished.stdout == "timeout, stuck: 1\n"
    assert finished.stderr == ""
    assert finished.returncode == 0


def test_the_stand_in_survives_pickling():
    original = AdapterExitError("SystemExit", "SystemExit: 3")

    error = pickle.loads(pickle.dumps(original))

    assert error.error_type == "SystemExit"
    assert str(error) == (
        "the adapter raised SystemExit: 3; raise an ordinary exception instead"
    )
