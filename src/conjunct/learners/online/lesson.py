"""What an on-line learner is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits import BitMatrix, SparseRows, random_permutation
from conjunct.errors import BitsError, SettingError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Lesson"]

LARGEST_RATE = 1 << 62


class Lesson:
    """Rows with labels +1 and -1 and whole update rates, checked."""

    def __init__(self, rows: SparseRows | BitMatrix, labels: ArrayLike, rates: ArrayLike | None = None) -> None:
        signs = np.asarray(labels)
        if signs.shape != (rows.n_rows,) or rows.n_rows == 0:
            raise BitsError(f"{rows.n_rows} rows need as many labels and at least one, got shape {signs.shape}")
        if not np.all((signs == 1) | (signs == -1)):
            raise BitsError("a learner's labels are +1 and -1")
        whole = np.ones(rows.n_rows, np.int64) if rates is None else np.asarray(rates)
        if whole.shape != (rows.n_rows,) or whole.dtype.kind not in "iu" or np.any(whole <= 0):
            raise SettingError(f"rates: expected {rows.n_rows} positive integers")
        if int(whole.max()) > LARGEST_RATE:
            raise SettingError("rates: expected integers up to 2**62")
        self.rows: Any = rows
        self.label = np.ascontiguousarray(signs, np.int8)
        self.rate = np.ascontiguousarray(whole, np.int64)

    def order(self, seed: int | None, number: int) -> NDArray[np.int64] | None:
        """Return the order of a pass: None as given, or shuffled by a seed and the number of the pass."""
        return None if seed is None else random_permutation(seed, self.rows.n_rows, stream=number)

    def native(self, order: NDArray[np.int64] | None, first_step: int) -> _core.SparseLesson:
        """Return sparse rows in an order for the core, which has made so many steps before."""
        return _core.SparseLesson(self.rows.native, self.label, self.rate, order, first_step)
