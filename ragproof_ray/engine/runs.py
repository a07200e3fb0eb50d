"""Stored runs: finding one, its status, its summary and its results."""

import socket
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import polars as pl

from ragproof_ray.engine.files import store_errors
from ragproof_ray.engine.parts import Accepted
from ragproof_ray.engine.processes import is_gone
from ragproof_ray.engine.records import Heartbeat, Manifest, Status
from ragproof_ray.engine.store import Store, StoreWarning
from ragproof_ray.errors import ConfigError, StoreError
from ragproof_ray.schema import CaseStatus
from ragproof_ray.summary import summarise

ALIVE_FOR = timedelta(seconds=60)
LATEST = "latest"

_T = TypeVar("_T")
_STAMP = "%Y%m%dT%H%M%S%f"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as its store shows it at one moment."""

    manifest: Manifest
    status: Status
    counts: Mapping[str, int]  # finished cases per CaseStatus
    cost_picousd: int
    ended_at: datetime | None  # of the newest launch, None while it is open

    @property
    def finished(self) -> int:
        """Number of cases with a result, failed ones included."""
        return sum(self.counts.values())


def resolve(store: Store, reference: str) -> str:
    """Return the id that a full id, a unique prefix or `latest` stands for.

    Raises:
        ConfigError: no run matches, or several do.
    """
    ids = store.run_ids()
    if not ids:
        raise ConfigError(
            f"the store {store.location!r} holds no runs; start one with `run`, or name "
            "another store in the config"
        )
    if reference == LATEST and (manifests := _readable(store, store.read_manifest)):
        return max(manifests, key=_age).run_id
    matching = [run_id for run_id in sorted(ids) if run_id.startswith(reference)]
    if reference in matching:
        return reference
    if len(matching) == 1 and reference:
        return matching[0]
    problem = (
        f"stands for {len(matching)} runs" if matching and reference else "is unknown"
    )
    raise ConfigError(
        f"run {reference!r} {problem} in the store {store.location!r}; "
        "`ragproof-ray runs` lists the ids"
    )


def view(store: Store, run_id: str, now: datetime) -> RunView:
    """Return a run and its status at a moment."""
    manifest = store.read_manifest(run_id)
    closed = store.close_records(run_id)
    heartbeats = store.heartbeats(run_id)
    newest = max([*closed, *heartbeats], default="")
    record = closed.get(newest)
    if record is None:
        is_alive = newest in heartbeats and _is_alive(heartbeats[newest], now)
        status: Status = "running" if is_alive else "interrupted"
        counts = case_counts(store.scan_results(run_id))
    else:
        status = record.status
        counts = {**dict.fromkeys(map(str, CaseStatus), 0), **record.counts}
    cost = sum(record.cost_picousd for record in closed.values())
    return RunView(manifest, status, counts, cost, record.ended_at if record else None)


def newest_first(store: Store, now: datetime) -> list[RunView]:
    """Return every run of a store, the one started last first."""
    views = _readable(store, lambda run_id: view(store, run_id, now))
    return sorted(views, key=lambda run: _age(run.manifest), reverse=True)


def _readable(store: Store, read: Callable[[str], _T]) -> list[_T]:
    """Read something of every run; one that is damaged does not hide the others."""
    found = []
    for run_id in store.run_ids():
        try:
            found.append(read(run_id))
        except StoreError as error:
            warnings.warn(f"left out: {error}", StoreWarning, stacklevel=3)
    return found


def _age(manifest: Manifest) -> tuple[datetime, str]:
    return manifest.started_at, manifest.run_id


def open_launch(store: Store, run_id: str, now: datetime) -> Heartbeat | None:
    """Return the last sign of life of a launch that seems to be running."""
    closed = store.close_records(run_id)
    for launch, heartbeat in store.heartbeats(run_id).items():
        if launch not in closed and _is_alive(heartbeat, now):
            return heartbeat
    return None


def _is_alive(heartbeat: Heartbeat, now: datetime) -> bool:
    """Tell whether a driver seems to be running.

    Its sign of life is recent (one from a clock far ahead is not), and if it ran on
    this host its process is still there.
    """
    is_here = heartbeat.host == socket.gethostname()
    return abs(now - heartbeat.beat_at) < ALIVE_FOR and not (
        is_here and is_gone(heartbeat.pid)
    )


def read_summary(store: Store, run_id: str) -> pl.DataFrame:
    """Return the summary of a run, as stored or computed from its results.

    Raises:
        StoreError: results that it was computed from are missing.
    """
    accepted = store.accepted(run_id)
    closed = store.close_records(run_id)
    if closed and set(store.heartbeats(run_id)) <= set(closed):
        stored = store.read_summary(run_id, max(closed))
        if stored is not None:
            return stored
    return summarise_run(store, run_id, accepted)


def summarise_run(store: Store, run_id: str, accepted: Accepted) -> pl.DataFrame:
    """Return the summary of a run computed from the given parts."""
    manifest = store.read_manifest(run_id)
    with store_errors(f"run {run_id}"):
        results = store.scan_results(run_id, accepted)
        return summarise(results, manifest.metrics, manifest.total_cases)


def case_counts(results: pl.LazyFrame) -> dict[str, int]:
    """Return the number of cases per `CaseStatus`."""
    counts = dict.fromkeys((status.value for status in CaseStatus), 0)
    with store_errors("results"):
        if results.collect_schema().names():
            counts |= dict(results.group_by("status").len().collect().iter_rows())
    return counts


def launch_id(now: datetime, existing: Sequence[str], token: str) -> str:
    """Return an id that sorts after every existing launch, also if the clock went back.

    Args:
        now: UTC.
        existing: the ids of the run's launches.
        token: random hex digits that make the id unique.
    """
    newest = max(existing, default="")[: -len(token)]
    last = datetime.strptime(newest, _STAMP).replace(tzinfo=UTC) if newest else now
    moment = now if now > last or not newest else last + timedelta(microseconds=1)
    return f"{moment.strftime(_STAMP)}{token}"


def heartbeat(launch: str, now: datetime, pid: int) -> Heartbeat:
    """Return a sign of life of this process."""
    return Heartbeat(launch, now, socket.gethostname(), pid)
