"""How near bounds without a search for trees come: LED by linear programs, DNFs and CNFs, trees of any depth.

``CONJUNCT_DATA=... python benchmarks/bounds.py [--parts led formulas depths kinds quadratic] [--sets anneal ...]``
prints the tables of docs/bounds.md. *make* is seconds by the clock; *check* is the checker, copied alone into an empty
folder, in seconds of CPU. A bound is printed only if that checker accepted it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from certify import CP4IM, read

from conjunct import certify_dnf, certify_tree
from conjunct.bits import random_below, random_bits
from conjunct.certificates import bound_checker, checker
from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.certificate import Certificate
from conjunct.datasets import led

SEEDS = range(10)
UNFINISHED = {"german-credit": 6, "splice-1": 5, "hypothyroid": 8, "spambase": 5, "magic04": 6}  # with their depths
QUADRATIC_SECONDS = 20  # the search for weights; what it has by then is proved


def check_seconds(certificate: Certificate) -> float:
    """Have a checker of its own accept a certificate, and return its seconds of CPU."""
    own = bound_checker if isinstance(certificate, BoundCertificate) else checker
    with TemporaryDirectory() as folder:
        shutil.copy(own.__file__, folder)
        certificate.save(Path(folder, "c.gz"))
        command = [sys.executable, "-I", "-S", Path(own.__file__).name, "c.gz", "c.gz.rows.gz", "--limit", "100000"]
        before = getrusage(RUSAGE_CHILDREN)
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        after = getrusage(RUSAGE_CHILDREN)
        assert ended.returncode == 0, ended.stderr
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def led_table(given: argparse.Namespace) -> None:
    """Print the bound of the partition program beside the optimum, by seed."""
    print("| depth | seed | lp | optimum | ratio | make | check |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for depth in (3, 7):
        ratios = []
        for seed in SEEDS:
            table = led(500, seed=seed, two_classes=True)
            options = {"max_depth": depth, "time_limit": given.seconds, "check": False}
            bound = certify_tree(table.rows, table.labels, method="lp", **options)
            best = certify_tree(table.rows, table.labels, method="lemmas", **options)
            assert best.optimal
            ratios.append(float(bound.bound / best.bound))
            checked = check_seconds(bound)
            print(f"| {depth} | {seed} | {bound.bound} | {best.bound} | {ratios[-1]:.3f} ", end="")
            print(f"| {bound.seconds:.2f} | {checked:.2f} |", flush=True)
        print(f"\nmean ratio at depth {depth}: {mean(ratios):.4f}\n")


def formula_table(given: argparse.Namespace) -> None:
    """Print the least terms proved beside those of the formula found, of tables without contradictions."""
    print("| table | DNF | found | make | check | CNF | found | make | check |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    ratios = []
    for name in given.sets:
        X, y = read(name)
        row = [name]
        for kind in ("dnf", "cnf"):
            own = certify_dnf(X, y, kind=kind, time_limit=given.seconds, check=False)
            if own.is_impossible or own.n_terms is None:
                row += ["none", "", "", ""]
                continue
            ratios.append(float(own.bound / own.n_terms))
            row += [str(own.bound), str(own.n_terms), f"{own.seconds:.1f}", f"{check_seconds(own):.1f}"]
        print("|", " | ".join(row), "|", flush=True)
    print(f"\nbound / terms found: median {median(ratios):.3f} of {len(ratios)}, least {min(ratios):.3f}\n")


def depth_table(given: argparse.Namespace) -> None:
    """Print what programs prove of trees of any depth, price 1, beside the best tree of a search a third as long."""
    print("| table | lp | best tree | ratio | make | check |\n" + "| --- " + "| ---: " * 5 + "|")
    ratios = []
    for name in given.sets:
        X, y = read(name)
        options = {"max_depth": None, "check": False}
        found = certify_tree(X, y, method="lemmas", time_limit=given.seconds / 4, **options)
        own = certify_tree(X, y, method="lp", time_limit=3 * given.seconds / 4, **options)
        ratios.append(float(own.bound / found.upper))
        bound = f"{own.bound}" + ("" if own.lemmas else " (trivial)")
        print(f"| {name} | {bound} | {found.upper} | {ratios[-1]:.2f} ", end="")
        print(f"| {own.seconds:.1f} | {check_seconds(own):.1f} |", flush=True)
    print(f"\nbound / best tree: median {median(ratios):.3f}, least {min(ratios):.3f}\n")


def kinds_table(given: argparse.Namespace) -> None:
    """Print what each kind of evidence proves at depths where the search for lemmas does not end, price 1."""
    print("| table | rows | tests | depth | lemmas | box | lp | auto | best tree |\n" + "| --- " + "| ---: " * 8 + "|")
    for name, depth in UNFINISHED.items():
        X, y = read(name)
        options = {"max_depth": depth, "time_limit": given.seconds, "check": False}
        found = [certify_tree(X, y, method=method, **options) for method in ("lemmas", "box", "lp", "auto")]
        bounds = []
        for own in found:
            check_seconds(own)
            bounds.append(f"{own.bound}" + ("" if own.lemmas else " (trivial)"))
        print(f"| {name} | {len(y):,} | {X.shape[1]} | {depth} | {' | '.join(bounds)} | {found[0].upper} |", flush=True)


def quadratic_table(given: argparse.Namespace) -> None:
    """Print what a quadratic bound costs on long and wide tables."""
    print("| rows | distinct | variables | depth | bound | make | check |\n" + "| ---: " * 7 + "|")
    shapes = [
        (20_000, 20_000, 128, 2),
        (10_000, 10_000, 128, 2),
        (10_000, 10_000, 16, None),
        (1_000_000, 20_000, 64, 2),
    ]
    for n_rows, n_distinct, width, depth in shapes:
        cells = np.unique(random_bits(0, (2 * n_distinct, width)), axis=0)
        cells = cells[np.argsort(random_below(3, 1 << 62, len(cells)))[:n_distinct]]
        signal = (cells[:, 0] & cells[:, 1]) ^ (cells[:, 2] & cells[:, 3])
        drawn = np.arange(n_rows) if n_rows == n_distinct else random_below(1, n_distinct, n_rows)
        labels = signal[drawn] ^ (random_below(2, 5, n_rows) == 0)
        start = perf_counter()
        options = {"max_depth": depth, "error_price": Fraction(1, 10), "check": False}
        bound = certify_tree(
            cells[drawn], labels, method="box", time_limit=min(QUADRATIC_SECONDS, given.seconds), **options
        )
        seconds = perf_counter() - start
        shown = "any" if depth is None else depth
        print(f"| {n_rows:,} | {n_distinct:,} | {width} | {shown} | {float(bound.bound):.1f} | {seconds:.1f} ", end="")
        print(f"| {check_seconds(bound):.1f} |", flush=True)


def main() -> None:
    """Print the tables that were asked for."""
    tables = {
        "led": led_table,
        "formulas": formula_table,
        "depths": depth_table,
        "kinds": kinds_table,
        "quadratic": quadratic_table,
    }
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--parts", nargs="+", choices=tables, default=list(tables))
    parser.add_argument("--sets", nargs="+", default=CP4IM)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    for part in given.parts:
        tables[part](given)


if __name__ == "__main__":
    main()
