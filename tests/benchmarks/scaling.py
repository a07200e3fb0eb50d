"""Measures what must not grow: waiting over workers, and the summary over cases.

    python tests/benchmarks/scaling.py [--seconds 30] [--rows 10000000] [--out docs]

Waiting: a pipeline of 50 ms at 64 calls in flight, divided among 1, 2, 4 and 8 workers;
the wall time of the run, Ray's start left out, over cases x latency / concurrency. The
summary: a run of many cases with 13 metrics in parts of 50,000, reduced by `show`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from ragproof_ray.engine.parts import PartName
from ragproof_ray.engine.records import CloseRecord, DatasetRecord, Manifest
from ragproof_ray.engine.store import Store
from ragproof_ray.metrics import METRICS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OURS = Path(sys.executable).with_name("ragproof-ray")
LATENCY_S, CONCURRENCY, WAITING_TARGET = 0.05, 64, 1.15
PART_ROWS, SUMMARY_TARGET_S, SUMMARY_TARGET_MIB = 50_000, 4.0, 1024.0
LAUNCH = "20260101T000000000000aaaaaa"


def waiting(folder: Path, seconds: float) -> list[dict[str, Any]]:
    """Return wall times of the same work over 1, 2, 4 and 8 workers."""
    shutil.copy(HERE / "waiting.py", folder)
    cases = round(seconds / LATENCY_S * CONCURRENCY)
    with (folder / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number in range(cases):
            file.write(f'{{"id": "c{number}", "question": "q{number}"}}\n')
    (folder / "ragproof.yaml").write_text(
        "project: bench\ndataset: cases.jsonl\nstore: store\n"
        f"run: {{concurrency: {CONCURRENCY}}}\n"
        "adapter: {type: python, target: 'waiting:Pipeline'}\n",
        encoding="utf-8",
    )
    ideal_s = cases * LATENCY_S / CONCURRENCY
    records = []
    for workers in (1, 2, 4, 8):
        command = [str(OURS), "run", "--json", "--workers", str(workers)]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
        document = json.loads(done.stdout)
        began, ended = (
            datetime.fromisoformat(document[key]) for key in ("started_at", "ended_at")
        )
        wall_s = (ended - began).total_seconds()
        records.append(
            {"workers": workers, "wall_s": wall_s, "ratio": wall_s / ideal_s}
        )
        print(records[-1], flush=True)
    return records


def write_run(store: Store, rows: int) -> str:
    """Write a finished run of many cases, and return its id."""
    names = [metric.name for metric in METRICS]
    now = datetime.now(UTC)
    dataset = DatasetRecord("cases.jsonl", "d", "s", "c", rows, {"qa": rows})
    manifest = Manifest(
        "run",
        "bench",
        None,
        now,
        dataset,
        rows,
        names,
        {},
        5,
        "chunk",
        "a:b",
        None,
        {},
        {},
        "f",
        {},
    )
    store.create_run(manifest)
    parts = {}
    for number, start in enumerate(range(0, rows, PART_ROWS)):
        height = min(PART_ROWS, rows - start)
        name = PartName(LAUNCH, 1, "bench", number)
        store.put_part("run", name, results(start, height, names), "d")
        parts[str(name)] = height
    counts = {"ok": rows, "error": 0, "timeout": 0}
    store.close(
        "run", CloseRecord(LAUNCH, "completed", now, now, 0, counts, rows, parts)
    )
    return "run"


def results(start: int, height: int, names: list[str]) -> pl.DataFrame:
    """Return rows of which a tenth is skipped, with values of many digits."""
    ordinal = pl.int_range(start, start + height, dtype=pl.UInt32, eager=True)
    frame = pl.DataFrame({"ordinal": ordinal}).with_columns(
        rank=pl.lit(2, pl.UInt8), status=pl.lit("ok")
    )
    is_skipped = pl.col("ordinal") % 10 == 0
    return frame.with_columns(
        column
        for number, name in enumerate(names)
        for column in (
            pl.when(~is_skipped)
            .then((pl.col("ordinal").hash(number) % 10_007) / 10_007)
            .alias(f"{name}.value"),
            pl.when(is_skipped)
            .then(pl.lit("skipped"))
            .otherwise(pl.lit("scored"))
            .alias(f"{name}.status"),
            pl.when(is_skipped)
            .then(pl.lit("case has no expected_answer"))
            .alias(f"{name}.reason"),
        )
    )


def summary(folder: Path, rows: int) -> dict[str, Any]:
    """Return wall time and peak memory of `show` on a run without a stored summary."""
    write_run(Store(str(folder / "store")), rows)
    (folder / "ragproof.yaml").write_text(
        "project: bench\nstore: store\nadapter: {type: python, target: 'a:b'}\n",
        "utf-8",
    )
    with (folder / "output").open("wb") as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(OURS), "show", "run", "--json"], cwd=folder, stdout=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"show ended with {process.returncode}")
    record = {"rows": rows, "wall_s": wall_s, "peak_mib": usage.ru_maxrss / 1024}
    print(record, flush=True)
    return record


def page(figures: dict[str, Any]) -> str:
    """Return docs/scaling.md."""
    lines = "\n".join(
        f"| {record['workers']} | {record['wall_s']:.1f} s | {record['ratio']:.2f} | "
        f"{_verdict(record['ratio'] <= WAITING_TARGET)} |"
        for record in figures["waiting"]
    )
    reduced = figures["summary"]
    is_met = (
        reduced["wall_s"] <= SUMMARY_TARGET_S
        and reduced["peak_mib"] <= SUMMARY_TARGET_MIB
    )
    return f"""# Scaling

Written by `make bench` from `scaling.json`; do not edit. {figures["machine"]}.

A pipeline that waits 50 ms, 64 calls in flight over all workers: the wall time of the
run, Ray's start left out, over cases x latency / calls in flight (target
≤ {WAITING_TARGET}).

| workers | wall | ratio | |
|---|---|---|---|
{lines}

The summary of {reduced["rows"]:,} cases with {len(METRICS)} metrics, `show` as a whole
process (target ≤ {SUMMARY_TARGET_S:g} s and ≤ {SUMMARY_TARGET_MIB:,.0f} MiB):
{reduced["wall_s"]:.1f} s and {reduced["peak_mib"]:,.0f} MiB, {_verdict(is_met)}.
"""


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "missed"


def main() -> None:
    """Parse, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    options = parser.parse_args()
    figures: dict[str, Any] = {"machine": f"Machine: {os.cpu_count()} cores"}
    with tempfile.TemporaryDirectory(prefix="ragproof-bench-") as name:
        figures["summary"] = summary(Path(name), options.rows)
    with tempfile.TemporaryDirectory(prefix="ragproof-bench-") as name:
        figures["waiting"] = waiting(Path(name), options.seconds)
    text = json.dumps(figures, indent=2) + "\n"
    (options.out / "scaling.json").write_text(text, encoding="utf-8")
    (options.out / "scaling.md").write_text(page(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
