import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text("utf-8")
SOURCES = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL))
SESSIONS = re.findall(r"```console\n\$ python ([^\n]+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("arguments", "output"), SESSIONS)
def test_every_session_on_the_page_prints_what_it_shows(arguments, output, tmp_path):
    for name, source in SOURCES.items():
        (tmp_path / name).write_text(source)

    finished = subprocess.run(
        [sys.executable, *shlex.split(arguments)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert finished.stderr == ""
    assert finished.stdout == output


def test_the_page_shows_sessions():
    assert len(SESSIONS) == 3
