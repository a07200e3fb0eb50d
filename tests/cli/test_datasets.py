"""Odd datasets, from the file to the exported rows."""

import json

import pytest


@pytest.fixture
def questions(project):
    """Evaluate a dataset given as text; the pipeline answers with the question."""
    project.pipeline(
        """
        class Pipeline:
            def retrieve(self, question, k):
                return [{"id": "kb-4"}]
            def answer(self, question):
                return {"answer_text": question}
        """
    )

    def evaluate(text):
        (project.folder / "cases.jsonl").write_bytes(text.encode())
        project.run_json()
        return {row["case_id"]: row["answer_text"] for row in project.exported()}

    return evaluate


@pytest.fixture
def refused(project):
    """Refuse a dataset given as text, by `run` and by `check`, with one message."""

    def evaluate(text):
        (project.folder / "cases.jsonl").write_bytes(text.encode())
        code, out, err = project.command("run", "--json")
        assert (code, out) == (3, "")
        assert project.command("check")[::2] == (3, err)
        assert project.command("runs", "--json")[1] == "[]\n"
        return err

    return evaluate


def test_a_byte_order_mark_is_dropped(questions):
    assert questions('\ufeff{"id":"refund-1","question":"How long?"}\n') == {
        "refund-1": "How long?"
    }


def test_records_end_at_line_feeds_only(questions):
    text = (
        '{"id":"a","question":"first\u2028second"}\n'
        '{"id":"b","question":"x\u0085y\u2029z"}\n'
    )

    assert questions(text) == {"a": "first\u2028second", "b": "x\u0085y\u2029z"}


def test_carriage_returns_blank_lines_and_a_missing_last_newline_are_fine(questions):
    text = '{"id":"a","question":"q1"}\r\n\r\n{"id":"b","question":"q2"}'

    assert questions(text) == {"a": "q1", "b": "q2"}


def test_null_means_absent_and_scores_nothing(questions, project):
    questions(
        '{"id":"n1","question":"q","expected_answer":null,'
        '"expected_source_ids":null,"metadata":null}\n'
    )

    (row,) = project.exported()
    assert row["scores"]["retrieval.recall_at_k"] == {
        "status": "skipped",
        "value": None,
        "reason": "case has no expected_source_ids",
    }
    assert row["scores"]["echo.exact_match"]["reason"] == "case has no expected_answer"


def test_metadata_is_accepted_whatever_is_in_it(questions):
    text = '{"id":"m1","question":"q","metadata":{"owner":{"team":"x"},"tags":[3]}}\n'

    assert questions(text) == {"m1": "q"}


def test_integer_ids_are_text_and_collide_with_it(refused):
    text = '{"id":7,"question":"q"}\n{"id":"8","question":"q"}\n{"id":"7","question":"r"}\n'

    message = refused(text)

    assert message.startswith("error: cases.jsonl:3: ")
    assert "'7' is already used by line 1" in message


def test_an_unknown_key_is_answered_with_the_known_ones(refused):
    message = refused('{"id":"a","question":"q","tags":["vip"]}\n')

    assert "cases.jsonl:1" in message
    assert "metadata" in message


@pytest.mark.parametrize("question", ["", "   "])
def test_a_blank_question_is_refused_with_its_line(refused, question):
    text = json.dumps({"id": "e1", "question": question}) + "\n"

    assert refused(text).startswith("error: cases.jsonl:1: ")


def test_the_order_of_cases_changes_the_hash_but_not_the_set(project):
    cases = [{"id": "x", "question": "q1"}, {"id": "y", "question": "q2"}]
    project.cases(*cases)
    first = project.run_json()
    project.cases(*cases[::-1])

    second = project.run_json()

    assert second["dataset_hash"] != first["dataset_hash"]
    assert second["case_set_hash"] == first["case_set_hash"]
    assert [row["case_id"] for row in project.exported()] == ["y", "x"]
