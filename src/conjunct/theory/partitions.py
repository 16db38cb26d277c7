"""The cheapest partition of rows into conjunctions, by trying all of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

__all__ = ["cheapest_partition"]


def cheapest_partition(
    rows: Sequence[Sequence[int]],
    labels: Sequence[int],
    price: Fraction | None,
    *,
    max_size: int | None = None,
    leaf_costs: Sequence[Fraction] | None = None,
    masses: Sequence[Fraction] | None = None,
    positive: bool = False,
) -> Fraction | None:
    """Return the least sum of K over the parts + price * errors, over all partitions of rows into conjunctions.

    Parameters
    ----------
    rows : sequence of sequences of 0 and 1
    labels : sequence of int
    price : Fraction or None
        What an error costs; None allows none.
    max_size : int or None
        The most literals of a conjunction; None for any number.
    leaf_costs : sequence of Fraction, optional
        K by the number of literals; 1 each if absent.
    masses : sequence of Fraction, optional
        How much an error on each row counts; 1 if absent.
    positive : bool
        Whether literals are positive only.

    Returns
    -------
    Fraction or None
        None where no partition is without errors, and none may have any.

    Notes
    -----
    Exactly one conjunction of a partition holds on each row, and its class is the one with the least errors. The leaves
    of a decision tree are a partition; not every partition is a tree [kowalczyk2002, Section 2].

    Examples
    --------
    Not all equal of three bits: five parts, and a decision tree needs six leaves.

    >>> bits = list(product([0, 1], repeat=3))
    >>> print(cheapest_partition(bits, [len(set(row)) > 1 for row in bits], None))
    5
    """
    cells = sorted(set(map(tuple, rows)))
    n, size = len(cells[0]), len(cells[0]) if max_size is None else min(max_size, len(cells[0]))
    costs = [Fraction(1)] * (size + 1) if leaf_costs is None else list(leaf_costs)
    parts: dict[int, Fraction] = {}  # sets of cells, as bits, and the least that a part on them costs
    for length in range(size + 1):
        for variables in combinations(range(n), length):
            for values in product([1] if positive else [0, 1], repeat=length):
                holds = [all(cell[v] == x for v, x in zip(variables, values, strict=True)) for cell in cells]
                cover = sum(1 << k for k, held in enumerate(holds) if held)
                errors = part_errors(cells, cover, rows, labels, masses)
                if cover and (price is not None or errors == 0):
                    cost = costs[length] + (0 if price is None else price * errors)
                    parts[cover] = min(parts.get(cover, cost), cost)
    best: dict[int, Fraction] = {0: Fraction(0)}
    for covered in range(1 << len(cells)):
        if covered in best:
            lowest = ~covered & (covered + 1)  # the first cell that is not covered
            for cover, cost in parts.items():
                if cover & lowest and not cover & covered:
                    total = best[covered] + cost
                    best[covered | cover] = min(best.get(covered | cover, total), total)
    return best.get((1 << len(cells)) - 1)


def part_errors(
    cells: Sequence[tuple[int, ...]],
    cover: int,
    rows: Sequence[Sequence[int]],
    labels: Sequence[int],
    masses: Sequence[Fraction] | None,
) -> Fraction:
    """Return how much the errors of the best class count on the rows of some cells."""
    inside = {cell for k, cell in enumerate(cells) if cover >> k & 1}
    by_class: dict[int, Fraction] = {}
    for row, label, mass in zip(rows, labels, masses or [Fraction(1)] * len(rows), strict=True):
        if tuple(row) in inside:
            by_class[label] = by_class.get(label, Fraction()) + mass
    return sum(by_class.values(), Fraction()) - max(by_class.values(), default=Fraction())
