"""Whole weights of cells that no conjunction passes its cost under, and the walk over conjunctions that proves it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from conjunct.certificates.bound_checker import predicted_walk_seconds
from conjunct.certificates.row_pricing import seconds_until
from conjunct.search import walk_by_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.certificates.certify_bound import BoundProblem

    Floats = NDArray[np.float64]

__all__ = ["WalkEvidence", "proved_weights"]

CHECK_SECONDS = 100  # what a checker predicts at most for the walks; it takes about half of that
EXTRA_BITS = 6  # of a weight, beside those that number the cells: rounding takes at most 1/64 off their sum
LARGEST_SUM = 1 << 61
MOST_LEVELS = 4096
FEWEST_NODES = 1000
BUDGET_SHIFTS = (9, 6, 3, 0)  # of the most nodes: first walks are 2**9 times as short


@dataclass(frozen=True, eq=False)
class WalkEvidence:
    """Whole weights of the cells that no conjunction passes its cost under, and the walks that show it.

    Attributes
    ----------
    weights : list of int
        In multiples of 2**exponent.
    exponent : int
    walks : tuple of list of int
        For each list of penalties how many conjunctions the walk weighs, and the cells that it goes by.
    """

    weights: list[int]
    exponent: int
    walks: tuple[list[int], ...]

    @property
    def value(self) -> Fraction:
        """What is proved."""
        return sum(self.weights) * Fraction(2) ** self.exponent

    def lines(self) -> tuple[str, ...]:
        """Return the lines of the file."""
        lines = [["w", *self.weights], *(["walk", *walk] for walk in self.walks)]
        return tuple(" ".join(map(str, line)) for line in lines)


class Walker:
    """Rounds weights and walks: what is the same whatever they are scaled by.

    Parameters
    ----------
    problem : BoundProblem
    exponent : int
        Weights are rounded to multiples of 2**exponent.
    """

    def __init__(self, problem: BoundProblem, exponent: int) -> None:
        self.problem, self.exponent = problem, exponent
        unit = Fraction(2) ** exponent
        masses, positive, price = problem.masses[1], problem.positive_class, problem.price
        classes = range(len(problem.table.classes)) if problem.kind == "partition" else [positive]
        errors = [[sum(own) - own[k] for own in masses] for k in classes]  # of each list, what calling a cell k costs
        charges = [[mass if price is None else price * mass / unit for mass in own] for own in errors]
        self.scale = lcm(
            (1 / unit).denominator, *{1 if price is None else charge.denominator for own in charges for charge in own}
        )
        self.limit = int(self.scale / unit)
        # Where no error is allowed, any costs more than all weights: a charge of 0 or 1 stands for none and that.
        self.charges = [
            [int(charge > 0) if price is None else int(charge * self.scale) for charge in own] for own in charges
        ]
        caps = [Fraction(LARGEST_SUM) if price is None else price * own[positive] / unit for own in masses]
        self.caps = [int(cap) for cap in caps]
        if problem.kind != "partition" and price is None:
            self.caps = [0 if error else cap for error, cap in zip(errors[0], self.caps, strict=True)]
        first, step = (0, 1) if problem.literals == "both" else (1, 2)
        self.literals = np.arange(first, 2 * problem.table.rows.n_variables, step)

    def rounded(self, weights: Floats) -> list[int]:
        """Return weights rounded down, as the claim takes them."""
        whole: list[int] = np.floor(weights / 2.0**self.exponent).astype(np.int64).tolist()
        if self.problem.kind == "partition":
            return whole
        return [max(0, min(weight, cap)) for weight, cap in zip(whole, self.caps, strict=True)]

    def lists(self, whole: list[int]) -> list[list[int]]:
        """Return the lists of weights that no conjunction may pass the limit under, in whole numbers."""
        scaled = [self.scale * weight for weight in whole]
        above = sum(max(weight, 0) for weight in scaled)
        lists = []
        for charges in self.charges:
            own = [above * charge for charge in charges] if self.problem.price is None else charges
            # No charge needs to be above all other weights.
            lists.append([max(weight - charge, -above - 1) for weight, charge in zip(scaled, own, strict=True)])
        return lists

    def most_nodes(self, weights: Floats, check_seconds: float) -> int:
        """Return how many conjunctions a checker weighs in some seconds."""
        n_variables = self.problem.table.rows.n_variables
        return max(FEWEST_NODES, int(check_seconds / predicted_walk_seconds(1, self.rounded(weights), n_variables)))

    def walked(self, weights: Floats, max_nodes: int, end: float | None) -> WalkEvidence | None:
        """Return weights with their walks, or None where a conjunction passes its cost, or walks are longer."""
        whole = self.rounded(weights)
        lists = self.lists(whole)
        if max(sum(map(abs, own)) for own in lists) > LARGEST_SUM:
            return None
        walks = []
        for own in lists:
            if max_nodes < 1:
                return None
            walk = walk_by_rows(
                self.problem.masses[0],
                np.array(own),
                self.limit,
                literals=self.literals,
                max_size=self.problem.size,
                max_nodes=max_nodes,
                keep_trace=True,
                time_limit=seconds_until(end),
            )
            if not walk.is_within:
                return None
            max_nodes -= walk.n_nodes
            walks.append([walk.n_nodes, *walk.trace.tolist()])
        return WalkEvidence(whole, self.exponent, tuple(walks))


def proved_weights(
    problem: BoundProblem, weights: Floats, *, check_seconds: float = CHECK_SECONDS, end: float | None = None
) -> WalkEvidence | None:
    """Scale weights down until walks that are not too long show that no conjunction passes its cost, or return None.

    Parameters
    ----------
    problem : BoundProblem
    weights : ndarray of float64, shape (cells,)
    check_seconds : float
        What the walks may take a checker.
    end : float, optional
        When to stop, by the clock.

    Notes
    -----
    Weights that are feasible stay so when they are scaled down, and walks get shorter, if not at every step. What is
    proved is raised to a multiple of the grid, so the scale is the least that reaches one. The highest multiple is
    found by halving, with short walks first, so that something is proved before time ends.
    """
    total = float(weights.sum())
    grid = max(1 / problem.grid, total / MOST_LEVELS)
    exponent = -(EXTRA_BITS + len(weights).bit_length())
    walker = Walker(problem, exponent)
    max_nodes = walker.most_nodes(weights, check_seconds)
    best: WalkEvidence | None = None
    least, most = 0, ceil(total / grid - 1e-6)
    for shift in BUDGET_SHIFTS:
        top = attempt = most
        while least < top and (end is None or monotonic() < end):
            wanted = (attempt - 1) * grid + 2.0**exponent * len(weights) + 1e-9
            evidence = walker.walked(weights * min(1.0, wanted / total), max(max_nodes >> shift, FEWEST_NODES), end)
            if evidence is not None:
                best, least = evidence, attempt
            else:
                top = attempt - 1
            attempt = (least + top + 1) // 2
    return best
