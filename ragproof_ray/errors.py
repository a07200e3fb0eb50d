"""The error tree, and the exit code each branch means.

RagproofError
├── ConfigError       the user can fix it before anything runs; exit 3
│   └── DatasetError  a dataset line is at fault; exit 3
├── ExecutionError    the run stops; exit 2
│   └── StoreError    the store cannot be read or written; exit 2
└── CaseError         recorded as that case's failure; the run goes on

KeyboardInterrupt
└── StoppedBySignal   exit 130, 143 or 129
"""

EXIT_OK = 0
EXIT_GATE_FAILED = 1
EXIT_EXECUTION = 2
EXIT_CONFIG = 3
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143


class RagproofError(Exception):
    """Root of every error raised on purpose; its text is for the user.

    Subclasses take positional arguments only, so that they survive pickling on
    their way out of a worker process.
    """

    exit_code = EXIT_EXECUTION


class ConfigError(RagproofError):
    """The user's input is wrong: configuration, environment, adapter or dataset."""

    exit_code = EXIT_CONFIG


class DatasetError(ConfigError):
    """One or more lines of a dataset cannot be used; names file and line."""


class ExecutionError(RagproofError):
    """The run cannot go on."""


class StoreError(ExecutionError):
    """The store cannot be read or written."""


class StoppedBySignal(KeyboardInterrupt):
    """A signal ended what was going on; exits with 128 and its number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


class CaseError(RagproofError):
    """One case failed; becomes a failure record, never ends the run."""
