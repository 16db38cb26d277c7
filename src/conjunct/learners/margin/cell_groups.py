"""The rows of one cell and one label as one row of their mass: what the margin Perceptrons go over."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.theory import equal_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.kernels import PairSums
    from conjunct.learners.margin.labelled_cells import LabelledCells

__all__ = ["CellGroups"]

WORK_PER_CALL = 1 << 22  # words of groups looked at or moved


@dataclass(frozen=True, eq=False)
class CellGroups:
    """Groups of equal rows with equal labels: cells in order, the positive rows of a cell before its negative ones.

    Attributes
    ----------
    cells : LabelledCells
    cell : ndarray of int64
        The cell of each group.
    sign : ndarray of float64
        Its label, +1 or -1.
    lams : list of Fraction
        lam over the mass of each group.

    Examples
    --------
    >>> from conjunct.bits import BitMatrix
    >>> from conjunct.learners import LabelledCells
    >>> groups = CellGroups.of(LabelledCells.of(BitMatrix.of(["01", "11", "01", "01"]), [1, -1, -1, -1]), Fraction(3))
    >>> groups.cell.tolist(), groups.sign.tolist(), [str(lam) for lam in groups.lams]
    ([0, 0, 1], [1.0, -1.0, -1.0], ['3', '3/2', '3'])
    """

    cells: LabelledCells
    cell: NDArray[np.int64]
    sign: NDArray[np.float64]
    lams: list[Fraction]

    @classmethod
    def of(cls, cells: LabelledCells, lam: Fraction) -> CellGroups:
        """Form the groups of some cells."""
        masses = np.stack([cells.positive, cells.negative], axis=1).ravel()
        index = np.flatnonzero(masses > 0)
        group_masses = masses[index].tolist()
        lam_of = {mass: lam / (cells.unit * mass) for mass in set(group_masses)}
        sign = (1 - 2 * (index % 2)).astype(np.float64)
        return cls(cells, index // 2, sign, [lam_of[mass] for mass in group_masses])

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.cell)

    def rows(self) -> tuple[NDArray[np.int64], list[Fraction]]:
        """Return for how many equal rows each group stands, and what an update on one of them adds to its weight."""
        rows = equal_rows([1 / lam for lam in self.lams])  # masses over lam: only their proportions count
        return np.array([count for count, _ in rows], np.int64), [step for _, step in rows]

    def moves_per_call(self, pairs: PairSums) -> int:
        """Return how many groups may move in one call of the core, so that it returns for signals after some 20 ms."""
        words = 1 if pairs.is_cached else 1 + len(pairs.layout.summands) * self.cells.rows.words.shape[1]
        return max(1, WORK_PER_CALL // max(1, self.n_groups * words))

    def split(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return values of the groups by cell: those of its positive rows and those of its negative rows."""
        by_label = np.zeros((self.cells.n_cells, 2), values.dtype)
        by_label[self.cell, (self.sign < 0).astype(np.int64)] = values
        return by_label[:, 0].copy(), by_label[:, 1].copy()

    def net(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the groups by cell: those of its positive rows minus those of its negative rows."""
        positive, negative = self.split(values)
        net: NDArray[Any] = positive - negative
        return net
