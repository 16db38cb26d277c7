"""On which rows a conjunction holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits.bit_matrix import BitMatrix

__all__ = ["holds_on"]


def holds_on(rows: BitMatrix, conjunction: Sequence[int]) -> NDArray[np.bool_]:
    """Return on which rows a conjunction holds; literal 2j + 1 says that variable j is true, 2j that it is false.

    Examples
    --------
    >>> from conjunct.bits import BitMatrix
    >>> holds_on(BitMatrix.of(["10", "11"]), (1, 2)).tolist()
    [True, False]
    """
    codes = [literal ^ 1 for literal in conjunction]  # which `decide` counts from the positive one
    return rows.decide([0, len(codes)], np.array(codes, np.int32), [True], default=False)
