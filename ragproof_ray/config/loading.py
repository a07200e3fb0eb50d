"""From a file or a mapping to a validated configuration.

The file gives the keys, overrides come over them, RAGPROOF_MAX_CONCURRENCY over both.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from ragproof_ray.config.document import read_document
from ragproof_ray.config.environment import Variables
from ragproof_ray.config.faults import config_error, shown_value, validation_faults
from ragproof_ray.config.overrides import apply_overrides
from ragproof_ray.config.sections import RunConfig
from ragproof_ray.errors import ConfigError

_MAX_BYTES = 256 * 1024


def load_config(
    path: Path,
    overrides: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> RunConfig:
    """Read and check a YAML config file.

    Args:
        path: A UTF-8 file of at most 256 KiB; a byte order mark is dropped.
        overrides: `a.b=value` each, the value in YAML.
        environ: Stands in for the process environment.

    Raises:
        ConfigError: Names every mistake of file, overrides and environment together.
            A file that cannot be read as YAML is reported alone.

    """
    place = str(path)
    value, faults = read_document(_read_text(path), place)
    if value is None:
        raise ConfigError(f"{place}: the file is empty; give it project and adapter")
    return _build(value, place, overrides, environ, faults)


def config_from_mapping(
    data: Mapping[str, object],
    overrides: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> RunConfig:
    """Check a configuration given as nested mappings; otherwise as `load_config`."""
    return _build(data, "config", overrides, environ, [])


def _build(
    data: object,
    place: str,
    overrides: Sequence[str],
    environ: Mapping[str, str] | None,
    faults: list[str],
) -> RunConfig:
    if not isinstance(data, Mapping):
        raise ConfigError(
            f"{place}: got {shown_value(data)}; give a mapping (`key: value` lines)"
        )
    variables = Variables(os.environ if environ is None else environ)
    concurrency = variables.max_concurrency()
    overridden = apply_overrides(data, overrides)
    known = [*faults, *overridden.faults, *variables.faults]
    try:
        config = RunConfig.model_validate(overridden.data)
    except ValidationError as error:
        wrong = validation_faults(error, overridden.data)
        found = [
            f"{_origin(path, overridden.paths, place)}: {path}: {problem}"
            for path, problem in wrong.items()
        ]
        raise config_error([*known, *found]) from error
    if known:
        raise config_error(known)
    return config if concurrency is None else _with_concurrency(config, concurrency)


def _with_concurrency(config: RunConfig, concurrency: int) -> RunConfig:
    run = config.run.model_copy(update={"concurrency": concurrency})
    return config.model_copy(update={"run": run})


def _origin(path: str, overridden: Sequence[str], place: str) -> str:
    """Name an override that set the value at `path`, or something under it."""
    at = f"{path}."
    starts = (f"{start}." for start in overridden)
    touched = any(at.startswith(start) or start.startswith(at) for start in starts)
    return "--set" if touched else place


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(
            f"{path}: cannot be read ({reason}); name the config with --config"
        ) from error
    if len(data) > _MAX_BYTES:
        raise ConfigError(
            f"{path}: over 256 KiB, too large for a config; is it a dataset?"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path} line {line}: byte 0x{data[error.start]:02x} is not UTF-8; "
            "save the file as UTF-8"
        ) from error
