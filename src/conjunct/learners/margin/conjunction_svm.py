"""Exact minimisation of the squared hinge over polynomials of conjunctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from conjunct.kernels import Kernel, PairSums
from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.learners.margin.cell_descent import CellDescent
from conjunct.learners.margin.dual_forms import Svm
from conjunct.learners.margin.margin_machine import MarginMachine, relative_gap
from conjunct.learners.margin.rounding import best_rounding
from conjunct.settings import Exact

if TYPE_CHECKING:
    from conjunct.learners.margin.dual_solution import DualSolution
    from conjunct.learners.margin.labelled_cells import LabelledCells
    from conjunct.learners.margin.rounding import Weigh
    from conjunct.learners.margin.search import Limit, Round

__all__ = ["ConjunctionSVM"]


@dataclass(frozen=True)
class ConjunctionSVM(MarginMachine):
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
    >>> solution = ConjunctionSVM(Conjunctions(2), lam=1, tol=1e-9).run(rows, [-1, -1, -1, 1])
    >>> round(float(solution.bound), 6), solution.gap < 1e-9
    (1.1, True)
    """

    kernel: Kernel
    lam: Exact = 1
    tol: float = 1e-3
    max_iter: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        relative_gap(self.tol)

    def search(self, cells: LabelledCells, pairs: PairSums) -> DescentSearch:
        """Return a block descent from weights of 0."""
        return DescentSearch(self.kernel, cells, Fraction(self.lam), pairs, float(self.tol))


class DescentSearch:
    """Block descent on the squared hinge until its gap is small."""

    def __init__(self, kernel: Kernel, cells: LabelledCells, lam: Fraction, pairs: PairSums, tol: float) -> None:
        self.layout, self.tol = kernel.layout(cells.rows), tol
        rank = rank_limit(kernel, cells.rows.n_variables)
        self.descent = CellDescent(Svm(), pairs, self.layout.floats, *cells.floats(), float(lam), rank=rank)

    @property
    def n_iter(self) -> int:
        """The blocks solved."""
        return self.descent.n_blocks

    def rounds(self, limit: Limit) -> Iterator[Round]:
        """Search until the gap is small, floats cannot go on, or the limit is reached."""
        return self.descent.rounds(self.tol, limit.is_reached)

    def measure(self) -> Round:
        """Measure the bound and the least risk of a multiple of the polynomial."""
        return self.descent.measure()

    def reason(self, max_iter: int | None) -> str:
        """Say why a search that met no limit ended."""
        return "gap" if self.measure().gap <= self.tol else "precision"

    def solution(self, weigh: Weigh) -> DualSolution:
        """Round the weights of the groups at the scale that makes their risk least."""
        form, state = Svm(), self.descent.state
        scale, (positive, negative) = form.kept_scale(state), form.groups(state)
        return best_rounding(weigh, (scale * positive, scale * negative), self.layout, self.tol)


def rank_limit(kernel: Kernel, n_variables: int) -> int | None:
    """Return the dimension of the polynomials of the kernel's degree; None where the kernel is no single one.

    Negated literals add no dimension: 1 - x is a polynomial of the same degree.
    """
    if not isinstance(kernel, AgreementKernel):
        return None
    degree = n_variables if kernel.largest_size is None else min(kernel.largest_size, n_variables)
    return sum(comb(n_variables, size) for size in range(degree + 1))
