from itertools import product

import pytest

from conjunct.theory import cheapest_tree, tree_cost


def test_parity_needs_every_leaf_and_not_all_equal_needs_six():
    cube = list(product((0, 1), repeat=3))
    parity = [[9 * (sum(row) % 2), 9 * (1 - sum(row) % 2)] for row in cube]
    assert cheapest_tree(cube, parity, 1, None)[0] == 8
    mixed = [[9 * (0 < sum(row) < 3), 9 * (sum(row) in (0, 3))] for row in cube]
    assert cheapest_tree(cube, mixed, 1, None)[0] == 6


def test_the_tree_costs_what_is_said_and_deeper_trees_never_more():
    rows = list(product((0, 1), repeat=4))
    penalties = [[(7 * i) % 5, (3 * i) % 4, (5 * i) % 7] for i in range(16)]
    costs = []
    for depth in (0, 1, 2, 3, 4, None):
        cost, tree = cheapest_tree(rows, penalties, 2, depth)
        assert tree_cost(tree, rows, penalties, 2) == cost
        costs.append(cost)
    assert costs == sorted(costs, reverse=True)
    assert costs[0] == 2 + min(sum(column) for column in zip(*penalties, strict=True))
    assert costs[-1] == costs[-2] < costs[0]


def test_parts_have_as_many_rows_as_asked_for():
    rows, penalties = [[0], [1]], [[0, 9], [9, 0]]
    assert cheapest_tree(rows, penalties, 1, 1, [1, 3])[0] == 2
    assert cheapest_tree(rows, penalties, 1, 1, [1, 3], min_samples_leaf=2) == (10, (-1,))


def test_a_tree_with_numbers_left_over_is_refused():
    with pytest.raises(ValueError, match="a tree of 2 numbers ends after 1"):
        tree_cost([-1, -1], [[0]], [[0]], 1)
