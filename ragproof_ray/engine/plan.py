"""What the driver tells its workers, and what comes back: small, picklable records."""

from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from ragproof_ray.config import AdapterSection
from ragproof_ray.engine.ordinals import Ranges
from ragproof_ray.metrics import ScoringParams

# How long a cancelled call may tidy up before it is given up, and how long the calls
# in flight may go on when a run is stopping.
GRACE_S = 5.0


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What every shard of a launch has in common; holds no secret."""

    store: str
    run_id: str
    launch: str
    launched_at: float  # seconds since the epoch; paces the flushes
    dataset_hash: str
    content_hash: str
    adapter: AdapterSection
    scoring: ScoringParams
    user_metrics: tuple[str, ...]
    case_timeout_s: float
    store_context: bool
    grace_s: float = GRACE_S
    late_from_s: float = 5.0  # calls in flight for less are never reported as late


@dataclass(frozen=True, slots=True)
class Shard:
    """A list of cases given to one attempt.

    Attributes:
        cases: the ordinals.
        attempt_no: counts the attempts of a launch; of equal rows the later wins.
        attempt_id: unique; names the attempt's parts.
        concurrency: adapter calls that this attempt may have in flight.
    """

    cases: Ranges
    attempt_no: int
    attempt_id: str
    concurrency: int


class Late(NamedTuple):
    """A call in flight for longer than expected."""

    age_s: float
    case_id: str
    stage: str  # retrieve or answer


@dataclass(slots=True)
class Progress:
    """How far a shard or a run is, in absolute numbers.

    Attributes:
        done: finished cases, failed ones included.
        failed: cases whose adapter call failed or timed out.
        stuck: calls that were given up and have not returned.
        late: the oldest call in flight, when it takes longer than expected.
    """

    done: int = 0
    failed: int = 0
    stuck: int = 0
    late: Late | None = None

    def __add__(self, other: "Progress") -> "Progress":
        return Progress(
            self.done + other.done,
            self.failed + other.failed,
            self.stuck + other.stuck,
            max(filter(None, (self.late, other.late)), default=None),
        )


class Control(Protocol):
    """What a shard asks of whoever runs it."""

    @property
    def stopping(self) -> bool:
        """True when no further case may start."""

    @property
    def interval_s(self) -> float:
        """Seconds between two calls of `beat`."""

    def started(self, ordinal: int) -> None:
        """Note that a case is about to enter the adapter."""

    def ended(self, ordinal: int) -> None:
        """Note that a case has left the adapter."""

    async def beat(self, progress: Progress) -> None:
        """Pass on the shard's progress."""


class Monitor(Protocol):
    """The driver's side: asked and told about twice a second by an executor."""

    @property
    def stopping(self) -> bool:
        """True when the run is to end early."""

    def show(self, progress: Progress) -> None:
        """Take note of the progress of this launch."""


class Executor(Protocol):
    """Where a launch runs: entered once, then asked to evaluate cases."""

    @property
    def workers(self) -> int:
        """Ray workers, 0 for none; known once entered."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    def execute(self, plan: LaunchPlan, todo: Ranges, monitor: Monitor) -> Progress:
        """Evaluate the given cases; returns early when the monitor is stopping.

        Raises:
            ExecutionError: the evaluation cannot go on.
        """
