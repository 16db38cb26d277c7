from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conjunct.cli.command import run
from conjunct.estimators import ConjunctionSVC, ConjunctionSVCCV, KernelPerceptronClassifier, load
from conjunct.kernels import Conjunctions, Geometric

MONKS = "embedded:monks-1"
SPARSE = "+1 1:1 3:1\n-1 2:1\n+1 1:1 4:1\n-1 2:1 4:1\n"
THREE = "a,b,y\n" + "u,1,k\nv,1,l\nw,0,m\n" * 8
QUICK = ("--no-validation",)
HEADER = {"exact": "blocks", "margin": "steps", "perceptron": "updates"}

# The command, with a word when learning begins, so that the signal meets it there.
SPOKEN = """
import sys
from conjunct.cli import main
from conjunct.estimators import ConjunctionSVC, ConjunctionSVCCV

def spoken(kind):
    fit = kind.fit
    def begin(self, X, y):
        print("learning", flush=True)
        return fit(self, X, y)
    kind.fit = begin

spoken(ConjunctionSVC)
spoken(ConjunctionSVCCV)
main(sys.argv[1:])
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def conjunct(*arguments: str, code: int = 0) -> str:
    """Run the command in this process; return what it printed, or the one line of a refusal."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        ended = run(list(arguments))
    if code == 0:
        assert (ended, err.getvalue()) == (0, "")
        return out.getvalue()
    assert (ended, out.getvalue(), err.getvalue().count("\n")) == (code, "", 1)
    return err.getvalue().removeprefix("conjunct: ").removesuffix("\n")


def fitted(*options: str, data: str = MONKS) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(conjunct("fit", data, *options, "--json", "--quiet"))
    return result


def before_rules(text: str) -> list[str]:
    """Return the lines above the heaviest conjunctions."""
    return text.split("\n\nIts heaviest conjunctions")[0].splitlines()


# What is learned and said


@pytest.mark.parametrize("solver", ["exact", "margin", "perceptron"])
def test_svc_says_bound_risk_and_gap(solver: str) -> None:
    text = conjunct("fit", MONKS, "--learner", "svc", "--solver", solver, *QUICK, "-o", "m")
    machine = load("m")
    assert isinstance(machine, ConjunctionSVC)
    assert (machine.solver, machine.model_.kernel) == (solver, Conjunctions(3))
    *_, first, header, line = before_rules(text)
    saved = text.splitlines()[-1]
    assert first.startswith("Learning on all rows, lam 417: ")
    assert first.endswith(" % of them are right. No polynomial has a risk below the bound.")
    assert header.split() == f"output bound risk gap support rows {HEADER[solver]} stopped by".split()
    label, bound, risk, gap, n_support, n_iter, *stopped = line.split()
    assert label == "1"
    assert float(bound) == pytest.approx(float(machine.bound_), rel=1e-5)
    assert float(risk) == pytest.approx(float(machine.risk_), rel=1e-5)
    assert float(gap) == pytest.approx(machine.gap_, rel=0.05)
    assert (int(n_support), int(n_iter)) == (machine.n_support_, machine.n_iter_)
    assert stopped == (["no", "update", "left"] if solver == "perceptron" else ["gap", "reached"])
    assert saved == "Saved m"
    assert "certified" not in text


def test_svc_as_json_has_the_exact_numbers_of_the_model() -> None:
    result = fitted("--learner", "svc", "--lam", "7/2", "--tol", "1e-2", *QUICK, "-o", "m")
    machine = load("m")
    (output,) = result["outputs"]
    assert (result["learner"], result["solver"], result["lam"]) == ("svc", "exact", "7/2")
    assert (output["label"], output["stopped_by"]) == (1, "gap")
    assert (Fraction(output["bound"]), Fraction(output["risk"])) == (machine.bound_, machine.risk_)
    assert "/" in output["bound"]
    assert output["gap"] == machine.gap_ == pytest.approx(1 - machine.bound_ / machine.risk_)
    assert 0 < output["gap"] <= 1e-2
    assert (output["support_rows"], output["iterations"]) == (machine.n_support_, machine.n_iter_)
    assert not {"passes", "mistakes", "prediction", "stopped_by", "max_size", "search_accuracy"} & set(result)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--max-size", "2"], {"max_size": 2, "literals": "both"}),
        (["--all-sizes", "--literals", "positive"], {"max_size": None, "literals": "positive"}),
        (["--costs", "1/2"], {"kernel": Conjunctions(3, Geometric("1/2"))}),
        (["--lam", "0.25"], {"lam_": Fraction(1, 4)}),
        (["--tol", "1e-6"], {"tol": 1e-6}),
        (["--time-limit", "60"], {"time_limit": 60.0}),
        (
            [],
            {
                "kernel": None,
                "max_size": 3,
                "literals": "both",
                "lam": None,
                "lam_": 417,
                "tol": 1e-3,
                "time_limit": None,
            },
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_reach_the_machine(options: list[str], expected: dict[str, Any]) -> None:
    assert run(["fit", MONKS, "--learner", "svc", *QUICK, "--quiet", "-o", "m", *options]) == 0
    machine = load("m")
    assert {name: getattr(machine, name) for name in expected} == expected


def test_costs_reach_the_kernel_perceptron_too() -> None:
    assert run(["fit", MONKS, "--learner", "kernel-perceptron", "--costs", "0.5", *QUICK, "--quiet", "-o", "m"]) == 0
    assert KernelPerceptronClassifier.load("m").kernel == Conjunctions(3, Geometric("1/2"))


def test_svc_cv_says_what_it_chose() -> None:
    options = ["--learner", "svc-cv", "--max-sizes", "1,3", "--lams", "1/2,4", *QUICK]
    text = conjunct("fit", MONKS, *options, "-o", "m")
    search = load("m")
    assert isinstance(search, ConjunctionSVCCV)
    assert (search.max_sizes, len(search.cv_results_["lam"]), search.max_size_) == ((1, 3), 4, 3)
    assert search.lam_ in (Fraction(1, 2), 4)
    lam = "4" if search.lam_ == 4 else "0.5"
    share = f"{100 * search.best_score_:.2f}"
    assert f"\nThe search chose conjunctions of size up to 3 and lam {lam}: {share} % right in its own folds.\n" in text
    assert f"\nLearning on all rows, lam {lam}: " in text
    assert "certified" not in text
    result = fitted(*options)
    assert (result["max_size"], Fraction(result["lam"])) == (3, search.lam_)
    assert (result["search_accuracy"], result["solver"]) == (search.best_score_, "exact")


def test_several_classes_have_a_line_each(here: Path) -> None:
    (here / "three.csv").write_text(THREE)
    for learner, kind in (("svc", ConjunctionSVC), ("svc-cv", ConjunctionSVCCV)):
        text = conjunct("fit", "three.csv", "--learner", learner, *QUICK, "-o", "m")
        lines = before_rules(text)
        start = next(i for i, line in enumerate(lines) if line.split()[:1] == ["output"])
        assert [line.split()[0] for line in lines[start + 1 :]] == ["k", "l", "m"]
        assert len({len(line.rpartition("  ")[0]) for line in lines[start:]}) == 1
        outputs = fitted("--learner", learner, *QUICK, data="three.csv")["outputs"]
        machine = kind.load("m")
        assert tuple(Fraction(output["risk"]) for output in outputs) == machine.risk_
        assert conjunct("evaluate", "m", "three.csv", "--quiet") == "1.000000\n"
        assert len(json.loads(conjunct("predict", "m", "three.csv", "--json").splitlines()[0])["decision"]) == 3


def test_sparse_rows(here: Path) -> None:
    (here / "s.txt").write_text(SPARSE)
    (here / "t.txt").write_text("-1 2:1\n+1 1:1\n")
    assert "\n  1 " in conjunct("fit", "s.txt", "--learner", "svc", "--folds", "2", "--no-baselines", "-o", "m")
    assert conjunct("predict", "--labels", "m", "t.txt") == "-1\n1\n"
    assert conjunct("evaluate", "m", "t.txt", "--quiet") == "1.000000\n"


@pytest.mark.parametrize("learner", ["svc", "svc-cv"])
def test_a_model_predicts_and_is_evaluated_as_it_was_fitted(learner: str) -> None:
    result = fitted("--learner", learner, "--folds", "3", "-o", "m")
    names = [line["learner"] for line in result["validation"]]
    assert names == ["conjunct", "largest class", "logistic regression", "decision tree"]
    assert result["validation"][0]["accuracy"] > result["validation"][1]["accuracy"]
    assert float(conjunct("evaluate", "m", MONKS, "--quiet")) == pytest.approx(result["training_accuracy"], abs=1e-6)
    lines = [json.loads(line) for line in conjunct("predict", "m", MONKS, "--json").splitlines()]
    assert len(lines) == result["rows"]
    assert all((line["decision"] >= 0) == (line["label"] == 1) for line in lines)


def test_the_default_size_gives_way_to_few_variables_and_to_fewer_in_a_fold(here: Path) -> None:
    (here / "t.csv").write_text("a,b,y\n" + "u,0,no\nv,0,yes\n" * 4 + "w,1,yes\n")
    assert run(["fit", "t.csv", "--learner", "svc", "--folds", "4", "--quiet", "-o", "m"]) == 0
    (here / "one.csv").write_text("a,y\n" + "u,no\nv,yes\n" * 4)
    assert run(["fit", "one.csv", "--learner", "svc", "--folds", "2", "--quiet", "-o", "m"]) == 0
    assert ConjunctionSVC.load("m").model_.kernel == Conjunctions(1)


def test_the_time_limit_is_said() -> None:
    text = conjunct("fit", MONKS, "--learner", "svc", "--time-limit", "0.000000001", *QUICK)
    assert before_rules(text)[-1].endswith(" 1  time limit")


# Refusals


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--lam", "0"], "lam=0: expected a positive number"),
        (["--lam", "-1"], "lam=-1: expected a positive number"),
        (["--lam", "abc"], "lam='abc': expected "),
        (["--tol", "2"], "tol=2.0: expected a relative gap between 0 and 1"),
        (["--max-size", "18"], "--max-size 18: the rows have 17 variables, expected no more"),
        (["--solver", "nonsense"], "'--solver': 'nonsense' is not one of 'exact', 'margin', 'perceptron'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_options_are_refused_in_one_line(here: Path, options: list[str], reason: str) -> None:
    assert reason in conjunct("fit", MONKS, "--learner", "svc", "-o", "m", *options, code=2)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("learner", "options", "reason"),
    [
        ("svc", ["--tol", "x"], "tol='x': expected a relative gap"),
        ("svc", ["--tol", "nan"], "tol='nan': expected a relative gap"),
        ("svc", ["--costs", "0"], "costs=0: expected a positive number"),
        ("svc", ["--costs", "x"], "costs='x': expected "),
        ("svc", ["--time-limit", "0"], "time_limit=0.0: expected a positive number of seconds"),
        ("svc", ["--time-limit", "soon"], "time_limit='soon': expected a positive number of seconds"),
        ("svc", ["--solver", "perceptron", "--tol", "0.1"], "--tol belongs to --solver exact or margin"),
        ("svc", ["--max-passes", "100"], "--max-passes belongs to --learner kernel-perceptron or perceptron or winnow"),
        ("svc", ["--prediction", "auto"], "--prediction belongs to --learner kernel-perceptron or perceptron or "),
        ("svc", ["--threshold", "0"], "--threshold belongs to --learner kernel-perceptron or perceptron or winnow"),
        ("svc", ["--max-sizes", "1"], "--max-sizes belongs to --learner svc-cv, not svc"),
        ("svc-cv", ["--max-size", "1"], "--max-size belongs to --learner svc or mask or kernel-perceptron, not svc-cv"),
        ("svc-cv", ["--lam", "1"], "--lam belongs to --learner svc or mask, not svc-cv"),
        ("svc-cv", ["--time-limit", "1"], "--time-limit belongs to --learner svc, not svc-cv"),
        ("svc-cv", ["--max-passes", "3"], "--max-passes belongs to "),
        ("svc-cv", ["--max-sizes", "1,x"], "--max-sizes '1,x': expected whole numbers between commas"),
        ("svc-cv", ["--max-sizes", ""], "--max-sizes '': expected whole numbers between commas"),
        ("svc-cv", ["--max-sizes", "0"], "max_sizes=(0,): expected positive integers"),
        ("svc-cv", ["--max-sizes", "18"], "max_sizes=(18,): none fits rows of 17 variables"),
        ("svc-cv", ["--lams", "1,,2"], "lam='': expected "),
        ("svc-cv", ["--lams", "4,0"], "lam=0: expected a positive number"),
        ("perceptron", ["--lam", "1"], "--lam belongs to --learner svc or mask, not perceptron"),
        ("winnow", ["--costs", "1"], "--costs belongs to --learner svc or svc-cv or kernel-perceptron, not winnow"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_without_meaning_are_refused(
    here: Path, capsys: pytest.CaptureFixture[str], learner: str, options: list[str], reason: str
) -> None:
    assert run(["fit", MONKS, "--learner", learner, "-o", "m", *options]) == 2
    out = capsys.readouterr()
    assert reason in out.err
    assert (out.out, out.err.count("\n")) == ("", 1)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("learner", ["svc", "svc-cv"])
def test_one_class_is_refused(here: Path, learner: str) -> None:
    (here / "one.csv").write_text("a,y\nu,k\nv,k\n")
    line = conjunct("fit", "one.csv", "--learner", learner, code=2)
    assert line == "one.csv:2: every row has the label 'k', expected at least 2 classes"
    (here / "one.txt").write_text("+1 1:1\n+1 2:1\n")
    assert conjunct("fit", "one.txt", "--learner", learner, code=2).startswith("one.txt:1: every row has the label ")


@pytest.mark.parametrize(
    ("n_rows", "options", "left"), [(4, QUICK, 4), (6, ("--folds", "5"), 4), (7, ("--folds", "2"), 3)]
)
def test_a_search_on_too_few_rows_of_a_label_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], n_rows: int, options: tuple[str, ...], left: int
) -> None:
    (here / "t.csv").write_text("a,y\n" + "u,no\nv,yes\n" * n_rows + "u,no\n" * 9)
    assert run(["fit", "t.csv", "--learner", "svc-cv", *options]) == 2
    assert f"5 folds of its own, which need as many rows of every label, and one has {left} to learn from" in (
        capsys.readouterr().err
    )
    (here / "t.csv").write_text("a,y\n" + "u,no\nv,yes\n" * (n_rows + 3))
    assert run(["fit", "t.csv", "--learner", "svc-cv", *options, "--quiet"]) == 0


# The terminal and the interrupt


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Run the command with standard error on a terminal; return the exit code and what the terminal was sent."""
    keyboard, screen = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TTY_COMPATIBLE")}
    command = [sys.executable, "-m", "conjunct", *arguments]
    streams: Any = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": screen}
    shown = b""
    with subprocess.Popen(command, env=kept | {"TERM": "xterm", "COLUMNS": "80"}, **streams) as process:
        os.close(screen)
        while True:
            try:
                data = os.read(keyboard, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
    os.close(keyboard)
    return process.returncode, shown.decode()


def test_the_search_has_a_bar_on_a_terminal_that_is_not_in_the_file(here: Path) -> None:
    code, shown = on_a_terminal("fit", MONKS, "--learner", "svc-cv", "--folds", "2", "-o", "a")
    assert code == 0
    assert re.search(r"learning from all rows.*about.*left,.*100%", shown)
    assert shown.index("validating") < shown.index("learning from all rows")
    assert "validating" not in shown[shown.index("learning from all rows") :]  # one bar after the other
    assert on_a_terminal("fit", MONKS, "--learner", "svc-cv", *QUICK, "--quiet", "-o", "b") == (0, "")
    assert (here / "a").read_bytes() == (here / "b").read_bytes()


@pytest.mark.parametrize("options", [["svc", "--solver", "margin", "--tol", "1e-15"], ["svc-cv"]], ids=" ".join)
def test_an_interrupt_is_one_line_and_leaves_no_file(here: Path, options: list[str]) -> None:
    random = np.random.RandomState(0)
    rows = random.randint(0, 2, (2000, 61))
    names = ",".join(f"v{i}" for i in range(61))
    (here / "t.csv").write_text(f"{names}\n" + "".join(",".join(map(str, row)) + "\n" for row in rows.tolist()))
    command = [sys.executable, "-c", SPOKEN, "fit", "t.csv", *QUICK, "--quiet", "-o", "m", "--learner", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "learning\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "conjunct: interrupted\n")
    assert [path.name for path in here.iterdir()] == ["t.csv"]


@pytest.mark.parametrize("solver", ["exact", "margin", "perceptron"])
def test_a_run_that_time_ended_is_made_again_by_its_iterations(solver: str) -> None:
    Path("three.csv").write_text(THREE + "u,0,l\nw,1,k\nv,0,m\n")
    how = ("fit", "three.csv", *QUICK, "--quiet", "--json", "--learner", "svc", "--solver", solver)
    cut = json.loads(conjunct(*how, "-o", "cut", "--time-limit", "0.000001"))["outputs"]
    assert {output["stopped_by"] for output in cut} == {"gap" if solver == "exact" else "time_limit"}  # in one block
    iterations = ",".join(str(output["iterations"]) for output in cut)
    again = json.loads(conjunct(*how, "-o", "again", "--max-iter", iterations))["outputs"]
    assert [output | {"stopped_by": ""} for output in again] == [output | {"stopped_by": ""} for output in cut]
    assert conjunct("predict", "again", "three.csv", "--json") == conjunct("predict", "cut", "three.csv", "--json")


def test_limits_that_are_none_are_refused_by_name() -> None:
    for limit in ("x", "1,x", "0", "1,2,3"):
        said = conjunct("fit", MONKS, "--learner", "svc", "--max-iter", limit, *QUICK, code=2)
        assert "max-iter" in said or "max_iter" in said
