"""The mask perceptron: a polynomial of few conjunctions, chosen one by one and fitted anew each time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import holds_on, require_memory
from conjunct.errors import SettingError
from conjunct.learners.margin.float_range import require_mass_range
from conjunct.learners.margin.labelled_cells import LabelledCells
from conjunct.learners.margin.margin_machine import positive_lam
from conjunct.learners.margin.mask_selection import SELECTIONS, Selection
from conjunct.learners.margin.rounding import signed_rounding
from conjunct.learners.margin.squared_hinge import exact_risk, fit_squared_hinge, scores_of
from conjunct.messages import shortened
from conjunct.models import ConjunctionSum
from conjunct.settings import Exact, choice, exact, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

    Conjunction = tuple[int, ...]
    Floats = NDArray[np.float64]

__all__ = ["MaskPerceptron", "MaskSolution", "masks_on_one_scale", "sum_of"]

SUM_BITS = 61  # of all weights of an output together: what a `ConjunctionSum` holds


@dataclass(frozen=True)
class MaskPerceptron:
    """Learn a polynomial of a few conjunctions with a small R+ = |c|^2 + (1/lam) sum q [1 - y f]_+^2.

    Parameters
    ----------
    max_size : int or None
        The most literals in a conjunction; None is every size.
    lam : int, Fraction, "p/q" or float
        Positive; 4/lam is the price of an error in leaves of a tree.
    max_terms : int
        The most conjunctions, the constant among them.
    min_gain : int, Fraction, "p/q" or float
        What a conjunction takes from R+ at least, both when it is added and when all have been; not negative.
    literals : {"both", "positive"}
    selection : {"exact", "beam"}
        Whether every conjunction is considered, or those that a beam meets.

    Notes
    -----
    [kowalczyk2002, Table 1]. The constant comes first. Then the conjunction of largest |sum_i q_i r_i x_i^T|, with the
    residuals r_i = y_i [1 - y_i f(x_i)]_+, is added and R+ minimised over all that are chosen, until there are
    `max_terms` or R+ falls by less than `min_gain`. At last those whose removal raises R+ by less than `min_gain` are
    dropped, the cheapest first; the constant stays. Every conjunction costs 1 (K = 1), so the norm is that of the
    coefficients; with other costs the weights |..| / sqrt(K) are irrational, and comparing them would take floats.
    Newton's steps are made in floats, sums in a fixed order; coefficients are rounded to 40 bits times a power of two
    after each fit, and residuals, R+ and what is gained are those of the rounded ones.

    Examples
    --------
    >>> from conjunct.bits import BitMatrix
    >>> rows = BitMatrix.of(["00", "01", "10", "11"] * 5)
    >>> solution = MaskPerceptron(2, lam=1, max_terms=2).run(rows, [-1, -1, -1, 1] * 5)
    >>> solution.conjunctions, [round(float(risk), 3) for risk in solution.history]
    (((), (1, 3)), [15.238, 3.911])
    """

    max_size: int | None = 3
    lam: Exact = 4
    max_terms: int = 10
    min_gain: Exact = 0
    literals: str = "both"
    selection: str = "exact"

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", positive_lam(self.lam))
        object.__setattr__(self, "min_gain", least_gain(self.min_gain))
        whole_number(self.max_terms, "max_terms")
        if self.max_size is not None:
            whole_number(self.max_size, "max_size", expected="a positive integer, or None for every size")
        choice(self.literals, "literals", ("both", "positive"))
        choice(self.selection, "selection", SELECTIONS)

    def run(self, rows: BitMatrix, signs: Any, weights: Any = None) -> MaskSolution:
        """Pool rows with labels -1 and +1 and learn from them."""
        return self.solve(LabelledCells.of(rows, signs, weights))

    def solve(self, cells: LabelledCells, watch: Callable[[int], None] | None = None) -> MaskSolution:
        """Learn from pooled rows; `watch` is told how many terms there are."""
        require_mass_range(Fraction(self.lam), cells, 0.0, "use a lam nearer to what the rows weigh")
        selection = Selection(cells.rows, self.max_size, self.literals, self.selection)
        least = Fraction(self.min_gain)
        state = Fit.of(cells, Fraction(self.lam), ((),), np.ones((1, cells.n_cells)), np.zeros(1))
        history, stopped_by = [state.risk], "max_terms"
        while len(state.conjunctions) < self.max_terms:
            conjunction = selection.heaviest(state.residuals(), state.conjunctions, state.columns)
            if conjunction is None:
                stopped_by = "no conjunction left"
                break
            larger = state.with_term(conjunction)
            gain = state.risk - larger.risk
            if gain <= 0 or gain < least:
                stopped_by = "min_gain"
                break
            state = larger
            history.append(state.risk)
            if watch is not None:
                watch(len(history))
        return replace(pruned(state, least).solution(), history=tuple(history), stopped_by=stopped_by)


@dataclass(frozen=True, eq=False)
class MaskSolution:
    """Conjunctions and their coefficients.

    Attributes
    ----------
    cells : LabelledCells
    lam : Fraction
    conjunctions : tuple of tuples of int
        In the order in which they were chosen; literal 2j + 1 says that variable j is true, 2j that it is false.
    weights : ndarray of int64
        The coefficients, in multiples of 2**exponent.
    exponent : int
    risk : Fraction
        R+ of these integers, exactly.
    history : tuple of Fraction
        R+ after each term, before any was dropped.
    stopped_by : {"max_terms", "min_gain", "no conjunction left"}
        Why no further term was added.
    """

    cells: LabelledCells
    lam: Fraction
    conjunctions: tuple[Conjunction, ...]
    weights: NDArray[np.int64]
    exponent: int
    risk: Fraction
    history: tuple[Fraction, ...] = ()
    stopped_by: str = ""

    def model(self) -> ConjunctionSum:
        """Return the polynomial, frozen."""
        return sum_of([self])

    def at(self, exponent: int) -> MaskSolution:
        """Return the same coefficients in multiples of another power of two: rounded anew where it is larger."""
        if exponent == self.exponent:
            return self
        weights = np.rint(np.ldexp(self.weights.astype(np.float64), self.exponent - exponent)).astype(np.int64)
        risk = self.risk
        if exponent > self.exponent:
            risk = exact_risk(columns_of(self.cells, self.conjunctions), weights, exponent, self.cells, self.lam)
        return replace(self, weights=weights, exponent=exponent, risk=risk)


@dataclass(frozen=True, eq=False)
class Fit:
    """The best coefficients of some conjunctions, rounded, with where the conjunctions hold."""

    cells: LabelledCells
    lam: Fraction
    conjunctions: tuple[Conjunction, ...]
    columns: Floats
    weights: NDArray[np.int64]
    exponent: int
    risk: Fraction

    @classmethod
    def of(
        cls,
        cells: LabelledCells,
        lam: Fraction,
        conjunctions: tuple[Conjunction, ...],
        columns: Floats,
        start: Floats,
    ) -> Fit:
        """Minimise R+, round, and weigh what was rounded."""
        best = fit_squared_hinge(columns, cells.floats(), float(lam), start)
        weights, exponent = signed_rounding(best)
        return cls(
            cells, lam, conjunctions, columns, weights, exponent, exact_risk(columns, weights, exponent, cells, lam)
        )

    @property
    def coefficients(self) -> Floats:
        """The coefficients, in floats without rounding."""
        return np.ldexp(self.weights.astype(np.float64), self.exponent)

    def residuals(self) -> Floats:
        """Return the sum of q y [1 - y f]_+ over the rows of every cell."""
        positive, negative = self.cells.floats()
        f = scores_of(self.columns, self.coefficients)
        return positive * np.maximum(0.0, 1 - f) - negative * np.maximum(0.0, 1 + f)

    def with_term(self, conjunction: Conjunction) -> Fit:
        """Add a conjunction and fit anew."""
        need = 16 * (len(self.conjunctions) + 1) * self.cells.n_cells
        require_memory(need, "the table of chosen conjunctions", "use a smaller max_terms")
        columns = np.vstack([self.columns, holds_on(self.cells.rows, conjunction)])
        start = np.append(self.coefficients, 0.0)
        return Fit.of(self.cells, self.lam, (*self.conjunctions, conjunction), columns, start)

    def without(self, term: int) -> Fit:
        """Leave a conjunction out and fit anew."""
        left = tuple(own for place, own in enumerate(self.conjunctions) if place != term)
        columns = np.delete(self.columns, term, axis=0)
        return Fit.of(self.cells, self.lam, left, columns, np.delete(self.coefficients, term))

    def solution(self) -> MaskSolution:
        """Return what was learned."""
        return MaskSolution(self.cells, self.lam, self.conjunctions, self.weights, self.exponent, self.risk)


def pruned(fit: Fit, min_gain: Fraction) -> Fit:
    """Drop terms, the cheapest first, while that costs less than `min_gain`; the constant stays."""
    while min_gain and len(fit.conjunctions) > 1:
        smaller = min((fit.without(term) for term in range(1, len(fit.conjunctions))), key=lambda own: own.risk)
        if smaller.risk - fit.risk >= min_gain:
            break
        fit = smaller
    return fit


def sum_of(solutions: Sequence[MaskSolution]) -> ConjunctionSum:
    """Return the polynomials of solutions on the same variables and one scale as one model, an output each.

    Conjunctions are ordered by size, then by their literals.
    """
    distinct = {conjunction for solution in solutions for conjunction in solution.conjunctions}
    conjunctions = sorted(distinct, key=lambda conjunction: (len(conjunction), conjunction))
    place_of = {conjunction: place for place, conjunction in enumerate(conjunctions)}
    weights = np.zeros((len(solutions), len(conjunctions)), np.int64)
    for output, solution in zip(weights, solutions, strict=True):
        output[[place_of[conjunction] for conjunction in solution.conjunctions]] = solution.weights
    rows = solutions[0].cells.rows
    names = rows.names if rows.is_named else None
    unit = Fraction(2) ** solutions[0].exponent
    return ConjunctionSum(rows.n_variables, tuple(conjunctions), weights, unit, names)


def masks_on_one_scale(solutions: Sequence[MaskSolution]) -> list[MaskSolution]:
    """Write solutions in multiples of one power of two, the least of theirs unless sums would grow too long."""
    exponent = min(solution.exponent for solution in solutions)
    for solution in solutions:
        total = sum(map(abs, solution.weights.tolist()))
        exponent = max(exponent, solution.exponent - (SUM_BITS - total.bit_length()))
    return [solution.at(exponent) for solution in solutions]


def columns_of(cells: LabelledCells, conjunctions: Sequence[Conjunction]) -> Floats:
    """Return 1 where a conjunction holds on a cell, one after the other."""
    return np.array([holds_on(cells.rows, own) for own in conjunctions], np.float64)


def least_gain(value: object) -> Fraction:
    """Check the gain below which a term is not worth it."""
    gain = exact(value, "min_gain")
    if gain < 0:
        raise SettingError(f"min_gain={shortened(value)}: expected 0 or a positive number")
    return gain
