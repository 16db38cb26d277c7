"""[novikoff1962], [freund1999]: bounds of the Perceptron, never passed, reached if tight, and what is no bound.

R^2 |u|^2 / xi^2 on separable rows, (sigma + 1)(4k + 1) on sparse disjunctions, hinge and deviation forms on any rows.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, product
from math import ceil, floor, isqrt

import pytest

from conjunct.bits import random_below, random_bits, random_words
from conjunct.theory import (
    perceptron_best_constant_bound,
    perceptron_bound,
    perceptron_demotion_count,
    perceptron_deviation_bound,
    perceptron_hinge_bound,
    perceptron_promotion_count,
    perceptron_sparse_disjunction_bound,
    perceptron_sparse_refuted_width,
    run_perceptron,
    run_perceptron_on_vectors,
)


def dot(u, x):
    return sum(a * b for a, b in zip(u, x, strict=True))


def radius_sq(rows):
    return max(dot(x, x) for x in rows)


@pytest.mark.parametrize("n", [1, 2, 3, 12, 40])
def test_negative_unit_vectors_reach_the_bound(n):
    rows = [[-int(i == j) for j in range(n)] for i in range(n)]
    bound = perceptron_bound(radius_sq=1, norm_sq=n, margin=1)
    assert run_perceptron_on_vectors(rows * 2, [-1] * (2 * n)).n_mistakes == bound == n


@pytest.mark.parametrize("n", [2, 3, 12, 40])
def test_radius_over_margin_without_squares_is_no_bound(n):
    rows = [[-int(i == j) for j in range(n)] for i in range(n)]
    squared = run_perceptron_on_vectors(rows, [-1] * n).n_mistakes ** 2
    assert squared > perceptron_bound(radius_sq=1, norm_sq=n, margin=1)  # (R / gamma)^2


def test_mistakes_on_random_half_spaces_stay_under_the_bound():
    tightness = []
    for seed in range(400):
        n = 2 + seed % 5
        u = [1 - 2 * (seed % 2), *(v - 3 for v in random_below(seed, 7, n - 1).tolist())]
        drawn = (random_below(seed, 5, 25 * n, stream=1).reshape(25, n) - 2).tolist()
        rows = [x for x in drawn if dot(u, x)]
        labels = [1 if dot(u, x) > 0 else -1 for x in rows]
        run = run_perceptron_on_vectors(rows * 4, labels * 4)
        bound = perceptron_bound(radius_sq(rows), dot(u, u), min(abs(dot(u, x)) for x in rows))
        assert run.n_mistakes <= bound
        tightness.append(run.n_mistakes / bound)
    assert max(tightness) >= Fraction(4, 10)


@pytest.mark.parametrize("n", [10, 30])
def test_the_sign_of_three_out_of_n_signs_takes_a_good_part_of_the_bound(n):
    """X = {-1, 1}^n, u = 3 ones: M_p = 3n."""
    rows = (1 - 2 * random_bits(n, (40 * n, n)).astype(int)).tolist()
    run = run_perceptron_on_vectors(rows, [1 if sum(x[:3]) > 0 else -1 for x in rows])
    bound = perceptron_bound(radius_sq=n, norm_sq=3, margin=1)
    assert bound / 3 < run.n_mistakes <= bound == 3 * n


def longest(n, k):
    """The longest sequence of mistakes on a disjunction of the first k of n variables, constant 1: every order."""
    best = {}
    rows = [(*row, 1) for row in product([0, 1], repeat=n)]

    def search(weights):
        if weights not in best:
            found = []
            for x in rows:
                y = 1 if any(x[:k]) else -1
                if (dot(weights, x) >= 0) != (y > 0):
                    tail = search(tuple(w + y * value for w, value in zip(weights, x, strict=True)))
                    found = max(found, [(x, y), *tail], key=len)
            best[weights] = found
        return best[weights]

    return search((0,) * (n + 1))


@pytest.mark.parametrize(("n", "k", "length"), [(1, 1, 3), (2, 1, 6), (2, 2, 5), (3, 1, 8), (3, 2, 10)])
def test_no_order_of_all_rows_passes_the_bound_of_disjunctions(n, k, length):
    sequence = longest(n, k)
    examples = [(frozenset(v for v in range(n) if x[v]), y) for x, y in sequence]
    run = run_perceptron(examples, constant=1)
    assert run.n_mistakes == len(sequence) == length
    assert run.n_mistakes <= perceptron_sparse_disjunction_bound(n, k)


def sparse_stream(seed, n, k, sigma, length):
    """Rows of a disjunction of the first k of n variables, at most sigma active, half of them positive."""
    words = iter(random_words(seed, length * sigma).tolist())
    for head in islice(words, length):
        draws = [k + next(words) % (n - k) for _ in range(sigma - 1)]
        row = frozenset(draws[: head // 4 % sigma])
        yield (row | {head // 2**20 % k}, 1) if head & 1 else (row, -1)


def adversary(seed, n, k, sigma):
    """Only mistakes on a disjunction of the first k of n variables, at most sigma active, nearest to the tie first."""
    rows = [frozenset(row) for size in range(sigma + 1) for row in combinations(range(n), size)]
    weights, intercept, sequence = [0] * n, 0, []
    while True:
        scores = {row: intercept + sum(weights[v] for v in row) for row in rows}
        wrong = [row for row in rows if (scores[row] >= 0) != (min(row, default=n) < k)]
        if not wrong:
            return sequence
        draw = int(random_below(seed, len(wrong), 1, stream=len(sequence))[0])
        row = wrong[draw] if seed % 2 else min(wrong[draw:] + wrong[:draw], key=lambda row: abs(scores[row]))
        label = 1 if min(row, default=n) < k else -1
        sequence.append((row, label))
        intercept += label
        for v in row:
            weights[v] += label


def test_mistakes_on_sparse_disjunctions_stay_under_a_bound_without_the_width():
    tightness = []
    for seed in range(500):
        sigma, k, n = 1 + seed % 6, 1 + seed % 3, 10 ** (1 + seed % 5)
        sequence = list(sparse_stream(seed, n, k, sigma, 60)) * 4
        run = run_perceptron(sequence, constant=1)
        bound = perceptron_sparse_disjunction_bound(sigma, k)
        assert run.n_mistakes <= bound
        tightness.append(run.n_mistakes / bound)
        value = (Fraction(1, 2), Fraction(2), Fraction(7, 5))[seed % 3]
        run = run_perceptron(sequence, constant=value)
        assert run.n_mistakes <= perceptron_sparse_disjunction_bound(sigma, k, constant=value)
    assert max(tightness) > Fraction(42, 100)


def test_an_adversary_on_sparse_disjunctions_stays_under_the_bound():
    tightness = []
    for seed in range(150):
        n, k, sigma = 4 + seed % 5, 1 + seed % 3, 1 + seed % 4
        sequence = adversary(seed, n, k, sigma)
        run = run_perceptron(sequence, constant=1)
        assert run.n_mistakes == len(sequence) <= perceptron_sparse_disjunction_bound(sigma, k)
        tightness.append(run.n_mistakes / perceptron_sparse_disjunction_bound(sigma, k))
    assert max(tightness) > Fraction(54, 100)


@pytest.mark.parametrize(("sigma", "k"), [(1, 1), (10, 3), (12, 3), (4, 1), (100, 2), (7, 7)])
def test_the_best_constant_gives_the_least_bound(sigma, k):
    values = [Fraction(c, 200) for c in range(20, 1000)]
    bounds = [perceptron_sparse_disjunction_bound(sigma, k, constant=c) for c in values]
    assert floor(min(bounds)) == perceptron_best_constant_bound(sigma, k)


@pytest.mark.parametrize("n", [*range(4, 20), 100])
def test_or_on_unit_vectors_takes_2n_plus_1(n):
    stream = [(frozenset(), -1), *((frozenset({v}), 1) for v in range(n))]
    n_passes = n + 3
    run = run_perceptron(stream * n_passes, constant=1)
    assert run.n_mistakes == 2 * n + 1
    assert run.updates[-1].index < (n_passes - 1) * len(stream)  # the last pass is clean


@pytest.mark.parametrize("rate", [Fraction(1), Fraction(2, 7), Fraction(5)])
@pytest.mark.parametrize("theta", [Fraction(-5), Fraction(0), Fraction(1, 3), Fraction(17), Fraction(100, 9)])
def test_a_positive_row_needs_its_count_of_promotions(rate, theta):
    alone, three = [(frozenset("a"), 1)] * 100, [(frozenset("abc"), 1)] * 100
    run = run_perceptron(alone, threshold=theta, rate=rate, constant=1)
    assert run.n_mistakes == perceptron_promotion_count(theta, rate) == max(0, ceil(theta / (2 * rate)))
    run = run_perceptron(three, threshold=theta, rate=rate, constant="1/2")
    assert run.n_mistakes == perceptron_promotion_count(theta, rate, norm_sq=Fraction(13, 4))


@pytest.mark.parametrize("rate", [Fraction(1), Fraction(2, 7), Fraction(5)])
@pytest.mark.parametrize("theta", [Fraction(5), Fraction(0), Fraction(-1, 3), Fraction(-17), Fraction(-100, 9)])
def test_a_negative_row_needs_its_count_of_demotions(rate, theta):
    zero, three = [(frozenset(), -1)] * 100, [(frozenset("abc"), -1)] * 100
    run = run_perceptron(zero, threshold=theta, rate=rate, constant=1)
    assert run.n_mistakes == perceptron_demotion_count(theta, rate) == max(0, floor(-theta / rate) + 1)
    run = run_perceptron(three, threshold=theta, rate=rate)
    assert run.n_mistakes == perceptron_demotion_count(theta, rate, norm_sq=3)


def any_rows(seed):
    """Small integer rows, none of them zero, with random labels, or labelled against the Perceptron's prediction."""
    n, length = 1 + seed % 3, 4 + seed % 20
    drawn = (random_below(seed, 5, length * n).reshape(length, n) - 2).tolist()
    rows = [x if any(x) else [1] * n for x in drawn]
    labels = (1 - 2 * random_bits(seed, length, stream=1).astype(int)).tolist()
    if seed % 2:
        weights = [0] * n
        for i, x in enumerate(rows):
            labels[i] = -1 if dot(weights, x) >= 0 else 1
            weights = [w + labels[i] * value for w, value in zip(weights, x, strict=True)]
    return rows, labels, run_perceptron_on_vectors(rows, labels).updates


def test_mistakes_on_any_rows_stay_under_the_hinge_bound_of_every_u():
    tightness = []
    for seed in range(300):
        rows, labels, updates = any_rows(seed)
        for u in product([Fraction(-1), Fraction(-1, 4), Fraction(0), Fraction(1, 2)], repeat=len(rows[0])):
            loss = sum(max(Fraction(0), 1 - labels[m.index] * dot(u, rows[m.index])) for m in updates)
            bound = perceptron_hinge_bound(loss, radius_sq(rows), dot(u, u))
            assert len(updates) <= bound
            if any(u) and len(updates) >= 5:
                tightness.append(Fraction(len(updates), max(1, bound)))
    assert max(tightness) == 1


def test_mistakes_on_any_rows_stay_under_the_deviation_bound_of_every_u():
    tightness = []
    for seed in range(300):
        rows, labels, updates = any_rows(seed)
        for u in product([-1, 0, 2], repeat=len(rows[0])):
            for margin in (Fraction(1, 3), Fraction(2), Fraction(10)):
                deviations = [max(Fraction(0), margin - y * dot(u, x)) for x, y in zip(rows, labels, strict=True)]
                bound = perceptron_deviation_bound(dot(deviations, deviations), radius_sq(rows), dot(u, u), margin)
                assert len(updates) <= bound
                if any(u) and len(updates) >= 5:
                    tightness.append(Fraction(len(updates), max(1, bound)))
    assert max(tightness) == 1


@pytest.mark.parametrize("norm_sq", [1, 7, Fraction(9, 4)])
def test_both_forms_imply_the_separable_bound(norm_sq):
    bound = floor(perceptron_bound(radius_sq=5, norm_sq=norm_sq, margin=1))
    assert perceptron_hinge_bound(0, 5, norm_sq) == perceptron_deviation_bound(0, 5, norm_sq, 1) == bound


def test_the_mistakes_of_the_best_u_plus_its_margin_bound_is_no_bound():
    """One variable, x = 1, labels -, +, -: three mistakes; u = -1 makes one, and R^2 |u|^2 / xi^2 is 1."""
    assert run_perceptron_on_vectors([[1]] * 3, [-1, 1, -1]).n_mistakes == 3
    for length in (1, 2):  # no shorter one
        for labels in product([-1, 1], repeat=length):
            best = min(labels.count(1), labels.count(-1))
            assert run_perceptron_on_vectors([[1]] * length, labels).n_mistakes <= best + 1


@pytest.mark.parametrize("factor", [1, 5, 10])
def test_no_constant_in_front_of_the_mistakes_of_the_best_u_repairs_it(factor):
    """T blocks of x = R, labelled -1, then R times x = 1, labelled +1: u = 1 makes T mistakes, and M_p = R^2."""
    radius, blocks = 10, 101
    rows, labels = [[radius], *[[1]] * radius] * blocks, [-1, *[1] * radius] * blocks
    best = sum(y != 1 for y in labels)
    run = run_perceptron_on_vectors(rows, labels)
    assert run.n_mistakes == blocks * (radius + 1)
    assert run.n_mistakes > factor * best + perceptron_bound(radius**2, 1, 1)
    loss = sum(max(0, 1 - y * x[0]) for x, y in zip(rows, labels, strict=True))
    assert run.n_mistakes <= perceptron_hinge_bound(loss, radius**2, 1)


def test_a_refuted_width_of_sparse_rows_is_the_largest_whose_bound_is_passed():
    for sigma in (0, 1, 5, 1000):
        assert perceptron_sparse_refuted_width(0, sigma) == 0
        for k in range(1, 50):
            reached = int(perceptron_sparse_disjunction_bound(sigma, k))
            assert perceptron_sparse_refuted_width(reached, sigma) == k - 1
            assert perceptron_sparse_refuted_width(reached + 1, sigma) == k


def test_a_refuted_width_is_refuted():
    n, widths = 5, []
    subsets = [frozenset(target) for k in range(1, n + 1) for target in combinations(range(n), k)]
    for seed in range(200):
        masks = random_below(seed, 2**n, 120).tolist()
        rows = [frozenset(v for v in range(n) if mask >> v & 1) for mask in masks]
        turned = (random_below(seed, 2 + seed % 9, 120, stream=1) == 0).tolist()
        sequence = [(row, -1 if turn == (0 in row) else 1) for row, turn in zip(rows, turned, strict=True)]
        width = perceptron_sparse_refuted_width(run_perceptron(sequence, constant=1).n_mistakes, n)
        fitting = [t for t in subsets if all((y > 0) == bool(row & t) for row, y in sequence)]
        assert not any(len(target) <= width for target in fitting)
        widths.append(width)
    assert {0, 1, 2} <= set(widths)


def test_integer_square_roots_make_the_floors_exact():
    for a in range(1, 30):
        assert perceptron_deviation_bound(a, 1, 1, 1) == 1 + a + isqrt(4 * a)
