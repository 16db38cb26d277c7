"""The heaviest conjunctions of one output of a model."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from operator import lt
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, SparseRows, holds_on
from conjunct.kernels import MonotoneConjunctions
from conjunct.kernels.costs import cost_function
from conjunct.search import ConjunctionSearch, HeavyConjunction, search_conjunctions

if TYPE_CHECKING:
    from conjunct.rules.named_model import NamedModel

__all__ = ["heaviest", "largest_size", "linear_weights", "size_weights"]


def largest_size(named: NamedModel, max_size: int | None = None) -> int:
    """Return the size of the largest conjunction of a model, or of those to look at."""
    sizes = [len(named.names), max_size]
    if not named.is_listed:
        sizes.append(1 if named.is_linear else named.model.kernel.largest_size)
    return min(size for size in sizes if size is not None)


def size_weights(named: NamedModel, max_size: int) -> list[Fraction]:
    """Return what a weight of 1 is worth to conjunctions of each size."""
    cost = cost_function(named.model.kernel.exact_costs)
    return [named.model.unit / (1 if cost is None else cost(size)) for size in range(max_size + 1)]


def heaviest(
    named: NamedModel,
    output: int,
    *,
    row: BitMatrix | None = None,
    top: int | None = None,
    min_weight: Fraction | None = None,
    max_size: int | None = None,
    time_limit: float | None = None,
    max_nodes: int | None = None,
    distinct: bool = False,
) -> ConjunctionSearch:
    """Find the heaviest conjunctions of an output, on a row only if there is one, without any that lists implied tests.

    With ``top=None`` and without ``min_weight`` every conjunction of the model is returned, also those with implied
    tests; that is its polynomial.

    Notes
    -----
    A conjunction T of size j weighs unit / K_j times the sum of a_i over the rows i of the expansion on which T holds.
    For those that hold on one row x, a variable is set to 1 where it agrees with x (or, without negations, where it is
    1 in both), and only positive literals are searched. Where unit / K_j grows with j, the heaviest of those on the
    same rows may list an implied test, and the next of them may not: so all are searched, and one of each is kept.
    """
    most = largest_size(named, max_size)
    if named.is_linear or named.is_listed:
        listed = _listed(named, output, row) if named.is_listed else _linear(named, output, row)
        least = min_weight or 0
        chosen = [h for h in listed if h.weight and abs(h.weight) >= least and len(h.literals) <= most]
        return ConjunctionSearch(tuple(sorted(chosen, key=_by_weight)[:top]), None, len(listed), "closed")
    if not named.model.rows.n_rows:
        return ConjunctionSearch((), None, 0, "closed")
    is_positive, factors = isinstance(named.model.kernel, MonotoneConjunctions), size_weights(named, most)
    cells, end = named.model.rows, None if time_limit is None else monotonic() + time_limit
    bits = None if row is None else row.to_array()[0].tolist()
    if row is not None:
        cells = common_part(cells, row, is_positive)

    def searched(n_asked: int | None) -> ConjunctionSearch:
        search = search_conjunctions(
            cells,
            named.model.weights[output],
            max_size=most,
            literals="positive" if is_positive or row is not None else "both",
            scales=factors,
            top=n_asked,
            min_weight=min_weight,
            sets="shortest" if distinct and not is_sifted else "all",
            time_limit=None if end is None else max(end - monotonic(), 1e-3),
            max_nodes=max_nodes,
        )
        if bits is None:
            return search
        return replace(search, found=tuple(_on_row(own, bits) for own in search.found))

    is_whole = top is None and min_weight is None and not distinct
    is_sifted = distinct and named.reader.may_imply and any(map(lt, factors, factors[1:]))
    n_asked = top
    while True:
        search = searched(n_asked)
        heavy = [own for own in search.found if own.weight]
        readable = [own for own in heavy if is_whole or not named.reader.is_redundant(own.literals)]
        if is_sifted:
            readable = _first_of_each_set(named.model.rows, readable)
        is_all = n_asked is None or len(heavy) < n_asked
        if is_all or len(readable) >= (top or 0) or not search.proved:
            return replace(search, found=tuple(readable[:top]))
        n_asked = 4 * len(heavy)


def _first_of_each_set(cells: BitMatrix, heavy: list[HeavyConjunction]) -> list[HeavyConjunction]:
    """Keep the first of the conjunctions that hold on the same cells."""
    first: dict[bytes, HeavyConjunction] = {}
    for own in heavy:
        first.setdefault(holds_on(cells, own.literals).tobytes(), own)
    return list(first.values())


def _on_row(heavy: HeavyConjunction, bits: list[int]) -> HeavyConjunction:
    """Turn positive literals, of agreement with a row, into the literals that are true on it."""
    return HeavyConjunction(tuple(2 * (literal // 2) + bits[literal // 2] for literal in heavy.literals), heavy.weight)


def _by_weight(heavy: HeavyConjunction) -> tuple[Fraction, int, tuple[int, ...]]:
    return -abs(heavy.weight), len(heavy.literals), heavy.literals


def common_part(cells: BitMatrix, row: BitMatrix, is_positive: bool) -> BitMatrix:
    """Return the cells with a 1 for each variable that agrees with a row, or that is 1 in both."""
    if is_positive:
        return BitMatrix(cells.words & row.words, cells.n_variables)
    entries = cells.to_array() == row.to_array()
    return BitMatrix.of(entries)


def _linear(named: NamedModel, output: int, row: BitMatrix | None) -> list[HeavyConjunction]:
    """Weigh the variables of a linear model, or those of a row."""
    variables = list(range(len(named.names))) if row is None else np.flatnonzero(row.to_array()[0]).tolist()
    constant, weights = linear_weights(named.model, output, variables)
    heavy = [HeavyConjunction((2 * v + 1,), weight) for v, weight in zip(variables, weights, strict=True)]
    return [HeavyConjunction((), constant), *heavy]


def _listed(named: NamedModel, output: int, row: BitMatrix | None) -> list[HeavyConjunction]:
    """Return the conjunctions that a model lists, or those of them that hold on a row."""
    model, bits = named.model, None if row is None else row.to_array()[0].tolist()
    pairs = zip(model.conjunctions, model.weights[output].tolist(), strict=True)
    return [
        HeavyConjunction(literals, model.unit * weight)
        for literals, weight in pairs
        if bits is None or all(bits[literal // 2] == literal % 2 for literal in literals)
    ]


def linear_weights(model: Any, output: int, variables: list[int]) -> tuple[Fraction, list[Fraction]]:
    """Return the score of the row without variables, and by how much each variable, alone, changes it."""
    constant, *scores = (row[output] for row in model.scores(SparseRows.of([set(), *({v} for v in variables)])))
    return constant, [score - constant for score in scores]
