"""The commands; each parses, makes one call into the product, and prints."""

import json
import shlex
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from ragproof_ray import __version__
from ragproof_ray.errors import (
    EXIT_EXECUTION,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_TERMINATED,
)

if TYPE_CHECKING:
    import polars as pl

    from ragproof_ray.config import RunConfig
    from ragproof_ray.engine.run import RunOutcome
    from ragproof_ray.engine.runs import RunView
    from ragproof_ray.engine.store import Store

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    help="Evaluate retrieval-augmented generation: on a laptop, or on a Ray cluster.",
)

ConfigOption = Annotated[
    Path, Option("--config", "-c", help="The configuration file.", metavar="FILE")
]
SetOption = Annotated[
    list[str] | None,
    Option(
        "--set", help="Override a key: --set run.k=10. Repeatable.", metavar="KEY=VALUE"
    ),
]
JsonOption = Annotated[bool, Option("--json", help="Print JSON.")]
VerboseOption = Annotated[bool, Option("--verbose", help="Show where an error arose.")]
RunArgument = Annotated[
    str, Argument(help="A run's id, a unique prefix of it, or `latest`.", metavar="RUN")
]
DEFAULT_CONFIG = Path("ragproof.yaml")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ragproof-ray {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        Option(
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
    config: ConfigOption = DEFAULT_CONFIG,
    dataset: Annotated[
        str | None,
        Option(help="Evaluate this dataset instead of the config's.", metavar="FILE"),
    ] = None,
    label: Annotated[str | None, Option(help="A name shown with the run.")] = None,
    resume: Annotated[
        str | None,
        Option(help="Continue a run: its id, a prefix, or `latest`.", metavar="RUN"),
    ] = None,
    keep_failures: Annotated[
        bool,
        Option("--keep-failures", help="With --resume: do not retry failed cases."),
    ] = False,
    force: Annotated[
        bool,
        Option("--force", help="With --resume: take over from a driver that is gone."),
    ] = False,
    limit: Annotated[
        int | None, Option(help="Evaluate only the first cases.", min=1, metavar="N")
    ] = None,
    workers: Annotated[
        str | None,
        Option(
            help="auto, 0 for this process, or a number of Ray workers.", metavar="N"
        ),
    ] = None,
    address: Annotated[
        str | None, Option(help="Join the Ray cluster at this address.")
    ] = None,
    _no_cache: Annotated[
        bool, Option("--no-cache", help="Neither read nor keep judge replies.")
    ] = False,
    overrides: SetOption = None,
    as_json: JsonOption = False,
    _verbose: VerboseOption = False,
) -> int:
    """Evaluate a dataset through a pipeline."""
    flags = {"dataset": dataset, "run.workers": workers, "run.address": address}
    loaded = _load(config, [*(overrides or []), *_as_overrides(flags)])
    from ragproof_ray.cli.progress import ProgressLine
    from ragproof_ray.engine import run as engine

    line = ProgressLine(sys.stderr)
    options = engine.Options(label, limit, resume, keep_failures, force)
    try:
        outcome = engine.run(loaded, options, line)
    finally:
        line.clear()
    _print_run(outcome.view, outcome.summary, as_json)
    if outcome.view.status != "completed":
        return _ended_early(outcome, config)
    if outcome.view.counts["ok"] == 0:
        sys.stderr.write(
            "error: no case succeeded, so nothing was measured; see the reasons with "
            f"`ragproof-ray export {outcome.view.manifest.run_id[:8]} --out -`\n"
        )
        return EXIT_EXECUTION
    return EXIT_OK


@app.command()
def check(
    config: ConfigOption = DEFAULT_CONFIG,
    overrides: SetOption = None,
    _verbose: VerboseOption = False,
) -> int:
    """Try the configuration, the dataset, the store and one call of the pipeline."""
    loaded = _load(config, overrides or [])
    from ragproof_ray.engine.check import check as findings

    for finding in findings(loaded):
        typer.echo(_safe(finding))
    return EXIT_OK


@app.command()
def init(
    folder: Annotated[
        Path, Argument(help="Where to put the files.", metavar="[DIR]")
    ] = Path(),
) -> int:
    """Lay down the quickstart: a configuration, a pipeline and a dataset."""
    from ragproof_ray.scaffold import lay_down

    for path in lay_down(folder):
        typer.echo(_safe(f"wrote {path}"))
    place = "" if folder == Path() else f"cd {folder} && "
    typer.echo(
        _safe(
            f"next: pip install 'ragproof-ray[quickstart]', then {place}ragproof-ray run"
        )
    )
    return EXIT_OK


@app.command()
def freeze(
    dataset: Annotated[Path, Argument(help="A dataset as JSONL.", metavar="FILE")],
    out: Annotated[
        Path | None,
        Option(help="Default: FILE with the suffix .frozen.json.", metavar="FILE"),
    ] = None,
) -> int:
    """Write a dataset with its hash, checked more strictly than for a run."""
    from ragproof_ray.dataset import freeze as write_frozen

    summary = write_frozen(dataset, out)
    typer.echo(
        _safe(
            f"wrote {summary.path}: {summary.cases:,} cases, hash {summary.dataset_hash}"
        )
    )
    return EXIT_OK


@app.command()
def runs(config: ConfigOption = DEFAULT_CONFIG, as_json: JsonOption = False) -> int:
    """List the runs of the store, newest first."""
    store = _open_store(config)
    from ragproof_ray.engine.runs import newest_first

    views = newest_first(store, datetime.now(UTC))
    if as_json:
        from ragproof_ray.reports.document import run_row, to_json

        typer.echo(to_json([run_row(view) for view in views]))
    elif views:
        from ragproof_ray.reports.table import runs_table

        typer.echo(runs_table(views, [_continuing(view, config) for view in views]))
    else:
        typer.echo(
            _safe(f"no runs in {store.location}; start one with `ragproof-ray run`")
        )
    return EXIT_OK


@app.command()
def show(
    reference: RunArgument,
    config: ConfigOption = DEFAULT_CONFIG,
    as_json: JsonOption = False,
) -> int:
    """Show the summary of a run."""
    store = _open_store(config)
    from ragproof_ray.engine import runs as stored

    run_id = stored.resolve(store, reference)
    view = stored.view(store, run_id, datetime.now(UTC))
    _print_run(view, stored.read_summary(store, run_id), as_json)
    return EXIT_OK


@app.command()
def export(
    reference: RunArgument,
    out: Annotated[
        str, Option(help="A file, or - for standard output.", metavar="FILE")
    ],
    form: Annotated[str, Option("--format", help="jsonl, csv or parquet.")] = "jsonl",
    config: ConfigOption = DEFAULT_CONFIG,
) -> int:
    """Write the results of a run, one record a case, in dataset order."""
    store = _open_store(config)
    from ragproof_ray.engine import runs as stored
    from ragproof_ray.reports.export import export_to

    run_id = stored.resolve(store, reference)
    manifest = store.read_manifest(run_id)
    results = store.scan_results(run_id)
    written = export_to(out, results, manifest.metrics, manifest.total_cases, form)
    sys.stderr.write(f"{written:,} of {manifest.total_cases:,} cases written\n")
    return EXIT_OK


def _load(config: Path, overrides: list[str]) -> "RunConfig":
    from ragproof_ray.config import load_config

    return load_config(config, overrides)


def _as_overrides(flags: dict[str, str | None]) -> list[str]:
    """Turn flags into overrides; JSON is YAML, so a quoted value stays one."""
    return [
        f"{key}={json.dumps(value)}"
        for key, value in flags.items()
        if value is not None
    ]


def _open_store(config: Path) -> "Store":
    from ragproof_ray.config import store_folder

    folder = store_folder(_load(config, []))
    from ragproof_ray.engine.store import Store

    return Store(folder)


def _print_run(view: "RunView", summary: "pl.DataFrame", as_json: bool) -> None:
    if as_json:
        from ragproof_ray.reports.document import run_document, to_json

        typer.echo(to_json(run_document(view, summary)))
        return
    from ragproof_ray.reports.table import run_heading, summary_table

    typer.echo(f"{run_heading(view)}\n\n{summary_table(summary)}")


def _ended_early(outcome: "RunOutcome", config: Path) -> int:
    """Say how to continue, and return the exit code of a run that is not complete."""
    command = _continuing(outcome.view, config)
    sys.stderr.write(
        f"error: the run is {outcome.view.status}; continue with {command}\n"
    )
    codes = {signal.SIGINT: EXIT_INTERRUPTED, signal.SIGTERM: EXIT_TERMINATED}
    return (
        codes.get(outcome.signal, EXIT_EXECUTION) if outcome.signal else EXIT_EXECUTION
    )


def _continuing(view: "RunView", config: Path) -> str | None:
    """Return the command that continues a run, None for one that is complete."""
    if view.status in ("completed", "running"):
        return None
    chosen = "" if config == DEFAULT_CONFIG else f" -c {shlex.quote(str(config))}"
    return f"ragproof-ray run{chosen} --resume {view.manifest.run_id[:8]}"


def _safe(text: str) -> str:
    from ragproof_ray.redaction import printable

    return printable(text)
