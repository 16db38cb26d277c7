"""Whole weights of cells that no conjunction passes its cost under, and the walk over conjunctions that proves it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from conjunct.certificates.bound_checker import predicted_walk_seconds
from conjunct.certificates.pure_pricing import lightest_first
from conjunct.search import walk_pure, walk_within

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.certificates.certify_bound import BoundProblem

    Floats = NDArray[np.float64]

__all__ = ["WalkEvidence", "proved_weights"]

CHECK_SECONDS = 150  # what a checker predicts at most for the walk; it takes about a third of that
EXTRA_BITS = 6  # of a weight, beside those that number the cells: rounding takes at most 1/64 off their sum
LARGEST_SUM = 1 << 61
MOST_LEVELS = 4096
FEWEST_NODES = 1000
SLOW_NODES = 200_000.0  # that a walk looks at in a second, until it is known


@dataclass(frozen=True, eq=False)
class WalkEvidence:
    """Whole weights of the cells that no conjunction passes its cost under, and the walk that shows it.

    Attributes
    ----------
    weights : list of int
        In multiples of 2**exponent.
    exponent : int
    order : list of int
        All literals.
    n_nodes : int
        Conjunctions that the walk looks at.
    trace : list of int or None
        The negative cells that a search row by row goes by.
    """

    weights: list[int]
    exponent: int
    order: list[int]
    n_nodes: int
    trace: list[int] | None = None

    @property
    def value(self) -> Fraction:
        """What is proved."""
        return sum(self.weights) * Fraction(2) ** self.exponent

    def lines(self) -> tuple[str, ...]:
        """Return the lines of the file."""
        lines = [["w", *self.weights], ["order", self.n_nodes, *self.order]]
        lines += [] if self.trace is None else [["trace", *self.trace]]
        return tuple(" ".join(map(str, line)) for line in lines)


@dataclass(frozen=True, eq=False)
class Walker:
    """Rounds weights and walks: what is the same whatever they are scaled by."""

    problem: BoundProblem
    exponent: int
    order: list[int]
    is_negative: NDArray[np.bool_]  # cells that a DNF should be false on

    @property
    def is_pure(self) -> bool:
        """Whether the walk is one row by row."""
        return self.problem.kind != "partition" and self.problem.price is None

    def rounded(self, weights: Floats) -> list[int]:
        """Return weights rounded down, as the claim takes them."""
        problem, unit = self.problem, Fraction(2) ** self.exponent
        whole: list[int] = np.floor(weights / float(unit)).astype(np.int64).tolist()
        if problem.kind == "partition":
            return whole
        caps = [Fraction(LARGEST_SUM)] * len(whole)
        if problem.price is not None:
            caps = [problem.price * own[problem.positive_class] / unit for own in problem.masses[1]]
        return [max(0, min(weight, int(cap))) for weight, cap in zip(whole, caps, strict=True)]

    def most_nodes(self, weights: Floats, check_seconds: float) -> int:
        """Return how many conjunctions a checker looks at in some seconds."""
        n_lists = len(self.problem.table.classes) if self.problem.kind == "partition" else 1
        n_variables = self.problem.table.rows.n_variables
        node_seconds = predicted_walk_seconds(1, n_lists, self.rounded(weights), n_variables)
        return max(FEWEST_NODES, int(check_seconds / node_seconds))

    def walked(self, weights: Floats, max_nodes: int) -> tuple[WalkEvidence | None, bool]:
        """Return weights with their walk, or None, and whether some conjunction passes its cost for sure."""
        whole = self.rounded(weights)
        lists, limit = whole_lists(self.problem, whole, Fraction(2) ** self.exponent)
        if max(sum(map(abs, own)) for own in lists) > LARGEST_SUM:
            return None, False
        cells, size = self.problem.masses[0], self.problem.size
        if not self.is_pure:
            walk = walk_within(cells, np.array(lists), limit, order=self.order, max_size=size, max_nodes=max_nodes)
            found = WalkEvidence(whole, self.exponent, self.order, walk.n_nodes)
            return found if walk.is_within else None, bool(walk.heavy)
        pure = walk_pure(
            cells,
            np.array(whole),
            self.is_negative,
            2**-self.exponent,
            order=self.order,
            max_size=size,
            max_nodes=max_nodes,
            keep_trace=True,
        )
        found = WalkEvidence(whole, self.exponent, self.order, pure.n_nodes, pure.trace.tolist())
        return found if pure.is_within else None, bool(pure.heavy)


def proved_weights(
    problem: BoundProblem,
    weights: Floats,
    penalties: Floats,
    *,
    check_seconds: float = CHECK_SECONDS,
    end: float | None = None,
) -> WalkEvidence | None:
    """Scale weights down until a walk that is not too long shows that no conjunction passes its cost, or return None.

    Parameters
    ----------
    problem : BoundProblem
    weights : ndarray of float64, shape (cells,)
    penalties : ndarray of float64, shape (lists, cells)
        Of a conjunction, beside 1; they order the literals.
    check_seconds : float
        What the walk may take a checker.
    end : float, optional
        When to stop, by the clock.

    Notes
    -----
    Weights that are feasible stay so when they are scaled down, and the walk never gets longer. What is proved is
    raised to a multiple of the grid, so the scale is the least that reaches one. The highest multiple is found by
    halving: with short walks first, so that time is not lost on levels that are out of reach.
    """
    cells, _ = problem.masses
    total = float(weights.sum())
    grid = max(1 / problem.grid, total / MOST_LEVELS)
    order = lightest_first(cells.to_array() == 1, weights[None, :] - penalties, problem.literals).tolist()
    exponent = -(EXTRA_BITS + len(weights).bit_length())
    walker = Walker(problem, exponent, order, negative_cells(problem))
    best: WalkEvidence | None = None
    least, most = 0, ceil(total / grid - 1e-6)
    last_budget, speed = walker.most_nodes(weights, check_seconds), SLOW_NODES
    for budget in [*(last_budget // 4**k for k in (6, 4, 2) if last_budget // 4**k > FEWEST_NODES), last_budget]:
        top = attempt = most
        while least < top:
            start = monotonic()
            n_nodes = budget if end is None else min(budget, int(speed * (end - start)))
            if n_nodes < min(budget, FEWEST_NODES):
                return best
            wanted = (attempt - 1) * grid + 2.0**exponent * len(weights) + 1e-9
            evidence, is_heavy = walker.walked(weights * min(1.0, wanted / total), n_nodes)
            if evidence is not None:
                best, least = evidence, attempt
            else:
                top = attempt - 1
                most = top if is_heavy else most
                if not is_heavy:
                    speed = n_nodes / max(1e-6, monotonic() - start)
            attempt = (least + top + 1) // 2
    return best


def negative_cells(problem: BoundProblem) -> NDArray[np.bool_]:
    """Return which cells have rows that a DNF should be false on."""
    return np.array([sum(own) > own[problem.positive_class] for own in problem.masses[1]])


def whole_lists(problem: BoundProblem, weights: list[int], unit: Fraction) -> tuple[list[list[int]], int]:
    """Return the lists of weights that no conjunction may pass a limit under, and the limit, all in whole numbers."""
    _, masses = problem.masses
    above = sum(max(weight, 0) for weight in weights)
    if problem.kind == "partition":
        others = [[sum(own) - own[k] for own in masses] for k in range(len(problem.table.classes))]
    else:
        others = [[sum(own) - own[problem.positive_class] for own in masses]]
    if problem.price is None:
        charges = [[Fraction(above if mass else 0) for mass in own] for own in others]
    else:
        charges = [[problem.price * mass / unit for mass in own] for own in others]
    scale = lcm((1 / unit).denominator, *{charge.denominator for own in charges for charge in own})
    pairs = [zip(weights, own, strict=True) for own in charges]
    return [[int((weight - charge) * scale) for weight, charge in own] for own in pairs], int(scale / unit)
