from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from conjunct.bits import BitMatrix, SparseRows, random_below, random_bits
from conjunct.errors import BitsError, RowError, SettingError
from conjunct.exact.set_cover import Search, smallest_cover
from conjunct.learners import BoundCheck, Elimination, Halving, shortest_conjunction
from conjunct.theory import halving_bound


@dataclass(frozen=True)
class Labelling:
    """A concept given by its values on the unit vectors; on other rows, of their first variable."""

    values: tuple[int, ...]

    def evaluate(self, rows):
        return np.array(self.values, bool)[rows.to_array().argmax(axis=1)]


def labellings(n_points):
    return [Labelling(values) for values in product([0, 1], repeat=n_points)]


@pytest.mark.parametrize("n_points", [1, 3, 6])
def test_halving_reaches_its_bound_on_all_labellings_of_a_finite_set(n_points):
    """Every example is a tie, predicted +1."""
    run = Halving(labellings(n_points)).run(np.eye(n_points, dtype=int), [-1] * n_points)
    assert run.n_mistakes == n_points == halving_bound(2**n_points)
    assert [each.values for each in run.concepts] == [(0,) * n_points]
    check = run.check()
    assert check.holds
    assert check.tightness == 1


def test_halving_stays_under_its_bound_on_random_classes():
    for seed in range(60):
        n_concepts, n_points = 1 + seed, 12
        values = random_bits(seed, (n_concepts, n_points)).tolist()
        concepts = [Labelling(tuple(row)) for row in values]
        target = concepts[seed % n_concepts]
        points = np.eye(n_points, dtype=int)[random_below(seed, n_points, 40, stream=1)]
        labels = np.where(target.evaluate(BitMatrix.of(points)), 1, -1)
        run = Halving(concepts).run(points, labels)
        assert run.check().holds
        assert seed % n_concepts in run.survivors
        assert np.array_equal(run.choices(points), labels > 0)


def test_a_halving_in_small_blocks_is_the_same(monkeypatch):
    points = np.eye(6, dtype=int)[random_below(0, 6, 50)]
    labels = 2 * random_below(0, 2, 6, stream=1)[points.argmax(axis=1)] - 1
    whole = Halving(labellings(6)).run(points, labels)
    monkeypatch.setattr("conjunct.learners.finite.halving.VALUES_PER_CALL", 200)
    assert Halving(labellings(6)).run(points, labels) == whole


def test_a_class_without_the_labels_is_told_and_has_no_bound():
    run = Halving([Labelling((0, 0)), Labelling((0, 1))]).run([[1, 0], [0, 1], [1, 0], [0, 1]], [-1, 1, 1, -1])
    assert (run.misfit, run.survivors, run.is_consistent, run.n_mistakes) == (2, (), False, 2)
    with pytest.raises(SettingError, match="no concept of the class fits once row 2 is seen"):
        run.check()
    assert run.choices([[1, 0]]).tolist() == [1]


def test_halving_refuses_what_is_no_class_and_no_examples():
    with pytest.raises(SettingError, match="at least one concept"):
        Halving([])
    with pytest.raises(SettingError, match="concepts hold 3"):
        Halving([3])
    halving = Halving(labellings(2))
    with pytest.raises(BitsError, match=r"labels are \+1 and -1"):
        halving.run([[1, 0]], [0])
    with pytest.raises(BitsError, match="at least one"):
        halving.run(np.zeros((0, 2), int), [])


def test_elimination_reaches_both_of_its_bounds():
    run = Elimination().run(np.eye(6, dtype=int)[2:], [-1] * 4)
    assert str(run.formula) == "x1 | x2"
    assert run.check(width=2).tightness == 1
    zero_and_units = np.vstack([np.zeros((1, 4), int), np.eye(4, dtype=int)])
    literal = Elimination(over_literals=True).run(zero_and_units, [-1] * 5)
    assert (str(literal.formula), literal.n_mistakes) == ("0", 5)
    assert literal.check().tightness == 1


def test_elimination_names_variables_as_the_rows_do_and_takes_sparse_ones():
    rows = BitMatrix.of(["101", "011"], names=["wet", "cold", "day<=3"])
    assert str(Elimination().run(rows, [1, -1]).formula) == "wet"
    assert str(Elimination(over_literals=True).run(rows, [1, -1]).formula) == '~cold | ~"day<=3" | wet'
    run = Elimination().run(SparseRows.of([{0, 700}, {700}]), [1, -1])
    assert run.formula.variables[-1] == "x700"
    assert len(run.formula.terms) == 700


def test_elimination_shows_the_row_that_no_disjunction_fits():
    run = Elimination().run(["110", "001", "010"], [-1, 1, 1])
    assert run.misfit == 2
    assert run.n_mistakes == 2
    with pytest.raises(SettingError, match="row 2 is positive"):
        run.check(width=1)
    assert Elimination().run(["110", "001"], [-1, 1]).misfit is None


def test_several_passes_of_elimination_learn_nothing_new_from_a_disjunction():
    table = random_bits(3, (60, 8))
    labels = np.where(table[:, :2].any(axis=1), 1, -1)
    once, often = (Elimination().run(table, labels, max_passes=passes) for passes in (1, 4))
    assert once.formula == often.formula
    assert often.transcript.is_consistent


@pytest.mark.parametrize("over_literals", [False, True])
def test_elimination_refuses_bad_examples(over_literals):
    learner = Elimination(over_literals=over_literals)
    with pytest.raises(BitsError, match=r"labels are \+1 and -1"):
        learner.run(["10"], [2])
    with pytest.raises(BitsError, match="at least one"):
        learner.run(np.zeros((0, 2), int), [])


def test_a_shortest_conjunction_says_that_it_is_and_names_literals():
    rows = BitMatrix.of(["1101", "1100", "0101", "1001"], names=["a", "b", "c", "d"])
    found = shortest_conjunction(rows, [1, 1, -1, -1])
    assert str(found) == "a & b: 2 literals, and no conjunction of fewer fits"
    assert (found.n_candidates, found.n_negatives, found.is_minimal) == (3, 2, True)


def test_the_first_of_equal_variables_is_used_and_repeated_rows_count_once():
    found = shortest_conjunction(["0110"] * 3 + ["0000"] * 4, [1] * 3 + [-1] * 4)
    assert str(found.term) == "x2"
    assert found.n_negatives == 1
    assert str(shortest_conjunction(["00", "11"], [1, -1]).term) == "~x1"


def test_no_negatives_need_no_literal_and_no_positives_two_at_most():
    assert shortest_conjunction(["01", "10"], [1, 1]).term.size == 0
    assert "0 literals" in shortest_conjunction(["01"], [1]).statement
    assert str(shortest_conjunction(["01", "11"], [-1, -1]).term) == "~x2"
    everything = shortest_conjunction(["00", "01", "10", "11"], [-1] * 4)
    assert str(everything.term) == "x1 & ~x1"
    assert everything.is_minimal


def test_a_row_of_both_labels_is_the_witness():
    with pytest.raises(RowError, match="in row 2; every literal that is true on all positive rows is true on it"):
        shortest_conjunction(["01", "11", "01"], [1, -1, -1])


def test_greedy_is_beaten_where_it_takes_the_largest_first():
    """Two literals exclude half of the negatives each; greedy's are as large or larger, and overlap them both."""
    for k in (3, 4, 5):
        size = 2 ** (k + 1) - 2
        halves = [[j % 2 == side for j in range(size)] for side in (0, 1)]
        greedy = [[2**i - 2 <= j < 2 ** (i + 1) - 2 for j in range(size)] for i in range(1, k + 1)]
        excludes = np.array([*greedy, *halves])
        numbers = [[j >> b & 1 for b in range(k + 1)] for j in range(size)]  # tell rows apart, no candidates
        negatives = np.hstack([1 - excludes.T.astype(int), numbers])
        positives = [[1] * (k + 2) + [value] * (k + 1) for value in (0, 1)]
        rows, labels = np.vstack([positives, negatives]), [1, 1] + [-1] * size
        quick, exact = shortest_conjunction(rows, labels, budget=0), shortest_conjunction(rows, labels)
        assert (quick.term.size, exact.term.size) == (k, 2)
        assert exact.is_minimal
        assert not quick.is_minimal
        assert f"{k} literals, not proven minimal: no conjunction of fewer than" in quick.statement
        assert quick.term.size <= (1 + np.log(size)) * exact.term.size


def test_a_large_problem_stays_within_its_budget_and_fits_the_rows():
    table = random_bits(5, (4000, 120))
    labels = np.where(np.arange(4000) < 2, 1, -1)
    found = shortest_conjunction(table, labels, budget=100_000)
    names = [f"x{v + 1}" for v in range(120)]
    values = [found.term.value(dict(zip(names, row, strict=True))) for row in table.tolist()]
    assert values == (labels > 0).tolist()
    assert not found.is_minimal
    assert 1 < found.lower_bound < found.term.size


def test_hundreds_of_needed_literals_are_found_without_recursion():
    n = 1500
    rows = np.vstack([np.ones((1, n), int), 1 - np.eye(n, dtype=int)])
    found = shortest_conjunction(rows, [1] + [-1] * n)
    assert found.term.size == n
    assert found.is_minimal


def test_bounds_stay_on_their_sides_of_the_truth_wherever_the_budget_ends():
    found = set()
    for seed in range(8):
        holds = random_bits(seed, (14, 60)).astype(bool) & random_bits(seed, (14, 60), stream=1).astype(bool)
        holds[0, ~holds.any(axis=0)] = True
        truth = smallest_cover(holds, 10**7)
        assert truth.is_minimal
        for budget in range(0, 6000, 250):
            cover = smallest_cover(holds, budget)
            assert holds[list(cover.chosen)].any(axis=0).all()
            assert cover.lower_bound <= truth.lower_bound <= len(cover.chosen)
            found.add((len(cover.chosen) - truth.lower_bound, truth.lower_bound - cover.lower_bound))
    assert len(found) > 3


def test_a_cover_found_from_below_is_minimal(monkeypatch):
    """The search from above is made to end at once; the two halves are found from below, where greedy takes three."""
    size, below, limits = 14, Search.below, []

    def ends_at_once(self, limit):
        limits.append(limit)
        return (None, False) if len(limits) == 1 else below(self, limit)

    monkeypatch.setattr(Search, "below", ends_at_once)
    blocks = [[2**i - 2 <= j < 2 ** (i + 1) - 2 for j in range(size)] for i in (1, 2, 3)]
    halves = [[j % 2 == side for j in range(size)] for side in (0, 1)]
    cover = smallest_cover(np.array(blocks + halves), 10**6)
    assert (cover.chosen, cover.lower_bound) == ((3, 4), 2)
    assert limits == [3, 3]


def test_no_elements_need_no_sets():
    assert smallest_cover(np.zeros((3, 0), bool), 10).chosen == ()


@pytest.mark.parametrize("budget", [-1, 1.5, True])
def test_a_budget_that_counts_nothing_is_refused(budget):
    with pytest.raises(SettingError, match="budget="):
        shortest_conjunction(["1"], [1], budget=budget)


def test_a_shortest_conjunction_refuses_bad_examples():
    with pytest.raises(BitsError, match=r"labels are \+1 and -1"):
        shortest_conjunction(["10"], [0])
    with pytest.raises(BitsError, match="at least one"):
        shortest_conjunction(np.zeros((0, 2), int), [])


def test_a_broken_bound_of_0_is_not_reached_but_passed():
    assert BoundCheck("no mistakes", 0, 0).tightness == 0
    assert BoundCheck("no mistakes", 1, 0).tightness == float("inf")
    assert not BoundCheck("no mistakes", 1, 0).holds
