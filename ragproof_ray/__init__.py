"""Batch evaluation of retrieval-augmented generation pipelines."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragproof_ray.errors import ConfigError, ExecutionError, RagproofError
    from ragproof_ray.evaluation import Evaluation, evaluate
    from ragproof_ray.metrics import Skip

__version__ = "0.1.0"

__all__ = [
    "ConfigError",
    "Evaluation",
    "ExecutionError",
    "RagproofError",
    "Skip",
    "__version__",
    "evaluate",
]

_HOMES = {
    "ConfigError": "errors",
    "Evaluation": "evaluation",
    "ExecutionError": "errors",
    "RagproofError": "errors",
    "Skip": "metrics",
    "evaluate": "evaluation",
}


def __getattr__(name: str) -> object:
    """Load a public name on first use, so that `--help` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
