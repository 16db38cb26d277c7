"""Where to cut a numeric column: the gaps between neighbouring values, and a readable number inside a gap."""

from __future__ import annotations

from dataclasses import replace
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.settings import whole_number
from conjunct.tables.date_notation import date_between
from conjunct.tables.entries import LARGEST_INTEGER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.tables.column import Column

__all__ = [
    "automatic_cuts",
    "column_cuts",
    "cuts_setting",
    "date_cuts",
    "quantile_gaps",
    "readable_cut",
    "supervised_gaps",
]

BITS_UNIT = 2**20
LEAST_CUTS, MOST_CUTS, MOST_VARIABLES = 4, 16, 2048  # of cuts="auto", as measured: docs/accuracy.md
FINER_STEPS = 6  # the last is below a thousandth of the gap: only neighbouring floats have nothing between them by then


def cuts_setting(cuts: Any) -> int | str:
    """Check the ``cuts`` parameter of a Binarizer."""
    if isinstance(cuts, str) and cuts in ("auto", "all", "supervised"):
        return cuts
    return whole_number(cuts, "cuts", expected='a positive number of quantiles, "auto", "all" or "supervised"')


def automatic_cuts(n_columns: int) -> int:
    """Return how many quantiles ``cuts="auto"`` takes of each of so many columns of numbers.

    16; where more columns would make more than 2048 variables, as many as do not, but at least 4.

    Examples
    --------
    >>> automatic_cuts(30), automatic_cuts(200), automatic_cuts(784)
    (16, 10, 4)
    """
    return max(LEAST_CUTS, min(MOST_CUTS, MOST_VARIABLES // max(1, n_columns)))


def column_cuts(column: Column, cuts: int | str, labels: NDArray[np.int64] | None) -> tuple[int | float, ...]:
    """Return the cuts of a column of numbers, increasing, each between neighbouring values of the column.

    Examples
    --------
    >>> from conjunct.tables.column import Column
    >>> numbers = Column.read("x", [3, 1, 2, 7, 7])
    >>> column_cuts(numbers, 2, None), column_cuts(numbers, "all", None)
    ((2.5, 5), (1.5, 2.5, 5))
    """
    values, gaps = _column_gaps(column, cuts, labels)
    return tuple(readable_cut(float(values[gap]), float(values[gap + 1])) for gap in gaps)


def date_cuts(column: Column, cuts: int | str, labels: NDArray[np.int64] | None) -> tuple[str, ...]:
    """Return the cuts of a column of dates, increasing: those that numbers in their places would have, as dates."""
    dates, place_of = np.unique(np.asarray(column.values), return_inverse=True)
    places, gaps = _column_gaps(replace(column, values=place_of.astype(np.float64)), cuts, labels)
    return tuple(date_between(dates[int(places[gap])], dates[int(places[gap + 1])]) for gap in gaps)


def _column_gaps(
    column: Column, cuts: int | str, labels: NDArray[np.int64] | None
) -> tuple[NDArray[np.float64], list[int]]:
    """Return the different numbers of a column, increasing, and the gaps between them that are cut."""
    if cuts == "supervised" and labels is not None:
        present = ~column.is_missing
        numbers = column.numbers if column.codes is None else column.numbers[column.codes]
        values, value_of = np.unique(numbers[present], return_inverse=True)
        gaps = supervised_gaps(value_of, labels[present])
    else:
        values, counts = _counted_values(column)
        gaps = quantile_gaps(counts, len(values) if isinstance(cuts, str) else cuts)
    return values, gaps


def _counted_values(column: Column) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the different numbers of a column, increasing, and how many rows have each."""
    if column.codes is None:
        numbers = np.sort(column.numbers)
        numbers = numbers[: len(numbers) - int(np.isnan(numbers).sum())]
        is_first = np.append(True, numbers[1:] != numbers[:-1])
        starts = np.flatnonzero(is_first)
        return numbers[starts], np.diff(np.append(starts, len(numbers)))
    counts = column.n_rows_of_values()
    occurs = counts > 0
    values, place_of = np.unique(column.numbers[occurs], return_inverse=True)  # one number may be spelled in two ways
    return values, np.bincount(place_of, counts[occurs]).astype(np.int64)


def readable_cut(low: float, high: float) -> int | float:
    """Return the decimal with the fewest digits strictly between two numbers, the nearest to their middle.

    The result separates them: ``low <= cut < high``. It is ``low`` itself where no float64 lies between.

    Examples
    --------
    >>> readable_cut(3, 4), readable_cut(17.99, 20.57), readable_cut(12, 1900), readable_cut(0.1, np.nextafter(0.1, 1))
    (3.5, 20, 1000, 0.1)
    """
    # 1. Both numbers over one power of two: fractions would look for common factors at every step.
    (lower, lower_unit), (upper, upper_unit) = low.as_integer_ratio(), high.as_integer_ratio()
    unit = max(lower_unit, upper_unit)
    lower, upper = lower * (unit // lower_unit), upper * (unit // upper_unit)
    # 2. A power of ten no smaller than the gap: at most one of its multiples lies inside.
    width = upper - lower
    exponent = len(str(width // unit)) if width >= unit else 1 - len(str(unit // width))
    # 3. The multiple nearest to the middle, of smaller and smaller powers.
    for power in range(exponent, exponent - FINER_STEPS, -1):
        above, below = int(10 ** max(power, 0)), int(10 ** max(-power, 0))
        multiple = _rounded((lower + upper) * below, 2 * unit * above) * above
        if not lower * below < multiple * unit < upper * below:
            continue
        is_whole = multiple % below == 0 and abs(multiple) <= LARGEST_INTEGER * below
        number = multiple // below if is_whole else multiple / below
        if low < number < high:
            return number
    return low


def _rounded(numerator: int, denominator: int) -> int:
    """Return the whole number nearest to a ratio, of two the even one."""
    whole, rest = divmod(numerator, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2))


def quantile_gaps(counts: NDArray[np.int64], n_cuts: int) -> list[int]:
    """Return the gaps at the quantiles 1/(n_cuts + 1), ..., n_cuts/(n_cuts + 1) of a column.

    Parameters
    ----------
    counts : ndarray of int64
        How often each distinct value occurs, in the order of the values. Gap g is that between values g and g + 1.
    n_cuts : int
        How many gaps are wanted; a column with no more than that gives them all.

    Notes
    -----
    The j-th quantile of m numbers is the ceil(j m / (n_cuts + 1))-th smallest of them, and its gap the one above it;
    for the largest value, which has none above it, the last gap. Gaps met twice count once.

    Examples
    --------
    >>> quantile_gaps(np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), 4), quantile_gaps(np.array([1, 1, 98]), 1)
    ([1, 3, 5, 7], [1])
    """
    n_gaps = len(counts) - 1
    if n_gaps <= n_cuts:
        return list(range(n_gaps))
    total, ends = int(counts.sum()), np.cumsum(counts)
    ranks = [-(-place * total // (n_cuts + 1)) for place in range(1, n_cuts + 1)]
    return sorted({min(int(value), n_gaps - 1) for value in np.searchsorted(ends, ranks, side="left")})


def supervised_gaps(value_of: NDArray[np.int64], label_of: NDArray[np.int64]) -> list[int]:
    """Return the gaps that tell the labels apart: recursive splits of least entropy, stopped by description length.

    Parameters
    ----------
    value_of, label_of : ndarray of int64
        For every row the number of its value among the distinct ones, in order, and the number of its label.

    Notes
    -----
    The rule of [fayyad1993]. A part S of N rows with k labels is split into S1 and S2 where
    N1 H(S1) + N2 H(S2) is least (in a tie at the lowest gap), and the split is kept if and only if

        N H(S) - N1 H(S1) - N2 H(S2) > log2(N - 1) + log2(3**k - 2) - k H(S) + k1 H(S1) + k2 H(S2).

    Every c log2(c) is rounded to a whole number of 2**-20 bits, so that sums and ties do not depend on the order of
    addition.

    Examples
    --------
    >>> supervised_gaps(np.arange(12), np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]))
    [3]
    """
    if not len(value_of):
        return []
    n_values, n_labels = int(value_of.max()) + 1, int(label_of.max()) + 1
    require_memory(48 * n_values * n_labels, "the table of counts per value and label", "use fewer labels, or cuts=4")
    counts = np.bincount(value_of * n_labels + label_of, minlength=n_values * n_labels).reshape(n_values, n_labels)
    n_log_n = np.array([0, *(round(n * log2(n) * BITS_UNIT) for n in range(1, len(value_of) + 1))], np.int64)
    accepted, parts = [], [(0, n_values)]
    while parts:
        start, end = parts.pop()
        gap = _accepted_split(counts[start:end], n_log_n)
        if gap is not None:
            accepted.append(start + gap)
            parts += [(start, start + gap + 1), (start + gap + 1, end)]
    return sorted(accepted)


def _accepted_split(counts: NDArray[np.int64], n_log_n: NDArray[np.int64]) -> int | None:
    """Return the gap of least entropy of one part, or None where splitting it does not pay."""
    if len(counts) < 2:
        return None
    left = np.cumsum(counts, axis=0)
    whole = left[-1]
    left = left[:-1]
    right = whole - left
    entropy_left, entropy_right = _entropy(left, n_log_n), _entropy(right, n_log_n)
    gap = int(np.argmin(entropy_left + entropy_right))
    n_rows = int(whole.sum())
    before, after = int(_entropy(whole[None], n_log_n)[0]), int(entropy_left[gap] + entropy_right[gap])
    parts = ((whole, before), (left[gap], int(entropy_left[gap])), (right[gap], int(entropy_right[gap])))
    mean, mean_left, mean_right = (
        int(np.count_nonzero(part)) * entropy / (int(part.sum()) * BITS_UNIT) for part, entropy in parts
    )
    n_labels = int(np.count_nonzero(whole))
    price = log2(n_rows - 1) + log2(3**n_labels - 2) - mean + mean_left + mean_right
    return gap if (before - after) / BITS_UNIT > price else None


def _entropy(counts: NDArray[np.int64], n_log_n: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return N H of every row of label counts, in units of 2**-20 bits."""
    entropy: NDArray[np.int64] = n_log_n[counts.sum(axis=1)] - n_log_n[counts].sum(axis=1)
    return entropy
