from __future__ import annotations

from math import comb

import pytest

from conjunct.lab.decision_list_linear import DecisionList, value, weights
from conjunct.lab.streams import all_rows
from conjunct.lab.terms import expanded, holds, random_conjunctions


@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 1), (4, 2), (5, 3)])
def test_rows_are_expanded_by_every_conjunction_once(n: int, k: int) -> None:
    rows = all_rows(n)
    columns, number = expanded(rows, k)
    assert len(number) == columns.shape[1] == sum(comb(n, size) * 2**size for size in range(1, k + 1))
    assert set(columns.sum(axis=1).tolist()) == {sum(comb(n, size) for size in range(1, k + 1))}
    for conjunction, place in number.items():
        assert columns[:, place].tolist() == [holds(conjunction, row) for row in rows.tolist()]


def test_conjunctions_are_different_and_of_the_sizes_asked_for() -> None:
    drawn = random_conjunctions(3, 6, 40, least=1, most=3)
    assert len(set(drawn)) == 40
    assert {len(each) for each in drawn} == {1, 2, 3}
    for each in drawn:
        variables = [variable for variable, _ in each]
        assert variables == sorted(set(variables))
    assert {len(each) for each in random_conjunctions(3, 6, 20, least=2, most=2)} == {2}
    assert random_conjunctions(3, 6, 5, least=1, most=3) == drawn[:5] != random_conjunctions(4, 6, 5, least=1, most=3)


def test_a_decision_list_has_the_label_of_the_first_rule_that_holds() -> None:
    decisions: DecisionList = ([(((0, 1), (1, 0)), 1), (((2, 1),), -1)], 1)
    assert [value(decisions, row) for row in ([1, 0, 1], [1, 1, 1], [1, 1, 0])] == [1, -1, 1]
    assert weights(decisions) == ([4, -2], 1)
