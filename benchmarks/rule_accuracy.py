"""Accuracy against the number of rules, beside imodels, on five Boolean tables of CP4IM.

``python benchmarks/rule_accuracy.py --peers PYTHON``, where PYTHON has imodels; needs CONJUNCT_DATA. Five folds, the
same for all. Ours: the mask perceptron of some terms, score tables of a machine, and the machine itself, whose
conjunctions are too many to read. Theirs: RuleFit and FIGS of as many rules, and SkopeRules, which finds its own
number.
Columns are the mean accuracy in percent and, in brackets, the mean number of rules.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from real_tables import boolean_tables
from sklearn.model_selection import StratifiedKFold

from conjunct import ConjunctionSVC, MaskPerceptronClassifier
from conjunct.rules import score_table

TABLES = ("german-credit", "heart-cleveland", "tic-tac-toe", "diabetes", "australian-credit")
N_RULES = (5, 10)
PEER = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import numpy as np
from imodels import FIGSClassifier, RuleFitClassifier, SkopeRulesClassifier
data = np.load(sys.argv[1])
rows, labels, folds = data["rows"], data["labels"], data["folds"]
answers = {}
for count in json.loads(sys.argv[2]):
    makers = {
        f"RuleFit {count}": lambda: RuleFitClassifier(max_rules=count, random_state=0),
        f"FIGS {count}": lambda: FIGSClassifier(max_rules=count, random_state=0),
        "SkopeRules": lambda: SkopeRulesClassifier(random_state=0),
    }
    for name, make in makers.items():
        if name in answers:
            continue
        shares, sizes = [], []
        for fold in range(folds.max() + 1):
            model = make().fit(rows[folds != fold], labels[folds != fold])
            shares.append(float((model.predict(rows[folds == fold]) == labels[folds == fold]).mean()))
            sizes.append(int(model.complexity_) if name.startswith("FIGS") else len(model.rules_))
        answers[name] = [float(np.mean(shares)), float(np.mean(sizes))]
print(json.dumps(answers))
"""


def main() -> None:
    given = parsed()
    names: list[str] = []
    for table in given.tables:
        frame, target = boolean_tables()[f"cp4im/{table}"]()
        rows, labels = frame.to_numpy().astype(np.uint8), (target.to_numpy() == np.unique(target)[1]).astype(np.int64)
        folds = np.zeros(len(labels), np.int64)
        for fold, (_, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=0).split(rows, labels)):
            folds[test] = fold
        answers = ours(rows, labels, folds) | theirs(given.peers, rows, labels, folds)
        if not names:
            names = list(answers)
            print(f"| table | {' | '.join(names)} |\n| --- |{' ---: |' * len(names)}")
        entries = (f"{100 * answers[name][0]:.1f} ({answers[name][1]:.0f})" for name in names)
        print(f"| {table} | {' | '.join(entries)} |", flush=True)


def ours(rows: Any, labels: Any, folds: Any) -> dict[str, tuple[float, float]]:
    answers: dict[str, list[tuple[float, int]]] = {}
    for fold in range(folds.max() + 1):
        train, test = folds != fold, folds == fold
        machine = ConjunctionSVC(max_size=3).fit(rows[train], labels[train])
        n_conjunctions = machine.model_.rows.n_rows
        answers.setdefault("ConjunctionSVC (rows)", []).append(
            (machine.score(rows[test], labels[test]), n_conjunctions)
        )
        for count in N_RULES:
            mask = MaskPerceptronClassifier(max_terms=count + 1).fit(rows[train], labels[train])
            share = mask.score(rows[test], labels[test]), len(mask.model_.conjunctions) - 1
            answers.setdefault(f"mask {count}", []).append(share)
            scores = score_table(machine, rows[train], labels[train], terms=count)
            right = ((scores.risks(rows[test]) >= 0.5) == (labels[test] == 1)).mean()
            answers.setdefault(f"score table {count}", []).append((float(right), len(scores.rows)))
    return {name: tuple(np.mean(own, axis=0).tolist()) for name, own in answers.items()}


def theirs(python: str, rows: Any, labels: Any, folds: Any) -> dict[str, tuple[float, float]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.npz"
        np.savez(path, rows=rows, labels=labels, folds=folds)
        command = [python, "-c", PEER, str(path), json.dumps(N_RULES)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {name: tuple(pair) for name, pair in json.loads(done.stdout.splitlines()[-1]).items()}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", required=True, help="a Python that has imodels")
    parser.add_argument("--tables", nargs="+", default=TABLES)
    return parser.parse_args()


if __name__ == "__main__":
    main()
