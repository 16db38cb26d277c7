"""Choosing what proves a bound on trees: lemmas of a search first, and weights of the rows where it did not end."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from conjunct.certificates.certify_bound import MOST_CELLS, BoundProblem, bound_of_rows
from conjunct.certificates.certify_lemmas import certify_rows
from conjunct.certificates.certify_linear import linear_bound
from conjunct.errors import MemoryLimitError
from conjunct.settings import positive_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from conjunct.certificates.labelled_rows import LabelledRows
    from conjunct.certificates.tree_certificate import TreeCertificate
    from conjunct.certificates.tree_costs import TreeCosts

__all__ = ["certify_by_any", "predicted_seconds"]

LEMMA_SHARE, ANY_SHARE = 0.5, 0.6  # of the time, when they end: a linear program often proves more (docs/bounds.md)
LEAST_SECONDS = 0.01  # of a search
PAIR_SECONDS = 3e-7  # of two cells, over all sweeps of a machine
ENTRY_SECONDS = 1e-5  # of a test on a cell, over the first rounds of a linear program


def certify_by_any(
    table: LabelledRows,
    costs: TreeCosts,
    *,
    max_depth: int | None = 4,
    min_samples_leaf: int = 1,
    time_limit: float | None = 60,
    memory_limit: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> TreeCertificate:
    """Return what proves most within the time, and in `attempts` what was tried; it is not checked yet.

    Notes
    -----
    A search for lemmas comes first: where it ends, it has the best tree, and nothing proves more. Where it does not,
    one for lemmas on trees of any depth follows, since most of the first goes into its tree and little into its bound.
    Weights are looked for in the rest of the time, the cheapest kind first, and those left out that are predicted to
    take longer. Cost matrices and leaves of several rows are beyond weights.
    """
    start = perf_counter()
    seconds = inf if time_limit is None else float(positive_number(time_limit, "time_limit"))
    table = costs.rounded(table)

    def lemmas(depth: int | None, share: float) -> TreeCertificate:
        return certify_rows(
            table,
            costs,
            max_depth=depth,
            min_samples_leaf=min_samples_leaf,
            time_limit=None if seconds == inf else max(start + share * seconds - perf_counter(), LEAST_SECONDS),
            memory_limit=memory_limit,
            progress=progress,
        )

    best = found = lemmas(max_depth, LEMMA_SHARE)
    attempts = [f"lemmas proved {found.bound} in {found.seconds:.1f} s"]
    try:
        if not best.optimal and max_depth is not None:
            wider = lemmas(None, ANY_SHARE)
            attempts.append(f"lemmas on any depth proved {wider.bound} in {wider.seconds:.1f} s")
            if wider.bound > found.bound:  # its tree may be too deep: the first stays
                header = found.header | {"lower": wider.header["lower"]}
                best = found = replace(wider, header=header, stopped_by=found.stopped_by)
        if best.optimal or costs.matrix is not None or min_samples_leaf > 1:
            return replace(best, attempts=tuple(attempts))
        problem = BoundProblem.of(table, costs.price, max_depth)
        for predicted, method in sorted((predicted_seconds(problem, method), method) for method in ("box", "lp")):
            left = start + seconds - perf_counter()
            if predicted > left:
                attempts.append(f"{method} was not tried: {predicted:.1g} s predicted, {left:.1g} s left")
                continue
            limit = None if left == inf else left
            if method == "lp":
                bound = linear_bound(problem, time_limit=limit)
            else:
                bound = bound_of_rows(problem, method, time_limit=limit)
            attempts.append(f"{method} proved {bound.bound} in {bound.seconds:.1f} s")
            if bound.bound > best.bound:
                best = replace(bound, beside=found)
    except MemoryLimitError as error:
        attempts.append(f"then memory ran out: {error}")
    return replace(best, attempts=tuple(attempts))


def predicted_seconds(problem: BoundProblem, method: str) -> float:
    """Return about how long weights take that are worth something: a guess from a few tables, infinite if refused."""
    n_cells, n_tests = problem.masses[0].n_rows, problem.table.rows.n_variables
    if method == "lp":
        return ENTRY_SECONDS * n_cells * n_tests
    return PAIR_SECONDS * n_cells**2 if n_cells <= MOST_CELLS else inf
