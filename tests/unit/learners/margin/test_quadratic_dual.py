"""Ridge and box: their values are exact, reach the optimum, and no tree costs less."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from conjunct import theory
from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_below, random_bits
from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, Geometric
from conjunct.learners import Box, ConjunctionSVM, LabelledCells, QuadraticDual, Ridge


def problem(seed, n_rows=60, n_variables=5):
    rows = random_bits(seed, (n_rows, n_variables))
    noise = random_below(seed, 4, n_rows, stream=1) == 0
    signs = np.where((rows[:, 0] & rows[:, 1]).astype(bool) ^ noise, 1, -1)
    weights = [Fraction(int(w) + 1, 2) for w in random_below(seed, 3, n_rows, stream=2)]
    return LabelledCells.of(BitMatrix.of(rows), signs, weights)


def gram_of(kernel, cells):
    rows = [tuple(row) for row in cells.rows.to_array().tolist()]
    return [[Fraction(kernel.value(x, z)) for z in rows] for x in rows]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lam", [Fraction(1, 2), 4, 60])
def test_values_are_those_of_the_definition_and_ordered(seed, lam):
    kernel, cells = Conjunctions(2, Geometric("3/2")), problem(seed)
    gram = gram_of(kernel, cells)
    positive, negative = ([cells.unit * int(m) for m in mass] for mass in (cells.positive, cells.negative))
    box = QuadraticDual(kernel, lam, Box(), tol=1e-8).solve(cells)
    net = [Fraction(2) ** box.exponent * int(b) for b in box.weights]
    assert box.value == theory.box_value(gram, positive, negative, lam, net)
    ridge = QuadraticDual(kernel, lam, Ridge(), tol=1e-8).solve(cells)
    svm = ConjunctionSVM(kernel, lam, tol=1e-8).solve(cells)
    assert ridge.gap <= 1e-8
    assert box.gap <= 1e-8
    assert svm.bound <= ridge.value * (1 + Fraction(1, 10**7))
    assert ridge.value <= box.value * (1 + Fraction(1, 10**7))


@pytest.mark.parametrize("lam", [Fraction(1, 10**9), Fraction(1, 1000), 1000])
def test_where_floats_give_up_precision_is_what_stopped(lam):
    cells = problem(1)
    found = QuadraticDual(Conjunctions(), lam, Box(), tol=1e-15).solve(cells)
    assert found.gap > 1e-15
    assert found.stopped_by == "precision"
    for form in (Ridge(), Box()):
        enough = QuadraticDual(Conjunctions(), lam, form, tol=1e-6).solve(cells)
        assert (enough.gap <= 1e-6, enough.stopped_by) == (True, "gap")
        few = QuadraticDual(Conjunctions(), lam, form, tol=1e-15, max_iter=1).solve(cells)
        assert few.stopped_by in ("max_iter", "gap")


@pytest.mark.parametrize("form", [Ridge(), Box()])
def test_a_search_stopped_at_once_is_reproduced_by_its_blocks(form):
    cells = problem(2, 200, 9)
    for patience in range(6):
        answers = iter([""] * patience)
        found = QuadraticDual(Conjunctions(2), "1/9", form, tol=1e-9).solve(
            cells, is_stopped=partial(next, answers, "time")
        )
        assert (found.n_iter >= 1, found.stopped_by) == (True, "time")
        again = QuadraticDual(Conjunctions(2), "1/9", form, tol=1e-9, max_iter=found.n_iter).solve(cells)
        assert (again.n_iter, again.exponent, again.value) == (found.n_iter, found.exponent, found.value)
        assert again.weights.tobytes() == found.weights.tobytes()


@pytest.mark.parametrize("seed", range(3))
def test_ridge_reaches_its_closed_form(seed):
    kernel, cells, lam = Conjunctions(2), problem(seed), 3.0
    found = QuadraticDual(kernel, 3, Ridge(), tol=1e-10).solve(cells)
    p, n = cells.floats()
    groups = [(c, 1, p[c]) for c in range(cells.n_cells) if p[c]] + [
        (c, -1, n[c]) for c in range(cells.n_cells) if n[c]
    ]
    place = [c for c, _, _ in groups]
    y = np.array([s for _, s, _ in groups], float)
    form = kernel.gram(cells.rows)[np.ix_(place, place)] + np.diag([lam / m for _, _, m in groups])
    assert float(found.value) == pytest.approx(float(y @ np.linalg.solve(form, y)), rel=1e-8)


def all_trees(n_variables, depth):
    """Every tree of at most a depth over variables not tested above, as (leaves, function of a row)."""
    trees = [(1, lambda x, s=s: s) for s in (1, -1)]
    if depth == 0:
        return trees
    smaller = all_trees(n_variables, depth - 1)
    for v in range(n_variables):
        for (m, f), (n, g) in product(smaller, repeat=2):
            trees.append((m + n, lambda x, v=v, f=f, g=g: f(x) if x[v] else g(x)))
    return trees


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("form", [Ridge(), Box()])
def test_no_tree_costs_less_than_the_value(seed, form):
    rows = random_bits(seed, (25, 3))
    signs = np.where(random_bits(seed, 25, stream=1) | rows[:, 0], 1, -1)
    lam = Fraction(4)
    bound = QuadraticDual(Conjunctions(2), lam, form).solve(LabelledCells.of(BitMatrix.of(rows), signs))
    data = list(zip(rows.tolist(), signs.tolist(), strict=True))
    costs = [leaves + sum(tree(x) != y for x, y in data) for leaves, tree in all_trees(3, 2)]
    assert bound.value <= min(costs)
    assert bound.value >= Fraction(min(costs), 4)  # it says something


def test_a_search_cut_short_gives_a_sound_value():
    kernel, cells = Conjunctions(3), problem(2, n_rows=900, n_variables=11)
    best = QuadraticDual(kernel, 1, Box(), tol=1e-6).solve(cells)
    cut = QuadraticDual(kernel, 1, Box(), tol=1e-6, max_iter=3).solve(cells)
    assert cut.stopped_by == "max_iter"
    assert cut.value <= best.value


def test_settings_without_meaning_are_refused():
    with pytest.raises(SettingError, match="lam=0"):
        QuadraticDual(Conjunctions(2), 0, Box())
