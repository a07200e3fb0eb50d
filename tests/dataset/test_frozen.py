import json
from pathlib import Path

import pytest

from ragproof_ray.dataset import DatasetReader
from ragproof_ray.errors import DatasetError

CHECK_HASH = "4c468773b282e35332de6959bdfecc258ed61eea7d533223c409b80d6280b768"
CASE = {"id": "a", "question": "é?", "expected_source_ids": ["d1"]}
META = {"dataset_hash": CHECK_HASH, "size": 1}
GENERATION = {
    "gen_model": "m",
    "seed": 0,
    "requested": {"qa": 2},
    "produced": {"qa": 1},
    "qa_discarded": 1,
    "unanswerable_discarded": 0,
    "template_versions": {"qa": "v1"},
    "corpus_hash": "c0",
}


@pytest.fixture
def frozen(write):
    def write_frozen(meta=META, cases=(CASE,), **extra):
        document = {"meta": meta, "cases": list(cases), **extra}
        return write(json.dumps(document, indent=2), "d.frozen.json")

    return write_frozen


def refusal(path):
    with pytest.raises(DatasetError) as raised:
        list(DatasetReader(path))
    return str(raised.value)


def test_a_frozen_file_is_read_and_its_seal_kept(frozen):
    reader = DatasetReader(
        frozen(META | {"corpus_hash": "c", "generation": GENERATION})
    )
    [frame] = reader

    assert frame["case_id"].to_list() == ["a"]
    assert reader.fingerprint.dataset_hash == CHECK_HASH
    assert reader.fingerprint.frozen
    assert reader.frozen_meta is not None
    assert reader.frozen_meta.corpus_hash == "c"
    assert reader.frozen_meta.generation is not None
    assert reader.frozen_meta.generation.model_dump() == GENERATION


def test_metadata_is_allowed_and_does_not_break_the_seal(frozen):
    [frame] = DatasetReader(frozen(cases=[CASE | {"metadata": {"k": 1}}]))

    assert frame["metadata"].to_list() == ['{"k":1}']


def test_a_byte_order_mark_is_dropped(frozen, write):
    text = Path(frozen()).read_text(encoding="utf-8")

    [frame] = DatasetReader(write("\ufeff" + text, "bom.frozen.json"))
    assert frame.height == 1


def test_changed_cases_break_the_seal(frozen):
    report = refusal(frozen(cases=[CASE | {"question": "other"}]))

    assert "the cases were changed after freezing" in report
    assert CHECK_HASH[:12] in report


def test_a_wrong_size_breaks_the_seal(frozen):
    report = refusal(frozen(META | {"size": 2}))

    assert "meta.size is 2 but the file holds 1 cases" in report


def test_duplicate_ids_are_refused_with_both_cases(frozen):
    report = refusal(frozen(META | {"size": 2}, [CASE, CASE]))

    assert report.startswith("d.frozen.json: case 2: id 'a' is already used by case 1")


def test_a_faulty_case_is_named_by_its_number(frozen):
    report = refusal(frozen(cases=[CASE, {"id": "b"}, [], {"id": "c", "x": 1}]))

    assert [line.split(": ")[1] for line in report.split("\n")] == [
        "case 2",
        "case 3",
        "case 4",
        "case 4",
    ]


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ('{"id":"a","id":"b","question":"q"}', "key 'id' appears twice"),
        ('{"id":"a","question":"q","metadata":{"k":NaN}}', "NaN is not JSON"),
        ('{"id":"a","question":"\\ud800"}', "unpaired surrogate"),
    ],
)
def test_what_json_alone_would_let_pass_is_named_by_its_case(write, case, words):
    text = '{"meta":{"dataset_hash":"0","size":2},"cases":[1,' + case + "]}"

    report = refusal(write(text, "d.frozen.json"))
    assert f"d.frozen.json: case 2: {words}" in report


@pytest.mark.parametrize(
    ("meta", "words"),
    [
        ({"size": 1}, "meta.dataset_hash: field required"),
        (META | {"size": "1"}, "meta.size: input should be a valid integer"),
        (META | {"size": True}, "meta.size: input should be a valid integer"),
        (META | {"hash_algorithm": "md5"}, "meta.hash_algorithm: "),
        (META | {"owner": "x"}, "meta.owner: unknown key"),
        (META | {"generation": {}}, "meta.generation.gen_model: field required"),
        (
            META | {"generation": GENERATION | {"qa": 1}},
            "meta.generation.qa: unknown key",
        ),
        ([], "meta: "),
    ],
)
def test_a_wrong_seal_is_refused_by_field(frozen, meta, words):
    assert f"d.frozen.json: {words}" in refusal(frozen(meta))


def test_faults_of_the_seal_are_told_together(frozen):
    assert len(refusal(frozen({"a": 1}, b=1)).split("\n")) == 4


def test_an_unknown_top_level_key_is_refused(frozen):
    assert "unknown key 'notes'" in refusal(frozen(notes=1))


def test_a_duplicate_top_level_key_is_refused(write):
    text = '{"meta":{"dataset_hash":"0","size":0},"cases":[],"cases":[]}'

    assert "key 'cases' appears twice" in refusal(write(text, "d.frozen.json"))


def test_a_duplicate_key_in_the_seal_is_refused(write):
    text = '{"meta":{"size":0,"size":0},"cases":[]}'

    assert "meta: key 'size' appears twice" in refusal(write(text, "d.frozen.json"))


def test_cases_must_be_a_list(write):
    text = '{"meta":{"dataset_hash":"0","size":0},"cases":{}}'

    assert "cases must be a list" in refusal(write(text, "d.frozen.json"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not valid JSON"),
        ('{"meta":\n}', "not valid JSON: Expecting value at line 2 column 1"),
        ("[]", "one object with the keys meta and cases"),
        ('{"id":"a","question":"q"}', "one object with the keys meta and cases"),
        (b"\xff", "not UTF-8: byte 0xff at offset 0"),
    ],
)
def test_a_name_that_promises_a_frozen_file_is_held_to_it(write, content, words):
    assert words in refusal(write(content, "d.frozen.json"))


def test_a_frozen_file_without_cases_is_refused(frozen):
    empty = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"

    report = refusal(frozen({"dataset_hash": empty, "size": 0}, []))
    assert "holds no cases" in report
