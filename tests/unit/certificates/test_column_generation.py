"""Column generation: values rise, limits fall, and where it closes it has solved the program of all conjunctions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import inf
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog

from conjunct.bits import BitMatrix, random_bits
from conjunct.certificates.certify_bound import BoundProblem
from conjunct.certificates.certify_linear import FREE_PENALTY, program_of
from conjunct.certificates.labelled_rows import LabelledRows
from parts import parts
from reference.random_tables import PRICES


def problem_of(random: Random) -> BoundProblem:
    """Draw a small problem; without a price, one that has partitions and formulas without errors."""
    n_tests = random.randint(2, 4)
    rows = ["".join(random.choice("01") for _ in range(n_tests)) for _ in range(12)]
    kind, price = random.choice(["partition", "dnf", "cnf"]), random.choice(PRICES)
    function = [random.randrange(2) for _ in range(1 << n_tests)]
    labels = [function[int(row, 2)] if price is None else random.randrange(2) for row in rows]
    depth = None if price is None else random.choice([None, 1, 2, 3])
    literals = "both" if kind == "cnf" or price is None else random.choice(["both", "positive"])
    return BoundProblem.of(LabelledRows.of(BitMatrix.of(rows), labels), price, depth, None, literals, kind)


def exact_value(problem: BoundProblem) -> float:
    """The optimum of the program over all conjunctions, by another solver."""
    cells, masses = problem.masses
    digits = cells.to_array()
    price = FREE_PENALTY if problem.price is None else float(problem.price)
    sides, costs = [], []
    for size in range(problem.size + 1):
        for variables in combinations(range(digits.shape[1]), size):
            for values in product([0, 1] if problem.literals == "both" else [1], repeat=size):
                held = (digits[:, list(variables)] == values).all(axis=1)
                by_class = np.array([[float(mass) for mass in own] for own in masses])[held].sum(axis=0)
                wrong = by_class.sum() - (
                    by_class.max() if problem.kind == "partition" else by_class[problem.positive_class]
                )
                sides.append(held.astype(float))
                costs.append(1 + price * wrong)
    bounds: list[tuple[float | None, float | None]] = [(None, None)] * len(digits)
    if problem.kind != "partition":
        own = [
            (float(mass[problem.positive_class]), float(sum(mass) - mass[problem.positive_class])) for mass in masses
        ]
        bounds = [(0, (0 if n else None) if problem.price is None else price * p) for p, n in own]
    solved = linprog(-np.ones(len(digits)), A_ub=np.array(sides), b_ub=costs, bounds=bounds)
    assert solved.status == 0
    return float(-solved.fun)


@pytest.mark.parametrize("part", parts(20, quick=1))
def test_where_it_closes_it_has_the_value_of_the_program_over_all_conjunctions(part: int) -> None:
    random = Random(part)
    for _ in range(12):
        problem = problem_of(random)
        dual = program_of(problem).solve()
        assert dual.is_closed
        assert dual.value == pytest.approx(exact_value(problem), rel=1e-5, abs=1e-5), problem


def test_values_rise_and_limits_fall_round_by_round() -> None:
    """Weights of parts are held at 0 or above until that program is solved; their release lifts the limit, once."""
    bits = random_bits(5, (150, 7))
    labels = ((bits[:, 0] & bits[:, 1]) ^ bits[:, 2] ^ (random_bits(6, (150, 1))[:, 0] & bits[:, 3])).tolist()
    for kind, price in [("partition", Fraction(1, 2)), ("dnf", Fraction(1)), ("partition", None), ("cnf", None)]:
        own = labels if price else (bits[:, 0] ^ (bits[:, 1] & bits[:, 4])).tolist()
        problem = BoundProblem.of(LabelledRows.of(BitMatrix.of(bits), own), price, None, None, "both", kind)
        duals = list(program_of(problem).rounds())
        values, limits = [dual.value for dual in duals], [dual.limit for dual in duals]
        assert values == sorted(values)
        assert limits.count(inf) == (kind == "partition")
        assert all(later <= earlier + 1e-6 for earlier, later in pairwise(limits) if later < inf)
        assert all(value <= limit + 1e-5 for value, limit in zip(values, limits, strict=True))
        assert duals[-1].is_closed
        assert [dual.n_rounds for dual in duals] == sorted({dual.n_rounds for dual in duals})


def test_weights_of_any_round_are_within_what_every_conjunction_costs() -> None:
    bits = random_bits(8, (60, 5))
    labels = (bits[:, 0] ^ bits[:, 1] ^ (bits[:, 2] & bits[:, 3])).tolist()
    n_scaled = 0
    for kind, price in product(["partition", "dnf"], [Fraction(1, 3), Fraction(2)]):
        problem = BoundProblem.of(LabelledRows.of(BitMatrix.of(bits), labels), price, 3, None, "both", kind)
        digits, program = problem.masses[0].to_array(), program_of(problem)
        helds = [
            (digits[:, list(variables)] == values).all(axis=1)
            for size in range(4)
            for variables in combinations(range(5), size)
            for values in product([0, 1], repeat=size)
        ]
        for dual in program.rounds():
            assert dual.value == pytest.approx(dual.weights.sum())
            n_scaled += dual.value < dual.last.sum() - 1e-3
            for held in helds:
                cost = 1 + program.penalties[:, held].sum(axis=1).min()
                assert dual.weights[held].sum() <= cost + 1e-4
    assert n_scaled > 0  # where conjunctions were last looked for, some passed their cost


def test_conjunctions_on_the_same_cells_are_added_once() -> None:
    rows = BitMatrix.of(["00", "11", "00"])
    problem = BoundProblem.of(LabelledRows.of(rows, [0, 1, 0]), Fraction(1), None)
    program = program_of(problem)
    assert program.columns == [()]
    assert program.add([(1,), (3,), (1, 3), (0, 3), (0,)]) == 2
    assert program.columns == [(), (1,), (0,)]
    assert program.solve(max_rounds=1).n_rounds >= 1
