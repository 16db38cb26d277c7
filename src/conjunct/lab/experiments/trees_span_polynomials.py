"""Statement: every conjunction is half the sum of two trees, so trees of depth d span polynomials of degree d."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb

from conjunct.bits import random_below
from conjunct.bits.randomness import derived_seed
from conjunct.exact.rank import rank
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.logic import DecisionTree, Literal, Polynomial, Term

__all__ = ["TREES_SPAN_POLYNOMIALS"]

HALVES = Panel("conjunctions that are half the sum of two trees", "size", "literals", "conjunctions", along="table")
RANK = Panel("dimension of what trees of depth d span, n = 6 variables", "d", "depth d", "dimension", False, False)
LEAVES = Panel("leaves of trees that add up to a polynomial", "terms", "terms", "leaves", along="table")
N_SPAN = 6


def trials(seed: int, quick: bool) -> list[Trial]:
    """Draw conjunctions of growing size; and span by trees of growing depth."""
    sizes = (0, 1, 2, 4, 8) if quick else (0, 1, 2, 4, 8, 16, 32)
    depths = (0, 1, 2, 3) if quick else range(N_SPAN + 1)
    halves = [partial(on_conjunctions, seed, size, 20 if quick else 100) for size in sizes]
    sums = [partial(on_polynomial, seed, n_terms) for n_terms in ((2, 8, 32) if quick else (2, 8, 32, 128, 512))]
    return [*halves, *(partial(on_depth, depth) for depth in depths), *sums]


def on_conjunctions(seed: int, size: int, n_conjunctions: int) -> list[Line]:
    """Count conjunctions for which both trees together are twice the conjunction, coefficient by coefficient."""
    equal = leaves = 0
    for number in range(n_conjunctions):
        signs = random_below(derived_seed(seed, size, number), 2, size).tolist() if size else []
        term = Term(Literal(f"x{index + 1}", bool(sign)) for index, sign in enumerate(signs))
        both = DecisionTree.of_conjunction(term)
        equal += both[0].polynomial() + both[1].polynomial() == 2 * Polynomial({term: 1})
        leaves = max(leaves, *(tree.n_leaves for tree in both))
    return [
        Line.of(HALVES.title, "equal", size, [equal], n_conjunctions, "=="),
        Line.of(HALVES.title, "leaves of the larger tree", size, [leaves], size + 1),
    ]


def on_depth(depth: int) -> list[Line]:
    """Count the dimensions that trees for all conjunctions of at most d variables span, as functions of all rows."""
    names = [f"x{index + 1}" for index in range(N_SPAN)]
    tables = []
    for size in range(depth + 1):
        for chosen in combinations(names, size):
            for tree in DecisionTree.of_conjunction(Term(map(Literal, chosen))):
                table = tree.table(names)
                tables.append([1 if table >> row & 1 else -1 for row in range(1 << N_SPAN)])
    dimension = sum(comb(N_SPAN, size) for size in range(depth + 1))
    return [Line.of(RANK.title, "rank", depth, [rank(tables)], dimension, "==")]


def on_polynomial(seed: int, n_terms: int) -> list[Line]:
    """Write a random polynomial over 12 variables as a sum of trees, two for every term, and add them up again."""
    run_seed = derived_seed(seed, n_terms)
    signs = random_below(run_seed, 4, 12 * n_terms).reshape(n_terms, 12).tolist()  # half of the variables, either way
    factors = (random_below(run_seed, 9, n_terms, stream=1) - 4).tolist()
    expected, total, leaves, allowed = Polynomial({}), Polynomial({}), 0, 0
    for row, factor in zip(signs, factors, strict=True):
        term = Term(Literal(f"x{index + 1}", sign == 0) for index, sign in enumerate(row) if sign < 2)
        expected += factor * Polynomial({term: 1})
        for tree in DecisionTree.of_conjunction(term):
            total += Fraction(factor, 2) * tree.polynomial()
            leaves += tree.n_leaves
        allowed += 2 * (term.size + 1)
    return [
        Line.of(LEAVES.title, "leaves", n_terms, [leaves], allowed),
        Line.of(LEAVES.title, "equal sums", n_terms, [int(total == expected)], 1, "=="),
    ]


TREES_SPAN_POLYNOMIALS = Experiment(
    name="trees-span-polynomials",
    title="Trees span the polynomials of their depth",
    statement="Every conjunction is half the sum of two trees; trees of depth d span the polynomials of degree d.",
    source=(("kowalczyk2002", "trees as polynomials"),),
    hypotheses=(
        "a tree is the sum of its leaves' conjunctions, each times its label +1 or −1",
        "both trees test the literals in turn; one says +1 everywhere, the other on the last leaf only",
    ),
    bounds=(("all conjunctions", "tight"), ("|T| + 1 leaves a tree", "tight"), ("Σ C(n, j), j ≤ d", "tight")),
    settings={"n": N_SPAN},
    panels=(HALVES, RANK, LEAVES),
    conclusion="Combining ever more trees of depth d works in the same space as one machine over its conjunctions.",
    trials=trials,
)
