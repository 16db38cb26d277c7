"""Block coordinate descent on a quadratic dual over cells: floats search here, integers decide later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits.randomness import random_permutation
from conjunct.learners.dual_forms import DualForm, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.kernels import PairSums

__all__ = ["CellDescent", "Round"]

BLOCK = 384
SWEEPS_IN_BLOCK = 2
CHECKS_PER_SWEEP = 4


@dataclass(frozen=True)
class Round:
    """Where the search stands after some blocks.

    Attributes
    ----------
    n_blocks : int
        Blocks so far.
    bound, risk : float
        The value of the weights and the least risk seen, in floats.
    """

    n_blocks: int
    bound: float
    risk: float

    @property
    def gap(self) -> float:
        """The relative gap, (risk - bound) / risk."""
        return max(0.0, 1 - self.bound / self.risk)


class CellDescent:
    """Maximise a quadratic dual block by block, in an order drawn anew for every sweep.

    Notes
    -----
    A block of cells is solved against its own Gram matrix, two sweeps of exact coordinate steps, and then all scores
    follow at once. The order must be drawn anew: under one order kept, kernels with a large constant part converge
    hundreds of times more slowly, and greedy choices pick cells that correct each other (`docs/performance.md`).
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
    ) -> None:
        self.form, self.pairs, self.table = form, pairs, table
        n_cells = pairs.rows.n_rows
        weights = np.zeros(n_cells) if start is None else start.copy()
        self.state = State(positive, negative, lam, weights, np.zeros(n_cells))
        pairs.add(table, np.flatnonzero(weights), weights[weights != 0], self.state.scores)
        self.n_blocks = 0

    def rounds(self, tol: float, is_stopped: Callable[[int], bool]) -> Iterator[Round]:
        """Search until the gap is at most `tol` or `is_stopped(n_blocks)`; yield whenever the gap was measured."""
        stands = self.measure()
        yield stands
        sweep, is_near = 0, False
        while stands.gap > tol and not is_stopped(self.n_blocks):
            open_cells = np.flatnonzero(~self.form.is_settled(self.state))
            if len(open_cells) == 0:
                return
            order = open_cells[random_permutation(0, len(open_cells), stream=sweep)]
            blocks = np.array_split(order, max(1, round(len(order) / BLOCK)))
            every = max(1, len(blocks) // CHECKS_PER_SWEEP) if is_near else len(blocks)
            for place, block in enumerate(blocks, 1):
                self.improve(block)
                if place % every == 0 or is_stopped(self.n_blocks):
                    stands = self.measure()
                    yield stands
                    if stands.gap <= tol or is_stopped(self.n_blocks):
                        return
            is_near = stands.gap < 20 * tol
            sweep += 1

    def improve(self, block: NDArray[np.int64]) -> None:
        """Solve the cells of a block, all else fixed, and let all scores follow."""
        state = self.state
        weights, scores = state.weights[block], state.scores[block]
        masses = state.positive[block], state.negative[block]
        gram = self.pairs.gram(self.table, block)
        _core.cell_descent(self.form.code, gram, *masses, state.lam, SWEEPS_IN_BLOCK, weights, scores)
        change = weights - state.weights[block]
        moved = change != 0
        self.pairs.add(self.table, block[moved], change[moved], state.scores)
        state.weights[block] = weights
        self.n_blocks += 1

    def measure(self) -> Round:
        """Measure value and risk of the present weights."""
        bound, risk = self.form.values(self.state)
        return Round(self.n_blocks, bound, risk)
