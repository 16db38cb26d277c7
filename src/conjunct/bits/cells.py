"""Equal rows pooled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from conjunct.bits.bit_matrix import BitMatrix

__all__ = ["Cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """The distinct rows of a table, in the order of their digit strings, with how often each label occurs on each.

    Attributes
    ----------
    rows : BitMatrix
        One row per cell.
    labels : ndarray
        The distinct labels, sorted.
    counts : ndarray of shape (cells, labels)
        How many rows of a cell have a label.
    cell_of : ndarray
        The cell of every row of the table.
    """

    rows: BitMatrix
    labels: NDArray[Any]
    counts: NDArray[np.int64]
    cell_of: NDArray[np.int64]
