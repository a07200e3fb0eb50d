"""Times whole processes, ours and the peer's alternately, and writes what it saw.

    python tests/benchmarks/run.py [--cases 100000 500000] [--pairs 3] [--workers 0 2]

The figures go to docs/performance.json, and from there to docs/performance.md. The
peer is ragproof 1.0.0 in an environment of its own (`make bench-peers`); without it
only our figures are taken.
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
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PEER = ROOT / ".venv-peers" / "bin" / "ragproof"
OURS = Path(sys.executable).with_name("ragproof-ray")
PEER_CASES = 10_000  # its speed does not depend on the number of cases
PARTS = ("ragproof-ray", "ray", "polars", "pyarrow", "pydantic")

# Cases a second over the peer's, by number of workers and of cases.
SPEED_TARGETS = {(0, 100_000): 30.0, (2, 100_000): 12.0, (2, 500_000): 30.0}
GROWTH_TARGET = 1.2  # peak memory, the largest number of cases over the smallest


class Reading(NamedTuple):
    """What one process took."""

    seconds: float
    peak_mib: float


@dataclass(frozen=True, slots=True)
class Work:
    """One thing to measure.

    Attributes:
        name: its line in the table.
        ours: our arguments.
        peer: the peer's arguments.
        cases: how many we evaluate; 0 for work that is measured in seconds.
        exit_code: with which both end.
        at_least: target for our cases a second over the peer's.
        at_most: target for our seconds over the peer's.
        seconds: target for our seconds.
    """

    name: str
    ours: list[str]
    peer: list[str]
    cases: int = 0
    exit_code: int = 0
    at_least: float | None = None
    at_most: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The readings of one work, pair by pair, and what follows from them."""

    work: Work
    ours: list[Reading]
    peer: list[Reading] = field(default_factory=list)

    @property
    def ratio(self) -> float | None:
        """Median over the pairs: of speeds where cases are counted, else of times."""
        if not self.peer:
            return None
        pairs = zip(self.ours, self.peer, strict=True)
        times = statistics.median(ours.seconds / peer.seconds for ours, peer in pairs)
        return self.work.cases / PEER_CASES / times if self.work.cases else times

    @property
    def verdict(self) -> str:
        """Say whether the target was met; nothing where there is none to compare."""
        work, ratio = self.work, self.ratio
        if work.seconds is not None:
            return _verdict(median_seconds(self.ours) <= work.seconds)
        if ratio is not None and work.at_least is not None:
            return _verdict(ratio >= work.at_least)
        if ratio is not None and work.at_most is not None:
            return _verdict(ratio <= work.at_most)
        return ""

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        sides = {
            side: [reading._asdict() for reading in readings]
            for side, readings in (("ours", self.ours), ("peer", self.peer))
        }
        return {
            **asdict(self.work),
            "readings": sides,
            "ratio": self.ratio,
            "verdict": self.verdict,
        }


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "missed"


def median_seconds(readings: Sequence[Reading]) -> float:
    return statistics.median(reading.seconds for reading in readings)


def median_peak(readings: Sequence[Reading]) -> float:
    return statistics.median(reading.peak_mib for reading in readings)


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


def write_config(folder: Path, cases: int) -> str:
    """Write a dataset and its configuration, and return the latter's name."""
    write_cases(folder / f"{cases}.jsonl", cases)
    (folder / f"{cases}.yaml").write_text(
        f"project: bench\ndataset: {cases}.jsonl\nstore: store\n"
        "adapter: {type: python, target: 'pipeline:Pipeline'}\n",
        encoding="utf-8",
    )
    return f"{cases}.yaml"


def write_bad_config(folder: Path) -> str:
    """Write a configuration with a mistake, and return its name."""
    (folder / "bad.yaml").write_text("project: bench\nrun: {kk: 3}\n", "utf-8")
    return "bad.yaml"


def small_works(folder: Path) -> Iterator[Work]:
    """Yield what a user waits for at every start."""
    five, bad = write_config(folder, 5), write_bad_config(folder)
    run = ["run", "-c"]
    yield Work(
        "`run`, 5 cases",
        [*run, five, "--workers", "0"],
        [*run, five],
        at_most=0.8,
    )
    yield Work("`--help`", ["--help"], ["--help"], seconds=0.2)
    yield Work("`--version`", ["--version"], ["--version"], seconds=0.2)
    yield Work("a config error", [*run, bad], [*run, bad], exit_code=3, seconds=0.3)


def large_works(
    folder: Path, sizes: Sequence[int], workers: Sequence[int], peer_cases: int
) -> Iterator[Work]:
    """Yield runs that are measured in cases a second."""
    peer = ["run", "-c", write_config(folder, peer_cases)]
    for size in sizes:
        config = write_config(folder, size)
        for count in workers:
            yield Work(
                f"`run`, {size:,} cases, {place(count)}",
                ["run", "-c", config, "--workers", str(count)],
                peer,
                cases=size,
                at_least=SPEED_TARGETS.get((count, size)),
            )


def place(workers: int) -> str:
    return f"{workers} workers" if workers else "in process"


def measure(work: Work, folder: Path, pairs: int, peer: Path | None) -> Record:
    """Take the readings of both sides alternately."""
    record = Record(work, [])
    for _ in range(pairs):
        record.ours.append(watch([str(OURS), *work.ours], folder, work.exit_code))
        if peer:
            record.peer.append(watch([str(peer), *work.peer], folder, work.exit_code))
    return record


def watch(command: Sequence[str], folder: Path, exit_code: int) -> Reading:
    """Run a process on an empty store; it must end with the given code."""
    store = folder / "store"
    if store.is_dir():
        shutil.rmtree(store)
    store.unlink(missing_ok=True)  # the peer's is a file
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAGPROOF_")}
    with (folder / "output").open("wb") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != exit_code:
        said = (folder / "output").read_text("utf-8", "replace")
        sys.exit(f"{' '.join(command)} ended with {process.returncode}: {said}")
    return Reading(seconds, usage.ru_maxrss / 1024)


def growths(records: Sequence[Record]) -> Iterator[str]:
    """Say for each kind of run how its memory grows with the number of cases."""
    places = dict.fromkeys(record.work.name.rpartition(", ")[2] for record in records)
    for where in places:
        runs = [record for record in records if record.work.name.endswith(where)]
        least = min(runs, key=lambda record: record.work.cases)
        most = max(runs, key=lambda record: record.work.cases)
        growth = median_peak(most.ours) / median_peak(least.ours)
        if least is not most:
            yield (
                f"- {where}, {least.work.cases:,} to {most.work.cases:,} cases: "
                f"{growth:.2f} times (target {GROWTH_TARGET}: "
                f"{_verdict(growth <= GROWTH_TARGET)})"
            )


def row(record: Record) -> str:
    """Return one line of the table."""
    work, ratio = record.work, record.ratio
    cells = [
        work.name,
        shown(record.ours, work.cases),
        shown(record.peer, work.cases and PEER_CASES),
        f"{ratio:.2f}" if ratio else "-",
        f"{target(work)} {record.verdict}".strip(),
        *(
            f"{median_peak(side):,.0f} MiB" if side else "-"
            for side in (record.ours, record.peer)
        ),
        *(
            ", ".join(f"{reading.seconds:.2f}" for reading in side) or "-"
            for side in (record.ours, record.peer)
        ),
    ]
    return f"| {' | '.join(cells)} |"


def shown(readings: Sequence[Reading], cases: int) -> str:
    """Return the median as cases a second, or as seconds where none are counted."""
    if not readings:
        return "-"
    seconds = median_seconds(readings)
    return f"{cases / seconds:,.0f} cases/s" if cases else f"{seconds:.2f} s"


def target(work: Work) -> str:
    """Return a work's target in words."""
    if work.seconds is not None:
        return f"≤ {work.seconds} s:"
    if work.at_least is not None:
        return f"≥ {work.at_least:g}x:"
    return f"≤ {work.at_most:g}x:" if work.at_most is not None else ""


def page(machine: str, records: Sequence[Record]) -> str:
    """Return docs/performance.md."""
    rows = "\n".join(map(row, records))
    memory = "\n".join(growths([record for record in records if record.work.cases]))
    return f"""# Performance

Written by `make bench` from `performance.json`; do not edit. Whole processes, ours and
ragproof 1.0.0 alternately on one machine: medians, with all times in seconds on the
right. Where cases are counted the ratio is our cases a second over the peer's, taken at
{PEER_CASES:,} cases since its speed does not depend on their number; elsewhere it is
our time over the peer's. Memory is the peak of the process that was started, and of
no other process.

{machine}.

| work | ours | ragproof | ratio | target | our memory | its | our times | its times |
|---|---|---|---|---|---|---|---|---|
{rows}

Our peak memory as the number of cases grows:

{memory or "- not measured at two sizes"}
"""


def machine() -> str:
    """Return in words what the figures depend on."""
    parts = ", ".join(f"{name} {version(name)}" for name in PARTS)
    return (
        f"Machine: {os.cpu_count()} cores, {platform.machine()}, {platform.system()}, "
        f"load {os.getloadavg()[0]:.1f} at the start. Versions: Python "
        f"{platform.python_version()}, {parts}"
    )


def main() -> None:
    """Parse, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    sizes = [100_000, 500_000, 1_000_000]
    parser.add_argument("--cases", type=int, nargs="*", default=sizes)
    parser.add_argument("--workers", type=int, nargs="*", default=[0, 2])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--peer", type=Path, default=PEER)
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    options = parser.parse_args()
    peer = options.peer if options.peer.exists() else None
    where, records = machine(), []
    with tempfile.TemporaryDirectory(prefix="ragproof-bench-") as name:
        folder = Path(name)
        shutil.copy(HERE / "pipeline.py", folder)
        peer_cases = PEER_CASES if peer else 1
        works = [
            *small_works(folder),
            *large_works(folder, options.cases, options.workers, peer_cases),
        ]
        measure(works[0], folder, 1, peer)  # compiles what is new on this machine
        for work in works:
            records.append(measure(work, folder, options.pairs, peer))
            print(row(records[-1]), flush=True)
    figures = {"machine": where, "records": [record.to_json() for record in records]}
    options.out.joinpath("performance.json").write_text(
        json.dumps(figures, indent=2) + "\n", encoding="utf-8"
    )
    options.out.joinpath("performance.md").write_text(
        page(where, records), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
