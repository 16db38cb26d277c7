"""The two polynomials between which the risk of the margin machine lies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from conjunct.datasets.all_rows import all_rows
from conjunct.datasets.hard_sequences import conjunction_sequence
from conjunct.lab.experiments.margin_on_hard_sequence import (
    LAM,
    mistakes_with_refit,
    solved,
    target_norm_sq,
    two_row_risk,
)
from conjunct.theory import regularised_risk, svm_value


@pytest.mark.parametrize("n", [2, 3, 6, 40])
def test_two_rows_have_the_least_risk_of_their_own_dual(n: int) -> None:
    gram, signs = [[1, 1], [1, 2**n]], [-1, 1]
    a = solved([[1 + LAM, Fraction(-1)], [Fraction(-1), 2**n + LAM]])
    assert min(a) > 0
    assert two_row_risk(n) == svm_value(gram, signs, a, LAM)
    scores = [a[1] - a[0], 2**n * a[1] - a[0]]
    norm_sq = a[0] ** 2 - 2 * a[0] * a[1] + 2**n * a[1] ** 2
    assert two_row_risk(n) == regularised_risk(scores, signs, norm_sq, LAM)


@pytest.mark.parametrize(("n", "w"), [(4, 2), (5, 3), (6, 3)])
def test_the_target_polynomial_has_margin_1_and_that_norm(n: int, w: int) -> None:
    """Coefficient by coefficient: c = 2/(2ⁿ-1) for every set, and -(2ⁿ+1)/(2ⁿ-1) more for the empty one."""
    scale = Fraction(2**n - 1, 2**n + 1 - 2 ** (w + 1))
    each, constant = scale * Fraction(2, 2**n - 1), -scale * Fraction(2**n + 1, 2**n - 1)
    assert target_norm_sq(n, w) == (2**n - 1) * each**2 + (each + constant) ** 2
    for weight in all_rows(n).sum(axis=1).tolist():
        score = each * 2**weight + constant
        if weight <= w:
            assert score <= -1
        elif weight == n:
            assert score >= 1


def test_the_margin_machine_errs_twice_on_line_and_again_where_labels_are_other() -> None:
    rows, labels = conjunction_sequence(1, 16, 6, 3)
    assert mistakes_with_refit(rows, labels) == 2
    labels[2:] = 1
    assert mistakes_with_refit(rows, labels) == 3
