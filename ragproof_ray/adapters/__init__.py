"""Adapters: what a pipeline is to the engine, and how one is opened."""

from typing import Protocol

from ragproof_ray.adapters.reply import Answered, ReplyError, Retrieved
from ragproof_ray.adapters.threads import AdapterExitError
from ragproof_ray.config import AdapterSection
from ragproof_ray.errors import ConfigError

__all__ = [
    "Adapter",
    "AdapterExitError",
    "Answered",
    "ReplyError",
    "Retrieved",
    "open_adapter",
]


class Adapter(Protocol):
    """A pipeline as the engine sees it; the caller owns the timeout."""

    supports_retrieve: bool
    supports_answer: bool

    @property
    def stuck(self) -> int:
        """Number of calls that were cancelled and still run."""

    async def retrieve(self, question: str, k: int) -> Retrieved | None:
        """Return the chunks in rank order; None means that nothing is retrievable."""

    async def answer(self, question: str) -> Answered:
        """Return the answer; its text is None when the pipeline gave none."""

    async def aclose(self) -> None:
        """Release what the adapter holds."""


async def open_adapter(config: AdapterSection) -> Adapter:
    """Build the adapter that the config names.

    Raises `ConfigError` when the user's pipeline cannot be imported or built.
    """
    if config.type != "python":
        raise ConfigError(
            f"adapter.type {config.type}: HTTP pipelines are not available in this"
            ' version yet; call the service from a Python adapter (type: "python")'
        )
    from ragproof_ray.adapters.loading import load_pipeline
    from ragproof_ray.adapters.python import PythonAdapter

    return PythonAdapter(await load_pipeline(config.target or ""))
