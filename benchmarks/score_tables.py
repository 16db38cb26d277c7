"""Score tables of six conjunctions beside the machine they are made of and logistic regression, on breast cancer.

Ten folds, the same for all; numeric columns are cut inside each fold. Prints the mean and its standard error.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from conjunct import Binarizer, ConjunctionSVC
from conjunct.rules import score_table


def main() -> None:
    table = load_breast_cancer(as_frame=True)
    rows, labels = table.data, np.where(table.target == 0, "malignant", "benign")
    areas: dict[str, list[float]] = {"score table, 6 rows": [], "ConjunctionSVC": [], "logistic regression": []}
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(rows, labels):
        machine = make_pipeline(Binarizer(), ConjunctionSVC(max_size=3)).fit(rows.iloc[train], labels[train])
        scores = score_table(machine, rows.iloc[train], labels[train], terms=6)
        peer = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(rows.iloc[train], labels[train])
        assert len(scores.rows) <= 6
        values = (
            scores.risks(rows.iloc[test]),
            machine.decision_function(rows.iloc[test]),
            peer.decision_function(rows.iloc[test]),
        )
        for own, value in zip(areas.values(), values, strict=True):
            own.append(float(roc_auc_score(labels[test] == "malignant", value)))
    for name, own in areas.items():
        print(f"{name:20} AUC {np.mean(own):.4f} ± {np.std(own) / np.sqrt(len(own)):.4f}")


if __name__ == "__main__":
    main()
