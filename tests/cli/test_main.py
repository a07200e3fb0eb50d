import re

import pytest

from ragproof_ray import __version__
from ragproof_ray.cli import main
from ragproof_ray.errors import StoppedBySignal

FLAGS = {
    "run": [
        "--config",
        "-c",
        "--dataset",
        "--label",
        "--resume",
        "--keep-failures",
        "--force",
        "--limit",
        "--workers",
        "--address",
        "--no-cache",
        "--set",
        "--json",
        "--verbose",
    ],
    "check": ["--config", "-c", "--set", "--verbose"],
    "init": ["DIR"],
    "freeze": ["FILE", "--out"],
    "runs": ["--config", "-c", "--json"],
    "show": ["RUN", "--config", "-c", "--json"],
    "export": ["RUN", "--format", "jsonl", "csv", "parquet", "--out", "--config", "-c"],
}


def test_help_lists_every_command(capsys):
    code = main(["--help"])

    out = capsys.readouterr().out
    assert code == 0
    assert [line.split()[0] for line in out.split("Commands:")[1].splitlines()[1:]] == [
        *FLAGS
    ]


@pytest.mark.parametrize("command", FLAGS)
def test_the_help_of_a_command_lists_every_flag(command, capsys):
    code = main([command, "--help"])

    words = set(re.split(r"[\s<>|,\[\]{}]+", capsys.readouterr().out))
    assert code == 0
    assert {*FLAGS[command]} - words == set()


def test_version_prints_name_and_version(capsys):
    code = main(["--version"])

    assert (code, capsys.readouterr().out) == (0, f"ragproof-ray {__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing command."),
        (["runn"], "No such command 'runn'."),
        (["run", "--bogus"], "No such option: --bogus"),
        (["run", "--limit", "0"], "Invalid value for '--limit'"),
        (["run", "--workers", "many"], "got 'many'; give auto or a whole number"),
        (["run", "--workers", "-1"], "got '-1'; give auto or a whole number"),
        (["run", "--label"], "Option '--label' requires an argument."),
        (["show"], "Missing argument 'RUN'."),
        (["export", "latest"], "Missing option '--out'."),
        (["export", "latest", "--out", "-", "--format", "xml"], "'xml' is not one of"),
        (["check", "spare"], "Got unexpected extra argument"),
    ],
)
def test_a_usage_error_is_one_message_and_exits_2(arguments, message, capsys):
    code = main(arguments)

    out, err = capsys.readouterr()
    first, hint = err.splitlines()
    command = " ".join(["ragproof-ray", *arguments[:1]])
    assert (code, out) == (2, "")
    assert first.startswith("error: ")
    assert message in first
    assert hint in (f"see `{command} --help`", "see `ragproof-ray --help`")


def test_an_argument_that_the_locale_cannot_read_is_refused(capsys):
    code = main(["run", "--label", "caf\udce9"])

    assert code == 2
    assert capsys.readouterr().err.startswith(
        "error: Invalid value: 'caf\\udce9' is not text in this locale; "
        "set LC_ALL=C.UTF-8"
    )


def test_a_config_error_exits_3_and_says_where(project):
    project.write_config(run={"k": 0})

    code, out, err = project.command("run", "--json")

    assert (code, out) == (3, "")
    assert err == "error: ragproof.yaml: run.k: got 0; give a number >= 1\n"


@pytest.mark.parametrize("command", ["run", "check", "runs"])
def test_a_missing_config_exits_3(command, project):
    code, out, err = project.command(command, "-c", "none.yaml")

    assert (code, out) == (3, "")
    assert err.startswith("error: none.yaml: cannot be read")


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_bad_environment_variable_exits_3(command, project, monkeypatch):
    monkeypatch.setenv("RAGPROOF_LLM_PROVIDER", "opnai")

    code, _, err = project.command(command)

    assert code == 3
    assert "RAGPROOF_LLM_PROVIDER: got 'opnai'" in err
    assert "did you mean 'openai'?" in err


@pytest.mark.parametrize(
    ("target", "message"),
    [("nowhere:Pipeline", "nowhere"), ("pipeline", "module:attribute")],
)
def test_a_pipeline_that_cannot_be_had_exits_3(target, message, project):
    project.write_config(adapter={"type": "python", "target": target})

    code, out, err = project.command("run")

    assert (code, out) == (3, "")
    assert err.startswith("error: ")
    assert message in err


def test_an_unexpected_fault_exits_2_without_a_traceback(capsys):
    code = main([7])  # type: ignore[list-item] # a fault that no user can make

    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("error: unexpected TypeError: ")
    assert err.endswith("(this is a fault of ragproof-ray; --verbose shows where)\n")


class Raising:
    """An argument that no user can give: to look at it raises an exception."""

    def __init__(self, error):
        self.error = error

    def __iter__(self):
        raise self.error


class Panic(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (StoppedBySignal(15), 143, "interrupted"),
        (
            SystemExit(0),
            2,
            "the pipeline or a metric ended the program (SystemExit: 0); ",
        ),
        (Panic("threads"), 2, "unexpected "),
        (UnicodeEncodeError("ascii", "\u00e9", 0, 1, "no"), 2, "a path cannot be"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no"), 2, "unexpected Unicode"),
    ],
)
def test_whatever_ends_a_command_is_one_message(error, code, message, capsys):
    ended_with = main([Raising(error)])  # type: ignore[list-item] # no text

    err = capsys.readouterr().err
    assert ended_with == code
    assert err.startswith(f"error: {message}")
    assert len(err.splitlines()) == 1


def test_verbose_shows_where_an_error_arose(project):
    project.write_config(run={"k": 0})

    code, _, err = project.command("run", "--verbose")

    assert code == 3
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("error: ")


def test_messages_hide_secrets_and_cannot_drive_a_terminal(project, monkeypatch):
    monkeypatch.setenv("SHOP_TOKEN", "tok-123456789")

    code, _, err = project.command("run", "--dataset", "tok-123456789\x1b[2J.jsonl")

    assert code == 3
    assert "[redacted]\ufffd[2J.jsonl" in err
    assert "\x1b" not in err
