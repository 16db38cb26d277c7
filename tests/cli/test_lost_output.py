"""Output that cannot be written, and input that cannot be read, end with one line and the right exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from conjunct.cli.command import run

TABLE = "color,age,buys\nred,21,no\nblue,35,yes\nred,40,no\nblue,44,yes\nred,19,no\nblue,51,yes\n"
COMMANDS = {
    "help": "--help",
    "version": "--version",
    "help of predict": "predict --help",
    "demo": "demo --quick",
    "demo --json": "demo --quick --json",
    "fit": "fit data.csv --no-validation",
    "fit --json": "fit data.csv --no-validation --json",
    "fit -o": "fit data.csv --no-validation -o other.model",
    "predict": "predict data.model data.csv",
    "predict --json": "predict data.model data.csv --json",
    "predict from stdin": "predict data.model - < data.csv",
    "evaluate": "evaluate data.model data.csv",
    "evaluate --json": "evaluate data.model data.csv --json",
    "evaluate --quiet": "evaluate data.model data.csv --quiet",
    "lab": "lab",
    "lab --json": "lab --json",
    "lab NAME --json": "lab elimination --quick --json",
}
SILENT = {
    "fit -o --quiet": "fit data.csv --no-validation -o other.model --quiet",
    "predict -o": "predict data.model data.csv -o labels.txt",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lost")
    (folder / "data.csv").write_text(TABLE)
    fit = ["fit", str(folder / "data.csv"), "--no-validation", "-o", str(folder / "data.model"), "--quiet"]
    assert run(fit) == 0
    return folder


# Root may read everything, unless it gives up the right to.
AS_OTHERS = "setpriv --bounding-set=-dac_override,-dac_read_search" if os.geteuid() == 0 else ""


def shell(line: str, folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    command = (
        f"conjunct() {{ {before} '{sys.executable}' -m conjunct \"$@\"; }}; {line.replace('$conjunct', 'conjunct')}"
    )
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONDEVMODE", "FORCE_COLOR")}
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=300,
    )


@cache
def undisturbed(command: str, folder: Path) -> str:
    """Return what a command prints when nothing happens to its streams."""
    with chdir(folder), redirect_stdout(StringIO()) as out:  # in this process, which spares the imports
        assert run(command.split()) == 0
    return out.getvalue()


def require_line(done: subprocess.CompletedProcess[str], code: int, text: str) -> None:
    assert done.returncode == code, done.stderr
    line = done.stderr.removesuffix("\n")
    assert line.isprintable()
    assert line.startswith("conjunct: ")
    assert text in line


LOSSES = {
    ">&-": "Bad file descriptor",
    "> /dev/full": "No space left on device",
    "1< /dev/null": "Bad file descriptor",
}


def slow(*case: str, unless: bool = False) -> Any:
    """A process that learns costs as much as ten that predict: once for each promise, else in the long runs."""
    is_long = not unless and case[0].startswith(("fit", "demo"))
    return pytest.param(*case, marks=[pytest.mark.long] * is_long)


def losses() -> list[Any]:
    """Every command with a closed output, some with others too."""
    some = ("predict", "fit --json", "evaluate")
    cases = [(command, loss) for command in COMMANDS for loss in LOSSES if loss == ">&-" or command in some]
    return [slow(*case, unless=case in (("fit -o", ">&-"), ("fit --json", "> /dev/full"))) for case in cases]


@pytest.mark.parametrize(("command", "redirection"), losses())
def test_lost_output_is_exit_code_3_and_one_line(folder: Path, command: str, redirection: str) -> None:
    reason = LOSSES[redirection]
    done = shell(f"$conjunct {COMMANDS[command]} {redirection}", folder)
    require_line(done, 3, f"standard output: {reason}")
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("command", "redirection"),
    [
        slow(command, redirection, unless=redirection.startswith("<"))
        for command in SILENT
        for redirection in (">&-", "> /dev/full", "<&- >&- 2>&-")
    ],
)
def test_closed_or_full_output_is_no_matter_where_nothing_is_written(
    folder: Path, command: str, redirection: str
) -> None:
    done = shell(f"$conjunct {SILENT[command]} {redirection}", folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "data.csv").read_text() == TABLE
    if "fit" in command:
        assert (folder / "other.model").read_bytes() == (folder / "data.model").read_bytes()


@pytest.mark.parametrize(
    ("command", "redirection"),
    [
        slow(command, redirection, unless=redirection.startswith("<"))
        for command in ("fit --json", "predict", "help")
        for redirection in ("2>&-", "2> /dev/full", "<&- 2>&-")
    ],
)
def test_what_happens_to_the_other_streams_does_not_touch_the_output(
    folder: Path, command: str, redirection: str
) -> None:
    done = shell(f"$conjunct {COMMANDS[command]} {redirection}", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == undisturbed(COMMANDS[command], folder)


@pytest.mark.parametrize(
    "command", ["fit", slow("fit --json"), "predict", "predict --json", "evaluate", "lab", "version"]
)
def test_a_reader_that_leaves_is_a_quiet_end(folder: Path, command: str) -> None:
    done = shell(f"{{ $conjunct {COMMANDS[command]}; echo $? > code; }} | true; cat code", folder)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.fixture
def files(folder: Path, tmp_path: Path) -> Path:
    for name in ("data.csv", "data.model"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nothing")
    (tmp_path / "folder").mkdir()
    (tmp_path / "locked").write_text(TABLE)
    (tmp_path / "locked").chmod(0)
    return tmp_path


Call = Callable[[str], subprocess.CompletedProcess[str]]


@pytest.fixture
def conjunct(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command among these files, without a process of its own: its streams are not the point."""
    monkeypatch.chdir(files)

    def call(line: str) -> subprocess.CompletedProcess[str]:
        code = run(line.split())
        out = capsys.readouterr()
        return subprocess.CompletedProcess(line, code, out.out, out.err)

    return call


LONG = "n" * 300
BAD_NAMES = {
    "loop": "Too many levels of symbolic links",
    "dangling": "No such file or directory",
    "nothing": "No such file or directory",
    "folder": "Is a directory",
    "data.csv/x": "Not a directory",
    LONG: "File name too long",
}
READS = ("fit NAME --no-validation", "evaluate data.model NAME", "predict NAME data.csv")


@pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: name[:10])
@pytest.mark.parametrize("command", READS)
def test_an_input_that_cannot_be_opened_is_named_with_exit_code_2(conjunct: Call, command: str, name: str) -> None:
    done = conjunct(command.replace("NAME", name))
    require_line(done, 2, f"{name}: {BAD_NAMES[name]}, expected ")
    assert done.stdout == ""


@pytest.mark.parametrize("command", READS)
def test_an_input_that_may_not_be_read_is_named_with_exit_code_2(files: Path, command: str) -> None:
    done = shell(f"$conjunct {command.replace('NAME', 'locked')}", files, before=AS_OTHERS)
    require_line(done, 2, "locked: Permission denied, expected ")


@pytest.mark.parametrize("command", [slow(command) for command in READS])
def test_a_read_that_fails_is_named_with_exit_code_3(files: Path, command: str) -> None:
    """The memory of the process: it opens, and its first byte cannot be read."""
    done = shell(f"$conjunct {command.replace('NAME', '/proc/self/mem')}", files)
    require_line(done, 3, "/proc/self/mem: Input/output error")
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("line", "code", "reason"),
    [
        pytest.param("fit - --no-validation < /proc/self/mem", 3, "Input/output error", marks=pytest.mark.long),
        pytest.param("fit - --no-validation 0> written", 3, "Bad file descriptor", marks=pytest.mark.long),
        ("fit - --no-validation <&-", 2, "it is closed"),
        ("predict data.model - < /proc/self/mem", 3, "Input/output error"),
        ("predict data.model - 0> written", 3, "Bad file descriptor"),
        ("evaluate data.model - <&-", 2, "it is closed"),
    ],
)
def test_a_standard_input_that_cannot_be_read_is_named(files: Path, line: str, code: int, reason: str) -> None:
    require_line(shell(f"$conjunct {line}", files), code, f"stdin: {reason}")


WRITES = ("fit data.csv --no-validation -o NAME", "predict data.model data.csv -o NAME")


@pytest.mark.parametrize(
    "name", ["loop", "folder", "nothing/x", "data.csv/x", LONG, "loop/x"], ids=lambda name: name[:10]
)
@pytest.mark.parametrize("command", WRITES)
def test_an_output_that_cannot_be_written_is_named_with_exit_code_2(conjunct: Call, command: str, name: str) -> None:
    done = conjunct(command.replace("NAME", name))
    assert name in done.stderr
    require_line(done, 2, "")
    assert done.stdout == ""


@pytest.mark.parametrize("name", ["loop", "data.csv", "loop/x", LONG], ids=lambda name: name[:10])
def test_a_folder_that_cannot_be_made_is_named_with_exit_code_2(conjunct: Call, name: str) -> None:
    require_line(conjunct(f"lab elimination --quick -o {name}"), 2, f"{name}: ")


PLACES_OF_WORK = (
    "conjunct.datasets.read_data",
    "conjunct.datasets.reading.read_data",
    "conjunct.saving.table_model.load_model",
    "conjunct.lab.run",
    "conjunct.cli.demo.show_tree",
)


@pytest.mark.parametrize(
    ("command", "doing"),
    [
        ("fit data.csv --no-validation", "reading data.csv"),
        ("predict data.model data.csv", "reading data.model"),
        ("evaluate data.model data.csv", "reading data.model"),
        ("lab elimination --quick", "running 'conjunct lab'"),
        ("demo", "running 'conjunct demo'"),
    ],
)
def test_memory_that_runs_out_says_what_was_being_done(
    conjunct: Call, monkeypatch: pytest.MonkeyPatch, command: str, doing: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    for place in PLACES_OF_WORK:
        monkeypatch.setattr(place, fail)
    require_line(conjunct(command), 3, f"out of memory while {doing}")
