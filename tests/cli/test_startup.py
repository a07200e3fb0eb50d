"""What a process loads before it answers; measured, help takes 0.06 s that way."""

import subprocess
import sys

import pytest

# Typer itself needs pydantic.
PROBE = """
import sys
from ragproof_ray.cli import main
code = main(sys.argv[1:])
heavy = "polars pyarrow numpy ray aiohttp yaml asyncio".split()
print(code, *(name for name in heavy if name in sys.modules))
"""


def loaded_by(*arguments, folder):
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    code, *modules = done.stdout.splitlines()[-1].split()
    return int(code), modules


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"]])
def test_help_loads_nothing_heavy(arguments, tmp_path):
    assert loaded_by(*arguments, folder=tmp_path) == (0, [])


def test_a_config_error_loads_what_reads_the_config_and_no_more(tmp_path):
    (tmp_path / "ragproof.yaml").write_text("project: 1\n", "utf-8")

    code, modules = loaded_by("run", folder=tmp_path)

    assert code == 3
    assert set(modules) <= {"yaml", "asyncio"}
