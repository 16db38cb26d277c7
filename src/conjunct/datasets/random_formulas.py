"""Rows labelled by a random DNF, with label noise on demand."""

from __future__ import annotations

from itertools import count
from math import comb
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_bits, random_flips, random_permutation
from conjunct.settings import probability, whole_number
from conjunct.tables.table import Table

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["random_dnf"]

_ROWS_STREAM, _NOISE_STREAM, _FIRST_TERM_STREAM = 0, 1, 2
_Literals: TypeAlias = tuple[tuple[int, int], ...]


def random_dnf(
    n_variables: int,
    n_terms: int,
    *,
    term_size: int,
    n_rows: int,
    seed: int,
    noise: int | float | str | Fraction = 0,
    monotone: bool = False,
) -> Table:
    """Uniform random rows labelled by a random DNF.

    Every row is drawn uniformly from all 2**n_variables rows, whatever the formula: many short terms make nearly
    all labels 1, few long terms nearly all labels 0.

    Parameters
    ----------
    n_variables : int
        Number of variables, at least 1; they are named x1 to xn.
    n_terms : int
        Number of terms; no two are equal.
    term_size : int
        Number of literals of each term, on different variables, from 1 to n_variables.
    n_rows : int
        Number of rows, at least 1.
    seed : int
        Seed of formula, rows and noise. The formula and the first rows stay the same when `n_rows` grows; formula
        and rows stay the same when `noise` changes.
    noise : int, float, str or Fraction, default=0
        Probability that a label is flipped, from 0 to 1. A float means the decimal it prints as: 0.1 is 1/10.
    monotone : bool, default=False
        Use positive literals only. By default the sign of each literal is a fair coin.

    Returns
    -------
    Table
        Labels 0 and 1; the target is the formula before noise.

    Examples
    --------
    >>> table = random_dnf(8, 3, term_size=2, n_rows=100, seed=1)
    >>> table.target
    '~x2 & ~x4 | ~x1 & x3 | x3 & x5'
    >>> table.rows.n_rows, table.rows.n_variables, int(table.labels.sum())
    (100, 8, 58)
    """
    n_variables = whole_number(n_variables, "n_variables")
    term_size = whole_number(term_size, "term_size", most=n_variables)
    n_possible = comb(n_variables, term_size) * (1 if monotone else 2**term_size)
    n_terms = whole_number(n_terms, "n_terms", most=n_possible)
    n_rows = whole_number(n_rows, "n_rows")
    rate = probability(noise, "noise")
    terms = _draw_terms(n_variables, n_terms, term_size, seed, monotone)
    bits = random_bits(seed, (n_rows, n_variables), stream=_ROWS_STREAM)
    flips = random_flips(seed, n_rows, rate, stream=_NOISE_STREAM)
    is_positive = np.zeros(n_rows, dtype=np.bool_)
    for term in terms:
        variables, signs = np.array(term).T
        is_positive |= (bits[:, variables] == signs).all(axis=1)
    labels = (is_positive ^ flips).astype(np.int64)
    names = [f"x{i}" for i in range(1, n_variables + 1)]
    target = " | ".join(" & ".join(names[i] if sign else f"~{names[i]}" for i, sign in term) for term in terms)
    return Table("random-dnf", BitMatrix.from_array(bits, names), labels, target)


def _draw_terms(n_variables: int, n_terms: int, term_size: int, seed: int, monotone: bool) -> list[_Literals]:
    """Different terms in the order drawn, each sorted by variable; sign 1 is the positive literal."""
    terms: dict[_Literals, None] = {}
    for stream in count(_FIRST_TERM_STREAM, 2):
        variables = random_permutation(seed, n_variables, stream=stream)[:term_size].tolist()
        signs = [1] * term_size if monotone else random_bits(seed, term_size, stream=stream + 1).tolist()
        terms[tuple(sorted(zip(variables, signs, strict=True)))] = None
        if len(terms) == n_terms:
            break
    return list(terms)
