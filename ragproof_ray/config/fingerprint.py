"""One hash for everything in a configuration that can change a result."""

import hashlib
import json

from ragproof_ray.config.sections import RunConfig

_WHERE_IT_RUNS = {"workers", "address", "shard_size"}


def config_hash(config: RunConfig) -> str:
    """Return the SHA-256 hex digest of the canonical configuration.

    Canonical: every default filled in, keys sorted, separators `,` and `:`,
    non-ASCII characters as they are, UTF-8. Non-finite numbers are the bare words
    Infinity, -Infinity and NaN, as Python's json writes them. `run.workers`,
    `run.address` and `run.shard_size` are left out: they say where a run happens,
    not what it computes.
    """
    values = config.model_dump(exclude={"run": _WHERE_IT_RUNS})
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # A path from the system may hold bytes that are not UTF-8, as lone surrogates.
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
