"""The keys of a configuration with their types, defaults and limits.

Unknown keys are refused at every level. Numbers written as text, whole floats and
booleans are taken as integers (`"5"`, `5.0`, `true`); nothing else is converted.
"""

from pathlib import PurePath
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

MAX_COUNT = 2**31 - 1

Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]


class _Section(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        ser_json_inf_nan="strings",
    )


class RunSection(_Section):
    """How the cases are run: `run`."""

    k: Count = 5
    concurrency: Count = 4
    """Adapter calls in flight over the whole run, all workers together."""
    case_timeout_seconds: Annotated[float, Field(gt=0)] = 60.0
    """For one case, retrieve and answer together; infinity is no limit."""
    source_match: Literal["chunk", "document"] = "chunk"
    workers: Literal["auto"] | Annotated[int, Field(ge=0, le=MAX_COUNT)] = "auto"
    """0 runs in this process, N on N local Ray workers."""
    address: str | None = None
    """Of a Ray cluster to join."""
    shard_size: Count | None = None
    """Cases per shard; null lets the engine choose."""
    store_context: bool = True
    """Keep the texts of chunks, so that a run can be scored again."""
    case_attempts: Count = 2
    """Times a case is tried when its worker dies."""


class HttpRequestConfig(_Section):
    """One HTTP request; strings inside `body` are templates."""

    url: str
    method: str = "POST"
    headers: dict[str, str] = {}
    body: JsonValue = None


class ChunkFields(_Section):
    """JSONPaths from one chunk of a reply to its parts."""

    id: str = "id"
    text: str = "text"
    score: str | None = "score"


class HttpRetrieveConfig(_Section):
    """The retrieve endpoint: `adapter.http.retrieve`."""

    request: HttpRequestConfig
    chunks_path: str
    chunk_fields: ChunkFields = ChunkFields()


class HttpAnswerConfig(_Section):
    """The answer endpoint: `adapter.http.answer`."""

    request: HttpRequestConfig
    answer_path: str
    citations_path: str | None = None
    chunks_path: str | None = None
    chunk_fields: ChunkFields = ChunkFields()


class HttpAdapterConfig(_Section):
    """A pipeline behind HTTP: `adapter.http`.

    That one of `retrieve` and `answer` is there is checked when the adapter is built.
    """

    name: str = "http"
    timeout_seconds: float = 30.0
    """For one request."""
    max_attempts: Count = 3
    retrieve: HttpRetrieveConfig | None = None
    answer: HttpAnswerConfig | None = None


class AdapterSection(_Section):
    """How the pipeline under test is reached: `adapter`."""

    type: Literal["python", "http"]
    target: str | None = None
    """`module:attribute`, for type python."""
    http: HttpAdapterConfig | None = None
    """For type http."""

    @model_validator(mode="after")
    def _has_what_its_type_needs(self) -> Self:
        if self.type == "python" and not self.target:
            raise ValueError('type python needs "target"; give it `module:attribute`')
        if self.type == "http" and self.http is None:
            raise ValueError('type http needs "http"; give it the endpoints')
        return self


class MetricThreshold(_Section):
    """What the gate asks of one metric: `gate.thresholds.<metric>`."""

    min: float | None = None
    max_drop: Annotated[float, Field(ge=0)] | None = None
    noise_floor: Annotated[float, Field(ge=0)] = 0.0


class GateSection(_Section):
    """When a run is good enough: `gate`."""

    baseline: str | None = None
    on_missing: Literal["fail", "skip"] = "fail"
    min_samples: Count = 30
    bootstrap_samples: Annotated[int, Field(ge=100, le=MAX_COUNT)] = 1000
    seed: int = 1234
    thresholds: dict[str, MetricThreshold] = {}
    """By metric name; the names are not checked here."""


class RunConfig(_Section):
    """A whole configuration, every default filled in.

    `model_fields_set` of a section tells what was set; RAGPROOF_MAX_CONCURRENCY
    counts as setting `run.concurrency`.
    """

    project: str
    dataset: str | None = None
    """Relative to the working directory."""
    store: Annotated[str, Field(min_length=1)] = ".ragproof/ragproof.db"
    run: RunSection = RunSection()
    adapter: AdapterSection
    gate: GateSection = GateSection()
    metrics: tuple[str, ...] = ()
    """Import paths of the user's own metrics, added to the built-in ones."""


def store_folder(config: RunConfig) -> str:
    """Return the folder or URI of the store.

    `a/b.db`, the name of a database file in older configs, means the folder `a/b`.
    URIs (`s3://...`, `file:///...`) are returned as they are.
    """
    path = PurePath(config.store)
    if "://" in config.store or path.suffix.lower() != ".db":
        return config.store
    return str(path.with_suffix(""))
