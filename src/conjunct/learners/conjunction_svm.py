"""Exact minimisation of the squared hinge over polynomials of conjunctions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, frexp, ldexp, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import SettingError
from conjunct.kernels import Kernel, PairSums
from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.kernels.pair_sums import EXACT
from conjunct.learners.cell_descent import CellDescent, Round
from conjunct.learners.dual_forms import State, Svm
from conjunct.learners.dual_solution import DualSolution
from conjunct.learners.labelled_cells import LabelledCells
from conjunct.theory import Exact, exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels.layout import Layout

    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]

__all__ = ["ConjunctionSVM", "rounded"]

MOST_BITS = 40
SIMPLE_BITS = 11
PRECISE = 1e-6  # tolerances below are worth a second rounding
SPARE_BITS = 8  # a rounding to 2**-8 of the tolerance is not seen in the gap


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
        if isinstance(self.tol, bool) or not isinstance(self.tol, float | int | np.floating) or not 0 < self.tol < 1:
            raise SettingError(f"tol={self.tol!r}: expected a relative gap between 0 and 1")
        if self.max_iter is not None and (
            isinstance(self.max_iter, bool) or not isinstance(self.max_iter, int | np.integer) or self.max_iter < 1
        ):
            raise SettingError(f"max_iter={self.max_iter!r}: expected a positive integer, or None for no limit")

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
            Asked between blocks; text says why to stop here, "" to go on.
        watch : callable, optional
            Told where the search stands.
        """
        lam, layout = Fraction(self.lam), self.kernel.layout(cells.rows)
        table = layout.floats
        pairs = PairSums(layout, cells.rows) if pairs is None else pairs
        form, reason = Svm(), ""

        def is_over(n_blocks: int) -> bool:
            nonlocal reason
            reason = "max_iter" if self.max_iter is not None and n_blocks >= self.max_iter else is_stopped()
            return bool(reason)

        rank = rank_limit(self.kernel, cells.rows.n_variables)
        search = CellDescent(form, pairs, table, *cells.floats(), float(lam), start, rank)
        history = []
        for stands in search.rounds(float(self.tol), is_over):
            history.append(stands)
            if watch is not None:
                watch(stands)
        if not reason:
            reason = "gap" if history[-1].gap <= self.tol else "precision"
        groups = best_scaled(form, search.state)

        def found(whole: tuple[Wholes, Wholes, int]) -> DualSolution:
            return DualSolution(self.kernel, lam, cells, *whole, search.n_blocks, reason, tuple(history)).weigh(pairs)

        best = found(rounded(groups, layout, float(self.tol)))
        if self.tol <= PRECISE:  # few digits may be the very optimum, as where all weights are equal
            simple = found(simplified(groups))
            best = simple if simple.bound >= best.bound else best
        return best


def positive_lam(lam: Exact) -> Fraction:
    """Check the regularisation."""
    value = exact(lam, "lam")
    if value <= 0:
        raise SettingError(f"lam={lam}: expected a positive number; small ones fit the rows, large ones smooth")
    return value


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
    quadratic = state.norm_sq
    scale = form.best_scale(state, quadratic, 1.0) if quadratic > 0 else 1.0
    positive, negative = form.groups(state)
    return scale * positive, scale * negative


def rounded(groups: tuple[Floats, Floats], layout: Layout, tol: float) -> tuple[Wholes, Wholes, int]:
    """Round weights to whole multiples of one power of two, none negative: the two groups, and the exponent.

    As many bits as leave sums of kernel values exact in floats, if these suffice for the tolerance; otherwise 40.
    """
    weights = [np.maximum(0.0, group) for group in groups]
    largest = max(float(np.max(group, initial=0.0)) for group in weights)
    if largest == 0:
        return np.zeros(len(weights[0]), np.int64), np.zeros(len(weights[1]), np.int64), 0
    total = sum(float(np.sum(group)) for group in weights)
    room = EXACT // ceil(layout.largest * layout.denominator * ceil(total / largest + 1))
    bits = min(MOST_BITS, room.bit_length() - 1)
    if bits < ceil(-log2(tol)) + SPARE_BITS:
        bits = MOST_BITS
    exponent = frexp(largest)[1] - bits
    whole = [np.rint(np.ldexp(group, -exponent)).astype(np.int64) for group in weights]
    return whole[0], whole[1], exponent


def simplified(groups: tuple[Floats, Floats]) -> tuple[Wholes, Wholes, int]:
    """Round weights to few bits times one factor of many: their proportions are simple, their scale is precise."""
    weights = [np.maximum(0.0, group) for group in groups]
    largest = max(float(np.max(group, initial=0.0)) for group in weights)
    if largest == 0:
        return np.zeros(len(weights[0]), np.int64), np.zeros(len(weights[1]), np.int64), 0
    exponent = frexp(largest)[1] - MOST_BITS
    factor = round(ldexp(largest, -exponent)) >> SIMPLE_BITS
    whole = [np.rint(group / largest * (1 << SIMPLE_BITS)).astype(np.int64) * factor for group in weights]
    return whole[0], whole[1], exponent
