"""The quadratic duals over cells: the core's steps are the definition, the searches reach what other solvers reach."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from conjunct import _core
from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_below, random_bits
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions, PairSums
from conjunct.learners import CellDescent
from conjunct.learners.margin.dual_forms import Box, Ridge, State, Svm
from conjunct.learners.margin.low_rank import LowRank
from parts import parts
from strategies import seeded

FORMS = [Svm(), Ridge(), Box()]
KERNELS = [Conjunctions(1), Conjunctions(2), MonotoneConjunctions(), Conjunctions(3, Geometric("1/2"))]


def problem(seed, n_variables=5, n_rows=24):
    """Distinct rows with masses of either label; some cells have both, none has neither."""
    rows = BitMatrix.of(random_bits(seed, (n_rows, n_variables))).pool().rows
    masses = random_below(seed, 5, 2 * rows.n_rows, stream=1).reshape(2, -1) / 2
    masses[0, masses.sum(axis=0) == 0] = 1.0
    return rows, masses[0], masses[1]


def step(code, p, n, k, rest, lam):
    """Return the best weight of one cell, all others fixed, for svm, ridge or box."""
    if code == 1:
        return (p - n - (p + n) * rest) / (lam + (p + n) * k) if p + n else 0.0
    if code == 2:
        end = (p - n) / lam
        z = rest + k * end
        return end if abs(z) <= 1 else (np.sign(z) - rest) / k
    for paid_p, paid_n in ((p, n), (0, n), (p, 0)):  # f = rest + k b with b = (paid_p (1-f) - paid_n (1+f)) / lam
        f = (lam * rest + k * (paid_p - paid_n)) / (lam + k * (paid_p + paid_n))
        if (
            (f < 1 or not paid_p or not p)
            and (f > -1 or not paid_n or not n)
            and (paid_p or f >= 1 or not p)
            and (paid_n or f <= -1 or not n)
        ):
            return (paid_p * (1 - f) - paid_n * (1 + f)) / lam
    return 0.0


def twin(code, gram, p, n, lam, n_sweeps, weights, scores):
    """Make the sweeps of the core in Python."""
    for _ in range(n_sweeps):
        for i in range(len(p)):
            best = step(code, p[i], n[i], gram[i, i], scores[i] - gram[i, i] * weights[i], lam)
            scores += (best - weights[i]) * gram[i]
            weights[i] = best


@seeded
@given(
    st.integers(0, 10**6),
    st.sampled_from(KERNELS),
    st.sampled_from([0.01, 0.5, 3.0, 100.0]),
    st.integers(1, 4),
    st.sampled_from([0, 1, 2]),
)
def test_the_steps_of_the_core_are_those_of_the_definition(seed, kernel, lam, n_sweeps, code):
    rows, p, n = problem(seed)
    p[0] = n[0] = 0.0  # a cell held out
    gram = kernel.gram(rows)
    start = np.zeros(rows.n_rows) if code == 0 else (random_below(seed, 21, rows.n_rows, stream=2) - 10) / 20
    ours, theirs = (start.copy(), gram @ start), (start.copy(), gram @ start)
    _core.cell_descent(code, gram, p, n, lam, n_sweeps, *ours)
    twin(code, gram, p, n, lam, n_sweeps, *theirs)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12 * max(1.0, float(np.max(np.abs(other)))))


def optimum(form, kernel, rows, p, n, lam, tol=1e-10):
    """Search until the gap is small, or for many sweeps; return the best value and its state."""
    search = CellDescent(form, PairSums(kernel.layout(rows), rows), kernel.layout(rows).floats, p, n, lam)
    for _ in search.rounds(tol, lambda n_blocks: n_blocks >= 20_000):
        pass
    return form.values(search.state)[0], search.state


def as_groups(kernel, rows, p, n):
    """Return every cell twice, as positive and as negative: the signed Gram matrix and the masses."""
    sign = np.repeat([1.0, -1.0], rows.n_rows)
    return np.tile(kernel.gram(rows), (2, 2)) * np.outer(sign, sign), np.concatenate([p, n])


def best_of(form, bounds):
    """Maximise 2 sum a - a'Qa within bounds, with SciPy."""
    found = minimize(
        lambda a: (a @ form @ a - 2 * a.sum(), 2 * (form @ a) - 2),
        np.zeros(len(form)),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 200_000, "maxfun": 2_000_000, "ftol": 1e-16, "gtol": 1e-12, "maxcor": 50},
    )
    return -found.fun


@pytest.mark.parametrize("seed", parts(4))
@pytest.mark.parametrize("lam", [0.5, 4.0, 60.0])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_optima_are_those_of_other_solvers_and_ordered(kernel, lam, seed):
    rows, p, n = problem(seed)
    form, mass = as_groups(kernel, rows, p, n)
    own = np.flatnonzero(mass)
    charged = form[np.ix_(own, own)] + np.diag(lam / mass[own])
    svm, ridge, box = (optimum(which, kernel, rows, p, n, lam)[0] for which in FORMS)
    assert svm == pytest.approx(best_of(charged, [(0, None)] * len(own)), rel=1e-6)
    assert ridge == pytest.approx(np.sum(np.linalg.solve(charged, np.ones(len(own)))), rel=1e-8)
    assert box == pytest.approx(best_of(form, [(None, most) for most in mass / lam]), rel=1e-4)
    assert svm <= ridge * (1 + 1e-9)
    assert ridge <= box * (1 + 1e-4)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_the_value_stays_below_the_risk_on_the_way(form, seed):
    rows, p, n = problem(seed, n_rows=40)
    layout = Conjunctions(2).layout(rows)
    search = CellDescent(form, PairSums(layout, rows), layout.floats, p, n, 2.0)
    seen = list(search.rounds(1e-8, lambda n_blocks: n_blocks >= 200))
    least_risk, most_value = min(stands.risk for stands in seen), max(stands.bound for stands in seen)
    assert most_value <= least_risk * (1 + 1e-9)


@pytest.mark.parametrize("kernel", [Conjunctions(1), MonotoneConjunctions(2), Conjunctions(2, Geometric("1/3"))])
def test_a_gram_matrix_of_low_rank_is_factored(kernel):
    rows = problem(3, n_variables=6, n_rows=200)[0]
    layout, gram = kernel.layout(rows), kernel.gram(rows)
    factors = LowRank.of(PairSums(layout, rows), layout.floats, np.diag(gram).copy())
    assert factors is not None
    assert len(factors.columns) == np.linalg.matrix_rank(gram)
    np.testing.assert_allclose(factors.columns.T @ factors.columns, gram, atol=1e-9 * gram.max())


def test_a_gram_matrix_of_full_rank_is_left_alone():
    rows = problem(3, n_variables=6, n_rows=200)[0]
    layout = Conjunctions().layout(rows)
    assert LowRank.of(PairSums(layout, rows), layout.floats, Conjunctions().diag(rows)) is None


@pytest.mark.parametrize("lam", [1e-3, 0.5, 60.0])
@pytest.mark.parametrize("kernel", [Conjunctions(1), MonotoneConjunctions(2)])
def test_few_dimensions_reach_the_optimum_at_once(kernel, lam):
    rows, p, n = problem(4, n_variables=6, n_rows=200)
    layout, form = kernel.layout(rows), Svm()
    pairs, nothing = PairSums(layout, rows), np.zeros(rows.n_rows)
    factors = LowRank.of(pairs, layout.floats, kernel.diag(rows))
    assert factors is not None
    weights = factors.solve(form, State(p, n, lam, nothing, nothing))
    value, risk = form.values(State(p, n, lam, weights, kernel.gram(rows) @ weights))
    assert value == pytest.approx(risk, rel=1e-6)
    assert value == pytest.approx(optimum(form, kernel, rows, p, n, lam)[0], rel=1e-6)
