"""Packing a dense 0/1 table, against numpy.packbits, which does not check the values, and against reading it once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from harness import Case, Contender, equal

from conjunct.bits import BitMatrix, random_bits


def cases(full: bool) -> Iterator[Case]:
    for n_rows in (200_000, 1_000_000) if full else (1_000_000,):
        table = random_bits(1, (n_rows, 256))
        contenders = [Contender("conjunct", threads, partial(BitMatrix.from_array, table)) for threads in (1, 2)]
        contenders.append(Contender("numpy.packbits", 1, partial(np.packbits, table, axis=1, bitorder="little")))
        contenders.append(Contender("one pass (max)", 1, table.max))
        yield Case(f"pack {n_rows:,} x 256 uint8", table.size, "cells", contenders, agree)


def agree(ours: BitMatrix, other: object) -> None:
    if isinstance(other, np.ndarray):
        equal(ours.words.view(np.uint8), other)
