"""Bounds by linear programs and covers: none passes the cheapest partition or formula, and both checkers agree."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest

from conjunct import certify_dnf, certify_tree
from conjunct.bits import BitMatrix
from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.certify_bound import BoundProblem, outputs_of
from conjunct.certificates.certify_dnf import formula_of_rows
from conjunct.certificates.certify_linear import linear_bound, program_of
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.theory import cheapest_dnf, cheapest_partition
from parts import parts
from reference.bound_verdicts import checked, files_of, optimum
from reference.naive_bound_checker import naive_bound_check
from reference.random_tables import PRICES, random_table

ROUNDS = 60  # of column generation, so that no test goes by the clock


def problem_of(random: Random, kinds: list[str]) -> BoundProblem:
    """Draw a small table, of some kinds with two classes at most, and what is asked about it."""
    kind = random.choice(kinds)
    while True:
        table = random_table(random, most_tests=4, most_rows=10)
        if table.rows[0] and (kind == "partition" or len(set(table.labels)) <= 2):
            break
    rows = LabelledRows.of(BitMatrix.of(table.rows), [f"c{label}" for label in table.labels])
    depth = random.choice([None, 0, 1, 2, 3])
    literals = "both" if kind == "cnf" else random.choice(["both", "both", "positive"])
    return BoundProblem.of(rows.with_costs(table.costs), random.choice(PRICES), depth, None, literals, kind)


def bounds_of(problem: BoundProblem) -> list[BoundCertificate]:
    """What each method proves."""
    if problem.kind == "partition":
        return [linear_bound(problem, time_limit=None, max_rounds=ROUNDS)]
    return [formula_of_rows(problem, own, time_limit=None, max_rounds=ROUNDS) for own in ("lp", "cover")]


@pytest.mark.parametrize("part", parts(100, quick=3))
def test_no_bound_passes_the_cheapest_and_both_checkers_accept_it(part: int) -> None:
    random = Random(part)
    for _ in range(20):
        problem = problem_of(random, ["partition", "dnf", "dnf", "cnf"])
        for bound in bounds_of(problem):
            files = files_of(bound)
            best = optimum(files)
            assert best is None or bound.bound <= best, files
            assert checked(files) == naive_bound_check(*files) == bound.bound, files
            if bound.optimal:
                assert bound.is_impossible if best is None else bound.upper == best, files
            if bound.upper is not None:
                assert best is not None
                assert best <= bound.upper, files


@pytest.mark.parametrize("part", parts(40, quick=1))
def test_what_is_claimed_beyond_the_proof_is_rejected(part: int) -> None:
    random = Random(part)
    for _ in range(20):
        bound = random.choice(bounds_of(problem_of(random, ["partition", "dnf", "cnf"])))
        if bound.is_impossible:  # then every bound is true
            continue
        more = bound.bound + Fraction(1, 7 * bound.bound.denominator)
        text, rows = files_of(bound)
        raised = text.replace(f'"lower":"{bound.bound}"'.encode(), f'"lower":"{more}"'.encode())
        assert raised != text
        assert checked((raised, rows)) is None
        assert naive_bound_check(raised, rows) is None


@pytest.mark.parametrize("part", parts(30, quick=1))
def test_box_is_at_most_the_partition_program_at_most_the_cheapest_partition_at_most_the_cheapest_tree(
    part: int,
) -> None:
    """Values before they are rounded up; each search ends within a ten-thousandth of its own."""
    random, n_compared = Random(part), 0
    while n_compared < 6:
        table = random_table(random, most_tests=4, most_rows=12)
        if not table.rows[0] or len(set(table.labels)) != 2:
            continue
        n_compared += 1
        depth, price = random.choice([1, 2, 3]), random.choice([own for own in PRICES if own])
        problem = BoundProblem.of(LabelledRows.of(BitMatrix.of(table.rows), list(table.labels)), price, depth)
        svm, ridge, box = (quadratic_value(problem, method) for method in ("svm", "ridge", "box"))
        program = program_of(problem).solve()
        assert program.is_closed
        best = cheapest_partition([list(map(int, row)) for row in table.rows], table.labels, price, max_size=depth)
        assert best is not None
        tree = certify_tree(table.rows, table.labels, max_depth=depth, error_price=price, check=False)
        values = [svm, ridge, box, program.value, best, tree.bound]
        for lower, upper in pairwise(values[:5]):
            assert float(lower) <= float(upper) * 1.0003 + 1e-5, (values, table)
        assert best <= tree.bound
        assert linear_bound(problem, time_limit=None).bound >= program.value - 1e-5


def quadratic_value(problem: BoundProblem, method: str) -> Fraction:
    """What weights prove, before it is rounded up and held against what is trivial."""
    form, outputs, *_ = outputs_of(problem, method)
    return sum((output.value(problem, form) for output in outputs), Fraction()) / len(outputs)


@pytest.mark.parametrize("part", parts(30, quick=1))
def test_cover_is_at_most_the_covering_program_at_most_the_fewest_terms(part: int) -> None:
    random, n_compared = Random(part), 0
    while n_compared < 8:
        problem = problem_of(random, ["dnf", "cnf"])
        lp, cover = bounds_of(problem)
        best = optimum(files_of(lp))
        n_compared += best is not None and len(lp.lemmas) > 0
        assert cover.bound <= lp.bound or lp.is_impossible, files_of(cover)
        assert best is None or lp.bound <= best
        if best is not None and problem.price is None:
            program = program_of(problem).solve()
            assert program.value <= float(best) + 1e-5


def test_plainly_counted_errors_of_overlapping_terms_may_be_fewer_than_the_bound() -> None:
    """Terms + errors, each row counted once, is no theorem: a row on which many terms hold is one error, not many."""
    rows = [[int(k == own) for k in range(6)] for own in range(6)] * 3 + [[1] * 6] + [[0] * 6] * 20
    labels = [1] * 18 + [0] * 21
    bound = certify_dnf(rows, labels, error_price=1, literals="positive", max_nodes=ROUNDS)
    n_held = [sum(row) for row in rows]  # of the terms of x1 | .. | x6
    n_wrong = sum((count > 0) != label for count, label in zip(n_held, labels, strict=True))
    n_charged = sum((count == 0) if label else count for count, label in zip(n_held, labels, strict=True))
    assert (n_wrong, n_charged) == (1, 6)
    assert 6 + n_wrong < bound.bound == 6 + n_charged
    assert (bound.certified, bound.optimal) == (True, True)
    assert "errors are the rows of the class on which it is false, and others for each of its terms that hold." in (
        bound.claim.replace("\n", " ")
    )
    assert bound.min_terms(missed=0, false_alarms=n_wrong) <= 6 < bound.min_terms()


@pytest.mark.parametrize("part", parts(20, quick=1))
def test_min_terms_holds_for_every_dnf_of_three_terms_or_fewer(part: int) -> None:
    random = Random(part)
    for _ in range(3):
        rows = [[random.randrange(2) for _ in range(3)] for _ in range(10)]
        labels = [random.randrange(2) for _ in rows]
        if len(set(labels)) < 2:
            continue
        price = random.choice(PRICES)
        bound = certify_dnf(rows, labels, error_price=price, max_nodes=ROUNDS, check=False)
        terms = [dict(zip(range(3), values, strict=True)) for values in product([0, 1, None], repeat=3)]
        held = [tuple(all(x in (None, row[v]) for v, x in term.items()) for row in rows) for term in terms]
        sets = {(): (False,) * len(rows)} | {(own,): own for own in held}
        for _ in range(2):
            sets |= {(*a, b): tuple(map(max, sets[a], b)) for a in list(sets) for b in set(held) if b not in a}
        for own, is_true in sets.items():
            missed = sum(label and not true for label, true in zip(labels, is_true, strict=True))
            false_alarms = sum(true and not label for label, true in zip(labels, is_true, strict=True))
            assert bound.min_terms(missed, false_alarms) <= len(own), (rows, labels, price, own)
        best = cheapest_dnf(rows, labels, None)
        assert best is None or bound.min_terms() <= best
