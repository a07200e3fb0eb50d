"""The flags and arguments of the commands, each declared once."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, BadParameter, Option

DEFAULT_CONFIG = Path("ragproof.yaml")


def _worker_count(text: str) -> str:
    if text != "auto" and not (text.isascii() and text.isdigit()):
        raise BadParameter(f"got {text!r}; give auto or a whole number")
    return text


Config = Annotated[
    Path, Option("--config", "-c", help="The configuration file.", metavar="FILE")
]
Overrides = Annotated[
    list[str] | None,
    Option(
        "--set",
        help="Override a key, as in --set run.k=10. Repeatable.",
        metavar="KEY=VALUE",
    ),
]
AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Verbose = Annotated[
    bool,
    Option(
        "--verbose", help="Show where an error arose; `run` also keeps what Ray logs."
    ),
]
Reference = Annotated[
    str, Argument(help="A run's id, a unique prefix of it, or `latest`.", metavar="RUN")
]

Dataset = Annotated[
    str | None,
    Option(help="Evaluate this dataset instead of the config's.", metavar="FILE"),
]
Label = Annotated[str | None, Option(help="A name shown with the run.", metavar="TEXT")]
Resume = Annotated[
    str | None,
    Option(
        help="Continue a run: its id, a unique prefix of it, or `latest`.",
        metavar="RUN",
    ),
]
KeepFailures = Annotated[
    bool, Option("--keep-failures", help="With --resume: do not retry failed cases.")
]
Force = Annotated[
    bool, Option("--force", help="With --resume: take over from a driver that is gone.")
]
Limit = Annotated[
    int | None, Option(help="Evaluate only the first N cases.", min=1, metavar="N")
]
Workers = Annotated[
    str | None,
    Option(
        help="0 for this process, N for N Ray workers, or auto.",
        metavar="N",
        parser=_worker_count,
    ),
]
Address = Annotated[
    str | None, Option(help="Join the Ray cluster at this address.", metavar="ADDRESS")
]
NoCache = Annotated[
    bool, Option("--no-cache", help="Neither read nor keep judge replies.")
]

Folder = Annotated[
    Path, Argument(help="Where to put the files; default: here.", metavar="[DIR]")
]
Source = Annotated[Path, Argument(help="A dataset as JSONL.", metavar="FILE")]
FrozenOut = Annotated[
    Path | None,
    Option(
        "--out",
        help="Default: FILE with its last suffix replaced by .frozen.json.",
        metavar="FILE",
    ),
]
ExportOut = Annotated[
    str, Option("--out", help="A file, or - for standard output.", metavar="FILE")
]
ExportFormat = Annotated[
    Literal["jsonl", "csv", "parquet"], Option("--format", help="How to write them.")
]
