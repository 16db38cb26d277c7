"""Sums of rational weights over rows: their signs, their largest and their nearest floats, all exact."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.models.weight_powers import floor_log2, nearest
from conjunct.theory import decision_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RationalSums", "RationalWeights"]

HIGH_BITS = 51  # of a sum of high parts, so that it is a float without rounding
SUM_BITS = 60  # of a sum of low parts, in 64 bits
MOST_LOW_BITS = 40
LARGEST_ERROR = 3  # no scaled weight is so far off
LEAST_NORMAL_LOG2 = -1000  # beyond it a float may round twice
LARGEST_LOG2 = 1000


class RationalWeights(Protocol):
    """The weights of one output: rational numbers, known to any precision. The last one is the constant's, if any."""

    @property
    def n_places(self) -> int:
        """How many weights there are."""

    @property
    def unseen(self) -> Fraction:
        """The weight of a name that was never seen."""

    @property
    def size_log2(self) -> int:
        """No weight is 2 to this, or more, in absolute value."""

    def scaled(self, shift: int) -> tuple[NDArray[Any], bool]:
        """Return every weight times 2**shift as an integer that is off by less than 3; and whether all are exact."""

    def floats(self) -> NDArray[np.float64]:
        """Return every weight in floats; infinite past their range."""

    def total(self, places: NDArray[np.int32], n_unseen: int) -> Fraction:
        """Return the exact sum of the weights at these places and of so many unseen ones."""


class RationalSums:
    """The sum of a row's weights minus a threshold, for every row and output.

    Weights are rounded once, to integers of up to 90 bits in units of one power of two, cut into a high and a low part.
    Sums of the parts are sums of int64, and their own error is known. Where it leaves a sign, an order or a rounding
    open, fractions decide.

    Parameters
    ----------
    weights : sequence of RationalWeights
        One per output, all with as many places.
    threshold : Fraction
    has_constant : bool
        Whether the last place is that of a variable that every row has.
    """

    def __init__(self, weights: Sequence[RationalWeights], threshold: Fraction, *, has_constant: bool) -> None:
        self.weights, self.threshold, self.has_constant = tuple(weights), threshold, has_constant
        self._n_variables = self.weights[0].n_places - has_constant
        sizes = [part.size_log2 for part in self.weights]
        sizes += [floor_log2(part.unseen) + 1 for part in self.weights if part.unseen]
        self._size_log2 = max([*sizes, *[floor_log2(threshold) + 1] * (threshold != 0)])
        self._parts: dict[int, _Parts] = {}

    @cached_property
    def _floats(self) -> NDArray[np.float64]:
        return np.stack([part.floats() for part in self.weights])

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """The weights in floats, one row per output, without the constant's."""
        return self._floats[:, :-1] if self.has_constant else self._floats

    @property
    def intercepts(self) -> NDArray[np.float64]:
        """The constant's weight minus the threshold, in floats, one per output."""
        constants = self._floats[:, -1] if self.has_constant else np.zeros(len(self.weights))
        return constants - nearest(self.threshold)

    def excess(self, x: SparseRows, row: int, output: int) -> Fraction:
        """Return the exact sum minus the threshold for one row."""
        places = x.row_and(row, *[self._n_variables] * self.has_constant)
        seen = places[places >= 0]
        return self.weights[output].total(seen, len(places) - len(seen)) - self.threshold

    def scores(self, x: SparseRows) -> list[list[Fraction]]:
        """Return the exact sums of every row."""
        self._require_readable(x)
        outputs = range(len(self.weights))
        return [[self.excess(x, row, output) + self.threshold for output in outputs] for row in range(x.n_rows)]

    def choices(self, x: SparseRows) -> NDArray[np.int64]:
        """Return 0 or 1 for one output, the first output of largest sum for several."""
        return self._are_reached(x).astype(np.int64) if len(self.weights) == 1 else self._first_largest(x)

    def _are_reached(self, x: SparseRows) -> NDArray[np.bool_]:
        fixed = self._fixed(x)
        low, high = fixed.ends(0)
        is_reached = low >= 0
        for row in np.flatnonzero(is_reached != (high >= 0)).tolist():
            is_reached[row] = self.excess(x, row, 0) >= 0
        return is_reached

    def _first_largest(self, x: SparseRows) -> NDArray[np.int64]:
        fixed = self._fixed(x)
        values = fixed.high * float(1 << fixed.low_bits) + fixed.low
        choices = np.asarray(np.argmax(values, axis=0), np.int64)
        gap = np.take_along_axis(values, choices[None], 0) - values
        # Both sums may be off, and values are rounded.
        is_open = np.sum(gap <= 2 * fixed.error + 4 * np.finfo(np.float64).eps * np.abs(values), axis=0) > 1
        for row in np.flatnonzero(is_open).tolist():
            exact = [self.excess(x, row, output) for output in range(len(self.weights))]
            choices[row] = exact.index(max(exact))
        return choices

    def decision_values(self, x: SparseRows) -> NDArray[np.float64]:
        """Return every excess rounded once, a column each for several outputs; see `theory.decision_value`."""
        fixed = self._fixed(x)
        out = np.empty((x.n_rows, len(self.weights)))
        for output in range(len(self.weights)):
            low, high = fixed.ends(output)
            with np.errstate(over="ignore", under="ignore"):
                out[:, output] = np.ldexp(low, -fixed.shift)
            size = np.frexp(low)[1] - fixed.shift
            is_sure = (low == high) & (low != 0) & (size > LEAST_NORMAL_LOG2) & (size < LARGEST_LOG2)
            for row in np.flatnonzero(~is_sure).tolist():
                out[row, output] = decision_value(self.excess(x, row, output), is_logarithmic=False)
        return out[:, 0] if len(self.weights) == 1 else out

    def _require_readable(self, x: SparseRows) -> None:
        if x.n_variables > self._n_variables:
            raise BitsError(f"rows of {x.n_variables} variables, but the model has {self._n_variables}")
        if x.values is not None:
            raise BitsError("Winnow takes Boolean rows")

    def _fixed(self, x: SparseRows) -> _FixedSums:
        self._require_readable(x)
        length = (x.most_entries + 2).bit_length()
        if length not in self._parts:
            self._parts[length] = _Parts(self.weights, self.threshold, self._size_log2, length)
        return _FixedSums(self._parts[length], x, has_constant=self.has_constant)


class _Parts:
    """Weights, unseen ones and the threshold as integers in two parts, for sums of up to 2**length of them."""

    def __init__(self, weights: Sequence[RationalWeights], threshold: Fraction, size_log2: int, length: int) -> None:
        self.low_bits = min(MOST_LOW_BITS, SUM_BITS - length)
        self.shift = HIGH_BITS + self.low_bits - length - size_log2
        scaled = [part.scaled(self.shift) for part in weights]
        constants = [number * Fraction(2) ** self.shift for number in (*(part.unseen for part in weights), threshold)]
        is_exact = all(exact for _, exact in scaled) and all(number.denominator == 1 for number in constants)
        self.error_per_term = 0 if is_exact else LARGEST_ERROR
        self.weights = [self._cut(integers) for integers, _ in scaled]
        *self.unseen, self.threshold = (self._cut(np.array([floor(number)], object)) for number in constants)

    def _cut(self, integers: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        high, low = integers >> self.low_bits, integers & ((1 << self.low_bits) - 1)
        return high.astype(np.int64), low.astype(np.int64)


class _FixedSums:
    """Sums over rows in units of 2**-shift: high * 2**low_bits + low, an array row per output."""

    def __init__(self, parts: _Parts, x: SparseRows, *, has_constant: bool) -> None:
        self.low_bits, self.shift = parts.low_bits, parts.shift
        high = np.empty((len(parts.weights), x.n_rows), np.int64)
        low = np.empty_like(high)
        for output, (weights, unseen) in enumerate(zip(parts.weights, parts.unseen, strict=True)):
            for part, out in enumerate((high, low)):
                constant = weights[part][-1] if has_constant else 0
                out[output] = x.dot(weights[part], int(unseen[part][0])) + constant - parts.threshold[part][0]
        self.high, self.low = high + (low >> self.low_bits), low & ((1 << self.low_bits) - 1)
        self.error = parts.error_per_term * (np.diff(x.starts) + 2)

    def ends(self, output: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the floats nearest to the ends of where the exact sums lie; each is one rounded addition."""
        high = np.ldexp(self.high[output].astype(np.float64), self.low_bits)
        low = self.low[output]
        return high + (low - self.error).astype(np.float64), high + (low + self.error).astype(np.float64)
