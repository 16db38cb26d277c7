"""Several classes, one expansion for every two of them: each has a vote."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from conjunct.errors import KernelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.models.kernel_expansion import KernelExpansion

__all__ = ["PairwiseExpansion"]


@dataclass(frozen=True, eq=False)
class PairwiseExpansion:
    """The class with the most votes, the first of them where several have as many.

    Parameters
    ----------
    parts : tuple of KernelExpansion
        One output each, for the classes (0, 1), (0, 2), ..., (1, 2), ...; positive is a vote for the second.
    n_classes : int
    """

    parts: tuple[KernelExpansion, ...]
    n_classes: int

    def __post_init__(self) -> None:
        n_pairs = self.n_classes * (self.n_classes - 1) // 2
        if len(self.parts) != n_pairs or any(part.n_outputs != 1 for part in self.parts):
            raise KernelError(f"{self.n_classes} classes need {n_pairs} expansions of one output each")

    def votes(self, x: BitMatrix) -> NDArray[np.int64]:
        """Return the votes for every class, row by row."""
        votes = np.zeros((x.n_rows, self.n_classes), np.int64)
        for part, (first, second) in zip(self.parts, combinations(range(self.n_classes), 2), strict=True):
            is_second = part.choices(x)
            votes[:, second] += is_second
            votes[:, first] += 1 - is_second
        return votes

    def choices(self, x: BitMatrix) -> NDArray[np.int64]:
        """Return the class of every row."""
        chosen: NDArray[np.int64] = np.argmax(self.votes(x), axis=1)
        return chosen

    def decision_values(self, x: BitMatrix) -> NDArray[np.float64]:
        """Return the votes as floats."""
        return self.votes(x).astype(np.float64)
