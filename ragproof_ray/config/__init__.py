"""What a run is told: the config file, `--set` overrides and the environment.

Needs only pydantic and PyYAML, so that a mistake shows at once.
"""

from ragproof_ray.config.environment import Environment, read_environment
from ragproof_ray.config.fingerprint import config_hash
from ragproof_ray.config.loading import config_from_mapping, load_config
from ragproof_ray.config.sections import (
    AdapterSection,
    ChunkFields,
    GateSection,
    HttpAdapterConfig,
    HttpAnswerConfig,
    HttpRequestConfig,
    HttpRetrieveConfig,
    MetricThreshold,
    RunConfig,
    RunSection,
    store_folder,
)

__all__ = [
    "AdapterSection",
    "ChunkFields",
    "Environment",
    "GateSection",
    "HttpAdapterConfig",
    "HttpAnswerConfig",
    "HttpRequestConfig",
    "HttpRetrieveConfig",
    "MetricThreshold",
    "RunConfig",
    "RunSection",
    "config_from_mapping",
    "config_hash",
    "load_config",
    "read_environment",
    "store_folder",
]
