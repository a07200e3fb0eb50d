"""Which cases an attempt has in flight, in a file that outlives its process.

A line when a case enters the adapter and one when it leaves it, in one write each and
without fsync: enough against the death of a process, which is what it is read after.
"""

import os
import struct
from pathlib import Path

_LINE = struct.Struct("<I?")


class AttemptLog:
    """The log of one attempt, on the disk of its node."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)

    def started(self, ordinal: int) -> None:
        """Note that a case enters the adapter."""
        os.write(self._file, _LINE.pack(ordinal, True))

    def ended(self, ordinal: int) -> None:
        """Note that a case has left the adapter."""
        os.write(self._file, _LINE.pack(ordinal, False))

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def suspects(path: str) -> list[int]:
    """Return the cases that an attempt started and did not end.

    Empty when there is no such log on this node. A torn last line is ignored.
    """
    try:
        lines = Path(path).read_bytes()
    except FileNotFoundError:
        return []
    whole = len(lines) - len(lines) % _LINE.size
    inside = dict[int, bool](_LINE.iter_unpack(lines[:whole]))
    return [ordinal for ordinal, is_inside in inside.items() if is_inside]
