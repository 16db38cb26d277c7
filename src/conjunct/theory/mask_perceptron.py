"""The mask perceptron by definition: every conjunction weighed, every fit exact."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from conjunct.theory.heaviest_conjunctions import Conjunction, conjunction_weights, heaviest_conjunctions

__all__ = ["least_squared_hinge", "mask_perceptron", "squared_hinge_risk"]


def mask_perceptron(
    rows: Sequence[Sequence[int]],
    labels: Sequence[int],
    lam: Fraction,
    *,
    max_size: int | None = None,
    max_terms: int,
    min_gain: Fraction = Fraction(0),
    positive: bool = False,
) -> tuple[list[Conjunction], list[Fraction], list[Fraction]]:
    """Return the conjunctions of the mask perceptron, R+ after each was added, and their coefficients in the end.

    Parameters
    ----------
    rows : sequence of sequences of 0 and 1
    labels : sequence of -1 and 1
    lam : Fraction
    max_size : int or None
        The most literals; None for any number.
    max_terms : int
        The most conjunctions, the constant among them.
    min_gain : Fraction
        What a conjunction takes from R+ at least.
    positive : bool
        Whether literals are positive only.

    Notes
    -----
    It begins with the constant, adds the conjunction T of largest |sum_i r_i x_i^T|, r_i = y_i [1 - y_i f(x_i)]_+, and
    minimises R+ = |c|^2 + (1/lam) sum_i [1 - y_i f(x_i)]_+^2 anew; in the end it drops what costs less than `min_gain`.
    Of conjunctions that hold on the same rows the first counts. Source: [kowalczyk2002, Table 1].

    Examples
    --------
    >>> rows, labels = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> conjunctions, risks, coefficients = mask_perceptron(rows, labels, Fraction(1), max_terms=2)
    >>> conjunctions, [str(risk) for risk in risks], [str(c) for c in coefficients]
    ([(), (1, 3)], ['16/5', '19/9'], ['-5/9', '7/9'])
    """
    conjunctions: list[Conjunction] = [()]
    coefficients = least_squared_hinge(values_on(rows, conjunctions), labels, lam)
    risks = [squared_hinge_risk(values_on(rows, conjunctions), labels, lam, coefficients)]
    while len(conjunctions) < max_terms:
        scores = [sum(c * x for c, x in zip(coefficients, row, strict=True)) for row in values_on(rows, conjunctions)]
        residuals = [y * max(Fraction(0), 1 - y * f) for y, f in zip(labels, scores, strict=True)]
        weights = conjunction_weights(rows, residuals, max_size, positive=positive)
        chosen_sets = {tuple(held) for held in zip(*values_on(rows, conjunctions), strict=True)}
        new = [
            conjunction
            for conjunction, _ in heaviest_conjunctions(weights)
            if tuple(row[0] for row in values_on(rows, [conjunction])) not in chosen_sets
        ]
        if not new:
            break
        columns = values_on(rows, [*conjunctions, new[0]])
        better = least_squared_hinge(columns, labels, lam)
        risk = squared_hinge_risk(columns, labels, lam, better)
        if risks[-1] - risk <= 0 or risks[-1] - risk < min_gain:
            break
        conjunctions.append(new[0])
        risks.append(risk)
        coefficients = better
    risk = risks[-1]
    while len(conjunctions) > 1:
        fits = []
        for place in range(1, len(conjunctions)):
            left = conjunctions[:place] + conjunctions[place + 1 :]
            columns = values_on(rows, left)
            fitted = least_squared_hinge(columns, labels, lam)
            fits.append((squared_hinge_risk(columns, labels, lam, fitted), place, left, fitted))
        cheapest = min(fits, key=lambda fit: fit[:2])
        if cheapest[0] - risk >= min_gain:
            break
        risk, _, conjunctions, coefficients = cheapest
    return conjunctions, risks, coefficients


def values_on(rows: Sequence[Sequence[int]], conjunctions: Sequence[Conjunction]) -> list[list[int]]:
    """Return 1 where a conjunction holds on a row."""
    return [[int(all(row[lit // 2] == lit % 2 for lit in conjunction)) for conjunction in conjunctions] for row in rows]


def squared_hinge_risk(
    columns: Sequence[Sequence[int]], labels: Sequence[int], lam: Fraction, coefficients: Sequence[Fraction]
) -> Fraction:
    """Return R+ = |c|^2 + (1/lam) sum_i [1 - y_i f_i]_+^2 of f = columns c.

    Examples
    --------
    >>> squared_hinge_risk([[1], [1]], [1, -1], Fraction(2), [Fraction(1, 2)])
    Fraction(3, 2)
    """
    total = sum((c * c for c in coefficients), Fraction(0))
    for row, y in zip(columns, labels, strict=True):
        total += max(Fraction(0), 1 - y * sum(c * x for c, x in zip(coefficients, row, strict=True))) ** 2 / lam
    return total


def least_squared_hinge(columns: Sequence[Sequence[int]], labels: Sequence[int], lam: Fraction) -> list[Fraction]:
    """Return the coefficients of least R+, exactly.

    Notes
    -----
    R+ is strictly convex, and quadratic wherever the same rows fall short of their labels. Newton's steps, halved until
    R+ falls, end at a minimum of their own piece, which is the minimum.

    Examples
    --------
    >>> least_squared_hinge([[1], [1], [1]], [1, 1, -1], Fraction(1))
    [Fraction(1, 4)]
    """
    n_terms = len(columns[0])
    c = [Fraction(0)] * n_terms
    while True:
        scores = [sum(own * x for own, x in zip(c, row, strict=True)) for row in columns]
        short = [i for i, y in enumerate(labels) if 1 - y * scores[i] > 0]
        matrix = [
            [
                Fraction(sum(columns[i][j] * columns[i][k] for i in short)) + (lam if j == k else 0)
                for k in range(n_terms)
            ]
            for j in range(n_terms)
        ]
        target = solved(matrix, [Fraction(sum(labels[i] * columns[i][j] for i in short)) for j in range(n_terms)])
        if target == c:
            return c
        risk, share = squared_hinge_risk(columns, labels, lam, c), Fraction(1)
        while True:
            moved = [own + share * (end - own) for own, end in zip(c, target, strict=True)]
            if squared_hinge_risk(columns, labels, lam, moved) < risk:
                break
            share /= 2
        c = moved


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Solve a positive definite system by elimination."""
    table = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for pivot, lead in enumerate(table):
        table[pivot] = lead = [entry / lead[pivot] for entry in lead]
        for place, row in enumerate(table):
            if place != pivot and row[pivot]:
                table[place] = [entry - row[pivot] * above for entry, above in zip(row, lead, strict=True)]
    return [row[-1] for row in table]
