"""Bounds by weights of rows: none passes the cheapest partition, and the checker computes what the definition says."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from conjunct import certify_tree
from conjunct.bits import BitMatrix
from conjunct.certificates import bound_checker
from conjunct.certificates.certify_bound import METHODS, BoundProblem, bound_of_rows, outputs_of
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.kernels import Geometric
from conjunct.theory import cheapest_partition
from parts import parts
from reference.bound_verdicts import checked, files_of
from reference.naive_bound_checker import naive_bound_check
from reference.random_tables import PRICES, random_table

LEAF_COSTS = [None, None, Geometric(2), Geometric("2/3"), "paths"]


def problem_of(random: Random) -> BoundProblem:
    """Draw a small table and what is asked about it."""
    while True:
        table = random_table(random, most_tests=4, most_rows=10)
        if table.rows[0]:
            break
    labels = [f"c{label}" for label in table.labels]
    rows = LabelledRows.of(BitMatrix.of(table.rows), labels)
    depth = random.choice([None, 0, 1, 2, 3])
    n_tests = len(table.rows[0])
    size = n_tests if depth is None else min(depth, n_tests)
    leaf_costs = random.choice(LEAF_COSTS)
    if leaf_costs == "paths":
        leaf_costs = [max(1, j) for j in range(size + 1)]
    literals = random.choice(["both", "both", "positive"])
    return BoundProblem.of(rows.with_costs(table.costs), random.choice(PRICES), depth, leaf_costs, literals)


def optimum(problem: BoundProblem) -> Fraction | None:
    """The cheapest partition, by brute force."""
    table = problem.table
    return cheapest_partition(
        table.rows.to_array().tolist(),
        table.codes.tolist(),
        problem.price,
        max_size=problem.size,
        leaf_costs=problem.costs,
        masses=table.costs,
        positive=problem.literals == "positive",
    )


@pytest.mark.parametrize("part", parts(100, quick=4))
def test_no_bound_passes_the_cheapest_partition_and_both_checkers_accept_it(part):
    random = Random(part)
    for _ in range(10):
        problem = problem_of(random)
        best = optimum(problem)
        for method in METHODS:
            bound = bound_of_rows(problem, method, time_limit=None)
            assert best is None or bound.bound <= best, (problem, method)
            files = files_of(bound)
            assert checked(files) == naive_bound_check(*files) == bound.bound, (problem, method)


@pytest.mark.parametrize("part", parts(40, quick=2))
def test_what_is_claimed_beyond_the_proof_is_rejected(part):
    random = Random(part)
    for _ in range(10):
        problem = problem_of(random)
        bound = bound_of_rows(problem, random.choice(list(METHODS)), time_limit=None)
        if bound.is_impossible:  # then every bound is true
            continue
        grid = bound.bound.denominator * 7
        header = bound.header | {"lower": str(bound.bound + Fraction(1, grid))}
        files = files_of(bound)
        more = files[0].replace(b'"lower":"' + str(bound.bound).encode(), b'"lower":"' + header["lower"].encode())
        assert more != files[0]
        assert checked((more, files[1])) is None
        assert naive_bound_check(more, files[1]) is None


@pytest.mark.parametrize("part", parts(20, quick=1))
def test_svm_is_at_most_ridge_at_most_box_at_most_the_cheapest_partition_at_most_the_cheapest_tree(part):
    """The optima are ordered; each search ends within a ten-thousandth of its own."""
    random = Random(part)
    for _ in range(10):
        table = random_table(random, most_tests=4, most_rows=12)
        if not table.rows[0] or len(set(table.labels)) != 2:
            continue
        depth, price = random.choice([1, 2, 3]), random.choice([own for own in PRICES if own])
        problem = BoundProblem.of(LabelledRows.of(BitMatrix.of(table.rows), list(table.labels)), price, depth)
        svm, ridge, box = (value_of(problem, method) for method in ("svm", "ridge", "box"))
        assert svm <= ridge * Fraction(10_003, 10_000)
        assert ridge <= box * Fraction(10_003, 10_000)
        tree = certify_tree(table.rows, table.labels, max_depth=depth, error_price=price, check=False)
        assert box <= optimum(problem) <= tree.bound


def value_of(problem: BoundProblem, method: str) -> Fraction:
    """What weights prove, before it is rounded up and held against what is trivial."""
    form, outputs, *_ = outputs_of(problem, method)
    return sum((output.value(problem, form) for output in outputs), Fraction()) / len(outputs)


def test_pairs_of_cells_and_conjunctions_give_the_same_norm():
    random = Random(0)
    for _ in range(60):
        n_tests, n_cells = random.randint(1, 7), random.randint(1, 12)
        cells = sorted({"".join(random.choice("01") for _ in range(n_tests)) for _ in range(n_cells)})
        weights = [random.randint(-9, 9) * random.choice([1, 10**9]) for _ in cells]
        size, has_negations = random.randint(0, n_tests), random.random() < 0.5
        costs = [Fraction(random.randint(1, 5), random.randint(1, 5)) for _ in range(size + 1)]
        table = [
            sum((Fraction(binomial(s, j)) / cost for j, cost in enumerate(costs)), Fraction())
            for s in range(n_tests + 1)
        ]
        by_pairs = bound_checker.norm_by_pairs(cells, weights, table, has_negations)
        assert by_pairs == bound_checker.norm_by_features(cells, weights, costs, has_negations)


def binomial(n: int, k: int) -> int:
    """The number of ways to choose k of n."""
    return 1 if k == 0 else 0 if n == 0 else binomial(n - 1, k) + binomial(n - 1, k - 1)
