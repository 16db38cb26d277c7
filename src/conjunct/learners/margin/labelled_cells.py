"""Rows with labels and weights, pooled: what batch machines learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.errors import BitsError
from conjunct.settings import Exact, exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LabelledCells"]


@dataclass(frozen=True, eq=False)
class LabelledCells:
    """Distinct rows with the mass of positive and of negative rows on each; a row of weight k is k rows.

    Attributes
    ----------
    rows : BitMatrix
        One row per cell, in the order of their digit strings; every cell has some mass.
    positive, negative : ndarray of int64, or of Python integers where they pass 2**62
        The mass of each cell by label, in units of `unit`.
    unit : Fraction
    cell_of : ndarray of int64
        The cell of every row of the table; -1 where its weight is 0.

    Examples
    --------
    >>> cells = LabelledCells.of(BitMatrix.of(["01", "11", "01"]), [1, -1, -1])
    >>> cells.positive.tolist(), cells.negative.tolist()
    ([1, 0], [1, 1])
    """

    rows: BitMatrix
    positive: NDArray[Any]
    negative: NDArray[Any]
    unit: Fraction
    cell_of: NDArray[np.int64]

    @classmethod
    def of(cls, rows: BitMatrix, signs: Any, weights: Sequence[Exact] | None = None) -> LabelledCells:
        """Pool rows with labels -1 and +1 and, if given, an exact weight >= 0 for each: 0.1 is 1/10."""
        if rows.n_rows == 0:
            raise BitsError("there are no rows; at least one is needed")
        y = np.asarray(signs)
        if y.shape != (rows.n_rows,) or not np.all((y == 1) | (y == -1)):
            raise BitsError(f"{rows.n_rows} rows need as many labels, each -1 or +1")
        if weights is None:
            pool = rows.pool(y)
            column = {int(label): index for index, label in enumerate(pool.labels)}
            zeros = np.zeros(pool.rows.n_rows, np.int64)
            positive, negative = (pool.counts[:, column[s]].copy() if s in column else zeros for s in (1, -1))
            return cls(pool.rows, positive, negative, Fraction(1), pool.cell_of)
        whole, unit = whole_weights(weights, rows.n_rows)
        weighty = np.flatnonzero(whole > 0)
        if len(weighty) == 0:
            raise BitsError("every row has weight zero; at least one must count")
        pool = rows[weighty].pool()
        cell_of = np.full(rows.n_rows, -1, np.int64)
        cell_of[weighty] = pool.cell_of
        positive, negative = (np.zeros(pool.rows.n_rows, whole.dtype) for _ in range(2))
        for mass, sign in ((positive, 1), (negative, -1)):
            of_sign = weighty[y[weighty] == sign]
            np.add.at(mass, cell_of[of_sign], whole[of_sign])
        return cls(pool.rows, positive, negative, unit, cell_of)

    @property
    def n_cells(self) -> int:
        """The number of cells."""
        return self.rows.n_rows

    @property
    def mass(self) -> Fraction:
        """The mass of all rows."""
        return self.unit * (int(self.positive.sum()) + int(self.negative.sum()))

    def floats(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the masses of positive and of negative rows as floats, correctly rounded."""
        if self.unit == 1 and self.positive.dtype == np.int64:
            return self.positive.astype(np.float64), self.negative.astype(np.float64)
        masses = [np.array([float(self.unit * int(m)) for m in mass]) for mass in (self.positive, self.negative)]
        return masses[0], masses[1]


def whole_weights(weights: Sequence[Exact], n_rows: int) -> tuple[NDArray[Any], Fraction]:
    """Write exact weights as whole multiples of one unit, the largest there is."""
    numbers = [weight if type(weight) is Fraction else exact(weight, "weight") for weight in weights]
    if len(numbers) != n_rows:
        raise BitsError(f"{n_rows} rows need as many weights, got {len(numbers)}")
    for row, weight in enumerate(numbers):
        if weight < 0:
            raise BitsError(f"weight {float(weight):.6g} in row {row}: expected no negative weight")
    denominator = lcm(*(weight.denominator for weight in numbers))
    whole = [int(weight * denominator) for weight in numbers]
    divisor = gcd(*whole) or 1
    whole = [weight // divisor for weight in whole]
    kind = np.int64 if sum(whole) < 1 << 62 else object
    return np.array(whole, kind), Fraction(divisor, denominator)
