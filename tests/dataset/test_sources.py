import json

import pytest

from ragproof_ray.dataset.faults import InvalidRecordError
from ragproof_ray.dataset.sources import open_source

FROZEN = json.dumps({"meta": {"dataset_hash": "0", "size": 0}, "cases": []})


@pytest.fixture
def noun_of(tmp_path):
    def open_file(name, text):
        path = tmp_path / name
        path.write_text(text)
        return open_source(path).noun

    return open_file


@pytest.mark.parametrize("name", ["a.frozen.json", "a.json"])
def test_a_json_file_with_meta_and_cases_is_frozen(noun_of, name):
    assert noun_of(name, FROZEN) == "case"


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a", "a.frozen.jsonl"])
def test_other_names_are_jsonl_whatever_they_hold(noun_of, name):
    assert noun_of(name, FROZEN) == "line"


@pytest.mark.parametrize(
    "text", ['{"id":"a","question":"q"}\n', "{}\n{}\n", '{"meta":{}}', "[]", "", "{"]
)
def test_a_json_file_without_meta_and_cases_is_jsonl(noun_of, text):
    assert noun_of("a.json", text) == "line"


def test_an_undecodable_line_comes_as_a_value_between_its_neighbours(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text("1\n{\n3\n")

    numbers, values = zip(*open_source(path).records(), strict=True)
    assert numbers == (1, 2, 3)
    assert isinstance(values[1], InvalidRecordError)
    assert values[::2] == (1, 3)
