"""The cheapest DNF of labelled rows, by trying all sets of terms."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

__all__ = ["cheapest_dnf"]


def cheapest_dnf(
    rows: Sequence[Sequence[int]],
    labels: Sequence[bool],
    price: Fraction | None,
    *,
    max_size: int | None = None,
    masses: Sequence[Fraction] | None = None,
    positive: bool = False,
) -> Fraction | None:
    """Return the least of terms + price * errors, over all DNFs; an error is a miss, or a term on a negative row.

    Parameters
    ----------
    rows : sequence of sequences of 0 and 1
    labels : sequence of bool
        Whether a DNF should be true on each row.
    price : Fraction or None
        What an error costs; None allows none.
    max_size : int or None
        The most literals of a term; None for any number.
    masses : sequence of Fraction, optional
        How much an error on each row counts; 1 if absent.
    positive : bool
        Whether literals are positive only.

    Returns
    -------
    Fraction or None
        None where no DNF is without errors, and none may have any.

    Notes
    -----
    A row of label false counts once for every term that holds on it, a row of label true once if no term does.

    Examples
    --------
    >>> bits = list(product([0, 1], repeat=3))
    >>> majority = [sum(row) >= 2 for row in bits]
    >>> print(cheapest_dnf(bits, majority, None), cheapest_dnf(bits, majority, Fraction(1, 2)))
    3 2
    """
    counted = [Fraction(1)] * len(rows) if masses is None else list(masses)
    n = len(rows[0])
    cells = sorted({tuple(row) for row, label in zip(rows, labels, strict=True) if label})
    missed = {cell: Fraction() for cell in cells}  # what it costs to miss them
    for row, label, mass in zip(rows, labels, counted, strict=True):
        if label:
            missed[tuple(row)] += mass
    terms: dict[int, Fraction] = {}  # sets of these cells, as bits, and the least that a term on them costs
    for length in range((n if max_size is None else min(max_size, n)) + 1):
        for variables in combinations(range(n), length):
            for values in product([1] if positive else [0, 1], repeat=length):
                term = list(zip(variables, values, strict=True))
                cover = sum(1 << k for k, cell in enumerate(cells) if all(cell[v] == x for v, x in term))
                wrong = sum(
                    mass
                    for row, label, mass in zip(rows, labels, counted, strict=True)
                    if not label and all(row[v] == x for v, x in term)
                )
                if price is not None or wrong == 0:
                    cost = 1 + (Fraction(0) if price is None else price * wrong)
                    terms[cover] = min(terms.get(cover, cost), cost)
    best: dict[int, Fraction] = {0: Fraction(0)}  # by the cells that are covered, or given up
    for settled in range(1 << len(cells)):
        if settled in best and settled != (1 << len(cells)) - 1:
            lowest = ~settled & (settled + 1)  # the first cell that is not
            choices = [(cover, cost) for cover, cost in terms.items() if cover & lowest]
            if price is not None:
                choices.append((lowest, price * missed[cells[lowest.bit_length() - 1]]))
            for cover, cost in choices:
                total = best[settled] + cost
                best[settled | cover] = min(best.get(settled | cover, total), total)
    return best.get((1 << len(cells)) - 1)
