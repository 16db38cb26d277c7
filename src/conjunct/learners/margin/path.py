"""The squared hinge along a path: many kernels and regularisations on the same cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.learners.margin.cell_descent import CELLS_PER_BLOCK, CellDescent
from conjunct.learners.margin.conjunction_svm import rank_limit
from conjunct.learners.margin.dual_forms import Svm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.kernels import Kernel, PairSums

__all__ = ["PathPoint", "margin_path"]


@dataclass(frozen=True, eq=False)
class PathPoint:
    """One solution on the path, in floats.

    Attributes
    ----------
    kernel : Kernel
    lam : Fraction
    scores : ndarray
        Of all cells, those without mass among them.
    gap : float
        The relative gap reached.
    """

    kernel: Kernel
    lam: Fraction
    scores: NDArray[np.float64]
    gap: float


def margin_path(
    pairs: PairSums,
    path: Sequence[tuple[Kernel, Sequence[Fraction]]],
    positive: NDArray[np.float64],
    negative: NDArray[np.float64],
    tol: float,
    max_sweeps: int | None = None,
) -> Iterator[PathPoint]:
    """Solve for every kernel and each of its regularisations, with a warm start from the solution before.

    Parameters
    ----------
    pairs : PairSums
        Of all cells; its counts serve every kernel of the same shape.
    path : sequence of (Kernel, lams)
        Regularisations best from large to small: the weights then grow little by little.
    positive, negative : ndarray
        The masses of the cells. A cell without any, as one held out, has no weight but a score.
    tol : float
        The relative gap to reach.
    max_sweeps : int, optional
        Solve no more blocks of cells for a point than so many sweeps have.
    """
    most = None if max_sweeps is None else max_sweeps * -(-pairs.rows.n_rows // CELLS_PER_BLOCK)
    for kernel, lams in path:
        table = kernel.layout(pairs.rows).floats
        rank = rank_limit(kernel, pairs.rows.n_variables)
        weights = None
        for lam in lams:
            search = CellDescent(Svm(), pairs, table, positive, negative, float(lam), weights, rank)
            *_, last = search.rounds(tol, lambda n_blocks: most is not None and n_blocks >= most)
            weights = search.state.weights
            yield PathPoint(kernel, lam, search.state.scores, last.gap)
