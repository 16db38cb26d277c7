"""The simplex method in whole numbers, for small problems that floats could not settle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["balance_or_weights"]


def balance_or_weights(signed: NDArray[np.int64], max_pivots: int) -> tuple[list[int] | None, list[int] | None, int]:
    """Return multipliers under which signed rows cancel, or weights positive on all of them, and the pivots made.

    Parameters
    ----------
    signed : ndarray of shape (rows, columns)
        Whole numbers g_i.
    max_pivots : int
        After as many exchanges both answers are None.

    Notes
    -----
    Phase one of the simplex method for a >= 0, sum a_i g_i = 0, sum a_i = 1. Where the least sum of the artificial
    variables is 0 the rows cancel; otherwise its multipliers v have -v . g_i >= least > 0 for every i. Pivots follow
    Bland's rule, so no basis is met twice [bland1977], and keep whole numbers over one denominator, the last pivot.

    Examples
    --------
    >>> balance_or_weights(np.array([[1, 1], [-1, 0], [0, -1]]), 99)[0]
    [1, 1, 1]
    >>> balance_or_weights(np.array([[1, 1], [-1, 0]]), 99)[1]
    [-1, 2]
    """
    n_rows, n_columns = signed.shape
    table: NDArray[Any] = np.zeros((n_columns + 2, n_rows + n_columns + 2), object)
    table[:n_columns, :n_rows] = signed.T
    table[n_columns, :n_rows] = table[n_columns, -1] = 1
    for artificial in range(n_columns + 1):
        table[artificial, n_rows + artificial] = 1
    table[-1] = -table[:-1].sum(axis=0)
    table[-1, n_rows:-1] = 0
    basis = list(range(n_rows, n_rows + n_columns + 1))
    denominator = 1
    for n_pivots in range(max_pivots + 1):
        entering = next((column for column in range(n_rows) if table[-1, column] < 0), None)
        if entering is None:
            return *_read(table, basis, denominator, n_rows), n_pivots
        leaving = _leaving(table, basis, entering)
        pivot, column, row = table[leaving, entering], table[:, entering].copy(), table[leaving].copy()
        table = (table * pivot - column[:, None] * row) // denominator
        table[leaving] = row
        denominator = pivot
        basis[leaving] = entering
    return None, None, max_pivots


def _leaving(table: NDArray[Any], basis: list[int], entering: int) -> int:
    """Return the row of least ratio, by Bland's rule of least variable among equals; there is one, as sum a_i = 1."""
    best = -1
    for row in range(len(basis)):
        if table[row, entering] > 0:
            if best < 0:
                best = row
                continue
            candidate, incumbent = table[row, -1] * table[best, entering], table[best, -1] * table[row, entering]
            if candidate < incumbent or (candidate == incumbent and basis[row] < basis[best]):
                best = row
    return best


def _read(
    table: NDArray[Any], basis: list[int], denominator: int, n_rows: int
) -> tuple[list[int] | None, list[int] | None]:
    if table[-1, -1] == 0:
        multipliers = [0] * n_rows
        for row, variable in enumerate(basis):
            if variable < n_rows:
                multipliers[variable] = int(table[row, -1])
        return multipliers, None
    # The reduced cost of an artificial variable is 1 less its multiplier; the last belongs to the sum of all a_i.
    return None, [int(cost) - denominator for cost in table[-1, n_rows:-2]]
