"""The hypotheses of an on-line run, voting."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.kernels import ExactSum, Kernel
from conjunct.kernels.exact_sum import require_weight_sum
from conjunct.kernels.kernel import require_same_variables
from conjunct.theory import decision_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["VotedExpansion"]

Updates = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]


@dataclass(frozen=True, eq=False)
class VotedExpansion:
    """Every hypothesis of a run votes +1 or -1, with as many votes as rows at whose end it was the current one.

    Parameters
    ----------
    kernel : Kernel
    rows : BitMatrix
        The distinct rows of the updates.
    updates : tuple of (slot, weight, survival), one per output
        Update u added ``unit * weight[u] * K(., rows[slot[u]])``; ``survival`` has the votes of the hypothesis
        before the first update and after each.
    unit, threshold : Fraction
        As in `KernelExpansion`.

    Notes
    -----
    Source: [freund1999, Figure 1]. A vote of 0 is a tie and positive.
    """

    kernel: Kernel
    rows: BitMatrix
    updates: tuple[Updates, ...]
    unit: Fraction
    threshold: Fraction
    _sum: ExactSum = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for _, weight, _ in self.updates:
            require_weight_sum(sum(abs(int(w)) for w in weight))
        object.__setattr__(self, "_sum", ExactSum.of(self.kernel, self.rows, self.threshold / self.unit))

    def __reduce__(self) -> tuple[type[VotedExpansion], tuple[object, ...]]:
        return VotedExpansion, (self.kernel, self.rows, self.updates, self.unit, self.threshold)

    @property
    def n_outputs(self) -> int:
        """The number of votes per row."""
        return len(self.updates)

    def votes(self, x: BitMatrix) -> NDArray[np.int64]:
        """Return the votes, for minus against, of every row and output."""
        require_same_variables(self.rows, x)
        return np.column_stack([self._sum.votes(self.rows, *updates, x) for updates in self.updates])

    def choices(self, x: BitMatrix) -> NDArray[np.int64]:
        """Return the prediction for every row: 0 or 1 for one output, the first output of most votes for several."""
        votes = self.votes(x)
        return (votes[:, 0] >= 0).astype(np.int64) if self.n_outputs == 1 else votes.argmax(axis=1)

    def decision_values(self, x: BitMatrix) -> NDArray[np.float64]:
        """Return the votes as floats; a tie is the smallest positive one."""
        votes = np.array(
            [[decision_value(Fraction(v), is_logarithmic=False) for v in row] for row in self.votes(x).tolist()]
        )
        values = votes.reshape(x.n_rows, self.n_outputs)
        return values[:, 0] if self.n_outputs == 1 else values
