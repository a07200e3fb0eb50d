"""The command line: parse, one call, print, exit code."""

import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import TextIO

from typer.exceptions import TyperException
from typer.main import get_command

from ragproof_ray.cli.commands import app
from ragproof_ray.errors import EXIT_EXECUTION, EXIT_INTERRUPTED, RagproofError

PROGRAM = "ragproof-ray"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every error becomes one message."""
    for stream in (sys.stdout, sys.stderr):
        _never_fail_to_encode(stream)
    warnings.formatwarning = _format_warning  # type: ignore[assignment] # takes any
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return int(get_command(app)(arguments, PROGRAM, standalone_mode=False) or 0)
    except RagproofError as error:
        return _fail(str(error), error.exit_code, arguments)
    except TyperException as error:
        return _fail(_usage_text(error), EXIT_EXECUTION, ())
    except KeyboardInterrupt:
        return _fail("interrupted", EXIT_INTERRUPTED, ())
    except BrokenPipeError:
        # The reader of our output left; nothing can be said to it any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_EXECUTION
    except Exception as error:  # noqa: BLE001 - no traceback reaches a user unasked
        text = "".join(traceback.format_exception_only(error)).strip()
        hint = "this is a fault of ragproof-ray; --verbose shows where"
        return _fail(f"unexpected {text} ({hint})", EXIT_EXECUTION, arguments)


def _fail(message: str, code: int, arguments: Sequence[str]) -> int:
    from ragproof_ray.redaction import printable, redact

    if "--verbose" in arguments:
        sys.stderr.write(redact(traceback.format_exc()))
    sys.stderr.write(f"error: {printable(redact(message))}\n")
    return code


def _usage_text(error: TyperException) -> str:
    format_message = getattr(error, "format_message", None)
    message = format_message() if format_message else str(error)
    return f"{message}\nsee `{PROGRAM} --help`"


def _format_warning(message: Warning | str, *_: object) -> str:
    from ragproof_ray.redaction import printable, redact

    return f"warning: {printable(redact(str(message)))}\n"


def _never_fail_to_encode(stream: TextIO) -> None:
    """Print what a console's encoding lacks as `?`, whatever the locale."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
