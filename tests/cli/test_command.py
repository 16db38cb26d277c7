from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conjunct import __version__
from conjunct.cli.command import run as run_here
from quick_demo import QUICK_DEMO

MODULE = [sys.executable, "-m", "conjunct"]
SCRIPT = [str(Path(sys.executable).with_name("conjunct"))]
DEMO = [sys.executable, "-c", QUICK_DEMO]
SETTINGS = ("COLUMNS", "CONJUNCT_THREADS", "CONJUNCT_SIMD", "CONJUNCT_MEMORY", "PYTHONDEVMODE", "FORCE_COLOR")


def environment(**settings: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in SETTINGS} | settings


def run(
    *arguments: str, command: list[str] = MODULE, stdout: Any = subprocess.PIPE, **settings: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=environment(**settings),
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def assert_refused(done: subprocess.CompletedProcess[str], code: int, reason: str) -> None:
    """One printable line on stderr, nothing on stdout."""
    assert done.returncode == code
    assert not done.stdout
    assert done.stderr.endswith("\n")
    line = done.stderr.removesuffix("\n")
    assert line.startswith("conjunct: ")
    assert line.isprintable()
    assert reason in line


@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []], ids=repr)
def test_help_says_how_to_begin_also_where_no_command_is_given(command: list[str], arguments: list[str]) -> None:
    done = run(*arguments, command=command)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: conjunct [OPTIONS] COMMAND")
    assert "Example: conjunct demo" in done.stdout
    assert "  demo  " in done.stdout


def test_the_help_of_a_command_has_an_example() -> None:
    done = run("demo", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: conjunct demo" in done.stdout
    assert "Example: conjunct demo --json" in done.stdout
    assert all(option in done.stdout for option in ("--json", "--quick", "--quiet", "--seed", "--help"))


@pytest.mark.parametrize("arguments", [["--help"], ["demo", "--help"], ["--version"]], ids=" ".join)
def test_help_loads_neither_numpy_nor_scikit_learn(arguments: list[str]) -> None:
    code = f"""
import sys
from conjunct.cli import main
try:
    main({arguments!r})
except SystemExit as end:
    print(end.code, sorted({{"numpy", "sklearn", "scipy", "conjunct._core"}} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=120)
    assert done.stdout.splitlines()[-1] == "0 []"


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").stdout == f"conjunct, version {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["dmeo"], "no command is called 'dmeo', the nearest is 'demo'; see 'conjunct --help'"),
        (["Evaluation"], "no command is called 'Evaluation', the nearest is 'evaluate'; see 'conjunct --help'"),
        (["--nope"], "--nope"),
        (["demo", "--nope"], "--nope"),
        (["demo", "more"], "(more); see 'conjunct demo --help'"),
        (["demo", "--seed", "x"], "'--seed': 'x'"),
        (["demo", "--seed", "-1"], "'--seed': -1"),
        (["demo", "--seed", "2147483648"], "2147483648"),
        (["demo", "--seed"], "--seed"),
        (["a\x1b[2Jb\nc\x07\u202e"], r"a\x1b[2Jb\nc\x07\u202e"),
        (["demo", "x\x1b]0;title\x07"], r"x\x1b]0;title\x07"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["module", "script"])
def test_a_wrong_command_is_one_line_and_exit_code_2(command: list[str], arguments: list[str], reason: str) -> None:
    assert_refused(run(*arguments, command=command), 2, reason)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("CONJUNCT_SIMD", "x"),
        ("CONJUNCT_SIMD", "\x1b[2J"),
        ("CONJUNCT_THREADS", "0"),
        ("CONJUNCT_THREADS", "two"),
        ("CONJUNCT_MEMORY", "lots"),
    ],
)
def test_a_wrong_setting_is_refused_by_name_before_any_work(setting: str, value: str) -> None:
    assert_refused(run("demo", **{setting: value}), 2, f"{setting}=")


def test_a_bug_is_one_line_and_exit_code_3_without_a_traceback() -> None:
    code = """
import conjunct.cli.demo
from conjunct.cli import main
conjunct.cli.demo.show_tree = lambda *_: 1 / 0
main(["demo", "--quiet"])
"""
    done = run("-c", code, command=[sys.executable])
    assert_refused(done, 3, "a bug of conjunct, please report it: ZeroDivisionError")


def test_too_little_memory_is_exit_code_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CONJUNCT_MEMORY", "10 B")
    code = run_here(["demo", "--quiet"])
    assert_refused(subprocess.CompletedProcess("demo", code, *capsys.readouterr()), 3, "limit is 10 B")


@pytest.mark.parametrize(
    "command",
    [DEMO, [*DEMO, "--json"], [*MODULE, "lab", "--json"], [*MODULE, "--help"]],
    ids=["demo", "demo --json", "lab --json", "--help"],
)
def test_a_full_disk_is_exit_code_3(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        assert_refused(run(command=command, stdout=full), 3, "No space left on device")


@pytest.mark.parametrize(
    "command", [[*MODULE, "lab"], [*DEMO, "--json"], [*MODULE, "--help"]], ids=["lab", "demo", "help"]
)
def test_a_reader_that_leaves_ends_the_run_without_a_word(command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run(command=command, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "redirection"),
    [("demo", ">&- 2>&-")]
    + [(arguments, to) for arguments in ("--help", "dmeo") for to in (">&-", "2>&-", ">&- 2>&-", "2>/dev/full")],
)
def test_closed_or_full_streams_bring_no_traceback(arguments: str, redirection: str) -> None:
    command = DEMO if arguments == "demo" else [*MODULE, arguments]
    done = run("-c", f'"$@" {redirection}', "sh", *command, command=["sh"])
    is_lost = redirection.startswith(">&-")
    assert done.returncode == (2 if arguments == "dmeo" else 3 if is_lost else 0)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (redirection == ">&-")
