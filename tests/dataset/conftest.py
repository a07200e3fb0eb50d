import pytest


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write bytes or text to a file of the working directory, return its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(content, name="cases.jsonl"):
        raw = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(raw)
        return name

    return write_file
