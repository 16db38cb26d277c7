"""How often each variable had been promoted and demoted, before and after every update of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import SparseRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PowerHistory"]


@dataclass(frozen=True, eq=False)
class PowerHistory:
    """One entry for every variable of every update, sorted by variable, then in the order of the updates.

    Attributes
    ----------
    place, update : ndarrays of int64
        The variable, and the number of the update.
    before, after : ndarrays of int64, shape (2, entries)
        Its promotions and its demotions.
    is_first : ndarray of bool
        Whether the entry is the first of its variable.
    """

    place: NDArray[np.int64]
    update: NDArray[np.int64]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    is_first: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: SparseRows, label: NDArray[Any], rate: NDArray[np.int64], constant: int | None) -> PowerHistory:
        """Follow the updates on these rows; `constant` is the place of a variable that every row has, if any."""
        number = np.arange(rows.n_rows)
        variable, update = rows.places.astype(np.int64), np.repeat(number, np.diff(rows.starts))
        if constant is not None:
            variable, update = np.append(variable, np.full(rows.n_rows, constant)), np.append(update, number)
        order = np.lexsort((update, variable))
        variable, update = variable[order], update[order]
        is_first = np.diff(variable, prepend=-1) != 0
        change = np.where([label[update] > 0, label[update] < 0], rate[update], 0)
        so_far = np.cumsum(change, axis=1) - change
        before = so_far - np.maximum.accumulate(np.where(is_first, so_far, 0), axis=1)
        return cls(variable, update, before, before + change, is_first)

    @property
    def is_last(self) -> NDArray[np.bool_]:
        """Whether an entry is the last of its variable."""
        return np.append(self.is_first[1:], True)[: len(self.is_first)]
