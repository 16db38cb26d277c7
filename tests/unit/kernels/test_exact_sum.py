from fractions import Fraction

import numpy as np
import pytest

from conjunct import BitMatrix, _core, theory
from conjunct.errors import KernelError
from conjunct.kernels import Conjunctions, ExactSum, Geometric, MonotoneConjunctions
from conjunct.kernels.exact_sum import integers_from_limbs, limbs_from_integers, require_weight_sum

KERNELS = [
    Conjunctions(),
    MonotoneConjunctions(),
    Conjunctions(max_size=2),
    MonotoneConjunctions(max_size=3, costs=("1/3", 2, "5/7", 11)),
    Conjunctions(costs=Geometric("1/3")),
    Conjunctions(costs=Geometric(2)),
]
THRESHOLDS = [0, 1, -1, Fraction(7, 3), Fraction(-1, 1000), -(10**6), 2**70 + 1]


def random_rows(rng, n_rows, n):
    """Rows at every distance from each other, some equal."""
    base = rng.integers(0, 2, n, np.uint8)
    table = np.array([base ^ (rng.random(n) < share) for share in rng.choice([0, 0.01, 0.1, 0.5, 1], n_rows)], np.uint8)
    return BitMatrix.of(table)


def exact_scores(kernel, rows, weights, x):
    """Sum the kernel's own exact table by definition."""
    layout = [[Fraction(kernel.value(p, q)) for q in rows] for p in x]
    return [
        [sum((w * k for w, k in zip(output.tolist(), row, strict=True)), Fraction(0)) for output in weights]
        for row in layout
    ]


def check(kernel, rows, weights, x, thresholds):
    expected = exact_scores(kernel, rows, weights, x)
    for threshold in thresholds:
        total = ExactSum.of(kernel, rows, Fraction(threshold))
        scores = [[Fraction(s, total.denominator) for s in row] for row in total.scores(rows, weights, x)]
        assert scores == expected
        if len(weights) == 1:
            assert total.choices(rows, weights, x).tolist() == [int(row[0] >= threshold) for row in expected]
        else:
            assert total.choices(rows, weights, x).tolist() == [row.index(max(row)) for row in expected]
        first = weights[0]
        slot = np.arange(rows.n_rows)[::-1].copy()
        survival = np.arange(rows.n_rows + 1)
        hypotheses = [np.where(np.arange(rows.n_rows) >= rows.n_rows - h, first, 0) for h in range(rows.n_rows + 1)]
        by_hypothesis = exact_scores(kernel, rows, hypotheses, x)
        votes = [theory.votes(row, survival.tolist(), Fraction(threshold)) for row in by_hypothesis]
        assert total.votes(rows, slot, first[slot], survival, x).tolist() == votes


@pytest.mark.parametrize("n", [1, 63, 64, 65])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_sums_choices_and_votes_equal_fractions(kernel, n):
    rng = np.random.default_rng(n)
    rows, x = random_rows(rng, 5, n), random_rows(rng, 3, n)
    for n_outputs in (1, 3):
        check(kernel, rows, rng.integers(-5, 6, (n_outputs, 5)), x, THRESHOLDS)
    check(kernel, rows, rng.integers(-(2**58), 2**58, (2, 5)), x, [0])


@pytest.mark.parametrize("n", [1, 2, 9, 64])
@pytest.mark.parametrize(
    "kernel",
    [
        Conjunctions().on([0]) + Conjunctions(),
        Conjunctions().on([0]) * MonotoneConjunctions(2),
        (Conjunctions(costs=Geometric("1/3")) + MonotoneConjunctions()) * Conjunctions(1),
        Conjunctions(costs=(1, 1)).on([0]) + Conjunctions(costs=("1/4", "1/4")).on([0]),  # together 1, 2, 4, 8
    ],
    ids=str,
)
def test_sums_over_combinations_equal_fractions(kernel, n):
    rng = np.random.default_rng(n)
    rows, x = random_rows(rng, 4, n), random_rows(rng, 3, n)
    for n_outputs in (1, 2):
        check(kernel, rows, rng.integers(-5, 6, (n_outputs, 4)), x, THRESHOLDS)


def staircase(n):
    """Rows that agree with the row of ones on n, n - 1, n - 2, ... variables."""
    return BitMatrix.of(np.tri(6, n, -1, np.uint8) ^ 1)


@pytest.mark.parametrize("n", [63, 64, 65, 1000, 4096])
def test_weights_that_cancel_are_decided_exactly(n):
    rows, x = staircase(n), BitMatrix.of(np.ones((1, n), np.uint8))
    for weights in (
        [1, -2, 0, 0, 0, 0],
        [1, -1, -1, -1, -1, -2],
        [1, -1, -1, -1, -1, -1],
        [-1, 1, 1, 1, 1, 1],
        [2**40, 0, 0, 0, 0, -(2**45)],
        [2**40, 0, 0, 0, 0, -(2**45) - 1],
    ):
        score = sum(weight * 2 ** (n - i) for i, weight in enumerate(weights))
        for kernel in (Conjunctions(), MonotoneConjunctions()):
            for threshold in (0, 1, -1, score, score + 1, Fraction(2 * score + 1, 2), 2**5000, -(2**5000)):
                total = ExactSum.of(kernel, rows, Fraction(threshold))
                assert total.scores(rows, np.array([weights]), x) == [[score]]
                assert total.choices(rows, np.array([weights]), x).tolist() == [int(score >= threshold)]


def test_a_unit_beside_two_to_the_4096_decides_a_tie():
    n = 4096
    table = np.ones((4, n), np.uint8)
    table[1:3, 0] = 0
    table[3] = 0
    rows, x = BitMatrix.of(table), BitMatrix.of(table[:1])
    for last in (-1, 0, 1):
        weights = np.array([[1, -1, -1, last]])
        total = ExactSum.of(Conjunctions(), rows, Fraction(0))
        assert total.scores(rows, weights, x) == [[last]]
        assert total.choices(rows, weights, x).tolist() == [int(last >= 0)]
        against_zero = np.vstack([np.zeros_like(weights), weights])
        assert total.choices(rows, against_zero, x).tolist() == [int(last > 0)]


@pytest.mark.parametrize(
    "kernel", [Conjunctions(), MonotoneConjunctions(max_size=3), Conjunctions(costs=Geometric("1/3"))], ids=str
)
@pytest.mark.parametrize("n", [1000, 4096])
def test_sums_over_wide_rows_equal_the_table_by_definition(kernel, n):
    rng = np.random.default_rng(n)
    rows, x = random_rows(rng, 4, n), random_rows(rng, 2, n)
    table = kernel.table(n)
    counts = kernel.agreements(x, rows)
    for threshold in (Fraction(0), Fraction(1, 3), Fraction(2**5000), Fraction(-(2**5000), 7)):
        weights = rng.integers(-9, 10, (1, 4))
        total = ExactSum.of(kernel, rows, threshold)
        expected = [
            theory.signed_sum(theory.signed_histogram(row, weights[0].tolist(), n + 1), table)
            for row in counts.tolist()
        ]
        assert [Fraction(s, total.denominator) for (s,) in total.scores(rows, weights, x)] == expected
        assert total.choices(rows, weights, x).tolist() == [int(score >= threshold) for score in expected]


def test_a_tie_between_outputs_goes_to_the_first():
    rows = BitMatrix.of(["10", "01"])
    weights = np.array([[0, 1], [2, -1], [2, -1]])
    total = ExactSum.of(Conjunctions(), rows, Fraction(0))
    assert total.choices(rows, weights, rows).tolist() == [1, 0]
    assert total.choices(rows, 0 * weights, rows).tolist() == [0, 0]


def test_more_rows_than_a_tile_add_up_like_few():
    rng = np.random.default_rng(5)
    rows = BitMatrix.of(rng.integers(0, 2, (1100, 9), np.uint8))
    values = 2 ** Conjunctions().agreements(rows[:20], rows).astype(np.int64)
    weights = rng.integers(-5, 6, (2, 1100))
    total = ExactSum.of(Conjunctions(), rows, Fraction(3))
    scores = values @ weights.T
    assert total.scores(rows, weights, rows[:20]) == scores.tolist()
    assert total.choices(rows, weights, rows[:20]).tolist() == np.argmax(scores, axis=1).tolist()
    survival = rng.integers(0, 4, 1101)
    by_hypothesis = np.hstack([np.zeros((20, 1), np.int64), np.cumsum(values * weights[0], axis=1)])
    votes = np.where(by_hypothesis >= 3, survival, -survival).sum(axis=1)
    assert total.votes(rows, np.arange(1100), weights[0], survival, rows[:20]).tolist() == votes.tolist()


def test_sums_past_2_to_the_53_are_said_to_be_logarithmic():
    assert not ExactSum.of(Conjunctions(), BitMatrix.of(np.ones((1, 53))), Fraction(0)).is_logarithmic
    assert ExactSum.of(Conjunctions(), BitMatrix.of(np.ones((1, 54))), Fraction(0)).is_logarithmic


def native_sign(histogram, digits=None):
    counts = np.array(histogram, np.int64)
    return _core.floor_carry_sign(counts, np.zeros_like(counts) if digits is None else np.array(digits, np.int64))


def test_the_native_sign_by_carries_equals_the_definition_on_thousands_of_histograms():
    rng = np.random.default_rng(0)
    for case in range(4000):
        size = int(rng.integers(1, 80))
        largest = int(rng.choice([1, 2, 3, 1000, 2**40, 2**55]))
        histogram = rng.integers(-largest, largest + 1, size).tolist()
        if case % 2:  # built to cancel: move counts down by doubling them
            histogram = [0] * size
            for s in rng.integers(0, size, 5).tolist():
                count = int(rng.integers(-largest, largest + 1))
                histogram[s] += count
                histogram[max(0, s - 1)] -= 2 * count if s else count
            histogram[int(rng.integers(0, size))] += int(rng.integers(-1, 2))
        value = sum(count << s for s, count in enumerate(histogram))
        sign = (value > 0) - (value < 0)
        assert native_sign(histogram) == theory.floor_carry_sign(histogram) == sign


def test_the_native_sign_subtracts_the_digits_of_a_threshold():
    assert [native_sign([3, 0, 1], [digit, 1, 1]) for digit in (0, 1, 2)] == [1, 0, -1]


@pytest.mark.parametrize("n_limbs", [1, 2, 80])
def test_integers_survive_their_limbs(n_limbs):
    edge = 1 << (64 * n_limbs - 1)
    integers = [0, 1, -1, edge - 1, -edge, edge // 3]
    assert integers_from_limbs(limbs_from_integers(integers, n_limbs)) == integers


def test_weights_past_what_histograms_hold_are_refused():
    require_weight_sum(2**61)
    with pytest.raises(KernelError, match=r"sum to 2305843009213693953, limit is 2\*\*61"):
        require_weight_sum(2**61 + 1)
