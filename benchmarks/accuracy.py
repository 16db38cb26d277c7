"""Ten-fold accuracy of ConjunctionSVCCV beside four other classifiers on the 16 Boolean sets of cp4im.

``CONJUNCT_DATA=... python benchmarks/accuracy.py [NAME ...]`` prints the lines of the table in docs/accuracy.md, each
with the seconds every classifier took. The folds are the same for all; the two SVCs search C (and gamma) by five inner
folds, as ours searches size and lam; the two ensembles run as they come.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC, LinearSVC

from conjunct import ConjunctionSVCCV
from conjunct.kernels import MonotoneConjunctions

NAMES = (
    "anneal", "audiology", "australian-credit", "breast-wisconsin", "diabetes", "german-credit", "heart-cleveland",
    "hypothyroid", "kr-vs-kp", "lymph", "mushroom", "primary-tumor", "soybean", "splice-1", "tic-tac-toe", "zoo-1",
)  # fmt: skip


def contenders() -> dict[str, object]:
    """Return fresh classifiers by name, ours first."""
    inner = StratifiedKFold(5, shuffle=True, random_state=0)
    linear = GridSearchCV(LinearSVC(max_iter=20_000), {"C": [0.01, 0.1, 1, 10]}, cv=inner)
    curved = GridSearchCV(SVC(), {"C": [0.1, 1, 10, 100], "gamma": ["scale", 0.01, 0.1]}, cv=inner)
    return {
        "ConjunctionSVCCV": ConjunctionSVCCV(MonotoneConjunctions(), max_sizes=(1, 2, 3, 4), cv=inner),
        "linear SVC": linear,
        "RBF SVC": curved,
        "random forest": RandomForestClassifier(random_state=0),
        "gradient boosting": HistGradientBoostingClassifier(random_state=0),
    }


def main() -> None:
    folder = Path(os.environ["CONJUNCT_DATA"]) / "cp4im"
    names = sys.argv[1:] or NAMES
    lines = []
    for name in names:
        with gzip.open(folder / f"{name}.txt.gz", "rt") as file:
            table = np.loadtxt(file, dtype=np.uint8)
        x, y = table[:, 1:], table[:, 0]
        folds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(x, y))
        accuracy, seconds = {}, {}
        for title, classifier in contenders().items():
            start = perf_counter()
            accuracy[title] = np.mean([classifier.fit(x[a], y[a]).score(x[b], y[b]) for a, b in folds])
            seconds[title] = perf_counter() - start
        best = max(accuracy.values())
        cells = [f"**{100 * v:.1f}**" if v == best else f"{100 * v:.1f}" for v in accuracy.values()]
        lines.append((name, len(y), accuracy))
        print(f"| {name} | {len(y)} | {' | '.join(cells)} |", {t: round(s, 1) for t, s in seconds.items()}, flush=True)
    means = [np.mean([accuracy[title] for *_, accuracy in lines]) for title in lines[0][2]]
    print(f"| mean | | {' | '.join(f'{100 * mean:.2f}' for mean in means)} |")


if __name__ == "__main__":
    main()
