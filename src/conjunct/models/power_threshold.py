"""A sum of weights that are products of powers, compared with a threshold exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.models.rational_sums import RationalSums
from conjunct.models.weight_powers import WeightPowers, distinct_pairs, floor_log2, nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PowerThreshold"]


@dataclass(frozen=True, eq=False)
class PowerThreshold:
    """Scores: the sum of the weights of a row's variables, one per output; every answer is exact.

    Parameters
    ----------
    powers : WeightPowers
    promotions, demotions : ndarrays of int32, shape (outputs, variables)
    threshold : Fraction
        A score that reaches it is positive.
    has_constant : bool
        Whether the last variable is one that every row has.
    divisors : tuple of Fraction, or None
        What the weights of each output are divided by: the sum of them all, where they are normalised. None for 1.

    Examples
    --------
    >>> powers = WeightPowers(Fraction(1), Fraction(2), Fraction(2))
    >>> model = PowerThreshold(powers, np.array([[2, 0, 0]]), np.array([[0, 1, 0]]), Fraction(9, 2))
    >>> rows = SparseRows.of([{0, 1}, {0}, {1, 2}])
    >>> model.scores(rows), model.choices(rows).tolist()
    ([[Fraction(9, 2)], [Fraction(4, 1)], [Fraction(3, 2)]], [1, 0, 0])
    """

    powers: WeightPowers
    promotions: NDArray[np.int32]
    demotions: NDArray[np.int32]
    threshold: Fraction
    has_constant: bool = False
    divisors: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        promotions, demotions = (np.array(a, np.int32, order="C") for a in (self.promotions, self.demotions))
        is_square = promotions.ndim == 2 and promotions.shape == demotions.shape and len(promotions)
        if not is_square or np.any(promotions < 0) or np.any(demotions < 0):
            raise BitsError("a power threshold counts promotions and demotions of every variable, one row per output")
        divisors = (Fraction(1),) * len(promotions) if self.divisors is None else self.divisors
        if len(divisors) != len(promotions) or min(divisors) <= 0:
            raise BitsError("a power threshold has one positive divisor per output")
        object.__setattr__(self, "divisors", divisors)
        for name, array in (("promotions", promotions), ("demotions", demotions)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.promotions)

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """The weights in floats, one row per output, without the constant's."""
        return self._sums.coefficients

    @property
    def intercepts(self) -> NDArray[np.float64]:
        """The constant's weight minus the threshold, in floats, one per output."""
        return self._sums.intercepts

    @cached_property
    def _sums(self) -> RationalSums:
        divisors: Any = self.divisors
        weights = [
            _PowerWeights(self.powers, *exponents)
            for exponents in zip(self.promotions, self.demotions, divisors, strict=True)
        ]
        return RationalSums(weights, self.threshold, has_constant=self.has_constant)

    def scores(self, x: SparseRows) -> list[list[Fraction]]:
        """Return the exact scores of every row."""
        return self._sums.scores(x)

    def choices(self, x: SparseRows) -> NDArray[np.int64]:
        """Return the prediction for every row: 0 or 1 for one output, the first output of largest score for several."""
        return self._sums.choices(x)

    def decision_values(self, x: SparseRows) -> NDArray[np.float64]:
        """Return score minus threshold, each rounded once; see `conjunct.theory.decision_value`."""
        return self._sums.decision_values(x)


class _PowerWeights:
    """The weights of one output. Few are distinct: each of these is computed once."""

    def __init__(
        self, powers: WeightPowers, promotions: NDArray[np.int32], demotions: NDArray[np.int32], divisor: Fraction
    ) -> None:
        self.powers, self.promotions, self.demotions, self.divisor = powers, promotions, demotions, divisor
        self.n_places, self.unseen = len(promotions), powers.weight(0, 0) / divisor
        self._pairs, self._pair_index = distinct_pairs(promotions, demotions)
        self.size_log2 = powers.size_log2(self._pairs) - floor_log2(divisor)

    def scaled(self, shift: int) -> tuple[NDArray[Any], bool]:
        if self.divisor == 1:
            scaled, is_exact = self.powers.scaled(self._pairs, shift)
        else:
            exact = [self.powers.weight(*pair) / self.divisor * Fraction(2) ** shift for pair in self._pairs]
            scaled, is_exact = [floor(weight) for weight in exact], False
        return np.array([*scaled, None], object)[:-1][self._pair_index], is_exact

    def floats(self) -> NDArray[np.float64]:
        weights = [nearest(self.powers.weight(*pair) / self.divisor) for pair in self._pairs]
        return np.array(weights, np.float64)[self._pair_index]

    def total(self, places: NDArray[np.int32], n_unseen: int) -> Fraction:
        return self.powers.total(self.promotions[places], self.demotions[places], n_unseen) / self.divisor
