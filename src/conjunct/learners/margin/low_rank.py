"""Few features on many cells: the risk minimised in a space of as many dimensions as the Gram matrix has rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits import require_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.kernels import PairSums
    from conjunct.learners.margin.dual_forms import State, Svm

    Floats = NDArray[np.float64]

__all__ = ["LowRank"]

MOST_RANK = 300
LEAST_PIVOT = 1e-11  # of the largest kernel value: below, the rest of the matrix is rounding
MOST_ROUNDS = 60


@dataclass(frozen=True, eq=False)
class LowRank:
    """A Gram matrix as L L', by Cholesky with the largest pivot first.

    Attributes
    ----------
    columns : ndarray of shape (rank, cells)
        L transposed.
    """

    columns: Floats

    @classmethod
    def of(cls, pairs: PairSums, table: Floats, diagonal: Floats, rank_limit: int | None = None) -> LowRank | None:
        """Factor the Gram matrix of all pairs; None where its rank passes what pays.

        What is known of the rank tells how much memory L takes, by columns and by rows.
        """
        n_cells = len(diagonal)
        most = min(MOST_RANK, n_cells // 2)
        need = 2 * 8 * n_cells * (most if rank_limit is None else min(most, rank_limit))
        require_memory(need, f"Newton's method on {n_cells} different rows", "use fewer rows, or solver='margin'")
        rest, columns = diagonal.copy(), np.zeros((most, n_cells))
        least = LEAST_PIVOT * float(np.max(diagonal))
        for rank in range(most):
            pivot = int(np.argmax(rest))
            if rest[pivot] <= least:
                return cls(columns[:rank])
            column = np.zeros(n_cells)
            pairs.add(table, np.array([pivot]), np.ones(1), column)
            _core.add_rows(columns[:rank], -columns[:rank, pivot].copy(), column)
            columns[rank] = column / np.sqrt(rest[pivot])
            rest -= columns[rank] * columns[rank]
            rest[pivot] = 0.0
        return cls(columns) if float(np.max(rest)) <= least else None

    def solve(self, form: Svm, state: State) -> Floats:
        """Return the net weights at the least risk, by Newton's method with an exact search along every step.

        Notes
        -----
        The risk is norm^2 of w plus the charges of f = L w, convex and made of parabolas: Newton's steps end at its
        minimum after finitely many pieces [chapelle2007].
        """
        rows = np.ascontiguousarray(self.columns.T)
        rank = len(self.columns)
        room, point, scores = np.empty((rank, rank)), np.zeros(rank), np.zeros(rows.shape[0])
        for _ in range(MOST_ROUNDS):
            mass, pull = form.paid(replace(state, scores=scores))
            ahead = np.array([np.sum(column * pull) for column in self.columns])  # without a second L
            if not _core.normal_solution(rows, mass, state.lam, room, ahead):
                break
            change, shift = ahead - point, np.zeros(len(scores))
            _core.add_rows(self.columns, change, shift)
            line, curve = float(np.sum(point * change)), float(np.sum(change * change))
            step = form.best_step(replace(state, scores=scores), shift, line, curve)
            point, scores = point + step * change, scores + step * shift
            if abs(step - 1) < 1e-9 and np.array_equal(form.paid(replace(state, scores=scores))[0], mass):
                break
        return form.answer(replace(state, scores=scores))
