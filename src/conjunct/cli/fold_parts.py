"""The rows of a fold, as learners take them."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from conjunct.evaluation.cross_validation import Tested

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix, SparseRows

__all__ = ["Parts"]


@dataclass(frozen=True, eq=False)
class Parts:
    """The rows of a fold with the numbers of their classes: those to learn from, and those to test on."""

    rows: BitMatrix | SparseRows
    codes: NDArray[np.int64]
    test_rows: BitMatrix | SparseRows
    test_codes: NDArray[np.int64]

    def tested(self, predicted: NDArray[np.int64], start: float) -> Tested:
        """Count what is predicted right, by a learner that began at a time of the CPU."""
        return Tested(int(np.sum(predicted == self.test_codes)), process_time() - start)
