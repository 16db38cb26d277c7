from __future__ import annotations

from fractions import Fraction

import pytest

from conjunct.errors import SettingError
from conjunct.theory import (
    margin_error_bound,
    margin_step_limit,
    margin_stop_ratio,
    margin_value,
    margin_value_floor,
    perceptron_error_bound,
    perceptron_update_limit,
    perceptron_value,
    perceptron_value_floor,
)


def test_each_bound_is_its_formula():
    assert perceptron_update_limit(radius_sq=5, lam=2, n_rows=8, margin_sq="1/4") == Fraction(7) / Fraction(1, 2)
    assert perceptron_update_limit(radius_sq=5, lam=2, n_rows=8) == 28
    assert perceptron_value(n_updates=6, form="9/2") == 8
    assert perceptron_value_floor(n_updates=6, radius_sq=5, lam=2) == Fraction(6, 7)
    limit = margin_step_limit(radius_sq=5, least_sq=3, lam=2, n_rows=8, eps="1/2", margin_sq="1/4")
    assert limit == 28 * (2 - Fraction(1, 5))
    assert margin_value(form="2/9") == Fraction(9, 2)
    floor_ = margin_value_floor(n_steps=4, radius_sq=5, least_sq=3, lam=2, eps="1/2")
    assert floor_ == Fraction(1, 5) + Fraction(1, 7)
    assert margin_stop_ratio(eps="1/3") == Fraction(4, 9)
    for bound in (perceptron_error_bound, margin_error_bound):
        assert bound(value="9/2", norm_sq=3, lam=2) == Fraction(3, 4)
        assert bound(value=1, norm_sq=3, lam=2) == -1  # says nothing, and is not hidden


def test_every_way_to_write_a_number_means_the_same():
    for lam in (Fraction(1, 10), "1/10", "0.1", 0.1):
        assert perceptron_value_floor(n_updates=11, radius_sq=1, lam=lam) == 10
        assert margin_error_bound(value=41, norm_sq=1, lam=lam) == 1
    for eps in (Fraction(1, 10), "1/10", 0.1):
        assert margin_stop_ratio(eps=eps) == Fraction(81, 100)


def test_the_limits_do_not_need_lam_where_there_is_a_margin():
    assert perceptron_update_limit(radius_sq=1, lam=0, n_rows=5, margin_sq="1/5") == 5
    assert margin_step_limit(radius_sq=1, least_sq=1, lam=0, n_rows=5, eps="1/2", margin_sq="1/5") == 16
    assert margin_value_floor(n_steps=0, radius_sq=2, least_sq=1, lam=0, eps="1/2") == 1


def test_a_run_without_updates_proves_nothing():
    assert perceptron_value(n_updates=0, form=1) == perceptron_value_floor(n_updates=0, radius_sq=1, lam=0) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: perceptron_update_limit(radius_sq=1, lam=0, n_rows=5), "lam=0, margin_sq=0: expected one"),
        (lambda: perceptron_update_limit(radius_sq=1, lam=-1, n_rows=5), "lam=-1: expected 0 or more"),
        (lambda: perceptron_update_limit(radius_sq=1, lam=1, n_rows=0), "n_rows=0: expected 1"),
        (lambda: perceptron_update_limit(radius_sq=1, lam=1, n_rows=5, margin_sq=2), "margin_sq=2, radius_sq=1"),
        (lambda: perceptron_update_limit(radius_sq=1, lam=1, n_rows=5, margin_sq=-1), "margin_sq=-1, radius_sq=1"),
        (lambda: perceptron_update_limit(radius_sq=1, lam="x", n_rows=5), "lam='x'"),
        (lambda: perceptron_value(n_updates=-1, form=1), "n_updates=-1"),
        (lambda: perceptron_value(n_updates=1, form=0), "form=0: expected a positive"),
        (lambda: perceptron_value_floor(n_updates=-1, radius_sq=1, lam=1), "n_updates=-1"),
        (lambda: perceptron_value_floor(n_updates=1, radius_sq=0, lam=0), "not both 0"),
        (lambda: perceptron_value_floor(n_updates=1, radius_sq=5, lam=-1), "lam=-1"),
        (
            lambda: margin_step_limit(radius_sq=1, least_sq=2, lam=1, n_rows=5, eps="1/2"),
            "least_sq=2, radius_sq=1: expected least_sq <= radius_sq",
        ),
        (
            lambda: margin_step_limit(radius_sq=3, least_sq=2, lam=1, n_rows=5, eps="1/2", margin_sq=3),
            "margin_sq=3, least_sq=2",
        ),
        (lambda: margin_step_limit(radius_sq=2, least_sq=2, lam=0, n_rows=5, eps="1/2"), "lam=0, margin_sq=0"),
        (lambda: margin_step_limit(radius_sq=2, least_sq=2, lam=1, n_rows=5, eps=1), "eps=1: expected"),
        (lambda: margin_value(form=-1), "form=-1: expected a positive"),
        (lambda: margin_value_floor(n_steps=-1, radius_sq=1, least_sq=1, lam=1, eps="1/2"), "n_steps=-1"),
        (lambda: margin_value_floor(n_steps=1, radius_sq=1, least_sq=2, lam=1, eps="1/2"), "least_sq=2"),
        (lambda: margin_value_floor(n_steps=1, radius_sq=1, least_sq=0, lam=0, eps="1/2"), "least_sq=0"),
        (lambda: margin_value_floor(n_steps=1, radius_sq=1, least_sq=1, lam=1, eps=0), "eps=0: expected"),
        (lambda: margin_stop_ratio(eps="3/2"), "eps='3/2': expected a number between 0 and 1"),
        (lambda: perceptron_error_bound(value=1, norm_sq=1, lam=0), "lam=0: expected a positive"),
        (lambda: margin_error_bound(value=1, norm_sq=-1, lam=1), "norm_sq=-1: expected a square"),
    ],
)
def test_numbers_that_no_theorem_covers_are_refused_in_one_line(call, message):
    with pytest.raises(SettingError) as refusal:
        call()
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)
