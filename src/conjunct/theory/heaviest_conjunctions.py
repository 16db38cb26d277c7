"""Conjunctions by the weight of the rows they hold on: all of them, and the heaviest."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

__all__ = ["conjunction_weights", "heaviest_conjunctions", "literal_shares"]

Conjunction = tuple[int, ...]  # literals, ascending: 2j + 1 says that variable j is true, 2j that it is false


def conjunction_weights(
    rows: Sequence[Sequence[int]],
    weights: Sequence[int | Fraction],
    max_size: int | None = None,
    *,
    positive: bool = False,
    costs: Sequence[Fraction] | None = None,
) -> dict[Conjunction, Fraction]:
    """Return the weight of every conjunction that holds on a row.

    Parameters
    ----------
    rows : sequence of sequences of 0 and 1
    weights : sequence of int or Fraction
        One for each row, of any sign.
    max_size : int or None
        The most literals; None for any number.
    positive : bool
        Whether literals are positive only.
    costs : sequence of Fraction, optional
        K_0 .. K_d: the weight of a conjunction of size j is divided by K_j; 1 each if absent.

    Notes
    -----
    w_T = (1 / K_|T|) sum of the weights of the rows that T holds on. With the weights a_i y_i of a kernel machine these
    are the coefficients of its polynomial: f(x) = sum over T of w_T [T holds on x].

    Examples
    --------
    >>> found = conjunction_weights([[1, 0], [1, 1]], [3, -1], 1)
    >>> {conjunction: str(weight) for conjunction, weight in found.items()}
    {(): '2', (1,): '2', (2,): '3', (3,): '-1'}
    """
    found: dict[Conjunction, Fraction] = {}
    for row, weight in zip(rows, weights, strict=True):
        literals = [2 * j + bit for j, bit in enumerate(row) if bit or not positive]
        most = len(literals) if max_size is None else min(max_size, len(literals))
        for size in range(most + 1):
            share = Fraction(weight) / (1 if costs is None else costs[size])
            for conjunction in combinations(literals, size):
                found[conjunction] = found.get(conjunction, Fraction()) + share
    return dict(sorted(found.items()))


def heaviest_conjunctions(
    weights: dict[Conjunction, Fraction],
    *,
    top: int | None = None,
    min_weight: Fraction | int = 0,
    signed: bool = False,
) -> list[tuple[Conjunction, Fraction]]:
    """Return conjunctions by falling weight, those of equal weight by size, then in the order of their literals.

    Parameters
    ----------
    weights : dict
        Of `conjunction_weights`.
    top : int or None
        The most to return; those that weigh as much as the last and come after it are left out. None for all.
    min_weight : Fraction or int
        The least weight to return.
    signed : bool
        Whether a weight counts with its sign; otherwise by its size.

    Examples
    --------
    >>> weights = conjunction_weights([[1, 0], [1, 1]], [3, -1], 1)
    >>> [conjunction for conjunction, _ in heaviest_conjunctions(weights, min_weight=1)]
    [(2,), (), (1,), (3,)]
    >>> [conjunction for conjunction, _ in heaviest_conjunctions(weights, top=2, signed=True)]
    [(2,), ()]
    """
    sizes = {conjunction: weight if signed else abs(weight) for conjunction, weight in weights.items()}
    order = sorted((own for own in weights if sizes[own] >= min_weight), key=lambda own: (-sizes[own], len(own), own))
    return [(own, weights[own]) for own in order[:top]]


def literal_shares(weights: dict[Conjunction, Fraction], row: Sequence[int]) -> tuple[Fraction, list[Fraction]]:
    """Return what each variable of a row contributes to its score, and what the empty conjunction does.

    Parameters
    ----------
    weights : dict
        Of `conjunction_weights`.
    row : sequence of 0 and 1

    Notes
    -----
    Every conjunction that holds on the row divides its weight equally among its literals, so that all shares and the
    weight of the empty conjunction add up to the score. It is the value [shapley1953] of the game in which literals of
    the row win the weight of every conjunction that they make up.

    Examples
    --------
    >>> empty, shares = literal_shares({(): Fraction(1), (1,): Fraction(2), (1, 2): Fraction(4)}, [1, 0])
    >>> str(empty), [str(share) for share in shares]
    ('1', ['4', '2'])
    """
    true_literals = {2 * j + bit for j, bit in enumerate(row)}
    shares = [Fraction()] * len(row)
    for conjunction, weight in weights.items():
        if true_literals.issuperset(conjunction):
            for literal in conjunction:
                shares[literal // 2] += weight / len(conjunction)
    return weights.get((), Fraction()), shares
