"""One shard in this process: deadlines, stubborn calls, the stop, exact bookkeeping."""

import asyncio
import time

import polars as pl
import pytest

from ragproof_ray.adapters import Answered, Retrieved
from ragproof_ray.config import AdapterSection
from ragproof_ray.engine.parts import PartName
from ragproof_ray.engine.plan import LaunchPlan, Progress, Shard
from ragproof_ray.engine.responses import FULL_ROWS
from ragproof_ray.engine.store import CASES_PER_FILE, Store
from ragproof_ray.engine.worker import evaluate_shard
from ragproof_ray.errors import ExecutionError, StoreError
from ragproof_ray.metrics import ScoringParams
from ragproof_ray.schema import CASE_SCHEMA

LAUNCH = "20260101T000000000000aaaaaa"


class FunctionAdapter:
    """An adapter whose answer is a coroutine function of the question."""

    supports_retrieve = False
    supports_answer = True
    stuck = 0

    def __init__(self, function):
        self._function = function

    async def retrieve(self, question, k):
        return Retrieved([], [], [], [])

    async def answer(self, question):
        return Answered(await self._function(question), [], None)

    async def aclose(self):
        pass


class Control:
    """Records what a shard says; stops when told."""

    interval_s = 0.01

    def __init__(self):
        self.stopping = False
        self.inside = set()
        self.progress = Progress()

    def started(self, ordinal):
        self.inside.add(ordinal)

    def ended(self, ordinal):
        self.inside.remove(ordinal)

    async def beat(self, progress):
        self.progress = progress


def cases(count):
    return pl.DataFrame(
        {
            "ordinal": range(count),
            "case_id": [f"c{n}" for n in range(count)],
            "kind": "qa",
            "question": [f"{n}" for n in range(count)],
            "expected_answer": "yes",
            "expected_source_ids": [[]] * count,
            "adversarial_payload": None,
            "metadata": None,
            "case_hash": "0" * 64,
        },
        schema=CASE_SCHEMA,
    )


@pytest.fixture
def shard(tmp_path):
    """Evaluate a number of cases with a function; return control, progress and rows."""
    store = Store(str(tmp_path))

    def evaluate(
        function,
        count=3,
        timeout_s=5.0,
        concurrency=2,
        control=None,
        grace_s=5.0,
        late_from_s=5.0,
        adapter=FunctionAdapter,
    ):
        batches = [
            cases(count)[i : i + CASES_PER_FILE]
            for i in range(0, count, CASES_PER_FILE)
        ]
        store.put_dataset(batches, lambda: "content")
        plan = LaunchPlan(
            store=str(tmp_path),
            run_id="run",
            launch=LAUNCH,
            launched_at=time.time(),
            dataset_hash="dataset",
            content_hash="content",
            adapter=AdapterSection(type="python", target="a:b"),
            scoring=ScoringParams(5, "chunk"),
            user_metrics=(),
            case_timeout_s=timeout_s,
            store_context=True,
            grace_s=grace_s,
            late_from_s=late_from_s,
        )
        control = control or Control()
        work = Shard((range(count),), 1, "attempt", concurrency)
        evaluation = evaluate_shard(plan, work, store, adapter(function), (), control)
        progress = asyncio.run(evaluation)
        parts = sorted((tmp_path / "runs" / "run" / "parts").glob("*.parquet"))
        rows = pl.concat([pl.read_parquet(path) for path in parts]) if parts else None
        return control, progress, rows

    return evaluate


async def yes(question):
    return "yes"


def test_every_case_is_stored_once_and_has_left_the_adapter(shard):
    control, progress, rows = shard(yes, count=20_000, concurrency=7)

    assert sorted(rows["ordinal"]) == list(range(20_000))
    assert progress == Progress(done=20_000, failed=0, stuck=0)
    assert control.inside == set()


def test_a_call_that_never_returns_is_a_timeout_of_its_own_time(shard):
    async def hang(question):
        if question == "1":
            await asyncio.Event().wait()
        return "yes"

    _, progress, rows = shard(hang, timeout_s=0.1)

    late = rows.filter(status="timeout").row(0, named=True)
    assert (late["ordinal"], late["error_type"], late["error_stage"]) == (
        1,
        "TimeoutError",
        "answer",
    )
    assert (
        late["error"]
        == "no reply from answer() within the case's 0.1 s (run.case_timeout_seconds)"
    )
    assert 100 <= late["duration_ms"] < 1000
    assert progress.failed == 1


def test_a_timeout_error_of_the_pipeline_is_a_timeout_too(shard):
    async def late(question):
        raise TimeoutError("upstream took too long")

    _, _, rows = shard(late, count=1)

    assert rows["status"].to_list() == ["timeout"]
    assert rows["error"].to_list() == ["TimeoutError: upstream took too long"]


def test_a_call_that_swallows_its_cancellation_and_returns_is_still_a_timeout(shard):
    async def stubborn(question):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "late"

    _, _, rows = shard(stubborn, count=3, timeout_s=0.05, concurrency=1)

    assert rows["status"].to_list() == ["timeout"] * 3
    assert rows["answer_text"].to_list() == [None] * 3


def test_a_call_that_ignores_its_cancellation_is_given_up_and_replaced(
    shard, monkeypatch
):
    async def immortal(question):
        while question == "0":
            try:
                await asyncio.sleep(0.3)
                return "at last"
            except asyncio.CancelledError:
                continue
        return "yes"

    _, progress, rows = shard(
        immortal, count=4, timeout_s=0.05, concurrency=1, grace_s=0.05
    )

    assert rows.sort("ordinal")["status"].to_list() == ["timeout", "ok", "ok", "ok"]
    assert progress.done == 4


@pytest.mark.parametrize(
    "error",
    [
        KeyError("x"),
        RecursionError("deep"),
        MemoryError(),
        asyncio.CancelledError("mine"),
        StopAsyncIteration(),
    ],
)
def test_whatever_the_pipeline_raises_is_that_cases_failure(shard, error):
    async def fail(question):
        if question == "1":
            raise error
        return "yes"

    _, _, rows = shard(fail)

    failed = rows.filter(pl.col("status") != "ok")
    assert failed["ordinal"].to_list() == [1]
    assert failed["rank"].to_list() == [0]
    assert failed["error_type"].item() in {type(error).__name__, "RuntimeError"}


def test_a_pipeline_that_cancels_its_own_task_loses_no_case(shard):
    async def cancel_myself(question):
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        return "never"

    _, progress, rows = shard(cancel_myself, count=4)

    assert rows["status"].to_list() == ["error"] * 4
    assert rows["error_type"].to_list() == ["CancelledError"] * 4
    assert progress.done == 4


def test_a_pipeline_that_cancels_its_own_task_and_answers_blames_no_other_case(shard):
    async def cancel_and_answer(question):
        if question in ("2", "5"):
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
        return "yes"

    _, _, rows = shard(cancel_and_answer, count=8, concurrency=1)

    assert rows["status"].to_list() == ["ok"] * 8


def test_a_pipeline_that_cancels_every_task_ends_the_shard_with_a_reason(shard):
    async def cancel_everything(question):
        for task in asyncio.all_tasks():
            if task is not asyncio.current_task():
                task.cancel()
        await asyncio.sleep(0)
        return "yes"

    with pytest.raises((ExecutionError, asyncio.CancelledError)):
        shard(cancel_everything, count=8, concurrency=1)


def test_no_more_coroutines_are_made_than_there_are_cases(shard):
    _, progress, _ = shard(yes, count=2, concurrency=2_000_000_000)

    assert progress.done == 2


def test_a_pipeline_that_never_waits_still_hears_the_stop(shard):
    control = Control()

    class StoppedByItsBeat(Control):
        async def beat(self, progress):
            self.stopping = True

    control = StoppedByItsBeat()
    _, progress, _ = shard(yes, count=200_000, concurrency=1, control=control)

    assert 0 < progress.done < 200_000


def test_an_error_that_cannot_be_printed_or_encoded_is_stored_all_the_same(shard):
    class Unprintable(Exception):
        def __str__(self):
            raise ValueError("no text")

    async def fail(question):
        raise Unprintable if question == "0" else ValueError("half \ud800 pair")

    _, _, rows = shard(fail, count=2)

    assert rows.sort("ordinal")["error_type"].to_list() == ["Unprintable", "ValueError"]
    assert rows.sort("ordinal")["error"].to_list()[1] == "ValueError: half \ufffd pair"


def test_secrets_in_an_error_are_redacted_and_long_ones_cut(shard, monkeypatch):
    monkeypatch.setenv("DEMO_API_KEY", "demo-secret-000111222")

    async def fail(question):
        raise ValueError(
            f"401 for {'demo-secret-000111222'}, Bearer demo-secret-000111222 {'x' * 9000}"
        )

    _, _, rows = shard(fail, count=1)

    text = rows["error"].item()
    assert text.startswith("ValueError: 401 for [redacted], [redacted] xxx")
    assert len(text) == 2000


def test_a_call_that_takes_longer_than_the_others_is_reported_as_late(
    shard, monkeypatch
):
    seen = []

    class Watching(Control):
        async def beat(self, progress):
            seen.append(progress.late)

    async def slow(question):
        await asyncio.sleep(0.5 if question == "1" else 0)
        return "yes"

    shard(slow, count=3, timeout_s=2.0, control=Watching(), late_from_s=0.2)

    late = [found for found in seen if found]
    assert {(found.case_id, found.stage) for found in late} == {("c1", "answer")}
    assert late[0].age_s > 0.2
    assert None in seen, "not from the start"


def test_no_case_starts_after_the_stop_and_those_in_flight_finish(shard):
    control = Control()
    release = asyncio.Event()

    async def slow(question):
        if question == "3":
            control.stopping = True
            release.set()
        await release.wait()
        await asyncio.sleep(0.01)
        return "yes"

    _, progress, rows = shard(slow, count=100, concurrency=4, control=control)

    assert sorted(rows["ordinal"]) == [0, 1, 2, 3]
    assert progress.done == 4


def test_calls_that_outlive_the_grace_leave_no_record(shard):
    control = Control()

    async def endless(question):
        if question == "0":
            return "yes"
        control.stopping = True
        return await asyncio.Event().wait()

    _, progress, rows = shard(
        endless, count=10, concurrency=2, control=control, grace_s=0.05
    )

    assert rows["ordinal"].to_list() == [0]
    assert progress.done == 1


def test_a_stop_before_the_first_case_evaluates_none(shard):
    control = Control()
    control.stopping = True

    _, progress, rows = shard(yes, control=control)

    assert rows is None
    assert progress.done == 0


def test_large_contexts_are_flushed_before_they_fill_the_memory(shard, tmp_path):
    async def essay(question):
        return "yes"

    class Chunky(FunctionAdapter):
        supports_retrieve = True

        async def retrieve(self, question, k):
            return Retrieved(["d"], ["d"], ["x" * 2**20], [None])

    shard(essay, count=100, concurrency=1, adapter=Chunky)

    parts = list((tmp_path / "runs" / "run" / "parts").glob("*.parquet"))
    assert len(parts) >= 3, "100 MiB of text in flushes of 32 MiB"


def test_large_answers_are_flushed_as_large_contexts_are(shard, tmp_path):
    async def essay(question):
        return "x" * 2**20

    shard(essay, count=100, concurrency=1)

    parts = list((tmp_path / "runs" / "run" / "parts").glob("*.parquet"))
    assert len(parts) >= 3, "100 MiB of text in flushes of 32 MiB"


def test_a_flush_that_fails_fails_the_shard_although_later_ones_succeed(
    shard, tmp_path
):
    first = PartName(LAUNCH, 1, "attempt", 0)
    (tmp_path / "runs" / "run" / "parts" / str(first)).mkdir(parents=True)

    with pytest.raises(StoreError, match="Is a directory"):
        shard(yes, count=3 * FULL_ROWS)


def test_a_case_without_a_limit_may_take_its_time(shard):
    _, progress, rows = shard(yes, timeout_s=float("inf"), late_from_s=0.0)

    assert rows["status"].to_list() == ["ok"] * 3
    assert progress.failed == 0
