"""From `adapter.target` to the user's pipeline: imported, found, built.

Whatever goes wrong here is a `ConfigError` that carries the user's own exception
as text, without a traceback.
"""

import difflib
import importlib
import inspect
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ragproof_ray.adapters.python import contained, has_methods, is_ctrl_c
from ragproof_ray.adapters.threads import AdapterExitError, exception_text
from ragproof_ray.errors import ConfigError
from ragproof_ray.redaction import redact

T = TypeVar("T")

_SHOWN_NAMES = 5


class _Target(NamedTuple):
    module: str
    attribute: str

    def fault(self, what: str) -> ConfigError:
        return ConfigError(
            redact(f'adapter.target "{self.module}:{self.attribute}": {what}')
        )


async def load_pipeline(target: str) -> Any:
    """Return the object with `retrieve` or `answer` that `module:attribute` names.

    The working directory is put on `sys.path`. A dotted attribute is followed. A
    class, a function, or another callable without these methods is called without
    arguments; what it returns is awaited if need be.
    """
    module, _, attribute = target.partition(":")
    if not (module and attribute):
        raise ConfigError(
            f'adapter.target "{target}" is not of the form "module:attribute"; write'
            ' for example "my_rag:Pipeline"'
        )
    parts = _Target(module, attribute)
    found = await _step(parts, "importing", _found(parts))
    return await _step(parts, "building", _built(parts, found))


def preload(target: str) -> None:
    """Import the pipeline's module in this thread, if that goes well.

    Some modules can be imported in the main thread only, as those that install
    signal handlers. A failure is left to `load_pipeline`, which explains it.
    """
    _search_working_directory()
    try:
        importlib.import_module(target.partition(":")[0])
    except BaseException as error:
        if is_ctrl_c(error):
            raise


async def _step(target: _Target, verb: str, work: Awaitable[T]) -> T:
    try:
        return await contained(work)
    except ConfigError:
        raise
    except Exception as error:
        text = (
            error.text if isinstance(error, AdapterExitError) else exception_text(error)
        )
        raise target.fault(
            f"{verb} it raised {text}; correct the pipeline or the target"
        ) from error


async def _found(target: _Target) -> Any:
    _search_working_directory()
    try:
        found: Any = importlib.import_module(target.module)
    except ModuleNotFoundError as error:
        if not f"{target.module}.".startswith(f"{error.name}."):
            raise  # the module exists; something that it imports does not
        raise target.fault(
            f'there is no module "{error.name}"; run from the folder that holds it, or'
            " install it"
        ) from error
    for name in target.attribute.split("."):
        if not hasattr(found, name):
            raise target.fault(_missing_attribute(found, name))
        found = getattr(found, name)
    return found


def _search_working_directory() -> None:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)


def _missing_attribute(owner: Any, name: str) -> str:
    names = _public_names(owner)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f'did you mean "{near[0]}"?' if near else f"it has {_listed(names)}"
    return f'"{name}" does not exist; {hint}'


async def _built(target: _Target, found: Any) -> Any:
    pipeline = _called(target, found) if _is_factory(found) else found
    if inspect.isawaitable(pipeline) and not has_methods(pipeline):
        pipeline = await pipeline
    if not has_methods(pipeline):
        raise target.fault(
            f"it gives an object of type {type(pipeline).__name__} with neither a"
            f" callable retrieve nor a callable answer (it has {_listed(_public_names(pipeline))}); define"
            " retrieve(question, k), answer(question) or both"
        )
    return pipeline


def _is_factory(found: Any) -> bool:
    is_definition = inspect.isclass(found) or inspect.isfunction(found)
    return is_definition or (callable(found) and not has_methods(found))


def _called(target: _Target, factory: Any) -> Any:
    try:
        return factory()
    except TypeError as error:
        complaint = _unbound_arguments(factory)
        if complaint is None:
            raise
        raise target.fault(
            f"it needs arguments ({complaint}); name a function that takes none and"
            " returns the pipeline"
        ) from error


def _unbound_arguments(factory: Any) -> str | None:
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind()
    except TypeError as error:
        return str(error)
    return None


def _public_names(owner: Any) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_")]


def _listed(names: list[str]) -> str:
    more = ", ..." if len(names) > _SHOWN_NAMES else ""
    return (", ".join(names[:_SHOWN_NAMES]) or "no public names") + more
