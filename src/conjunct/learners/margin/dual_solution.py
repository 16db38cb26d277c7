"""What a batch machine learned: integers, and everything recomputed from them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.models import KernelExpansion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from conjunct.kernels import Kernel, PairSums
    from conjunct.learners.margin.labelled_cells import LabelledCells
    from conjunct.learners.margin.search import Round

__all__ = ["DualSolution", "hinge_charge", "on_one_scale"]

SUM_BITS = 61  # of all weights together: what a model of several outputs holds


@dataclass(frozen=True, eq=False)
class DualSolution:
    """Weights of the positive and the negative rows of each cell, in whole multiples of a power of two.

    Parameters
    ----------
    kernel : Kernel
    lam : Fraction
    cells : LabelledCells
    positive, negative : ndarray of int64
        What the positive and the negative rows of each cell weigh together, none negative.
    exponent : int
        A weight of 1 is worth 2**exponent.
    n_iter : int
        Blocks, steps or updates, as the learner counts.
    stopped_by : str
        Why the learner stopped.
    history : tuple of Round
        Bound and risk on the way, in floats.

    Attributes
    ----------
    bound : Fraction
        (sum a)^2 / V(a): no polynomial of the kernel's conjunctions has a smaller risk R+.
    risk : Fraction
        R+ of the polynomial these weights make.
    norm_sq : Fraction
        Its squared norm.
    """

    kernel: Kernel
    lam: Fraction
    cells: LabelledCells
    positive: NDArray[np.int64]
    negative: NDArray[np.int64]
    exponent: int
    n_iter: int
    stopped_by: str
    history: tuple[Round, ...]
    bound: Fraction = field(init=False)
    risk: Fraction = field(init=False)
    norm_sq: Fraction = field(init=False)

    def weigh(self, pairs: PairSums) -> DualSolution:
        """Compute bound, risk and norm from the integers, exactly; return the solution itself."""
        unit, net = Fraction(2) ** self.exponent, self.positive - self.negative
        denominator = self.kernel.layout(self.cells.rows).denominator
        sums = pairs.exact(self.kernel, net)
        norm_sq = unit * unit * Fraction(sum(map(mul, net.tolist(), sums.tolist())), denominator)
        groups = ((self.positive, self.cells.positive), (self.negative, self.cells.negative))
        total = sum(int(weights.sum()) for weights, _ in groups) * unit
        square = sum((_over_masses(weights, masses) for weights, masses in groups), Fraction(0)) / self.cells.unit
        form = norm_sq + self.lam * unit * unit * square
        # In units of unit / denominator a score is a whole number; a score of 1 is `one` of them.
        one = denominator / unit
        charge = sum(
            (hinge_charge(one, sign * sums, masses) for sign, (_, masses) in zip((1, -1), groups, strict=True)),
            Fraction(0),
        )
        risk = norm_sq + self.cells.unit * charge / (one * one * self.lam)
        for name, value in (
            ("bound", total * total / form if form else Fraction(0)),
            ("risk", risk),
            ("norm_sq", norm_sq),
        ):
            object.__setattr__(self, name, value)
        return self

    def judged(self, tol: float) -> DualSolution:
        """Return the solution; where floats promised a gap that the integers do not keep, it stopped by "precision"."""
        if self.stopped_by != "gap" or self.gap <= tol:
            return self
        return self._same(stopped_by="precision")

    def _same(self, **changes: Any) -> DualSolution:
        """Return the solution told otherwise: the same polynomial, so what was weighed stays."""
        copy = replace(self, **changes)
        for name in ("bound", "risk", "norm_sq"):
            object.__setattr__(copy, name, getattr(self, name))
        return copy

    @property
    def gap(self) -> float:
        """The relative gap, (risk - bound) / risk."""
        return float(1 - self.bound / self.risk)

    @property
    def unit(self) -> Fraction:
        """What a weight of 1 is worth."""
        return Fraction(2) ** self.exponent

    def at(self, exponent: int, pairs: PairSums) -> DualSolution:
        """Return the same weights in multiples of another power of two: rounded and weighed anew where it is larger."""
        if exponent <= self.exponent:
            positive, negative = (group << (self.exponent - exponent) for group in (self.positive, self.negative))
            return self._same(positive=positive, negative=negative, exponent=exponent)
        shift = min(exponent - self.exponent, SUM_BITS)  # beyond, nothing is left of any weight
        half = 1 << (shift - 1)
        positive, negative = ((group + half) >> shift for group in (self.positive, self.negative))
        return replace(self, positive=positive, negative=negative, exponent=exponent).weigh(pairs)

    def model(self) -> KernelExpansion:
        """Return the polynomial as a model over the cells that carry weight; a score of 0 is positive."""
        net = self.positive - self.negative
        support = np.flatnonzero(net)
        if len(support) == 0:
            support = np.zeros(1, np.int64)  # an expansion needs a row
        return KernelExpansion(self.kernel, self.cells.rows[support], net[None, support], self.unit, Fraction(0))

    def row_weights(self, signs: NDArray[Any], weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return the share of every row of the table in the weight of its cell and label, in floats."""
        cell, has_weight = np.maximum(self.cells.cell_of, 0), self.cells.cell_of >= 0
        shares = np.zeros(len(cell))
        for sign, group, masses in (
            (1, self.positive, self.cells.floats()[0]),
            (-1, self.negative, self.cells.floats()[1]),
        ):
            rows = np.flatnonzero(has_weight & (np.asarray(signs) == sign))
            share = np.ldexp(group[cell[rows]].astype(np.float64), self.exponent) / masses[cell[rows]]
            shares[rows] = share if weights is None else share * weights[rows]
        return shares


def on_one_scale(solutions: Sequence[DualSolution], pairs: PairSums) -> list[DualSolution]:
    """Write several solutions in multiples of one power of two, the least of theirs unless sums would grow too long."""
    exponent = min(solution.exponent for solution in solutions)
    for solution in solutions:
        total = int(np.sum(solution.positive)) + int(np.sum(solution.negative))  # both may be large where they cancel
        exponent = max(exponent, solution.exponent - (SUM_BITS - total.bit_length()))
    return [solution.at(exponent, pairs) for solution in solutions]


def _over_masses(weights: NDArray[np.int64], masses: NDArray[Any]) -> Fraction:
    """Return the sum of weight^2 / mass over the groups that weigh something."""
    total = Fraction(0)
    weights, masses = weights[weights != 0], masses[weights != 0]
    for mass in sorted(set(masses.tolist())):
        of_mass = weights[masses == mass].tolist()
        total += Fraction(sum(map(mul, of_mass, of_mass)), int(mass))
    return total


def hinge_charge(one: Fraction, sums: NDArray[Any], masses: NDArray[Any]) -> Fraction:
    """Return the sum of mass * max(0, one - sum)^2 over the cells with mass."""
    sums, masses = sums[masses != 0], masses[masses != 0]
    is_small = one.denominator == 1 and one.numerator < 1 << 61 and sums.dtype == np.int64
    shortfall = one.numerator - one.denominator * (sums if is_small else sums.astype(object))
    is_short = shortfall > 0
    total = sum(m * x * x for m, x in zip(masses[is_short].tolist(), shortfall[is_short].tolist(), strict=True))
    return Fraction(total, one.denominator**2)
