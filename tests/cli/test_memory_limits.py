"""Peak memory of the installed command, above that of the process after its imports, and what is refused instead."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conjunct.cli.command import run

LIMIT = 50_000_000
LEARNERS = ("kernel-perceptron", "perceptron", "winnow", "svc", "svc-cv", "mask")
# One process for all tests: a folder, a limit and a command on each line; the peak of each is counted from its start,
# with nothing left of the others.
MEASURED = """
import ctypes, gc, io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

for name in ("fit", "predict", "evaluate", "comparison"):
    import_module(f"conjunct.cli.{name}")
for name in ("conjunct.estimators.registry", "conjunct.datasets.reading", "sklearn.linear_model", "sklearn.tree"):
    import_module(name)
from conjunct.cli.command import run

def kilobytes(key):
    return next(int(line.split()[1]) for line in Path("/proc/self/status").open() if line.startswith(key))

for line in sys.stdin:
    folder, os.environ["CONJUNCT_MEMORY"], command = json.loads(line)
    os.chdir(folder)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    before = kilobytes("VmRSS:")
    Path("/proc/self/clear_refs").write_text("5")
    with redirect_stdout(open(os.devnull, "w")), redirect_stderr(io.StringIO()) as said:
        code = run(command)
    print(json.dumps([code, 1024 * (kilobytes("VmHWM:") - before), said.getvalue()]), flush=True)
"""
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists() or "CONJUNCT_SANITIZED" in os.environ,
    reason="peaks are read from /proc, and the sanitizers take memory of their own",
)


@pytest.fixture(scope="module")
def measured() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", MEASURED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        yield process
        process.communicate()  # which closes its input, and so ends it
    assert process.returncode == 0


Peaks = Callable[..., tuple[list[tuple[int, int]], list[str]]]


@pytest.fixture
def peaks(measured: subprocess.Popen[str], tmp_path: Path) -> Peaks:
    """Return exit code and peak of each command, and the lines that were refusals."""

    def call(commands: list[list[str]], limit: int = LIMIT) -> tuple[list[tuple[int, int]], list[str]]:
        found, refusals = [], []
        assert measured.stdin is not None
        assert measured.stdout is not None
        for command in commands:
            measured.stdin.write(json.dumps([str(tmp_path), f"{limit}B", [*command, "--quiet"]]) + "\n")
            measured.stdin.flush()
            code, peak, said = json.loads(measured.stdout.readline())
            found.append((code, peak))
            refusals += said.splitlines()
        return found, refusals

    return call


def svmlight(n_rows: int, ids: list[int]) -> str:
    """Rows that have one of the ids each; every third label is wrong."""
    return "".join(f"{(i + (i % 3 == 0)) % 2} {ids[i % len(ids)]}:1\n" for i in range(n_rows))


# Two of the learners in `make test`.
every_learner = pytest.mark.parametrize(
    "learner",
    [
        learner if learner in ("svc", "perceptron") else pytest.param(learner, marks=pytest.mark.long)
        for learner in LEARNERS
    ],
)


@needs_proc
@every_learner
def test_a_wide_id_takes_memory_for_itself_and_not_for_all_below_it(peaks: Peaks, tmp_path: Path, learner: str) -> None:
    commands = []
    for number, widest in enumerate((3_000_000, 2**31 - 1)):
        (tmp_path / f"{number}.txt").write_text(f"-1 1:1\n+1 {widest}:1\n" * (1 if learner != "svc-cv" else 5))
        fit = ["fit", f"{number}.txt", "--learner", learner, "-o", f"{number}.model", "--no-validation"]
        commands += [fit, *([name, f"{number}.model", f"{number}.txt"] for name in ("predict", "evaluate"))]
    found, refusals = peaks(commands)
    assert ([code for code, _ in found], refusals) == ([0] * len(commands), [])
    assert max(peak for _, peak in found) < 1.1 * LIMIT


@needs_proc
@every_learner
def test_many_rows_and_many_ids_are_learned_within_the_limit_or_refused(
    peaks: Peaks, tmp_path: Path, learner: str
) -> None:
    (tmp_path / "rows.txt").write_text(svmlight(30_000, [3, 5, 8]))
    (tmp_path / "ids.txt").write_text(svmlight(20_000, [7 * i + 1 for i in range(20_000)]))
    (tmp_path / "both.txt").write_text(svmlight(200_000, [7 * i + 1 for i in range(200_000)]))
    commands = [
        ["fit", name, "--learner", learner, "--no-validation", "-o", f"{name}.model"]
        for name in ("rows.txt", "ids.txt", "both.txt")
    ]
    found, refusals = peaks(commands)
    codes = [code for code, _ in found]
    assert set(codes) <= {0, 3}
    assert codes[2] == 3
    assert len(refusals) == codes.count(3)
    assert all("limit is 47.6 MiB" in line and " needs " in line for line in refusals)
    assert max(peak for _, peak in found) < 1.1 * LIMIT


@needs_proc
def test_newtons_method_on_many_different_rows_keeps_within_the_limit_or_is_refused(
    peaks: Peaks, tmp_path: Path
) -> None:
    draw = random.Random(2)
    for n_rows in (11_000, 16_000):
        lines = [
            [draw.choice(("+1", "-1")), *(f"{k}:1" for k in sorted(draw.sample(range(1, 200), 8)))]
            for _ in range(n_rows)
        ]
        (tmp_path / f"{n_rows}.txt").write_text("".join(f"{' '.join(line)}\n" for line in lines))
    fit = ["--learner", "svc", "--max-size", "1", "--lam", "1/100", "--no-validation", "-o", "model"]
    found, refusals = peaks([["fit", "11000.txt", *fit], ["fit", "16000.txt", *fit]])
    assert [code for code, _ in found] == [0, 3]
    assert "Newton's method on 16000 different rows needs" in refusals[0]
    assert max(peak for _, peak in found) < 1.1 * LIMIT


@needs_proc
def test_a_model_that_was_learned_with_more_memory_is_refused_with_less(peaks: Peaks, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text(svmlight(200_000, [7 * i + 1 for i in range(200_000)]))
    fit = ["fit", "ids.txt", "--learner", "perceptron", "--no-validation", "--max-passes", "1", "-o", "m"]
    ((code, _),), _ = peaks([fit], limit=10**9)
    assert code == 0
    found, refusals = peaks([["predict", "--labels", "m", "ids.txt"], ["evaluate", "m", "ids.txt"]])
    assert [code for code, _ in found] == [3, 3]
    assert all(" needs " in line and "limit is 47.6 MiB" in line for line in refusals)
    assert max(peak for _, peak in found) < 1.1 * LIMIT


@needs_proc
def test_cross_validation_beside_others_is_refused_where_their_arrays_pass_the_limit(
    peaks: Peaks, tmp_path: Path
) -> None:
    (tmp_path / "t.txt").write_text(svmlight(4000, [7 * i + 1 for i in range(4000)]))
    ((code, peak),), refusals = peaks([["fit", "t.txt", "--learner", "perceptron", "--folds", "2"]])
    assert code == 3
    assert refusals[0].startswith("conjunct: cross-validation beside others needs 152.5 MiB, limit is 47.6 MiB with ")
    assert refusals[0].endswith("; use --no-baselines")
    assert peak < 1.1 * LIMIT


@needs_proc
def test_a_table_of_a_million_columns_is_refused_by_its_first_line(peaks: Peaks, tmp_path: Path) -> None:
    names = ",".join(f"c{i}" for i in range(100_001))
    (tmp_path / "t.csv").write_text(f"{names}\n{'0,' * 100_000}1\n{'1,' * 100_000}0\n")
    _, refusals = peaks([["fit", "t.csv"]])
    assert refusals == [
        "conjunct: t.csv:1: 100001 columns, expected at most 100000; svmlight takes rows of more variables"
    ]


@needs_proc
def test_what_is_no_model_is_refused_by_its_first_bytes(peaks: Peaks, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(svmlight(4, [1, 2]))
    commands = [[name, "/dev/zero", "t.txt"] for name in ("predict", "evaluate")]
    found, refusals = peaks(commands)
    reason = "/dev/zero: not a conjunct model file, expected it to start with 'conjunct'"
    assert refusals == [f"conjunct: {reason}"] * 2
    assert [code for code, _ in found] == [2, 2]
    assert max(peak for _, peak in found) < 10_000_000


def test_ids_not_learned_from_count_as_variables_never_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.txt").write_text("+1 3:1 900:1\n-1 5:1\n+1 3:1\n-1 5:1 900:1\n")
    Path("new.txt").write_text("+1 3:1 4:1 2000000000:1\n-1 5:1 4:1\n")
    said = "conjunct: ids not learned from, they count as variables never seen: 'x4' 2, 'x2000000000' 1\n"
    for learner in (*LEARNERS[:4], "winnow --variant positive"):
        assert run(["fit", "t.txt", "-o", "m", "--no-validation", "--quiet", "--learner", *learner.split()]) == 0
        assert run(["predict", "--labels", "m", "new.txt"]) == 0
        assert capsys.readouterr() == ("1\n-1\n", said)
    # Winnow's first weight is 1, as of a column of a wider table: six strangers reach the threshold of 4 by themselves.
    assert run(["fit", "t.txt", "-o", "m", "--no-validation", "--quiet", "--learner", *learner.split()]) == 0
    Path("new.txt").write_text("-1 11:1 12:1 13:1 14:1 15:1 16:1 17:1 18:1\n-1 11:1\n")
    assert run(["predict", "--labels", "m", "new.txt", "--quiet"]) == 0
    assert capsys.readouterr().out == "1\n-1\n"


def test_a_model_of_an_embedded_table_reads_sparse_rows_by_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["fit", "embedded:monks-1", "-o", "m", "--no-validation", "--quiet"]) == 0
    from conjunct.datasets import embedded

    table = embedded("monks-1").rows[:40]
    lines = ["0 " + " ".join(f"{place + 1}:1" for place, bit in enumerate(row) if bit) for row in table.to_array()]
    Path("t.txt").write_text("\n".join(lines))
    assert run(["predict", "--labels", "m", "t.txt"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert run(["predict", "--labels", "m", "embedded:monks-1"]) == 0
    assert capsys.readouterr().out.splitlines()[:40] == rows
