"""Trees, lists, thresholds, intersections and networks, drawn by the thousand from a seed."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from conjunct import BitMatrix
from conjunct.logic import (
    DecisionList,
    DecisionTree,
    HalfspaceIntersection,
    Literal,
    Network,
    Polynomial,
    Term,
    Threshold,
    equivalence,
)
from conjunct.logic.linearisation import term_row
from reference.slow_rows import all_rows

PLAIN = ["x1", "x2", "x10", "y_.z", "u1"]
ODD = ["", "1", "radius<=16.8", 'a "b"\\', "line\nbreak", "é", "x y", "->"]
ROWS = all_rows(PLAIN)
PACKED = BitMatrix.of(ROWS.bits, PLAIN)


def random_term(random, names):
    return Term(Literal(name, random.random() < 0.5) for name in names if random.random() < 0.5)


def random_tree(random, names, leaf_rate=0.3):
    if not names or random.random() < leaf_rate:
        return DecisionTree.leaf(random.random() < 0.5)
    name = random.choice(names)
    rest = [other for other in names if other != name]
    return DecisionTree.split(name, random_tree(random, rest, leaf_rate), random_tree(random, rest, leaf_rate))


def random_list(random, names):
    rules = [(random_term(random, names), random.random() < 0.5) for _ in range(random.randrange(6))]
    return DecisionList(rules, random.random() < 0.5)


def random_number(random):
    number = random.choice([random.randint(-4, 4), random.randint(-4, 4), random.randint(-(2**70), 2**70)])
    return number if random.random() < 0.7 else Fraction(number, random.randint(1, 6))


def random_threshold(random, names):
    return Threshold({name: random_number(random) for name in names if random.random() < 0.8}, random_number(random))


def random_intersection(random, names):
    return HalfspaceIntersection(random_threshold(random, names) for _ in range(random.randrange(4)))


def random_network(random, names):
    layers, inputs = [], names
    for width in [*(random.randint(1, 3) for _ in range(random.randrange(3))), 1]:
        layers.append([random_threshold(random, inputs) for _ in range(width)])
        inputs = [f"u{place + 1}" for place in range(width)]
    return Network(layers, random.choice(["signed", "binary"]))


KINDS = [random_tree, random_list, random_threshold, random_intersection, random_network]


def drawn(kind, count, names=None):
    random = Random(kind.__name__)
    for _ in range(count):
        yield kind(random, PLAIN[: random.randrange(6)] if names is None else random.sample(names, random.randrange(5)))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_printed_is_read_back(kind):
    for formula in drawn(kind, 2000, PLAIN + ODD):
        again = type(formula).parse(str(formula))
        assert again == formula
        assert hash(again) == hash(formula)
        assert str(again) == str(formula)
        assert type(formula).parse(str(formula), names=formula.variables) == formula


@pytest.mark.parametrize("kind", KINDS)
def test_tables_and_bulk_values_are_those_of_the_rows(kind):
    for formula in drawn(kind, 400):
        expected = [formula.value(row) for row in ROWS.rows()]
        table = formula.table(PLAIN)
        assert table >> len(expected) == 0
        assert [bool(table >> a & 1) for a in range(len(expected))] == expected
        assert formula.evaluate(ROWS).tolist() == formula.evaluate(PACKED).tolist() == expected
        if formula.constant is not None:
            assert set(expected) == {formula.constant}


@pytest.mark.parametrize("kind", KINDS)
def test_a_restriction_is_the_function_on_its_half_of_the_rows(kind):
    random = Random(1)
    for formula in drawn(kind, 400):
        name, value = random.choice(PLAIN), random.random() < 0.5
        left = formula.restricted(name, value)
        assert type(left) is type(formula)
        assert name not in left.variables
        for row in ROWS.rows():
            assert left.value(row) == formula.value(row | {name: value})


@pytest.mark.parametrize("kind", KINDS)
def test_searches_branch_on_variables_that_it_has_and_find_it_equal_to_itself_only(kind):
    formulas = list(drawn(kind, 60))
    for formula, other in pairwise(formulas):
        scores = formula.branching_scores()
        assert set(scores) == set(formula.variables)
        assert all(0 <= score < float("inf") for score in scores.values())
        found = equivalence(formula, other)
        assert found.is_equivalent == (formula.table(PLAIN) == other.table(PLAIN))


@pytest.mark.parametrize("kind", KINDS)
def test_restricted_everywhere_it_is_a_constant(kind):
    for a, formula in enumerate(drawn(kind, 200)):
        row = {name: bool(a >> i & 1) for i, name in enumerate(PLAIN)}
        left = formula
        for name, value in row.items():
            left = left.restricted(name, value)
        assert left.constant is formula.value(row)


def test_exactly_one_monomial_of_a_tree_fires_on_every_row_and_the_tree_is_read_back():
    for tree in drawn(random_tree, 2000):
        polynomial = tree.polynomial()
        assert len(polynomial.coefficients) == tree.n_leaves == len(tree.leaves) == polynomial.norm_sq()
        for row in Random(str(tree)).sample(ROWS.rows(), 8):
            fired = [number for term, number in polynomial.coefficients if term.value(row)]
            assert fired == [1 if tree.value(row) else -1]
            assert tree.to_dnf().value(row) == tree.value(row)
        again = DecisionTree.from_polynomial(polynomial)
        assert again.polynomial() == polynomial
        assert again.depth == tree.depth == polynomial.degree


def test_a_polynomial_with_a_leaf_missing_or_of_another_size_is_refused():
    random = Random(2)
    for tree in drawn(random_tree, 1000):
        changed = dict(tree.polynomial().coefficients)
        term = random.choice(list(changed))
        changed[term] = random.choice([0, 2, -3, Fraction(1, 2)])
        with pytest.raises(ValueError, match="in a tree"):
            DecisionTree.from_polynomial(Polynomial(changed))


def test_every_conjunction_is_half_the_sum_of_two_trees():
    random = Random(3)
    for _ in range(1000):
        term = random_term(random, PLAIN)
        first, second = DecisionTree.of_conjunction(term)
        assert first.n_leaves == second.n_leaves == term.size + 1
        assert first.polynomial() + second.polynomial() == 2 * Polynomial({term: 1})


def test_cost_complexity_is_alpha_times_a_risk():
    random = Random(4)
    rows = ROWS
    for tree in drawn(random_tree, 300):
        labels = [random.choice([-1, 1]) for _ in range(32)]
        alpha = Fraction(random.randint(1, 50), random.randint(1, 1000))
        errors = sum(tree.value(row) != (label == 1) for row, label in zip(rows.rows(), labels, strict=True))
        assert tree.cost_complexity(rows, labels, alpha) == Fraction(errors, 32) + alpha * tree.n_leaves
        assert tree.cost_complexity(rows, labels, alpha) == alpha * tree.risk(rows, labels, lam=4 * alpha * 32)
        polynomial = tree.polynomial()
        square_loss = sum((1 - y * polynomial.value(row)) ** 2 for row, y in zip(rows.rows(), labels, strict=True))
        assert tree.risk(rows, labels, lam=alpha) == polynomial.norm_sq() + square_loss / alpha


def test_a_decision_list_is_a_threshold_over_its_terms_that_is_never_met_exactly():
    for rules in drawn(random_list, 500):
        linear = rules.linear()
        for row in ROWS.rows():
            features = term_row([term for term, _ in rules.rules], row)
            assert linear.value(features) == rules.value(row)
            assert sum(weight * features[name] for name, weight in linear.weights) != linear.threshold


@pytest.mark.parametrize("convention", ["signed", "binary"])
def test_an_intersection_and_its_networks_are_one_function(convention):
    for depth, formula in enumerate(drawn(random_intersection, 300)):
        network = formula.network(convention, 1 + depth % 4)
        assert network.table(PLAIN) == formula.table(PLAIN)
        assert Network.parse(str(network)) == network
