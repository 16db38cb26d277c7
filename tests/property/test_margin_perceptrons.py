"""The margin Perceptrons of the core make the updates and steps of their definitions in fractions."""

from fractions import Fraction
from itertools import pairwise
from math import gcd

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_below, random_bits
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions, PairSums
from conjunct.learners import LabelledCells, MaximalMarginPerceptron, RegularizedPerceptron
from conjunct.learners.margin.maximal_margin_perceptron import MarginSearch
from conjunct.learners.margin.regularized_perceptron import RegularizedSearch
from conjunct.theory.margin_machines import maximal_margin_steps, regularized_perceptron

KERNELS = [
    Conjunctions(2),
    MonotoneConjunctions(2),
    Conjunctions(3, Geometric("1/3")),
    Conjunctions(2).on([0, 3]) + MonotoneConjunctions().on([1, 2]) * Conjunctions(1).on([4, 5]),
]
LEARNERS = [RegularizedPerceptron, MaximalMarginPerceptron]


def labelled(seed, n_rows=14, n_variables=6, most=1):
    """Random rows, labels and whole weights; with few variables some cells have both labels."""
    rows = BitMatrix.of(random_bits(seed, (n_rows, n_variables)))
    signs = 2 * random_bits(seed, n_rows, stream=1).astype(int) - 1
    return rows, signs, (1 + random_below(seed, most, n_rows, stream=2)).tolist()


def groups_of(cells):
    """Rows, labels and masses of the groups, by the definition."""
    rows, signs, masses = [], [], []
    for row, p, n in zip(cells.rows, cells.positive.tolist(), cells.negative.tolist(), strict=True):
        for sign, mass in ((1, p), (-1, n)):
            if mass:
                rows.append(row)
                signs.append(sign)
                masses.append(mass * cells.unit)
    return rows, signs, masses


def gram_of(kernel, rows):
    return [[kernel.value(x, z) for z in rows] for x in rows]


def searches(cells, kernel, lam):
    """A search with kept counts, where the kernel allows, and one with counts made anew."""
    layout = kernel.layout(cells.rows)
    return [RegularizedSearch(kernel, cells, lam, PairSums(layout, cells.rows, most)) for most in (1 << 29, 0)]


def follow(search, n_updates):
    """Bring a search to so many updates, or to its end."""
    while not search.reason(n_updates):
        search.go_on(n_updates)


def require_the_updates_of_the_definition(cells, kernel, lam, most=None):
    """Compare after each of the first updates and at the end; return how many, and the signs left to integers."""
    rows, signs, masses = groups_of(cells)
    gram = gram_of(kernel, rows)
    end = regularized_perceptron(gram, signs, lam, masses, max_updates=most)
    n_asked = 0
    for search in searches(cells, kernel, lam):

        def asked(*arguments, is_due=search.is_due):
            nonlocal n_asked
            n_asked += 1
            return is_due(*arguments)

        search.is_due = asked
        for n_updates in [*range(min(25, end.n_updates)), end.n_updates]:
            expected = regularized_perceptron(gram, signs, lam, masses, max_updates=n_updates)
            follow(search, n_updates)
            assert [search.least_step * weight for weight in search.weights.tolist()] == list(expected.weights)
            assert search.reason(n_updates) == ("no update" if expected.is_finished else "max_iter")
    return end.n_updates, n_asked


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("seed", "lam", "most"), [(1, "1", 1), (2, "1/3", 1), (3, "7/2", 9), (4, "1/10", 4)])
def test_updates_are_those_of_the_definition(kernel, seed, lam, most):
    cells = LabelledCells.of(*labelled(seed, n_rows=10, most=most))
    n_updates, _ = require_the_updates_of_the_definition(cells, kernel, Fraction(lam))
    assert n_updates > 1


@pytest.mark.parametrize("kernel", KERNELS)
def test_updates_are_those_of_the_definition_on_cells_of_both_labels(kernel):
    mixed = LabelledCells.of(*labelled(6, n_rows=12, n_variables=6, most=3))
    rows = mixed.rows
    both = LabelledCells(rows, 1 + mixed.positive, 2 + mixed.negative, Fraction(1, 2), np.arange(rows.n_rows))
    n_updates, _ = require_the_updates_of_the_definition(both, kernel, Fraction(2), most=60)
    assert n_updates > both.n_cells


@pytest.mark.parametrize("seed", range(40))
def test_runs_end_where_the_definition_ends(seed):
    cells = LabelledCells.of(*labelled(seed, n_rows=7, n_variables=4, most=5))
    rows, signs, masses = groups_of(cells)
    expected = regularized_perceptron(gram_of(Conjunctions(1), rows), signs, Fraction(1, 5), masses)
    search, _ = searches(cells, Conjunctions(1), Fraction(1, 5))
    follow(search, 10**9)
    assert search.weights.tolist() == list(expected.weights)


def test_a_tie_that_rounding_hides_is_seen():
    cells = LabelledCells.of(BitMatrix.of(["01"]), [1])
    ratios = [(p, q) for q in range(3, 150) for p in range(1, 60) if gcd(p, q) == 1 and p / q * q != p]
    assert len(ratios) > 100
    assert any(p / q * q > p for p, q in ratios)
    for p, q in ratios:
        for score, is_due in ((-p - 1, True), (-p, True), (1 - p, False)):  # f + lam a is -1, 0, 1
            search, _ = searches(cells, Conjunctions(), Fraction(p, q))
            search.updates[:], search.scores[:] = q, score
            follow(search, 1)
            assert (search.weights[0] > q) == is_due


def test_a_group_is_looked_at_again_after_its_own_update():
    cells = LabelledCells.of(BitMatrix.of(["00", "01"]), [-1, 1])
    for search in searches(cells, Conjunctions(), Fraction(1)):
        search.updates[:], search.scores[:] = (5, 0), (-20, -10)  # the first row is right whatever the second one does
        follow(search, 10**9)
        assert search.weights.tolist() == [5, 3]


def near_and_far(n_variables, n_rows=8, seed=9):
    """Rows that differ from one row in few places, and their complements: values from 1 to 2**n that cancel."""
    base = random_bits(seed, n_variables)
    table = np.tile(base, (n_rows, 1))
    for place, row in enumerate(table):
        row[random_below(seed, n_variables, place // 2, stream=place)] ^= 1
    table[1::2] ^= 1
    signs = 2 * random_bits(seed, n_rows, stream=99).astype(int) - 1
    table, signs = np.concatenate([table, table[:3]]), np.concatenate([signs, -signs[:3]])
    return BitMatrix.of(table), signs


@pytest.mark.parametrize("n_variables", [49, 52, 53, 60, 200])
@pytest.mark.parametrize("lam", ["1", "1/3"])
@pytest.mark.parametrize("seed", [9, 10, 11])
def test_updates_are_exact_where_kernel_values_pass_what_floats_hold(n_variables, lam, seed):
    cells = LabelledCells.of(*near_and_far(n_variables, seed=seed))
    n_updates, n_asked = require_the_updates_of_the_definition(cells, Conjunctions(), Fraction(lam), most=40)
    assert n_updates > 5
    assert n_asked > 0 or n_variables < 53


def test_updates_on_random_wide_rows_are_exact():
    rows = BitMatrix.of(random_bits(3, (20, 200)))
    cells = LabelledCells.of(rows, 2 * random_bits(4, 20).astype(int) - 1)
    n_updates, _ = require_the_updates_of_the_definition(cells, Conjunctions(), Fraction(1), most=40)
    assert n_updates > 5


def require_the_steps(cells, kernel, lam, slack, states):
    """Compare weights and W after every step, and where it stops."""
    for most_cached in (1 << 29, 0):
        pairs = PairSums(kernel.layout(cells.rows), cells.rows, most_cached)
        search = MarginSearch(kernel, cells, Fraction(lam), pairs, 1 - slack**2)
        for n_steps, (weights, form) in enumerate(states):
            while search.n_iter < n_steps:
                search.go_on(n_steps)
            np.testing.assert_allclose(search.weights, weights, rtol=1e-9, atol=1e-13)
            assert np.array_equal(search.weights == 0, np.equal(weights, 0))
            assert np.ldexp(search.form, search.shift) == pytest.approx(form, rel=1e-9)
        while not search.end:
            search.go_on(10**6)
        assert (search.n_iter, search.end) == (len(states) - 1, "gap")


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("seed", "lam", "slack"), [(1, "1", 0.25), (1, "20", 0.5), (2, "100/3", 0.5), (3, "400", 0.75)]
)
def test_margin_steps_are_those_of_the_definition(kernel, seed, lam, slack):
    cells = LabelledCells.of(*labelled(seed, n_rows=8, most=97))  # unequal masses leave no ties
    rows, signs, masses = groups_of(cells)
    steps = maximal_margin_steps(gram_of(kernel, rows), signs, lam, 1 - Fraction(slack), masses)
    states = [([float(a) for a in state.weights], float(state.form)) for state in steps]
    assert len(states) > 4
    require_the_steps(cells, kernel, lam, slack, states)


def steps_in_floats(q, lams, slack):
    """The same machine in floats, for runs on which fractions grow too long: Q without lam, lam per row."""
    kk = q.diagonal() + lams
    i = int(np.argmin(kk))
    a, w, f = np.eye(len(kk))[i], kk[i], q[i] + lams * np.eye(len(kk))[i]
    yield a.copy(), w
    while np.any(f <= slack * w):
        g, d = w - f, w + kk - 2 * f
        tau = np.divide(g, d, out=np.zeros(len(g)), where=g > 0)
        away = (g < 0) & (a > 0) & (a < 1)
        tau[away] = np.maximum(-a[away] / (1 - a[away]), g[away] / d[away])
        i = int(np.argmax(tau * g))
        t, is_emptied = tau[i], tau[i] < 0 and tau[i] == -a[i] / (1 - a[i])
        a = (1 - t) * a
        a[i] = 0 if is_emptied else a[i] + t
        f = q @ a + lams * a
        w = a @ f
        yield a.copy(), w


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("seed", "lam", "slack"), [(4, "1", 0.9), pytest.param(5, "1/3", 0.75, marks=pytest.mark.long), (6, "10", 0.99)]
)
def test_long_runs_of_margin_steps_are_those_of_the_definition_in_floats(kernel, seed, lam, slack):
    cells = LabelledCells.of(*labelled(seed, n_rows=20, most=97))
    rows, signs, masses = groups_of(cells)
    q = np.array([[float(value) for value in row] for row in gram_of(kernel, rows)]) * np.outer(signs, signs)
    states = list(steps_in_floats(q, np.array([float(Fraction(lam) / mass) for mass in masses]), slack))
    assert len(states) > 30
    emptied = [np.sum(now[0] > 0) < np.sum(old[0] > 0) for old, now in pairwise(states)]
    assert any(emptied) or kernel != KERNELS[0]
    require_the_steps(cells, kernel, lam, slack, states)
    assert MaximalMarginPerceptron(kernel, lam, tol=1 - slack**2).solve(cells).n_iter == len(states) - 1


def test_margin_steps_on_cells_of_both_labels_are_those_of_the_definition():
    mixed = LabelledCells.of(*labelled(6, n_rows=5, most=30))
    rows = mixed.rows
    cells = LabelledCells(rows, 3 + mixed.positive, 2 + mixed.negative, Fraction(1, 3), np.arange(rows.n_rows))
    points, signs, masses = groups_of(cells)
    steps = maximal_margin_steps(gram_of(Conjunctions(2), points), signs, 40, Fraction(1, 2), masses)
    states = [([float(a) for a in state.weights], float(state.form)) for state in steps]
    assert any(p > 0 and n > 0 for p, n in zip(states[-1][0][::2], states[-1][0][1::2], strict=True))
    require_the_steps(cells, Conjunctions(2), 40, 0.5, states)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("n_variables", [12, 300])
def test_kept_counts_and_counts_made_anew_give_the_same_bits(learner, n_variables):
    cells = LabelledCells.of(*labelled(7, n_rows=700, n_variables=n_variables, most=5))
    kernel, found = Conjunctions(3), []
    for most_cached in (1 << 29, 0):
        pairs = PairSums(kernel.layout(cells.rows), cells.rows, most_cached)
        assert pairs.is_cached == (most_cached > 0)
        found.append(learner(kernel, "61/3").solve(cells, pairs))
    first, second = found
    assert first.n_iter > 100
    assert (first.n_iter, first.history, first.exponent) == (second.n_iter, second.history, second.exponent)
    assert first.positive.tobytes() == second.positive.tobytes()
    assert first.negative.tobytes() == second.negative.tobytes()


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("seed", range(4))
def test_weights_are_repetitions_bit_for_bit(learner, seed):
    rows, signs, weights = labelled(seed, n_rows=40, n_variables=5, most=4)
    again = np.repeat(np.arange(rows.n_rows), weights)
    weighted = learner(Conjunctions(3), "2/3").run(rows, signs, weights)
    repeated = learner(Conjunctions(3), "2/3").run(rows[again], signs[again])
    halved = learner(Conjunctions(3), "1/3").run(rows, signs, [Fraction(weight, 2) for weight in weights])
    for other in (repeated, halved):
        assert weighted.n_iter == other.n_iter > 3
        assert weighted.positive.tobytes() == other.positive.tobytes()
        assert weighted.negative.tobytes() == other.negative.tobytes()
        assert (weighted.exponent, weighted.bound, weighted.risk) == (other.exponent, other.bound, other.risk)
