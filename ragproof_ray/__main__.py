"""The program: `ragproof-ray`, `ragproof` and `python -m ragproof_ray`."""

import gc
import sys
from typing import NoReturn

from ragproof_ray.cli import main


def start() -> NoReturn:
    """Run one command and end the process with its exit code."""
    code = main()
    # Nothing is left to collect that matters, and the last collection takes 0.1 s.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    start()
