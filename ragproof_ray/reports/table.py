"""Tables for people, in plain text. Data never carries colour or markup into them."""

from collections.abc import Sequence

import polars as pl
from rich.console import Console, JustifyMethod
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ragproof_ray.engine.runs import RunView
from ragproof_ray.redaction import printable
from ragproof_ray.reports.document import usd
from ragproof_ray.schema import CaseStatus

_MISSING = "-"
_COUNTS = ("scored", "skipped", "not_applicable", "errors", "unfinished")


def summary_table(summary: pl.DataFrame) -> str:
    """Return the summary, one line per metric; names are never cut.

    Args:
        summary: a frame of `SUMMARY_SCHEMA`. The column of unfinished cases is shown
            only when there are some.
    """
    counts = [
        name for name in _COUNTS if name != "unfinished" or summary[name].sum() > 0
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
    return _table(
        [name.replace("_", " ") for name in header], rows, left={0, len(header) - 1}
    )


def run_heading(view: RunView) -> str:
    """Return what a reader wants to know before the numbers."""
    manifest = view.manifest
    counts = view.counts
    failed = counts[CaseStatus.ERROR], counts[CaseStatus.TIMEOUT]
    label = f" ({manifest.label})" if manifest.label else ""
    lines = [
        f"run {manifest.run_id}{label}: {view.status}",
        f"{view.finished:,} of {manifest.total_cases:,} cases finished: "
        f"{counts[CaseStatus.OK]:,} ok, {failed[0]:,} errors, {failed[1]:,} timeouts",
        f"dataset {manifest.dataset.path} ({manifest.dataset.dataset_hash[:12]}), "
        f"k {manifest.k}, source match {manifest.source_match}",
    ]
    return "\n".join(map(printable, lines))


def runs_table(views: Sequence[RunView], commands: Sequence[str | None]) -> str:
    """Return stored runs, newest first; `commands` continue those that can be."""
    header = [
        "run",
        "started",
        "status",
        "cases",
        "ok",
        "failed",
        "usd",
        "label",
        "continue with",
    ]
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
    return _table(header, rows, left={0, 1, 2, 7, 8})


def _decimals(value: float | None) -> str:
    return _MISSING if value is None else f"{value:.3f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], left: set[int]) -> str:
    table = Table(box=None, pad_edge=False, header_style="")
    for index, name in enumerate(header):
        justify: JustifyMethod = "left" if index in left else "right"
        table.add_column(Text(name), justify=justify, no_wrap=True)
    for row in rows:
        table.add_row(*(Text(printable(cell).replace("\n", " ")) for cell in row))
    # As wide as its content: a terminal wraps a long line, Rich would cut the cells.
    console = Console(color_system=None, width=10_000, highlight=False)
    console.width = Measurement.get(console, console.options, table).maximum
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())
