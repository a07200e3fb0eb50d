"""The commands; each parses, makes one call into the product, and prints."""

import json
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragproof_ray import __version__
from ragproof_ray.cli import options as flag
from ragproof_ray.cli.console import (
    STANDARD_OUTPUT,
    complain,
    output,
    prints_apart,
    say,
    terminal_width,
)
from ragproof_ray.errors import (
    EXIT_EXECUTION,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_TERMINATED,
)

if TYPE_CHECKING:
    import polars as pl

    from ragproof_ray.config import RunConfig
    from ragproof_ray.engine.launch import RunOutcome
    from ragproof_ray.engine.runs import RunView
    from ragproof_ray.engine.store import Store

PROGRAM = "ragproof-ray"
RAY_LOG = Path("ragproof-ray.log")  # beside the user, who asked for it

# The keys of the config that flags stand over.
_KEYS = {"dataset": "dataset", "workers": "run.workers", "address": "run.address"}
_SIGNAL_CODES = {signal.SIGINT: EXIT_INTERRUPTED, signal.SIGTERM: EXIT_TERMINATED}

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Evaluate retrieval-augmented generation: on a laptop, or on a Ray cluster.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Hold the options that stand before a command."""


@app.command()
def run(
    config: flag.Config = flag.DEFAULT_CONFIG,
    dataset: flag.Dataset = None,
    label: flag.Label = None,
    resume: flag.Resume = None,
    keep_failures: flag.KeepFailures = False,
    force: flag.Force = False,
    limit: flag.Limit = None,
    workers: flag.Workers = None,
    address: flag.Address = None,
    _no_cache: flag.NoCache = False,
    overrides: flag.Overrides = None,
    as_json: flag.AsJson = False,
    verbose: flag.Verbose = False,
) -> int:
    """Evaluate a dataset through a pipeline."""
    given = _given(dataset=dataset, workers=workers, address=address)
    loaded = _load(config, [*(overrides or []), *_as_overrides(given)])
    from ragproof_ray.cli.progress import ProgressLine
    from ragproof_ray.engine import run as engine

    line = ProgressLine(sys.stderr)
    log = RAY_LOG if verbose else None
    options = engine.Options(label, limit, resume, keep_failures, force, log)
    try:
        with prints_apart():
            outcome = engine.run(loaded, options, line)
    finally:
        line.clear()
    _print_run(outcome.store, outcome.view, outcome.summary, as_json)
    again = [("set", change) for change in overrides or []] + [*given.items()]
    return _verdict(outcome, _continuing(outcome.view, config, again))


@app.command()
def check(
    config: flag.Config = flag.DEFAULT_CONFIG,
    overrides: flag.Overrides = None,
    _verbose: flag.Verbose = False,
) -> int:
    """Try everything that a run needs, with one call of the pipeline."""
    loaded = _load(config, overrides or [])
    from ragproof_ray.engine.check import check as findings

    found = findings(loaded)
    while True:
        with prints_apart():
            finding = next(found, None)
        if finding is None:
            return EXIT_OK
        say(finding)


@app.command()
def init(folder: flag.Folder = Path(), _verbose: flag.Verbose = False) -> int:
    """Write an example project: a configuration, a pipeline and a dataset."""
    from ragproof_ray.scaffold import lay_down

    for path in lay_down(folder):
        say(f"wrote {path}")
    place = "" if folder == Path() else f"{shlex.join(['cd', str(folder)])} && "
    say(f"next: pip install 'ragproof-ray[quickstart]', then {place}{PROGRAM} run")
    return EXIT_OK


@app.command()
def freeze(
    dataset: flag.Source, out: flag.FrozenOut = None, _verbose: flag.Verbose = False
) -> int:
    """Write a dataset with its hash, checked more strictly than for a run."""
    from ragproof_ray.dataset import freeze as write_frozen

    frozen = write_frozen(dataset, out)
    say(f"wrote {frozen.path}: {frozen.cases:,} cases, hash {frozen.dataset_hash}")
    return EXIT_OK


@app.command()
def runs(
    config: flag.Config = flag.DEFAULT_CONFIG,
    as_json: flag.AsJson = False,
    _verbose: flag.Verbose = False,
) -> int:
    """List the runs of the store, newest first."""
    store = _open_store(config)
    from ragproof_ray.engine.runs import newest_first

    views = newest_first(store, datetime.now(UTC))
    if as_json:
        from ragproof_ray.reports.document import run_row, to_json

        say(to_json([run_row(view) for view in views]))
    elif views:
        from ragproof_ray.reports.table import runs_table

        commands = [_continuing(view, config) for view in views]
        say(runs_table(views, commands, terminal_width()))
    else:
        say(f"no runs in {store.location}; start one with `{PROGRAM} run`")
    return EXIT_OK


@app.command()
def show(
    reference: flag.Reference,
    config: flag.Config = flag.DEFAULT_CONFIG,
    as_json: flag.AsJson = False,
    _verbose: flag.Verbose = False,
) -> int:
    """Show the summary of a run."""
    store = _open_store(config)
    from ragproof_ray.engine import runs as stored

    run_id = stored.resolve(store, reference)
    view = stored.view(store, run_id, datetime.now(UTC))
    _print_run(store, view, stored.read_summary(store, run_id), as_json)
    if (command := _continuing(view, config)) and not as_json:
        say(f"\ncontinue with `{command}`")
    return EXIT_OK


@app.command()
def export(
    reference: flag.Reference,
    out: flag.ExportOut,
    form: flag.ExportFormat = "jsonl",
    config: flag.Config = flag.DEFAULT_CONFIG,
    _verbose: flag.Verbose = False,
) -> int:
    """Write the results of a run, one record a case, in dataset order."""
    store = _open_store(config)
    from ragproof_ray.engine import runs as stored
    from ragproof_ray.reports.export import export as write_results

    run_id = stored.resolve(store, reference)
    manifest = store.read_manifest(run_id)
    total = manifest.total_cases
    with output(out) as sink:
        results = store.scan_results(run_id)
        written = write_results(results, manifest.metrics, total, form, sink)
    if out != STANDARD_OUTPUT or written < total:
        complain(f"{written:,} of {total:,} cases written")
    return EXIT_OK


def _load(config: Path, overrides: Sequence[str]) -> "RunConfig":
    from ragproof_ray.config import load_config

    return load_config(config, overrides)


def _given(**flags: str | None) -> dict[str, str]:
    return {name: value for name, value in flags.items() if value is not None}


def _as_overrides(given: Mapping[str, str]) -> list[str]:
    """Turn flags into overrides; JSON is YAML, so a quoted value stays one."""
    return [f"{_KEYS[name]}={json.dumps(value)}" for name, value in given.items()]


def _open_store(config: Path) -> "Store":
    from ragproof_ray.config import store_folder

    folder = store_folder(_load(config, []))
    from ragproof_ray.engine.store import Store

    return Store(folder)


def _print_run(
    store: "Store", view: "RunView", summary: "pl.DataFrame", as_json: bool
) -> None:
    if as_json:
        from ragproof_ray.reports.document import run_document, to_json

        say(to_json(run_document(view, summary)))
        return
    from ragproof_ray.reports.failures import failure_lines
    from ragproof_ray.reports.table import run_heading, summary_table

    say(f"{run_heading(view)}\n\n{summary_table(summary, terminal_width())}")
    if view.finished > view.counts["ok"]:
        lines = failure_lines(store.scan_results(view.manifest.run_id))
        say("\n".join(["", "failed cases:", *lines]))


def _verdict(outcome: "RunOutcome", continuing: str | None) -> int:
    """Return the exit code of a run, and say why it is not 0."""
    status, code = outcome.view.status, EXIT_OK
    if outcome.fault is not None:
        complain(f"error: {outcome.fault}")
        code = outcome.fault.exit_code
    elif outcome.signal is not None and status != "completed":
        complain(f"error: stopped by {outcome.signal.name}; finished cases are kept")
        code = _SIGNAL_CODES[outcome.signal]
    elif status != "completed":
        complain(f"error: the run is {status}")
        code = EXIT_EXECUTION
    elif outcome.view.counts["ok"] == 0:
        complain("error: no case succeeded, so nothing was measured; mend the pipeline")
        code = EXIT_EXECUTION
    if continuing is not None:
        complain(f"continue with `{continuing}`")
    return code


def _continuing(
    view: "RunView", config: Path, again: Sequence[tuple[str, str]] = ()
) -> str | None:
    """Return the command that continues a run, None when there is nothing to do.

    Args:
        view: the run.
        config: the config's path.
        again: further flags, as name and value.
    """
    if view.status in ("completed", "running"):
        return None
    chosen = [] if config == flag.DEFAULT_CONFIG else [("config", str(config))]
    flags = [*chosen, *again, ("resume", view.manifest.run_id[:8])]
    words = [word for name, value in flags for word in (f"--{name}", value)]
    return shlex.join([PROGRAM, "run", *words])
