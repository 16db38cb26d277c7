"""[novikoff1962], [kowalczyk2002]: the kernel Perceptron over all conjunctions obeys 2^n y'G^-1y on any function."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_bits, random_permutation
from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions
from conjunct.learners import KernelPerceptron
from conjunct.theory import conjunctions_interpolation_bound, conjunctions_interpolation_norm_sq, conjunctions_kernel


def all_rows(n):
    return [tuple(v >> i & 1 for i in range(n)) for v in range(2**n)]


def solve(matrix, values):
    """Solve a system of equations in fractions, by elimination."""
    rows = [[Fraction(a) for a in row] + [Fraction(b)] for row, b in zip(matrix, values, strict=True)]
    for i in range(len(rows)):
        pivot = next(j for j in range(i, len(rows)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [a / rows[i][i] for a in rows[i]]
        for j, row in enumerate(rows):
            if j != i and row[i]:
                rows[j] = [a - row[i] * b for a, b in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_length_is_that_of_the_solved_gram_matrix(n):
    rows = all_rows(n)
    gram = [[conjunctions_kernel(x, z) for z in rows] for x in rows]
    for seed in range(3):
        values = [3 * a + b - 2 for a, b in random_bits(seed, (2**n, 2)).tolist()]
        wanted = sum(y * a for y, a in zip(values, solve(gram, values), strict=True))
        assert conjunctions_interpolation_norm_sq(values) == wanted


def test_every_function_of_three_variables_is_learned_within_the_bound():
    rows = BitMatrix.of(np.array(all_rows(3), dtype=np.uint8))
    shares = []
    for labels in product([-1, 1], repeat=8):
        run = KernelPerceptron(Conjunctions()).run(rows, labels, max_passes=1000)
        assert run.is_consistent
        bound = conjunctions_interpolation_bound(labels)
        assert run.n_mistakes <= bound
        shares.append(run.n_mistakes / bound)
    assert max(shares) > Fraction(1, 2)


@pytest.mark.parametrize("seed", range(5))
def test_random_functions_in_random_order_stay_under_the_bound(seed):
    n = 7
    order = random_permutation(seed, 2**n)
    labels = 2 * random_bits(seed, 2**n, stream=1).astype(int) - 1
    rows = BitMatrix.of(np.array(all_rows(n), dtype=np.uint8)[order])
    run = KernelPerceptron(Conjunctions()).run(rows, labels[order], max_passes=1000)
    assert run.is_consistent
    assert run.n_mistakes <= conjunctions_interpolation_bound(labels.tolist())


@pytest.mark.parametrize("n", range(1, 9))
def test_a_constant_is_the_cheapest_and_the_parity_the_dearest(n):
    parity = [1 - 2 * (sum(row) % 2) for row in all_rows(n)]
    assert conjunctions_interpolation_bound([1] * 2**n) == Fraction(4, 3) ** n
    assert conjunctions_interpolation_bound(parity) == 4**n
    for seed in range(5):
        labels = (2 * random_bits(seed, 2**n).astype(int) - 1).tolist()
        assert Fraction(4, 3) ** n <= conjunctions_interpolation_bound(labels) <= 4**n


def test_what_is_no_table_is_refused():
    for values in ([], [1, -1, 1]):
        with pytest.raises(SettingError, match="2\\*\\*n rows"):
            conjunctions_interpolation_norm_sq(values)
    with pytest.raises(SettingError, match=r"\+1 and -1"):
        conjunctions_interpolation_bound([1, 0])
