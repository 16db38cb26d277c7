"""Looking for a DNF with few terms: terms grown around rows, and the cheapest choice among terms."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING

import highspy
import numpy as np

from conjunct.bits import holds_on
from conjunct.bits.randomness import random_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.certificates.certify_bound import BoundProblem

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Literals = tuple[int, ...]

__all__ = ["cheapest_formula", "cost_of", "grown_terms"]

MOST_SEEDS = 2000  # cells from which terms are grown
N_REPAIRS, REMOVED_SHARE = 400, 0.25  # how often a cover is repaired, and how much of it is taken out before
N_DRAWS, NOISE = 1 << 20, 4  # costs are raised by up to a fourth, at random
ROUNDING = 1e-7


def grown_terms(problem: BoundProblem, end: float | None = None) -> list[Literals]:
    """Grow a term around every cell that no term covers yet: the literals that shut out most negative rows, one by one.

    Nothing grows after a moment of the clock, if one is given.

    Notes
    -----
    They make sure that the program has a cover to begin with, and are the formula where no better one is found.
    """
    cells, masses = problem.masses
    bits = cells.to_array() == 1
    holds = np.stack([~bits, bits], axis=2).reshape(len(bits), -1)  # by literal
    if problem.literals == "positive":
        holds[:, ::2] = False
    positive = np.array([own[problem.positive_class] > 0 for own in masses])
    negative = np.array([sum(own) > own[problem.positive_class] for own in masses])
    is_open = positive & ~negative
    terms: list[Literals] = []
    for seed in np.flatnonzero(is_open).tolist():
        if len(terms) >= MOST_SEEDS or (end is not None and monotonic() >= end):
            break
        if is_open[seed]:
            term = _grown(holds, is_open, negative, seed, problem.size)
            if term is not None:
                terms.append(term)
                is_open &= ~holds_on(cells, term)
    return terms


def _grown(holds: Bools, positive: Bools, negative: Bools, seed: int, max_size: int) -> Literals | None:
    """Return a term that holds on a cell and on no negative one, found by greed; None where there is none."""
    usable, here = holds[seed].copy(), np.ones(len(holds), bool)
    term: list[int] = []
    while (here & negative).any():
        shut = (~holds[here & negative][:, usable]).sum(axis=0)
        kept = holds[here & positive][:, usable].sum(axis=0)
        if len(term) == max_size or not shut.any():
            return None
        best = int(np.flatnonzero(usable)[np.argmax(shut / shut.max() + kept / max(1, kept.max()) + (shut > 0))])
        term.append(best)
        here &= holds[:, best]
        usable[best] = False
    for literal in list(term):  # what later ones made needless
        rest = [own for own in term if own != literal]
        if not (holds[:, rest].all(axis=1) & negative).any():
            term = rest
    return tuple(sorted(term))


def cheapest_formula(
    problem: BoundProblem,
    terms: Sequence[Literals],
    least: float = 0,
    seconds: float | None = None,
    max_nodes: int | None = None,
) -> list[Literals] | None:
    """Return the cheapest choice of terms, or a cheap one; None where they make no formula of the claim.

    Parameters
    ----------
    problem : BoundProblem
    terms : sequence of tuples of int
    least : float
        What every choice costs at least, as far as is known: the search ends there.
    seconds, max_nodes : optional
        Limits of the search, which begins from a cheap choice.
    """
    cells, masses = problem.masses
    positive = np.array([float(own[problem.positive_class]) for own in masses])
    negative = np.array([float(sum(own) - own[problem.positive_class]) for own in masses])
    price = 0.0 if problem.price is None else float(problem.price)
    held = np.array([holds_on(cells, term) for term in terms]).reshape(len(terms), len(masses))
    costs = 1 + price * (held @ negative)
    if problem.price is None:
        is_pure = held @ negative == 0
        terms, held, costs = (
            [own for own, pure in zip(terms, is_pure, strict=True) if pure],
            held[is_pure],
            costs[is_pure],
        )
    needed = np.flatnonzero(positive > 0)
    covers = held[:, needed]
    if problem.price is not None:  # a cell may be missed for what its rows cost
        covers = np.vstack([covers, np.eye(len(needed), dtype=bool)])
        costs = np.concatenate([costs, price * positive[needed]])
    if not covers.any(axis=0).all():
        return None
    end = None if seconds is None or max_nodes is not None else monotonic() + seconds / 2
    chosen = repeated_cover(covers, costs, end=end)
    if float(costs[chosen].sum()) > least + ROUNDING:
        chosen = integer_cover(covers, costs, chosen, None if seconds is None else seconds / 2, max_nodes)
    return [terms[k] for k in chosen.tolist() if k < len(terms)]


def repeated_cover(
    covers: Bools, costs: Floats, n_times: int = N_REPAIRS, end: float | None = None
) -> NDArray[np.int64]:
    """Return sets that cover all elements, found by greed, then again and again with some taken out and replaced.

    Parameters
    ----------
    covers : ndarray of bool, shape (sets, elements)
        Every element is in some set.
    costs : ndarray of float64, shape (sets,)
    n_times : int
        Trials; the draws are the same in every run.
    end : float, optional
        When to stop, by the clock.
    """
    weights = covers.astype(np.float32)
    best = current = _without_needless(covers, costs, _greedy(weights, costs, np.empty(0, np.int64)))
    for trial in range(n_times if len(best) > 1 else 0):
        if end is not None and monotonic() >= end:
            break
        draws = random_below(trial, N_DRAWS, len(current))
        kept = current[draws >= N_DRAWS * REMOVED_SHARE]
        prices = costs * (1 + random_below(trial, N_DRAWS, len(costs), stream=1) / (NOISE * N_DRAWS))
        found = _without_needless(covers, costs, _greedy(weights, prices, kept))
        if costs[found].sum() <= costs[current].sum() + ROUNDING:
            current = found
        if costs[current].sum() < costs[best].sum() - ROUNDING:
            best = current
    return best


def _greedy(weights: NDArray[np.float32], costs: Floats, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add sets until all elements are covered, each time the one with the most new elements for its cost."""
    own = chosen.tolist()
    is_open = (weights[own].max(axis=0) == 0 if own else np.ones(weights.shape[1], bool)).astype(np.float32)
    while is_open.any():
        own.append(int(np.argmax((weights @ is_open) / costs)))
        is_open *= 1 - weights[own[-1]]
    return np.array(own, np.int64)


def _without_needless(covers: Bools, costs: Floats, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Take out the sets that the others make needless, the dearest first."""
    counts, kept = covers[chosen].sum(axis=0), np.ones(len(chosen), bool)
    for k in np.argsort(-costs[chosen], kind="stable").tolist():
        if (counts[covers[chosen[k]]] > 1).all():
            counts = counts - covers[chosen[k]]
            kept[k] = False
    return chosen[kept]


def integer_cover(
    covers: Bools, costs: Floats, start: NDArray[np.int64], seconds: float | None, max_nodes: int | None
) -> NDArray[np.int64]:
    """Return the cheapest cover by HiGHS from a first one, or the best it found within its limits."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy leaves it without types
    solver.silent()
    solver.setOptionValue("threads", 1)
    if seconds is not None:
        solver.setOptionValue("time_limit", seconds)
    if max_nodes is not None:
        solver.setOptionValue("mip_max_nodes", max_nodes)
    n_sets = len(costs)
    solver.addVars(n_sets, np.zeros(n_sets), np.ones(n_sets))
    numbers = np.arange(n_sets, dtype=np.int32)
    solver.changeColsCost(n_sets, numbers, costs)
    solver.changeColsIntegrality(n_sets, numbers, np.ones(n_sets, np.uint8))
    for own in covers.T:
        members = np.flatnonzero(own).astype(np.int32)
        solver.addRow(1, highspy.kHighsInf, len(members), members, np.ones(len(members)))
    solver.setSolution(len(start), start.astype(np.int32), np.ones(len(start)))
    solver.run()
    values = np.array(solver.getSolution().col_value)
    chosen = np.flatnonzero(values > 0.5) if len(values) == n_sets else start
    is_cover = covers[chosen].any(axis=0).all()
    return chosen if is_cover and costs[chosen].sum() < costs[start].sum() - ROUNDING else start


def cost_of(problem: BoundProblem, terms: list[Literals]) -> Fraction:
    """Return what a formula costs, exactly."""
    cells, masses = problem.masses
    n_held = np.sum([holds_on(cells, term) for term in terms], axis=0) if terms else np.zeros(len(masses), int)
    errors = Fraction()
    for own, count in zip(masses, n_held.tolist(), strict=True):
        positive = own[problem.positive_class]
        errors += count * (sum(own) - positive) if count else positive
    return len(terms) + (Fraction(0) if problem.price is None else problem.price * errors)
