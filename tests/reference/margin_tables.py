"""Small tables that the margin machines are held against."""

import numpy as np

from conjunct.bits import BitMatrix, random_bits

AND = BitMatrix.of(["00", "01", "10", "11"]), [-1, -1, -1, 1]


def noisy(seed, n_rows=60, n_variables=6):
    """Rows with random labels; some cells have both."""
    signs = 2 * random_bits(seed, n_rows, stream=1).astype(np.int64) - 1
    return BitMatrix.of(random_bits(seed, (n_rows, n_variables))), signs
