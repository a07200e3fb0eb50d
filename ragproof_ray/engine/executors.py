"""Where a launch runs: the one choice between this process and Ray."""

import os
from collections.abc import Sequence
from pathlib import Path

from ragproof_ray.config import RunConfig
from ragproof_ray.engine.auto import AutoExecutor
from ragproof_ray.engine.local import LocalExecutor
from ragproof_ray.engine.plan import Executor
from ragproof_ray.errors import ConfigError
from ragproof_ray.metrics import UserMetric


def choose_executor(
    config: RunConfig, user_metrics: Sequence[UserMetric], ray_log: Path | None = None
) -> Executor:
    """Return the executor that `run.workers` and `run.address` ask for, not entered.

    Args:
        config: a validated configuration.
        user_metrics: the loaded user metrics.
        ray_log: where to keep what a local Ray has logged.

    Raises:
        ConfigError: they contradict each other.
    """
    wanted, address = config.run.workers, config.run.address
    if wanted == 0 and address:
        raise ConfigError(
            f"run.workers 0 runs in this process and cannot join {address!r}; "
            "drop run.address, or give a number of workers"
        )

    def cluster() -> Executor:
        from ragproof_ray.engine.cluster import ClusterExecutor

        return ClusterExecutor(
            config.adapter,
            workers=None if wanted == "auto" else wanted,
            address=address,
            concurrency=config.run.concurrency,
            shard_size=config.run.shard_size,
            case_attempts=config.run.case_attempts,
            log=ray_log,
        )

    if address is None and wanted in (0, "auto"):
        local = LocalExecutor(config.adapter, user_metrics, config.run.concurrency)
        return AutoExecutor(local, cluster, os.cpu_count() or 1) if wanted else local
    return cluster()
