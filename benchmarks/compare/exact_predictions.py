"""Exact predictions of a kernel expansion over all conjunctions, against Python's own integers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np
from harness import Case, Contender, equal

from conjunct.bits import BitMatrix, random_bits, random_words
from conjunct.kernels import Conjunctions
from conjunct.models import KernelExpansion


def by_python(rows: list[int], weights: list[int], queries: list[int], n: int) -> list[int]:
    return [int(sum(w << (n - (q ^ r).bit_count()) for r, w in zip(rows, weights, strict=True)) >= 0) for q in queries]


def masks(table: np.ndarray) -> list[int]:
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(table, axis=1, bitorder="little")]


def cases(full: bool) -> Iterator[Case]:
    for n in (64, 1000, 4096) if full else (64, 1000):
        rows, queries = random_bits(n, (2_000, n)), random_bits(n, (300, n), stream=1)
        weights = (random_words(n, 2_000) % np.uint64(7)).astype(np.int64) - 3
        model = KernelExpansion(Conjunctions(), BitMatrix.of(rows), weights[None, :], Fraction(1), Fraction(0))
        contenders = [
            Contender("conjunct", threads, partial(model.choices, BitMatrix.of(queries))) for threads in (1, 2)
        ]
        slow = partial(by_python, masks(rows), weights.tolist(), masks(queries), n)
        contenders.append(Contender("Python integers", 1, slow))
        yield Case(f"predict 300 of n={n} from 2,000 rows", 300, "rows", contenders, equal)
