"""What the random rules share: uniform rows named x1 to xn, and labels flipped at a rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_bits, random_flips
from conjunct.settings import probability, whole_number
from conjunct.tables.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.theory import Exact

__all__ = ["RULE_STREAM", "labelled_table", "uniform_rows"]

_ROWS_STREAM, _NOISE_STREAM = 0, 1
RULE_STREAM = 2


def uniform_rows(n_rows: int, n_variables: int, seed: int) -> NDArray[np.uint8]:
    """Rows drawn uniformly from all 2**n_variables; more of them keep the first ones."""
    return random_bits(seed, (whole_number(n_rows, "n_rows"), n_variables), stream=_ROWS_STREAM)


def labelled_table(
    name: str, rows: NDArray[np.uint8], values: NDArray[np.bool_], target: str, seed: int, noise: Exact
) -> Table:
    """Return the rows with labels 0 and 1, each the value of the target, flipped with the probability `noise`."""
    flips = random_flips(seed, len(rows), probability(noise, "noise"), stream=_NOISE_STREAM)
    names = [f"x{number}" for number in range(1, rows.shape[1] + 1)]
    return Table(name, BitMatrix.from_array(rows, names), (values ^ flips).astype(np.int64), target)
