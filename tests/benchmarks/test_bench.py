"""The benchmark once, at a size that measures nothing, to see that it works."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("run.py")
WORKS = [
    "`run`, 5 cases",
    "`--help`",
    "`--version`",
    "a config error",
    "`run`, 20 cases, in process",
    "`run`, 50 cases, in process",
]


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    options = ["--cases", "20", "50", "--pairs", "1", "--workers", "0"]
    command = [sys.executable, SCRIPT, *options, "--out", folder, "--peer", "none"]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def test_every_work_has_its_time_and_its_peak_in_the_figures(out):
    figures = json.loads(out.joinpath("performance.json").read_text("utf-8"))

    readings = {record["name"]: record["readings"] for record in figures["records"]}
    assert list(readings) == WORKS
    assert all(
        reading["seconds"] > 0 and reading["peak_mib"] > 1
        for sides in readings.values()
        for reading in sides["ours"]
    )


def test_every_work_has_its_line_in_the_page(out):
    page = out.joinpath("performance.md").read_text("utf-8")

    lines = [line for line in page.splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines[1:]] == WORKS


def test_without_the_peer_no_ratio_is_shown(out):
    figures = json.loads(out.joinpath("performance.json").read_text("utf-8"))

    assert {record["ratio"] for record in figures["records"]} == {None}


def test_the_page_tells_how_memory_grows(out):
    page = out.joinpath("performance.md").read_text("utf-8")

    assert "- in process, 20 to 50 cases: " in page
