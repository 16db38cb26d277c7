"""How small the risk R+ of few conjunctions gets on four tables of CONJUNCT_DATA, beside the bound of ConjunctionSVC.

``python benchmarks/mask_perceptron.py [TABLE ...]``: a line for each table, size and number of terms, both literals,
lam = 4: R+ and errors on the training rows, seconds, then R+, bound and errors of `ConjunctionSVC` at the same lam.
Answers are asserted first: the bound is not above R+, and R+ does not rise with more terms.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

from real_tables import boolean_tables

from conjunct import BitMatrix, ConjunctionSVC, MaskPerceptronClassifier

TABLES = ("kr-vs-kp", "splice-1", "mushroom", "german-credit")
LAM = 4


def main() -> None:
    """Print the table."""
    print(
        "| table | size | terms | R+ | errors | seconds | "
        "bound of R+ | R+ of ConjunctionSVC | its errors | its seconds |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in sys.argv[1:] or TABLES:
        frame, labels = boolean_tables()[f"cp4im/{name}"]()
        rows = BitMatrix.of(frame)
        for max_size in (2, 3):
            begin = perf_counter()
            machine = ConjunctionSVC(lam=LAM, max_size=max_size).fit(rows, labels)
            machine_seconds = perf_counter() - begin
            machine_errors = int((machine.predict(rows) != labels).sum())
            earlier = None
            for n_terms in (10, 26):
                begin = perf_counter()
                masks = MaskPerceptronClassifier(n_terms, lam=LAM, max_size=max_size).fit(rows, labels)
                seconds = perf_counter() - begin
                assert machine.bound_ <= masks.risk_
                assert earlier is None or masks.risk_ <= earlier
                earlier = masks.risk_
                errors = int((masks.predict(rows) != labels).sum())
                print(
                    f"| {name} | {max_size} | {n_terms} | {float(masks.risk_):.2f} | {errors} | {seconds:.1f} | "
                    f"{float(machine.bound_):.3g} | {float(machine.risk_):.3g} | {machine_errors} | "
                    f"{machine_seconds:.1f} |",
                    flush=True,
                )
    print(f"\nload average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
