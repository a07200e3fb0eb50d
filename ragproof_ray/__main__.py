"""`python -m ragproof_ray`."""

import sys

from ragproof_ray.cli import main

sys.exit(main())
