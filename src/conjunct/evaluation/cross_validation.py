"""Cross-validation of several learners on the same folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import SettingError
from conjunct.evaluation.figures_of_merit import interval
from conjunct.evaluation.progress import progress_bar

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Fold", "cross_validate"]

Fold = Callable[["NDArray[np.int64]", "NDArray[np.int64]"], Mapping[str, int]]


def cross_validate(
    fold: Fold, labels: NDArray[Any], *, n_folds: int, seed: int, quiet: bool = True
) -> list[dict[str, Any]]:
    """Return the accuracy of each learner on rows it did not learn from.

    Parameters
    ----------
    fold : callable
        Takes the numbers of the rows to learn from and of those to test on; returns, by the name of the learner, how
        many of these it has right.
    labels : array
        One for each row; every fold has its share of every label.
    n_folds, seed : int
    quiet : bool, default=True
        Whether no progress bar is shown.
    """
    from sklearn.model_selection import StratifiedKFold

    smallest = min(np.unique(labels, return_counts=True)[1].tolist())
    if smallest < n_folds:
        raise SettingError(f"{n_folds} folds need as many rows of every label, and one has {smallest}; use fewer folds")
    splits = list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(np.zeros(len(labels)), labels))
    n_right: dict[str, int] = {}
    with progress_bar(is_shown=not quiet) as progress:
        for train, test in progress.track(splits, description="validating"):
            for name, count in fold(train, test).items():
                n_right[name] = n_right.get(name, 0) + count
    total = len(labels)
    return [{"learner": name, "accuracy": k / total, "interval": interval(k, total)} for name, k in n_right.items()]
