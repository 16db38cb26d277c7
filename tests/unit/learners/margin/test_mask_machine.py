from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.kernels import Conjunctions
from conjunct.learners import ConjunctionSVM
from conjunct.learners.margin.mask_machine import conjunctions_on, fit_masks, fit_squared_hinge


def noisy(seed: int, n: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rows = random_bits(seed, (60, n))
    noise = random_below(seed, 6, 60, stream=1) == 0
    return rows, np.where(((rows[:, 0] & rows[:, 1]) | rows[:, 2]).astype(bool) ^ noise, 1, -1)


@pytest.mark.parametrize(("n", "d"), [(4, 2), (3, 3)])
def test_the_columns_are_those_the_kernel_counts(n: int, d: int) -> None:
    rows = random_bits(1, (20, n))
    columns = conjunctions_on(BitMatrix.of(rows), d)
    np.testing.assert_array_equal(columns @ columns.T, Conjunctions(d).gram(BitMatrix.of(rows)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lam", [0.25, 4.0])
def test_the_fit_is_the_minimum(seed: int, lam: float) -> None:
    rows, labels = noisy(seed)
    columns = conjunctions_on(BitMatrix.of(rows), 1)

    def risk(c: np.ndarray) -> float:
        return float(c @ c + np.sum(np.maximum(0, 1 - labels * (columns @ c)) ** 2) / lam)

    c, least = fit_squared_hinge(columns, labels.astype(float), lam)
    assert least == pytest.approx(risk(c), rel=1e-12)
    assert least == pytest.approx(minimize(risk, np.zeros(len(c))).fun, rel=1e-6)
    slack = np.maximum(0, 1 - labels * (columns @ c))
    np.testing.assert_allclose(columns.T @ (labels * slack), lam * c, atol=1e-9)


def test_all_columns_together_reach_the_margin_machine() -> None:
    rows, labels = noisy(3)
    found = ConjunctionSVM(Conjunctions(2), 4, 1e-9).run(BitMatrix.of(rows), labels)
    _, least = fit_squared_hinge(conjunctions_on(BitMatrix.of(rows), 2), labels.astype(float), 4)
    assert least == pytest.approx(float(found.risk), rel=1e-8)


def test_each_term_is_new_the_risk_falls_and_stays_above_the_bound() -> None:
    rows, labels = noisy(5)
    features = conjunctions_on(BitMatrix.of(rows), 2)
    bound = float(ConjunctionSVM(Conjunctions(2), 4, 1e-6).run(BitMatrix.of(rows), labels).bound)
    risks = []
    for n_terms in range(1, 9):
        found = fit_masks(features, labels, 4, n_terms)
        assert len(set(found.chosen)) == n_terms
        assert found.chosen[0] == 0
        risks.append(found.risk)
    assert risks == sorted(risks, reverse=True)
    assert risks[-1] >= bound


def test_the_second_term_goes_along_with_the_residuals_most() -> None:
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, np.uint8)
    labels = np.where(rows[:, 1] == 1, 1, -1)
    found = fit_masks(conjunctions_on(BitMatrix.of(rows), 1), labels, 1, 2)
    assert found.chosen == (0, 3)  # of x2 and its complement, as good, x2 comes first
