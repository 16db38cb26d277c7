from __future__ import annotations

from fractions import Fraction

import pytest

from conjunct.cli.outcomes import outcome_lines, ratio_text, short


@pytest.mark.parametrize("value", [Fraction(0), Fraction(7), Fraction(-2, 3), Fraction(1, 2**900), Fraction(3**700, 2)])
def test_a_ratio_is_read_back_as_it_was(value: Fraction) -> None:
    assert Fraction(ratio_text(value)) == value


def test_a_ratio_longer_than_python_prints_is_spelled() -> None:
    assert ratio_text(Fraction(10**6000, 3)) == "1" + 6000 * "0" + "/3"


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        ("0", "0"),
        ("65", "65"),
        ("400000", "400000"),
        ("1234567", "1.23457e+6"),
        ("2/3", "0.666667"),
        ("1/8192", "0.00012207"),
        ("1/81920", "1.2207e-5"),
        ("1" + 500 * "0" + "/3", "3.33333e+499"),
    ],
)
def test_six_digits_of_a_ratio(ratio: str, expected: str) -> None:
    assert short(ratio) == expected


def test_the_lines_of_mistake_driven_learners() -> None:
    result = {"stopped_by": "consistent", "passes": 3, "training_accuracy": 1.0}
    expected = "Learning on all rows ended without a mistake after 3 passes; 100.00 % of them are right."
    assert outcome_lines(result) == [expected]
    line = outcome_lines(result | {"stopped_by": "max_passes"})[0]
    assert line.startswith("Learning on all rows ended at the pass limit after 3 passes; ")


def test_columns_keep_their_places_under_long_labels_without_control_characters() -> None:
    output = {"bound": "1/3", "risk": "1", "gap": 2 / 3, "support_rows": 5, "iterations": 2, "stopped_by": "precision"}
    outputs = [output | {"label": "a\x1b label that is long"}, output | {"label": 7}]
    result = {"training_accuracy": 0.5, "lam": "7/2", "solver": "margin", "outputs": outputs}
    first, *lines = outcome_lines(result)
    assert (
        first == "Learning on all rows, lam 3.5: 50.00 % of them are right. No polynomial has a risk below the bound."
    )
    assert len({line.rindex("  ") for line in lines}) == 1
    assert all(line.isprintable() for line in lines)
    assert lines[2].split() == ["7", "0.333333", "1", "0.67", "5", "2", "precision", "of", "floats"]
