"""[littlestone1988], [blum1992]: bounds of Winnow1, Winnow2 and normalised Winnow, never passed, and reached if tight.

Adversaries: one that shows only mistakes, at random or those that move the weights least; one that searches every
order of all rows over few variables for the longest sequence of mistakes; one that labels against the prediction.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, islice, repeat

import pytest

from conjunct.bits import random_below, random_bits, random_words
from conjunct.theory import (
    ceil_log,
    normalised_winnow_bound,
    normalised_winnow_rate,
    run_normalised_winnow,
    run_winnow,
    winnow1_bound,
    winnow1_demotion_bound,
    winnow2_bound,
    winnow2_demotion_bound,
    winnow_promotion_bound,
    winnow_refuted_width,
    winnow_refuted_width_by_promotions,
    winnow_repeat_count,
    winnow_sparse_bound,
    winnow_sparse_refuted_width,
)

ALPHAS = (Fraction(2), Fraction(3, 2), Fraction(3))


def active(mask):
    return frozenset(v for v in range(mask.bit_length()) if mask >> v & 1)


def random_stream(seed, n, k, length, sigma=None):
    """Rows of a disjunction of the first k of n variables, positive in half of the cases if k > 0."""
    sigma = sigma or n
    words = iter(random_words(seed, length * (sigma + 1)).tolist())
    for head in islice(words, length):
        draws = [k + next(words) % (n - k) for _ in range(sigma - 1)]
        row = frozenset(draws[: head // 4 % sigma])
        yield (row | {head // 2**20 % k}, 1) if head & 1 and k else (row, -1)


def adversary(seed, n, k, theta, alpha, *, elimination, choice):
    """Only mistakes on a disjunction of the first k of n variables, until no row is one."""
    weights, sequence = [Fraction(1)] * n, []
    while True:
        scores = [Fraction(0)]
        for mask in range(1, 2**n):
            scores.append(scores[mask & (mask - 1)] + weights[(mask & -mask).bit_length() - 1])
        wrong = [mask for mask in range(2**n) if (scores[mask] >= theta) != (mask % 2**k > 0)]
        if not wrong:
            return sequence
        draw = int(random_below(seed, len(wrong), 1, stream=len(sequence))[0])
        rotated = wrong[draw:] + wrong[:draw]
        mask = rotated[0] if choice == "random" else min(rotated, key=lambda m: abs(scores[m] - theta))
        label = 1 if mask % 2**k else -1
        sequence.append((active(mask), label))
        for v in active(mask):
            weights[v] *= alpha if label > 0 else 0 if elimination else 1 / alpha


def longest(n, k, theta, alpha, *, elimination):
    """The longest sequence of mistakes on a disjunction of the first k of n variables, by searching every order."""
    best = {}
    rows = [active(mask) for mask in range(2**n)]

    def search(weights):
        if weights not in best:
            found = []
            for row in rows:
                label = 1 if min(row, default=n) < k else -1
                if (sum(weights[v] for v in row) >= theta) != (label > 0):
                    factor = alpha if label > 0 else 0 if elimination else 1 / alpha
                    tail = search(tuple(w * factor if v in row else w for v, w in enumerate(weights)))
                    found = max(found, [(row, label), *tail], key=len)
            best[weights] = found
        return best[weights]

    return search((Fraction(1),) * n)


def check(sequence, n, k, theta, alpha, *, elimination):
    """The bounds of a run on a disjunction; how near each was come to: promotions, demotions, all mistakes."""
    run = run_winnow(sequence, threshold=theta, promotion=alpha, elimination=elimination)
    demotion_bound = (winnow1_demotion_bound if elimination else winnow2_demotion_bound)(
        n, run.n_promotions, theta, alpha
    )
    bound = (winnow1_bound if elimination else winnow2_bound)(n, k, theta, alpha)
    assert run.n_promotions <= winnow_promotion_bound(k, theta, alpha)
    assert run.n_demotions <= demotion_bound
    assert run.n_mistakes <= bound
    return run, Fraction(run.n_mistakes, bound)


@pytest.mark.parametrize(("elimination", "seen"), [(False, Fraction(53, 100)), (True, Fraction(3, 4))])
def test_mistakes_on_random_streams_stay_under_the_bound(elimination, seen):
    tightness = []
    for seed in range(500):
        n, k, alpha = 4 + seed % 21, 1 + seed % 3, ALPHAS[seed % 7 % 3]
        theta = (Fraction(n), Fraction(n, 2), Fraction(5, 2), Fraction(3 * n))[seed % 11 % 4]
        sequence = list(random_stream(seed, n, k, 60)) * 3
        tightness.append(check(sequence, n, k, theta, alpha, elimination=elimination)[1])
    assert max(tightness) > seen


@pytest.mark.parametrize(("elimination", "seen"), [(False, Fraction(54, 100)), (True, Fraction(3, 4))])
def test_an_adversary_who_shows_only_mistakes_stays_under_the_bound(elimination, seen):
    tightness = []
    for seed in range(400):
        n, k, alpha = 3 + seed % 4, 1 + seed % 3, ALPHAS[seed % 7 % 3]
        theta = (Fraction(n), Fraction(n, 2), Fraction(1), Fraction(7, 3), Fraction(40))[seed % 11 % 5]
        theta = max(theta, Fraction(1))
        settings = {"elimination": elimination, "choice": "random" if seed % 2 else "least"}
        sequence = adversary(seed, n, k, theta, alpha, **settings)
        run, ratio = check(sequence, n, k, theta, alpha, elimination=elimination)
        assert run.n_mistakes == len(sequence)
        tightness.append(ratio)
    assert max(tightness) > seen


@pytest.mark.parametrize(("elimination", "seen"), [(False, Fraction(5, 11)), (True, Fraction(3, 5))])
def test_no_order_of_all_rows_passes_the_bound(elimination, seen):
    tightness = []
    half = Fraction(1, 2)
    for n, k, theta, alpha in [
        (3, 1, 3, 2),
        (3, 2, 3, 2),
        (3, 1, 2, 3 * half),
        (3, 1, 5 * half, 2),
        (4, 1, 1, 2),
        (4, 1, 4, 2),
    ]:
        sequence = longest(n, k, Fraction(theta), Fraction(alpha), elimination=elimination)
        run, ratio = check(sequence, n, k, theta, alpha, elimination=elimination)
        assert run.n_mistakes == len(sequence)
        tightness.append(ratio)
    assert max(tightness) == seen


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_without_relevant_variables_winnow1_reaches_its_bound_and_winnow2_all_but_one(n):
    """theta = 1, k = 0, alpha = 2, only negatives: n/theta for Winnow1; 2n/theta, the bound of Winnow2, is strict."""
    assert len(longest(n, 0, Fraction(1), Fraction(2), elimination=True)) == winnow1_bound(n, 0, 1) == n
    assert len(longest(n, 0, Fraction(1), Fraction(2), elimination=False)) == winnow2_bound(n, 0, 1) - 1 == 2 * n - 1


@pytest.mark.parametrize("elimination", [False, True])
@pytest.mark.parametrize("alpha", [*ALPHAS, Fraction(101, 100)])
@pytest.mark.parametrize("theta", [Fraction(1), Fraction(2), Fraction(9, 4), Fraction(10), Fraction(64), Fraction(81)])
def test_the_relevant_variables_one_at_a_time_reach_the_bound_on_promotions(elimination, alpha, theta):
    k = 3
    alone = chain.from_iterable(repeat((frozenset({v}), 1), 500) for v in range(k))
    run = run_winnow(alone, threshold=theta, promotion=alpha, elimination=elimination)
    assert run.n_promotions == winnow_promotion_bound(k, theta, alpha) == k * ceil_log(alpha, theta)


def test_two_more_demotions_than_n_over_theta_plus_promotions_happen_in_winnow2():
    """n = 8, theta = 2, alpha = 2: v <= n/theta + u belongs to elimination; here v = 6, u = 0, and 7 is relevant."""
    n, theta = 8, 2
    negatives = [{0, 1}, {2, 3}, {4, 5}, {0, 1, 6}, {2, 3, 4, 5}, {0, 1, 2, 3, 4, 5, 6}]
    sequence = [(frozenset(row), -1) for row in negatives]
    run = run_winnow(sequence, threshold=theta)
    assert (run.n_demotions, run.n_promotions) == (6, 0)
    assert run.n_demotions > n // theta + run.n_promotions
    assert run.n_demotions <= winnow2_demotion_bound(n, 0, theta) == 8
    assert run_winnow(sequence, threshold=theta, elimination=True).n_demotions <= n // theta


def attribute_errors(run, sequence, relevant):
    """A of the theorem, over the mistakes of a run."""
    rows = [(len(sequence[update.index][0] & relevant), update.label) for update in run.updates]
    return sum(shared if label < 0 else int(shared == 0) for shared, label in rows)


def against(seed, n, theta, alpha, length):
    """Random rows labelled against Winnow2's prediction."""
    weights, sequence = [Fraction(1)] * n, []
    for mask in random_below(seed, 2**n, length).tolist():
        label = -1 if sum(weights[v] for v in active(mask)) >= theta else 1
        sequence.append((active(mask), label))
        for v in active(mask):
            weights[v] *= alpha**label
    return sequence


def flipped(seed, n, k, length):
    """A disjunction of the first k of n variables, one label in eight turned around."""
    turns = random_below(seed, 8, length, stream=1).tolist()
    return [
        (row, -label if turn == 0 else label)
        for (row, label), turn in zip(random_stream(seed, n, k, length), turns, strict=True)
    ]


def test_mistakes_with_attribute_errors_stay_under_the_bound_of_the_best_disjunction():
    tightness = []
    for seed in range(200):
        n, alpha = 4 + seed % 3, ALPHAS[seed % 7 % 3]
        theta = (Fraction(n), Fraction(n, 2), Fraction(1), Fraction(7, 3))[seed % 11 % 4]
        sequence = against(seed, n, theta, alpha, 25) if seed % 2 else flipped(seed, n, 1 + seed % 2, 80)
        run = run_winnow(sequence, threshold=theta, promotion=alpha)
        for k in range(4):
            errors = min(attribute_errors(run, sequence, frozenset(target)) for target in combinations(range(n), k))
            bound = winnow2_bound(n, k, theta, alpha, errors)
            assert run.n_promotions <= winnow_promotion_bound(k, theta, alpha, errors)
            assert run.n_mistakes <= bound
            tightness.append(Fraction(run.n_mistakes, bound))
    assert max(tightness) > Fraction(6, 10)


def test_sparse_mistakes_stay_under_a_bound_without_the_width():
    tightness = []
    for seed in range(300):
        sigma, k, n = 1 + seed % 6, 1 + seed % 3, 10 ** (1 + seed % 5)
        clean = list(random_stream(seed, n, k, 150, sigma)) * 2
        run = run_winnow(clean, threshold=4 * sigma)
        assert run.n_mistakes <= winnow_sparse_bound(sigma, k)
        tightness.append(Fraction(run.n_mistakes, winnow_sparse_bound(sigma, k)))
        turns = random_below(seed, 8, len(clean), stream=1).tolist()
        noisy = [(row, -label if turn == 0 else label) for (row, label), turn in zip(clean, turns, strict=True)]
        run = run_winnow(noisy, threshold=4 * sigma)
        errors = attribute_errors(run, noisy, frozenset(range(k)))
        assert run.n_mistakes <= winnow_sparse_bound(sigma, k, errors)
    assert max(tightness) > Fraction(1, 5)


@pytest.mark.parametrize("alpha", [*ALPHAS, Fraction(101, 100)])
@pytest.mark.parametrize("theta", [Fraction(1, 3), Fraction(5), Fraction(24), Fraction(25), Fraction(1000, 7)])
def test_a_repeated_row_needs_the_least_power_that_reaches_theta(alpha, theta):
    run = run_winnow([(frozenset("abc"), 1)] * 500, threshold=theta, promotion=alpha)
    j = winnow_repeat_count(3, theta, alpha)
    assert run.n_promotions == run.n_mistakes == j
    assert alpha**j * 3 >= theta
    assert j == 0 or alpha ** (j - 1) * 3 < theta


@pytest.mark.parametrize("n", [*range(4, 20), 100])
def test_or_on_unit_vectors_takes_n_times_ceil_log2_n(n):
    stream = [(frozenset(), -1), *((frozenset({v}), 1) for v in range(n))]
    n_passes = ceil_log(2, n) + 1
    run = run_winnow(stream * n_passes, threshold=n)
    assert run.n_mistakes == n * ceil_log(2, n)
    assert run.updates[-1].index < (n_passes - 1) * len(stream)  # the last pass is clean


def test_the_heaviest_variable_need_not_be_relevant():
    sequence = [(frozenset({0, 2}), 1), (frozenset({1, 2}), 1), (frozenset({2, 3}), -1)]
    run = run_winnow(sequence, threshold=6)
    assert [run.weights.get(v, 1) for v in range(6)] == [2, 2, 4, 1, 1, 1]
    assert run_winnow(sequence * 2, threshold=6).n_mistakes == run.n_mistakes  # all three right from then on
    fitting = [target for target in subsets(6) if is_consistent(target, sequence)]
    assert fitting
    assert not any(2 in target for target in fitting)


def subsets(n):
    return [frozenset(target) for k in range(n + 1) for target in combinations(range(n), k)]


def is_consistent(target, sequence):
    return all((label > 0) == bool(row & target) for row, label in sequence)


@pytest.mark.parametrize("elimination", [False, True])
def test_a_refuted_width_is_refuted(elimination):
    widths = []
    for seed in range(200):
        n, alpha = 5, ALPHAS[seed % 3]
        theta = (Fraction(1), Fraction(2), Fraction(5))[seed % 7 % 3]
        if seed % 2:
            sequence = list(random_stream(seed, n, 1 + seed % 4, 60)) * 3
        else:
            sequence = against(seed, n, theta, alpha, 40)
        run = run_winnow(sequence, threshold=theta, promotion=alpha, elimination=elimination)
        by_all = winnow_refuted_width(run.n_mistakes, n, theta, alpha, elimination=elimination)
        width = winnow_refuted_width_by_promotions(run.n_promotions, n, theta, alpha)
        assert by_all <= width
        assert not any(is_consistent(target, sequence) for target in subsets(n) if 0 < len(target) <= width)
        widths.append(width)
    assert {0, 1, 2, n} <= set(widths)


def test_promotions_at_the_bound_of_a_disjunction_refute_every_shorter_one():
    sequence = [(frozenset({v}), 1) for v in range(4) for _ in range(10)]
    run = run_winnow(sequence, threshold=100)
    assert winnow_refuted_width_by_promotions(run.n_promotions, 50, 100) == 3


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("theta", [Fraction(1), Fraction(5, 2), Fraction(12)])
def test_the_refuted_width_is_the_largest_whose_bound_is_passed(alpha, theta):
    n = 12
    for elimination, bound in [(False, winnow2_bound), (True, winnow1_bound)]:
        for k in range(1, n + 1):
            reached = bound(n, k, theta, alpha)
            assert winnow_refuted_width(reached, n, theta, alpha, elimination=elimination) == k - 1
            assert winnow_refuted_width(reached + 1, n, theta, alpha, elimination=elimination) == k


def test_the_refuted_width_of_sparse_rows_is_the_largest_whose_bound_is_passed():
    for sigma in (1, 5, 1000):
        assert winnow_sparse_refuted_width(0, sigma) == 0
        for k in range(1, 50):
            reached = winnow_sparse_bound(sigma, k)
            assert winnow_sparse_refuted_width(reached, sigma) == k - 1
            assert winnow_sparse_refuted_width(reached + 1, sigma) == k


def signs(seed, n, k, length):
    """Rows of {-1, 1}^n, labelled by the sign of the sum of the first k, k odd: |u|_1 = k, X = 1, margin 1."""
    bits = random_bits(seed, (length, n)).astype(int)
    rows = (1 - 2 * bits).tolist()
    return rows, [1 if sum(x[:k]) > 0 else -1 for x in rows]


def test_normalised_winnow_stays_under_its_bound_on_random_signs():
    tightness = []
    for seed in range(400):
        n, k = 3 + seed % 8, (1, 3)[seed % 2]
        rows, labels = signs(seed, n, k, 40)
        run = run_normalised_winnow(rows * 4, labels * 4, float(normalised_winnow_rate(k, 1, 1)))
        bound = normalised_winnow_bound(n, k, 1, 1)
        assert run.n_mistakes <= bound
        tightness.append(run.n_mistakes / bound)
    assert max(tightness) > 0.69


def test_normalised_winnow_stays_under_its_bound_on_random_half_spaces():
    tightness = []
    for seed in range(300):
        n = 2 + seed % 5
        u = [1 - 2 * (seed % 2), *(v - 1 for v in random_below(seed, 3, n - 1).tolist())]
        drawn = (random_below(seed, 5, 40 * n, stream=1).reshape(40, n) - 2).tolist()
        rows = [x for x in drawn if dot(u, x)]
        labels = [1 if dot(u, x) > 0 else -1 for x in rows]
        sizes = {
            "norm_1": sum(map(abs, u)),
            "max_abs": max(map(abs, chain(*rows))),
            "margin": min(abs(dot(u, x)) for x in rows),
        }
        run = run_normalised_winnow(rows * 4, labels * 4, float(normalised_winnow_rate(**sizes)))
        bound = normalised_winnow_bound(n, **sizes)
        assert run.n_mistakes <= bound
        tightness.append(run.n_mistakes / bound)
    assert max(tightness) > 0.2


def dot(u, x):
    return sum(a * b for a, b in zip(u, x, strict=True))


@pytest.mark.parametrize(("n", "seen"), [(20, 0.35), (50, 0.33)])
def test_normalised_winnow_on_the_sign_of_three_stays_under_its_bound(n, seen):
    rows, labels = signs(n, n, 3, 1200)
    run = run_normalised_winnow(rows, labels, float(normalised_winnow_rate(3, 1, 1)))
    bound = normalised_winnow_bound(n, 3, 1, 1)
    assert seen * bound < run.n_mistakes <= bound


@pytest.mark.parametrize("n", [2, 5, 12])
def test_normalised_winnow_makes_n_mistakes_on_negative_unit_vectors(n):
    rows = [[-int(i == j) for j in range(n)] for i in range(n)]
    run = run_normalised_winnow(rows * 3, [-1] * (3 * n), float(normalised_winnow_rate(n, 1, 1)))
    assert run.n_mistakes == n <= normalised_winnow_bound(n, n, 1, 1)
