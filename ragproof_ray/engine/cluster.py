"""Runs a launch on Ray. The only module that imports it, and only when used.

Tasks are never retried by Ray: the driver asks the store what is missing and submits
that again. Workers write results; only counts come back.
"""

import asyncio
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from ragproof_ray.adapters import Adapter, open_adapter
from ragproof_ray.config import AdapterSection
from ragproof_ray.engine import ordinals
from ragproof_ray.engine.attempt_log import AttemptLog, suspects
from ragproof_ray.engine.dispatch import Dispatcher, shares
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.parts import RANK_FAILED
from ragproof_ray.engine.plan import (
    GRACE_S,
    LaunchPlan,
    Monitor,
    Progress,
    Shard,
)
from ragproof_ray.engine.private_ray import collect_logs, private_ray, quiet_ray
from ragproof_ray.engine.processes import finished_within
from ragproof_ray.engine.results import condemn
from ragproof_ray.engine.stop import kept_handlers, no_signals
from ragproof_ray.engine.store import Store
from ragproof_ray.engine.worker import evaluate_shard
from ragproof_ray.errors import ConfigError, ExecutionError, RagproofError
from ragproof_ray.metrics import UserMetric, load_user_metric

_POLL_S = 0.5
_BEAT_S = 1.0
_TELL_S = 5.0  # deadlines of cases wait for no coordinator
_NODE_S = 30.0
_TIDY_S = 5.0
# A worker hears of the stop with its next beat, waits out the grace, and flushes.
_STOP_S = GRACE_S + 10.0


_T = TypeVar("_T")


class ClusterExecutor:
    """An executor on Ray: a local one of our own, or a running cluster.

    A process that is already connected to Ray keeps its connection and is used as it
    stands. The adapter is built in the workers, once per process.

    Args:
        adapter: the pipeline to build.
        workers: worker processes; None for one per CPU of the cluster.
        address: of a running cluster; None starts a local Ray for this launch.
        concurrency: adapter calls in flight, all workers together.
        shard_size: cases a shard, or None to choose.
        case_attempts: deaths of a worker, alone with a case, that condemn the case.
        log: where to keep what a local Ray has logged.

    Raises:
        ConfigError: on entry, when the adapter cannot be built.
        ExecutionError: on entry, when Ray cannot be reached.
    """

    def __init__(
        self,
        adapter: AdapterSection,
        *,
        workers: int | None,
        address: str | None,
        concurrency: int,
        shard_size: int | None,
        case_attempts: int,
        log: Path | None = None,
    ) -> None:
        self._section = adapter
        self._wanted = workers
        self._address = address
        self._concurrency = concurrency
        self._shard_size = shard_size
        self._case_attempts = case_attempts
        self._log = log
        self._stack = ExitStack()
        self.workers = 0

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(connection(self._wanted, self._address, self._log))
            self.workers = self._wanted or _cluster_cpus()
            _probe(self._section)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def execute(self, plan: LaunchPlan, todo: Ranges, monitor: Monitor) -> Progress:
        """Evaluate the given cases; returns early when the monitor is stopping.

        Raises:
            ExecutionError: the store failed, or attempts end without any result.
        """
        dispatcher = Dispatcher(
            todo,
            shares(self._concurrency, self.workers),
            self._shard_size,
            self._case_attempts,
        )
        return _Drive(plan, dispatcher, monitor).run()


class _Drive:
    """One launch: tasks out, how they end, progress, and the stop."""

    def __init__(
        self, plan: LaunchPlan, dispatcher: Dispatcher, monitor: Monitor
    ) -> None:
        import ray

        self._plan = plan
        self._dispatcher = dispatcher
        self._monitor = monitor
        self._store = Store(plan.store)
        self._folder = str(Path.cwd())
        self._logs = str(
            Path(tempfile.gettempdir(), f"rp-{os.getpid()}-attempts-{plan.launch}")
        )
        self._coordinator = _start_coordinator()
        self._run_shard = ray.remote(num_cpus=1, max_retries=0)(_run_shard)
        self._out: dict[Any, Shard] = {}
        self._settled = Progress()
        self._stop_by: float | None = None

    def run(self) -> Progress:
        """Return when every case is settled, or the stop is over."""
        try:
            while not self._is_over():
                self._submit()
                self._collect()
                self._exchange()
        finally:
            self._clear()
        return self._settled

    def _is_over(self) -> bool:
        if not self._monitor.stopping:
            return self._dispatcher.is_done
        if self._stop_by is None:
            self._stop_by = time.monotonic() + _STOP_S
        return not self._out or time.monotonic() > self._stop_by

    def _submit(self) -> None:
        while not self._monitor.stopping:
            shard = self._dispatcher.next_shard()
            if shard is None:
                return
            ref = self._run_shard.remote(*self._arguments(shard))
            self._out[ref] = shard

    def _arguments(self, shard: Shard) -> tuple[LaunchPlan, Shard, Any, str, str]:
        return self._plan, shard, self._coordinator, self._folder, self._logs

    def _collect(self) -> None:
        import ray
        from ray.exceptions import RayError

        ready, _ = ray.wait(list(self._out), num_returns=1, timeout=_POLL_S)
        for ref in ready:
            shard = self._out.pop(ref)
            try:
                done, failed = ray.get(ref)
            except RayError as error:
                self._lose(shard, error)
            else:
                self._take(shard, done, failed)
        for shard in self._dispatcher.take_condemned():
            condemn(self._plan, shard, self._store, self._dispatcher.case_attempts)
            self._settled += Progress(1, 1)

    def _take(self, shard: Shard, done: int, failed: int) -> None:
        """Settle a task that returned, which it does early only when told to stop."""
        if done < ordinals.count(shard.cases) and not self._monitor.stopping:
            self._lose(shard, ExecutionError("a task returned without all its cases"))
            return
        self._settled += Progress(done, failed)
        self._dispatcher.finish(shard)

    def _lose(self, shard: Shard, error: Exception) -> None:
        """Settle what a lost task has stored, and hand back what it has not."""
        from ray.exceptions import OutOfMemoryError, RayTaskError, WorkerCrashedError

        if isinstance(error, RayTaskError):
            raise _readable(error)
        stored = self._store.attempt_rows(
            self._plan.run_id, self._plan.launch, shard.attempt_id
        )
        failed = int((stored["rank"] == RANK_FAILED).sum())
        self._settled += Progress(stored.height, failed)
        missing = ordinals.difference(shard.cases, stored["ordinal"])
        if not missing or self._monitor.stopping:
            self._dispatcher.finish(shard)
        elif isinstance(error, WorkerCrashedError | OutOfMemoryError):
            found = _on_every_node(suspects, self._attempt_log(shard))
            self._dispatcher.bury(
                shard, missing, {ordinal for each in found for ordinal in each}
            )
        else:
            self._dispatcher.resubmit(shard, missing)

    def _exchange(self) -> None:
        """Pass the stop on to the workers, and their progress to the monitor."""
        import ray
        from ray.exceptions import RayError

        live = [shard.attempt_id for shard in self._out.values()]
        with suppress(RayError):
            ref = self._coordinator.exchange.remote(self._monitor.stopping, live)
            self._monitor.show(self._settled + ray.get(ref, timeout=_POLL_S * 10))

    def _clear(self) -> None:
        """Leave nothing behind, as far as Ray still answers.

        What fails here must hide neither a result nor the fault that ended the run.
        """

        def tidy() -> None:
            import ray
            from ray.exceptions import RayError

            with suppress(RayError, ExecutionError):
                for ref in self._out:
                    ray.cancel(ref, force=True)
                ray.kill(self._coordinator)
                _on_every_node(_remove, self._logs)

        finished_within(_TIDY_S, tidy)
        _remove(self._logs)

    def _attempt_log(self, shard: Shard) -> str:
        return f"{self._logs}/{shard.attempt_id}"


class _Coordinator:
    """Carries progress to the driver and the stop to the workers."""

    def __init__(self) -> None:
        self._progress: dict[str, Progress] = {}
        self._stopping = False

    def beat(self, attempt_id: str, progress: Progress) -> bool:
        """Note an attempt's progress; return whether it should stop."""
        self._progress[attempt_id] = progress
        return self._stopping

    def exchange(self, stopping: bool, live: Sequence[str]) -> Progress:
        """Note whether to stop; return the progress of the given attempts."""
        self._stopping = stopping
        return sum((self._progress.get(name, Progress()) for name in live), Progress())


class _RemoteControl:
    """A shard's control inside a Ray task."""

    interval_s = _BEAT_S

    def __init__(self, coordinator: Any, attempt_id: str, log: AttemptLog) -> None:
        self.stopping = False
        self.started = log.started
        self.ended = log.ended
        self._coordinator = coordinator
        self._attempt_id = attempt_id

    async def beat(self, progress: Progress) -> None:
        """Pass the progress on, and learn whether to stop."""
        from ray.exceptions import RayError

        told = self._coordinator.beat.remote(self._attempt_id, replace(progress))
        with suppress(RayError, TimeoutError):
            self.stopping = await asyncio.wait_for(told, _TELL_S)


def _run_shard(
    plan: LaunchPlan, shard: Shard, coordinator: Any, folder: str, logs: str
) -> tuple[int, int]:
    """Evaluate a shard in a worker process; return its finished and failed cases."""
    adapter = _adapter(plan.adapter, folder)
    log = AttemptLog(Path(logs, shard.attempt_id))
    control = _RemoteControl(coordinator, shard.attempt_id, log)
    metrics = _user_metrics(plan.user_metrics)
    progress = _runner().run(
        evaluate_shard(plan, shard, Store(plan.store), adapter, metrics, control)
    )
    log.close()
    if progress.stuck:
        # Threads that never return would stay in a reused process; all is stored.
        os._exit(0)
    return progress.done, progress.failed


@cache
def _runner() -> asyncio.Runner:
    """Return this process's event loop, which outlives shards as adapters do."""
    return asyncio.Runner()


_adapters: dict[str, Adapter] = {}


def _adapter(section: AdapterSection, folder: str) -> Adapter:
    """Return this process's adapter, built on first use in the driver's folder."""
    with suppress(OSError):
        os.chdir(folder)
    key = f"{folder} {section!r}"
    if key not in _adapters:
        _adapters[key] = _runner().run(open_adapter(section))
    return _adapters[key]


@cache
def _user_metrics(paths: tuple[str, ...]) -> tuple[UserMetric, ...]:
    return tuple(map(load_user_metric, paths))


def _build(section: AdapterSection, folder: str) -> None:
    _adapter(section, folder)


def _remove(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _on_every_node(function: Callable[..., _T], *arguments: object) -> list[_T]:
    """Call a function once on every living node; nodes that fail are left out.

    Raises:
        ExecutionError: Ray does not answer any more. Left alone, it would end this
            process after a minute with an exit code of its own.
    """
    import ray
    from ray.exceptions import RayError

    results = list[_T]()

    def ask() -> None:
        for ref in _pinned(function, *arguments):
            with suppress(RayError):
                results.append(ray.get(ref, timeout=_NODE_S))

    if not finished_within(_NODE_S, ask):
        raise ExecutionError(
            "Ray does not answer any more; finished cases are kept, continue with --resume"
        )
    return results


def _pinned(function: Callable[..., object], *arguments: object) -> list[Any]:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    task = ray.remote(num_cpus=0, max_retries=0)(function)
    return [
        task.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(
                node["NodeID"], soft=False
            )
        ).remote(*arguments)
        for node in ray.nodes()
        if node["Alive"]
    ]


def _probe(section: AdapterSection) -> None:
    """Build the adapter once on every node, so that a fault shows before any case."""
    import ray
    from ray.exceptions import RayError, WorkerCrashedError

    for ref in _pinned(_build, section, str(Path.cwd())):
        try:
            ray.get(ref)
        except WorkerCrashedError:
            raise ConfigError(
                "the adapter ended its process while it was built; correct the pipeline"
            ) from None
        except RayError as error:
            raise _readable(error) from None


def _readable(error: Exception) -> Exception:
    """Return an error of ours from what Ray raised, without its colours and traces."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, RagproofError):
        return cause
    found = cause or error
    text = str(found).splitlines()[0] if str(found) else ""
    return ExecutionError(f"a Ray worker failed: {type(found).__name__}: {text}")


def _start_coordinator() -> Any:
    """Start the coordinator on the driver's node.

    `memory=1` matters: Ray places an actor that asks for nothing on a random node.
    """
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(
        ray.get_runtime_context().get_node_id(), soft=True
    )
    actor = ray.remote(num_cpus=0, memory=1, max_restarts=-1)(_Coordinator)
    return actor.options(scheduling_strategy=here).remote()


@contextmanager
def connection(
    workers: int | None, address: str | None, log: Path | None = None
) -> Iterator[None]:
    """Connect this process to Ray, unless it is connected already.

    Args:
        workers: CPUs of a local Ray; None for those of the machine.
        address: of a running cluster; None starts a local Ray, gone at the end.
        log: where to keep what a local Ray has logged; None keeps nothing.

    Raises:
        ExecutionError: no cluster answers there, or the local Ray is not private.
    """
    if "ray" in sys.modules and sys.modules["ray"].is_initialized():
        yield
        return
    count = workers or os.cpu_count() or 1
    with _joined(address) if address else _started(count, log):
        yield


@contextmanager
def _started(workers: int, log: Path | None) -> Iterator[None]:
    """Start a Ray that nobody else can reach, and leave nothing of it behind."""
    with private_ray() as base:
        import ray

        with kept_handlers():
            ray.init(
                address="local",
                num_cpus=workers,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.CRITICAL,
                _temp_dir=str(base / "r"),
            )
        try:
            if ray.util.get_node_ip_address() != "127.0.0.1":
                msg = (
                    "the local Ray listens on other addresses than loopback and was "
                    "stopped; this version of Ray is not supported"
                )
                raise ExecutionError(msg)
            yield
        finally:
            with no_signals():
                finished_within(_TIDY_S, ray.shutdown)
            if log is not None:
                collect_logs(base, log)


@contextmanager
def _joined(address: str) -> Iterator[None]:
    with quiet_ray():
        import ray

        try:
            with kept_handlers():
                ray.init(
                    address=address,
                    log_to_driver=False,
                    logging_level=logging.CRITICAL,
                    runtime_env={"env_vars": {"POLARS_MAX_THREADS": "1"}},
                )
        except (ConnectionError, RuntimeError, ValueError) as error:
            msg = (
                f"no Ray cluster at {address!r}: {str(error).splitlines()[0]}; check the "
                "address, and RAY_AUTH_TOKEN_PATH if the cluster asks for a token"
            )
            raise ExecutionError(msg) from error
        try:
            yield
        finally:
            with no_signals():
                finished_within(_TIDY_S, ray.shutdown)


def _cluster_cpus() -> int:
    import ray

    return max(int(ray.cluster_resources().get("CPU", 0)), 1)
