"""[littlestone1989]: surviving ceil((1/eps) ln((M + 1)/delta)) examples keeps delta; the length for one does not."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, log

import numpy as np
import pytest

from conjunct.bits import SparseRows, random_below, random_flips
from conjunct.errors import SettingError
from conjunct.learners import OnlineToPAC, Winnow
from conjunct.theory import pac_examples, pac_printed_length, pac_survival_error, pac_survival_length

THIRD = Fraction(1, 3)


def failure(error, length, n_bad):
    """The chance that one of so many hypotheses in a row, each of this error, survives so long."""
    return 1 - (1 - (1 - error) ** length) ** n_bad


def stubborn(n_bad):
    """A Winnow that is wrong on {0}, labelled -1, until it was shown n_bad times."""
    return Winnow(threshold=1, initial_weight=Fraction(2) ** (n_bad - 1))


def stream(is_hard):
    return SparseRows.of(np.asarray(is_hard, np.uint8)[:, None]), np.full(len(is_hard), -1)


@pytest.mark.parametrize("mistakes", [0, 1, 2, 20, 1000])
@pytest.mark.parametrize("epsilon", ["1/2", "1/10", "1/97", "9/10"])
@pytest.mark.parametrize("delta", ["1/2", "1/20", "1/1000000"])
def test_a_survival_length_is_the_ceiling_and_keeps_delta_over_all_hypotheses(mistakes, epsilon, delta):
    length = pac_survival_length(mistakes, epsilon, delta)
    eps, share = Fraction(epsilon), Fraction(delta) / (mistakes + 1)
    assert length == ceil(log(float(1 / share)) / float(eps))
    assert (1 - eps) ** length <= share
    assert pac_examples(mistakes, epsilon, delta) == (mistakes + 1) * length


def test_the_ceiling_is_right_where_floats_are_not():
    """1/eps is chosen so that (1/eps) ln 2 lies within 10**-80 of a whole number, on either side."""
    ln2 = Decimal(2).ln(Context(prec=200))
    for whole in (7, 10**6, 10**15):
        for side, wanted in ((1, whole), (-1, whole + 1)):
            epsilon = Fraction(ln2) / (whole - side * Fraction(1, 10**80))
            assert pac_survival_length(0, epsilon, "1/2") == wanted


@pytest.mark.parametrize("mistakes", [2, 5, 20, 100])
def test_the_length_for_a_single_hypothesis_fails_more_often_than_delta(mistakes):
    epsilon, delta = Fraction(1, 100), Fraction(1, 20)
    short, long = pac_printed_length(epsilon, delta), pac_survival_length(mistakes, epsilon, delta)
    assert short == pac_survival_length(0, epsilon, delta) < long
    just_above = epsilon * Fraction(1001, 1000)
    assert failure(just_above, long, mistakes) <= delta < failure(just_above, short, mistakes)


def test_the_union_is_nearly_needed_where_errors_are_small():
    epsilon, delta = Fraction(1, 1000), Fraction(1, 100)
    length = pac_survival_length(20, epsilon, delta)
    assert failure(epsilon, length, 20) > Fraction(9, 10) * delta
    assert failure(epsilon, length - 100, 20) > delta


@pytest.mark.parametrize("mistakes", [0, 1, 3, 10])
def test_a_mistake_on_every_last_example_takes_all_the_examples_allowed(mistakes):
    method = OnlineToPAC(stubborn(mistakes), THIRD, THIRD)
    length = pac_survival_length(mistakes, THIRD, THIRD)
    is_hard = ([0] * (length - 1) + [1]) * mistakes + [0] * length
    found = method.run(*stream(is_hard), mistake_bound=mistakes)
    assert found.guarantee.n_examples == len(is_hard) == method.n_examples(mistakes)
    assert found.guarantee.n_mistakes == mistakes


def test_runs_end_with_a_bad_hypothesis_as_often_as_calculated_and_no_more_than_delta():
    mistakes, epsilon, delta, error = 5, Fraction(1, 5), Fraction(1, 5), Fraction(201, 1000)
    method, length = OnlineToPAC(stubborn(mistakes), epsilon, delta), pac_survival_length(mistakes, epsilon, delta)
    n_failures, n_runs = 0, 600
    for seed in range(n_runs):
        is_hard = random_flips(seed, method.n_examples(mistakes), error)
        found = method.run(*stream(is_hard), mistake_bound=mistakes)
        is_bad = bool(found.hypothesis.choices(SparseRows.of([[1]]))[0])
        assert is_bad == (found.guarantee.n_mistakes < mistakes)
        n_failures += is_bad
    expected = float(failure(error, length, mistakes))
    assert abs(n_failures / n_runs - expected) < 4 * (expected / n_runs) ** 0.5
    assert n_failures / n_runs <= delta


@pytest.mark.parametrize("survival", [1, 2, 7, 61, 1000, 10**6])
@pytest.mark.parametrize(("mistakes", "delta"), [(0, "1/2"), (20, "1/20"), (10**6, "1/1000000")])
def test_the_error_of_a_survivor_is_the_least_that_the_union_allows(mistakes, survival, delta):
    epsilon = pac_survival_error(mistakes, survival, delta)
    unit = Fraction(1, 10**12)
    if survival <= 1000:
        share = Fraction(delta) / (mistakes + 1)
        assert (1 - epsilon) ** survival <= share
        assert (1 - (epsilon - unit)) ** survival > share
    assert float(epsilon) == pytest.approx(1 - (float(Fraction(delta)) / (mistakes + 1)) ** (1 / survival), abs=1e-11)


def test_a_survivor_of_the_full_length_keeps_epsilon_and_one_of_nothing_none():
    for seed in range(50):
        numbers = random_below(seed, 400, 3).tolist()
        mistakes, epsilon, delta = numbers[0], Fraction(1 + numbers[1], 500), Fraction(1 + numbers[2], 500)
        length = pac_survival_length(mistakes, epsilon, delta)
        assert pac_survival_error(mistakes, length, delta) <= epsilon + Fraction(1, 10**12)
    assert pac_survival_error(3, 0, 0.1) == 1


def test_the_longest_survivor_is_bad_no_more_often_than_delta_although_its_length_is_seen_first():
    """Hypotheses of very different errors: the guarantee is for the length that was seen, not for one fixed before."""
    mistakes, delta, n_runs, n_examples = 4, Fraction(1, 5), 450, 60
    method, n_failures = OnlineToPAC(stubborn(mistakes), "1/10", delta), 0
    for seed in range(n_runs):
        error = (Fraction(1, 50), Fraction(1, 12), Fraction(1, 5))[seed % 3]
        is_hard = random_flips(seed, n_examples, error)
        found = method.longest_survivor(*stream(is_hard), mistake_bound=mistakes)
        is_bad = bool(found.hypothesis.choices(SparseRows.of([[1]]))[0])
        n_failures += is_bad and error > found.guarantee.epsilon
        assert found.guarantee.survival * (mistakes + 1) >= n_examples - mistakes
    assert n_failures / n_runs <= delta


@pytest.mark.parametrize("call", [pac_printed_length, lambda e, d: pac_survival_length(3, e, d)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0.1), (1, 0.1), (-0.1, 0.1), (0.1, 0), (0.1, 1), (0.1, 1.5)])
def test_probabilities_outside_of_0_and_1_are_refused(call, epsilon, delta):
    with pytest.raises(SettingError, match=r"(epsilon|delta)=\S+: expected a number between 0 and 1"):
        call(epsilon, delta)


def test_numbers_that_count_nothing_are_refused():
    for wrong in (-1, 1.5, True):
        with pytest.raises(SettingError, match="mistakes="):
            pac_examples(wrong, 0.1, 0.1)
    with pytest.raises(SettingError, match="survival="):
        pac_survival_error(1, -1, 0.1)
    with pytest.raises(SettingError, match="delta="):
        pac_survival_error(1, 1, 1)
