"""What the defaults of ConjunctionSVC and the Binarizer lose to other settings, on 29 real tables.

``CONJUNCT_DATA=... python benchmarks/defaults.py [--folds 5] [--rows 1000] [TABLE ...]`` prints the tables of
docs/accuracy.md: accuracy over stratified folds, the same for all settings, of at most so many rows drawn by a fixed
seed. One setting is changed at a time. lam is given in units of the mean of k(x, x), of which the default is a half.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
from real_tables import OTHERS, TWELVE, boolean_tables
from sklearn.model_selection import StratifiedKFold

from conjunct import Binarizer, ConjunctionSVC

LITERALS = ("both", "positive")
SIZES = (2, 3, 4)
LAMS = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2))
CUTS = ("auto", 4, 8, 32, "supervised")


def accuracies(x: pd.DataFrame, y: np.ndarray, cuts: int | str, folds: int, *, everything: bool) -> Iterator[tuple]:
    """Yield (setting, accuracy) for every fold."""
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(x, y):
        binarizer = Binarizer(cuts=cuts).fit(x.iloc[train], y[train])
        rows, held_out = binarizer.pack(x.iloc[train]), binarizer.pack(x.iloc[test])

        def accuracy(rows=rows, held_out=held_out, train=train, test=test, **settings) -> tuple[float, Fraction]:
            machine = ConjunctionSVC(**settings).fit(rows, y[train])
            return float(np.mean(machine.predict(held_out) == y[test])), machine.lam_

        default, lam = accuracy()
        yield f"cuts {cuts}", default
        if not everything:
            continue
        yield "literals both", default
        yield "literals positive", accuracy(literals="positive")[0]
        for size in SIZES:
            yield f"size {size}", default if size == 3 else accuracy(max_size=size)[0]
        for factor in LAMS:
            yield f"lam {factor}", default if 2 * factor == 1 else accuracy(lam=2 * factor * lam)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    arguments = parser.parse_args()
    tables = boolean_tables() | TWELVE | OTHERS
    sums: dict[str, list[float]] = {}
    for name in arguments.tables or tables:
        frame, labels = tables[name]()
        some = np.random.RandomState(0).permutation(len(labels))[: arguments.rows]
        x, y = frame.iloc[some].reset_index(drop=True), labels.to_numpy()[some]
        is_numeric = name in TWELVE | OTHERS and name not in ("car", "kr-vs-kp", "titanic")
        shares: dict[str, list[float]] = {}
        for cuts in CUTS if is_numeric else CUTS[:1]:
            for setting, share in accuracies(x, y, cuts, arguments.folds, everything=cuts == "auto"):
                shares.setdefault(setting, []).append(share)
        shown = [setting for setting in shares if is_numeric or not setting.startswith("cuts")]
        means = {setting: 100 * float(np.mean(shares[setting])) for setting in shown}
        print(name, len(y), "; ".join(f"{setting}: {mean:.1f}" for setting, mean in means.items()), flush=True)
        for setting, mean in means.items():
            sums.setdefault(setting, []).append(mean)
    print("mean", "; ".join(f"{setting}: {np.mean(own):.2f} ({len(own)})" for setting, own in sums.items()))


if __name__ == "__main__":
    main()
