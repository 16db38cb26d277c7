"""A weighted sum of kernel values, compared with a threshold exactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.errors import KernelError
from conjunct.kernels import ExactSum, Kernel
from conjunct.kernels.exact_sum import require_weight_sum
from conjunct.kernels.kernel import require_same_variables
from conjunct.theory import decision_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["KernelExpansion"]

SMALLEST = np.finfo(np.float64).smallest_subnormal


@dataclass(frozen=True, eq=False)
class KernelExpansion:
    """Scores unit * sum_j weights[k, j] K(x, row_j), one per output k, and a threshold; nothing is rounded.

    Parameters
    ----------
    kernel : Kernel
    rows : BitMatrix
        The distinct rows of the expansion.
    weights : ndarray of int64, shape (outputs, rows)
        One output separates two classes; several compete and the largest score wins.
    unit : Fraction
        Positive; what a weight of 1 is worth.
    threshold : Fraction
        A score that reaches it is positive.

    Examples
    --------
    >>> from conjunct.kernels import Conjunctions
    >>> rows = BitMatrix.of(["110", "011"])
    >>> model = KernelExpansion(Conjunctions(), rows, np.array([[2, -1]]), Fraction(1, 2), Fraction(0))
    >>> model.scores(rows)
    [[Fraction(7, 1)], [Fraction(-2, 1)]]
    >>> model.choices(rows).tolist(), model.decision_values(rows).tolist()
    ([1, 0], [7.0, -2.0])
    """

    kernel: Kernel
    rows: BitMatrix
    weights: NDArray[np.int64]
    unit: Fraction
    threshold: Fraction
    _sum: ExactSum = field(init=False, repr=False)

    def __post_init__(self) -> None:
        weights = np.array(self.weights, np.int64, order="C")
        if weights.ndim != 2 or len(weights) == 0 or weights.shape[1] != self.rows.n_rows or self.unit <= 0:
            raise KernelError(
                f"an expansion over {self.rows.n_rows} rows needs as many weights per output and a positive unit, "
                f"got weights of shape {weights.shape} and unit {self.unit}"
            )
        require_weight_sum(max(sum(abs(int(weight)) for weight in output) for output in weights))
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "_sum", ExactSum.of(self.kernel, self.rows, self.threshold / self.unit))

    def __reduce__(self) -> tuple[type[KernelExpansion], tuple[object, ...]]:
        return KernelExpansion, (self.kernel, self.rows, self.weights, self.unit, self.threshold)

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.weights)

    @property
    def is_logarithmic(self) -> bool:
        """Whether kernel values pass 2**53, so that decision values are signed logarithms."""
        return self._sum.is_logarithmic

    def scores(self, x: BitMatrix) -> list[list[Fraction]]:
        """Return the exact scores of every row."""
        require_same_variables(self.rows, x)
        scale = self.unit / self._sum.denominator
        return [[scale * total for total in totals] for totals in self._sum.scores(self.rows, self.weights, x)]

    def choices(self, x: BitMatrix) -> NDArray[np.int64]:
        """Return the prediction for every row: 0 or 1 for one output, the first output of largest score for several."""
        require_same_variables(self.rows, x)
        return self._sum.choices(self.rows, self.weights, x)

    def decision_values(self, x: BitMatrix) -> NDArray[np.float64]:
        """Return score minus threshold as floats of the exact sign; see `conjunct.theory.decision_value`."""
        require_same_variables(self.rows, x)
        values = self._small_decision_values(x)
        if values is None:
            is_logarithmic = self._sum.is_logarithmic
            excesses = ((score - self.threshold for score in scores) for scores in self.scores(x))
            exact_values = [[decision_value(v, is_logarithmic=is_logarithmic) for v in row] for row in excesses]
            values = np.array(exact_values).reshape(x.n_rows, self.n_outputs)
        return values[:, 0] if self.n_outputs == 1 else values

    def _small_decision_values(self, x: BitMatrix) -> NDArray[np.float64] | None:
        """Divide whole arrays where every numerator and the denominator are floats without rounding; else None.

        Then the quotient is the correctly rounded one, and only a tie needs its smallest positive float.
        """
        scale = self.unit / self._sum.denominator
        factor, offset = scale.numerator * self.threshold.denominator, self.threshold.numerator * scale.denominator
        divisor = scale.denominator * self.threshold.denominator
        if max(self._sum.largest_sum(self.weights) * factor + abs(offset), factor, divisor) > 1 << 53:
            return None
        excesses = self._sum.small_scores(self.rows, self.weights, x) * factor - offset
        return np.where(excesses == 0, SMALLEST, excesses / divisor)
