import json
import os

import polars as pl
import pytest

from ragproof_ray.dataset import DatasetReader
from ragproof_ray.errors import DatasetError
from ragproof_ray.schema import CASE_SCHEMA

CASE = '{"id":"a","question":"q"}'


def read(path, **options):
    return pl.concat(list(DatasetReader(path, **options)))


def refusal(path, **options):
    with pytest.raises(DatasetError) as raised:
        list(DatasetReader(path, **options))
    return str(raised.value)


def lines(*cases):
    return "".join(json.dumps(case) + "\n" for case in cases)


def test_frames_have_the_case_schema(write):
    frame = read(write(CASE))

    assert frame.schema == CASE_SCHEMA
    assert frame.drop("case_hash").row(0) == (0, "a", "qa", "q", None, [], None, None)


def test_every_column_carries_its_field(write):
    text = lines(
        {
            "metadata": {"k": 1},
            "adversarial_payload": "",
            "expected_source_ids": ["s", "t", "s"],
            "expected_answer": "A",
            "question": "Q",
            "kind": "injection",
            "id": "I",
        }
    )

    assert read(write(text)).drop("case_hash").row(0) == (
        0,
        "I",
        "injection",
        "Q",
        "A",
        ["s", "t", "s"],
        "",
        '{"k":1}',
    )


def test_frames_are_no_higher_than_asked_and_ordinals_run_on(write):
    text = lines(*({"id": n, "question": "q"} for n in range(5)))

    frames = list(DatasetReader(write(text), batch_rows=2))
    assert [frame["ordinal"].to_list() for frame in frames] == [[0, 1], [2, 3], [4]]


def test_the_fingerprint_matches_the_published_check_value(write):
    reader = DatasetReader(
        write('{"id":"a","question":"\\u00e9?","expected_source_ids":["d1"]}')
    )
    frames = list(reader)

    assert reader.fingerprint.dataset_hash == (
        "4c468773b282e35332de6959bdfecc258ed61eea7d533223c409b80d6280b768"
    )
    assert reader.fingerprint.case_set_hash == frames[0]["case_hash"][0]
    assert not reader.fingerprint.frozen


def test_the_fingerprint_is_not_to_be_had_early(write):
    reader = DatasetReader(write(CASE))

    with pytest.raises(RuntimeError, match="iterate first"):
        _ = reader.fingerprint


def test_reading_again_gives_the_same(write):
    reader = DatasetReader(write(CASE))
    first, second = list(reader), list(reader)

    assert first[0].equals(second[0])


def test_a_byte_order_mark_is_dropped(write):
    text = (
        '\ufeff{"id":"refund-1","question":"How long do refunds take?",'
        '"expected_source_ids":["kb-4"]}\n'
    )

    frame = read(write(text))
    assert frame["case_id"].to_list() == ["refund-1"]
    assert "\ufeff" not in json.dumps(frame.to_dicts(), ensure_ascii=False)


def test_lines_end_at_line_feeds_only(write):
    text = (
        '{"id":"a","question":"first part\u2028second part"}\n'
        '{"id":"b","question":"x\u0085y\u2029z"}\n'
    )

    assert read(write(text))["question"].to_list() == [
        "first part\u2028second part",
        "x\u0085y\u2029z",
    ]


def test_carriage_returns_are_white_space_and_the_last_line_needs_no_end(write):
    text = '{"id":"a","question":"q1"}\r\n\r\n{"id":"b","question":"q2"}'

    assert read(write(text))["question"].to_list() == ["q1", "q2"]


def test_blank_lines_are_counted(write):
    text = '{"id":"a","question":"q1"}\r\n \t\r\n{"id":"b"}'

    assert refusal(write(text)).startswith("cases.jsonl:3: ")


def test_an_integer_id_is_a_duplicate_of_its_decimal_text(write):
    text = lines(
        {"id": 7, "question": "q"},
        {"id": "8", "question": "q"},
        {"id": "7", "question": "other"},
    )

    assert refusal(write(text)) == (
        "cases.jsonl:3: id '7' is already used by line 1; "
        "give each case an id of its own"
    )


def test_a_duplicate_in_another_frame_is_found(write):
    text = lines(*({"id": n % 4, "question": "q"} for n in range(5)))

    assert "already used by line 1" in refusal(write(text), batch_rows=1)


def test_duplicates_are_reported_with_other_faults_in_the_order_of_lines(write):
    text = lines(
        {"id": "a", "question": "q"},
        {"id": "a", "question": "q"},
        {"id": "b", "question": " "},
    )

    first, second = refusal(write(text)).split("\n")
    assert first.startswith("cases.jsonl:2: id 'a' is already used by line 1")
    assert second.startswith('cases.jsonl:3: field "question" is empty')


def test_null_means_absent(write):
    text = lines(
        {
            "id": "n1",
            "question": "q",
            "expected_answer": None,
            "expected_source_ids": None,
            "metadata": None,
        }
    )

    frame = read(write(text))
    assert frame["expected_answer"].to_list() == [None]
    assert frame["expected_source_ids"].to_list() == [[]]
    assert frame["metadata"].to_list() == [None]


def test_metadata_comes_through_unchanged(write):
    metadata = {"owner": {"team": "billing"}, "tags": ["vip", 3]}

    frame = read(write(lines({"id": "m1", "question": "q", "metadata": metadata})))
    assert json.loads(frame["metadata"][0]) == metadata


def test_the_same_cases_in_another_order_are_the_same_set(write):
    x, y = {"id": "x", "question": "q1"}, {"id": "y", "question": "q2"}
    forth = DatasetReader(write(lines(x, y), "forth.jsonl"))
    back = DatasetReader(write(lines(y, x), "back.jsonl"))
    forth_ids = [frame["case_id"].to_list() for frame in forth]
    back_ids = [frame["case_id"].to_list() for frame in back]

    assert (forth_ids, back_ids) == ([["x", "y"]], [["y", "x"]])
    assert forth.fingerprint.dataset_hash != back.fingerprint.dataset_hash
    assert forth.fingerprint.case_set_hash == back.fingerprint.case_set_hash


def test_a_blank_question_is_refused_with_its_line(write):
    text = CASE + "\n" + '{"id":"e1","question":"   "}'

    assert refusal(write(text)) == (
        'cases.jsonl:2: field "question" is empty; give it text or drop the case'
    )


def test_faults_of_many_lines_are_told_together(write):
    text = b'{"id":"a"}\n{"id":"b","question":"q"}\n\xff\n[]\n{"id":\n'

    numbers = [line.split(":")[1] for line in refusal(write(text)).split("\n")]
    assert numbers == ["1", "3", "4", "5"]


def test_checking_stops_after_twenty_faults(write):
    report = refusal(write("{}\n" * 50)).split("\n")

    assert len(report) == 21
    assert report[-1].endswith("further lines were not checked")


def test_no_frame_follows_a_fault(write):
    text = CASE + "\n{}\n" + CASE.replace("a", "b")
    frames = iter(DatasetReader(write(text), batch_rows=1))

    assert next(frames)["case_id"].to_list() == ["a"]
    with pytest.raises(DatasetError):
        next(frames)


def test_a_byte_that_is_not_utf8_is_named(write):
    raw = b'{"id":"a","question":"q"}\n{"id":"b","question":"caf\xe9"}\n'

    assert refusal(write(raw)).startswith(
        "cases.jsonl:2: not UTF-8: byte 0xe9 at offset 25"
    )


@pytest.mark.parametrize("text", ["", "\n \r\n", "\ufeff"])
def test_a_file_without_cases_is_refused(write, text):
    assert "holds no cases" in refusal(write(text))


def test_a_missing_file_is_told(write):
    write(CASE)

    assert refusal("other.jsonl").startswith("other.jsonl: no such file")


def test_a_folder_is_told(tmp_path):
    assert "is a folder" in refusal(tmp_path)


def test_what_is_no_regular_file_is_told(tmp_path):
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)

    assert "is not a regular file" in refusal(pipe)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_told(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(CASE)
    path.chmod(0)

    assert "cannot be read (Permission denied)" in refusal(path)


def test_a_path_that_cannot_exist_is_told():
    assert "cannot be read (File name too long)" in refusal("x" * 5000)


def test_a_compressed_file_is_told(write):
    assert "compressed with gzip" in refusal(write(b"\x1f\x8b\x08\x00rest"))


def test_a_deep_line_is_a_fault_of_that_line(write):
    text = CASE + "\n" + "[" * 100_000

    assert refusal(write(text)).startswith("cases.jsonl:2: JSON is nested more than")
