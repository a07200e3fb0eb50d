import json
import secrets
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import settings

from ragproof_ray.cli import main

# A busy machine is no failure. `ci` tries the same inputs each time, `fuzz` many more.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=5000)
settings.load_profile("default")


class Project:
    """A folder with a dataset, a pipeline and a configuration, and commands to run."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.module = (
            f"pipeline_{secrets.token_hex(6)}"  # Python caches modules by name
        )
        self.config: dict[str, object] = {
            "project": "test",
            "dataset": "cases.jsonl",
            "store": "store",
            "adapter": {"type": "python", "target": f"{self.module}:Pipeline"},
        }
        self.cases({"id": "c1", "question": "q", "expected_source_ids": ["d1"]})
        self.pipeline(
            """
            class Pipeline:
                def retrieve(self, question, k):
                    return [{"id": "d1", "text": "text"}]
                def answer(self, question):
                    return {"answer_text": "a", "citations": [{"chunk_id": "d1"}]}
            """
        )

    def cases(self, *cases: dict[str, object], name: str = "cases.jsonl") -> None:
        """Write a dataset."""
        lines = "".join(json.dumps(case) + "\n" for case in cases)
        (self.folder / name).write_text(lines, encoding="utf-8")

    def pipeline(self, source: str) -> None:
        """Write the pipeline's module."""
        path = self.folder / f"{self.module}.py"
        path.write_text(textwrap.dedent(source), encoding="utf-8")

    def write_config(self, **sections: object) -> Path:
        """Write the configuration with some sections replaced, and return its path."""
        path = self.folder / "ragproof.yaml"
        path.write_text(yaml.safe_dump({**self.config, **sections}), encoding="utf-8")
        return path

    def command(self, *arguments: str) -> tuple[int, str, str]:
        """Run a command in this process; return exit code, output and errors."""
        if not (self.folder / "ragproof.yaml").exists():
            self.write_config()
        self._capsys.readouterr()
        code = main(arguments)
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def run_json(self, *arguments: str) -> dict[str, Any]:
        """Evaluate and return the JSON document; the run must succeed."""
        code, out, err = self.command("run", "--json", *arguments)
        assert code == 0, err
        document: dict[str, Any] = json.loads(out)
        return document

    def exported(self, reference: str = "latest") -> list[dict[str, Any]]:
        """Return the exported rows of a run."""
        out = self.folder / f"{secrets.token_hex(4)}.jsonl"
        code, _, err = self.command("export", reference, "--out", str(out))
        assert code == 0, err
        return [
            json.loads(line)
            for line in out.read_text(encoding="utf-8").split("\n")
            if line
        ]


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path, capsys)


@pytest.fixture(scope="session")
def local_ray():
    """The one local Ray of the session; runs with workers use it as it stands."""
    from ragproof_ray.engine.cluster import connection

    with connection(workers=2, address=None):
        yield
