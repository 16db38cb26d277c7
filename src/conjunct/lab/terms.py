"""Random terms, and rows of the values of all short ones."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from conjunct.bits import BitMatrix, ConjunctionColumns, random_below, random_bits, random_permutation
from conjunct.bits.randomness import derived_seed
from conjunct.logic import Literal, Term

__all__ = ["random_terms", "rows_of_terms"]


def random_terms(seed: int, n: int, count: int, *, least: int, most: int) -> list[Term]:
    """Draw different terms, each of `least` to `most` literals over x1 .. xn.

    Examples
    --------
    >>> print(*random_terms(0, 5, 2, least=1, most=2), sep=", ")
    x3, x4 & x5
    """
    terms: dict[Term, None] = {}
    attempt = 0
    while len(terms) < count:
        term_seed = derived_seed(seed, attempt)
        size = least + int(random_below(term_seed, most - least + 1, 1)[0])
        variables = sorted(random_permutation(term_seed, n, stream=1)[:size].tolist())
        signs = random_bits(term_seed, size, stream=2).tolist()
        terms[Term(Literal(f"x{v + 1}", sign == 1) for v, sign in zip(variables, signs, strict=True))] = None
        attempt += 1
    return list(terms)


def rows_of_terms(rows: BitMatrix, max_size: int) -> BitMatrix:
    """Return the rows whose variables are the terms of 1 to `max_size` literals, named as they print.

    Examples
    --------
    >>> print(*rows_of_terms(BitMatrix.of(["10"]), 2).names, sep=", ")
    x1, ~x1, x2, ~x2, x1 & x2, x1 & ~x2, ~x1 & x2, ~x1 & ~x2
    """
    columns = ConjunctionColumns(rows.n_variables, max_size, has_negations=True)
    starts, entries = columns.entries(rows)
    literals = [Literal(name, is_positive) for name in rows.names for is_positive in (True, False)]
    names = [str(Term(literals[code] for code in codes)) for codes in columns]
    ones = np.ones(len(entries), np.uint8)
    return BitMatrix.from_csr(csr_array((ones, entries, starts), shape=(rows.n_rows, columns.n_columns)), names)
