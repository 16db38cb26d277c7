"""Packing a dense 0/1 table, against numpy.packbits, which does not check the values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from harness import Case

from conjunct.bits import BitMatrix, random_bits


def cases(full: bool) -> Iterator[Case]:
    for n_rows in (200_000, 1_000_000) if full else (200_000,):
        table = random_bits(1, (n_rows, 256))
        yield Case(
            f"pack {n_rows:,} x 256 uint8",
            partial(BitMatrix.from_array, table),
            "numpy.packbits",
            partial(np.packbits, table, axis=1, bitorder="little"),
            lambda ours, peer: np.testing.assert_array_equal(ours.words.view(np.uint8), peer),
        )
