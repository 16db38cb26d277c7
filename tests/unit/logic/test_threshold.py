from fractions import Fraction

import numpy as np
import pytest

from conjunct.errors import FormulaError
from conjunct.logic import Threshold
from conjunct.logic.weighing import columns_reaching
from reference.slow_rows import SlowRows, all_rows


def test_weights_of_zero_are_dropped_and_order_does_not_matter():
    assert Threshold({"x10": 1, "x2": 3, "a": 0}, 2) == Threshold({"x2": 3, "x10": 1}, 2)
    assert Threshold({"x10": 1, "x2": 3}, 2).variables == ("x2", "x10")


def test_at_least_k_of_m_counts_ones():
    names = [f"x{i}" for i in range(1, 8)]
    for k in range(-1, 10):
        formula = Threshold.at_least(k, names)
        assert [formula.value(row) for row in all_rows(names).rows()] == [a.bit_count() >= k for a in range(128)]
    with pytest.raises(FormulaError, match="'x1' is named twice"):
        Threshold.at_least(1, ["x1", "x1"])


@pytest.mark.parametrize(
    ("text", "constant"), [("0 >= 0", True), ("0 >= 1/2", False), ("a - b >= -1", True), ("a - b >= 2", False)]
)
def test_what_every_or_no_row_reaches_is_constant(text, constant):
    formula = Threshold.parse(text)
    assert formula.constant is constant
    assert (formula.evaluate(all_rows(["a", "b"])) == constant).all()
    assert Threshold.parse("a - b >= 1").constant is None


@pytest.mark.parametrize("text", ["2*a + b - 3*c >= 2", '-1/3*"a b" + 5/7*x2 >= -22/7', "0 >= -1", '"2*a" >= 1'])
def test_texts_are_read_as_they_are_printed(text):
    assert str(Threshold.parse(text)) == text


def test_a_name_that_repeats_and_a_number_in_the_sum_are_added_up():
    assert Threshold.parse("a + 2 - b + a - 3*b >= 5") == Threshold({"a": 2, "b": -4}, 3)


@pytest.mark.parametrize(
    "text", ["", "a >", "a >= ", "a >= b", "a b >= 1", "2 a >= 1", "a + >= 1", "a >= 1 2", "* a >= 1"]
)
def test_other_texts_are_refused_with_their_place(text):
    with pytest.raises(FormulaError, match=r"\(character \d+\)"):
        Threshold.parse(text)


def test_unknown_names_are_refused_everywhere():
    formula = Threshold({"age": 1, "b": -1}, 1)
    with pytest.raises(FormulaError, match="did you mean 'age'"):
        Threshold.parse("agee >= 1", names=["age"])
    for refused in (lambda: formula.evaluate(all_rows(["age"])), lambda: formula.table(["age"])):
        with pytest.raises(FormulaError, match="no variable is called 'b'"):
            refused()
    with pytest.raises(FormulaError, match="no variable is called 'b'"):
        Threshold({"b": 1}, 5).evaluate(all_rows(["age"]))  # constant, and still refused
    with pytest.raises(FormulaError, match="no value for 'b'"):
        formula.value({"age": 1})


@pytest.mark.parametrize("weights", [{"a": "one"}, {"a": None}, {"a": float("inf")}, {1: 1}])
def test_what_is_no_weight_is_refused(weights):
    with pytest.raises(FormulaError):
        Threshold(weights, 1)


@pytest.mark.parametrize("scale", [1, 2**40, 2**61, 2**62, 2**64 + 1, 10**40, Fraction(1, 10**40)])
def test_sums_are_exact_at_every_size(scale):
    names = ["a", "b", "c", "d"]
    weights = dict(zip(names, [3 * scale, -2 * scale, scale, Fraction(scale, 2)], strict=True))
    for threshold in (scale, scale + Fraction(1, 10**50), -2 * scale, Fraction(3 * scale, 2)):
        formula = Threshold(weights, threshold)
        expected = [formula.value(row) for row in all_rows(names).rows()]
        assert formula.evaluate(all_rows(names)).tolist() == expected
        assert formula.evaluate(all_rows(names)).dtype == bool
        assert [bool(formula.table(names) >> a & 1) for a in range(16)] == expected


def test_big_sums_of_no_rows_are_empty():
    formula = Threshold({"a": 2**80, "b": -1}, 5)
    assert formula.evaluate(SlowRows([], ["a", "b"])).shape == (0,)


def test_columns_weigh_as_rows_do():
    bits = all_rows(list("abc")).bits.astype(bool)
    for weights in ([1, -2, 4], [2**70, -(2**70), 1], [2**61, 2**61, -1]):
        for threshold in (-(2**90), -2, 0, 1, 2**61, 2**70 + 1, 2**90):
            expected = Threshold(dict(zip("abc", weights, strict=True)), threshold).evaluate(all_rows(list("abc")))
            found = columns_reaching(list(bits.T), weights, threshold)
            assert found.dtype == bool
            assert np.array_equal(found, expected)


def test_a_table_of_twenty_variables_is_added_up_for_all_assignments_at_once(monkeypatch):
    names = [f"x{i}" for i in range(20)]
    formula = Threshold({name: 3**i * (-1) ** i for i, name in enumerate(names)}, 12345)
    with monkeypatch.context() as patched:
        patched.setattr(Threshold, "value", None)  # no assignment is looked at by itself
        table = formula.table(names)
    for a in range(0, 1 << 20, 9973):
        assert bool(table >> a & 1) == formula.value({name: a >> i & 1 for i, name in enumerate(names)})


def test_a_number_too_long_to_be_read_back_is_not_printed():
    with pytest.raises(FormulaError, match="4000 digits"):
        str(Threshold({"a": 10**4100}, 1))
