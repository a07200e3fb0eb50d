"""Which cases run next, and what a worker's death means; decides, does no I/O.

A worker's death makes suspects of the cases it had started and not ended. Each is run
again alone, and only a death while alone is charged to it, so innocents beside a
killer case, or under a random kill, are never condemned.
"""

import secrets
from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import polars as pl

from ragproof_ray.engine import ordinals
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.plan import Shard
from ragproof_ray.errors import ExecutionError

BARREN_ATTEMPTS = 5
_LARGEST_SHARD = 8192
_CALLS_PER_SLOT = 4


def shares(concurrency: int, workers: int) -> list[int]:
    """Divide adapter calls among workers; no more workers than calls.

    >>> shares(5, 2)
    [3, 2]
    """
    workers = min(workers, concurrency)
    each, remainder = divmod(concurrency, workers)
    return [each + (index < remainder) for index in range(workers)]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Cases to be run again, and how many attempts at them brought nothing."""

    cases: Ranges
    barren: int = 0
    is_alone: bool = False


class Dispatcher:
    """Hands out shards until every case is settled.

    Args:
        todo: the cases of this launch.
        concurrency: adapter calls of each worker, see `shares`.
        shard_size: cases a shard; None shrinks shards towards the end of the run.
        case_attempts: deaths while alone after which a case is condemned.
    """

    def __init__(
        self,
        todo: Ranges,
        concurrency: Sequence[int],
        shard_size: int | None,
        case_attempts: int,
    ) -> None:
        self._todo = todo
        self._left = ordinals.count(todo)
        self._free = sorted(concurrency)
        self._workers = len(self._free)
        self._shard_size = shard_size
        self.case_attempts = case_attempts
        self._again: deque[_Batch] = deque()
        self._out: dict[str, tuple[_Batch, int]] = {}
        self._deaths: Counter[int] = Counter()
        self._attempts = 0
        self._condemned: list[Shard] = []

    @property
    def is_done(self) -> bool:
        """True when nothing is left to hand out and nothing is out."""
        return not (self._out or self._again or self._left or self._condemned)

    def next_shard(self) -> Shard | None:
        """Return a shard for a free worker, or None when there is neither."""
        if not self._free or not (self._again or self._left):
            return None
        share = self._free.pop()
        batch = self._again.popleft() if self._again else self._cut(share)
        shard = self._shard(batch.cases, 1 if batch.is_alone else share)
        self._out[shard.attempt_id] = batch, share
        return shard

    def take_condemned(self) -> list[Shard]:
        """Return the cases, each a shard, that are to be recorded as failed now."""
        condemned, self._condemned = self._condemned, []
        return condemned

    def finish(self, shard: Shard) -> None:
        """Take back a shard all of whose cases are stored."""
        self._take_back(shard)

    def resubmit(self, shard: Shard, missing: Ranges) -> None:
        """Take back a shard whose task was lost through no fault of a case.

        Raises:
            ExecutionError: too many attempts in a row stored nothing.
        """
        self._again_without(self._take_back(shard), missing)

    def bury(self, shard: Shard, missing: Ranges, suspects: Collection[int]) -> None:
        """Take back a shard whose worker died.

        Args:
            shard: the shard.
            missing: its cases that are not stored.
            suspects: those that had been started and not ended.

        Raises:
            ExecutionError: too many attempts in a row stored nothing.
        """
        batch = self._take_back(shard)
        if batch.is_alone:
            self._charge(batch, missing)
            return
        innocent = ordinals.difference(
            missing, pl.Series(list(suspects), dtype=pl.UInt32)
        )
        for suspect in (o for o in suspects if any(o in cases for cases in missing)):
            self._again.append(_Batch((range(suspect, suspect + 1),), is_alone=True))
        if innocent:
            self._again_without(batch, innocent)

    def _shard(self, cases: Ranges, concurrency: int) -> Shard:
        self._attempts += 1
        return Shard(cases, self._attempts, secrets.token_hex(4), concurrency)

    def _charge(self, batch: _Batch, missing: Ranges) -> None:
        for ordinal in (o for cases in missing for o in cases):
            self._deaths[ordinal] += 1
            if self._deaths[ordinal] >= self.case_attempts:
                self._condemned.append(self._shard(batch.cases, 1))
            else:
                self._again.append(batch)

    def _again_without(self, batch: _Batch, missing: Ranges) -> None:
        is_barren = missing == batch.cases
        barren = batch.barren + 1 if is_barren else 0
        if barren >= BARREN_ATTEMPTS:
            first = batch.cases[0].start
            msg = (
                f"{BARREN_ATTEMPTS} attempts at the {ordinals.count(missing)} cases from "
                f"position {first} on ended without a result; see the workers' logs "
                "(--verbose), then continue with --resume"
            )
            raise ExecutionError(msg)
        self._again.append(_Batch(missing, barren, batch.is_alone))

    def _take_back(self, shard: Shard) -> _Batch:
        batch, share = self._out.pop(shard.attempt_id)
        self._free = sorted([*self._free, share])
        return batch

    def _cut(self, share: int) -> _Batch:
        size = self._shard_size or max(
            min(self._left // (3 * self._workers), _LARGEST_SHARD),
            _CALLS_PER_SLOT * share,
        )
        cases, self._todo = ordinals.take(self._todo, size)
        self._left -= ordinals.count(cases)
        return _Batch(cases)
