"""Block coordinate descent on a quadratic dual over cells: floats search here, integers decide later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits.randomness import random_permutation
from conjunct.kernels import PairSums
from conjunct.learners.margin.dual_forms import DualForm, State, Svm
from conjunct.learners.margin.low_rank import MOST_RANK, LowRank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["CellDescent", "Round"]

BLOCK = 384
SWEEPS_IN_BLOCK = 2
SWEEPS_ALONE = 32  # where one block holds every open cell
CHECKS_PER_SWEEP = 4
PATIENCE = 5  # sweeps between two looks at how fast the gap falls
FAR = 40  # sweeps to go at that speed are too many: a leap
MOST_STEPS = 30  # of a leap
SHRINK_AFTER = 2  # sweeps
SHRINK_BELOW = 1 / 3  # of the cells open: these are solved by themselves
ENOUGH = 1e-4  # of the squared residual may be left by a leap
MOST_IDLE = 4  # looks in a row, each after some sweeps and a leap, that found no progress


@dataclass(frozen=True)
class Round:
    """Where a search stands.

    Attributes
    ----------
    n_iter : int
        Blocks, steps or updates so far.
    bound, risk : float
        The value of the weights and the least risk seen, in floats.
    """

    n_iter: int
    bound: float
    risk: float

    @property
    def gap(self) -> float:
        """The relative gap, (risk - bound) / risk; 0 where no row has mass, as a fold may leave two classes."""
        return max(0.0, 1 - self.bound / self.risk) if self.risk else 0.0


class CellDescent:
    """Maximise a quadratic dual block by block, in an order drawn anew for every sweep.

    Notes
    -----
    A block of cells is solved against its own Gram matrix, two sweeps of exact coordinate steps, and then all scores
    follow at once. The order must be drawn anew: under one order kept, kernels with a large constant part converge
    hundreds of times more slowly, and greedy choices pick cells that correct each other (`docs/performance.md`).

    Parameters
    ----------
    form : DualForm
    pairs : PairSums
        Of the cells.
    table : ndarray
        The kernel's values by agreement count.
    positive, negative : ndarray
        The masses of the cells; cells without any keep the weight 0, and their scores are kept up all the same.
    lam : float
    start : ndarray, optional
        Weights to start from.
    rank : int, optional
        What the rank of the Gram matrix cannot pass, where that is known.
    """

    def __init__(
        self,
        form: DualForm,
        pairs: PairSums,
        table: NDArray[np.float64],
        positive: NDArray[np.float64],
        negative: NDArray[np.float64],
        lam: float,
        start: NDArray[np.float64] | None = None,
        rank: int | None = None,
    ) -> None:
        self.form, self.pairs, self.table = form, pairs, table
        n_cells = pairs.rows.n_rows
        weights = np.zeros(n_cells) if start is None else start.copy()
        self.state = State(positive, negative, lam, weights, np.zeros(n_cells))
        pairs.add(table, np.flatnonzero(weights), weights[weights != 0], self.state.scores)
        self.n_blocks = 0
        self.rank, self._may_be_low = rank, rank is None or rank <= MOST_RANK
        self.diagonal = pairs.diagonal(table)

    def rounds(self, tol: float, is_stopped: Callable[[int], bool]) -> Iterator[Round]:
        """Search until the gap is at most `tol` or `is_stopped(n_blocks)`; yield whenever the gap was measured.

        Where rounding keeps the gap above `tol`, the search ends once neither bound nor gap get any better.
        """
        stands = self.measure()
        yield stands
        sweep, is_near, before = 0, False, 1.0
        best, n_idle = stands, 0
        while (stands.gap > tol or self.n_blocks == 0) and not is_stopped(self.n_blocks):
            if sweep >= SHRINK_AFTER and len(self._open()) < SHRINK_BELOW * len(self.state.weights):
                self._solve_open(tol, is_stopped)
                if is_stopped(self.n_blocks):
                    yield self.measure()
                    return
            open_cells = self._open()
            if len(open_cells) == 0:
                yield self.measure()
                return
            order = open_cells[random_permutation(0, len(open_cells), stream=sweep)]
            blocks = np.array_split(order, max(1, round(len(order) / BLOCK)))
            every = max(1, len(blocks) // CHECKS_PER_SWEEP) if is_near else len(blocks)
            for place, block in enumerate(blocks, 1):
                self.improve(block, SWEEPS_ALONE if len(blocks) == 1 else SWEEPS_IN_BLOCK)
                if place % every == 0 or is_stopped(self.n_blocks):
                    stands = self.measure()
                    yield stands
                    if stands.gap <= tol or is_stopped(self.n_blocks):
                        return
            is_near, sweep = stands.gap < 20 * tol, sweep + 1
            if sweep % PATIENCE == 0:
                falls = -log(max(stands.gap, tol) / before) / PATIENCE
                if log(stands.gap / tol) > FAR * falls:
                    self.leap()
                    stands = self.measure()
                    yield stands
                before = stands.gap
                n_idle = 0 if is_progress(best, stands) else n_idle + 1
                if n_idle == MOST_IDLE:
                    return
                best = Round(stands.n_iter, max(best.bound, stands.bound), min(best.risk, stands.risk))

    def _open(self) -> NDArray[np.int64]:
        return np.flatnonzero(~self.form.is_settled(self.state))

    def _solve_open(self, tol: float, is_stopped: Callable[[int], bool]) -> None:
        """Solve the open cells among themselves, without the scores of all others; these follow at the end."""
        state, cells, so_far = self.state, self._open(), self.n_blocks
        pairs = PairSums(self.pairs.layout, self.pairs.rows[cells])
        masses, before = (state.positive[cells], state.negative[cells]), state.weights[cells]
        inner = CellDescent(self.form, pairs, self.table, *masses, state.lam, before, self.rank)
        for _ in inner.rounds(tol / 2, lambda n_blocks: is_stopped(so_far + n_blocks)):
            pass
        self.n_blocks += inner.n_blocks
        state.weights[cells] = inner.state.weights
        self.pairs.add(self.table, cells, inner.state.weights - before, state.scores)

    def improve(self, block: NDArray[np.int64], n_sweeps: int) -> None:
        """Solve the cells of a block, all else fixed, and let all scores follow."""
        state = self.state
        weights, scores = state.weights[block], state.scores[block]
        masses = state.positive[block], state.negative[block]
        gram = self.pairs.gram(self.table, block)
        _core.cell_descent(self.form.code, gram, *masses, state.lam, n_sweeps, weights, scores)
        change = weights - state.weights[block]
        moved = change != 0
        self.pairs.add(self.table, block[moved], change[moved], state.scores)
        state.weights[block] = weights
        self.n_blocks += 1

    def leap(self) -> None:
        """Leave the slow road: minimise the risk in few dimensions where these do, else go to the face's optimum."""
        self.n_blocks += 1  # so that the count tells every state from the others
        if self._may_be_low and isinstance(self.form, Svm):
            low_rank = LowRank.of(self.pairs, self.table, self.diagonal, self.rank)
            self._may_be_low = low_rank is not None
            if low_rank is not None and self._adopt(self._allowed(low_rank.solve(self.form, self.state))):
                return
        state = self.state
        free, curvature, target = self.form.face(state)
        change, shift = self._towards(np.flatnonzero(free), curvature, target, state.weights, state.scores)
        for share in (1.0, 0.25):
            if self._adopt(self._allowed(state.weights + share * change, state.scores + share * shift)):
                return

    def _adopt(self, there: State) -> bool:
        """Go to a state if its value is larger."""
        is_better = self.form.values(there)[0] > self.form.values(self.state)[0]
        if is_better:
            self.state = there
        return is_better

    def _towards(
        self, chosen: NDArray[np.int64], curvature: Floats, target: Floats, weights: Floats, scores: Floats
    ) -> tuple[Floats, Floats]:
        """Solve score + curvature b = target for the chosen cells: the change of the weights and of all scores.

        By conjugate gradients. A step costs as much as a sweep, but their number grows with the square root of the
        condition only: few large eigenvalues, as of short conjunctions on many rows, make coordinate steps slow.
        """
        change, shift = np.zeros(len(weights)), np.zeros(len(weights))
        curve = curvature[chosen]
        residual = target[chosen] - scores[chosen] - curve * weights[chosen]
        scale = 1 / (self.diagonal[chosen] + curve)
        ahead = scale * residual
        size = goal = float(np.sum(residual * ahead))
        for _ in range(MOST_STEPS):
            image = np.zeros(len(weights))
            self.pairs.add(self.table, chosen, ahead, image)
            bent = image[chosen] + curve * ahead
            length = float(np.sum(ahead * bent))
            if not length > 0:
                break
            step = size / length
            change[chosen] += step * ahead
            shift += step * image
            residual -= step * bent
            size, last = float(np.sum(residual * scale * residual)), size
            if not size > ENOUGH * goal:
                break
            ahead = scale * residual + (size / last) * ahead
        return change, shift

    def _allowed(self, wished: Floats, scores: Floats | None = None) -> State:
        """Return the nearest weights that the form allows, with their scores, given those of the wished ones."""
        weights = self.form.feasible(self.state, wished)
        if scores is None:
            scores, wished = np.zeros(len(weights)), np.zeros(len(weights))
        cut = np.flatnonzero(weights != wished)
        self.pairs.add(self.table, cut, (weights - wished)[cut], scores)
        return replace(self.state, weights=weights, scores=scores)

    def measure(self) -> Round:
        """Measure value and risk of the present weights."""
        bound, risk = self.form.values(self.state)
        return Round(self.n_blocks, bound, risk)


def is_progress(best: Round, stands: Round) -> bool:
    """Say whether the bound rose by more than rounding, or the gap between the best bound and risk fell."""
    both = Round(stands.n_iter, max(best.bound, stands.bound), min(best.risk, stands.risk))
    return stands.bound > best.bound * (1 + 1e-12) or both.gap < 0.99 * best.gap
