"""Parity, majority and multiplexer: Boolean functions on all rows, or on random ones."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_bits
from conjunct.errors import SettingError
from conjunct.logic import Threshold
from conjunct.messages import shortened
from conjunct.settings import whole_number
from conjunct.tables.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["majority", "multiplexer", "parity"]

_MOST_VARIABLES = 20


def parity(n_variables: int, *, n_rows: int | None = None, seed: int = 0) -> Table:
    """Rows labelled 1 iff an odd number of variables is 1.

    Parameters
    ----------
    n_variables : int
        Number of variables, at least 1; they are named x1 to xn.
    n_rows : int, optional
        Number of random rows. By default all 2**n_variables rows in counting order, x1 the most significant bit;
        more than 2**20 of them are refused.
    seed : int, default=0
        Seed of the random rows; unused without `n_rows`.

    Returns
    -------
    Table
        Labels 0 and 1.

    Examples
    --------
    >>> table = parity(3)
    >>> table.labels.tolist(), table.target
    ([0, 1, 1, 0, 1, 0, 0, 1], 'an odd number of the 3 variables is 1')
    """
    n_variables = whole_number(n_variables, "n_variables")
    rows = _rows(n_variables, n_rows, seed)
    target = f"an odd number of the {n_variables} variables is 1"
    return Table(f"parity-{n_variables}", _named(rows), rows.sum(axis=1, dtype=np.int64) % 2, target)


def majority(n_variables: int, *, n_rows: int | None = None, seed: int = 0) -> Table:
    """Rows labelled 1 iff at least half of the variables are 1.

    With an odd number of variables this is the strict majority; with an even number a tie counts as 1.

    Parameters
    ----------
    n_variables : int
        Number of variables, at least 1; they are named x1 to xn.
    n_rows : int, optional
        Number of random rows. By default all 2**n_variables rows in counting order, x1 the most significant bit;
        more than 2**20 of them are refused.
    seed : int, default=0
        Seed of the random rows; unused without `n_rows`.

    Returns
    -------
    Table
        Labels 0 and 1.

    Examples
    --------
    >>> majority(3).labels.tolist(), majority(3).target
    ([0, 0, 0, 1, 0, 1, 1, 1], 'x1 + x2 + x3 >= 2')
    >>> majority(2).labels.tolist()
    [0, 1, 1, 1]
    """
    n_variables = whole_number(n_variables, "n_variables")
    rows = _rows(n_variables, n_rows, seed)
    labels = (2 * rows.sum(axis=1, dtype=np.int64) >= n_variables).astype(np.int64)
    named = _named(rows)
    target = str(Threshold.at_least((n_variables + 1) // 2, named.names))
    return Table(f"majority-{n_variables}", named, labels, target)


def multiplexer(n_address: int, *, n_rows: int | None = None, seed: int = 0) -> Table:
    """Rows labelled with the data variable that the address variables point at.

    Parameters
    ----------
    n_address : int
        Number of address variables, 1 to 16. They are named a0, a1, ..., with a0 the most significant bit of the
        address; the 2**n_address data variables d0, d1, ... follow them.
    n_rows : int, optional
        Number of random rows. By default all rows in counting order, a0 the most significant bit; more than 2**20
        of them are refused, which allows up to 4 address variables.
    seed : int, default=0
        Seed of the random rows; unused without `n_rows`.

    Returns
    -------
    Table
        Labels 0 and 1.

    Examples
    --------
    >>> table = multiplexer(1)
    >>> table.rows.names, table.target
    (('a0', 'd0', 'd1'), '~a0 & d0 | a0 & d1')
    >>> table.labels.tolist()
    [0, 0, 1, 1, 0, 1, 0, 1]
    """
    n_address = whole_number(n_address, "n_address", most=16)
    n_data = 2**n_address
    rows = _rows(n_address + n_data, n_rows, seed)
    addresses = rows[:, :n_address] @ (2 ** np.arange(n_address - 1, -1, -1, dtype=np.int64))
    labels = np.take_along_axis(rows, n_address + addresses[:, np.newaxis], axis=1)[:, 0].astype(np.int64)
    address_names = [f"a{i}" for i in range(n_address)]
    names = address_names + [f"d{i}" for i in range(n_data)]
    terms = (
        [*(name if bit else f"~{name}" for name, bit in zip(address_names, address, strict=True)), f"d{i}"]
        for i, address in enumerate(product((0, 1), repeat=n_address))
    )
    target = " | ".join(" & ".join(literals) for literals in terms)
    return Table(f"multiplexer-{n_address}", BitMatrix.from_array(rows, names), labels, target)


def _rows(n_variables: int, n_rows: int | None, seed: int) -> NDArray[np.uint8]:
    """All rows in counting order, or random ones."""
    if n_rows is not None:
        return random_bits(seed, (whole_number(n_rows, "n_rows"), n_variables))
    if n_variables > _MOST_VARIABLES:
        n = shortened(n_variables)
        raise SettingError(
            f"{n} variables have 2**{n} rows, more than 2**{_MOST_VARIABLES}. "
            "Ask for random rows instead: n_rows=10000, seed=0."
        )
    shifts = np.arange(n_variables - 1, -1, -1, dtype=np.uint32)
    counts = np.arange(2**n_variables, dtype=np.uint32)
    return (counts[:, np.newaxis] >> shifts & np.uint32(1)).astype(np.uint8)


def _named(rows: NDArray[np.uint8]) -> BitMatrix:
    return BitMatrix.from_array(rows, [f"x{i}" for i in range(1, rows.shape[1] + 1)])
