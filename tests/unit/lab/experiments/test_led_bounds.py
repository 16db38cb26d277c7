"""The bounds of one sample, in their order, and what is quoted beside ours."""

from __future__ import annotations

from fractions import Fraction

from conjunct.bits import BitMatrix
from conjunct.datasets.all_rows import all_rows
from conjunct.kernels import Conjunctions
from conjunct.lab import find_experiment, run
from conjunct.lab.experiments.led_bounds import grown_trees, tree_bounds
from conjunct.lab.experiments.led_published import BOUNDS, ERRORS, INCONSISTENCIES, RISKS, SIZES
from conjunct.lab.experiments.led_table import drawn
from conjunct.learners import ConjunctionSVM
from conjunct.learners.finite.subcube_trees import optimal_tree


def test_bounds_are_in_order_and_below_every_tree_of_a_sample() -> None:
    sample = drawn(4)
    rows, signs = all_rows(7)[sample.train], sample.train_signs
    packed = BitMatrix.of(rows)
    svm = ConjunctionSVM(Conjunctions(3), 4, 1e-6).run(packed, signs).bound
    bounds = tree_bounds(sample, 3)
    optimum = optimal_tree(rows, signs, 3, packed.names).risk(packed, signs, 4)
    assert svm < bounds["ridge"].value < bounds["box"].value < optimum
    for bound in bounds.values():
        assert bound.value <= bound.most <= bound.value * Fraction(1000002, 1000000)
    for tree in grown_trees(sample, 3).values():
        assert optimum <= tree.risk


def test_pruning_makes_trees_smaller_and_their_risk_is_leaves_and_errors() -> None:
    sample = drawn(6)
    trees = grown_trees(sample, 7)
    assert trees["C4.5"].size < trees["C4.5, not pruned"].size
    for tree in trees.values():
        assert tree.risk == tree.size + int((tree.answers[sample.train] != (sample.train_signs > 0)).sum())


def test_the_published_tree_stands_beside_c45_and_inconsistencies_are_said() -> None:
    result = run(find_experiment("led-bounds"), quick=True)
    quoted = {(entry["series"], entry["published"]) for entry in result["observed"] if entry["published"] is not None}
    assert {value for name, value in quoted if name == "C4.5"} == {110, 80, 4, 17, 21.3, 22.9, 12.0, 15.8}
    assert not any(name in ("greedy tree", "optimal tree", "ridge", "box") for name, _ in quoted)
    printed = {
        *RISKS.values(),
        *SIZES.values(),
        *BOUNDS.values(),
        *(number for pair in ERRORS.values() for number in pair),
    }
    assert {value for _, value in quoted} == printed
    assert set(INCONSISTENCIES) < set(result["remarks"])
