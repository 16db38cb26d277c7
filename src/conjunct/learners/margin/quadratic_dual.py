"""Ridge and box: quadratic lower bounds that hold for decision trees, from weights of any sign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from conjunct.kernels import Kernel, PairSums
from conjunct.learners.margin.cell_descent import CellDescent
from conjunct.learners.margin.conjunction_svm import rank_limit
from conjunct.learners.margin.dual_forms import Box, Ridge
from conjunct.learners.margin.margin_machine import iteration_limit, positive_lam, relative_gap
from conjunct.learners.margin.rounding import signed_rounding
from conjunct.learners.margin.search import Limit
from conjunct.settings import Exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.margin.labelled_cells import LabelledCells

__all__ = ["QuadraticDual", "TreeBound"]


@dataclass(frozen=True, eq=False)
class TreeBound:
    """A bound on decision trees and the integers that give it.

    Attributes
    ----------
    weights : ndarray of int64
        One net weight per cell, in units of 2**exponent.
    exponent : int
    value : Fraction
        For every tree over the kernel's conjunctions: sum of its leaves' costs + (4/lam) errors >= value, on the rows
        of the cells. Computed from the integers; an independent checker has not seen it.
    gap : float
        How far `value` may be from the optimum of its form, relatively, by the risk that the search saw in floats.
    n_iter : int
    stopped_by : str
        "gap", "max_iter", what `is_stopped` said, or "precision" where floats could not go on, or rounding lost more
        than the tolerance.
    """

    weights: NDArray[np.int64]
    exponent: int
    value: Fraction
    gap: float
    n_iter: int
    stopped_by: str


@dataclass(frozen=True)
class QuadraticDual:
    """Maximise the ridge or the box dual over cells, and give the value of the rounded weights exactly.

    Parameters
    ----------
    kernel : Kernel
    lam : int, Fraction, "p/q" or float
        4/lam is the price of an error.
    form : Ridge or Box
        The optimum of `Box` is the larger one; it starts from that of `Ridge`.
    tol : float
    max_iter : int, optional
        Blocks of cells.

    Notes
    -----
    With cells of p positive and n negative rows and one net weight b each: ridge has the value
    (sum a)^2 / (b'Kb + lam sum A^2/m) at the best split of b among the labels of a cell, box
    (2/lam) sum[(p+n) - |p-n-lam b|] - b'Kb; any b is feasible in both, so stopping early is sound. They bound trees
    only, not every polynomial: their risks charge scores beyond 1 as well [kowalczyk2002, Theorem 5].

    Examples
    --------
    Parity of two variables needs a tree of four leaves; with lam = 1 the box proves 4 leaves + 4 errors >= 4:

    >>> from conjunct.bits import BitMatrix
    >>> from conjunct.kernels import Conjunctions
    >>> from conjunct.learners import LabelledCells
    >>> cells = LabelledCells.of(BitMatrix.of(["00", "01", "10", "11"]), [-1, 1, 1, -1])
    >>> round(float(QuadraticDual(Conjunctions(2), 1, Box(), tol=1e-9).solve(cells).value), 6)
    4.0
    >>> round(float(QuadraticDual(Conjunctions(2), 1, Ridge(), tol=1e-9).solve(cells).value), 6)
    2.0
    """

    kernel: Kernel
    lam: Exact
    form: Ridge | Box
    tol: float = 1e-3
    max_iter: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", positive_lam(self.lam))
        relative_gap(self.tol)
        iteration_limit(self.max_iter)

    def solve(
        self, cells: LabelledCells, pairs: PairSums | None = None, is_stopped: Callable[[], str] = str
    ) -> TreeBound:
        """Search, round, and compute the value in fractions."""
        lam, layout = Fraction(self.lam), self.kernel.layout(cells.rows)
        pairs = PairSums(layout, cells.rows) if pairs is None else pairs
        rank = rank_limit(self.kernel, cells.rows.n_variables)
        limit, n_iter, start = Limit(self.max_iter, is_stopped), 0, None

        def is_over(n_blocks: int) -> bool:
            return limit.is_reached(n_iter + n_blocks)

        for form in (Ridge(), self.form) if isinstance(self.form, Box) else (self.form,):
            search = CellDescent(form, pairs, layout.floats, *cells.floats(), float(lam), start, rank)
            *_, last = search.rounds(float(self.tol), is_over)
            start, n_iter = search.state.weights, n_iter + search.n_blocks
        weights, exponent = signed_rounding(search.state.weights)
        value = self._value(cells, pairs, weights, exponent)
        gap = max(last.gap, float(1 - value / Fraction(last.risk)))
        reason = limit.reason or ("gap" if gap <= self.tol else "precision")
        return TreeBound(weights, exponent, value, gap, n_iter, reason)

    def _value(self, cells: LabelledCells, pairs: PairSums, weights: NDArray[np.int64], exponent: int) -> Fraction:
        lam, unit = Fraction(self.lam), Fraction(2) ** exponent
        denominator = self.kernel.layout(cells.rows).denominator
        sums = pairs.exact(self.kernel, weights)
        quadratic = unit * unit * Fraction(sum(map(mul, weights.tolist(), sums.tolist())), denominator)
        masses = [
            (cells.unit * int(p), cells.unit * int(n)) for p, n in zip(cells.positive, cells.negative, strict=True)
        ]
        net = [unit * int(weight) for weight in weights]
        if isinstance(self.form, Box):
            return sum(
                (2 / lam * (p + n - abs(p - n - lam * b)) for (p, n), b in zip(masses, net, strict=True)), -quadratic
            )
        # Of a cell with both labels A+/p + A-/n = 2/lam at best; of one with one label A is the net weight.
        total, square = Fraction(0), Fraction(0)
        for (p, n), b in zip(masses, net, strict=True):
            negative = n * (2 * p / lam - b) / (p + n) if p and n else (Fraction(0) if p else -b)
            total += 2 * negative + b
            square += ((negative + b) ** 2 / p if p else 0) + (negative**2 / n if n else 0)
        form = quadratic + lam * square
        return total * total / form if form else Fraction(0)
