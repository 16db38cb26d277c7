"""[domingos1997]: naive Bayes with exact probabilities misses thresholds that unit weights represent."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from conjunct.errors import SettingError
from conjunct.theory import naive_bayes, naive_bayes_threshold_errors


def all_rows(m):
    return list(product([0, 1], repeat=m))


def taught(k, m):
    rows = all_rows(m)
    return rows, naive_bayes(rows, [1 if sum(row) >= k else -1 for row in rows])


def test_three_of_seven_is_taken_for_two_of_seven():
    rows, learned = taught(3, 7)
    assert (learned.prior, set(learned.positive), set(learned.negative)) == (
        Fraction(99, 128),
        {Fraction(19, 33)},
        {Fraction(7, 29)},
    )
    assert all((learned.predict(row) == 1) == (sum(row) >= 2) for row in rows)
    wrong = sum((learned.predict(row) == 1) != (sum(row) >= 3) for row in rows)
    assert Fraction(wrong, 128) == Fraction(21, 128)
    assert wrong == comb(7, 2) == naive_bayes_threshold_errors(3, 7)


@pytest.mark.parametrize(("k", "m"), [(k, m) for m in range(1, 9) for k in range(1, m + 1)])
def test_counting_ones_gives_the_errors_of_all_rows(k, m):
    rows, learned = taught(k, m)
    wrong = sum((learned.predict(row) == 1) != (sum(row) >= k) for row in rows)
    assert naive_bayes_threshold_errors(k, m) == wrong


@pytest.mark.parametrize("m", range(1, 12))
def test_conjunctions_disjunctions_and_majorities_are_learned_without_error(m):
    assert naive_bayes_threshold_errors(1, m) == naive_bayes_threshold_errors(m, m) == 0
    if m % 2:
        assert naive_bayes_threshold_errors((m + 1) // 2, m) == 0


def test_floating_point_agrees_where_the_products_are_far_apart():
    rows = [row for row in all_rows(5) if row != (1, 0, 1, 0, 1)]
    labels = [1 if row[0] and (row[1] or row[2]) else -1 for row in rows]
    learned = naive_bayes(rows, labels)
    for row in rows:
        sides = []
        for label in (1, -1):
            own = [other for other, y in zip(rows, labels, strict=True) if y == label]
            side = len(own) / len(rows)
            for i, x in enumerate(row):
                side *= sum(other[i] == x for other in own) / len(own)
            sides.append(side)
        assert abs(sides[0] - sides[1]) > 1e-9
        assert learned.predict(row) == (1 if sides[0] > sides[1] else -1)


def test_ties_are_positive_and_a_missing_class_is_never_predicted():
    even = naive_bayes([(0,), (1,), (0,), (1,)], [1, 1, -1, -1])
    assert [even.predict((0,)), even.predict((1,))] == [1, 1]
    assert naive_bayes([(0, 1), (1, 1)], [-1, -1]).predict((0, 1)) == -1
    assert naive_bayes([(0, 1), (1, 1)], [1, 1]).predict((0, 1)) == 1


def test_what_makes_no_sense_is_refused():
    for rows, labels in (([], []), ([(0,)], [1, 1]), ([(0,)], [0])):
        with pytest.raises(SettingError, match="expected"):
            naive_bayes(rows, labels)
    for k, m in ((0, 3), (4, 3)):
        with pytest.raises(SettingError, match="1 <= k <= m"):
            naive_bayes_threshold_errors(k, m)
