"""The cheapest tree, and the least errors by leaves, by definition: every first test, on every row set, once."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["cheapest_tree", "least_errors", "tree_cost"]


def cheapest_tree(
    rows: Sequence[Sequence[int]],
    penalties: Sequence[Sequence[int]],
    leaf_cost: int,
    max_depth: int | None,
    sizes: Sequence[int] | None = None,
    min_samples_leaf: int = 1,
) -> tuple[int, tuple[int, ...]]:
    """Return the least cost of a decision tree, and a tree of that cost.

    Parameters
    ----------
    rows : sequence of sequences of 0 and 1
        One test per column.
    penalties : sequence of sequences of int
        What a leaf of each class costs on each row.
    leaf_cost : int
        What every leaf costs besides.
    max_depth : int or None
        The most tests on a path; None for any number.
    sizes : sequence of int, optional
        For how many rows each row stands; 1 each if absent.
    min_samples_leaf : int
        The fewest rows that a part of a split may have.

    Returns
    -------
    cost : int
    tree : tuple of int
        In preorder: j >= 0 is test j, followed by the tree where it is true and the tree where it is false; -1 - c is a
        leaf of class c.

    Notes
    -----
    cost(S, d) = min(leaf(S), min over tests of cost(S_1, d - 1) + cost(S_0, d - 1)), where leaf(S) = leaf_cost + the
    least sum of penalties over classes. Of equal costs the leaf comes first, then the lowest test; a leaf has the
    lowest class.

    Examples
    --------
    >>> cheapest_tree([[0, 0], [0, 1], [1, 0], [1, 1]], [[0, 9], [9, 0], [9, 0], [0, 9]], 1, None)
    (4, (0, 1, -1, -2, 1, -2, -1))
    """
    n_tests = len(rows[0]) if rows else 0
    counts = [1] * len(rows) if sizes is None else sizes
    known: dict[tuple[frozenset[int], int], tuple[int, tuple[int, ...]]] = {}

    def solve(members: frozenset[int], depth: int) -> tuple[int, tuple[int, ...]]:
        if (members, depth) not in known:
            sums = [sum(penalties[i][c] for i in members) for c in range(len(penalties[0]))]
            leaf: tuple[int, ...] = (-1 - sums.index(min(sums)),)
            best = leaf_cost + min(sums), leaf
            for test in range(n_tests) if depth else ():
                parts = [frozenset(i for i in members if rows[i][test] == side) for side in (1, 0)]
                if all(part and sum(counts[i] for i in part) >= min_samples_leaf for part in parts):
                    (cost_1, tree_1), (cost_0, tree_0) = (solve(part, depth - 1) for part in parts)
                    if cost_1 + cost_0 < best[0]:
                        best = cost_1 + cost_0, (test, *tree_1, *tree_0)
            known[members, depth] = best
        return known[members, depth]

    return solve(frozenset(range(len(rows))), n_tests if max_depth is None else min(max_depth, n_tests))


def least_errors(
    rows: Sequence[Sequence[int]],
    penalties: Sequence[Sequence[int]],
    max_depth: int,
    sizes: Sequence[int] | None = None,
    min_samples_leaf: int = 1,
) -> list[int]:
    """Return the least penalties of trees with at most 1, 2, .. 2**max_depth leaves.

    Parameters
    ----------
    rows, penalties, sizes, min_samples_leaf
        As of `cheapest_tree`.
    max_depth : int
        The most tests on a path.

    Notes
    -----
    The same recursion with a list per row set: entry L of a split is the least sum of an entry a of one part and an
    entry b of the other with a + b <= L.

    Examples
    --------
    >>> least_errors([[0, 0], [0, 1], [1, 0], [1, 1]], [[0, 1], [1, 0], [1, 0], [0, 1]], 2)
    [2, 2, 1, 0]
    """
    counts = [1] * len(rows) if sizes is None else sizes
    known: dict[tuple[frozenset[int], int], list[int]] = {}

    def solve(members: frozenset[int], depth: int) -> list[int]:
        if (members, depth) not in known:
            leaf = min(sum(penalties[i][c] for i in members) for c in range(len(penalties[0])))
            best = [leaf] * 2**depth
            for test in range(len(rows[0])) if depth else ():
                parts = [frozenset(i for i in members if rows[i][test] == side) for side in (1, 0)]
                if all(part and sum(counts[i] for i in part) >= min_samples_leaf for part in parts):
                    of_true, of_false = (solve(part, depth - 1) for part in parts)
                    for a, errors_a in enumerate(of_true, 1):
                        for b, errors_b in enumerate(of_false, 1):
                            best[a + b - 1 :] = [min(entry, errors_a + errors_b) for entry in best[a + b - 1 :]]
            known[members, depth] = best
        return known[members, depth]

    return solve(frozenset(range(len(rows))), max_depth)


def tree_cost(
    tree: Sequence[int], rows: Sequence[Sequence[int]], penalties: Sequence[Sequence[int]], leaf_cost: int
) -> int:
    """Return what a tree in preorder costs.

    Examples
    --------
    >>> tree_cost([0, -2, -1], [[0], [1], [1]], [[0, 5], [5, 0], [0, 5]], leaf_cost=2)
    9
    """
    position = 0

    def cost(members: Sequence[int]) -> int:
        nonlocal position
        node = tree[position]
        position += 1
        if node < 0:
            return leaf_cost + sum(penalties[i][-1 - node] for i in members)
        return sum([cost([i for i in members if rows[i][node] == side]) for side in (1, 0)])

    total = cost(range(len(rows)))
    if position != len(tree):
        raise ValueError(f"a tree of {len(tree)} numbers ends after {position}")
    return total
