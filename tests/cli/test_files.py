"""`init` and `freeze`: the commands that write files for people."""

import json


def test_init_writes_a_project_and_says_what_comes_next(project):
    code, out, err = project.command("init", "my shop")

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "wrote my shop/ragproof.yaml",
        "wrote my shop/pipeline.py",
        "wrote my shop/dataset.jsonl",
        "next: pip install 'ragproof-ray[quickstart]', then cd 'my shop' && ragproof-ray run",
    ]
    assert (project.folder / "my shop" / "pipeline.py").is_file()


def test_init_overwrites_nothing(project):
    project.write_config()

    code, out, err = project.command("init")

    assert (code, out) == (3, "")
    assert err.startswith("error: ragproof.yaml: already there")


def test_freeze_writes_a_dataset_that_a_run_accepts(project):
    code, out, err = project.command("freeze", "cases.jsonl")

    frozen = json.loads((project.folder / "cases.frozen.json").read_text("utf-8"))
    dataset_hash = frozen["meta"]["dataset_hash"]
    assert (code, err) == (0, "")
    assert out == f"wrote cases.frozen.json: 1 cases, hash {dataset_hash}\n"
    document = project.run_json("--dataset", "cases.frozen.json")
    assert document["dataset_hash"] == dataset_hash


def test_freeze_asks_more_of_a_case_than_a_run(project):
    project.cases({"id": "a", "question": "q"})

    code, out, err = project.command("freeze", "cases.jsonl", "--out", "sealed.json")

    assert (code, out) == (3, "")
    assert err.startswith("error: cases.jsonl:1: ")
    assert not (project.folder / "sealed.json").exists()
