"""What a local Ray needs around it to be a good guest; imports no Ray.

Ray reads most of these variables when it is imported, so they are set first. Each is
explained by what was seen without it.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "rp-"

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
    sweep(Path(tempfile.gettempdir()))
    base = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    try:
        token = base / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        private = _QUIET | _PRIVATE | {"RAY_AUTH_TOKEN_PATH": str(token)}
        with _environment(private, without=("RAY_ADDRESS", "RAY_AUTH_TOKEN")):
            yield base
    finally:
        shutil.rmtree(base, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what killed drivers of this user left in a folder."""
    for base in folder.glob(f"{_PREFIX}*-*"):
        pid = base.name.removeprefix(_PREFIX).split("-")[0]
        if pid.isdecimal() and not _is_alive(int(pid)) and _is_ours(base):
            shutil.rmtree(base, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


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
