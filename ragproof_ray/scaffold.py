"""Lays the quickstart down in a folder of the user's, for `init`.

Knows the quickstart's files and nothing of what they say, but for their own paths.
"""

import os
from pathlib import Path

from ragproof_ray.errors import ConfigError

_FILES = ("ragproof.yaml", "pipeline.py", "dataset.jsonl")
_PACKAGE = Path(__file__).parent
# A wheel carries the files inside the package, a checkout beside it.
_PLACES = (_PACKAGE / "quickstart", _PACKAGE.parent / "configs" / "quickstart")
# In a checkout the quickstart runs from the root, in the user's folder from there.
_PREFIXES = ("configs/quickstart/", "configs.quickstart.")


def lay_down(target: Path) -> list[Path]:
    """Write the quickstart into `target` and return the files, config first.

    The folder is created with its parents. `ragproof-ray run` works from inside it.
    A `ConfigError` names every file that is in the way, before anything is written,
    or the folder that cannot be written.
    """
    texts = {target / name: _own_text(name) for name in _FILES}
    if taken := [str(path) for path in texts if os.path.lexists(path)]:
        raise ConfigError(
            f"{', '.join(taken)}: already there; move the files away or choose another folder"
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise ConfigError(
            f"{target}: the quickstart cannot be written here ({error.strerror}); "
            "choose another folder"
        ) from error
    return list(texts)


def _own_text(name: str) -> str:
    """Return a file's text with its paths relative to its own folder."""
    text = (_source() / name).read_text(encoding="utf-8")
    for prefix in _PREFIXES:
        text = text.replace(prefix, "")
    return text


def _source() -> Path:
    """Return the folder of this installation that holds the quickstart."""
    for place in _PLACES:
        if place.is_dir():
            return place
    raise ConfigError(
        f"{_PLACES[0]}: the quickstart is missing from this installation; reinstall ragproof-ray"
    )
