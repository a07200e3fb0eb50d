"""The program: `ragproof-ray`, `ragproof` and `python -m ragproof_ray`."""

import gc
import os
import sys
import threading
import time
from typing import NoReturn

from ragproof_ray.cli import main

_LINGER_S = 5.0


def start() -> NoReturn:
    """Run one command and end the process with its exit code."""
    code = main()
    if "ragproof_ray.engine.cluster" in sys.modules:
        _leave_ray(code)
    threading.Thread(target=_end_anyway, args=(code,), daemon=True).start()
    # Nothing is left to collect that matters, and the last collection takes 0.1 s.
    gc.freeze()
    sys.exit(code)


def _leave_ray(code: int) -> None:
    """End at once when Ray has not: its threads crash in an exit in good order."""
    from ragproof_ray.engine.private_ray import sweep_own
    from ragproof_ray.engine.processes import is_held

    if is_held():
        sweep_own()
        os._exit(code)


def _end_anyway(code: int) -> None:
    """End the process though something keeps it from its own end.

    Python waits at its exit for the threads of the pipeline's own pools, also for one
    that holds a call without end; all output has been written by then.
    """
    time.sleep(_LINGER_S)
    os._exit(code)


if __name__ == "__main__":
    start()
