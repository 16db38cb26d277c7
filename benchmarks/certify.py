"""Optimal trees with proof beside other solvers: solve, prove, check; one thread each, equal costs asserted.

``CONJUNCT_DATA=... python benchmarks/certify.py [--depths 3 4] [--sets anneal ...] [--prices .1 .01] [--peers PYTHON]``
prints the tables of docs/optimal-trees.md. ``make bench-certify`` makes the environment of the peers and runs it.
Without --prices a leaf costs as much as an error and there is a limit of depth; with them there is none, and the price
of a leaf is a share of the rows. *solve* is the search without its log, *prove* with it (medians of --rounds), both and
the peers' in seconds of CPU, which other work on the machine changes less; *check* the checker, copied alone into an
empty folder, on two processes, by the clock. A ratio is a peer's time over *prove*.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

from conjunct.certificates import checker
from conjunct.certificates.certify_lemmas import certify_rows
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.certificates.tree_costs import TreeCosts
from conjunct.search import search_tree

CP4IM = ["anneal", "audiology", "australian-credit", "breast-wisconsin", "diabetes", "german-credit", "heart-cleveland"]
CP4IM += [
    "hypothyroid",
    "kr-vs-kp",
    "lymph",
    "mushroom",
    "primary-tumor",
    "soybean",
    "splice-1",
    "tic-tac-toe",
    "zoo-1",
]
OTHERS = ("compas_train", "coupon_carryout", "monk1_bin", "monk2_bin", "car-un_converted")
HERE = Path(__file__).parent
SECONDS_TO_REPEAT = 5
NOTICEABLE = 0.1  # seconds below which nobody minds who is faster


def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and labels of a table of the data folder."""
    data = Path(os.environ["CONJUNCT_DATA"])
    if name == "compas_train":
        with gzip.open(data / "corels" / "compas_train.out.gz", "rt") as file:
            columns = [line.rsplit("}", 1)[1].split() for line in file]
        with gzip.open(data / "corels" / "compas_train.label.gz", "rt") as file:
            labels = [line.rsplit("}", 1)[1].split() for line in file][1]
        return np.array(columns, int).T, np.array(labels, int)
    if name == "coupon_carryout":
        table = np.loadtxt(data / "gosdt" / f"{name}.csv.gz", int, delimiter=",", skiprows=1)
        return table[:, :-1], table[:, -1]
    name = {"spambase": "spambase_categorical_bin", "magic04": "magic04_categorical_bin"}.get(name, name)
    folder = "nl" if name.endswith("_bin") else {"car-un_converted": "sat"}.get(name, "cp4im")
    table = np.loadtxt(data / folder / f"{name}.txt.gz", int)
    return table[:, 1:], table[:, 0]


def seconds_of(table: LabelledRows, costs: TreeCosts, depth: int | None, keep_lemmas: bool) -> float:
    """Return the seconds of a search, with or without its log."""
    start = process_time()
    search_tree(costs.problem(table, depth, 1), keep_lemmas=keep_lemmas)
    return process_time() - start


def own(X: np.ndarray, y: np.ndarray, depth: int | None, price: Fraction, given: argparse.Namespace) -> dict[str, Any]:
    """Solve, prove and check one problem."""
    table, costs = LabelledRows.of(X, y), TreeCosts(price)
    start = process_time()
    found = certify_rows(table, costs, max_depth=depth, time_limit=given.seconds)
    proved, solved = [process_time() - start], [math.nan]
    if proved[0] < SECONDS_TO_REPEAT:  # a longer search runs once
        proved, solved = (
            [seconds_of(table, costs, depth, keep) for _ in range(given.rounds)] for keep in (True, False)
        )
    result = {
        "lower": found.bound,
        "cost": found.upper,
        "solve": median(solved),
        "prove": median(proved),
        "done": found.optimal,
        "lemmas": len(found.lemmas),
        "pairs": found.n_pairs,
        "kB": len(gzip.compress(found.text().encode())) / 1000,
        "check": math.nan,
    }
    if given.check_seconds == 0:
        return result
    with TemporaryDirectory() as folder:
        shutil.copy(checker.__file__, folder)
        Path(folder, "certificate").write_text(found.text())
        Path(folder, "rows").write_text("".join(found.rows.lines()))
        command = [sys.executable, "-I", "-S", "checker.py", "certificate", "rows", "--jobs", "2", "--limit", "999999"]
        start = perf_counter()
        try:
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=given.check_seconds)
            assert ended.returncode == 0, ended.stderr
            result["check"] = perf_counter() - start
        except subprocess.TimeoutExpired:
            result["check"] = math.inf
    return result


def peer(
    python: str, solver: str, X: np.ndarray, y: np.ndarray, depth: int | None, share: float, seconds: float
) -> Any:
    """Run another solver; None where it ended without an answer."""
    with TemporaryDirectory() as folder:
        np.savez(Path(folder, "t.npz"), X=X, y=y)
        command = [python, str(HERE / "tree_peers.py"), solver, str(Path(folder, "t.npz"))]
        command += ["any" if depth is None else str(depth), repr(share), str(seconds)]
        one_thread = os.environ | {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
        try:
            ended = subprocess.run(command, capture_output=True, text=True, env=one_thread, timeout=seconds + 120)
        except subprocess.TimeoutExpired:
            return None
    return json.loads(ended.stdout.splitlines()[-1]) if ended.returncode == 0 else None


def compare(name: str, depth: int | None, price: Fraction, given: argparse.Namespace) -> list[tuple[float, float]]:
    """Print a line, and return the seconds of this library and each peer, infinite where one was not done."""
    X, y = read(name)
    mine = own(X, y, depth, price, given)
    entries = [name, "any" if depth is None else str(depth), str(price)]
    entries += [str(mine["cost"]) if mine["done"] else f"{mine['lower']} to {mine['cost']}"]
    entries += [f"{mine['solve']:.3f}", f"{mine['prove']:.3f}", f"{mine['check']:.1f}"]
    entries += [str(mine["lemmas"]), str(mine["pairs"]), f"{mine['kB']:.0f}"]
    pairs = []
    for solver in given.solvers:
        theirs = peer(given.peers, solver, X, y, depth, float(1 / (price * len(y))), given.seconds)
        is_done = theirs is not None and theirs["done"]
        entries.append(f"{theirs['seconds']:.3f} ({theirs['seconds'] / mine['prove']:.1f}x)" if is_done else "-")
        pairs.append((mine["prove"] if mine["done"] else math.inf, theirs["seconds"] if is_done else math.inf))
        cost = theirs["leaves"] + price * theirs["errors"] if is_done else mine["cost"]
        assert cost == mine["cost"] if mine["done"] else cost >= mine["lower"], (name, depth, solver, theirs, mine)
    print(f"| {' | '.join(entries)} |", flush=True)
    return pairs


def summary(solver: str, pairs: list[tuple[float, float]]) -> str:
    """Say how many problems this library and a peer have done, and how they compare where both have."""
    both = [(mine, theirs) for mine, theirs in pairs if max(mine, theirs) < math.inf]
    n_mine, n_theirs = (sum(pair[k] < math.inf for pair in pairs) for k in (0, 1))
    ratios = [theirs / mine for mine, theirs in both] or [math.nan]
    slower = sum(mine > max(theirs, NOTICEABLE) for mine, theirs in both)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return (
        f"{solver}: {len(pairs)} problems, {n_mine} proved here, {n_theirs} there; of the {len(both)} that both prove: "
        f"geometric mean {mean:.1f}x, least {min(ratios):.1f}x, {slower} over {NOTICEABLE} s slower"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", help="the 16 of CP4IM if left out; with --prices, five more")
    parser.add_argument("--depths", nargs="*", default=["3", "4"])
    parser.add_argument("--prices", nargs="*", default=[], help="of a leaf, as shares of the rows; no limit of depth")
    parser.add_argument("--seconds", type=float, default=600, help="for each search")
    parser.add_argument("--check-seconds", type=float, default=600, help="for each check; 0: none")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", help="the Python of the environment that has the peers")
    parser.add_argument("--solvers", nargs="*", help="pystreed, imodels, gosdt; those that fit the problem if left out")
    given = parser.parse_args()
    given.sets = given.sets or [*CP4IM, *(OTHERS if given.prices else ())]
    if given.solvers is None:
        given.solvers = ["imodels"] if given.prices else ["pystreed"]
    if not given.peers:
        given.solvers = []
    columns = ["table", "depth", "price", "optimum", "solve s", "prove s", "check s", "lemmas", "pairs", "kB gz"]
    print(f"| {' | '.join([*columns, *given.solvers])} |")
    print("|" + " --- |" * 3 + " ---: |" * (len(columns) - 3 + len(given.solvers)))
    problems: list[tuple[int | None, str | None]] = [(None, share) for share in given.prices]
    problems = problems or [(None if depth == "any" else int(depth), None) for depth in given.depths]
    pairs: dict[str, list[tuple[float, float]]] = {solver: [] for solver in given.solvers}
    for depth, share in problems:
        for name in given.sets:
            price = Fraction(1) if share is None else 1 / (Fraction(share) * len(read(name)[1]))
            for solver, pair in zip(given.solvers, compare(name, depth, price, given), strict=True):
                pairs[solver].append(pair)
    for solver, own_pairs in pairs.items():
        print(summary(solver, own_pairs), flush=True)


if __name__ == "__main__":
    main()
