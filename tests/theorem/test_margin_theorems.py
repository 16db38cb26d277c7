"""[kowalczyk2002, Theorems 3 to 5]: limits of two Perceptrons, the risks they prove, and the errors of trees.

Every bound holds on random rows, and is reached or approached by rows made for it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import combinations, islice, product
from math import floor

import pytest

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.logic import DecisionTree
from conjunct.theory import (
    box_value,
    conjunctions_kernel,
    gram,
    margin_error_bound,
    margin_step_limit,
    margin_stop_ratio,
    margin_value,
    margin_value_floor,
    maximal_margin_steps,
    monotone_conjunctions_kernel,
    perceptron_error_bound,
    perceptron_update_limit,
    perceptron_value,
    perceptron_value_floor,
    quadratic_form,
    regularised_risk,
    regularized_perceptron,
    ridge_value,
    square_risk,
    svm_value,
)

LAMS = [Fraction(1, 7), Fraction(1), Fraction(4), Fraction(30)]
EPS = [Fraction(1, 10), Fraction(1, 3), Fraction(3, 4)]
MOST = 9  # states: the fractions of each are twice as long as those of the one before


def dot(u, x):
    return sum(a * b for a, b in zip(u, x, strict=True))


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


def signed(k, y, lams):
    """Q + diag lam_i."""
    rows = range(len(y))
    return [[y[i] * y[j] * k[i][j] + lams[i] * (i == j) for j in rows] for i in rows]


def best_weights(k, y, lams):
    """The weights of the largest svm value, by trying every support: f = 1 on it and f >= 1 elsewhere."""
    q, rows = signed(k, y, lams), range(len(y))
    for size in range(1, len(y) + 1):
        for support in combinations(rows, size):
            inside = solve([[q[i][j] for j in support] for i in support], [1] * size)
            a = [Fraction(0)] * len(y)
            for i, weight in zip(support, inside, strict=True):
                a[i] = weight
            if min(a) >= 0 and all(dot(q[i], a) >= 1 for i in rows):
                return a
    raise AssertionError("a convex problem has a solution")


def problem(seed, n=3, m=5):
    """Random rows of n variables, some alike with both labels; on odd seeds the rows differ in length."""
    rows = random_bits(seed, (m, n)).astype(int).tolist()
    signs = (1 - 2 * random_bits(seed, m, stream=1).astype(int)).tolist()
    d = 1 + seed % n
    kernel = monotone_conjunctions_kernel if seed % 2 else conjunctions_kernel
    return rows, signs, d, gram(partial(kernel, max_size=d), rows, rows)


def squares(k):
    return max(k[i][i] for i in range(len(k))), min(k[i][i] for i in range(len(k)))


def units(m, scale=1):
    """The Gram matrix of m orthogonal rows."""
    return [[scale * int(i == j) for j in range(m)] for i in range(m)]


@cache
def trees(depth, names):
    """Every tree of at most that depth that tests no variable twice on a path."""
    found = [DecisionTree.leaf(False), DecisionTree.leaf(True)]
    for name in names if depth else ():
        below = trees(depth - 1, tuple(other for other in names if other != name))
        found += [DecisionTree.split(name, no, yes) for no in below for yes in below]
    return found


# Theorem 3


def test_updates_stay_under_the_limit_and_their_value_above_its_floor():
    for seed in range(200):
        _, y, _, k = problem(seed, m=2 + seed % 7)
        lam, m = LAMS[seed % 4], len(y)
        run = regularized_perceptron(k, y, lam)
        radius_sq, _ = squares(k)
        assert run.is_finished
        assert run.n_updates <= perceptron_update_limit(radius_sq=radius_sq, lam=lam, n_rows=m)
        value = perceptron_value(n_updates=run.n_updates, form=quadratic_form(k, y, run.weights, lam))
        assert value == svm_value(k, y, run.weights, lam)
        assert value >= perceptron_value_floor(n_updates=run.n_updates, radius_sq=radius_sq, lam=lam)


@pytest.mark.parametrize("lam", [0, Fraction(1, 9), 1, 25])
def test_updates_on_the_rows_of_a_tree_stay_under_the_limit_of_its_margin(lam):
    """A tree of L leaves has |f|^2 = L and y f = 1, so rho*^2 >= 1/L."""
    names, rows = ("x1", "x2", "x3"), list(product([0, 1], repeat=3))
    k = gram(partial(conjunctions_kernel, max_size=2), rows, rows)
    for tree in trees(2, names)[::7]:
        y = [1 if tree.value(dict(zip(names, row, strict=True))) else -1 for row in rows]
        margin_sq = Fraction(1, tree.n_leaves)
        limit = perceptron_update_limit(radius_sq=7, lam=lam, n_rows=8, margin_sq=margin_sq)
        run = regularized_perceptron(k, y, lam, max_updates=floor(limit) + 1)
        assert run.is_finished
        assert run.n_updates <= limit
        eps = Fraction(3, 4)
        limit = margin_step_limit(radius_sq=7, least_sq=7, lam=lam, n_rows=8, eps=eps, margin_sq=margin_sq)
        assert len(list(islice(maximal_margin_steps(k, y, lam, eps), MOST))) - 1 <= limit


@pytest.mark.parametrize("lam", [0, Fraction(1, 3), 1, 10])
@pytest.mark.parametrize("m", [1, 2, 5, 12])
def test_orthogonal_rows_reach_the_limit_and_the_floor(m, lam):
    """rho*^2 = r^2/m, and one update on every row."""
    run = regularized_perceptron(units(m, 3), [(-1) ** i for i in range(m)], lam, max_updates=2 * m)
    limit = perceptron_update_limit(radius_sq=3, lam=lam, n_rows=m, margin_sq=Fraction(3, m))
    assert run.n_updates == limit == m
    form = quadratic_form(units(m, 3), [1] * m, run.weights, lam)
    floor_ = perceptron_value_floor(n_updates=m, radius_sq=3, lam=lam)
    assert perceptron_value(n_updates=m, form=form) == floor_ == Fraction(m) / (3 + lam)


def test_without_lam_there_is_no_end_on_two_labels_of_one_row():
    run = regularized_perceptron([[1, 1], [1, 1]], [1, -1], 0, max_updates=1000)
    assert not run.is_finished
    lam = Fraction(1, 100)
    run = regularized_perceptron([[1, 1], [1, 1]], [1, -1], lam)
    limit = perceptron_update_limit(radius_sq=1, lam=lam, n_rows=2)
    assert run.is_finished
    assert run.n_updates == 2 <= limit == 202


# Theorem 4


@pytest.mark.parametrize("eps", EPS)
@pytest.mark.parametrize("lam", LAMS)
def test_every_step_keeps_the_invariants_and_gains_its_share(lam, eps):
    away = 0
    for seed in range(12):
        _, y, _, k = problem(seed, m=3 + seed % 4)
        q, rows = signed(k, y, [lam] * len(y)), range(len(y))
        radius_sq, least_sq = squares(k)
        limit = margin_step_limit(radius_sq=radius_sq, least_sq=least_sq, lam=lam, n_rows=len(y), eps=eps)
        before = None
        for t, state in enumerate(islice(maximal_margin_steps(k, y, lam, eps), MOST)):
            assert sum(state.weights) == 1
            assert min(state.weights) >= 0
            assert state.form == quadratic_form(k, y, state.weights, lam)
            assert list(state.scores) == [dot(q[i], state.weights) for i in rows]
            assert t <= limit
            floor_ = margin_value_floor(n_steps=t, radius_sq=radius_sq, least_sq=least_sq, lam=lam, eps=eps)
            assert margin_value(form=state.form) >= floor_
            if before is None:
                assert (state.form, state.step) == (least_sq + lam, 1)
            else:
                assert min(before.scores) <= (1 - eps) * before.form
                assert 1 / state.form - 1 / before.form >= eps**2 / (radius_sq + lam)
                away += state.step < 0
            before = state
    assert away or eps > Fraction(1, 2) or lam > 10


@pytest.mark.parametrize("masses", [None, [1, 2, "1/3", 5, 1]])
@pytest.mark.parametrize("eps", EPS)
def test_the_stop_is_near_to_the_least_risk(eps, masses):
    ratios = []
    for seed in range(25):
        _, y, _, k = problem(seed)
        lam = LAMS[seed % 4]
        lams = [lam / Fraction(mass) for mass in masses or [1] * 5]
        *_, last = islice(maximal_margin_steps(k, y, lam, eps, masses), MOST)
        if min(last.scores) <= (1 - eps) * last.form:
            continue  # cut short
        value = margin_value(form=last.form)
        optimum = sum(best_weights(k, y, lams))
        assert margin_stop_ratio(eps=eps) * optimum <= value <= optimum
        # the polynomial of the weights, scaled, is the witness: its risk is on the other side of the optimum
        scale = (1 - eps) * last.form
        outputs = [dot([y[i] * k[i][j] for i in range(5)], last.weights) / scale for j in range(5)]
        norm_sq = quadratic_form(k, y, last.weights, 0) / scale**2
        risk = regularised_risk(outputs, y, norm_sq, lam, masses)
        assert value <= optimum <= risk <= value / margin_stop_ratio(eps=eps)
        ratios.append(value / optimum)
    assert len(ratios) >= 12


@pytest.mark.parametrize("eps", EPS)
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(99, 100)])
def test_the_ratio_at_the_stop_is_approached(eps, share):
    """Rows (1, 0) and (1-c, 1), (1-c, -1), c < eps: it stops where it starts; the best point is (1-c, 0)."""
    c = eps * share
    x = [(Fraction(1), 0), (1 - c, 1), (1 - c, -1)]
    k = [[dot(u, v) for v in x] for u in x]
    (only,) = maximal_margin_steps(k, [1, 1, 1], 0, eps)
    optimum = svm_value(k, [1, 1, 1], [0, 1, 1], 0)
    assert optimum == regularised_risk([dot(u, (1 / (1 - c), 0)) for u in x], [1] * 3, 1 / (1 - c) ** 2, 1)
    assert margin_value(form=only.form) == (1 - c) ** 2 * optimum
    assert margin_stop_ratio(eps=eps) <= (1 - c) ** 2


@pytest.mark.parametrize("lam", [0, Fraction(1, 3), 10])
@pytest.mark.parametrize("m", [2, 5, 9])
def test_orthogonal_rows_reach_the_steps_and_approach_the_floor(m, lam):
    eps = Fraction(99, 100)
    bounds = {"radius_sq": 3, "least_sq": 3, "lam": lam, "eps": eps}
    last = None
    for t, state in enumerate(maximal_margin_steps(units(m, 3), [1] * m, lam, eps)):
        last, n_steps = state, t
        assert 1 / state.form == Fraction(t + 1) / (3 + lam)
    assert last.weights == (Fraction(1, m),) * m
    assert n_steps == floor(margin_step_limit(**bounds, n_rows=m, margin_sq=Fraction(3, m))) == m - 1
    floor_ = margin_value_floor(**bounds, n_steps=n_steps)
    assert floor_ <= margin_value(form=last.form) <= floor_ / eps**2
    published = margin_step_limit(**bounds, n_rows=m, margin_sq=Fraction(3, m)) * (6 + 2 * lam) / (3 + lam)
    assert published > m


# values


def expansion(row, d):
    """Every conjunction of at most d literals, as 0 or 1, with its size."""
    chosen = [places for size in range(d + 1) for places in combinations(range(len(row)), size)]
    return [
        (len(places), int(all(row[i] == value for i, value in zip(places, values, strict=True))))
        for places in chosen
        for values in product([0, 1], repeat=len(places))
    ]


def test_no_polynomial_has_a_risk_below_any_value():
    tightness = []
    for seed in range(150):
        rows, y, d, _ = problem(seed)

        def costs(size, base=1 + seed % 3):
            return Fraction(base) ** size

        k = gram(partial(conjunctions_kernel, max_size=d, costs=costs), rows, rows)
        lam = LAMS[seed % 4]
        masses = [Fraction(1 + v, 3) for v in random_below(seed, 6, 5, stream=4).tolist()]
        features = [expansion(row, d) for row in rows]
        lams = [lam / mass for mass in masses]
        optimum = best_weights(k, y, lams)
        signed_best = solve(signed(k, y, lams), [1] * 5)
        drawn = random_below(seed, 9, 5, stream=2).tolist()
        svm = [svm_value(k, y, weights, lam, masses) for weights in (drawn, optimum)]
        ridge = [ridge_value(k, y, weights, lam, masses) for weights in ([v - 3 for v in drawn], signed_best)]
        assert svm[0] <= svm[1] <= ridge[1]
        assert ridge[0] <= ridge[1]
        noise = [Fraction(v - 2, 4) for v in random_below(seed, 5, len(features[0]), stream=3).tolist()]
        for weights, scale in ((optimum, 0), (signed_best, 0), (optimum, 1), ([0] * 5, 1)):
            # c_T = (1/K_|T|) sum a_i y_i x_i^T, and noise
            c = [
                sum(weights[i] * y[i] * features[i][place][1] for i in range(5)) / costs(size) + scale * noise[place]
                for place, (size, _) in enumerate(features[0])
            ]
            norm_sq = sum(costs(size) * c[place] ** 2 for place, (size, _) in enumerate(features[0]))
            scores = [dot(c, [value for _, value in each]) for each in features]
            risk = regularised_risk(scores, y, norm_sq, lam, masses)
            square = square_risk(scores, y, norm_sq, lam, masses)
            assert svm[1] <= risk <= square
            assert ridge[1] <= square
            if not scale:
                tightness.append((svm[1] == risk, ridge[1] == square))
    assert all(first for first, _ in tightness[::2])  # the best weights give the least risk, exactly
    assert all(second for _, second in tightness[1::2])


@pytest.mark.parametrize("lam", [Fraction(1, 4), Fraction(1), Fraction(7)])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_value_of_parity_is_two_to_the_n_by_one_plus_lam(n, lam):
    rows = list(product([0, 1], repeat=n))
    y = [(-1) ** sum(row) for row in rows]
    k, ones = gram(conjunctions_kernel, rows, rows), [1] * len(rows)
    value = svm_value(k, y, ones, lam)
    assert value == ridge_value(k, y, ones, lam) == Fraction(2**n) / (1 + lam)
    # every score of the same weights is the same, so they are the best of either sign
    assert len({dot(row, ones) for row in signed(k, y, [lam] * len(y))}) == 1


def test_the_value_of_and_is_eleven_tenths():
    rows = list(product([0, 1], repeat=2))
    y = [-1, -1, -1, 1]
    k = gram(partial(conjunctions_kernel, max_size=2), rows, rows)
    a = best_weights(k, y, [1] * 4)
    assert a == [Fraction(1, 20), Fraction(3, 10), Fraction(3, 10), Fraction(9, 20)]
    assert [dot(row, a) for row in signed(k, y, [1] * 4)] == [1] * 4
    assert svm_value(k, y, a, 1) == sum(a) == Fraction(11, 10)
    assert svm_value(k, y, [1] * 4, 1) == Fraction(4, 5)
    scores = [dot([y[i] * k[i][j] for i in range(4)], a) for j in range(4)]
    assert regularised_risk(scores, y, quadratic_form(k, y, a, 0), 1) == Fraction(11, 10)


# Theorem 5


def noisy(seed, m=14):
    """Rows of three variables, many of them alike, labelled by x1 & x2 | x3, a third of the labels drawn."""
    rows = random_bits(seed, (m, 3)).astype(int).tolist()
    drawn = random_below(seed, 6, m, stream=1).tolist()
    return rows, [(-1, 1)[v % 2] if v < 2 else (-1, 1)[x[0] & x[1] | x[2]] for x, v in zip(rows, drawn, strict=True)]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_no_tree_makes_fewer_errors_than_its_norm_allows(depth):
    names, positive = ("x1", "x2", "x3"), 0
    for seed in range(12):
        rows, y = noisy(seed)
        k = gram(partial(conjunctions_kernel, max_size=depth), rows, rows)
        lam = (Fraction(1, 2), Fraction(1), Fraction(4), Fraction(12))[seed % 4]
        radius_sq, least_sq = squares(k)
        run = regularized_perceptron(k, y, lam)
        value = perceptron_value(n_updates=run.n_updates, form=quadratic_form(k, y, run.weights, lam))
        floor_ = perceptron_value_floor(n_updates=run.n_updates, radius_sq=radius_sq, lam=lam)
        eps = Fraction(1, 4)
        t, last = list(enumerate(islice(maximal_margin_steps(k, y, lam, eps), MOST)))[-1]
        last_floor = margin_value_floor(n_steps=t, radius_sq=radius_sq, least_sq=least_sq, lam=lam, eps=eps)
        ridge = ridge_value(k, y, solve(signed(k, y, [lam] * len(y)), [1] * len(y)), lam)
        table = BitMatrix.of(rows)
        for tree in trees(depth, names):
            errors, norm_sq = tree.n_errors(table, y), tree.n_leaves
            values = (last_floor, margin_value(form=last.form))
            bounds = [
                *(perceptron_error_bound(value=v, norm_sq=norm_sq, lam=lam) for v in (floor_, value)),
                *(margin_error_bound(value=v, norm_sq=norm_sq, lam=lam) for v in values),
            ]
            assert bounds[0] <= bounds[1] <= errors
            assert bounds[2] <= bounds[3] <= errors
            positive += max(bounds) > 0
            assert tree.risk(table, y, lam) >= ridge
    assert positive


def test_no_tree_pays_less_than_the_box_value_or_the_values_with_masses():
    names, found, n_inside = ("x1", "x2", "x3"), [], 0
    for seed in range(10):
        rows, y = noisy(seed)
        lam = (Fraction(1), Fraction(4), Fraction(12))[seed % 3]
        masses = [Fraction(1 + v, 2) for v in random_below(seed, 4, len(y), stream=2).tolist()]
        table = BitMatrix.of(rows)
        cells = sorted({tuple(row) for row in rows})
        sums = {(cell, label): Fraction(0) for cell in cells for label in (1, -1)}
        for row, label, mass in zip(rows, y, masses, strict=True):
            sums[tuple(row), label] += mass
        p, n = [sums[cell, 1] for cell in cells], [sums[cell, -1] for cell in cells]
        kernel = partial(conjunctions_kernel, max_size=2)
        k, small = gram(kernel, rows, rows), gram(kernel, cells, cells)
        a = solve(signed(k, y, [lam / mass for mass in masses]), [1] * len(y))
        summed = [sum(a[i] * y[i] for i in range(len(y)) if tuple(rows[i]) == cell) for cell in cells]
        drawn = [Fraction(v - 4, 3) for v in random_below(seed, 9, len(cells), stream=3).tolist()]
        values = [ridge_value(k, y, a, lam, masses), *(box_value(small, p, n, lam, b) for b in (summed, drawn))]
        # the box starts where the ridge ends: 2 sum a - a'Qa is above (sum a)^2 / V(a)
        if all(weight * lam <= mass for weight, mass in zip(a, masses, strict=True)):
            assert values[1] >= values[0]
            n_inside += 1
        for tree in trees(2, names):
            outputs = tree.evaluate(table).tolist()
            cost = sum(masses[i] for i in range(len(y)) if outputs[i] != (y[i] > 0))
            assert tree.n_leaves + 4 * cost / lam >= max(values)
        found.append(max(values))
    assert n_inside
    assert max(found) > 5


@pytest.mark.parametrize(("p", "n", "lam"), [(5, 2, 1), (7, 0, 3), (2, 9, Fraction(1, 2))])
def test_a_single_leaf_reaches_the_box_value(p, n, lam):
    assert box_value([[1]], [p], [n], lam, [1 if p > n else -1]) == 1 + 4 * Fraction(min(p, n)) / lam


@pytest.mark.parametrize(("n", "share"), [(4, Fraction(1, 4)), (10, Fraction(46, 100)), (30, Fraction(49, 100))])
def test_half_the_errors_of_a_leaf_on_parity_are_proved(n, share):
    lam = 2 ** (n // 2)
    value = Fraction(2**n, 1 + lam)  # of the weights all 1, as above
    errors = 2 ** (n - 1)
    for bound in (margin_error_bound, perceptron_error_bound):
        assert share * errors < bound(value=value, norm_sq=1, lam=lam) < errors / 2


def test_a_dnf_without_errors_pays_in_the_square_risk_where_terms_overlap():
    """Where two terms hold f = 3: the square risk is more than a tree would pay."""
    scores, y = [3, 1, 1, -1], [1, 1, 1, -1]
    norm_sq = 1 + 4 * 2
    assert regularised_risk(scores, y, norm_sq, 1) == norm_sq
    assert square_risk(scores, y, norm_sq, 1) == norm_sq + 4
