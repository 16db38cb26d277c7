"""The demo: whole but for the longest proof, and once with it; what its streams get, where all is done at once."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import termios
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from conjunct.certificates import certify_tree
from conjunct.cli.command import run
from conjunct.cli.demo import HARD, tree_lines
from conjunct.datasets import parity
from quick_demo import QUICK_DEMO

SCRIPT = str(Path(sys.executable).with_name("conjunct"))
TABLES = {"breast-cancer": (569, 90), "tic-tac-toe": (958, 27), "monks-2": (432, 17)}
SETTINGS = ("COLUMNS", "LINES", "CONJUNCT_THREADS", "CONJUNCT_SIMD", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE")
OTHER_SEED = ("--seed", "2147483647")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

# The command with a learner that never ends by itself, so that the signal meets the native loops.
ENDLESS = """
import sys
import numpy as np
import conjunct.cli.demo
from conjunct import KernelPerceptronClassifier
from conjunct.cli import main
from conjunct.kernels import Conjunctions

def learn_all(seed):
    random = np.random.RandomState(0)
    rows, labels = random.randint(0, 2, (3000, 200)), random.randint(0, int(sys.argv[1]), 3000)
    learner = KernelPerceptronClassifier(Conjunctions(max_size=2), max_passes=10**6)
    print("learning", flush=True)
    learner.fit(rows, labels)
    yield

conjunct.cli.demo.learn_all = learn_all
conjunct.cli.demo.show_tree = lambda *_: None
main(["demo", "--quiet"])
"""


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return kept | {"TERM": "xterm-256color"}


@cache
def demo(*options: str) -> str:
    """Run in this process, which spares its imports, and return what was printed."""
    with redirect_stdout(StringIO()) as out:
        assert run(["demo", *options]) == 0
    return out.getvalue()


def quick_demo(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", QUICK_DEMO, *options],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=environment(),
        encoding="utf-8",
        check=False,
        timeout=120,
    )


@cache
def on_a_terminal(columns: int, *command: str) -> tuple[int, str, str]:
    """Run with stderr, and nothing else, on a terminal; return the exit code, stdout and what the terminal got."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(),
        encoding="utf-8",
    ) as process:
        os.close(theirs)
        shown = all_that_was_sent_to(ours)
        out = process.communicate(timeout=120)[0]
    os.close(ours)
    return process.returncode, out, shown


def installed() -> str:
    """Return what the installed command prints, stderr being a terminal of 80 columns."""
    code, out, _ = on_a_terminal(80, SCRIPT, "demo", "--quick")
    assert code == 0
    return out


def all_that_was_sent_to(terminal: int) -> str:
    """Read until all who write to the terminal have left, which Linux tells by EIO."""
    parts = []
    try:
        while part := os.read(terminal, 65536):
            parts.append(part)
    except OSError as error:
        is_end = error.errno == errno.EIO
        if not is_end:
            raise
    return b"".join(parts).decode()


def without_times(text: str) -> list[dict[str, object]]:
    return [
        {name: value for name, value in json.loads(line).items() if name != "seconds"} for line in text.splitlines()
    ]


def test_the_demo_begins_with_the_best_tree_of_breast_cancer_certified() -> None:
    begin, tree = installed().split("breast-cancer: the best tree with at most three tests on a path\n")
    assert begin.startswith("Optimal trees with proof, then learners that count exactly, on embedded tables.")
    assert "--quick" in begin
    tree = tree.split("Kernel Perceptron")[0]
    assert tree.startswith("569 rows, benign or malignant; 90 yes/no tests; a tree costs its leaves + errors\n\n")
    assert re.search(r"^\w[a-z ]+<=[0-9.]+\?\n├── yes: [a-z ]+<=[0-9.]+\?\n│   ├── yes: [a-z ]+<=", tree, re.MULTILINE)
    assert len(re.findall(r"(?:benign|malignant) \([0-9]+ rows", tree)) == 8
    claim = " ".join(tree.split())
    assert "of depth at most 3, has leaves + errors >= 29 on these 569 rows." in claim
    assert "The tree in the certificate has 8 leaves and costs 29: no such tree costs less." in claim
    assert "optimal: the search closed after" in claim
    assert "certified: the checker, a program apart, proved all" in claim


def test_the_commands_that_the_demo_prints_check_the_same_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certify, check, checker = (
        shlex.split(re.search(rf"^  {begin}.*$", installed(), re.MULTILINE)[0])
        for begin in ("conjunct certify", "python3 -I -S", "# here:")
    )
    monkeypatch.chdir(tmp_path)
    assert run([*certify[1:], "--no-check", "--quiet"]) == 0
    shutil.copy(checker[-1], "checker.py")
    done = subprocess.run([sys.executable, *check[1:]], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "leaves + errors >= 29 on these 569 rows" in done.stdout
    assert "accepted" in done.stdout


@pytest.mark.long
def test_the_whole_demo_ends_with_the_proof_that_a_tree_for_tic_tac_toe_needs_43_leaves() -> None:
    done = subprocess.run([SCRIPT, "demo", "--json"], capture_output=True, encoding="utf-8", check=True)
    first, *learned, last = map(json.loads, done.stdout.splitlines())
    assert {line["part"] for line in learned} == {"kernel Perceptron", "rules"}
    for line, table in ((first, "breast-cancer"), (last, "tic-tac-toe")):
        assert (line["part"], line["table"], line["optimal"], line["certified"]) == ("optimal tree", table, True, True)
    assert (last["bound"], last["leaves"], last["errors"], last["depth"]) == ("43", 43, "0", "any")
    assert "of any depth, that is without errors on these 958 rows has at least 43 leaves." in last["claim"]


def test_the_hard_case_comes_last_and_a_long_tree_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.setattr("conjunct.cli.demo.learn_all", lambda seed: iter(()))
    monkeypatch.setattr("conjunct.cli.demo.show_tree", lambda problem, *_: shown.append(problem.table))
    assert run(["demo", "--quiet"]) == 0
    assert shown == ["breast-cancer", "tic-tac-toe"]
    certificate = certify_tree(*parity(4), error_price=None, check=False)
    text = "\n".join(tree_lines(HARD, certificate))
    assert "(a tree of 16 leaves: not drawn)" in text
    assert "not certified: the checker was not run" in text


def test_the_demo_shows_every_table_whole_within_80_columns() -> None:
    out = installed()
    lines = out.splitlines()
    assert max(len(line) for line in lines if not line.startswith("  # here: ")) <= 80
    assert "…" not in out
    assert "\x1b" not in out
    assert not any(line != line.rstrip() for line in lines)
    headings = [line for line in lines if re.match(r"\S+: [0-9]+ rows", line)]
    assert headings == [
        "breast-cancer: 569 rows, 90 variables, positive class 'malignant'",
        "tic-tac-toe: 958 rows, 27 variables, positive class 'positive'",
        "monks-2: 432 rows, 17 variables, positive class '1'",
    ]
    columns = [line for line in lines if line.startswith("  size")]
    assert columns == ["  size   accuracy (10 folds)   training     passes   mistakes"] * 3
    results = [line for line in lines if "±" in line]
    assert [line.split()[0] for line in results] == ["1", "2", "3"] * 3
    assert {len(line) for line in results} == {len(columns[0])}


def test_the_demo_ends_with_what_it_shows() -> None:
    text = " ".join(installed().split())
    learned = map(json.loads, demo("--json", "--quick").splitlines()[1:])
    boards = next(r for r in learned if (r["table"], r["max_size"]) == ("tic-tac-toe", 3))
    assert "training on all 958 boards of tic-tac-toe ended without a mistake" in text
    assert f"after {boards['passes']} passes" in text
    assert f"it was right {100 * boards['accuracy']:.1f} % of the time" in text
    assert "The proof of the tree for tic-tac-toe was left out (--quick)." in text
    assert re.search(r"All took [0-9.]+ s\.$", text)


def test_json_is_one_object_a_line_with_the_same_keys_and_types() -> None:
    tree, *results = (json.loads(line) for line in demo("--json", "--quick").splitlines())
    results, rules = results[:9], results[9:]
    assert [(line["part"], line["table"], line["proved"]) for line in rules] == [
        ("rules", name, True) for name in TABLES
    ]
    lines_of_x = [rule["text"] for rule in rules[1]["rules"]]
    assert len(lines_of_x) == 8
    assert all(text.count("=x") == 3 for text in lines_of_x)
    assert (tree["part"], tree["table"], tree["rows"], tree["tests"]) == ("optimal tree", "breast-cancer", 569, 90)
    assert (tree["bound"], tree["leaves"], tree["errors"], tree["depth"]) == ("29", 8, "21", 3)
    assert (tree["optimal"], tree["certified"]) == (True, True)
    assert tree["claim"].startswith("Every decision tree over these 90 yes/no tests")
    assert tree["check_seconds"] > 0
    expected = [(name, size) for name in TABLES for size in (1, 2, 3)]
    assert [(result["table"], result["max_size"]) for result in results] == expected
    kinds = {
        "part": str,
        "table": str,
        "rows": int,
        "variables": int,
        "positive": str,
        "max_size": int,
        "accuracy": float,
        "accuracy_sd": float,
        "stopped_by": str,
        "passes": int,
        "mistakes": int,
        "seconds": float,
    }
    for result in results:
        assert {name: type(value) for name, value in result.items()} == kinds
        assert result["part"] == "kernel Perceptron"
        assert (result["rows"], result["variables"]) == TABLES[result["table"]]
        assert 0.5 < result["accuracy"] <= 1
        assert 0 <= result["accuracy_sd"] < 0.2
        assert result["stopped_by"] in ("consistent", "max_passes")
        assert result["passes"] == 100 or result["stopped_by"] == "consistent"
        assert result["mistakes"] > 0
    boards = next(result for result in results if result["table"] == "tic-tac-toe" and result["max_size"] == 3)
    assert boards["stopped_by"] == "consistent"
    assert boards["accuracy"] > 0.95


def test_without_a_terminal_nothing_but_results_is_written() -> None:
    done = quick_demo("--json")
    assert (done.returncode, done.stderr) == (0, "")
    whole = demo("--json", "--quick").splitlines()
    for line, other in zip(done.stdout.splitlines(), [*whole, whole[0]], strict=True):
        assert json.loads(line).keys() == json.loads(other).keys()


def test_quiet_leaves_the_results_only_also_on_a_terminal() -> None:
    plain = quick_demo()
    assert (plain.returncode, plain.stderr) == (0, "")
    code, out, shown = on_a_terminal(80, sys.executable, "-c", QUICK_DEMO, "--quiet")
    assert (code, shown) == (0, "")
    explanation = re.compile(
        r"\AOptimal trees.*?\n\n|Whoever has.*?\n\n|Proved: no.*?\n\n|With conjunctions.*\Z", re.DOTALL
    )
    assert out == explanation.sub("", plain.stdout)
    assert len(explanation.findall(plain.stdout)) == 5
    code, out, shown = on_a_terminal(80, sys.executable, "-c", QUICK_DEMO, "--quiet", "--json")
    assert (code, shown) == (0, "")
    assert out == quick_demo("--json").stdout


def test_a_seed_draws_other_folds_and_the_same_seed_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conjunct.cli.demo.NAMES", ("monks-2",))
    monkeypatch.setattr("conjunct.cli.demo.show_tree", lambda *_: None)
    monkeypatch.setattr("conjunct.cli.demo.show_rules", lambda *_: None)
    first, zero, other = (
        without_times(demo.__wrapped__("--json", *options)) for options in ((), ("--seed", "0"), OTHER_SEED)
    )
    assert len(first) == 3
    assert first == zero
    assert [result["accuracy"] for result in other] != [result["accuracy"] for result in first]
    assert [result["mistakes"] for result in other] == [result["mistakes"] for result in first]  # of all rows


@pytest.mark.parametrize(
    ("columns", "command", "begin"),
    [
        (80, (SCRIPT, "demo", "--quick"), "Optimal trees"),
        (120, (sys.executable, "-c", QUICK_DEMO, "--json", "--quick"), '{"part": "optimal tree"'),
    ],
    ids=["80", "120"],
)
def test_a_terminal_sees_what_is_done_and_a_bar_that_goes_away(
    columns: int, command: tuple[str, ...], begin: str
) -> None:
    code, out, shown = on_a_terminal(columns, *command)
    assert code == 0
    assert out.startswith(begin)
    told = ESCAPES.sub("", shown)
    assert "breast-cancer: searching for the cheapest tree 0:00:0" in told
    assert re.search("breast-cancer: [0-9]+ lemmas are checked in .* 0:00:0", told)
    assert "━" in shown
    assert "learning monks-2" in shown
    assert "9/9" in shown
    after = shown.rsplit("9/9", 1)[1]
    assert "\x1b[2K" in after  # the line is erased,
    assert "\x1b[?25h" in after  # the cursor is back,
    assert re.fullmatch(r"[\s0-9:]*", ESCAPES.sub("", after))  # and nothing is left but the time beside the bar


@pytest.mark.parametrize("n_classes", [2, 4])
def test_an_interrupt_is_one_line_and_exit_code_130(n_classes: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(n_classes)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "learning\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "conjunct: interrupted\n")
