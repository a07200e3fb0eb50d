"""What a local Ray needs around it to be a good guest; imports no Ray.

Ray reads most of these variables when it is imported, so they are set first. Each is
explained by what was seen without it.
"""

import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ragproof_ray.engine.processes import is_gone
from ragproof_ray.redaction import redact

_PREFIX = "rp-"
_LONGEST_TEMPORARY = 50
_REMOVE_S = 3.0
_LOG_BYTES = 200_000  # of each of Ray's logs

_QUIET = {
    # The raylet's messages go to stdout and would cut into `--json` output.
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": r"(?s).",
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",
    "RAY_DISABLE_FAILURE_SIGNAL_HANDLER": "1",
    # A late call after shutdown would start a second Ray, dashboard included.
    "RAY_ENABLE_AUTO_CONNECT": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}
_PRIVATE = {
    # Every listener on loopback; by default several listen on all addresses.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    # The cores already run shards.
    "POLARS_MAX_THREADS": "1",
}


@contextmanager
def quiet_ray() -> Iterator[None]:
    """Set what keeps Ray's own messages out of ours."""
    with _environment(_QUIET):
        yield


@contextmanager
def private_ray() -> Iterator[Path]:
    """Prepare the environment of a local Ray and yield its folder.

    The folder is private to this user, short (socket paths are limited to 107 bytes)
    and removed at the end; so are those of earlier drivers that were killed.
    """
    temporary = _short_temporary_folder()
    sweep(temporary)
    base = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=temporary))
    try:
        token = base / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        private = _QUIET | _PRIVATE | {"RAY_AUTH_TOKEN_PATH": str(token)}
        with _environment(private, without=("RAY_ADDRESS", "RAY_AUTH_TOKEN")):
            yield base
    finally:
        _remove(base)


def _remove(base: Path) -> None:
    """Remove a folder that processes on their way out may still write to."""
    until = time.monotonic() + _REMOVE_S
    while base.exists() and time.monotonic() < until:
        shutil.rmtree(base, ignore_errors=True)
        if base.exists():
            time.sleep(_REMOVE_S / 20)


def _short_temporary_folder() -> Path:
    """Return where sockets may lie: their paths are limited to 107 bytes."""
    usual = Path(tempfile.gettempdir())
    return usual if len(os.fsencode(usual)) <= _LONGEST_TEMPORARY else Path("/tmp")  # noqa: S108


def collect_logs(base: Path, log: Path) -> None:
    """Write the ends of all of Ray's logs into one file, secrets taken out.

    Args:
        base: the folder of a local Ray that has ended.
        log: the file; replaced if it is there.
    """
    with log.open("w", encoding="utf-8") as file:
        for path in sorted(base.glob("r/session_2*/logs/*")):
            if path.is_file() and path.stat().st_size:
                end = path.read_bytes()[-_LOG_BYTES:].decode(errors="replace")
                file.write(f"==> {path.name} <==\n{redact(end)}\n")


def sweep(folder: Path) -> None:
    """Remove what killed drivers of this user left in a folder."""
    for base in folder.glob(f"{_PREFIX}*-*"):
        pid = base.name.removeprefix(_PREFIX).split("-")[0]
        if pid.isdecimal() and is_gone(int(pid)) and _is_ours(base):
            shutil.rmtree(base, ignore_errors=True)


def sweep_own() -> None:
    """Remove what a Ray that did not end has written since its folder was removed."""
    for base in _short_temporary_folder().glob(f"{_PREFIX}{os.getpid()}-*"):
        shutil.rmtree(base, ignore_errors=True)


def _is_ours(path: Path) -> bool:
    try:
        return path.lstat().st_uid == os.getuid()
    except OSError:
        return False


@contextmanager
def _environment(
    values: Mapping[str, str], without: Sequence[str] = ()
) -> Iterator[None]:
    """Set and unset variables, and put back what was there before."""
    before = {name: os.environ.get(name) for name in (*values, *without)}
    try:
        os.environ.update(values)
        for name in without:
            os.environ.pop(name, None)
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
