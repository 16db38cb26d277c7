"""Table: Boolean rows with their labels and the rule behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import BitsError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix, IdRows

__all__ = ["IdTable", "Table"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Boolean rows, one label per row, and the rule the labels follow.

    Unpacks into rows and labels.

    Parameters
    ----------
    name : str
        What the table is called.
    rows : BitMatrix
        The rows, with a name for each variable.
    labels : ndarray, shape (n_rows,)
        One label per row; copied, and read-only afterwards.
    target : str
        The rule that gives the label before any noise: a formula that `conjunct.logic.parse` reads, or words.
    lines : ndarray of int64, optional
        The line of each row, counted from 1, where the table was read from a text.

    Examples
    --------
    >>> from conjunct.datasets import parity
    >>> rows, labels = parity(2)
    >>> rows.to_array().tolist(), labels.tolist()
    ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    """

    name: str
    rows: BitMatrix
    labels: NDArray[Any] = field(repr=False)
    target: str
    lines: NDArray[np.int64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        labels = np.array(self.labels)
        if labels.shape != (self.rows.n_rows,):
            raise BitsError(
                f"table {shortened(self.name)} has {self.rows.n_rows} rows and labels of shape {labels.shape}; "
                f"expected one label per row, shape ({self.rows.n_rows},)."
            )
        labels.flags.writeable = False
        object.__setattr__(self, "labels", labels)

    def __iter__(self) -> Iterator[Any]:
        yield self.rows
        yield self.labels


@dataclass(frozen=True, slots=True, eq=False)
class IdTable:
    """Rows of svmlight whose variables are the ids that occur, one label per row.

    Attributes
    ----------
    rows : IdRows
    labels : ndarray of int64
    source : str
        Where the table came from: a file, or ``stdin``.
    lines : ndarray of int64
        The line of each row, counted from 1.
    """

    rows: IdRows
    labels: NDArray[np.int64] = field(repr=False)
    source: str
    lines: NDArray[np.int64] = field(repr=False)
