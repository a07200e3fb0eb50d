"""The command line: parse, one call, print, exit code."""

import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import NamedTuple

from typer import BadParameter, Exit
from typer.exceptions import TyperException
from typer.main import get_command

from ragproof_ray.cli.commands import PROGRAM, app
from ragproof_ray.cli.console import complain, drop_unwritable, never_fail_to_encode
from ragproof_ray.errors import (
    EXIT_EXECUTION,
    EXIT_INTERRUPTED,
    RagproofError,
    StoppedBySignal,
)
from ragproof_ray.redaction import printable, redact

# What a shell reports of a program that the signal SIGPIPE ended.
_EXIT_NO_READER = 141
_USE_UTF8 = "set LC_ALL=C.UTF-8"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every error becomes one message."""
    never_fail_to_encode()
    warnings.formatwarning = _format_warning  # type: ignore[assignment] # takes any
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    code = _run(arguments)
    drop_unwritable()
    return code


def _run(arguments: Sequence[str]) -> int:
    try:
        return _dispatch(arguments)
    except BrokenPipeError:
        return _EXIT_NO_READER
    except TyperException as error:
        complain(_usage_text(error))
        return EXIT_EXECUTION
    # Polars panics and user code exits with what is no `Exception`.
    except BaseException as error:  # noqa: BLE001 - no traceback reaches a user unasked
        return _fail(_explained(error), arguments)


class _Failure(NamedTuple):
    """What a user is told of an error, and the exit code it means."""

    message: str
    code: int


def _explained(error: BaseException) -> _Failure:
    match error:
        case RagproofError():
            return _Failure(str(error), error.exit_code)
        case StoppedBySignal():
            return _Failure("interrupted", error.exit_code)
        case KeyboardInterrupt():
            return _Failure("interrupted", EXIT_INTERRUPTED)
        case SystemExit():
            message = (
                f"the pipeline or a metric ended the program ({_text(error)}); raise an "
                "ordinary exception there instead"
            )
        # UTF-8 holds every path; what it refuses is text of another origin.
        case UnicodeEncodeError() if error.encoding != "utf-8":
            message = f"a path cannot be written in this locale; {_USE_UTF8}"
        case OSError():
            place = error.filename or "the output"
            reason = error.strerror or error
            message = f"{place}: {reason}; check the disk's space and permissions"
        case _:
            hint = "this is a fault of ragproof-ray; --verbose shows where"
            message = f"unexpected {_text(error)} ({hint})"
    return _Failure(message, EXIT_EXECUTION)


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error)).strip()


def _dispatch(arguments: Sequence[str]) -> int:
    for argument in arguments:
        if not _is_text(argument):
            raise BadParameter(f"{argument!r} is not text in this locale; {_USE_UTF8}")
    command = get_command(app)
    try:
        # Not `main`, which would end the process with 1 when a reader leaves.
        with command.make_context(PROGRAM, list(arguments)) as context:
            return int(command.invoke(context))
    except Exit as error:  # after --help and --version
        return error.exit_code


def _is_text(argument: str) -> bool:
    """Tell whether every byte of an argument could be decoded."""
    return not any("\ud800" <= character <= "\udfff" for character in argument)


def _fail(failure: _Failure, arguments: Sequence[str]) -> int:
    if "--verbose" in arguments:
        complain(traceback.format_exc())
    complain(f"error: {failure.message}")
    return failure.code


def _usage_text(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else PROGRAM
    return f"error: {error.format_message()}\nsee `{command} --help`"


def _format_warning(message: Warning | str, *_: object) -> str:
    return f"warning: {printable(redact(str(message)))}\n"
