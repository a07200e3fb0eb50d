import json
from pathlib import Path

import pytest

from ragproof_ray.dataset import DatasetReader, FrozenSummary, freeze
from ragproof_ray.errors import DatasetError, ExecutionError

SOURCE = '{"id":"a","question":"é?","expected_source_ids":["d1"]}\n'
CHECK_HASH = "4c468773b282e35332de6959bdfecc258ed61eea7d533223c409b80d6280b768"
FROZEN = f"""{{
  "meta": {{
    "dataset_hash": "{CHECK_HASH}",
    "hash_algorithm": "sha256",
    "corpus_hash": null,
    "size": 1,
    "generation": null
  }},
  "cases": [
    {{
      "id": "a",
      "kind": "qa",
      "question": "é?",
      "expected_answer": null,
      "expected_source_ids": [
        "d1"
      ],
      "adversarial_payload": null
    }}
  ]
}}"""


def test_the_frozen_file_has_the_published_form(write):
    summary = freeze(Path(write(SOURCE)), Path("out.json"))

    assert summary == FrozenSummary(Path("out.json"), 1, CHECK_HASH)
    assert Path("out.json").read_text(encoding="utf-8") == FROZEN


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cases.jsonl", "cases.frozen.json"),
        ("a.b.jsonl", "a.b.frozen.json"),
        ("cases", "cases.frozen.json"),
    ],
)
def test_the_default_name_replaces_the_last_suffix(write, name, expected):
    assert freeze(Path(write(SOURCE, name))).path == Path(expected)


def test_a_frozen_file_reads_as_its_source(write):
    metadata = '{"id":"b","question":"q","kind":"unanswerable","metadata":{"k":[]}}'
    source = DatasetReader(write(SOURCE + metadata))
    frozen = DatasetReader(freeze(Path("cases.jsonl")).path)

    assert [f.to_dicts() for f in frozen] == [f.to_dicts() for f in source]
    assert frozen.fingerprint.content_hash == source.fingerprint.content_hash


def test_metadata_is_written_only_where_a_case_has_it(write):
    text = SOURCE + '{"id":"b","question":"q","kind":"unanswerable","metadata":{}}'
    path = freeze(Path(write(text))).path

    first, second = json.loads(path.read_text(encoding="utf-8"))["cases"]
    assert "metadata" not in first
    assert second["metadata"] == {}


def test_freezing_again_keeps_how_the_cases_were_made(write):
    generation = {
        "gen_model": "m",
        "seed": 0,
        "requested": {"qa": 2},
        "produced": {"qa": 1},
        "qa_discarded": 1,
        "unanswerable_discarded": 0,
        "template_versions": {"qa": "v1"},
        "corpus_hash": "c0",
    }
    document = json.loads(FROZEN)
    document["meta"] |= {"corpus_hash": "c1", "generation": generation}
    text = json.dumps(document, indent=2, ensure_ascii=False)

    freeze(Path(write(text, "once.json")), Path("twice.json"))
    assert Path("twice.json").read_text(encoding="utf-8") == text


def test_incomplete_cases_are_told_together_and_nothing_is_written(write):
    text = (
        '{"id":"a","question":"q"}\n'
        '{"id":"b","question":"q","kind":"injection"}\n'
        '{"id":"c","question":""}\n'
    )

    with pytest.raises(DatasetError) as raised:
        freeze(Path(write(text)))
    assert [line.split(":")[1] for line in str(raised.value).split("\n")] == [
        "1",
        "2",
        "3",
        "3",
    ]
    assert [path.name for path in Path().iterdir()] == ["cases.jsonl"]


def test_a_target_is_replaced_whole_and_no_draft_stays(write):
    write("x" * 10_000, "out.json")
    freeze(Path(write(SOURCE)), Path("out.json"))

    assert Path("out.json").read_text(encoding="utf-8") == FROZEN
    assert {path.name for path in Path().iterdir()} == {"cases.jsonl", "out.json"}


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("folder", "Is a directory"),
        ("missing/out.json", "No such file or directory"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_target_that_cannot_be_written_is_told_and_no_draft_stays(
    write, target, reason
):
    source = Path(write(SOURCE))
    Path("folder").mkdir()

    with pytest.raises(ExecutionError) as raised:
        freeze(source, Path(target))
    assert f"cannot be written ({reason})" in str(raised.value)
    assert {path.name for path in Path().iterdir()} == {"cases.jsonl", "folder"}


def test_a_source_that_is_a_folder_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(DatasetError, match="is a folder"):
        freeze(Path())
