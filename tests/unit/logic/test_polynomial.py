from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from conjunct.errors import FormulaError
from conjunct.logic import DNF, Literal, Polynomial, Term

A, B = Literal("a"), Literal("b")


def test_zero_coefficients_and_contradictory_terms_are_dropped_and_the_rest_is_in_order():
    polynomial = Polynomial({Term([B]): 1, Term([A, B]): 0, Term([A, ~A]): 5, Term(): 2, Term([~A]): -1})
    assert polynomial.coefficients == ((Term(), 2), (Term([~A]), -1), (Term([B]), 1))
    assert all(type(number) is Fraction for _, number in polynomial.coefficients)
    assert (polynomial.variables, polynomial.degree) == (("a", "b"), 1)
    assert (Polynomial().variables, Polynomial().degree, Polynomial().norm_sq()) == ((), 0, 0)


def test_equal_coefficients_make_equal_polynomials_with_equal_hashes():
    first, second = Polynomial({Term(): 1, Term([A]): 0.5}), Polynomial({Term([A]): Fraction(1, 2), Term(): 1})
    assert first == second
    assert hash(first) == hash(second)
    assert first != Polynomial({Term(): Fraction(3, 2), Term([~A]): Fraction(-1, 2)})


@pytest.mark.parametrize("number", [3, 3.0, Fraction(6, 2), Decimal(3), np.int8(3), np.float64(3)])
def test_every_kind_of_number_is_taken_as_the_fraction_that_it_is(number):
    polynomial = Polynomial({Term([A]): number})
    assert polynomial == Polynomial({Term([A]): 3})
    assert number * Polynomial({Term([A]): 1}) == Polynomial({Term([A]): 1}) * number == polynomial


@pytest.mark.parametrize("tenth", [0.1, "1/10", "0.1", Decimal("0.1"), np.float32(0.1), np.float16(0.1)])
def test_a_float_counts_as_the_decimal_that_it_prints(tenth):
    polynomial = Polynomial({Term(): tenth, Term([A]): 1})
    assert polynomial.value({"a": 0}) == Fraction(1, 10)
    assert polynomial.norm_sq([1, tenth]) == Fraction(1, 100) + Fraction(1, 10)
    if isinstance(tenth, float | Decimal):
        assert (tenth * polynomial).value({"a": 0}) == Fraction(1, 100)


@pytest.mark.parametrize(
    ("coefficients", "text"),
    [
        ({}, "0"),
        ({Term(): -1}, "-1"),
        ({Term([A]): -1, Term([~B]): 1}, "-a + ~b"),
        ({Term(): Fraction(-1, 2), Term([A, ~B]): -1, Term([A]): Fraction(3, 2)}, "-1/2 + 3/2*a - (a & ~b)"),
        ({Term([Literal("a b")]): -2}, '-2*"a b"'),
    ],
)
def test_printing_shows_signs_once(coefficients, text):
    assert str(Polynomial(coefficients)) == text


def test_the_norm_weighs_squares_by_the_costs_of_the_sizes():
    polynomial = Polynomial({Term(): 3, Term([A]): Fraction(1, 2), Term([A, B]): -1})
    assert polynomial.norm_sq() == 9 + Fraction(1, 4) + 1
    assert polynomial.norm_sq([1, Fraction(1, 2), 0.25]) == 9 + Fraction(1, 8) + Fraction(1, 4)
    assert polynomial.norm_sq([1, 1, 1, 7]) == polynomial.norm_sq()


def test_the_norm_of_a_dnf_is_that_of_the_theory():
    costs = [5, 7, 11]
    assert DNF.parse("a | b & c").polynomial().norm_sq(costs) == 5 + 4 * (7 + 11)
    assert DNF.parse("1 | a").polynomial().norm_sq(costs) == 5 + 4 * 7


def test_a_missing_value_is_refused_even_where_it_does_not_matter():
    with pytest.raises(FormulaError, match=r"^the row has no value for 'b'$"):
        Polynomial({Term([A, B]): 1}).value({"a": 0})


@pytest.mark.parametrize("number", [float("nan"), float("inf"), Decimal("NaN"), "one", None, 1j])
def test_what_is_no_finite_number_is_refused(number):
    with pytest.raises(FormulaError, match=r"^the coefficient of a & b is .*; expected a finite int, Fraction"):
        Polynomial({Term([A, B]): number})


def test_a_factor_that_is_no_number_is_refused():
    with pytest.raises(TypeError):
        Polynomial() * "2"
    with pytest.raises(FormulaError, match=r"^the factor is nan; expected a finite"):
        Polynomial() * float("nan")


@pytest.mark.parametrize("combine", [lambda p: p + 1, lambda p: p - 1])
def test_a_number_is_no_polynomial(combine):
    with pytest.raises(TypeError):
        combine(Polynomial())


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([1, 1], r"^there are 2 costs and a term of 2 literals; give 3, K_0 first$"),
        ([1, 0, 1], r"^the cost of 1 literals is 0; costs must be positive$"),
        ([1, "x", 1], r"^the cost of 1 literals is 'x'; expected a finite"),
    ],
)
def test_costs_must_be_positive_and_reach_the_largest_term(costs, message):
    with pytest.raises(FormulaError, match=message):
        Polynomial({Term([A, B]): 1}).norm_sq(costs)


def test_polynomials_are_made_of_terms():
    with pytest.raises(FormulaError, match=r"^a polynomial is made of terms, got 'a'$"):
        Polynomial({"a": 1})


@pytest.mark.parametrize(
    ("polynomial", "message"),
    [
        (Polynomial(), r"^the constant is 0; the polynomial of a DNF has -1, or 1 with the empty term$"),
        (Polynomial({Term(): 3}), r"^the constant is 3;"),
        (Polynomial({Term(): -1, Term([A]): 1}), r"^the coefficient of a is 1; those of a DNF's terms are 2$"),
    ],
)
def test_a_polynomial_of_no_dnf_is_refused_with_the_reason(polynomial, message):
    with pytest.raises(FormulaError, match=message):
        DNF.from_polynomial(polynomial)
