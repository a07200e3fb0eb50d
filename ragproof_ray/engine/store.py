"""The only writer: datasets, manifests, launches and parts as immutable files.

`accepted` is the one way to learn which results of a run count; everything reads
through it.
"""

import io
import secrets
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import polars as pl
from pydantic import TypeAdapter, ValidationError

from ragproof_ray.engine import ordinals
from ragproof_ray.engine.files import Files
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.engine.parts import Accepted, PartName, accept, is_launch
from ragproof_ray.engine.records import CloseRecord, Heartbeat, Manifest, to_json
from ragproof_ray.errors import StoreError

CASES_PER_FILE = 8192
# Staging folders of drivers that were killed; a living one is never this old.
_STALE_S = 24 * 3600.0

_Record = TypeVar("_Record")


class StoreWarning(UserWarning):
    """Something in the store cannot be used and was left out."""


class Store:
    """Reads and writes one store.

    Args:
        location: a folder (created when first written to) or a URI that
            `pyarrow.fs.FileSystem.from_uri` understands.

    Raises:
        ConfigError: the URI names no filesystem.
        StoreError: from any method, when the filesystem refuses; names the path.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        self._files = Files(location)

    @property
    def absolute_location(self) -> str:
        """Where the store is, in words that mean the same in any working directory."""
        return self._files.location

    def try_writing(self) -> None:
        """Write a small file and remove it again."""
        folder = f"probe-{secrets.token_hex(8)}"
        self._files.put(f"{folder}/probe", b"ragproof")
        self._files.delete(folder)

    # Datasets

    def put_dataset(
        self, batches: Iterable[pl.DataFrame], content_hash: Callable[[], str]
    ) -> None:
        """Write the cases of a dataset whose hash is known only after the last one.

        Args:
            batches: frames of `CASE_SCHEMA` with consecutive ordinals, each of
                `CASES_PER_FILE` rows but the last.
            content_hash: called after the last batch; names the dataset's folder.
        """
        self._files.delete_stale("datasets", "staging-", _STALE_S)
        staging = f"datasets/staging-{secrets.token_hex(8)}"
        files = []
        try:
            for number, batch in enumerate(batches):
                files.append(f"{number:06d}.parquet")
                self._files.put(f"{staging}/{files[-1]}", _to_parquet(batch, {}))
            # Also when it is stored already: what was damaged since is whole again.
            folder = f"datasets/{content_hash()}"
            self._files.move(staging, folder, files)
        finally:
            self._files.delete(staging)

    def read_cases(self, content_hash: str, cases: Ranges) -> Iterator[pl.DataFrame]:
        """Yield the cases of the given ordinals, in order, one stored file at a time."""
        for number, inside in ordinals.by_file(cases, CASES_PER_FILE):
            frame = self._files.read_frame(
                f"datasets/{content_hash}/{number:06d}.parquet"
            )
            wanted = ordinals.to_series(inside) - number * CASES_PER_FILE
            yield frame if len(wanted) == frame.height else frame[wanted]

    # Runs

    def create_run(self, manifest: Manifest) -> None:
        """Write a run's manifest; the run exists from then on."""
        self._files.put(f"runs/{manifest.run_id}/manifest.json", to_json(manifest))

    def run_ids(self) -> list[str]:
        """Return the ids of all runs, in no particular order."""
        return [
            name
            for name in self._files.folders("runs")
            if self._files.exists(f"runs/{name}/manifest.json")
        ]

    def read_manifest(self, run_id: str) -> Manifest:
        """Return the manifest of a run."""
        path = f"runs/{run_id}/manifest.json"
        manifest = self._read_record(path, Manifest)
        if manifest.run_id != run_id:
            raise StoreError(
                f"{self._files.path(path)} is the manifest of run {manifest.run_id}; "
                "give the folder its name back"
            )
        return manifest

    # Launches

    def beat(self, run_id: str, heartbeat: Heartbeat) -> None:
        """Renew the sign of life of a launch."""
        path = f"runs/{run_id}/launches/{heartbeat.launch}.alive"
        self._files.put(path, to_json(heartbeat))

    def heartbeats(self, run_id: str) -> dict[str, Heartbeat]:
        """Return the last sign of life of every launch of a run, oldest launch first.

        One that cannot be read is as good as none: nothing exact rests on them.
        """
        found = {}
        for launch, path in self._launch_files(run_id, ".alive"):
            with suppress(StoreError):
                found[launch] = self._read_record(path, Heartbeat)
        return found

    def forget(self, run_id: str, launch: str) -> None:
        """Remove the sign of life of a launch that ends without a record."""
        self._files.delete_file(f"runs/{run_id}/launches/{launch}.alive")

    def close(self, run_id: str, record: CloseRecord) -> None:
        """End a launch; parts that appear later are ignored."""
        path = f"runs/{run_id}/launches/{record.launch}.json"
        self._files.put(path, to_json(record))

    def close_records(self, run_id: str) -> dict[str, CloseRecord]:
        """Return the close record of every ended launch, oldest launch first."""
        return {
            launch: self._read_record(path, CloseRecord)
            for launch, path in self._launch_files(run_id, ".json")
        }

    # Parts and results

    def put_part(
        self, run_id: str, name: PartName, frame: pl.DataFrame, dataset_hash: str
    ) -> None:
        """Publish one part; the name must be new."""
        metadata = {
            "ragproof.run": run_id,
            "ragproof.dataset": dataset_hash,
            "ragproof.launch": name.launch,
            "ragproof.attempt": name.attempt_id,
        }
        self._files.put(f"runs/{run_id}/parts/{name}", _to_parquet(frame, metadata))

    def accepted(self, run_id: str) -> Accepted:
        """Return the parts of a run that count, and the rows that lose.

        They are those of the close record with the most cases (the newest of equals)
        and the valid parts of newer launches that have no close record.

        Raises:
            StoreError: a part that a close record lists is missing.
        """
        closed = self.close_records(run_id)
        best = max(
            closed.values(),
            key=lambda record: (record.ordinals, record.launch),
            default=None,
        )
        names = set(self._files.files(f"runs/{run_id}/parts"))
        listed = best.parts if best else {}
        if missing := sorted(set(listed) - names):
            msg = (
                f"{self._files.path(f'runs/{run_id}/parts/{missing[0]}')} is missing: "
                f"{len(missing)} of {len(listed)} listed parts of run {run_id} cannot be "
                "found; restore the folder from a copy, or run the dataset again"
            )
            raise StoreError(msg)
        fresh = self._fresh_parts(run_id, names - set(listed), closed, best)
        if best and not fresh:
            return Accepted(best.parts, best.losers, best.ordinals)
        rows = {**listed, **fresh}
        return accept(rows, self.index(run_id, rows))

    def index(self, run_id: str, names: Iterable[str]) -> pl.DataFrame:
        """Return `part`, `ordinal` and `rank` of every row stored in the named parts."""
        schema = {"part": pl.String, "ordinal": pl.UInt32, "rank": pl.UInt8}
        frames = [
            self._files.read_frame(
                f"runs/{run_id}/parts/{name}", ["ordinal", "rank"]
            ).select(pl.lit(name).alias("part"), "ordinal", "rank")
            for name in sorted(names)
        ]
        return pl.concat([pl.DataFrame(schema=schema), *frames])

    def scan_results(
        self, run_id: str, accepted: Accepted | None = None
    ) -> pl.LazyFrame:
        """Return exactly one row per finished case of a run, in no particular order.

        Args:
            run_id: the full id.
            accepted: the parts to read, when the caller already asked for them.
        """
        accepted = accepted or self.accepted(run_id)
        whole = [name for name in accepted.parts if name not in accepted.losers]
        frames = [self._scan(run_id, whole)] if whole else []
        frames += [
            self._scan(run_id, [name]).filter(~pl.col("ordinal").is_in(lost))
            for name, lost in accepted.losers.items()
        ]
        return pl.concat(frames) if frames else pl.LazyFrame()

    def attempt_rows(self, run_id: str, launch: str, attempt_id: str) -> pl.DataFrame:
        """Return `ordinal` and `rank` of what one attempt has published so far."""
        names = [
            name
            for name in self._files.files(f"runs/{run_id}/parts")
            if (part := PartName.parse(name))
            and (part.launch, part.attempt_id) == (launch, attempt_id)
        ]
        return self.index(run_id, names).drop("part")

    def _scan(self, run_id: str, names: Iterable[str]) -> pl.LazyFrame:
        return self._files.scan([f"runs/{run_id}/parts/{name}" for name in names])

    # Summaries

    def put_summary(self, run_id: str, launch: str, summary: pl.DataFrame) -> None:
        """Store the summary as it stood when a launch closed; derived, replaceable."""
        data = _to_parquet(summary, {"ragproof.launch": launch})
        self._files.put(f"runs/{run_id}/summary.parquet", data)

    def read_summary(self, run_id: str, launch: str) -> pl.DataFrame | None:
        """Return the stored summary if it was written when `launch` closed.

        None also when it cannot be read: it is derived, and can be computed again.
        """
        path = f"runs/{run_id}/summary.parquet"
        with suppress(StoreError):
            footer = self._files.read_footer(path)
            written = (footer.metadata or {}).get(b"ragproof.launch")
            if written == launch.encode():
                return self._files.read_frame(path)
        return None

    def _fresh_parts(
        self,
        run_id: str,
        names: Iterable[str],
        closed: Mapping[str, CloseRecord],
        best: CloseRecord | None,
    ) -> dict[str, int]:
        """Return the row counts of the valid parts of launches that are still open."""
        manifest = self.read_manifest(run_id)
        fresh = {}
        for name in sorted(names):
            part = PartName.parse(name)
            if part is None or part.launch in closed:
                continue
            if best and part.launch < best.launch:
                continue
            rows = self._valid_rows(run_id, name, manifest.dataset.dataset_hash)
            if rows is not None:
                fresh[name] = rows
        return fresh

    def _valid_rows(self, run_id: str, name: str, dataset_hash: str) -> int | None:
        path = f"runs/{run_id}/parts/{name}"
        try:
            footer = self._files.read_footer(path)
        except StoreError as error:
            _warn(f"a part was skipped: {error}")
            return None
        written = footer.metadata or {}
        found = (written.get(b"ragproof.run"), written.get(b"ragproof.dataset"))
        if found != (run_id.encode(), dataset_hash.encode()):
            _warn(f"{self._files.path(path)} belongs to another run and was skipped")
            return None
        return int(footer.num_rows)

    def _launch_files(self, run_id: str, suffix: str) -> list[tuple[str, str]]:
        """Return launch and path of a kind of file; what others left is passed over."""
        folder = f"runs/{run_id}/launches"
        launches = sorted(
            name.removesuffix(suffix)
            for name in self._files.files(folder)
            if name.endswith(suffix) and is_launch(name.removesuffix(suffix))
        )
        return [(launch, f"{folder}/{launch}{suffix}") for launch in launches]

    def _read_record(self, path: str, kind: type[_Record]) -> _Record:
        try:
            record: _Record = _checker(kind).validate_json(self._files.get(path))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "the file"
            msg = f"{self._files.path(path)} is damaged: {where}: {first['msg']}"
            raise StoreError(msg) from error
        return record


_checkers: dict[type[Any], TypeAdapter[Any]] = {}


def _checker(kind: type[Any]) -> TypeAdapter[Any]:
    """Return the check of a record, which takes longer to build than to run."""
    if kind not in _checkers:
        _checkers[kind] = TypeAdapter(kind)
    return _checkers[kind]


def _to_parquet(frame: pl.DataFrame, metadata: dict[str, str]) -> bytes:
    sink = io.BytesIO()
    frame.write_parquet(
        sink, compression="zstd", compression_level=1, metadata=metadata
    )
    return sink.getvalue()


def _warn(message: str) -> None:
    warnings.warn(message, StoreWarning, stacklevel=4)
