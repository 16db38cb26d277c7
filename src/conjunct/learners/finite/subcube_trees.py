"""The best tree of a depth, over all subcubes of a few variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from conjunct.logic import DecisionTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["optimal_tree"]


def optimal_tree(
    rows: NDArray[np.uint8], labels: NDArray[np.int64], max_depth: int, names: Sequence[str]
) -> DecisionTree:
    """Return a tree of at most that depth with the least leaves + errors, of these one with few leaves.

    Notes
    -----
    B(S, d) = min(1 + min(p, n), min over the variables v free in S of B(S_v, d-1) + B(S_not v, d-1)), for the 3**n
    subcubes S at once: an axis of length 3 for each variable, 0 and 1 where it is fixed, 2 where it is free.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3, np.uint8)
    >>> str(optimal_tree(rows, np.array([-1, -1, -1, 1] * 3), 2, ["a", "b"]))
    'a ? (b ? 1 : 0) : 0'
    """
    n = rows.shape[1]
    counts = np.zeros((2, *[2] * n), np.int64)
    np.add.at(counts, ((labels > 0).astype(np.intp), *rows.T.astype(np.intp)), 1)
    for axis in range(1, n + 1):
        counts = np.concatenate([counts, counts.sum(axis=axis, keepdims=True)], axis=axis)
    leaf = 1 + counts.min(axis=0)
    costs = [leaf]
    for _ in range(max_depth):
        least = leaf.copy()
        for axis in range(n):
            free = np.moveaxis(least, axis, 0)[2]
            below = np.moveaxis(costs[-1], axis, 0)
            np.minimum(free, below[0] + below[1], out=free)
        costs.append(least)

    def build(cube: tuple[int, ...], depth: int) -> DecisionTree:
        least = costs[depth][cube]
        if least == leaf[cube]:
            return DecisionTree.leaf(bool(counts[(1, *cube)] > counts[(0, *cube)]))
        for axis in (axis for axis in range(n) if cube[axis] == 2):
            halves = [(*cube[:axis], value, *cube[axis + 1 :]) for value in (0, 1)]
            if sum(costs[depth - 1][half] for half in halves) == least:
                break
        return DecisionTree.split(names[axis], *(build(half, depth - 1) for half in halves))

    return build((2,) * n, max_depth)
