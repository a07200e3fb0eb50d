"""From responses to a published part: join the cases, score, write."""

import polars as pl

from ragproof_ray.engine.parts import (
    RANK_FAILED,
    RANK_JUDGE_ERROR,
    RANK_OK,
    PartName,
)
from ragproof_ray.engine.plan import LaunchPlan, Shard
from ragproof_ray.engine.responses import Failure, Outcome, ResponseBuffer
from ragproof_ray.engine.store import Store
from ragproof_ray.metrics import UserMetric, load_user_metric, score
from ragproof_ray.schema import CaseStatus, MetricStatus


class PartWriter:
    """Scores and publishes the responses of one attempt, a part at a time."""

    def __init__(
        self,
        plan: LaunchPlan,
        shard: Shard,
        store: Store,
        user_metrics: tuple[UserMetric, ...],
    ) -> None:
        self._plan = plan
        self._shard = shard
        self._store = store
        self._user_metrics = user_metrics
        self._parts = 0

    def write(self, responses: pl.DataFrame, cases: pl.DataFrame) -> None:
        """Publish one part.

        Args:
            responses: frame of `RESPONSE_SCHEMA`.
            cases: frame of `CASE_SCHEMA`, row for row the same cases.

        Raises:
            StoreError: the part could not be written; nothing of it is visible.
        """
        finished = pl.concat([cases, responses.drop("ordinal")], how="horizontal")
        scores = score(finished, self._plan.scoring, self._user_metrics)
        stored = responses if self._plan.store_context else _without_texts(responses)
        frame = pl.concat(
            [
                cases.select("ordinal", "case_id", "kind"),
                _ranks(responses, scores),
                stored.drop("ordinal").with_columns(
                    judge_raw_json=pl.lit(None, pl.String)
                ),
                scores,
            ],
            how="horizontal",
        )
        name = PartName(
            self._plan.launch,
            self._shard.attempt_no,
            self._shard.attempt_id,
            self._parts,
        )
        self._store.put_part(
            self._plan.run_id, name, frame.sort("ordinal"), self._plan.dataset_hash
        )
        self._parts += 1


def _ranks(responses: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    statuses = [name for name in scores.columns if name.endswith(".status")]
    judge_failed = pl.any_horizontal(pl.col(statuses) == MetricStatus.JUDGE_ERROR.value)
    rank = (
        pl.when(pl.col("status") != CaseStatus.OK.value)
        .then(RANK_FAILED)
        .when(judge_failed)
        .then(RANK_JUDGE_ERROR)
        .otherwise(RANK_OK)
    )
    both = pl.concat([responses.select("status"), scores], how="horizontal")
    return both.select(rank=rank.cast(pl.UInt8))


def _without_texts(responses: pl.DataFrame) -> pl.DataFrame:
    nothing = pl.lit(None, pl.List(pl.String))
    return responses.with_columns(retrieved_texts=nothing, context_texts=nothing)


def condemn(plan: LaunchPlan, shard: Shard, store: Store, deaths: int) -> None:
    """Publish the failure of cases that killed their worker each time.

    Raises:
        StoreError: the part could not be written.
    """
    cases = pl.concat(store.read_cases(plan.content_hash, shard.cases))
    message = f"worker died ({deaths} attempts)"
    failure = Failure(CaseStatus.ERROR, message, "WorkerDied", "worker")
    buffer = ResponseBuffer()
    for ordinal in cases["ordinal"]:
        buffer.add(Outcome(ordinal, duration_ms=0.0, failure=failure))
    user_metrics = tuple(map(load_user_metric, plan.user_metrics))
    PartWriter(plan, shard, store, user_metrics).write(buffer.to_frame(), cases)
