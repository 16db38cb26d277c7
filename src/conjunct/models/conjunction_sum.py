"""A weighted sum of conjunctions, compared with 0 exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix, holds_on
from conjunct.errors import BitsError
from conjunct.messages import shortened
from conjunct.theory import decision_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ConjunctionSum"]

LARGEST_SUM = 1 << 62


@dataclass(frozen=True, eq=False)
class ConjunctionSum:
    """Scores unit * sum of the weights of the conjunctions that hold on a row, one per output; nothing is rounded.

    Parameters
    ----------
    n_variables : int
    conjunctions : tuple of tuples of int
        Literals, ascending: 2j + 1 says that variable j is true, 2j that it is false; () is the constant.
    weights : ndarray of int64, shape (outputs, conjunctions)
        One output separates two classes, a score of 0 is positive; several compete and the first of the largest scores
        wins.
    unit : Fraction
        Positive; what a weight of 1 is worth.
    names : tuple of str, optional
        Of the variables.

    Examples
    --------
    >>> model = ConjunctionSum(2, ((), (1, 2)), np.array([[-1, 3]]), Fraction(1, 2))  # 3/2 (x1 & ~x2) - 1/2
    >>> rows = BitMatrix.of(["10", "11"])
    >>> model.scores(rows)
    [[Fraction(1, 1)], [Fraction(-1, 2)]]
    >>> model.choices(rows).tolist(), model.decision_values(rows).tolist()
    ([1, 0], [1.0, -0.5])
    """

    n_variables: int
    conjunctions: tuple[tuple[int, ...], ...]
    weights: NDArray[np.int64]
    unit: Fraction
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        weights = np.array(self.weights, np.int64, order="C")
        if weights.ndim != 2 or not len(weights) or weights.shape[1] != len(self.conjunctions) or self.unit <= 0:
            raise BitsError(
                f"a sum of {len(self.conjunctions)} conjunctions needs as many weights per output and a positive unit"
            )
        if len(set(self.conjunctions)) < len(self.conjunctions):
            raise BitsError("a conjunction stands twice in a sum; add its weights")
        for conjunction in self.conjunctions:
            variables = [literal // 2 for literal in conjunction]
            if variables != sorted(set(variables)) or not all(0 <= v < self.n_variables for v in variables):
                raise BitsError(
                    f"conjunction {shortened(conjunction)}: expected rising literals, one of a variable at most, "
                    f"of {self.n_variables} variables"
                )
        if max(sum(map(abs, output)) for output in weights.tolist()) >= LARGEST_SUM:
            raise BitsError("the sizes of the weights of an output add up to 2**62 or more; use smaller weights")
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.weights)

    def scores(self, x: BitMatrix) -> list[list[Fraction]]:
        """Return the exact scores of every row."""
        return [[self.unit * total for total in totals] for totals in self._sums(x).T.tolist()]

    def choices(self, x: BitMatrix) -> NDArray[np.int64]:
        """Return the prediction for every row: 0 or 1 for one output, the first output of largest score for several."""
        sums = self._sums(x)
        return np.asarray(sums[0] >= 0 if self.n_outputs == 1 else np.argmax(sums, axis=0), np.int64)

    def decision_values(self, x: BitMatrix) -> NDArray[np.float64]:
        """Return scores as floats of the exact sign; see `conjunct.theory.decision_value`."""
        columns = []
        for sums in self._sums(x):
            distinct, index = np.unique(sums, return_inverse=True)
            values = [decision_value(self.unit * total, is_logarithmic=False) for total in distinct.tolist()]
            columns.append(np.array(values, np.float64)[index])
        return columns[0] if self.n_outputs == 1 else np.column_stack(columns)

    def _sums(self, x: BitMatrix) -> NDArray[np.int64]:
        """Return the sums of weights, outputs by rows."""
        if x.n_variables != self.n_variables:
            raise BitsError(f"rows of {x.n_variables} variables, but the model has {self.n_variables}")
        sums = np.zeros((self.n_outputs, x.n_rows), np.int64)
        for conjunction, weights in zip(self.conjunctions, self.weights.T, strict=True):
            sums += weights[:, None] * holds_on(x, conjunction)
        return sums
