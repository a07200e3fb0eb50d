import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from ragproof_ray.cli import main
from ragproof_ray.cli.commands import app

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "cluster").glob("*.md"),
    ]
)
SNIPPETS = [ROOT / "README.md", ROOT / "docs" / "store.md"]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
RUN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TARGETS = re.findall(
    r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
)[0].split()


def blocks(page):
    """Give the fenced blocks of a page as (what stands behind the fence, text)."""
    return BLOCK.findall(page.read_text("utf-8"))


def marked(page, mark):
    return [text for info, text in blocks(page) if info == mark]


def name(page):
    return page.relative_to(ROOT).as_posix()


def without_comments(text):
    return [line.split("  #")[0].strip() for line in text.splitlines() if line]


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """The README's project, its files written as they stand there."""
    for info, text in blocks(ROOT / "README.md"):
        if "file=" in info:
            (tmp_path / info.partition("file=")[2]).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("shop", None)


@pytest.mark.parametrize("page", SNIPPETS, ids=name)
def test_the_snippets_of_a_page_print_what_it_shows(page, shop):
    assert main(["run"]) == 0
    assert main(["run", "--set", "run.k=1"]) == 0
    listed = blocks(page)
    shown = [
        after for (info, _), (_, after) in pairwise(listed) if info == "python run"
    ]
    script = "".join(marked(page, "python run"))

    finished = subprocess.run(
        [sys.executable, "-c", script],
        cwd=shop,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert finished.stderr == ""
    assert finished.stdout == "".join(shown)
    assert shown


def test_the_sessions_of_the_readme_print_what_it_shows(shop, capsys):
    for session in marked(ROOT / "README.md", "console run"):
        command, _, shown = session.removeprefix("$ ragproof-ray ").partition("\n")

        main(shlex.split(command))
        captured = capsys.readouterr()

        assert captured.out + captured.err == shown


def test_the_commands_of_the_readme_succeed(shop):
    lines = [
        line
        for text in marked(ROOT / "README.md", "sh run")
        for line in without_comments(text)
    ]

    codes = {line: main(shlex.split(line)[1:]) for line in lines}

    assert codes
    assert set(codes.values()) == {0}, codes


def test_the_readme_shows_the_table_of_the_quickstart(tmp_path):
    pytest.importorskip("bm25s", reason="needs the extra `quickstart`")
    config = "configs/quickstart/ragproof.yaml"
    arguments = ["run", "-c", config, "--set", f"store={tmp_path.as_posix()}"]

    finished = subprocess.run(
        [sys.executable, "-m", "ragproof_ray", *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    [shown] = marked(ROOT / "README.md", "text quickstart")

    assert without_numbers(finished.stdout) == without_numbers(shown)


def without_numbers(text):
    """Mask ids and numbers: other Pythons have other docstrings, so other scores."""
    return re.sub(r"[\d.,]+|\s+", " ", RUN_ID.sub("", text)).split()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_to_a_file(page):
    links = [link for link in LINK.findall(page.read_text("utf-8")) if ":" not in link]

    missing = [
        link
        for link in links
        if (target := link.partition("#")[0]) and not (page.parent / target).exists()
    ]

    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_make_target_that_is_named_exists(page):
    named = re.findall(
        r"^make ([a-z-]+)|`make ([a-z-]+)`", page.read_text("utf-8"), re.MULTILINE
    )

    assert {first or second for first, second in named} <= set(TARGETS)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_that_is_named_exists(page):
    named = re.findall(r"(?:`|\$ |bin/)ragproof-ray ([a-z]+)", page.read_text("utf-8"))
    group = get_command(app)

    assert isinstance(group, TyperGroup)
    assert set(named) <= set(group.commands)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_help_lists_every_target_on_a_line_of_its_own():
    finished = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert [line.split()[0] for line in finished.stdout.splitlines()] == TARGETS
