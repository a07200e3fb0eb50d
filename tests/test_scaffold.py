import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ragproof_ray.errors import ConfigError
from ragproof_ray.scaffold import lay_down

FILES = ["ragproof.yaml", "pipeline.py", "dataset.jsonl"]
ROOT = Path(__file__).parents[1]


def test_lay_down_creates_the_folder_with_its_parents(tmp_path):
    target = tmp_path / "a" / "b"

    written = lay_down(target)

    assert written == [target / name for name in FILES]
    assert {path.name for path in target.iterdir()} == set(FILES)


def test_lay_down_joins_unrelated_files_in_an_existing_folder(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")

    lay_down(tmp_path)

    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "pipeline.py").is_file()


def test_a_rewritten_config_names_its_own_folder(tmp_path):
    lay_down(tmp_path)
    text = (tmp_path / "ragproof.yaml").read_text(encoding="utf-8")
    config = yaml.safe_load(text)

    assert config["dataset"] == "dataset.jsonl"
    assert config["adapter"]["target"] == "pipeline:Pipeline"
    assert "quickstart/ragproof.yaml" not in text


@pytest.mark.parametrize("name", ["pipeline.py", "dataset.jsonl"])
def test_code_and_dataset_are_copied_byte_for_byte(tmp_path, name):
    lay_down(tmp_path)

    copied = (tmp_path / name).read_bytes()

    assert copied == (ROOT / "configs" / "quickstart" / name).read_bytes()


def test_existing_files_are_all_named_and_nothing_is_written(tmp_path):
    (tmp_path / "pipeline.py").write_text("mine", encoding="utf-8")
    (tmp_path / "dataset.jsonl").symlink_to("nowhere")

    with pytest.raises(ConfigError) as caught:
        lay_down(tmp_path)

    assert str(tmp_path / "pipeline.py") in str(caught.value)
    assert str(tmp_path / "dataset.jsonl") in str(caught.value)
    assert "ragproof.yaml" not in str(caught.value)
    assert (tmp_path / "pipeline.py").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "ragproof.yaml").exists()


def test_a_file_in_the_place_of_the_folder_is_a_config_error(tmp_path):
    target = tmp_path / "taken"
    target.write_text("", encoding="utf-8")

    with pytest.raises(ConfigError, match="cannot be written"):
        lay_down(target)


def test_the_laid_down_pipeline_imports_from_its_own_folder(tmp_path):
    pytest.importorskip("bm25s", reason="needs the extra `quickstart`")
    lay_down(tmp_path)

    done = subprocess.run(
        [sys.executable, "-B", "-c", "from pipeline import Pipeline"],
        cwd=tmp_path,
        check=False,
    )

    assert done.returncode == 0
