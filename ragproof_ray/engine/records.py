"""What is written once about a run and about each of its launches, as JSON.

A launch is one start of the driver on a run. Records are read back strictly, so that
a foreign or damaged file is noticed where it is opened.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

Status = Literal[
    "running",
    "interrupted",
    "completed",
    "partial",
    "aborted:budget",
    "aborted:judge",
]


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """Where the cases came from, and the hashes that make them comparable."""

    path: str
    dataset_hash: str  # over all cases in order
    case_set_hash: str  # over all cases in any order
    content_hash: str  # names the stored copy, metadata included
    cases: int
    kinds: dict[str, int]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that makes a run comparable; written when it begins, never changed."""

    run_id: str
    project: str
    label: str | None
    started_at: datetime  # UTC
    dataset: DatasetRecord
    total_cases: int  # after `--limit`
    metrics: list[str]
    user_metrics: dict[str, str | None]  # name → SHA-256 of the function's source
    k: int
    source_match: str
    adapter: str
    judge_model: str | None
    prompt_versions: dict[str, str]
    config: Mapping[str, Any]  # secrets taken out
    config_hash: str
    versions: dict[str, str]


@dataclass(frozen=True, slots=True)
class CloseRecord:
    """How one launch ended, and the parts of the run that count from then on."""

    launch: str
    status: Status
    started_at: datetime
    ended_at: datetime
    workers: int
    counts: dict[str, int]  # finished cases per CaseStatus
    ordinals: int
    parts: dict[str, int]
    losers: dict[str, list[int]] = field(default_factory=dict)
    cost_picousd: int = 0


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The sign of life of a launch; renewed while its driver runs."""

    launch: str
    beat_at: datetime
    host: str
    pid: int


def to_json(record: Manifest | CloseRecord | Heartbeat) -> bytes:
    """Return a record as UTF-8 JSON that holds no NaN or Infinity."""
    text = json.dumps(
        asdict(record), indent=2, ensure_ascii=False, allow_nan=False, default=_encode
    )
    return text.encode()


def _encode(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    msg = f"a record cannot hold a {type(value).__name__}"
    raise TypeError(msg)
