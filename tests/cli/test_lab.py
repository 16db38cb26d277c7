from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from fractions import Fraction
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from conjunct.cli.command import run as run_here
from conjunct.files.canonical_json import decode
from conjunct.lab import EXPERIMENTS, PAPERS, verdict
from conjunct.lab.experiments import perceptron_bound as quickest

SCRIPT = str(Path(sys.executable).with_name("conjunct"))
SETTINGS = ("COLUMNS", "LINES", "CONJUNCT_THREADS", "CONJUNCT_SIMD", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE")
QUICKEST = "perceptron-bound"

WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = sys.modules["matplotlib.figure"] = None
from conjunct.cli import main
main({arguments!r})
"""


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return kept | {"TERM": "xterm-256color"}


def run(*arguments: str, code: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [SCRIPT, *arguments]
    if code is not None:
        command = [sys.executable, "-c", code.format(arguments=list(arguments))]
    return subprocess.run(
        command,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=environment(),
        encoding="utf-8",
        check=False,
        timeout=120,
    )


@cache
def lab(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which spares its imports."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = run_here(["lab", *arguments])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


@pytest.fixture(autouse=True)
def usual_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)


def make_the_bound_smaller(factor: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    bound = quickest.perceptron_bound
    monkeypatch.setattr(quickest, "perceptron_bound", lambda **sizes: bound(**sizes) * factor)


def assert_refused(done: subprocess.CompletedProcess[str], reason: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    line = done.stderr.removesuffix("\n")
    assert line.startswith("conjunct: ")
    assert line.isprintable()
    assert reason in line


def test_the_list_has_every_experiment_with_its_statement() -> None:
    done = lab()
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    text = " ".join(done.stdout.split())
    for name, experiment in EXPERIMENTS.items():
        assert f"{name} {experiment.statement}" in text
    names = [line.strip() for line in done.stdout.splitlines() if re.match("  [a-z]", line)]
    assert sorted(names) == sorted(EXPERIMENTS)
    assert lab("--quiet").stdout.split() == list(EXPERIMENTS)
    listed = [json.loads(line) for line in lab("--json").stdout.splitlines()]
    assert [(each["name"], each["statement"]) for each in listed] == [
        (each.name, each.statement) for each in EXPERIMENTS.values()
    ]


def test_the_list_goes_by_paper_the_oldest_first() -> None:
    papers = [" ".join(part.split("\n  ")[0].split()) for part in lab().stdout.strip().split("\n\n")]
    assert papers[0] == "Novikoff 1962, On Convergence Proofs on Perceptrons"
    years = [int(re.findall(r" (\d{4}), ", paper)[0]) for paper in papers]
    assert years == sorted(years)
    for part, paper in zip(lab().stdout.strip().split("\n\n"), papers, strict=True):
        names = re.findall(r"^  ([a-z-]+)$", part, re.MULTILINE)
        assert names
        assert {str(PAPERS[EXPERIMENTS[name].source[0][0]]) for name in names} == {paper}


def test_a_run_prints_table_and_verdict_and_writes_nothing(tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [SCRIPT, "lab", QUICKEST, "--quick"], capture_output=True, encoding="utf-8", cwd=tmp_path, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(tmp_path.iterdir()) == before
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == EXPERIMENTS[QUICKEST].statement
    assert lines[-1] == f"{QUICKEST}: holds (tightness 1.000)"
    assert any("Perceptron" in line and line.endswith("1.000") for line in lines)


@pytest.mark.parametrize(
    "name", [name if name == "elimination" else pytest.param(name, marks=pytest.mark.long) for name in EXPERIMENTS]
)
def test_quiet_leaves_the_verdict_and_every_experiment_holds(name: str) -> None:
    done = lab(name, "--quick", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{name}: holds (tightness ")
    assert done.stdout.count("\n") == 1


def test_json_is_one_object_with_the_verdict() -> None:
    done = lab(QUICKEST, "--quick", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    result: dict[str, Any] = json.loads(done.stdout)
    assert (result["verdict"], result["violated_by"]) == ("holds", None)
    assert verdict(result).word == "holds"
    assert result["seed"] == 0
    other: dict[str, Any] = json.loads(lab(QUICKEST, "--quick", "--json", "--seed", "5").stdout)
    assert other["seed"] == 5
    assert other["lines"] != result["lines"]


def test_a_folder_gets_the_result_and_its_figures_and_again_the_same_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    for _ in range(2):
        done = lab.__wrapped__(QUICKEST, "--quick", "-o", str(folder))
        assert (done.returncode, done.stderr) == (0, "")
    again = tmp_path / "again"  # by another process
    assert run("lab", QUICKEST, "--quick", "--seed", "0", "-o", str(again)).returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == ["figure.png", "figure.svg", "result.json"]
    for path in folder.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()
    saved = decode((folder / "result.json").read_text().removesuffix("\n"))
    printed = json.loads(lab(QUICKEST, "--quick", "--json").stdout)
    assert saved == {key: value for key, value in printed.items() if key not in ("verdict", "violated_by")}


@pytest.mark.parametrize("options", [[], ["--json"], ["--quiet"]], ids=" ".join)
def test_a_violated_statement_is_exit_code_1_and_names_the_line(
    options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_the_bound_smaller(Fraction(9, 10), monkeypatch)
    done = lab.__wrapped__(QUICKEST, "--quick", *options)
    assert (done.returncode, done.stderr) == (1, "")
    if options == ["--json"]:
        result = json.loads(done.stdout)
        assert result["verdict"] == "violated"
        assert result["violated_by"] == result["lines"][0]
    else:
        assert "violated: V1" in done.stdout.splitlines()[-1]
        assert "measured 4 is not <= 3.6" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(("factor", "tightness"), [(Fraction(9, 10), 10 / 9), (Fraction(0), None)], ids=str)
def test_a_violated_statement_is_saved_with_its_figures(
    factor: Fraction, tightness: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_the_bound_smaller(factor, monkeypatch)
    done = lab.__wrapped__(QUICKEST, "--quick", "-o", str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure.png", "figure.svg", "result.json"]
    saved: Any = decode((tmp_path / "result.json").read_text().removesuffix("\n"))
    assert verdict(saved).word == "violated"
    assert saved["tightness"] == (tightness and pytest.approx(tightness))


@pytest.mark.parametrize("options", [[], ["--json"], ["--quiet"]], ids=" ".join)
def test_a_broken_bound_of_0_is_exit_code_1(options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    make_the_bound_smaller(Fraction(0), monkeypatch)
    done = lab.__wrapped__(QUICKEST, "--quick", *options)
    assert (done.returncode, done.stderr) == (1, "")
    if options == ["--json"]:
        assert json.loads(done.stdout)["verdict"] == "violated"
    else:
        assert done.stdout.splitlines()[-1].endswith("measured 4 is not <= 0 (tightness -)")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["winow-bound"], "no experiment is called 'winow-bound'; did you mean 'winnow-bound'?"),
        (["x\x1b[2J"], r"'x\x1b[2J'"),
        (["--quick"], "need the NAME of an experiment"),
        (["--seed", "1"], "need the NAME of an experiment"),
        (["-o", "x"], "need the NAME of an experiment"),
        ([QUICKEST, "--seed", "-1"], "'--seed': -1"),
        ([QUICKEST, "more"], "more"),
        ([QUICKEST, "-o", "/dev/null"], "/dev/null: "),
        ([QUICKEST, "-o", "/proc/none"], "/proc/none: "),
    ],
    ids=repr,
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], reason: str) -> None:
    assert_refused(lab(*arguments), reason)


def test_without_matplotlib_only_figures_are_refused_and_before_any_work(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    done = run("lab", QUICKEST, "--quick", "-o", str(folder), code=WITHOUT_MATPLOTLIB)
    assert_refused(done, "pip install 'conjunct[lab]'")
    assert not folder.exists()
    assert run("lab", QUICKEST, "--quick", "--quiet", code=WITHOUT_MATPLOTLIB).returncode == 0


def test_help_has_an_example_and_loads_neither_numpy_nor_matplotlib() -> None:
    code = """
import sys
from conjunct.cli import main
try:
    main({arguments!r})
except SystemExit as end:
    print(end.code, sorted({{"numpy", "scipy", "matplotlib", "conjunct._core", "conjunct.lab"}} & sys.modules.keys()))
"""
    done = run("lab", "--help", code=code)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert "Example: conjunct lab perceptron-bound --quick -o perceptron-bound" in done.stdout


@pytest.mark.parametrize("options", [[], ["--quiet"]], ids=" ".join)
def test_a_terminal_sees_a_bar_unless_quiet(options: list[str]) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [SCRIPT, "lab", "winnow-bound", "--quick", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(),
        encoding="utf-8",
    ) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how Linux says that all writers have left
            while part := os.read(ours, 65536):
                shown += part
        out = process.communicate(timeout=120)[0]
    os.close(ours)
    assert process.returncode == 0
    assert "winnow-bound: holds" in out
    assert ("winnow-bound" in shown.decode()) == (not options)
    assert bool(shown) == (not options)
