"""How often one row must be repeated until the kernel Perceptron gets it right: equalities, for every threshold."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.kernels import MonotoneConjunctions
from conjunct.learners import KernelPerceptron

RATES = (Fraction(1), Fraction(2, 7), Fraction(5))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("threshold", [Fraction(1, 3), Fraction(1), Fraction(17), Fraction(100, 9), Fraction(1000)])
def test_a_row_with_one_active_variable_needs_theta_over_2r_promotions(rate, threshold):
    rows = BitMatrix.of(np.tile(np.eye(1, 9, dtype=int), (6000, 1)))
    run = KernelPerceptron(MonotoneConjunctions(), threshold, rate).run(rows, np.ones(6000))
    assert len(run) == ceil(threshold / (2 * rate))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("threshold", [Fraction(0), Fraction(-1, 3), Fraction(-1), Fraction(-17), Fraction(-100, 9)])
def test_the_zero_row_needs_minus_theta_over_r_plus_one_demotions(rate, threshold):
    rows = BitMatrix.of(np.zeros((500, 9), int))
    run = KernelPerceptron(MonotoneConjunctions(), threshold, rate).run(rows, -np.ones(500))
    assert len(run) == floor(-threshold / rate) + 1
