"""The command as it comes beside seven learners of scikit-learn as they come, on twelve real tables.

``CONJUNCT_DATA=... python benchmarks/twelve_tables.py [--folds 10] [--repeats 5] [TABLE ...]`` prints the table of
docs/accuracy.md: mean accuracy over all folds of all repeats, the same folds for all, and CPU seconds. The command is
run as ``conjunct fit TABLE.csv --no-baselines``, a seed for each repeat; its accuracy is the one that it prints. The
others learn from the same columns: texts one-hot, numbers imputed by the median and scaled.
"""

from __future__ import annotations

import argparse
import json
import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import pandas as pd
from real_tables import TWELVE
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from conjunct.cli.command import run

OTHERS = {
    "RBF SVC": lambda: SVC(),
    "random forest": lambda: RandomForestClassifier(random_state=0),
    "gradient boosting": lambda: HistGradientBoostingClassifier(random_state=0),
    "logistic regression": lambda: LogisticRegression(max_iter=1000),
    "decision tree": lambda: DecisionTreeClassifier(random_state=0),
    "nearest neighbours": lambda: KNeighborsClassifier(),
    "naive Bayes": lambda: GaussianNB(),
}


def conjunct(frame: pd.DataFrame, labels: pd.Series, folds: int, seed: int) -> tuple[list[float], float]:
    """Return the accuracy of every fold, as the command prints it, and the CPU seconds of all."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        frame.assign(**{"the label": labels}).to_csv(path, index=False)
        options = ["--no-baselines", "--json", "--quiet", "--folds", str(folds), "--seed", str(seed)]
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
            code = run(["fit", str(path), *options])
    if code:
        raise SystemExit(err.getvalue())
    line = json.loads(out.getvalue())["validation"][0]
    return line["fold_accuracies"], line["seconds"]


def prepared(frame: pd.DataFrame, learner: object) -> Pipeline:
    """Return a learner behind one-hot texts and scaled numbers."""
    is_number = [pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    texts = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = ColumnTransformer(
        [("numbers", numbers, is_number), ("texts", texts, [not number for number in is_number])]
    )
    return make_pipeline(columns, learner)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"some of {', '.join(TWELVE)}; all when left out")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    names = ["conjunct", *OTHERS]
    means, seconds = [], []
    print(f"| table | rows | {' | '.join(names)} | below the best |")
    print("| --- | ---: |" + " ---: |" * (len(names) + 1))
    for table in arguments.tables or TWELVE:
        frame, labels = TWELVE[table]()
        frame, labels = frame.reset_index(drop=True), labels.reset_index(drop=True)
        accuracy: dict[str, list[float]] = {name: [] for name in names}
        spent = dict.fromkeys(names, 0.0)
        for seed in range(arguments.repeats):
            shares, taken = conjunct(frame, labels, arguments.folds, seed)
            accuracy["conjunct"] += shares
            spent["conjunct"] += taken
            splits = list(StratifiedKFold(arguments.folds, shuffle=True, random_state=seed).split(frame, labels))
            for name, make in OTHERS.items():
                start = process_time()
                for train, test in splits:
                    fitted = prepared(frame, make()).fit(frame.iloc[train], labels[train])
                    accuracy[name].append(float(np.mean(fitted.predict(frame.iloc[test]) == labels[test])))
                spent[name] += process_time() - start
        mean = {name: float(np.mean(accuracy[name])) for name in names}
        best = max(names, key=mean.__getitem__)
        gaps = np.array(accuracy[best]) - np.array(accuracy["conjunct"])
        error = float(np.std(gaps, ddof=1)) / np.sqrt(len(gaps))
        cells = [f"**{100 * v:.1f}**" if v == mean[best] else f"{100 * v:.1f}" for v in mean.values()]
        below = "" if best == "conjunct" else f"{100 * gaps.mean():.1f} ± {100 * error:.1f}"
        print(f"| {table} | {len(labels)} | {' | '.join(cells)} | {below} |", flush=True)
        means.append(list(mean.values()))
        seconds.append([spent[name] / arguments.repeats for name in names])
    print(f"| mean | | {' | '.join(f'{100 * share:.2f}' for share in np.mean(means, axis=0))} | |")
    print(f"| CPU seconds of a repeat | | {' | '.join(f'{total:.0f}' for total in np.sum(seconds, axis=0))} | |")


if __name__ == "__main__":
    main()
