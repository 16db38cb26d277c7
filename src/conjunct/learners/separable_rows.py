"""Whether two labels can be told apart by a linear threshold, proven either way."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from conjunct.errors import BitsError, SettingError
from conjunct.learners.separability import decide_separability
from conjunct.learners.separation import Separation, table_rows
from conjunct.logic.spelling import spelled
from conjunct.messages import shortened
from conjunct.settings import whole_number
from conjunct.tables.classes import class_numbers

__all__ = ["separable"]


def separable(X: Any, y: Any, max_size: int = 1, *, max_pivots: int = 100_000) -> Separation:
    """Decide whether a linear threshold separates two labels, with whole numbers that prove the answer.

    Parameters
    ----------
    X : array, sparse matrix, data frame, lists, digit strings or BitMatrix of zeros and ones
    y : array-like
        One label per row, of two kinds; the positive one is the second in order.
    max_size : int, default 1
        Weigh the conjunctions of 1 to so many variables. Negated literals would add nothing: ``~x1 & x2`` is
        ``x2 - (x1 & x2)``, so every weighted sum of conjunctions of up to so many literals is one of these and a
        constant, which the threshold takes up.
    max_pivots : int, default 100,000
        Raise it if an answer is undecided for this reason; lower it to be told sooner. 10,000 rows of 200 variables
        take some thousand pivots and some seconds; more than a thousand features can take many minutes.

    Returns
    -------
    Separation
        ``is_separable`` is true with ``weights`` and ``threshold``, false with ``multipliers``, or None with a
        ``reason``.

    Notes
    -----
    Either there are whole w, theta with w . x >= theta on positive rows and w . x <= theta - 1 on negative ones, or
    there are whole a_i >= 0, not all 0, with sum a_i y_i x_i = 0 and sum a_i y_i = 0, and never both [gordan1873]. A
    linear program in floats proposes; what is returned was found and checked in whole numbers. `Separation.verify`
    checks it again. Ctrl-C ends the work, within seconds where there are hundreds of features.

    Examples
    --------
    >>> rows = ["00", "01", "10", "11"]
    >>> xor = separable(rows, [0, 1, 1, 0])
    >>> print(xor)
    not separable: rows 0, 1, 2, 3 cancel under multipliers 1, 1, 1, 1
    >>> xor.is_separable, xor.multipliers, xor.verify(rows, [0, 1, 1, 0])
    (False, (1, 1, 1, 1), True)
    >>> print(separable(rows, [0, 1, 1, 0], max_size=2))
    separable: x1 + x2 - 2*(x1 & x2) >= 1 iff the label is 1

    At least 3 of 7, on all 128 rows:

    >>> rows = [f"{number:07b}" for number in range(128)]
    >>> print(separable(rows, ["yes" if row.count("1") >= 3 else "no" for row in rows]))
    separable: x1 + x2 + x3 + x4 + x5 + x6 + x7 >= 3 iff the label is 'yes'
    """
    rows = table_rows(X)
    n_variables = rows.n_variables
    max_size = whole_number(
        max_size, "max_size", most=n_variables, expected=f"1 to {n_variables}, the number of variables"
    )
    max_pivots = whole_number(max_pivots, "max_pivots")
    if y is None:
        raise SettingError("separable requires y to be passed, but the labels y are None")
    classes, codes = class_numbers(y, rows.n_rows)
    labels = tuple(classes.tolist())
    if len(labels) == 1:
        raise BitsError(f"the labels hold one class only, {shortened(labels[0])}; two are needed")
    if len(labels) > 2:
        raise BitsError(
            f"the labels hold {len(labels)} classes, {', '.join(repr(label) for label in labels[:5])}"
            f"{', ...' if len(labels) > 5 else ''}; two are needed. Compare one with the rest: separable(X, y == label)"
        )
    evidence = decide_separability(rows, 2 * codes - 1, max_size=max_size, max_pivots=max_pivots)
    return Separation(
        is_separable=None if evidence.reason else evidence.weights is not None,
        features=tuple(
            " & ".join(map(spelled, names))
            for size in range(1, max_size + 1)
            for names in combinations(rows.names, size)
        ),
        labels=(labels[0], labels[1]),
        max_size=max_size,
        weights=evidence.weights,
        threshold=evidence.threshold,
        multipliers=evidence.multipliers,
        reason=evidence.reason,
    )
