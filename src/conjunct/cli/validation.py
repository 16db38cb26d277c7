"""Cross-validation of a learner beside others, and the figures that sum up predictions."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, IdRows, SparseRows, require_memory
from conjunct.cli.models import rows_for
from conjunct.errors import SettingError
from conjunct.estimators import Door
from conjunct.estimators.door import spelled
from conjunct.estimators.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from conjunct.estimators.door import Cells

__all__ = ["cross_validate", "figures", "interval"]

BYTES_PER_CELL = 20  # of the array, of its floats, and of what is made of them, as measured
Z_95 = 1.959963984540054


def cross_validate(
    learner: Any,
    whole: Door,
    cells: Cells,
    labels: NDArray[Any],
    settings: dict[str, Any],
    folds: int,
    seed: int,
    quiet: bool,
) -> list[dict[str, Any]]:
    """Return the accuracy on rows not learned from, beside three others; each fold makes its variables anew.

    Only how many letters a text has is taken from the door of the whole table.
    """
    from sklearn.base import clone
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    smallest = min(np.unique(labels, return_counts=True)[1].tolist())
    if smallest < folds:
        raise SettingError(f"{folds} folds need as many rows of every label, and one has {smallest}; use fewer folds")
    if isinstance(cells, dict):
        cells, settings = spelled(cells, whole.letters), settings | {"letters": ()}
    others = {
        "largest class": DummyClassifier(),
        "logistic regression": LogisticRegression(max_iter=1000),
        "decision tree": DecisionTreeClassifier(random_state=0),
    }
    right = dict.fromkeys(["conjunct", *others], 0)
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(np.zeros(len(labels)), labels))
    with progress_bar(is_shown=not quiet) as progress:
        for train, test in progress.track(splits, description="validating"):
            known, held_out = take(cells, train), take(cells, test)
            door = Door.of(known, labels[train], **settings)
            rows, test_rows = (rows_for(learner, door, part) for part in (known, like(held_out, known)))
            codes, test_codes = door.codes(labels[train]), door.codes(labels[test])
            right["conjunct"] += int(
                np.sum(fresh(learner, rows.n_variables).fit(rows, codes).predict(test_rows) == test_codes)
            )
            for name, other in others.items():
                guess = clone(other).fit(dense(rows), codes).predict(dense(test_rows))
                right[name] += int(np.sum(guess == test_codes))
    total = len(labels)
    return [{"learner": name, "accuracy": k / total, "interval": interval(k, total)} for name, k in right.items()]


def fresh(learner: Any, n_variables: int) -> Any:
    """Return an unfitted copy for rows of so many variables: a fold may make fewer than a conjunction may have."""
    from sklearn.base import clone

    copy = clone(learner)
    size = copy.get_params().get("kernel__max_size")
    return copy if size is None or size <= n_variables else copy.set_params(kernel__max_size=n_variables)


def take(cells: Cells, rows: NDArray[np.int64]) -> Any:
    """Pick rows of a table."""
    if isinstance(cells, BitMatrix):
        return cells[rows]
    if isinstance(cells, IdRows):
        return cells.take(rows)
    return {name: [column[row] for row in rows] for name, column in cells.items()}


def like(cells: Any, known: Any) -> Any:
    """Judge numbers of a column that was learned as zeros and ones by the cut between the two.

    Examples
    --------
    >>> like({"a": [0, 2, None], "b": [3]}, {"a": [1, 0, 1], "b": [0, 4]})
    {'a': [0, 1, None], 'b': [3]}
    """
    if isinstance(cells, BitMatrix | IdRows):
        return cells
    return {
        name: [None if cell is None else int(cell > 0.5) for cell in column] if set(known[name]) <= {0, 1} else column
        for name, column in cells.items()
    }


def dense(rows: BitMatrix | SparseRows) -> NDArray[np.uint8]:
    """Return rows as those who learn beside take them."""
    need = BYTES_PER_CELL * rows.n_rows * rows.n_variables
    require_memory(need, "cross-validation beside others", "use --no-validation")
    return (rows.packed() if isinstance(rows, SparseRows) else rows).to_array()


def interval(right: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a proportion.

    Examples
    --------
    >>> [round(bound, 3) for bound in interval(90, 100)]
    [0.826, 0.945]
    """
    share, spread = right / total, Z_95**2 / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def figures(predicted: NDArray[np.int64], codes: NDArray[np.int64], labels: Sequence[str | int]) -> dict[str, Any]:
    """Sum up predictions: accuracy with its interval, the confusion matrix, precision and recall of each label."""
    n = len(labels)
    confusion = np.bincount(codes * n + predicted, minlength=n * n).reshape(n, n)
    right = int(np.trace(confusion))
    classes = []
    for number, label in enumerate(labels):
        hits, called, real = (
            int(k) for k in (confusion[number, number], confusion[:, number].sum(), confusion[number].sum())
        )
        classes.append(
            {
                "label": label,
                "rows": real,
                "precision": hits / called if called else None,
                "recall": hits / real if real else None,
            }
        )
    return {
        "rows": len(codes),
        "accuracy": right / len(codes),
        "interval": interval(right, len(codes)),
        "confusion": confusion.tolist(),
        "classes": classes,
    }
