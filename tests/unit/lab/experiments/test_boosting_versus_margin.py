"""The boosted sum as a polynomial, its margins and its risk."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import derived_seed
from conjunct.datasets.all_rows import all_rows
from conjunct.kernels import Conjunctions
from conjunct.lab.experiments.boosting_versus_margin import Boosted, boosted, bound, drawn
from conjunct.logic import DecisionTree, Polynomial
from conjunct.theory import minimum_norm_point, regularised_risk

MAJORITY = BitMatrix.of(all_rows(3)), np.where(all_rows(3).sum(axis=1) >= 2, 1, -1)


def test_a_boosted_sum_is_the_polynomial_of_its_trees() -> None:
    rows, signs = drawn("led", 3)
    state = list(boosted(rows, signs, 2, (2, 6), 5))[-1]
    machine = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), n_estimators=6, random_state=derived_seed(5, 2) % 2**32
    ).fit(rows.to_array(), signs)
    total = Polynomial({})
    for member, weight in zip(machine.estimators_, machine.estimator_weights_, strict=True):
        total += float(weight) * DecisionTree.from_sklearn(member, rows.names).polynomial()
    assert state.norm_sq == pytest.approx(float(total.norm_sq()))
    assert state.total == pytest.approx(sum(machine.estimator_weights_))
    for index, row in enumerate(rows.to_array()[:20].tolist()):
        value = total.value(dict(zip(rows.names, row, strict=True)))
        assert state.margins[index] == pytest.approx(signs[index] * float(value))


def test_the_least_risk_is_that_of_the_best_multiple() -> None:
    state = Boosted(np.array([3.0, -1.0, 0.5]), 5.0, 2.0)
    risks = [
        float(regularised_risk([c * 3, -c, c / 2], [1, 1, 1], 5 * c * c, 2)) for c in np.linspace(0, 1, 1001).tolist()
    ]
    assert state.least_risk(2) == pytest.approx(min(risks), abs=1e-5)
    assert (state.l1_margin, state.l2_margin) == (-0.5, -1 / sqrt(5))


def test_a_sum_that_is_wrong_on_average_is_best_left_out() -> None:
    assert Boosted(np.array([-1.0, -2.0, 0.5]), 1.0, 1.0).least_risk(1) == pytest.approx(3)


def test_no_boosted_sum_passes_what_the_margin_machine_allows() -> None:
    rows, signs = MAJORITY
    kernel = Conjunctions(1).gram(rows).astype(int).tolist()
    inner = [[int(y * z) * kernel[i][j] for j, z in enumerate(signs)] for i, y in enumerate(signs)]
    largest = sqrt(minimum_norm_point(inner).norm_sq)
    assert 1 / sqrt(bound(rows, signs, 1, 2**-12)) == pytest.approx(largest, rel=1e-3)
    for state in boosted(rows, signs, 1, (1, 3, 30), 0):
        assert state.l2_margin <= largest * (1 + 1e-9)
        assert state.l1_margin <= sqrt(2) * largest
        assert state.least_risk(4) >= bound(rows, signs, 1, 4)
    assert state.l2_margin > largest / 2


def test_where_boosting_ends_by_itself_its_last_sum_stands() -> None:
    rows = BitMatrix.of(all_rows(2))
    states = list(boosted(rows, np.where(all_rows(2)[:, 0] == 1, 1, -1), 1, (1, 5, 50), 0))
    assert [state.norm_sq for state in states] == [states[0].norm_sq] * 3
    assert states[0].l2_margin == pytest.approx(1 / sqrt(2))
