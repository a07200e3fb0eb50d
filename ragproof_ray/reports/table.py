"""What people read about runs, in plain text."""

from collections.abc import Sequence

import polars as pl

from ragproof_ray.engine.runs import RunView
from ragproof_ray.reports.document import usd
from ragproof_ray.reports.layout import lay_out, one_line
from ragproof_ray.schema import CaseStatus

_MISSING = "-"
_ALWAYS_COUNTED = ("scored", "skipped", "errors")
_COUNTS = ("scored", "skipped", "not_applicable", "errors", "unfinished")


def summary_table(summary: pl.DataFrame, width: int | None = None) -> str:
    """Return the summary, one line per metric; names are never cut.

    Args:
        summary: a frame of `SUMMARY_SCHEMA`. The columns `not applicable` and
            `unfinished` are shown only when there are such cases.
        width: of the terminal, as in `lay_out`.
    """
    counts = [
        name for name in _COUNTS if name in _ALWAYS_COUNTED or summary[name].sum() > 0
    ]
    header = ["metric", "mean", "p50", "p95", *counts, "note"]
    rows = [
        [
            row["metric"],
            *(_decimals(row[name]) for name in ("mean", "p50", "p95")),
            *(f"{row[name]:,}" for name in counts),
            row["reason"] or "",
        ]
        for row in summary.iter_rows(named=True)
    ]
    titles = [name.replace("_", " ") for name in header]
    return lay_out(titles, rows, frozenset({"metric"}), width)


def run_heading(view: RunView) -> str:
    """Return what a reader wants to know before the numbers."""
    manifest, counts = view.manifest, view.counts
    label = f" ({manifest.label})" if manifest.label else ""
    lines = [
        f"run {manifest.run_id}{label}: {view.status}",
        f"{view.finished:,} of {manifest.total_cases:,} cases finished: "
        f"{counts[CaseStatus.OK]:,} ok, {counts[CaseStatus.ERROR]:,} errors, "
        f"{counts[CaseStatus.TIMEOUT]:,} timeouts",
        f"dataset {manifest.dataset.path} ({manifest.dataset.dataset_hash[:12]}), "
        f"k {manifest.k}, source match {manifest.source_match}",
    ]
    return "\n".join(map(one_line, lines))


def runs_table(
    views: Sequence[RunView], commands: Sequence[str | None], width: int | None = None
) -> str:
    """Return stored runs in the given order.

    Args:
        views: the runs.
        commands: per run, what continues it, None for one that needs nothing; the
            column is left out when no run needs any.
        width: of the terminal, as in `lay_out`.
    """
    header = ("run", "started", "status", "cases", "ok", "failed", "usd", "label")
    rows = [
        [
            view.manifest.run_id,
            f"{view.manifest.started_at:%Y-%m-%d %H:%M}",
            view.status,
            f"{view.finished:,}/{view.manifest.total_cases:,}",
            f"{view.counts[CaseStatus.OK]:,}",
            f"{view.finished - view.counts[CaseStatus.OK]:,}",
            f"{usd(view.cost_picousd)}",
            view.manifest.label or "",
            command or "",
        ]
        for view, command in zip(views, commands, strict=True)
    ]
    left = frozenset({"run", "started", "status", "label"})
    title = "continue with" if any(commands) else ""
    return lay_out([*header, title], rows, left, width)


def _decimals(value: float | None) -> str:
    return _MISSING if value is None else f"{value:.3f}"
