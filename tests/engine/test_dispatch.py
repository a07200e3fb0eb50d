import pytest

from ragproof_ray.engine import ordinals
from ragproof_ray.engine.dispatch import BARREN_ATTEMPTS, Dispatcher, shares
from ragproof_ray.errors import ExecutionError


def dispatcher(total=10, concurrency=(2,), shard_size=10, case_attempts=2):
    return Dispatcher((range(total),), concurrency, shard_size, case_attempts)


@pytest.mark.parametrize(
    ("concurrency", "workers", "expected"),
    [(4, 2, [2, 2]), (5, 2, [3, 2]), (3, 8, [1, 1, 1]), (1, 1, [1])],
)
def test_calls_are_divided_among_the_workers_and_none_is_lost(
    concurrency, workers, expected
):
    assert shares(concurrency, workers) == expected


def test_every_case_is_handed_out_once():
    plan = dispatcher(total=10, concurrency=(1, 1), shard_size=4)
    first, second = plan.next_shard(), plan.next_shard()

    assert plan.next_shard() is None, "both workers are busy"
    plan.finish(first)
    third = plan.next_shard()
    plan.finish(second)
    plan.finish(third)
    assert [s.cases for s in (first, second, third)] == [
        (range(4),),
        (range(4, 8),),
        (range(8, 10),),
    ]
    assert plan.is_done


def test_shards_shrink_towards_the_end_when_no_size_is_set():
    plan = dispatcher(total=10_000, concurrency=(1, 1), shard_size=None)
    sizes = []
    while not plan.is_done:
        shard = plan.next_shard()
        sizes.append(ordinals.count(shard.cases))
        plan.finish(shard)

    assert sum(sizes) == 10_000
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 10_000 // 6
    assert sizes[-1] <= 4


def test_a_lost_task_is_resubmitted_for_what_it_did_not_store():
    plan = dispatcher()
    plan.resubmit(plan.next_shard(), (range(7, 10),))

    assert plan.next_shard().cases == (range(7, 10),)


def test_after_a_death_suspects_run_alone_and_innocents_together():
    plan = dispatcher(concurrency=(2,))
    plan.bury(plan.next_shard(), missing=(range(2, 10),), suspects={1, 4, 5})
    shards = []
    while (shard := plan.next_shard()) is not None:
        plan.finish(shard)
        shards.append((shard.cases, shard.concurrency))

    assert sorted(shards, key=lambda s: len(s[0])) == [
        ((range(4, 5),), 1),
        ((range(5, 6),), 1),
        ((range(2, 4), range(6, 10)), 2),
    ]
    assert plan.is_done


def test_a_case_is_condemned_after_its_deaths_alone_and_not_before():
    plan = dispatcher(total=1, case_attempts=2)
    plan.bury(plan.next_shard(), missing=(range(1),), suspects={0})
    plan.bury(plan.next_shard(), missing=(range(1),), suspects={0})

    assert plan.take_condemned() == [], "one death alone"
    plan.bury(plan.next_shard(), missing=(range(1),), suspects={0})
    assert [shard.cases for shard in plan.take_condemned()] == [(range(1),)]
    assert plan.is_done


def test_a_random_kill_condemns_nobody():
    plan = dispatcher(total=4, case_attempts=1)
    plan.bury(plan.next_shard(), missing=(range(4),), suspects={0, 1, 2, 3})
    while (shard := plan.next_shard()) is not None:
        plan.finish(shard)

    assert plan.take_condemned() == []
    assert plan.is_done


def test_attempt_numbers_never_repeat():
    plan = dispatcher(total=4, concurrency=(1, 1, 1), shard_size=1)
    shards = [plan.next_shard() for _ in range(3)]
    plan.resubmit(shards[0], shards[0].cases)
    again = plan.next_shard()

    assert again.cases == shards[0].cases
    assert again.attempt_no > max(shard.attempt_no for shard in shards)


def test_a_shard_without_progress_ends_the_run_after_five_attempts():
    plan = dispatcher()
    for _ in range(BARREN_ATTEMPTS - 1):
        shard = plan.next_shard()
        plan.resubmit(shard, shard.cases)

    shard = plan.next_shard()
    with pytest.raises(
        ExecutionError, match="5 attempts at the 10 cases from position 0"
    ):
        plan.resubmit(shard, shard.cases)


def test_progress_starts_the_count_of_barren_attempts_anew():
    plan = dispatcher()
    for stored in range(1, 9):
        plan.resubmit(plan.next_shard(), (range(stored, 10),))

    assert plan.next_shard().cases == (range(8, 10),)
