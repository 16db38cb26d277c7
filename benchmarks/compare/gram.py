"""The Gram matrix of conjunctions of at most three literals, against NumPy: a float32 product, then a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from harness import Case

from conjunct.bits import BitMatrix, random_bits
from conjunct.kernels import Conjunctions

KERNEL = Conjunctions(max_size=3)


def by_numpy(table: np.ndarray, values: np.ndarray) -> np.ndarray:
    signs = (2 * table.astype(np.float32)) - 1
    same = ((signs @ signs.T + table.shape[1]) / 2).astype(np.int32)
    return values[same]


def cases(full: bool) -> Iterator[Case]:
    n_rows = 10_000 if full else 3_000
    for n in (64, 256, 1024, 4096) if full else (64, 256, 1024):
        table = random_bits(n, (n_rows, n))
        rows = BitMatrix.of(table)
        values = np.array([float(value) for value in KERNEL.table(n)])
        yield Case(
            f"gram {n_rows:,} rows, {n} variables",
            partial(KERNEL.gram, rows),
            "NumPy product and take",
            partial(by_numpy, table, values),
            np.testing.assert_array_equal,
        )
