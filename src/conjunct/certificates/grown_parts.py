"""Conjunctions for a program on partitions to begin with: the nodes of trees that are grown by greed."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits.randomness import random_below

if TYPE_CHECKING:
    from conjunct.certificates.certify_bound import BoundProblem

__all__ = ["grown_parts"]

N_TREES, MOST_PARTS = 20, 3000
TESTS_SHARE = 0.3  # of the tests are looked at in a node, others in every one


def grown_parts(problem: BoundProblem, end: float | None = None) -> list[tuple[int, ...]]:
    """Return the conjunctions of all nodes of some trees, each test the best of a few by Gini's index.

    Nothing grows after a moment of the clock, if one is given.

    Notes
    -----
    Their leaves are partitions, so that the program is at most as dear as the cheapest of these from the start.
    """
    cells, masses = problem.masses
    bits = (cells.to_array() == 1).astype(np.float64)
    own = np.array([[float(mass) for mass in cell] for cell in masses])
    n_tests = bits.shape[1]
    n_looked_at = max(1, round(TESTS_SHARE * n_tests))
    parts: list[tuple[int, ...]] = []
    for tree in range(N_TREES):
        todo: list[tuple[tuple[int, ...], np.ndarray]] = [((), np.arange(len(bits)))]
        while todo and len(parts) < MOST_PARTS and not (end is not None and monotonic() >= end):
            path, members = todo.pop()
            parts.append(path)
            total = own[members].sum(axis=0)
            if len(path) == problem.size or (total > 0).sum() <= 1:
                continue
            tests = np.argsort(random_below(len(parts), 1 << 62, n_tests, stream=tree), kind="stable")[:n_looked_at]
            inside = own[members].T @ bits[np.ix_(members, tests)]  # by class and test
            passed, outside = inside.sum(axis=0), total[:, None] - inside
            failed = total.sum() - passed
            purity = np.where(passed > 0, (inside**2).sum(axis=0) / np.maximum(passed, 1e-300), 0)
            purity += np.where(failed > 0, (outside**2).sum(axis=0) / np.maximum(failed, 1e-300), 0)
            splits = bits[np.ix_(members, tests)].any(axis=0) & ~bits[np.ix_(members, tests)].all(axis=0)
            if not splits.any():
                continue
            test = int(tests[np.argmax(np.where(splits, purity, -1.0))])
            is_true = bits[members, test] == 1
            todo += [((*path, 2 * test), members[~is_true]), ((*path, 2 * test + 1), members[is_true])]
    return [tuple(sorted(path)) for path in parts]
