"""The terminal's side of a command: what is written where, and what may go wrong."""

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from ragproof_ray.errors import ExecutionError
from ragproof_ray.redaction import printable, redact

STANDARD_OUTPUT = "-"


def say(text: str) -> None:
    """Print a result."""
    _write(sys.stdout, printable(text))


def complain(text: str) -> None:
    """Print what is no result on standard error, also when that is closed or full."""
    with suppress(OSError, ValueError):  # the latter when the pipeline closed it
        _write(sys.stderr, printable(redact(text)))


def terminal_width() -> int | None:
    """Return the cells of a line, None when standard output is no terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


@contextmanager
def output(out: str) -> Iterator[BinaryIO]:
    """Open a file to write, or standard output when `out` is `-`.

    A regular file appears whole or not at all.

    Raises:
        ExecutionError: the file cannot be written, or standard output is closed.
    """
    if out == STANDARD_OUTPUT:
        yield _standard_output()
        return
    target = Path(out).resolve()
    is_replaced = target.is_file() or not target.exists()  # a device is written to
    draft = target.with_name(f"{target.name}.tmp-{secrets.token_hex(4)}")
    try:
        with (draft if is_replaced else target).open("wb") as sink:
            yield sink
        if is_replaced:
            draft.replace(target)
    except OSError as error:
        raise ExecutionError(
            f"{out}: cannot be written ({error.strerror}); mend that or choose another "
            "--out"
        ) from error
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def prints_apart() -> Iterator[None]:
    """Send what the user's code prints to standard error; results stay by themselves.

    Holds for Python, and for the subprocesses and C libraries behind it.
    """
    with ExitStack() as stack:
        if sys.stdout is not None and sys.stderr is not None:
            with suppress(OSError, ValueError):  # no descriptor, or closed
                descriptor = sys.stdout.fileno()
                kept = os.dup(descriptor)
                stack.callback(os.close, kept)
                os.dup2(sys.stderr.fileno(), descriptor)
                stack.callback(os.dup2, kept, descriptor)
        prints = _prints()
        stack.callback(_flush, prints)
        stack.enter_context(redirect_stdout(prints))
        yield


def never_fail_to_encode() -> None:
    """Print what a console's encoding lacks as `?`, whatever the locale."""
    for stream in _streams():
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def drop_unwritable() -> None:
    """Forget output that nobody can take, which Python would try again at its end."""
    for stream in _streams():
        try:
            stream.flush()
        except ValueError:  # closed by the pipeline
            continue
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _prints() -> TextIO | None:
    """Return a stream to standard error that the user's code may close.

    It stays open for what the user's code keeps of it, as a logger does.
    """
    try:
        descriptor = os.dup(sys.stderr.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or no descriptor
        return sys.stderr
    encoding, errors = sys.stderr.encoding, sys.stderr.errors
    return open(descriptor, "w", 1, encoding=encoding, errors=errors, closefd=False)


def _flush(prints: TextIO | None) -> None:
    if prints is not None:
        with suppress(OSError, ValueError):  # full, or closed by the pipeline
            prints.flush()


def _write(stream: TextIO | None, text: str) -> None:
    if stream is not None:
        stream.write(f"{text}\n")
        stream.flush()


def _streams() -> list[TextIO]:
    """Return the streams that are open; Python has None for one that is not."""
    return [stream for stream in (sys.stdout, sys.stderr) if stream is not None]


def _standard_output() -> BinaryIO:
    if sys.stdout is None:
        raise ExecutionError("standard output is closed; name a file with --out")
    return sys.stdout.buffer
