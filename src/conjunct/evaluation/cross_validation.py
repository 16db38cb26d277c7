"""Cross-validation of several learners on the same folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import SettingError
from conjunct.evaluation.figures_of_merit import interval
from conjunct.evaluation.progress import steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Fold", "Split", "Tested", "cross_validate", "require_folds", "splits"]


@dataclass(frozen=True)
class Tested:
    """What a learner did in one fold.

    Attributes
    ----------
    n_right : int
        How many of the held-out rows it has right.
    seconds : float
        Of CPU, for learning and predicting.
    """

    n_right: int
    seconds: float


Fold = Callable[["NDArray[np.int64]", "NDArray[np.int64]"], Mapping[str, Tested]]
Split = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def cross_validate(fold: Fold, labels: NDArray[Any], *, n_folds: int, seed: int) -> list[dict[str, Any]]:
    """Return the accuracy of each learner on rows it did not learn from.

    Parameters
    ----------
    fold : callable
        Takes the numbers of the rows to learn from and of those to test on; returns, by the name of the learner, how
        it did. A learner that it leaves out has no part in this fold.
    labels : array
        One for each row; every fold has its share of every label.
    n_folds, seed : int
    """
    tested: dict[str, list[tuple[Tested, int]]] = {}
    for train, test in steps(splits(labels, n_folds, seed)):
        for name, result in fold(train, test).items():
            tested.setdefault(name, []).append((result, len(test)))
    return [line(name, results) for name, results in tested.items()]


def splits(labels: NDArray[Any], n_folds: int, seed: int) -> list[Split]:
    """Return the rows to learn from and those to test on, fold by fold; every fold has its share of every label."""
    from sklearn.model_selection import StratifiedKFold

    require_folds(labels, n_folds)
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(np.zeros(len(labels)), labels))


def require_folds(labels: NDArray[Any], n_folds: int) -> None:
    """Refuse more folds than there are rows of a label."""
    smallest = min(np.unique(labels, return_counts=True)[1].tolist())
    if smallest < n_folds:
        raise SettingError(f"{n_folds} folds need as many rows of every label, and one has {smallest}; use fewer folds")


def line(name: str, results: list[tuple[Tested, int]]) -> dict[str, Any]:
    """Sum up the folds of a learner."""
    n_right, n_rows = sum(result.n_right for result, _ in results), sum(n_rows for _, n_rows in results)
    return {
        "learner": name,
        "accuracy": n_right / n_rows,
        "interval": interval(n_right, n_rows),
        "fold_accuracies": [result.n_right / n_rows for result, n_rows in results],
        "seconds": sum(result.seconds for result, _ in results),
    }
