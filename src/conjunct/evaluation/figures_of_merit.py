"""The figures that sum up predictions."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["figures", "interval"]

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
