"""C4.5: splits and estimates by hand, and what pruning does."""

from __future__ import annotations

from math import comb, log2

import numpy as np
import pytest

from conjunct.lab.c45 import best_test, c45_tree, gain_and_ratio, pessimistic_rate

NAMES = ["a", "b", "c"]


def table(*lines: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and signs from lines of digits, a sign and how many such rows there are: ``010 + 3``."""
    rows, signs = [], []
    for bits, sign, count in (line.split() for line in lines):
        rows += [[int(bit) for bit in bits]] * int(count)
        signs += [1 if sign == "+" else -1] * int(count)
    return np.array(rows, np.uint8), np.array(signs)


def test_gain_and_ratio_are_those_of_the_entropies() -> None:
    gain, ratio = gain_and_ratio((3, 1), (1, 3))
    quarter = -(log2(1 / 4) / 4 + log2(3 / 4) * 3 / 4)
    assert (gain, ratio) == pytest.approx((1 - quarter, 1 - quarter))
    gain, ratio = gain_and_ratio((2, 0), (2, 4))  # 8 rows, a quarter of them on one side
    third = -(log2(1 / 3) / 3 + log2(2 / 3) * 2 / 3)
    assert gain == pytest.approx(1 - third * 6 / 8)
    assert ratio == pytest.approx(gain / quarter)


def test_a_test_of_less_than_the_mean_gain_is_not_taken_however_good_its_ratio() -> None:
    rows, signs = table("10 + 9", "10 - 3", "11 + 2", "00 - 9", "00 + 5")
    gains = [gain_and_ratio((11, 3), (5, 9)), gain_and_ratio((2, 0), (14, 12))]
    assert gains[1][1] > gains[0][1]
    assert gains[1][0] < sum(gain for gain, _ in gains) / 2
    assert best_test(rows, signs > 0) == 0


def test_of_equal_tests_the_first_is_taken_and_of_a_single_row_none() -> None:
    rows, signs = table("11 + 3", "00 - 3")
    assert best_test(rows, signs > 0) == 0
    rows, signs = table("1 + 1", "0 - 5")
    assert best_test(rows, signs > 0) is None
    rows, signs = table("11 + 2", "10 - 2", "01 - 2", "00 + 2")  # parity: no test gains
    assert best_test(rows, signs > 0) is None


@pytest.mark.parametrize(("n_errors", "n_rows"), [(0, 1), (0, 6), (1, 16), (3, 10), (9, 10), (40, 500)])
def test_at_the_pessimistic_rate_so_few_errors_have_the_probability_of_the_confidence(
    n_errors: int, n_rows: int
) -> None:
    rate = pessimistic_rate(n_errors, n_rows, 0.25)
    tail = sum(comb(n_rows, k) * rate**k * (1 - rate) ** (n_rows - k) for k in range(n_errors + 1))
    assert tail == pytest.approx(0.25)
    assert rate > n_errors / n_rows


def test_without_errors_the_rate_has_a_closed_form_and_with_nothing_right_it_is_1() -> None:
    assert pessimistic_rate(0, 6, 0.25) == pytest.approx(1 - 0.25 ** (1 / 6))
    assert pessimistic_rate(4, 4, 0.25) == 1


def test_a_split_that_helps_too_few_rows_is_pruned() -> None:
    # One leaf: 16 U(1, 16) = 2.51 errors. Split: 2 U(1, 2) + 14 U(0, 14) = 1.73 + 1.32 = 3.05.
    rows, signs = table("1 - 1", "1 + 1", "0 + 14")
    assert str(c45_tree(rows, signs, 1, ["a"], None)) == "a ? 0 : 1"
    assert str(c45_tree(rows, signs, 1, ["a"])) == "1"
    leaf = 16 * pessimistic_rate(1, 16, 0.25)
    assert leaf < 2 * pessimistic_rate(1, 2, 0.25) + 14 * pessimistic_rate(0, 14, 0.25)


def test_a_split_that_parts_the_labels_is_kept_and_depth_0_is_one_leaf() -> None:
    rows, signs = table("1 - 8", "0 + 9")
    assert str(c45_tree(rows, signs, 1, ["a"])) == "a ? 0 : 1"
    assert str(c45_tree(rows, signs, 0, ["a"])) == "1"


def test_the_depth_is_kept_and_more_depth_finds_the_rest() -> None:
    rows, signs = table(
        *(f"{a}{b}{c} {'+' if a and (b or c) else '-'} 5" for a in (0, 1) for b in (0, 1) for c in (0, 1))
    )
    assert [c45_tree(rows, signs, depth, NAMES, None).depth for depth in (1, 2, 3)] == [1, 2, 3]
    assert str(c45_tree(rows, signs, 3, NAMES)) == "a ? (b ? 1 : (c ? 1 : 0)) : 0"
