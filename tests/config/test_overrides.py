import pytest

from ragproof_ray.config import config_from_mapping
from ragproof_ray.errors import ConfigError

BASE = {
    "project": "p",
    "adapter": {"type": "python", "target": "app:Pipeline"},
    "run": {"k": 3, "concurrency": 2},
    "metrics": ["my.module:brevity"],
}


def override(*overrides):
    return config_from_mapping(BASE, overrides, {})


def refusal(*overrides):
    with pytest.raises(ConfigError) as caught:
        override(*overrides)
    return str(caught.value)


def test_an_override_replaces_one_key_and_keeps_its_neighbours():
    run = override("run.k=10").run

    assert (run.k, run.concurrency) == (10, 2)


@pytest.mark.parametrize(
    ("text", "read", "expected"),
    [
        ("dataset=cases.jsonl", lambda c: c.dataset, "cases.jsonl"),
        ("dataset=", lambda c: c.dataset, None),
        ('project="5"', lambda c: c.project, "5"),
        ("adapter.target=app:Other", lambda c: c.adapter.target, "app:Other"),
        ("run.case_timeout_seconds=.inf", lambda c: c.run.case_timeout_seconds, 1e999),
        ("metrics=[a.b, c.d]", lambda c: c.metrics, ("a.b", "c.d")),
        ("gate={seed: 7}", lambda c: c.gate.seed, 7),
        (" run.k = 4", lambda c: c.run.k, 4),
        ("dataset=a=b", lambda c: c.dataset, "a=b"),
    ],
)
def test_the_value_of_an_override_is_yaml(text, read, expected):
    assert read(override(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "gate.thresholds.retrieval.mrr.min=0.5",
        "gate.thresholds.retrieval.mrr={min: 0.5}",
        "gate.thresholds={retrieval.mrr: {min: 0.5}}",
    ],
)
def test_the_dots_of_a_metric_name_belong_to_the_name(text):
    thresholds = override(text).gate.thresholds

    assert {name: limits.min for name, limits in thresholds.items()} == {
        "retrieval.mrr": 0.5
    }


def test_the_last_override_of_a_key_wins():
    assert override("run.k=1", "run.k=2").run.k == 2


def test_the_callers_mapping_stays_as_it_was():
    override("run.k=10", "gate.seed=1")

    assert BASE["run"] == {"k": 3, "concurrency": 2}
    assert "gate" not in BASE


def test_an_override_counts_as_set():
    assert "shard_size" in override("run.shard_size=null").run.model_fields_set


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("run.k", "--set 'run.k': write it as --set run.k=10"),
        ("=3", "--set '=3': write it as --set run.k=10"),
        ("", "--set '': write it as --set run.k=10"),
        ("run..k=3", "--set 'run..k=3': write it as --set run.k=10"),
        ("run.kk=3", "--set: run.kk: unknown key; did you mean 'k'?"),
        ("run.k=0", "--set: run.k: got 0; give a number >= 1"),
        ("project=5", "--set: project: got 5; give text (in quotes)"),
        (
            "run.k.x=3",
            "--set run.k.x: run.k is 3, not a mapping; set it as a whole",
        ),
        (
            "metrics.0=a.b",
            "--set metrics.0: metrics is a list, not a mapping; set it as a whole",
        ),
        (
            "gate.thresholds.retrieval.mrr.mni=1",
            "--set: gate.thresholds.retrieval.mrr.mni: unknown key; did you mean 'min'?",
        ),
        (
            "gate={seed: 1, seed: 2}",
            "--set gate line 1: key 'seed' is already on line 1; keep one",
        ),
    ],
)
def test_a_bad_override_is_named(text, mistake):
    assert refusal(text) == mistake


def test_an_override_that_is_not_yaml_is_placed():
    assert refusal("run.k=[").startswith("--set run.k line 1 column 2: not valid YAML")


def test_bad_overrides_are_reported_with_the_mistakes_of_the_config():
    with pytest.raises(ConfigError) as caught:
        config_from_mapping(BASE | {"stor": "x"}, ["run.k", "run.workers=x"], {})

    assert str(caught.value) == (
        "3 mistakes in the configuration:\n"
        "  --set 'run.k': write it as --set run.k=10\n"
        "  --set: run.workers: got 'x'; give 'auto' or a whole number\n"
        "  config: stor: unknown key; did you mean 'store'?"
    )
