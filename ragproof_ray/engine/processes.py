"""Small questions to the operating system, and work that may never end."""

import os
import threading
from collections.abc import Callable


def is_gone(pid: int) -> bool:
    """Tell whether no process of this host has an id any more."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


_unfinished: list[threading.Thread] = []


def is_held() -> bool:
    """Tell whether work that was not waited for still goes on.

    Foreign code in the middle of it may crash when the interpreter is taken down.
    """
    return any(thread.is_alive() for thread in _unfinished)


def finished_within(limit_s: float, work: Callable[[], None]) -> bool:
    """Do something in a daemon thread; return False when it is not done in time.

    What it raises is raised here.
    """
    faults: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised in the caller's thread
            faults.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(limit_s)
    if faults:
        raise faults[0]
    if thread.is_alive():
        _unfinished.append(thread)
    return not thread.is_alive()
