"""All rows of n variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["all_rows"]


def all_rows(n: int) -> NDArray[np.uint8]:
    """Return all 2**n rows: row number v has bit i of v as its variable i.

    Examples
    --------
    >>> all_rows(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    return (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(np.uint8)
