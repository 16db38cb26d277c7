"""Block coordinate descent on a quadratic dual over cells: floats search here, integers decide later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits.randomness import random_permutation
from conjunct.kernels import PairSums
from conjunct.learners.margin.dual_forms import DualForm, State, Svm
from conjunct.learners.margin.low_rank import LARGEST_RANK, LowRank
from conjunct.learners.margin.search import Round

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["CELLS_PER_BLOCK", "CellDescent"]

CELLS_PER_BLOCK = 384
SWEEPS_IN_BLOCK = 2
SWEEPS_IN_ONLY_BLOCK = 32  # where one block holds the whole working set
TOLERANCES_NEAR = 20  # a gap of fewer is near the end, and measured more often
ROUNDS_PER_NEAR_SWEEP = 4
SWEEPS_BETWEEN_SPEED_CHECKS = 5
LARGEST_SWEEPS_TO_GO = 40  # at the present speed; more are worth an acceleration
CONJUGATE_STEPS = 30
RESIDUAL_LEFT = 1e-4  # of the squared residual, where conjugate gradients stop
SWEEPS_BEFORE_SHRINKING = 2
SHRINKING_SHARE = 1 / 3  # of the cells: a smaller working set is solved by itself
CHECKS_WITHOUT_PROGRESS = 4  # in a row, each after some sweeps and an acceleration: floats can do no more


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
        Weights for a warm start.
    rank : int, optional
        What the rank of the Gram matrix cannot pass, if anything is told of it.
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
        self.rank, self._may_be_low_rank = rank, rank is None or rank <= LARGEST_RANK
        self.diagonal = pairs.diagonal(table)

    def rounds(self, tol: float, is_stopped: Callable[[int], bool]) -> Iterator[Round]:
        """Search until the gap is at most `tol` or `is_stopped(n_blocks)`; yield whenever the gap was measured.

        Where rounding keeps the gap above `tol`, the search ends once neither bound nor gap get any better.
        """
        current = self.measure()
        yield current
        best, last_gap, is_near, n_sweeps, n_idle = current, 1.0, False, 0, 0
        while (current.gap > tol or self.n_blocks == 0) and not is_stopped(self.n_blocks):
            # 1. Shrink: few cells that can still change are solved without the scores of all others.
            if n_sweeps >= SWEEPS_BEFORE_SHRINKING and self._is_shrinking():
                self._solve_working_set(tol, is_stopped)
                if is_stopped(self.n_blocks):
                    yield self.measure()
                    return
            working_set = self._working_set()
            if len(working_set) == 0:
                yield self.measure()
                return
            # 2. Sweep over the working set in an order drawn anew; near the end measure several times on the way.
            order = working_set[random_permutation(0, len(working_set), stream=n_sweeps)]
            blocks = np.array_split(order, max(1, round(len(order) / CELLS_PER_BLOCK)))
            blocks_per_round = max(1, len(blocks) // ROUNDS_PER_NEAR_SWEEP) if is_near else len(blocks)
            for n_done, block in enumerate(blocks, 1):
                self.improve(block, SWEEPS_IN_ONLY_BLOCK if len(blocks) == 1 else SWEEPS_IN_BLOCK)
                if n_done % blocks_per_round == 0 or is_stopped(self.n_blocks):
                    current = self.measure()
                    yield current
                    if current.gap <= tol or is_stopped(self.n_blocks):
                        return
            is_near, n_sweeps = current.gap < TOLERANCES_NEAR * tol, n_sweeps + 1
            if n_sweeps % SWEEPS_BETWEEN_SPEED_CHECKS:
                continue
            # 3. Accelerate where the gap falls too slowly: sweeps to go are log(gap / tol) over the fall of log(gap).
            speed = -log(max(current.gap, tol) / last_gap) / SWEEPS_BETWEEN_SPEED_CHECKS
            if log(current.gap / tol) > LARGEST_SWEEPS_TO_GO * speed:
                self.accelerate()
                current = self.measure()
                yield current
            last_gap = current.gap
            # 4. Give up where neither sweeps nor accelerations help: that is what floats can do.
            n_idle = 0 if is_progress(best, current) else n_idle + 1
            if n_idle == CHECKS_WITHOUT_PROGRESS:
                return
            best = best_of(best, current)

    def _working_set(self) -> NDArray[np.int64]:
        return np.flatnonzero(~self.form.is_settled(self.state))

    def _is_shrinking(self) -> bool:
        return len(self._working_set()) < SHRINKING_SHARE * len(self.state.weights)

    def _solve_working_set(self, tol: float, is_stopped: Callable[[int], bool]) -> None:
        """Solve the working set by itself, without the scores of all other cells; these follow at the end."""
        state, cells, n_before = self.state, self._working_set(), self.n_blocks
        pairs = PairSums(self.pairs.layout, self.pairs.rows[cells])
        masses, start = (state.positive[cells], state.negative[cells]), state.weights[cells]
        inner = CellDescent(self.form, pairs, self.table, *masses, state.lam, start, self.rank)
        for _ in inner.rounds(tol / 2, lambda n_blocks: is_stopped(n_before + n_blocks)):
            pass
        self._move(cells, inner.state.weights, inner.n_blocks)

    def improve(self, block: NDArray[np.int64], n_sweeps: int) -> None:
        """Solve the cells of a block, all else fixed, and let all scores follow."""
        state = self.state
        weights, scores = state.weights[block], state.scores[block]
        masses = state.positive[block], state.negative[block]
        gram = self.pairs.gram(self.table, block)
        _core.cell_descent(self.form.code, gram, *masses, state.lam, n_sweeps, weights, scores)
        self._move(block, weights, 1)

    def _move(self, cells: NDArray[np.int64], weights: Floats, n_blocks: int) -> None:
        """Give cells new weights, and all cells their scores; an interrupt leaves the state of before, or this one."""
        change = weights - self.state.weights[cells]
        has_changed = change != 0
        state = replace(self.state, weights=self.state.weights.copy(), scores=self.state.scores.copy())
        state.weights[cells] = weights
        self.pairs.add(self.table, cells[has_changed], change[has_changed], state.scores)
        self.state, self.n_blocks = state, self.n_blocks + n_blocks

    def accelerate(self) -> None:
        """Leave the slow road: minimise the risk in few dimensions where these do, else go to the face's optimum."""
        self.n_blocks += 1  # so that the count tells every state from the others
        if self._may_be_low_rank and isinstance(self.form, Svm):
            low_rank = LowRank.of(self.pairs, self.table, self.diagonal, self.rank)
            self._may_be_low_rank = low_rank is not None
            if low_rank is not None and self._adopt(self._feasible(low_rank.solve(self.form, self.state))):
                return
        state = self.state
        is_free, curvature, target = self.form.face(state)
        change, shift = self._to_face_optimum(np.flatnonzero(is_free), curvature, target)
        for share in (1.0, 0.25):
            if self._adopt(self._feasible(state.weights + share * change, state.scores + share * shift)):
                return

    def _adopt(self, candidate: State) -> bool:
        """Go to a state if its value is larger."""
        is_better = self.form.values(candidate)[0] > self.form.values(self.state)[0]
        if is_better:
            self.state = candidate
        return is_better

    def _to_face_optimum(self, cells: NDArray[np.int64], curvature: Floats, target: Floats) -> tuple[Floats, Floats]:
        """Solve score + curvature b = target for the free cells: the change of the weights and of all scores.

        By conjugate gradients. A step costs as much as a sweep, but their number grows with the square root of the
        condition only: few large eigenvalues, as of short conjunctions on many rows, make coordinate steps slow.
        """
        n_cells, weights, scores = len(self.state.weights), self.state.weights, self.state.scores
        change, shift = np.zeros(n_cells), np.zeros(n_cells)
        # 1. Steps are scaled by the diagonal: cells of little mass would govern the residual.
        curve = curvature[cells]
        residual = target[cells] - scores[cells] - curve * weights[cells]
        scale = 1 / (self.diagonal[cells] + curve)
        direction = scale * residual
        size = first_size = float(np.sum(residual * direction))
        for _ in range(CONJUGATE_STEPS):
            # 2. Exact line search along the direction; its image gives the scores of all cells as well.
            image = np.zeros(n_cells)
            self.pairs.add(self.table, cells, direction, image)
            free_image = image[cells] + curve * direction
            length_sq = float(np.sum(direction * free_image))
            if not length_sq > 0:
                break
            step = size / length_sq
            change[cells] += step * direction
            shift += step * image
            # 3. The residual without this direction; enough once it is small.
            residual -= step * free_image
            size, last_size = float(np.sum(residual * scale * residual)), size
            if not size > RESIDUAL_LEFT * first_size:
                break
            # 4. The next direction, conjugate to all before.
            direction = scale * residual + (size / last_size) * direction
        return change, shift

    def _feasible(self, weights: Floats, scores: Floats | None = None) -> State:
        """Return the nearest weights that the form allows, with their scores; `scores` are those of `weights`."""
        feasible = self.form.feasible(self.state, weights)
        if scores is None:
            scores, weights = np.zeros(len(weights)), np.zeros(len(weights))
        cells = np.flatnonzero(feasible != weights)
        self.pairs.add(self.table, cells, (feasible - weights)[cells], scores)
        return replace(self.state, weights=feasible, scores=scores)

    def measure(self) -> Round:
        """Measure value and risk of the present weights."""
        bound, risk = self.form.values(self.state)
        return Round(self.n_blocks, bound, risk)


def best_of(first: Round, second: Round) -> Round:
    """Return the larger bound and the smaller risk of two rounds."""
    return Round(second.n_iter, max(first.bound, second.bound), min(first.risk, second.risk))


def is_progress(best: Round, current: Round) -> bool:
    """Say whether the bound rose by more than rounding, or the gap between the best bound and risk fell."""
    return current.bound > best.bound * (1 + 1e-12) or best_of(best, current).gap < 0.99 * best.gap
