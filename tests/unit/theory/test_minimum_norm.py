"""The point of least norm of points whose answer is known."""

from __future__ import annotations

from fractions import Fraction

import pytest

from conjunct.errors import SettingError
from conjunct.theory import conjunctions_kernel, hull_points, minimum_norm_point


def test_unit_vectors_meet_in_their_mean() -> None:
    point = minimum_norm_point([[int(i == j) for j in range(4)] for i in range(4)])
    assert point.weights == (Fraction(1, 4),) * 4
    assert point.norm_sq == Fraction(1, 4)


def test_opposite_points_have_0_between_them_and_no_margin() -> None:
    point = minimum_norm_point([[4, -2], [-2, 1]])
    assert point.weights == (Fraction(1, 3), Fraction(2, 3))
    assert (point.norm_sq, point.scores) == (0, (0, 0))


def test_a_point_behind_a_nearer_one_has_no_weight() -> None:
    assert minimum_norm_point([[1, 2], [2, 4]]).support == (0,)
    assert minimum_norm_point([[4, 2], [2, 1]]).support == (1,)


def test_equal_points_are_no_support_together() -> None:
    assert [point.support for point in hull_points([[1, 1], [1, 1]])] == [(0,), (1,)]


def test_the_label_of_one_variable_has_the_margin_of_two_rows() -> None:
    rows, signs = ["00", "01", "10", "11"], [-1, -1, 1, 1]
    inner = [
        [y * z * conjunctions_kernel(x, w, 1) for w, z in zip(rows, signs, strict=True)]
        for x, y in zip(rows, signs, strict=True)
    ]
    point = minimum_norm_point(inner)  # (x1 - ~x1)/2, of norm 1/2, from 00 and 10
    assert (point.support, point.norm_sq, set(point.scores)) == ((0, 2), Fraction(1, 2), {Fraction(1, 2)})


def test_no_points_are_refused() -> None:
    with pytest.raises(SettingError, match="at least one point"):
        minimum_norm_point([])
