"""How well values rank rows of two kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["area_under_curve"]


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
