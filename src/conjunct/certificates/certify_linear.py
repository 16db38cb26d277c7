"""Making bounds by linear programs over conjunctions: their duals, and what is proved by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

import numpy as np

from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.column_generation import ColumnGeneration
from conjunct.certificates.grown_parts import grown_parts
from conjunct.certificates.walk_evidence import proved_weights

if TYPE_CHECKING:
    from conjunct.certificates.certify_bound import BoundProblem
    from conjunct.certificates.column_generation import Dual

__all__ = ["linear_bound", "linear_evidence", "program_of", "trivial_bound"]

GROWN_SHARE, PROGRAM_SHARE = 0.05, 0.75  # of the time; the rest is for the walks that prove the weights
FREE_PENALTY = 2.0**20  # of an error where none is allowed
MOST_FREE_WEIGHT = 2.0**12  # of a cell, where none is allowed: more than that proves little else


def linear_bound(
    problem: BoundProblem, *, time_limit: float | None = 60, max_rounds: int | None = None
) -> BoundCertificate:
    """Solve a linear program over conjunctions, and return what its dual proves; it is not checked yet."""
    start, begin = perf_counter(), monotonic()
    if problem.is_impossible:
        return replace(trivial_bound(problem, "lp"), stopped_by="closed", n_nodes=0, seconds=perf_counter() - start)
    shares = GROWN_SHARE, PROGRAM_SHARE, 1
    grown_end, program_end, end = (None if time_limit is None else begin + share * time_limit for share in shares)
    program = program_of(problem, grown_parts(problem, grown_end))
    dual = program.solve(end=program_end, max_rounds=max_rounds, grid=1 / problem.grid)
    bound = linear_evidence(problem, program, dual, end)
    stopped_by = "closed" if dual.is_closed else "nodes" if max_rounds is not None else "time"
    return replace(bound, stopped_by=stopped_by, n_nodes=dual.n_rounds, seconds=perf_counter() - start)


def linear_evidence(
    problem: BoundProblem, program: ColumnGeneration, dual: Dual, end: float | None = None
) -> BoundCertificate:
    """Return what the weights of a program prove, or what is trivial if that is as much."""
    trivial, evidence = problem.trivial(), None
    for weights in (dual.weights, dual.last):
        if problem.on_grid(Fraction(float(weights.sum()))) > trivial:
            own = proved_weights(problem, weights, end=end)
            if own is not None and (evidence is None or own.value > evidence.value):
                evidence = own
        if dual.is_closed:
            break
    if evidence is None or evidence.value <= trivial:
        return trivial_bound(problem, "lp")
    header = problem.header("lp", evidence.exponent, problem.on_grid(evidence.value))
    return BoundCertificate(header, evidence.lines(), rows=problem.table)


def trivial_bound(problem: BoundProblem, form: str) -> BoundCertificate:
    """Return what is proved without weights."""
    return BoundCertificate(problem.header(form, 0, problem.on_grid(problem.trivial())), (), rows=problem.table)


def program_of(problem: BoundProblem, columns: Sequence[tuple[int, ...]] = ()) -> ColumnGeneration:
    """Return the linear program of a claim, with conjunctions to begin with."""
    cells, masses = problem.masses
    own = np.array([[float(mass) for mass in cell] for cell in masses])
    total = own.sum(axis=1)
    price = FREE_PENALTY if problem.price is None else float(problem.price)
    if problem.kind == "partition":
        penalties = price * (total[None, :] - own.T)[: max(2, len(problem.table.classes))]
        highest = np.full(len(total), MOST_FREE_WEIGHT) if problem.price is None else 2 * (1 + price * total)
        lowest = -highest
    else:
        positive = own[:, problem.positive_class]
        penalties = price * (total - positive)[None, :]
        lowest = np.zeros(len(total))
        highest = np.where(total > positive, 0.0, MOST_FREE_WEIGHT) if problem.price is None else price * positive
    return ColumnGeneration(cells, penalties, lowest, highest, problem.size, problem.literals, list(columns))
