"""Gram matrices in tiles: every width, every edge of a tile, both types, both halves."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_bits, random_flips
from conjunct.errors import KernelError
from conjunct.kernels import Conjunctions, MonotoneConjunctions, fill

LONG = pytest.mark.long


def by_numpy(kernel, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The table looked up at counts that NumPy makes in float64, where they are exact."""
    x, z = a.astype(float), b.astype(float)
    counts = x @ z.T + (1 - x) @ (1 - z).T if isinstance(kernel, Conjunctions) else x @ z.T
    return np.array([float(value) for value in kernel.table(a.shape[1])])[counts.astype(int)]


@pytest.mark.parametrize("n", [1, 3, 4, 5, 63, 64, 65, 127, 251, 252, 253, 256, 1000, 4096])
@pytest.mark.parametrize("kernel", [Conjunctions(2), MonotoneConjunctions(3)])
@pytest.mark.parametrize("shape", [(70, 60), (63, 1025), (65, 1024), (1, 5000)])
def test_tiles_equal_the_table_at_counts_made_by_numpy(n, kernel, shape):
    a, b = random_bits(n, (shape[0], n)), random_bits(n, (shape[1], n), stream=1)
    expected = by_numpy(kernel, a, b)
    assert np.array_equal(kernel.gram(a, b), expected)
    assert np.array_equal(kernel.gram(a, b, dtype=np.float32), expected.astype(np.float32))


@pytest.mark.parametrize("n", [191, 192, 200, 255, 257, 511, 513, 2000])
@pytest.mark.parametrize(
    "density", [Fraction(0), Fraction(1, 200), Fraction(1, 10), Fraction(39, 100), Fraction(4, 5), Fraction(1)]
)
@pytest.mark.parametrize("kernel", [Conjunctions(2), MonotoneConjunctions(3)])
def test_sparse_and_dense_rows_are_counted_alike(n, density, kernel):
    a = random_flips(n, 67 * n, density).reshape(67, n)
    b = np.vstack([random_flips(n, 1030 * n, density, stream=1).reshape(1030, n), np.ones((1, n)), np.zeros((1, n))])
    assert np.array_equal(kernel.gram(a, b), by_numpy(kernel, a, b))
    assert np.array_equal(kernel.gram(b, a), by_numpy(kernel, b, a))


def test_sparse_rows_of_a_group_of_columns_are_counted_within_it():
    table = random_flips(3, 300 * 700, Fraction(1, 10)).reshape(300, 700)
    columns = list(range(100, 500))
    assert np.array_equal(Conjunctions(2).on(columns).gram(table), by_numpy(Conjunctions(2), *[table[:, columns]] * 2))


@pytest.mark.parametrize(
    ("n", "density"),
    [
        (n, density) if n == 65_535 or (n, density.denominator) == (65_480, 2) else pytest.param(n, density, marks=LONG)
        for n in (65_400, 65_480, 65_535)
        for density in (Fraction(1, 50), Fraction(1, 2), Fraction(49, 50))
    ],
)
def test_the_widest_rows_are_counted_right(n, density):
    table = random_flips(5, 66 * n, density).reshape(66, n)
    assert np.array_equal(Conjunctions(1).gram(table), by_numpy(Conjunctions(1), table, table))


@pytest.mark.parametrize("n", [5, 256, 257, 300])
@pytest.mark.parametrize("n_rows", [64, 1023, 1024, 1025, 1089, 2100])
def test_a_square_matrix_is_the_same_above_and_below_the_diagonal(n, n_rows):
    table = random_bits(n, (n_rows, n))
    gram = Conjunctions(2).gram(table)
    assert np.array_equal(gram, by_numpy(Conjunctions(2), table, table))
    assert np.array_equal(gram, Conjunctions(2).gram(table, table.copy()))
    assert np.array_equal(gram, gram.T)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shift", [0, 1, 7, 15])
@pytest.mark.parametrize("n_rows", [65, 1040, 1111])
def test_a_square_matrix_is_written_whole_wherever_lines_begin(kind, shift, n_rows, monkeypatch):
    table = BitMatrix.of(random_bits(1, (n_rows, 33)))
    expected = Conjunctions(2).gram(table, BitMatrix.of(random_bits(1, (n_rows, 33)))).astype(kind)
    for threads in (1, 2, 3):
        monkeypatch.setenv("CONJUNCT_THREADS", str(threads))
        around = np.full(n_rows**2 + 40, -1, kind)
        out = around[shift : shift + n_rows**2].reshape(n_rows, n_rows)
        Conjunctions(2).gram(table, out=out)
        assert np.array_equal(out, expected)
        assert np.all(around[:shift] == -1)
        assert np.all(around[shift + n_rows**2 :] == -1)


@pytest.mark.parametrize("columns", [range(0, 200, 3), [199], range(64, 128), [0, 1, 2]])
def test_a_group_of_columns_is_tiled_as_the_columns_alone(columns):
    table = random_bits(9, (300, 200))
    alone = Conjunctions(2).gram(table[:, list(columns)])
    assert np.array_equal(Conjunctions(2).on(list(columns)).gram(table), alone)


@pytest.mark.parametrize("kernel", [Conjunctions(2), Conjunctions(2).on([0, 1]) + MonotoneConjunctions()])
def test_tiles_equal_rows_one_by_one(kernel, monkeypatch):
    table = random_bits(4, (200, 70))
    tiled = kernel.gram(table)
    monkeypatch.setattr(fill, "LEAST_TILED_ENTRIES", 10**9)
    assert np.array_equal(kernel.gram(table), tiled)


def test_rows_wider_than_a_tile_counts_are_taken_one_by_one():
    table = random_bits(5, (70, 65_600))
    assert np.array_equal(MonotoneConjunctions(1).gram(table), by_numpy(MonotoneConjunctions(1), table, table))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("width", [100, 101, 1030])
def test_a_matrix_is_written_where_it_is_asked_for_and_nowhere_else(kind, width):
    a, b = random_bits(1, (70, 33)), random_bits(2, (width, 33))
    around = np.full(70 * width + 40, -1, kind)
    out = around[20 : 20 + 70 * width].reshape(70, width)
    assert Conjunctions(2).gram(a, b, out=out) is out
    assert np.array_equal(out, by_numpy(Conjunctions(2), a, b).astype(kind))
    assert np.all(around[:20] == -1)
    assert np.all(around[-20:] == -1)


@pytest.mark.parametrize(
    "out", [np.empty((3, 2)), np.empty((2, 2), int), np.empty((2, 4))[:, ::2], np.empty((2, 2), order="F").T[:1]]
)
def test_an_array_that_cannot_hold_the_matrix_is_refused(out):
    with pytest.raises(KernelError, match=r"Gram matrix is|out: expected"):
        Conjunctions(2).gram(["01", "11"], out=out)


def test_a_read_only_array_is_refused():
    out = np.empty((2, 2))
    out.flags.writeable = False
    with pytest.raises(KernelError, match="writeable"):
        Conjunctions(2).gram(["01", "11"], out=out)


def test_values_past_float32_are_refused_with_the_way_out():
    with pytest.raises(KernelError, match=r"2\*\*200, past float32 .* dtype=float64"):
        Conjunctions().gram(np.ones((2, 200), int), dtype=np.float32)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_threads_do_not_change_a_matrix(threads, monkeypatch):
    rows = BitMatrix.of(random_bits(1, (1500, 130)))
    expected = Conjunctions(2).gram(rows)
    monkeypatch.setenv("CONJUNCT_THREADS", str(threads))
    assert np.array_equal(Conjunctions(2).gram(rows), expected)


def test_of_a_sum_of_kernels_every_summand_is_rounded_and_every_addition():
    third = Conjunctions(2, [Fraction(3), Fraction(7), Fraction(11)])
    kernel = third + MonotoneConjunctions(2, [Fraction(9), Fraction(13), Fraction(1, 10**9)]) + third
    rows = BitMatrix.of(random_bits(0, (12, 7)))
    table = rows.to_array().tolist()
    exact = [[Fraction(kernel.value(x, z)) for z in table] for x in table]
    gram = kernel.gram(rows).tolist()
    errors = [abs(Fraction(g) - e) / e for gs, es in zip(gram, exact, strict=True) for g, e in zip(gs, es, strict=True)]
    assert 0 < max(errors) <= Fraction(3 + 2, 2**53)  # three roundings of values, two of sums
