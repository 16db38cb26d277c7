"""What a transcript says about its run: the bound held for a target, and what so many mistakes refute."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from conjunct.bits import SparseRows, random_below, random_flips
from conjunct.errors import SettingError
from conjunct.learners import Perceptron, Winnow

LEARNERS = [
    Perceptron(constant=1),
    Perceptron(constant=2),
    Winnow(threshold=8),
    Winnow(threshold=32),
    Winnow(threshold=8, promotion="3/2"),
    Winnow(threshold=8, variant="elimination"),
]


def stream(seed: int, n: int, k: int, m: int, noise: Fraction = Fraction(0)):
    table = random_flips(seed, m * n, Fraction(1, 3)).reshape(m, n)
    labels = np.where(table[:, :k].any(axis=1) ^ random_flips(seed, m, noise, stream=1), 1, -1)
    return table, labels


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_runs_on_a_disjunction_obey_its_bound(learner, k):
    seen = []
    for seed in range(40):
        table, labels = stream(seed, 8, k, 60)
        run = learner.run(SparseRows.of(table), labels, max_passes=20)
        check = run.check(set(range(k)))
        assert check.holds, str(check)
        seen.append(check.tightness)
    assert max(seen) > 0.15  # the bounds are of the size of what they bound


@pytest.mark.parametrize("learner", [Perceptron(constant=1), Winnow(threshold=8)], ids=str)
def test_runs_on_noisy_labels_obey_the_bound_that_counts_the_noise(learner):
    for seed in range(40):
        table, labels = stream(seed, 8, 2, 80, Fraction(1, 10))
        check = learner.run(SparseRows.of(table), labels).check({0, 1})
        assert check.holds, str(check)
        assert "errors" in check.statement or "hinge" in check.statement or check.n_mistakes <= check.bound


def test_the_perceptron_reaches_its_bound_on_unit_vectors():
    """x = e_i, all negative: each is a mistake, and u = -1 everywhere has R^2 |u|^2 / margin^2 = n."""
    run = Perceptron().run(SparseRows.of(np.eye(12, dtype=int)), [-1] * 12)
    check = run.check(dict.fromkeys(range(12), -1))
    assert (check.n_mistakes, check.bound, check.tightness) == (12, 12, 1.0)


def fits(target, table, labels):
    return bool(np.all(table[:, list(target)].any(axis=1) == (labels > 0)))


@pytest.mark.parametrize("learner", [Perceptron(constant=1), Winnow(threshold=4), Winnow(threshold=2)], ids=str)
def test_what_a_run_refutes_fits_indeed_not(learner):
    refuted = 0
    for seed in range(60):
        n = 6
        table = random_flips(seed, 30 * n, Fraction(1, 3)).reshape(30, n)
        labels = 2 * random_below(seed, 2, 30, stream=1) - 1
        if seed % 2:  # a wide disjunction, which fits
            labels = np.where(table.any(axis=1), 1, -1)
        said = learner.run(SparseRows.of(table), labels, max_passes=8).refutes()
        refuted += said.width > 0
        for size in range(1, said.width + 1):
            assert not any(fits(target, table, labels) for target in combinations(range(n), size)), str(said)
    assert refuted > 10


def test_a_refutation_says_what_it_refutes_and_why():
    run = Winnow(threshold=2).run(SparseRows.of([{0}, {1}, {2}]), [1, 1, 1])
    assert str(run.refutes()) == "no disjunction of at most 2 of these 3 variables fits this sequence: 3 promotions"
    nothing = Winnow(threshold=2).run(SparseRows.of([{0}]), [1]).refutes()
    assert (nothing.width, str(nothing)) == (0, "refutes no disjunction: 1 promotion")


@pytest.mark.parametrize(
    ("learner", "target", "words"),
    [
        (Perceptron(threshold=1, constant=1), {0}, "no bound is known .* threshold 0"),
        (Perceptron(), {0}, "needs a constant variable"),
        (Winnow(0, variant="balanced"), {0}, 'variants "positive" and "elimination"'),
        (Winnow(4, thickness=(1, 0)), {0}, "no bound is known"),
        (Winnow(4), {9}, "variable 9, expected numbers from 0 to 2"),
        (Winnow(4), [0], "expected a set of variable numbers"),
        (Perceptron(constant=1), [0], "expected a set of variables, or a dict"),
        (Winnow(2, variant="elimination"), {0}, "elimination has no bound then"),
    ],
    ids=str,
)
def test_a_target_or_run_without_a_bound_is_refused_with_the_reason(learner, target, words):
    run = learner.run(SparseRows.of([{0, 1}, {1, 2}, {0, 2}]), [-1, 1, -1], max_passes=3)
    with pytest.raises(SettingError, match=words):
        run.check(target)
