"""Output that cannot be written, encoded or read; each in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

ANSWER = "Done \u2705 \u2192 see caf\u00e9"


@pytest.fixture
def shell(project):
    """Run a shell command line; `ragproof-ray` stands for this installation's."""
    project.pipeline(
        f"""
        import os, subprocess, sys

        print("printed at import")

        class Pipeline:
            def retrieve(self, question, k):
                print("printed in a call")
                os.write(1, b"written by a library in C\\n")
                subprocess.run([sys.executable, "-c", "print('by a subprocess')"])
                return [{{"id": "d1"}}]

            def answer(self, question):
                return {{"answer_text": {ANSWER!r}}}
        """
    )
    project.write_config(project=ANSWER)
    command = f"{sys.executable} -m ragproof_ray"

    def call(line, **environment):
        return subprocess.run(
            ["bash", "-c", line.replace("ragproof-ray", command)],
            cwd=project.folder,
            env=os.environ | environment,
            capture_output=True,
            check=False,
        )

    return call


@pytest.fixture
def stored(project, shell):
    """The shell, in a project with one run."""
    project.cases(*({"id": f"c{n}", "question": "q"} for n in range(2000)))
    project.pipeline(
        f"""
        class Pipeline:
            async def answer(self, question):
                return {{"answer_text": {ANSWER!r}}}
        """
    )
    project.run_json("--workers", "0")
    return shell


def test_what_a_pipeline_prints_stays_out_of_the_results(shell):
    done = shell("ragproof-ray run --workers 0 --json")

    assert done.returncode == 0
    assert json.loads(done.stdout)["status"] == "completed"
    assert set(done.stderr.decode().splitlines()) == {
        "printed at import",
        "printed in a call",
        "written by a library in C",
        "by a subprocess",
    }


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_console_that_lacks_a_character_gets_a_question_mark(stored, encoding):
    done = stored(
        "ragproof-ray run --workers 0 --label 'caf\u00e9 \u2192' && ragproof-ray runs "
        "&& ragproof-ray show latest",
        PYTHONIOENCODING=encoding,
    )

    shown = "caf\u00e9 ?" if encoding == "cp1252" else "caf? ?"
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding).count(shown) == 3


def test_files_are_utf8_whatever_the_locale(stored, project):
    done = stored(
        "ragproof-ray run --workers 0 && ragproof-ray export latest --out rows.jsonl "
        "&& ragproof-ray freeze cases.jsonl --out sealed.json; "
        "ragproof-ray export latest --out -",
        LC_ALL="C",
        PYTHONUTF8="0",
    )

    lines = (project.folder / "rows.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0])["answer_text"] == ANSWER
    assert done.stdout.decode("utf-8").splitlines()[-2000:] == lines


def test_a_reader_that_leaves_early_ends_an_export_quietly(stored):
    done = stored(
        "set -o pipefail; ragproof-ray export latest --out - | head -1; "
        "echo ${PIPESTATUS[0]}"
    )

    line, code = done.stdout.decode().splitlines()
    assert json.loads(line)["case_id"] == "c0"
    assert (code, done.stderr) == ("141", b"")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ragproof-ray show latest > /dev/full", "the output: No space left on device"),
        ("ragproof-ray --help > /dev/full", "the output: No space left on device"),
        (
            "ragproof-ray export latest --out - > /dev/full",
            "the output: No space left on device",
        ),
        (
            "ragproof-ray export latest --out /dev/full",
            "/dev/full: cannot be written (No space left on device)",
        ),
        (
            "ragproof-ray export latest --out - >&-",
            "standard output is closed; name a file with --out",
        ),
    ],
)
def test_output_that_cannot_be_written_is_one_error(stored, line, message):
    done = stored(line)

    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"error: {message}")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ragproof-ray run --workers 0 >&- 2>&-", 0),
        ("ragproof-ray run --workers 0 2> /dev/full > /dev/null", 0),
        ("ragproof-ray show nothing 2> /dev/full", 3),
        ("ragproof-ray show nothing 2>&-", 3),
    ],
)
def test_closed_or_full_streams_do_not_change_the_exit_code(stored, line, code):
    assert stored(line).returncode == code


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_pipeline_that_closes_a_stream_keeps_its_results(shell, project, stream):
    project.pipeline(
        f"""
        import sys

        class Pipeline:
            def answer(self, question):
                sys.{stream}.close()
                return {{"answer_text": "a"}}
        """
    )

    run = shell("ragproof-ray run --workers 0 --json")
    check = shell("ragproof-ray check")

    assert (run.returncode, run.stderr) == (0, b"")
    assert json.loads(run.stdout)["ok"] == 1
    assert (check.returncode, check.stderr) == (0, b"")
    assert check.stdout.endswith(b"adapter: answered with 1 characters\n")


def test_a_panic_of_a_library_exits_2(stored):
    done = stored("ragproof-ray show latest", POLARS_MAX_THREADS="0")

    last = done.stderr.decode().splitlines()[-1]
    assert done.returncode == 2
    assert last.startswith("error: unexpected ")


def test_a_stuck_synchronous_call_does_not_keep_the_process_alive(shell, project):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(100)))
    project.pipeline(
        """
        import threading

        class Pipeline:
            def answer(self, question):
                if question == "q5":
                    threading.Event().wait()
                return {"answer_text": "a"}
        """
    )

    done = shell(
        "ragproof-ray run --workers 0 --json --set run.case_timeout_seconds=0.2"
    )

    document = json.loads(done.stdout)
    assert done.returncode == 0
    assert (document["ok"], document["errors"], document["timeouts"]) == (99, 0, 1)
    assert {metric["errors"] for metric in document["metrics"]} == {1}


def test_a_run_that_cannot_go_on_still_prints_its_json(shell, project):
    project.pipeline(
        """
        import asyncio

        class Pipeline:
            async def answer(self, question):
                asyncio.get_running_loop().call_soon(self.leave)
                await asyncio.Event().wait()

            def leave(self):
                raise SystemExit(3)
        """
    )

    done = shell("ragproof-ray run --workers 0 --json")

    assert done.returncode == 2
    assert json.loads(done.stdout)["status"] == "partial"
    assert done.stderr.decode().startswith("error: the pipeline ended the event loop")
