"""Freeze a dataset: write its cases under a seal that later reads verify."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ragproof_ray.dataset.fingerprint import DatasetFingerprint
from ragproof_ray.dataset.frozen import FrozenMeta
from ragproof_ray.dataset.read import DatasetReader
from ragproof_ray.errors import ExecutionError


@dataclass(frozen=True, slots=True)
class FrozenSummary:
    """What `freeze` wrote."""

    path: Path
    cases: int
    dataset_hash: str


def freeze(source: Path, out: Path | None = None) -> FrozenSummary:
    """Write `source` as frozen JSON, atomically.

    The metadata of a source that is itself frozen (generation, corpus hash) is
    kept. The dataset is held in memory.

    Args:
        source: JSONL, Parquet or frozen JSON.
        out: defaults to the source with its last suffix replaced by `.frozen.json`.

    Raises `DatasetError` with all faults of the cases, a qa case without sources
    and an injection case without payload among them, and `ExecutionError` where
    the file cannot be written.
    """
    reader = DatasetReader(source, for_freezing=True)
    cases = [case for frame in reader for case in _to_objects(frame)]
    meta = _seal(reader.fingerprint, reader.frozen_meta)
    document = {"meta": meta.model_dump(), "cases": cases}
    target = out or source.with_suffix(".frozen.json")
    _write_atomically(target, json.dumps(document, ensure_ascii=False, indent=2))
    return FrozenSummary(target, len(cases), meta.dataset_hash)


def _to_objects(frame: pl.DataFrame) -> Iterable[dict[str, Any]]:
    for row in frame.iter_rows(named=True):
        case = {
            "id": row["case_id"],
            "kind": row["kind"],
            "question": row["question"],
            "expected_answer": row["expected_answer"],
            "expected_source_ids": row["expected_source_ids"],
            "adversarial_payload": row["adversarial_payload"],
        }
        if row["metadata"] is not None:
            case["metadata"] = json.loads(row["metadata"])
        yield case


def _seal(fingerprint: DatasetFingerprint, earlier: FrozenMeta | None) -> FrozenMeta:
    return FrozenMeta(
        dataset_hash=fingerprint.dataset_hash,
        corpus_hash=earlier.corpus_hash if earlier else None,
        size=fingerprint.cases,
        generation=earlier.generation if earlier else None,
    )


def _write_atomically(target: Path, text: str) -> None:
    draft = target.parent / f".freeze-{os.getpid()}.tmp"
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise ExecutionError(
            f"{target}: cannot be written ({error.strerror}); "
            "mend that or choose another --out"
        ) from error
