"""Boolean rows over variables that have ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits.sparse_rows import SparseRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["IdRows"]


@dataclass(frozen=True, eq=False)
class IdRows:
    """Sparse rows whose variables are the ids that occur: a wide id takes memory for itself, not for all below it.

    Attributes
    ----------
    rows : SparseRows
        Place k stands for ``ids[k]``.
    ids : ndarray of int64
        Rising, from 1 on; the variable with id i is called ``x{i}``.

    Examples
    --------
    >>> table = IdRows.of(np.array([0, 2, 3]), np.array([0, 2_999_999, 6]))
    >>> table.ids.tolist(), table.names, table.rows
    ([1, 7, 3000000], ('x1', 'x7', 'x3000000'), SparseRows(2 rows x 3 variables, 3 entries))
    >>> table.onto(np.array([7, 8])).places.tolist()  # -1 for an id that is not among them
    [-1, -1, 0]
    """

    rows: SparseRows
    ids: NDArray[np.int64]

    @classmethod
    def of(cls, starts: NDArray[np.int64], columns: NDArray[Any]) -> IdRows:
        """Make rows of the columns of all their ones, counted from 0: the variable of column c has the id c + 1."""
        distinct = np.unique(columns) if len(columns) else np.zeros(1, np.int32)
        places = np.searchsorted(distinct, columns).astype(np.int32)
        return cls(SparseRows(starts, places, len(distinct)), distinct.astype(np.int64) + 1)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.rows.n_rows

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(f"x{number}" for number in self.ids.tolist())

    def take(self, index: NDArray[np.int64]) -> IdRows:
        """Return the rows of these numbers, of the same variables."""
        return IdRows(self.rows.take(index), self.ids)

    def onto(self, ids: NDArray[np.int64]) -> SparseRows:
        """Return the rows over other ids, given in rising order; -1 for an id that is not among them."""
        position = np.searchsorted(ids, self.ids)
        is_known = ids[np.minimum(position, len(ids) - 1)] == self.ids
        new_places = np.where(is_known, position, -1).astype(np.int32)
        return SparseRows(self.rows.starts, new_places[self.rows.places], len(ids))
