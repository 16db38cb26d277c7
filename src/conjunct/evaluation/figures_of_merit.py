"""The figures that sum up predictions."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.theory import area_under_curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["areas", "figures", "interval", "log_loss"]

Z_95 = 1.959963984540054


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


def areas(values: NDArray[np.float64], codes: NDArray[np.int64], n_classes: int) -> dict[str, Any]:
    """Return the area under the ROC curve; of several classes, that of each against the rest, and their mean."""
    if values.ndim == 1:
        return {"auc": area_under_curve(values, codes == 1)}
    each = [area_under_curve(values[:, number], codes == number) for number in range(n_classes)]
    found = [area for area in each if area is not None]
    return {"auc": sum(found) / len(found) if found else None, "auc_of_classes": each}


def log_loss(probabilities: NDArray[np.float64], codes: NDArray[np.int64]) -> float:
    """Return the mean of -ln p, p the probability of each row's own class, at least the smallest step of floats.

    Examples
    --------
    >>> round(log_loss(np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0, 1])), 4)
    0.4904
    """
    own = probabilities[np.arange(len(codes)), codes]
    return float(-np.log(np.maximum(own, np.finfo(np.float64).eps)).mean())
