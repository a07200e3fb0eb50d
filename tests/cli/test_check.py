import pytest


def test_check_tells_what_works_and_leaves_no_run(project):
    code, out, err = project.command("check")

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "config: project 'test'",
        "metrics: 13",
        "dataset: 1 cases in cases.jsonl",
        "store: store can be written",
        "adapter: answered with 1 characters",
    ]
    assert not (project.folder / "store" / "runs").exists()


def test_a_config_without_a_dataset_is_checked_without_one(project):
    project.write_config(dataset=None)

    code, out, _ = project.command("check")

    assert code == 0
    assert "dataset" not in out


def test_a_pipeline_without_answer_is_asked_for_one_chunk(project):
    project.pipeline(
        """
        class Pipeline:
            def retrieve(self, question, k):
                return [{"id": f"d{n}"} for n in range(k)]
        """
    )

    _, out, _ = project.command("check")

    assert out.splitlines()[-1] == "adapter: retrieved 1 chunks"


def test_what_a_pipeline_prints_is_no_finding(project):
    project.pipeline(
        """
        print("at import")
        class Pipeline:
            def answer(self, question):
                print("in the probe")
                return {"answer_text": "a"}
        """
    )

    _, out, err = project.command("check")

    assert out.splitlines()[-1] == "adapter: answered with 1 characters"
    assert err == "at import\nin the probe\n"


def test_a_pipeline_that_fails_exits_2_after_the_findings_before_it(project):
    project.pipeline(
        """
        class Pipeline:
            def answer(self, question):
                raise ValueError("no index")
        """
    )

    code, out, err = project.command("check")

    assert code == 2
    assert out.splitlines()[-1].startswith("store: ")
    assert err == "error: adapter: ValueError: no index\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": "a", "question": " "}\n', "cases.jsonl:1"),
        ("", "cases.jsonl: holds no cases"),
    ],
)
def test_a_bad_dataset_exits_3(text, message, project):
    (project.folder / "cases.jsonl").write_text(text, "utf-8")

    code, out, err = project.command("check")

    assert code == 3
    assert out.splitlines()[-1] == "metrics: 13"
    assert err.startswith("error: ")
    assert message in err


def test_a_store_that_cannot_be_written_exits_2(project):
    (project.folder / "store").write_text("in the way", "utf-8")

    code, _, err = project.command("check")

    assert code == 2
    assert err.startswith("error: store: ")


def test_overrides_are_checked_too(project):
    code, _, err = project.command("check", "--set", "run.k=none")

    assert code == 3
    assert err.startswith("error: --set: run.k: got 'none'")


def test_a_judge_that_this_version_lacks_is_one_warning(project, monkeypatch):
    monkeypatch.setenv("RAGPROOF_JUDGE_MODEL", "some-model")

    with pytest.warns(UserWarning, match="this version has no judge") as warned:
        project.command("check")

    assert len(warned) == 1
