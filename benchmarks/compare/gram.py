"""Gram matrices of conjunctions of at most two literals: one pair is one written cell.

Peers: NumPy (a float32 product, then the table), a tuned Numba popcount kernel, and faiss, which stops at distances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import faiss
import numba
import numpy as np
from harness import Case, Contender, equal

from conjunct.bits import BitMatrix, random_flips
from conjunct.kernels import Conjunctions

KERNEL = Conjunctions(max_size=2)


@dataclass(frozen=True)
class Setting:
    """One line of the table."""

    n_rows: int
    n_variables: int
    density: Fraction = Fraction(1, 2)
    is_rectangular: bool = False
    allocates: bool = False

    def __str__(self) -> str:
        marks = [f"density {float(self.density)}"] if self.density != Fraction(1, 2) else []
        marks += ["rectangular"] * self.is_rectangular + ["allocating"] * self.allocates
        return ", ".join([f"gram m={self.n_rows:,} n={self.n_variables}", *marks])


def settings(full: bool) -> Iterator[Setting]:
    widths = (64, 256, 1024, 4096)
    yield from (Setting(10_000, n) for n in widths)
    if full:
        yield from (Setting(10_000, n, allocates=True) for n in widths)
        yield from (Setting(10_000, n, is_rectangular=True) for n in widths)
        yield from (Setting(10_000, n, Fraction(1, 10)) for n in widths)
        yield from (Setting(20_000, n) for n in widths)


@numba.njit(fastmath=False)
def popcount(x):
    """Sideways addition, which LLVM turns into the popcnt instruction."""
    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)


@numba.njit(parallel=True, cache=False)
def by_numba(a, b, n, table, out):
    """Four columns at a time, rows in parallel."""
    n_words = a.shape[1]
    for i in numba.prange(a.shape[0]):
        j = 0
        while j + 4 <= b.shape[0]:
            c0 = c1 = c2 = c3 = np.uint64(0)
            for w in range(n_words):
                x = a[i, w]
                c0 += popcount(x ^ b[j, w])
                c1 += popcount(x ^ b[j + 1, w])
                c2 += popcount(x ^ b[j + 2, w])
                c3 += popcount(x ^ b[j + 3, w])
            out[i, j] = table[n - np.int64(c0)]
            out[i, j + 1] = table[n - np.int64(c1)]
            out[i, j + 2] = table[n - np.int64(c2)]
            out[i, j + 3] = table[n - np.int64(c3)]
            j += 4
        while j < b.shape[0]:
            c = np.uint64(0)
            for w in range(n_words):
                c += popcount(a[i, w] ^ b[j, w])
            out[i, j] = table[n - np.int64(c)]
            j += 1


@numba.njit(parallel=True, cache=False)
def by_numba_symmetric(a, n, table, out):
    """Blocks of 64 x 64 on and above the diagonal, each written twice."""
    m, n_words = a.shape
    n_blocks = (m + 63) // 64
    for block in numba.prange(n_blocks):
        i0, i1 = 64 * block, min(m, 64 * block + 64)
        for j0 in range(i0, m, 64):
            for i in range(i0, i1):
                for j in range(j0, min(m, j0 + 64)):
                    c = np.uint64(0)
                    for w in range(n_words):
                        c += popcount(a[i, w] ^ a[j, w])
                    out[i, j] = table[n - np.int64(c)]
            if j0 > i0:
                for j in range(j0, min(m, j0 + 64)):
                    for i in range(i0, i1):
                        out[j, i] = out[i, j]


def by_numpy(left: np.ndarray, right: np.ndarray, table: np.ndarray, out: np.ndarray | None) -> np.ndarray:
    """Agreements are (n + <signs, signs>) / 2; the product runs in BLAS."""
    n = left.shape[1]
    product = left @ right.T
    return np.take(table, ((product + n) * 0.5).astype(np.int32), out=out)


def with_numba(a: np.ndarray, b: np.ndarray, n: int, table: np.ndarray, out: np.ndarray | None, loop) -> np.ndarray:
    out = np.empty((len(a), len(b)), np.float32) if out is None else out
    loop(a, b, n, table, out) if loop is by_numba else loop(a, n, table, out)
    return out


def by_faiss(a: np.ndarray, b: np.ndarray, distances: np.ndarray | None) -> np.ndarray:
    distances = np.empty((len(a), len(b)), np.int32) if distances is None else distances
    pointers = (faiss.swig_ptr(a.view(np.uint8)), faiss.swig_ptr(b.view(np.uint8)))
    faiss.hammings(*pointers, len(a), len(b), a.shape[1] * 8, faiss.swig_ptr(distances))
    return distances


def ours(left: BitMatrix, right: BitMatrix | None, out: np.ndarray | None) -> np.ndarray:
    return KERNEL.gram(left, right, dtype=np.float32, out=out)


def cases(full: bool) -> Iterator[Case]:
    for setting in settings(full):
        n, m = setting.n_variables, setting.n_rows
        tables = [
            random_flips(1, m * n, setting.density, stream=s).reshape(m, n).view(np.uint8)
            for s in range(1 + setting.is_rectangular)
        ]
        packed = [BitMatrix.of(table) for table in tables]
        left, right = packed[0], packed[-1]
        signs = [2 * table.astype(np.float32) - 1 for table in tables]
        values = np.array([float(value) for value in KERNEL.table(n)], np.float32)
        outs = [None] * 4 if setting.allocates else [np.zeros((m, m), kind) for kind in 3 * [np.float32] + [np.int32]]
        loop = by_numba if setting.is_rectangular else faster_numba(n)
        ways = {
            "conjunct": partial(ours, left, right if setting.is_rectangular else None, outs[0]),
            "NumPy": partial(by_numpy, signs[0], signs[-1], values, outs[1]),
            "Numba": partial(with_numba, left.words, right.words, n, values, outs[2], loop),
            "faiss distances": partial(by_faiss, left.words, right.words, outs[3]),
        }
        contenders = [Contender("conjunct", threads, ways["conjunct"]) for threads in (1, 2)]
        peers = [name for name in ways if name != "conjunct"]
        contenders += [Contender(name, threads, ways[name]) for threads in (1, 2) for name in peers]
        yield Case(str(setting), m * m, "pairs", contenders, partial(agree, n, values))


def faster_numba(n: int):
    """Choose the better of two loops for this width, so that the peer is at its best."""
    return by_numba if n <= 256 else by_numba_symmetric


def agree(n: int, values: np.ndarray, gram: np.ndarray, other: np.ndarray) -> None:
    """Compare Gram matrices; distances first become agreements and are looked up."""
    equal(gram, values[n - other] if other.dtype == np.int32 else other)
