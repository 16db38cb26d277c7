"""Evaluating a DNF on every row of a table, against NumPy on the same zeros and ones, rows or columns one by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from harness import Case, Contender, equal

from conjunct.bits import BitMatrix, random_below, random_bits, random_permutation
from conjunct.logic.dnf import DNF
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term

N_VARIABLES, N_TERMS = 100, 50


def cases(full: bool) -> Iterator[Case]:
    places, signs = random_terms()
    formula = DNF(
        Term(Literal(f"x{v + 1}", bool(sign)) for v, sign in zip(*term, strict=True))
        for term in zip(places, signs, strict=True)
    )
    for n_rows in (10_000, 1_000_000) if full else (1_000_000,):
        table = random_bits(2, (n_rows, N_VARIABLES))
        rows, by_column = BitMatrix.of(table), np.asfortranarray(table)
        contenders = [Contender("conjunct", threads, partial(formula.evaluate, rows)) for threads in (1, 2)]
        packed_first = partial(pack_and_evaluate, formula, table)
        contenders += [Contender("conjunct, packing included", threads, packed_first) for threads in (1, 2)]
        contenders.append(Contender("numpy, rows", 1, partial(with_numpy, table, places, signs)))
        copied = partial(copy_and_evaluate, table, places, signs)
        contenders.append(Contender("numpy, rows copied to columns", 1, copied))
        contenders.append(Contender("numpy, columns", 1, partial(with_numpy, by_column, places, signs)))
        yield Case(f"DNF of {N_TERMS} terms on {n_rows:,} x {N_VARIABLES}", n_rows, "rows", contenders, equal)


def random_terms() -> tuple[list[Any], list[Any]]:
    """Return the variables and the signs of terms of 3 to 6 literals."""
    sizes = (3 + random_below(1, 4, N_TERMS)).tolist()
    places = [random_permutation(10 + t, N_VARIABLES)[:size] for t, size in enumerate(sizes)]
    return places, [random_bits(100 + t, size).astype(bool) for t, size in enumerate(sizes)]


def pack_and_evaluate(formula: DNF, table: Any) -> Any:
    return formula.evaluate(BitMatrix.of(table))


def copy_and_evaluate(table: Any, places: list[Any], signs: list[Any]) -> Any:
    return with_numpy(np.asfortranarray(table), places, signs)


def with_numpy(table: Any, places: list[Any], signs: list[Any]) -> Any:
    """One pass over a column per literal, in place; zeros and ones are seen as bool without a copy."""
    seen = table.view(bool)
    value, holds = np.zeros(len(table), bool), np.empty(len(table), bool)
    for columns, is_positive in zip(places, signs, strict=True):
        holds[:] = seen[:, columns[0]] == is_positive[0]
        for column, sign in zip(columns[1:], is_positive[1:], strict=True):
            if sign:
                holds &= seen[:, column]
            else:
                np.greater(holds, seen[:, column], out=holds)  # holds and not that column
        value |= holds
    return value
