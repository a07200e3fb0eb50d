import asyncio
import contextlib
import functools
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count, repeat

import pytest

from ragproof_ray.adapters.python import PythonAdapter
from ragproof_ray.adapters.reply import Answered, ReplyError, Retrieved
from ragproof_ray.adapters.threads import AdapterExitError

CHUNKS = [{"id": "a", "text": "t"}]
RETRIEVED = Retrieved(["a"], ["a"], ["t"], [None])


class Pipeline:
    """A pipeline made of the given functions and attributes."""

    def __init__(self, retrieve=None, answer=None, **attributes):
        self.retrieve = retrieve
        self.answer = answer
        vars(self).update(attributes)


def retrieved(retrieve):
    return asyncio.run(PythonAdapter(Pipeline(retrieve)).retrieve("q", 5))


def answered(answer):
    return asyncio.run(PythonAdapter(Pipeline(answer=answer)).answer("q"))


async def coroutine_function(_question, _k):
    await asyncio.sleep(0)
    return CHUNKS


async def coroutine_function_with_option(_option, _question, _k):
    return CHUNKS


class AsyncCallable:
    async def __call__(self, _question, _k):
        return CHUNKS


class Callable:
    def __call__(self, _question, _k):
        return CHUNKS


@functools.wraps(coroutine_function)
def wrapper_that_returns_the_coroutine(question, k):
    return coroutine_function(question, k)


@functools.wraps(coroutine_function)
def wrapper_that_runs_a_loop_of_its_own(question, k):
    return asyncio.run(coroutine_function(question, k))


async def async_generator(_question, _k):
    for chunk in CHUNKS:
        yield chunk


async def coroutine_function_with_async_generator(question, k):
    return async_generator(question, k)


def generator(_question, _k):
    yield from CHUNKS


@pytest.mark.parametrize(
    "retrieve",
    [
        coroutine_function,
        functools.partial(coroutine_function_with_option, "option"),
        functools.partial(functools.partial(AsyncCallable())),
        AsyncCallable(),
        Callable(),
        lambda _question, _k: CHUNKS,
        wrapper_that_returns_the_coroutine,
        wrapper_that_runs_a_loop_of_its_own,
        async_generator,
        coroutine_function_with_async_generator,
        generator,
        lambda _question, _k: iter(CHUNKS),
    ],
)
def test_every_kind_of_callable_gives_its_chunks(retrieve):
    assert retrieved(retrieve) == RETRIEVED


def test_a_coroutine_function_runs_on_the_loop_from_its_first_line():
    threads = []

    async def retrieve(_question, _k):
        threads.append(threading.current_thread())
        return CHUNKS

    retrieved(functools.partial(retrieve))

    assert threads == [threading.main_thread()]


def test_a_synchronous_generator_runs_in_the_thread_of_its_call():
    threads = []

    def retrieve(_question, _k):
        threads.append(threading.current_thread())
        yield {"id": "a"}
        threads.append(threading.current_thread())

    retrieved(retrieve)

    assert threads[0] is threads[1]
    assert threads[0] is not threading.main_thread()


def test_generators_inside_an_answer_run_in_the_thread_of_its_call():
    threads = []

    def citations():
        threads.append(threading.current_thread())
        yield {"chunk_id": "a"}

    answer = answered(lambda _: {"answer_text": "yes", "citations": citations()})

    assert answer.cited_ids == ["a"]
    assert threads[0] is not threading.main_thread()


def test_the_question_and_k_reach_the_pipeline():
    def retrieve(question, k):
        return [{"id": question, "text": str(k)}]

    assert retrieved(retrieve) == Retrieved(["q"], ["q"], ["5"], [None])


def test_more_than_k_chunks_are_all_kept():
    ids = retrieved(lambda _question, k: [{"id": n} for n in range(k + 2)]).ids

    assert ids == ["0", "1", "2", "3", "4", "5", "6"]


def test_an_answer_is_read():
    async def answer(_question):
        return {"answer_text": "yes", "citations": [{"chunk_id": "a"}]}

    assert answered(answer) == Answered("yes", ["a"], None)


@pytest.mark.parametrize(
    ("pipeline", "supports_retrieve", "supports_answer"),
    [
        (Pipeline(retrieve=print), True, False),
        (Pipeline(answer=print), False, True),
        (Pipeline(retrieve=print, answer="not callable"), True, False),
    ],
)
def test_a_capability_is_a_callable_attribute(
    pipeline, supports_retrieve, supports_answer
):
    adapter = PythonAdapter(pipeline)

    assert adapter.supports_retrieve is supports_retrieve
    assert adapter.supports_answer is supports_answer


def test_an_attribute_that_denies_a_capability_is_ignored():
    pipeline = Pipeline(retrieve=print, supports_retrieve=False)

    assert PythonAdapter(pipeline).supports_retrieve


def test_a_missing_method_gives_the_empty_reply():
    adapter = PythonAdapter(Pipeline())

    assert asyncio.run(adapter.retrieve("q", 5)) is None
    assert asyncio.run(adapter.answer("q")) == Answered(None, [], None)


def in_thread(function):
    return lambda *_: function()


def on_loop(function):
    async def method(*_):
        return function()

    return method


@pytest.mark.parametrize("place", [in_thread, on_loop])
@pytest.mark.parametrize("error", [ValueError("bad index"), TimeoutError("slow")])
def test_an_ordinary_exception_passes_through(place, error):
    def fail():
        raise error

    with pytest.raises(type(error)) as caught:
        retrieved(place(fail))

    assert caught.value is error


class OwnStop(BaseException):
    pass


@pytest.mark.parametrize("place", [in_thread, on_loop])
@pytest.mark.parametrize(
    "error", [SystemExit(2), asyncio.CancelledError(), GeneratorExit(), OwnStop()]
)
def test_what_would_end_more_than_a_case_is_a_case_error(place, error):
    def fail():
        raise error

    with pytest.raises(AdapterExitError) as caught:
        retrieved(place(fail))

    assert caught.value.error_type == type(error).__name__


@pytest.mark.parametrize("place", [in_thread, on_loop])
def test_a_stop_raised_while_a_reply_is_read_is_a_case_error(place):
    class LazyChunk:
        @property
        def id(self):
            raise SystemExit

    with pytest.raises(AdapterExitError, match="SystemExit"):
        retrieved(place(lambda: [LazyChunk()]))


async def interrupt(_question, _k):
    raise KeyboardInterrupt


def test_ctrl_c_on_the_loop_is_left_alone():
    with pytest.raises(KeyboardInterrupt):
        retrieved(interrupt)


def test_an_interrupt_on_a_loop_where_no_ctrl_c_arrives_is_a_case_error():
    with ThreadPoolExecutor(1) as pool:
        error = pool.submit(retrieved, interrupt).exception()

    assert isinstance(error, AdapterExitError)
    assert error.error_type == "KeyboardInterrupt"


def test_a_generator_ends_when_nobody_waits_for_it_any_more():
    release = threading.Event()
    pulled = []

    async def abandon_at_the_second_item():
        loop = asyncio.get_running_loop()
        started = loop.create_future()

        def retrieve(_question, _k):
            for number in count():
                pulled.append(number)
                if number == 1:
                    loop.call_soon_threadsafe(
                        started.set_result, threading.current_thread()
                    )
                    release.wait()
                yield {"id": number}

        adapter = PythonAdapter(Pipeline(retrieve))
        task = asyncio.create_task(adapter.retrieve("q", 5))
        thread = await started
        task.cancel()
        await asyncio.wait([task])
        release.set()
        await adapter.aclose()
        thread.join(timeout=10)

    asyncio.run(abandon_at_the_second_item())

    assert pulled == [0, 1]


def test_an_async_generator_that_never_waits_lets_the_loop_run():
    pulled = []

    async def items():
        for number in count():
            pulled.append(number)
            yield {"id": number}

    async def retrieve(_question, _k):
        return items()

    async def cancel_after_a_turn():
        task = asyncio.create_task(PythonAdapter(Pipeline(retrieve)).retrieve("q", 5))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(cancel_after_a_turn())
    assert len(pulled) == 1000


async def endless_async_generator(_question, _k):
    for chunk in repeat({"id": "a"}):
        yield chunk


@pytest.mark.parametrize(
    "retrieve", [lambda _question, _k: repeat({"id": "a"}), endless_async_generator]
)
def test_a_list_without_end_is_refused_at_a_million_items(retrieve):
    with pytest.raises(ReplyError) as caught:
        retrieved(retrieve)

    assert str(caught.value) == "retrieve(): more than 1,000,000 items; give fewer"


def test_a_cancellation_that_nobody_asked_for_is_a_case_error():
    async def retrieve(_question, _k):
        own_task = asyncio.create_task(asyncio.sleep(10))
        own_task.cancel()
        return await own_task

    with pytest.raises(AdapterExitError, match="CancelledError"):
        retrieved(retrieve)


@pytest.mark.parametrize("supports", ["in thread", "on loop"])
def test_a_cancellation_from_outside_stays_a_cancellation(supports):
    release = threading.Event()

    async def on_loop_forever(_question, _k):
        await asyncio.get_running_loop().create_future()

    def in_thread_forever(_question, _k):
        release.wait()

    method = {"in thread": in_thread_forever, "on loop": on_loop_forever}[supports]

    async def cancelled():
        adapter = PythonAdapter(Pipeline(method))
        task = asyncio.create_task(adapter.retrieve("q", 5))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled(), adapter.stuck

    try:
        is_cancelled, stuck = asyncio.run(cancelled())
    finally:
        release.set()

    assert is_cancelled
    assert stuck == (1 if supports == "in thread" else 0)


def test_a_coroutine_closed_from_outside_closes_quietly():
    async def forever(_question, _k):
        await asyncio.get_running_loop().create_future()

    async def close_halfway():
        coroutine = PythonAdapter(Pipeline(forever)).retrieve("q", 5)
        coroutine.send(None)
        await asyncio.sleep(0)
        return coroutine

    coroutine = asyncio.run(close_halfway())
    coroutine.close()

    assert coroutine.cr_frame is None


@pytest.mark.parametrize("place", [in_thread, on_loop])
def test_a_wrong_reply_is_a_reply_error(place):
    with pytest.raises(ReplyError, match=r"answer\(\): got str"):
        answered(place(lambda: "Paris"))


def test_one_call_that_never_returns_harms_no_other_case():
    release = threading.Event()

    def answer(question):
        if question == "c5":
            release.wait()
        return {"answer_text": question}

    async def evaluate(adapter, question):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.2 if question == "c5" else 30):
                return (await adapter.answer(question)).text

    async def evaluate_all():
        adapter = PythonAdapter(Pipeline(answer=answer))
        questions = [f"c{number}" for number in range(100)]
        return await asyncio.gather(*(evaluate(adapter, q) for q in questions))

    try:
        texts = asyncio.run(evaluate_all())
    finally:
        release.set()

    assert [n for n, text in enumerate(texts) if text is None] == [5]


def test_one_adapter_serves_one_event_loop_after_another():
    adapter = PythonAdapter(Pipeline(lambda _question, _k: CHUNKS))

    first = asyncio.run(adapter.retrieve("q", 5))
    second = asyncio.run(adapter.retrieve("q", 5))

    assert first == second == RETRIEVED


def test_closing_ends_the_threads_and_leaves_the_pipeline_open():
    threads = []
    pipeline = Pipeline(
        lambda _question, _k: threads.append(threading.current_thread()),
        aclose=lambda: pytest.fail("the pipeline was closed"),
    )

    async def retrieve_and_close():
        adapter = PythonAdapter(pipeline)
        await adapter.retrieve("q", 5)
        await adapter.aclose()

    asyncio.run(retrieve_and_close())
    threads[0].join(timeout=10)

    assert not threads[0].is_alive()
