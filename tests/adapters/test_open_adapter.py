import asyncio
import subprocess
import sys

import pytest

from ragproof_ray.adapters import Answered, Retrieved, open_adapter
from ragproof_ray.config import AdapterSection
from ragproof_ray.errors import ConfigError


def test_a_python_target_opens_as_an_adapter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "opened_rag.py").write_text(
        "def retrieve(question, k): return [{'id': 1}]\n"
        "class Rag:\n"
        "  retrieve = staticmethod(retrieve)\n"
        "  async def answer(self, question): return {'answer_text': question}\n"
    )
    section = AdapterSection(type="python", target="opened_rag:Rag")

    async def use():
        adapter = await open_adapter(section)
        replies = await adapter.retrieve("q", 5), await adapter.answer("q")
        await adapter.aclose()
        return adapter, replies

    adapter, replies = asyncio.run(use())

    assert adapter.supports_retrieve
    assert adapter.supports_answer
    assert replies == (
        Retrieved(["1"], ["1"], [""], [None]),
        Answered("q", [], None),
    )


def test_an_http_pipeline_is_refused_for_now():
    endpoint = {"request": {"url": "http://localhost"}, "answer_path": "$.answer"}
    section = AdapterSection.model_validate(
        {"type": "http", "http": {"answer": endpoint}}
    )

    with pytest.raises(ConfigError, match="not available in this version yet"):
        asyncio.run(open_adapter(section))


def test_a_process_with_a_stuck_adapter_ends(tmp_path):
    (tmp_path / "stuck_rag.py").write_text(
        "import threading\n"
        "class Rag:\n"
        "  def answer(self, question): threading.Event().wait()\n"
    )
    program = """
import asyncio
from ragproof_ray.adapters import open_adapter
from ragproof_ray.config import AdapterSection

async def main():
    adapter = await open_adapter(AdapterSection(type="python", target="stuck_rag:Rag"))
    try:
        await asyncio.wait_for(adapter.answer("q"), 0.05)
    except TimeoutError:
        print("timeout")
    await adapter.aclose()

asyncio.run(main())
"""

    finished = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert finished.stdout == "timeout\n"
    assert finished.stderr == ""
    assert finished.returncode == 0
