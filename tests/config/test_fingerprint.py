import hashlib
import json

import pytest

from ragproof_ray.config import config_from_mapping, config_hash

BASE = {
    "project": "é",
    "adapter": {"type": "python", "target": "app:Pipeline"},
    "run": {"case_timeout_seconds": float("inf")},
}
CANONICAL: dict[str, object] = {
    "project": "é",
    "dataset": None,
    "store": ".ragproof/ragproof.db",
    "run": {
        "k": 5,
        "concurrency": 4,
        "case_timeout_seconds": float("inf"),
        "source_match": "chunk",
        "store_context": True,
        "case_attempts": 2,
    },
    "adapter": {"type": "python", "target": "app:Pipeline", "http": None},
    "gate": {
        "baseline": None,
        "on_missing": "fail",
        "min_samples": 30,
        "bootstrap_samples": 1000,
        "seed": 1234,
        "thresholds": {},
    },
    "metrics": [],
}


def fingerprint(*overrides, environ=None):
    return config_hash(config_from_mapping(BASE, overrides, environ or {}))


def test_the_hash_is_of_the_canonical_configuration():
    text = json.dumps(
        CANONICAL, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )

    assert '"case_timeout_seconds":Infinity' in text
    assert fingerprint() == hashlib.sha256(text.encode("utf-8")).hexdigest()


@pytest.mark.parametrize(
    "override",
    ["run.workers=8", "run.address=ray://head:10001", "run.shard_size=100"],
)
def test_where_a_run_happens_is_not_in_the_hash(override):
    assert fingerprint(override) == fingerprint()


@pytest.mark.parametrize(
    "override",
    ["run.k=6", "dataset=x", "metrics=[a.b]", "run.store_context=false", "gate.seed=1"],
)
def test_what_a_run_computes_is_in_the_hash(override):
    assert fingerprint(override) != fingerprint()


def test_a_default_written_out_changes_nothing():
    assert fingerprint("run.k=5", "gate={}") == fingerprint()


def test_max_concurrency_of_the_environment_is_in_the_hash():
    environ = {"RAGPROOF_MAX_CONCURRENCY": "9"}

    assert fingerprint(environ=environ) == fingerprint("run.concurrency=9")


def test_a_path_that_is_not_utf8_has_a_hash():
    config = config_from_mapping(BASE | {"dataset": "a\udcff"}, (), {})

    assert len(config_hash(config)) == 64
