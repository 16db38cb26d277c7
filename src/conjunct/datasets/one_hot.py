"""One-hot coding of rows of named values: one variable per column and value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["one_hot"]


def one_hot(rows: Sequence[Sequence[str]], columns: Mapping[str, Sequence[str]]) -> BitMatrix:
    """Variables ``column=value`` in the order of the columns and, within a column, of its values.

    Parameters
    ----------
    rows : sequence of sequences of str
        One value per column.
    columns : mapping of str to sequence of str
        Name of each column, in order, with the values it can take.

    Returns
    -------
    BitMatrix

    Examples
    --------
    >>> bits = one_hot([("red", "yes"), ("blue", "no")], {"color": ("red", "blue"), "tie": ("yes", "no")})
    >>> bits.names
    ('color=red', 'color=blue', 'tie=yes', 'tie=no')
    >>> bits.to_array().tolist()
    [[1, 0, 1, 0], [0, 1, 0, 1]]
    """
    names = [f"{column}={value}" for column, values in columns.items() for value in values]
    bits = [
        [entry == value for entry, values in zip(row, columns.values(), strict=True) for value in values]
        for row in rows
    ]
    return BitMatrix.from_array(np.array(bits, dtype=np.uint8).reshape(len(rows), len(names)), names)
