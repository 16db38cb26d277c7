from __future__ import annotations

from fractions import Fraction
from math import log2, nextafter

import numpy as np
import pytest

from conjunct import Binarizer
from conjunct.errors import BitsError, SettingError
from conjunct.tables.cuts import automatic_cuts, quantile_gaps, readable_cut, supervised_gaps


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        (3, 4, 3.5),
        (0.14, 0.15, 0.145),
        (-3, 4.5, 0),
        (-0.25, -0.05, -0.2),
        (1234567, 9876543, 6000000),
        (99.9, 100.1, 100),
        (1e300, 2e300, 1.5e300),
        (-1.7e308, 1.7e308, 0),
        (0.0, 5e-324, 0.0),
        (5e-324, 1e-323, 5e-324),
        (2.0**53, 2.0**53 + 2, 9007199254740992.0),
        (2.0**60, 2.0**60 + 256, 2.0**60),
    ],
)
def test_a_cut_is_the_shortest_decimal_inside_its_gap(low: float, high: float, cut: float) -> None:
    found = readable_cut(low, high)
    assert repr(found) == repr(cut)
    assert low <= found < high


def test_a_cut_separates_neighbours_however_close() -> None:
    generator = np.random.default_rng(5)
    for low in (generator.normal(size=300) * 10.0 ** generator.integers(-300, 300, 300)).tolist():
        for high in (nextafter(low, float("inf")), low + abs(low) * 1e-9, low + abs(low)):
            cut = readable_cut(low, high)
            assert Fraction(low) <= Fraction(cut) < Fraction(high)
            assert type(cut)(repr(cut)) == cut


def test_quantiles_are_order_statistics_and_small_columns_give_all_gaps() -> None:
    assert Binarizer(cuts=4).fit(np.arange(1, 11)[:, None]).columns_[0].cuts == (2.5, 4.5, 6.5, 8.5)
    assert Binarizer(cuts=2).fit(np.arange(1, 8)[:, None]).columns_[0].cuts == (3.5, 5.5)
    assert Binarizer(cuts=5).fit([[1], [2], [9], [9]]).columns_[0].cuts == (1.5, 6)
    assert Binarizer(cuts="all").fit(np.arange(1, 10)[:, None]).columns_[0].cuts == tuple(k + 0.5 for k in range(1, 9))


def test_automatic_cuts_are_sixteen_quantiles_and_fewer_of_many_columns() -> None:
    rows = np.random.RandomState(0).permutation(100 * 300).reshape(100, 300)
    for n_columns, n_cuts in ((1, 16), (128, 16), (129, 15), (200, 10), (300, 6)):
        table = rows[:, :n_columns]
        assert Binarizer().fit(table).columns_ == Binarizer(cuts=n_cuts).fit(table).columns_
    assert (automatic_cuts(0), automatic_cuts(10_000)) == (16, 4)


def test_columns_that_are_not_cut_do_not_count_for_automatic_cuts() -> None:
    numbers = np.arange(40)
    table = {"a": numbers, **{f"text {place}": ["u", "v"] * 20 for place in range(300)}}
    assert len(Binarizer().fit(table).columns_[0].cuts) == 16


def test_a_column_that_is_mostly_its_largest_value_still_gets_a_cut() -> None:
    assert quantile_gaps(np.array([1, 1, 1, 97]), 1) == [2]
    assert quantile_gaps(np.array([97, 1, 1, 1]), 2) == [0]


def entropy(labels: list[int]) -> float:
    counts = [labels.count(label) for label in set(labels)]
    return -sum(count / len(labels) * log2(count / len(labels)) for count in counts)


def slow_supervised(values: list[int], labels: list[int]) -> list[int]:
    """The rule as it is printed, in floats, on lists."""
    splits = []
    for cut in sorted(set(values))[:-1]:
        left = [label for value, label in zip(values, labels, strict=True) if value <= cut]
        right = [label for value, label in zip(values, labels, strict=True) if value > cut]
        rest = (len(left) * entropy(left) + len(right) * entropy(right)) / len(labels)
        splits.append((round(rest, 9), cut, left, right))
    if not splits:
        return []
    rest, cut, left, right = min(splits, key=lambda split: split[:2])
    kinds = [len(set(part)) for part in (labels, left, right)]
    parts = kinds[0] * entropy(labels) - kinds[1] * entropy(left) - kinds[2] * entropy(right)
    if entropy(labels) - rest <= (log2(len(labels) - 1) + log2(3 ** kinds[0] - 2) - parts) / len(labels):
        return []
    below = [value for value in values if value <= cut]
    above = [value for value in values if value > cut]
    order = [place for place, value in enumerate(values) if value <= cut]
    others = [place for place, value in enumerate(values) if value > cut]
    return [
        *slow_supervised(below, [labels[place] for place in order]),
        cut,
        *slow_supervised(above, [labels[place] for place in others]),
    ]


def test_supervised_cuts_follow_the_printed_rule() -> None:
    generator = np.random.default_rng(11)
    n_cuts = 0
    for _ in range(150):
        values = generator.integers(0, 12, 60)
        labels = (values // generator.integers(2, 6) + (generator.random(60) < 0.1)) % generator.integers(2, 5)
        distinct, value_of = np.unique(values, return_inverse=True)
        expected = slow_supervised(values.tolist(), labels.tolist())
        assert distinct[supervised_gaps(value_of, labels)].tolist() == expected
        n_cuts += len(expected)
    assert n_cuts > 100


def test_supervised_cuts_need_labels_and_may_leave_a_column_without_variables() -> None:
    numbers = np.arange(40.0)
    table = np.column_stack([numbers, (numbers * 7) % 11])
    binarizer = Binarizer(cuts="supervised").fit(table, numbers > 25)
    assert binarizer.get_feature_names_out().tolist() == ["x1<=25.5"]
    assert binarizer.columns_without_variables_ == ("x2",)
    assert binarizer.transform(table)[:, 0].tolist() == (numbers <= 25).tolist()
    with pytest.raises(BitsError, match=r"gives no variable"):
        Binarizer(cuts="supervised").fit(table[:, 1:], numbers > 25)
    with pytest.raises(SettingError, match=r'^cuts="supervised" requires y'):
        Binarizer(cuts="supervised").fit(table)
    with pytest.raises(BitsError, match=r"^40 rows need as many labels, got 3"):
        Binarizer(cuts="supervised").fit(table, [0, 1, 0])


def test_supervised_cuts_ignore_the_labels_of_missing_cells() -> None:
    numbers = np.arange(40.0)
    holes = np.where(np.arange(80) % 2 == 0, np.repeat(numbers, 2), np.nan)
    labels = np.where(np.isnan(holes), 0, np.repeat(numbers, 2) > 25).astype(int)
    cuts = Binarizer(cuts="supervised").fit(holes[:, None], labels).columns_[0].cuts
    assert cuts == (25.5,)


def test_a_cut_lies_between_the_largest_floats_too():
    low, high = 1.55e308, 1.79e308  # the nearest multiple of 1e308 is past them
    assert low < readable_cut(low, high) < high
