import pickle

import pytest
from pydantic import ValidationError

from ragproof_ray.config import RunConfig, config_from_mapping, store_folder
from ragproof_ray.errors import ConfigError

REQUEST = {"url": "http://localhost/ask"}
HTTP = {"type": "http", "http": {"answer": {"request": REQUEST, "answer_path": "a"}}}


def read(**keys):
    adapter = {"type": "python", "target": "app:Pipeline"}
    return config_from_mapping({"project": "p", "adapter": adapter} | keys, (), {})


def http(part):
    return read(adapter={"type": "http", "http": part}).adapter.http


def test_every_default_is_filled_in():
    config = read()

    assert config.model_dump() == {
        "project": "p",
        "dataset": None,
        "store": ".ragproof/ragproof.db",
        "run": {
            "k": 5,
            "concurrency": 4,
            "case_timeout_seconds": 60.0,
            "source_match": "chunk",
            "workers": "auto",
            "address": None,
            "shard_size": None,
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
        "metrics": (),
    }


def test_an_http_section_fills_in_its_defaults():
    part = http(
        {
            "retrieve": {"request": REQUEST, "chunks_path": "chunks"},
            "answer": {"request": REQUEST, "answer_path": "answer"},
        }
    )
    request: dict[str, object] = {"method": "POST", "headers": {}, "body": None}
    fields = {"id": "id", "text": "text", "score": "score"}

    assert part.model_dump() == {
        "name": "http",
        "timeout_seconds": 30.0,
        "max_attempts": 3,
        "retrieve": {
            "request": REQUEST | request,
            "chunks_path": "chunks",
            "chunk_fields": fields,
        },
        "answer": {
            "request": REQUEST | request,
            "answer_path": "answer",
            "citations_path": None,
            "chunks_path": None,
            "chunk_fields": fields,
        },
    }


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("k", "5", 5),
        ("k", 5.0, 5),
        ("k", True, 1),
        ("k", 1, 1),
        ("concurrency", " 8 ", 8),
        ("case_timeout_seconds", 1, 1.0),
        ("case_timeout_seconds", "1e3", 1000.0),
        ("case_timeout_seconds", float("inf"), float("inf")),
        ("source_match", "document", "document"),
        ("workers", "auto", "auto"),
        ("workers", 0, 0),
        ("workers", "2", 2),
        ("address", "auto", "auto"),
        ("address", None, None),
        ("shard_size", 1, 1),
        ("shard_size", None, None),
        ("store_context", False, False),
        ("case_attempts", 1, 1),
    ],
)
def test_a_run_key_accepts(key, value, expected):
    accepted = getattr(read(run={key: value}).run, key)

    assert accepted == expected
    assert type(accepted) is type(expected)


@pytest.mark.parametrize(
    ("section", "mistake"),
    [
        ({"k": 0}, "run.k: got 0; give a number >= 1"),
        ({"k": 5.5}, "run.k: got 5.5; give a whole number"),
        ({"k": "five"}, "run.k: got 'five'; give a whole number"),
        ({"k": None}, "run.k: got null; give a whole number"),
        ({"k": [5]}, "run.k: got a list; give a whole number"),
        ({"k": 2**31}, "run.k: got 2147483648; give a number <= 2147483647"),
        ({"concurrency": False}, "run.concurrency: got false; give a number >= 1"),
        (
            {"case_timeout_seconds": 0},
            "run.case_timeout_seconds: got 0; give a number > 0",
        ),
        (
            {"case_timeout_seconds": float("nan")},
            "run.case_timeout_seconds: got nan; give a number > 0",
        ),
        (
            {"source_match": "Chunk"},
            "run.source_match: got 'Chunk'; give 'chunk' or 'document'",
        ),
        ({"workers": -1}, "run.workers: got -1; give 'auto' or a number >= 0"),
        ({"workers": "many"}, "run.workers: got 'many'; give 'auto' or a whole number"),
        ({"workers": None}, "run.workers: got null; give 'auto' or a whole number"),
        ({"address": 5}, "run.address: got 5; give text (in quotes)"),
        ({"shard_size": 0}, "run.shard_size: got 0; give a number >= 1"),
        ({"store_context": 5}, "run.store_context: got 5; give true or false"),
        ({"case_attempts": 0}, "run.case_attempts: got 0; give a number >= 1"),
        (None, "run: got null; give a mapping"),
    ],
)
def test_a_run_key_refuses(section, mistake):
    with pytest.raises(ConfigError) as caught:
        read(run=section)

    assert str(caught.value) == f"config: {mistake}"


@pytest.mark.parametrize(
    ("keys", "mistake"),
    [
        ({"project": 5}, "project: got 5; give text (in quotes)"),
        ({"project": True}, "project: got true; give text (in quotes)"),
        ({"project": None}, "project: got null; give text (in quotes)"),
        ({"dataset": 5}, "dataset: got 5; give text (in quotes)"),
        ({"store": None}, "store: got null; give text (in quotes)"),
        ({"store": ""}, "store: got ''; give some text"),
        ({"metrics": "a.b"}, "metrics: got 'a.b'; give a list"),
        ({"metrics": ["a.b", 5]}, "metrics.1: got 5; give text (in quotes)"),
        ({"adapter": {}}, "adapter.type: missing; add it"),
        (
            {"adapter": {"type": "grpc"}},
            "adapter.type: got 'grpc'; give 'python' or 'http'",
        ),
        (
            {"adapter": {"type": "python"}},
            'adapter: type python needs "target"; give it `module:attribute`',
        ),
        (
            {"adapter": {"type": "python", "target": ""}},
            'adapter: type python needs "target"; give it `module:attribute`',
        ),
        (
            {"adapter": {"type": "http", "target": "a:b"}},
            'adapter: type http needs "http"; give it the endpoints',
        ),
    ],
)
def test_a_top_level_key_refuses(keys, mistake):
    with pytest.raises(ConfigError) as caught:
        read(**keys)

    assert str(caught.value) == f"config: {mistake}"


@pytest.mark.parametrize(
    "keys",
    [
        {"project": ""},
        {"dataset": None},
        {"dataset": "cases.jsonl"},
        {"store": "s3://bucket/runs"},
        {"metrics": ["my.module:brevity", "my.module.length"]},
        {"adapter": {"type": "http", "http": {}}},
        {"adapter": {"type": "python", "target": "a:b", "http": {}}},
        {"adapter": HTTP | {"target": "a:b"}},
    ],
)
def test_a_top_level_key_accepts(keys):
    assert isinstance(read(**keys), RunConfig)


@pytest.mark.parametrize("body", ["{question}", 5, True, None, [1, {"k": ["{k}"]}]])
def test_an_http_body_is_any_json(body):
    part = http({"retrieve": {"request": REQUEST | {"body": body}, "chunks_path": "c"}})

    assert part.retrieve.request.body == body


@pytest.mark.parametrize(
    "part",
    [
        {"timeout_seconds": -1},
        {"timeout_seconds": float("nan")},
        {"answer": {"request": REQUEST | {"method": "odd"}, "answer_path": "$$["}},
        {
            "retrieve": {
                "request": REQUEST | {"headers": {"A": "env:TOKEN"}},
                "chunks_path": "c",
                "chunk_fields": {"score": None},
            }
        },
    ],
)
def test_an_http_key_accepts(part):
    assert http(part)


@pytest.mark.parametrize(
    ("part", "mistake"),
    [
        ({"max_attempts": 0}, "max_attempts: got 0; give a number >= 1"),
        ({"name": 5}, "name: got 5; give text (in quotes)"),
        (
            {"retrieve": {"request": REQUEST}},
            "retrieve.chunks_path: missing; add it",
        ),
        ({"answer": {"answer_path": "a"}}, "answer.request: missing; add it"),
        (
            {"answer": {"request": REQUEST, "answer_path": None}},
            "answer.answer_path: got null; give text (in quotes)",
        ),
        (
            {"answer": {"request": {"url": "u", "headers": {"A": 5}}}},
            "answer.request.headers.A: got 5; give text (in quotes)",
        ),
        (
            {"answer": {"request": {"url": "u", "body": {"a": [{1: 2}]}}}},
            "answer.request.body.a.0.1: got 1; give text (in quotes)",
        ),
        (
            {"answer": {"request": {"url": "u", "body": [b"x"]}}},
            "answer.request.body.0: got b'x'; give a JSON value",
        ),
    ],
)
def test_an_http_key_refuses(part, mistake):
    with pytest.raises(ConfigError) as caught:
        http(part)

    assert f"config: adapter.http.{mistake}" in str(caught.value)


@pytest.mark.parametrize(
    "section",
    [
        {"seed": -1},
        {"bootstrap_samples": 100},
        {"on_missing": "skip", "baseline": "latest"},
        {"thresholds": {"any.name": {}}},
        {"thresholds": {"m": {"min": float("nan"), "max_drop": 0, "noise_floor": 0}}},
        {"thresholds": {"m": {"min": "0.5", "max_drop": None}}},
    ],
)
def test_a_gate_key_accepts(section):
    assert read(gate=section)


@pytest.mark.parametrize(
    ("section", "mistake"),
    [
        ({"baseline": 5}, "baseline: got 5; give text (in quotes)"),
        ({"on_missing": "warn"}, "on_missing: got 'warn'; give 'fail' or 'skip'"),
        ({"min_samples": 0}, "min_samples: got 0; give a number >= 1"),
        ({"bootstrap_samples": 99}, "bootstrap_samples: got 99; give a number >= 100"),
        ({"seed": "1e3"}, "seed: got '1e3'; give a whole number"),
        ({"thresholds": {"m": None}}, "thresholds.m: got null; give a mapping"),
        ({"thresholds": {5: {}}}, "thresholds.5: got 5; give text (in quotes)"),
        (
            {"thresholds": {"retrieval.mrr": {"max_drop": -0.1}}},
            "thresholds.retrieval.mrr.max_drop: got -0.1; give a number >= 0",
        ),
        (
            {"thresholds": {"m": {"max_drop": float("nan")}}},
            "thresholds.m.max_drop: got nan; give a number >= 0",
        ),
        (
            {"thresholds": {"m": {"noise_floor": None}}},
            "thresholds.m.noise_floor: got null; give a number",
        ),
    ],
)
def test_a_gate_key_refuses(section, mistake):
    with pytest.raises(ConfigError) as caught:
        read(gate=section)

    assert str(caught.value) == f"config: gate.{mistake}"


@pytest.mark.parametrize(
    ("store", "folder"),
    [
        (".ragproof/ragproof.db", ".ragproof/ragproof"),
        ("a/b.db", "a/b"),
        ("/abs/b.DB", "/abs/b"),
        ("a/b", "a/b"),
        ("a/b.sqlite", "a/b.sqlite"),
        ("a/.db", "a/.db"),
        ("s3://bucket/b.db", "s3://bucket/b.db"),
        ("file:///data/runs", "file:///data/runs"),
    ],
)
def test_a_database_file_as_store_means_the_folder_of_its_stem(store, folder):
    assert store_folder(read(store=store)) == folder


def test_a_config_survives_pickling_with_what_was_set():
    config = read(run={"concurrency": 9})
    copy = pickle.loads(pickle.dumps(config))  # our own bytes

    assert copy == config
    assert copy.run.model_fields_set == {"concurrency"}


def test_a_config_cannot_be_changed_in_place():
    config = read()

    with pytest.raises(ValidationError):
        config.project = "other"
