"""Exact minimisation of the squared hinge over polynomials of conjunctions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.kernels import Kernel, PairSums
from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.learners.margin.batch_settings import positive_lam, require_gap, require_limit
from conjunct.learners.margin.cell_descent import CellDescent, Round
from conjunct.learners.margin.dual_forms import State, Svm
from conjunct.learners.margin.dual_solution import DualSolution
from conjunct.learners.margin.float_range import require_range
from conjunct.learners.margin.following import reason_to_stop
from conjunct.learners.margin.labelled_cells import LabelledCells
from conjunct.learners.margin.rounding import best_rounding
from conjunct.theory import Exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]

__all__ = ["ConjunctionSVM"]


@dataclass(frozen=True)
class ConjunctionSVM:
    """Minimise R+ = norm^2 + (1/lam) sum q [1 - y f]_+^2 over the polynomials f of a kernel, to a duality gap.

    Parameters
    ----------
    kernel : Kernel
    lam : int, Fraction, "p/q" or float
        Positive; 4/lam is the price of an error in leaves of a tree (with all costs 1).
    tol : float
        Stop when (risk - bound) / risk is at most this.
    max_iter : int, optional
        Stop after so many blocks of cells.

    Notes
    -----
    The dual is (sum a)^2 / (a'Qa + lam a'a) over a >= 0; equal rows are pooled, so that a weight belongs to the rows of
    one cell and label together [kowalczyk2002, Section 3]. The optimum has no free intercept: the constant is a feature
    with the cost K_0. When the search in floats stops, weights are rounded to at most 40 bits, and bound, risk and gap
    are computed from these integers.

    Examples
    --------
    The conjunction of two variables, as a polynomial of all conjunctions of literals:

    >>> from conjunct.bits import BitMatrix
    >>> from conjunct.kernels import Conjunctions
    >>> rows = BitMatrix.of(["00", "01", "10", "11"])
    >>> found = ConjunctionSVM(Conjunctions(2), lam=1, tol=1e-9).run(rows, [-1, -1, -1, 1])
    >>> round(float(found.bound), 6), found.gap < 1e-9
    (1.1, True)
    """

    kernel: Kernel
    lam: Exact = 1
    tol: float = 1e-3
    max_iter: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", positive_lam(self.lam))
        require_gap(self.tol)
        require_limit(self.max_iter)

    def run(self, rows: BitMatrix, signs: Any, weights: Any = None) -> DualSolution:
        """Pool rows with labels -1 and +1 and learn from them."""
        return self.solve(LabelledCells.of(rows, signs, weights))

    def solve(
        self,
        cells: LabelledCells,
        pairs: PairSums | None = None,
        start: NDArray[np.float64] | None = None,
        is_stopped: Callable[[], str] = str,
        watch: Callable[[Round], None] | None = None,
        keeps_interrupted: bool = False,
    ) -> DualSolution:
        """Learn from pooled rows.

        Parameters
        ----------
        cells : LabelledCells
        pairs : PairSums, optional
            Of the cells, where it exists already.
        start : ndarray, optional
            Net weights of the cells to start from, such as those of a neighbour on a path.
        is_stopped : callable
            Asked between blocks, after the first; text says why to stop here, "" to go on. The same blocks as
            `max_iter` then give the same solution.
        watch : callable, optional
            Told where the search stands.
        keeps_interrupted : bool
            On Ctrl-C stop and return the best so far, weighed as any other, instead of raising.
        """
        lam, layout = Fraction(self.lam), self.kernel.layout(cells.rows)
        require_range(self.kernel, lam, cells)
        table = layout.floats
        pairs = PairSums(layout, cells.rows) if pairs is None else pairs
        form, reason = Svm(), ""

        def is_over(n_blocks: int) -> bool:
            nonlocal reason
            reason = reason_to_stop(n_blocks, self.max_iter, is_stopped)
            return bool(reason)

        rank = rank_limit(self.kernel, cells.rows.n_variables)
        search = CellDescent(form, pairs, table, *cells.floats(), float(lam), start, rank)
        history: list[Round] = []
        try:
            for stands in search.rounds(float(self.tol), is_over):
                if not history or stands.n_iter > history[-1].n_iter:
                    history.append(stands)
                    if watch is not None:
                        watch(stands)
        except KeyboardInterrupt:
            if not keeps_interrupted:
                raise
            reason = "interrupted"  # the weights are whole at any moment; all else is computed from them anew
        if search.n_blocks > history[-1].n_iter and reason != "interrupted":
            history.append(search.measure())
        if not reason:
            reason = "gap" if history[-1].gap <= self.tol else "precision"
        groups = best_scaled(form, search.state)

        def weigh(whole: tuple[Wholes, Wholes, int]) -> DualSolution:
            return DualSolution(self.kernel, lam, cells, *whole, search.n_blocks, reason, tuple(history)).weigh(pairs)

        return best_rounding(weigh, groups, layout, float(self.tol)).judged(float(self.tol))


def rank_limit(kernel: Kernel, n_variables: int) -> int | None:
    """Return the dimension of the polynomials of the kernel's degree; None where the kernel is no single one.

    Negated literals add no dimension: 1 - x is a polynomial of the same degree.
    """
    if not isinstance(kernel, AgreementKernel):
        return None
    degree = n_variables if kernel.largest_size is None else min(kernel.largest_size, n_variables)
    return sum(comb(n_variables, size) for size in range(degree + 1))


def best_scaled(form: Svm, state: State) -> tuple[Floats, Floats]:
    """Return the weights of the groups at the scale that makes their risk least."""
    scale = form.kept_scale(state)
    positive, negative = form.groups(state)
    return scale * positive, scale * negative
