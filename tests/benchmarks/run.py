"""Times whole processes, ours and the peer's alternately, and writes what it saw.

    python tests/benchmarks/run.py [--cases 10000 100000] [--pairs 3] [--peer PROGRAM]

The figures go to docs/performance.json, and from there to docs/performance.md. The
peer is ragproof 1.0.0 in an environment of its own (`make bench-peers`); without it
only our times are taken.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PEER = ROOT / ".venv-peers" / "bin" / "ragproof"
OURS = Path(sys.executable).parent / "ragproof-ray"
PEER_CASES = 10_000  # its speed does not depend on the number of cases


def write_cases(path: Path, count: int) -> None:
    """Write a dataset of qa cases."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            case = {
                "id": f"case-{number}",
                "question": f"question {number} about the thing?",
                "expected_answer": f"answer {number}",
                "expected_source_ids": [f"doc-{number + 1}", f"doc-{number + 50}"],
            }
            file.write(json.dumps(case) + "\n")


def write_config(folder: Path, name: str, dataset: str) -> Path:
    """Write a configuration and return its path."""
    path = folder / f"{name}.yaml"
    path.write_text(
        f"project: bench\ndataset: {dataset}\nstore: store-{name}\n"
        "adapter: {type: python, target: 'pipeline:Pipeline'}\n",
        encoding="utf-8",
    )
    return path


def seconds(command: Sequence[str | Path], folder: Path, expected: int = 0) -> float:
    """Return the wall time of a process, which must end with the expected code."""
    shutil.rmtree(folder / "store-ours", ignore_errors=True)
    shutil.rmtree(folder / "store-peer", ignore_errors=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAGPROOF_")}
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False
    )
    elapsed = time.perf_counter() - started
    if done.returncode != expected:
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr.decode()}")
    return elapsed


def pairs(
    ours: Sequence[str | Path],
    peer: Sequence[str | Path] | None,
    folder: Path,
    count: int,
    expected: int = 0,
) -> dict[str, list[float]]:
    """Time two commands alternately."""
    times: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(count):
        times["ours"].append(seconds(ours, folder, expected))
        if peer:
            times["peer"].append(seconds(peer, folder, expected))
    return times


def measure(
    cases: Sequence[int], count: int, peer: Path | None
) -> list[dict[str, Any]]:
    """Return one record per piece of work."""
    records = []
    with tempfile.TemporaryDirectory(prefix="ragproof-bench-") as name:
        folder = Path(name)
        shutil.copy(HERE / "pipeline.py", folder)

        def both(work: str, ours: list[str], theirs: list[str], **extra: Any) -> None:
            command = [peer, *theirs] if peer else None
            expected = extra.pop("expected", 0)
            times = pairs([OURS, *ours], command, folder, count, expected)
            records.append({"work": work, **times, **extra})
            print(row(records[-1]), flush=True)

        write_cases(folder / "five.jsonl", 5)
        write_config(folder, "ours", "five.jsonl")
        write_config(folder, "peer", "five.jsonl")
        (folder / "bad.yaml").write_text(
            "project: bench\nrun: {kk: 3}\n", encoding="utf-8"
        )
        run = ["run", "-c"]
        both("run, 5 cases", [*run, "ours.yaml", "--workers", "0"], [*run, "peer.yaml"])
        both("--help", ["--help"], ["--help"])
        both("--version", ["--version"], ["--version"])
        both("a config error", [*run, "bad.yaml"], [*run, "bad.yaml"], expected=3)
        write_cases(folder / "peer.jsonl", PEER_CASES)
        write_config(folder, "peer", "peer.jsonl")
        for size in cases:
            write_cases(folder / f"{size}.jsonl", size)
            write_config(folder, "ours", f"{size}.jsonl")
            for workers in ("0", "2"):
                place = "in process" if workers == "0" else f"{workers} workers"
                both(
                    f"run, {size:,} cases, {place}",
                    [*run, "ours.yaml", "--workers", workers],
                    [*run, "peer.yaml"],
                    cases=size,
                    peer_cases=PEER_CASES,
                )
    return records


def rate_or_time(record: dict[str, Any], side: str) -> float | None:
    """Return median cases a second where cases are counted, else median seconds."""
    if not record[side]:
        return None
    median = statistics.median(record[side])
    cases = record.get("cases" if side == "ours" else "peer_cases")
    return cases / median if cases else median


def row(record: dict[str, Any]) -> str:
    """Return one line of the table."""
    ours, peer = rate_or_time(record, "ours"), rate_or_time(record, "peer")
    unit = "cases/s" if "cases" in record else "s"
    shown = [
        f"{v:,.0f} {unit}" if unit != "s" else f"{v:.2f} s" for v in (ours, peer) if v
    ]
    ratio = f"{ours / peer:.2f}" if ours and peer else "-"
    raw = ", ".join(f"{t:.2f}" for t in record["ours"])
    theirs = ", ".join(f"{t:.2f}" for t in record["peer"]) or "-"
    return f"| {record['work']} | {shown[0]} | {shown[1] if peer else '-'} | {ratio} | {raw} | {theirs} |"


def page(document: dict[str, Any]) -> str:
    """Return docs/performance.md."""
    rows = "\n".join(map(row, document["records"]))
    versions = ", ".join(
        f"{name} {version}" for name, version in document["versions"].items()
    )
    return f"""# Performance

Written by `make bench` from `performance.json`; do not edit. Whole processes, ours and
ragproof 1.0.0 alternately on one machine, medians of the times on the right (seconds).
Where cases are counted the figures are cases per second, the peer's at
{PEER_CASES:,} cases, since its speed does not depend on their number; a ratio above 1
means that we are faster there, and below 1 that we are quicker where seconds are shown.

Machine: {document["machine"]}. Versions: {versions}.

| work | ours | ragproof 1.0.0 | ratio | our times | its times |
|---|---|---|---|---|---|
{rows}
"""


def versions() -> dict[str, str]:
    """Return the versions that the figures depend on."""
    from importlib.metadata import version

    names = ("ragproof-ray", "ray", "polars", "pyarrow", "pydantic")
    return {"python": platform.python_version(), **{n: version(n) for n in names}}


def main() -> None:
    """Parse, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--peer", type=Path, default=PEER)
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    options = parser.parse_args()
    peer = options.peer if options.peer.exists() else None
    document = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "versions": versions(),
        "records": measure(options.cases, options.pairs, peer),
    }
    (options.out / "performance.json").write_text(
        json.dumps(document, indent=2) + "\n", encoding="utf-8"
    )
    (options.out / "performance.md").write_text(page(document), encoding="utf-8")


if __name__ == "__main__":
    main()
