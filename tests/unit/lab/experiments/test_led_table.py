"""The parts of the LED table: exact errors, and the numbers quoted from the source."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from conjunct.datasets import led_bayes_error
from conjunct.datasets.led import led_shares
from conjunct.lab import find_experiment, run
from conjunct.lab.experiments.led_published import BOUNDS, ERRORS, RISKS, SIZES
from conjunct.lab.experiments.led_table import (
    RISK,
    TEST,
    bayes_rule,
    drawn,
    learn,
    percent,
    population,
    population_error,
)


def test_shares_add_up_to_1_and_half_of_them_to_each_label() -> None:
    shares = led_shares(two_classes=True)
    assert [sum(each[label] for each in shares.values()) for label in (0, 1)] == [Fraction(1, 2)] * 2


def test_the_best_rule_has_the_bayes_error_and_its_opposite_the_rest() -> None:
    rule = bayes_rule()
    assert population_error(rule, population()) == led_bayes_error(two_classes=True) == Fraction(870491, 6250000)
    assert population_error(~rule, population()) == 1 - Fraction(870491, 6250000)


def test_test_rows_err_about_as_often_as_the_population() -> None:
    sample = drawn(5)
    assert abs(percent(bayes_rule()[sample.test], sample.test_signs) - 13.93) < 2


def test_every_learner_is_above_both_bounds_and_trees_pay_for_leaves_and_errors() -> None:
    sample = drawn(11)
    learned, margin, proved = learn(sample, 3)
    lowest = max(margin.bound, *(each.bound for each in proved.values()))
    for name, each in learned.items():
        assert each.risk >= lowest
        errors = np.count_nonzero(each.answers[sample.train] != (sample.train_signs > 0))
        if name.endswith("tree"):
            assert each.risk == each.size + errors


def test_every_published_number_has_a_row_and_only_printed_ones_are_quoted() -> None:
    result = run(find_experiment("led-table"), quick=True)
    quoted = [each["published"] for each in result["observed"] if each["published"] is not None]
    printed = [
        *RISKS.values(),
        *SIZES.values(),
        *BOUNDS.values(),
        *(value for pair in ERRORS.values() for value in pair),
    ]
    assert set(quoted) == set(printed)
    titles = {each["spread"] for each in result["observed"]}
    assert {RISK.title, TEST.title} < titles
    assert "870491/6250000" in " ".join(result["hypotheses"])
    assert "C4.5 itself is not run" in " ".join(result["remarks"])
