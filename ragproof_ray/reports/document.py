"""A run as JSON: the shapes that scripts rely on."""

import json
from decimal import Decimal
from typing import Any

import polars as pl

from ragproof_ray.engine.runs import RunView
from ragproof_ray.schema import CaseStatus

_PICO = Decimal(10) ** 12


def run_document(view: RunView, summary: pl.DataFrame) -> dict[str, Any]:
    """Return a run and its summary; counts are cases, cost is USD."""
    manifest = view.manifest
    return run_row(view) | {
        "dataset_hash": manifest.dataset.dataset_hash,
        "case_set_hash": manifest.dataset.case_set_hash,
        "config_hash": manifest.config_hash,
        "k": manifest.k,
        "source_match": manifest.source_match,
        "prompt_versions": manifest.prompt_versions,
        "versions": manifest.versions,
        "metrics": summary.to_dicts(),
    }


def run_row(view: RunView) -> dict[str, Any]:
    """Return what identifies a run and how it went."""
    manifest = view.manifest
    return {
        "run_id": manifest.run_id,
        "status": view.status,
        "total_cases": manifest.total_cases,
        "ok": view.counts[CaseStatus.OK],
        "errors": view.counts[CaseStatus.ERROR],
        "timeouts": view.counts[CaseStatus.TIMEOUT],
        "unfinished": manifest.total_cases - view.finished,
        "cost_usd": usd(view.cost_picousd),
        "judge_model": manifest.judge_model,
        "project": manifest.project,
        "label": manifest.label,
        "dataset": manifest.dataset.path,
        "started_at": manifest.started_at.isoformat(),
        "ended_at": view.ended_at and view.ended_at.isoformat(),
    }


def usd(picousd: int) -> int | float:
    """Return an amount in USD, a whole one as an integer."""
    amount = Decimal(picousd) / _PICO
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def to_json(document: Any) -> str:
    """Return strict JSON that any console can print, 2 spaces a level."""
    return json.dumps(document, indent=2, allow_nan=False)
