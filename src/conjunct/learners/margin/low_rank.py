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

__all__ = ["LARGEST_RANK", "LowRank"]

LARGEST_RANK = 300
LEAST_PIVOT = 1e-11  # of the largest kernel value: below, the rest of the matrix is rounding
NEWTON_STEPS = 60


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
        largest_rank = min(LARGEST_RANK, n_cells // 2)
        rank_to_expect = largest_rank if rank_limit is None else min(largest_rank, rank_limit)
        need = 2 * 8 * n_cells * rank_to_expect
        require_memory(need, f"Newton's method on {n_cells} different rows", "use fewer rows, or solver='margin'")
        rest, columns = diagonal.copy(), np.zeros((largest_rank, n_cells))
        least_pivot = LEAST_PIVOT * float(np.max(diagonal))
        for rank in range(largest_rank):
            # 1. The largest pivot that is left: the smaller it is, the less is left of the matrix.
            pivot = int(np.argmax(rest))
            if rest[pivot] <= least_pivot:
                return cls(columns[:rank])
            # 2. Its column of the matrix, without what the columns so far make of it.
            column = np.zeros(n_cells)
            pairs.add(table, np.array([pivot]), np.ones(1), column)
            _core.add_rows(columns[:rank], -columns[:rank, pivot].copy(), column)
            columns[rank] = column / np.sqrt(rest[pivot])
            # 3. The diagonal of what is left; the pivot leaves nothing, whatever rounding says.
            rest -= columns[rank] * columns[rank]
            rest[pivot] = 0.0
        return cls(columns) if float(np.max(rest)) <= least_pivot else None

    def solve(self, form: Svm, state: State) -> Floats:
        """Return the net weights at the least risk, by Newton's method with an exact line search.

        Notes
        -----
        The risk is norm^2 of w plus the charges of f = L w, convex and made of parabolas: Newton's steps end at its
        minimum after finitely many pieces [chapelle2007].
        """
        rows = np.ascontiguousarray(self.columns.T)
        rank = len(self.columns)
        matrix, point, scores = np.empty((rank, rank)), np.zeros(rank), np.zeros(rows.shape[0])
        for _ in range(NEWTON_STEPS):
            # 1. The minimum of the parabola here: (lam I + L' M L) w = L' (p - n), M the masses that pay.
            mass, pull = form.paying(replace(state, scores=scores))
            minimum = np.array([np.sum(column * pull) for column in self.columns])  # without a second L
            if not _core.normal_solution(rows, mass, state.lam, matrix, minimum):
                break
            # 2. Line search: beyond the parabola the risk may rise again.
            change, shift = minimum - point, np.zeros(len(scores))
            _core.add_rows(self.columns, change, shift)
            slope, curve = float(np.sum(point * change)), float(np.sum(change * change))
            step = form.best_step(replace(state, scores=scores), shift, slope, curve)
            point, scores = point + step * change, scores + step * shift
            # 3. A whole step among the same payers has reached the minimum of them all.
            if abs(step - 1) < 1e-9 and np.array_equal(form.paying(replace(state, scores=scores))[0], mass):
                break
        return form.weights_at(replace(state, scores=scores))
