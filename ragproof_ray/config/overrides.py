"""`--set a.b=value`: single keys from the command line over those of the file."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragproof_ray.config.document import read_document
from ragproof_ray.config.faults import shown_value
from ragproof_ray.errors import ConfigError


class Overridden(NamedTuple):
    """A configuration after its overrides."""

    data: dict[str, object]
    paths: list[str]  # dotted, of the overrides that took effect
    faults: list[str]


def apply_overrides(data: Mapping[str, object], overrides: Sequence[str]) -> Overridden:
    """Return a copy of `data` with each override set; the last one of a path wins.

    Values are YAML: `--set run.k=10`, `--set 'metrics=[my.module:brevity]'`,
    `--set dataset=` for null. Whether a path exists is left to the validation.
    """
    result = Overridden(dict(data), [], [])
    for override in overrides:
        path, separator, text = override.partition("=")
        path = path.strip()
        if not separator or not all(path.split(".")):
            problem = f"--set {shown_value(override)}: write it as --set run.k=10"
            result.faults.append(problem)
            continue
        try:
            value, faults = read_document(text, f"--set {path}")
            _set(result.data, _keys(path, value), value)
        except ConfigError as error:
            result.faults.append(str(error))
        else:
            result.paths.append(path)
            result.faults.extend(faults)
    return result


def _keys(path: str, value: object) -> list[str]:
    """Split a path; the dots in a metric's name belong to the name."""
    keys = path.split(".")
    if keys[:2] != ["gate", "thresholds"] or not keys[3:]:
        return keys
    if isinstance(value, Mapping):
        return [*keys[:2], ".".join(keys[2:])]
    return [*keys[:2], ".".join(keys[2:-1]), keys[-1]]


def _set(tree: dict[str, object], keys: Sequence[str], value: object) -> None:
    """Set a value in `tree`, copying the mappings on the way: they are the caller's."""
    for depth, key in enumerate(keys[:-1], start=1):
        below = tree.get(key)
        if below is not None and not isinstance(below, Mapping):
            raise ConfigError(
                f"--set {'.'.join(keys)}: {'.'.join(keys[:depth])} is "
                f"{shown_value(below)}, not a mapping; set it as a whole"
            )
        tree[key] = branch = dict(below or {})
        tree = branch
    tree[keys[-1]] = value
