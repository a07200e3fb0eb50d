import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragproof_ray.dataset.case import Case
from ragproof_ray.dataset.fingerprint import Fingerprinter, canonical_case

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
CASES = st.builds(
    Case,
    case_id=TEXT,
    kind=st.sampled_from(["qa", "unanswerable", "injection"]),
    question=TEXT,
    expected_answer=st.none() | TEXT,
    expected_source_ids=st.lists(TEXT),
    adversarial_payload=st.none() | TEXT,
    metadata=st.none() | st.just('{"a":1}'),
)


def case(case_id="a", metadata=None):
    return Case(case_id, "qa", "é?", None, ["d1"], None, metadata)


def fingerprint(cases, batch=100):
    hashes = Fingerprinter()
    for start in range(0, len(cases), batch):
        hashes.add(cases[start : start + batch])
    return hashes.finish(frozen=False)


def as_object(case):
    return {
        "id": case.case_id,
        "kind": case.kind,
        "question": case.question,
        "expected_answer": case.expected_answer,
        "expected_source_ids": case.expected_source_ids,
        "adversarial_payload": case.adversarial_payload,
    }


def dumped(value):
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode()


@given(CASES)
def test_canonical_bytes_are_those_of_json_with_sorted_keys(case):
    assert canonical_case(case) == dumped(as_object(case))


@given(st.lists(CASES, max_size=5), st.integers(1, 5))
def test_the_dataset_hash_is_that_of_the_whole_list_however_it_is_batched(cases, batch):
    expected = sha256(dumped([as_object(case) for case in cases])).hexdigest()

    assert fingerprint(cases, batch).dataset_hash == expected


def test_the_dataset_hash_equals_the_published_check_value():
    assert fingerprint([case()]).dataset_hash == (
        "4c468773b282e35332de6959bdfecc258ed61eea7d533223c409b80d6280b768"
    )


def test_a_case_hash_is_that_of_its_canonical_bytes():
    [case_hash] = Fingerprinter().add([case()])

    assert case_hash == sha256(dumped(as_object(case()))).hexdigest()


def test_order_counts_for_the_dataset_hash_and_not_for_the_case_set_hash():
    forth = fingerprint([case("x"), case("y")])
    back = fingerprint([case("y"), case("x")])

    assert forth.dataset_hash != back.dataset_hash
    assert forth.case_set_hash == back.case_set_hash


def test_the_case_set_hash_of_one_case_is_its_case_hash():
    [case_hash] = Fingerprinter().add([case()])

    assert fingerprint([case()]).case_set_hash == case_hash


def test_the_case_set_hash_stays_64_digits_for_many_cases():
    many = fingerprint([case(str(number)) for number in range(40)])

    assert len(many.case_set_hash) == 64


def test_the_content_hash_is_the_dataset_hash_without_metadata():
    plain = fingerprint([case()])

    assert plain.content_hash == plain.dataset_hash


def test_metadata_changes_the_content_hash_only():
    plain, noted = fingerprint([case()]), fingerprint([case(metadata="{}")])
    other = fingerprint([case(metadata='{"a":1}')])

    assert plain.dataset_hash == noted.dataset_hash == other.dataset_hash
    assert plain.case_set_hash == noted.case_set_hash == other.case_set_hash
    assert len({plain.content_hash, noted.content_hash, other.content_hash}) == 3


def test_the_content_hash_tells_which_case_carries_the_metadata():
    first = fingerprint([case("x", "{}"), case("y")])
    second = fingerprint([case("x"), case("y", "{}")])

    assert first.content_hash != second.content_hash


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_the_content_hash_does_not_depend_on_batches(batch):
    cases = [case("x", "{}"), case("y"), case("z", '{"a":1}')]

    assert fingerprint(cases, batch) == fingerprint(cases)


def test_cases_are_counted_by_kind():
    counts = fingerprint([case("x"), case("y")])

    assert counts.cases == 2
    assert counts.kinds == {"qa": 2, "unanswerable": 0, "injection": 0}
