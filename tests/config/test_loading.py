import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragproof_ray.config import RunConfig, config_from_mapping, config_hash, load_config
from ragproof_ray.errors import ConfigError

ADAPTER = {"type": "python", "target": "a:b"}
TEXT = "project: p\nadapter: {type: python, target: 'app:Pipeline'}\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("c.yaml")

    def write(content):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refusal(path, *overrides, environ=None):
    with pytest.raises(ConfigError) as caught:
        load_config(path, overrides, environ or {})
    return str(caught.value)


def test_a_file_is_read_and_checked(write):
    config = load_config(write(f"{TEXT}run: {{k: 7}}\n"), ["run.concurrency=3"], {})

    assert (config.project, config.run.k, config.run.concurrency) == ("p", 7, 3)


def test_a_byte_order_mark_is_dropped(write):
    assert load_config(write(b"\xef\xbb\xbf" + TEXT.encode()), (), {}).project == "p"


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "---\n"])
def test_an_empty_file_is_refused(write, text):
    assert refusal(write(text)) == (
        "c.yaml: the file is empty; give it project and adapter"
    )


@pytest.mark.parametrize(
    ("text", "shown"), [("[a]", "a list"), ("word", "'word'"), ("5", "5")]
)
def test_a_root_that_is_no_mapping_is_refused(write, text, shown):
    assert refusal(write(text)) == (
        f"c.yaml: got {shown}; give a mapping (`key: value` lines)"
    )


def test_bytes_that_are_not_utf8_are_placed(write):
    assert refusal(write(b"project: p\nstore: caf\xe9\n")) == (
        "c.yaml line 2: byte 0xe9 is not UTF-8; save the file as UTF-8"
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [("none.yaml", "No such file or directory"), (".", "Is a directory")],
)
def test_a_file_that_cannot_be_read_is_named(write, name, reason):
    write(TEXT)

    assert refusal(Path(name)) == (
        f"{name}: cannot be read ({reason}); name the config with --config"
    )


def test_a_path_with_a_null_byte_is_a_config_error():
    assert "cannot be read" in refusal(Path("a\0b"))


def test_a_file_over_256_kib_is_refused(write):
    assert refusal(write(TEXT + "#" * 256 * 1024)) == (
        "c.yaml: over 256 KiB, too large for a config; is it a dataset?"
    )


def test_mistakes_of_file_overrides_and_environment_come_together(write):
    path = write(f"{TEXT}project: q\nrun: {{k: 0}}\n")
    environ = {"RAGPROOF_MAX_CONCURRENCY": "0"}

    assert refusal(path, "gate", environ=environ) == (
        "4 mistakes in the configuration:\n"
        "  c.yaml line 3: key 'project' is already on line 1; keep one\n"
        "  --set 'gate': write it as --set run.k=10\n"
        "  RAGPROOF_MAX_CONCURRENCY: got '0'; give a whole number >= 1\n"
        "  c.yaml: run.k: got 0; give a number >= 1"
    )


def test_a_duplicate_key_alone_is_refused(write):
    assert refusal(write(f"{TEXT}project: q\n")) == (
        "c.yaml line 3: key 'project' is already on line 1; keep one"
    )


def test_max_concurrency_replaces_file_and_override(write):
    path = write(f"{TEXT}run: {{concurrency: 2}}\n")
    config = load_config(path, ["run.concurrency=3"], {"RAGPROOF_MAX_CONCURRENCY": "9"})

    assert config.run.concurrency == 9
    assert "concurrency" in config.run.model_fields_set


def test_without_max_concurrency_a_default_stays_unset(write):
    assert load_config(write(TEXT), (), {}).run.model_fields_set == set()


def test_max_concurrency_does_not_hide_a_bad_value_of_the_file(write):
    path = write(f"{TEXT}run: {{concurrency: 0}}\n")

    assert "run.concurrency: got 0" in refusal(
        path, environ={"RAGPROOF_MAX_CONCURRENCY": "9"}
    )


def test_the_process_environment_is_the_default(write, monkeypatch):
    monkeypatch.setenv("RAGPROOF_MAX_CONCURRENCY", "9")

    assert load_config(write(TEXT)).run.concurrency == 9


def test_a_mapping_is_checked_like_a_file():
    assert (
        config_from_mapping({"project": "p", "adapter": ADAPTER}, (), {}).project == "p"
    )


def test_the_import_needs_no_engine():
    heavy = "polars, pyarrow, ray, aiohttp, numpy"
    code = (
        "import sys, ragproof_ray.config\n"
        f"loaded = [name for name in '{heavy}'.split(', ') if name in sys.modules]\n"
        "print(loaded)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert result.stdout == "[]\n"


def test_every_key_is_in_the_documentation():
    page = Path(__file__).parents[2] / "docs" / "configuration.md"
    text = page.read_text(encoding="utf-8")
    schema = RunConfig.model_json_schema()
    sections = [schema, *schema["$defs"].values()]
    keys = {key for section in sections for key in section.get("properties", ())}

    assert {key for key in keys if key not in text} == set()


KEYS = st.sampled_from(
    [
        "project",
        "dataset",
        "store",
        "run",
        "adapter",
        "gate",
        "metrics",
        "http",
        "k",
        "type",
        "target",
        "workers",
        "thresholds",
        "min",
        "answer",
        "retrieve",
        "request",
        "body",
        "url",
        "answer_path",
        "chunks_path",
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=3)
    | st.dates()
    | st.sampled_from(["python", "http", "auto", "a:b"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS | SCALARS, inner, max_size=5)
    ),
    max_leaves=20,
)


def hash_or_refusal(data, overrides=()):
    try:
        return config_hash(config_from_mapping(data, overrides, {}))
    except ConfigError as error:
        return error


@given(st.dictionaries(KEYS | SCALARS, VALUES, max_size=6))
def test_any_mapping_gives_a_config_or_a_config_error(data):
    assert isinstance(hash_or_refusal(data), str | ConfigError)


@example({None: [None, [b""]], True: []})
@given(VALUES)
def test_any_http_body_gives_a_config_or_a_config_error(body):
    answer = {"request": {"url": "u", "body": body}, "answer_path": "a"}
    adapter = {"type": "http", "http": {"answer": answer}}

    assert isinstance(
        hash_or_refusal({"project": "p", "adapter": adapter}), str | ConfigError
    )


@given(st.lists(st.text(max_size=20) | st.from_regex(r"(run|gate|metrics)\.?\w*=\W*")))
def test_any_overrides_give_a_config_or_a_config_error(overrides):
    data = {"project": "p", "adapter": ADAPTER}

    assert isinstance(hash_or_refusal(data, overrides), str | ConfigError)
