"""The figures that sum up predictions."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["area_under_curve", "areas", "figures", "interval", "log_loss"]

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


def area_under_curve(values: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> float | None:
    """Return the share of pairs, a positive and a negative row, where the positive has the larger value; ties are half.

    None where all rows are of one kind. Pairs are counted in whole numbers.

    Examples
    --------
    >>> area_under_curve(np.array([1.0, 2.0, 2.0, 3.0]), np.array([False, True, False, True]))
    0.875
    """
    _, place = np.unique(values, return_inverse=True)
    n_of_kind = [np.bincount(place[is_positive == kind], minlength=place.max() + 1) for kind in (False, True)]
    negative, positive = (counts.astype(np.int64) for counts in n_of_kind)
    n_pairs = int(negative.sum()) * int(positive.sum())
    if n_pairs == 0:
        return None
    below = np.cumsum(negative) - negative
    twice: int = sum(
        p * (2 * b + n) for p, b, n in zip(positive.tolist(), below.tolist(), negative.tolist(), strict=True)
    )
    return twice / (2 * n_pairs)


def log_loss(probabilities: NDArray[np.float64], codes: NDArray[np.int64]) -> float:
    """Return the mean of -ln p, p the probability of each row's own class, at least the smallest step of floats.

    Examples
    --------
    >>> round(log_loss(np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0, 1])), 4)
    0.4904
    """
    own = probabilities[np.arange(len(codes)), codes]
    return float(-np.log(np.maximum(own, np.finfo(np.float64).eps)).mean())
