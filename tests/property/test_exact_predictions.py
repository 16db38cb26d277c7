"""The kernel Perceptron equals its pure-Fraction reference, at every width, where floats would not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_bits, random_words
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from conjunct.learners import KernelPerceptron
from conjunct.models import KernelExpansion
from parts import parts
from reference import kernel_perceptron as reference

WIDTHS = (1, 63, 64, 65, 1000, 4096)
PREDICTIONS = ("final", "averaged", "voted")


def masks(table: np.ndarray) -> list[int]:
    return [int("".join(map(str, row[::-1])), 2) for row in table.tolist()]


def kernels(n: int):
    for max_size in (None, 1, 3):
        yield Conjunctions(max_size), reference.conjunctions(n, max_size)
        yield MonotoneConjunctions(max_size), reference.monotone(max_size)


def random_stream(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Random rows, some of them seen again with either label."""
    table = random_bits(seed, (24, n))
    rows = np.vstack([table, table[::3], table[::2]])
    return rows, 1 - 2 * random_bits(seed, (len(rows),), stream=1).astype(int)


def cancelling_stream(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that agree with one row on n, n - 1, n - 2, .. variables, labels alternating: sums of powers cancel."""
    base = random_bits(seed, (n,))
    steps = np.unique(np.concatenate([np.arange(min(n, 12) + 1), [n // 2, n - 1, n]]))
    chain = np.array([np.where(np.arange(n) < k, 1 - base, base) for k in steps])
    rows = np.vstack([chain, chain[::-1], chain, chain[[0]], chain[[0]]])
    return rows, np.where(np.arange(len(rows)) % 2, 1, -1)


@pytest.mark.parametrize("n", WIDTHS)
@pytest.mark.parametrize("stream", [random_stream, cancelling_stream])
@pytest.mark.parametrize("part", parts(2))
def test_the_run_and_every_prediction_equal_the_reference(n, stream, part):
    n_seeds = 2 if n < 1000 else 1
    for seed in range(part * n_seeds, (part + 1) * n_seeds):
        rows, labels = stream(n, seed)
        queries = np.vstack([rows, random_bits(seed, (10, n), stream=2)])
        for place, (kernel, plain) in enumerate(kernels(n)):
            threshold = (Fraction(0), Fraction(7, 2), Fraction(-5), Fraction(2**60 + 1, 3))[(seed + place) % 4]
            rate = (Fraction(1), Fraction(2, 3))[place % 2]
            slow = reference.KernelPerceptron(plain, threshold, rate)
            slow.learn(masks(rows), labels.tolist())
            fast = KernelPerceptron(kernel, threshold, rate)
            transcript = fast.run(BitMatrix.of(rows), labels)
            assert [(m.step, m.label, m.score) for m in transcript] == slow.mistakes
            for prediction in PREDICTIONS:
                model = fast.model([transcript], prediction)
                excesses = [slow.excess(x, prediction) for x in masks(queries)]
                assert model.choices(BitMatrix.of(queries)).tolist() == [int(e >= 0) for e in excesses]
                if prediction != "voted":
                    scores = [row[0] for row in model.scores(BitMatrix.of(queries))]
                    assert scores == [e + threshold for e in excesses]
                values = model.decision_values(BitMatrix.of(queries))
                assert np.all(np.isfinite(values))
                assert [value > 0 for value in values] == [e >= 0 for e in excesses]


@pytest.mark.parametrize("n", WIDTHS)
@pytest.mark.parametrize("at_the_bottom", [-3, -1, 0, 1, 2, 3, 5])
def test_a_sum_of_all_powers_that_cancels_to_almost_nothing_has_the_right_sign(n, at_the_bottom):
    """-2^n + 2^(n-1) + .. + 2 + 1 + 1 = 0: one unit more or less decides, 4096 binary places below the largest term."""
    base = random_bits(n, (n,))
    chain = np.array([np.where(np.arange(n) < k, 1 - base, base) for k in range(n + 1)])  # agrees on n - k variables
    weights = np.array([-1, *[1] * (n - 1), at_the_bottom])
    model = KernelExpansion(Conjunctions(), BitMatrix.of(chain), weights[None, :], Fraction(1), Fraction(0))
    exact = at_the_bottom - 2
    assert model.scores(BitMatrix.of([base])) == [[exact]]
    assert model.choices(BitMatrix.of([base])).tolist() == [int(exact >= 0)]
    assert (model.decision_values(BitMatrix.of([base]))[0] > 0) == (exact >= 0)
    limit = KernelExpansion(Conjunctions(), BitMatrix.of(chain), weights[None, :], Fraction(1), Fraction(exact, 1))
    above = KernelExpansion(Conjunctions(), BitMatrix.of(chain), weights[None, :], Fraction(1), exact + Fraction(1, 9))
    assert limit.choices(BitMatrix.of([base])).tolist() == [1]
    assert above.choices(BitMatrix.of([base])).tolist() == [0]


@pytest.mark.parametrize("n", WIDTHS)
@pytest.mark.parametrize("kernel", [Conjunctions(3), MonotoneConjunctions(2), Conjunctions(costs=(1, 3, "1/7"))])
@pytest.mark.parametrize("part", parts(2))
def test_sums_over_other_tables_that_cancel_have_the_right_sign(n, kernel, part):
    ones = np.ones(n, int)
    chain = np.array([np.where(np.arange(n) < k, 0, 1) for k in (0, 1, n // 2, n)])
    table = kernel.table(n)
    counts = [n, n - 1, n - n // 2, 0]
    scale = 7 * 3
    for trial in range(30 * part, 30 * part + 30):
        weights = (random_words(trial, 3, stream=n) % np.uint64(2001)).astype(int) - 1000
        partial = sum(int(w) * table[s] for w, s in zip(weights, counts[:3], strict=True))
        for extra in (-1, 0, 1):
            last = -(partial * scale) / (table[0] * scale)
            whole = int(last) + extra
            exact = partial + whole * table[0]
            model = KernelExpansion(
                kernel, BitMatrix.of(chain), np.array([[*weights, whole]]), Fraction(1), Fraction(0)
            )
            query = BitMatrix.of([ones])
            assert model.scores(query) == [[exact]]
            assert model.choices(query).tolist() == [int(exact >= 0)]


def test_the_order_of_float_sums_would_have_failed():
    """The cancelling sum above is wrong in float64 already at n = 64, so the tests of it can fail."""
    total = 0.0
    for term in (-(2.0**64), *(2.0**k for k in range(1, 64)), 1.0):  # a loop: sum() compensates from Python 3.12 on
        total += term
    assert total != -1


@pytest.mark.long
@pytest.mark.parametrize("n", WIDTHS)
def test_many_more_streams_equal_the_reference(n):
    for seed in range(100, 160 if n < 1000 else 108):
        rows, labels = random_stream(n, seed) if seed % 2 else cancelling_stream(n, seed)
        for kernel, plain in kernels(n):
            threshold, rate = Fraction(seed - 130, 3), Fraction(1 + seed % 5, 2)
            slow = reference.KernelPerceptron(plain, threshold, rate)
            slow.learn(masks(rows), labels.tolist())
            fast = KernelPerceptron(kernel, threshold, rate)
            transcript = fast.run(BitMatrix.of(rows), labels)
            assert [(m.step, m.label, m.score) for m in transcript] == slow.mistakes
            for prediction in PREDICTIONS:
                chosen = fast.model([transcript], prediction).choices(BitMatrix.of(rows)).tolist()
                assert chosen == [int(slow.excess(x, prediction) >= 0) for x in masks(rows)]
