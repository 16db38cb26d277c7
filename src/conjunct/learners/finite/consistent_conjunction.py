"""The shortest conjunction of literals that has given labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, require_memory
from conjunct.errors import BitsError, RowError
from conjunct.exact.set_cover import smallest_cover
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["ConsistentConjunction", "shortest_conjunction"]


@dataclass(frozen=True, slots=True)
class ConsistentConjunction:
    """A conjunction that has the labels of all rows, and how short one can be.

    Attributes
    ----------
    term : Term
    lower_bound : int
        No conjunction with fewer literals has these labels.
    n_candidates : int
        How many literals are true on all positive rows; a conjunction with these labels has no others.
    n_negatives : int
        How many different negative rows there are; a term not proven minimal is within 1 + ln of them.
    """

    term: Term
    lower_bound: int
    n_candidates: int
    n_negatives: int

    @property
    def is_minimal(self) -> bool:
        """Whether it is proven that no conjunction with fewer literals has these labels."""
        return self.term.size == self.lower_bound

    @property
    def statement(self) -> str:
        """How short it is, in words."""
        size = f"{self.term.size} literal{'s' * (self.term.size != 1)}"
        if self.is_minimal:
            return f"{size}, and no conjunction of fewer fits"
        return f"{size}, not proven minimal: no conjunction of fewer than {self.lower_bound} fits"

    def __str__(self) -> str:
        return f"{self.term}: {self.statement}"


def shortest_conjunction(rows: Any, labels: ArrayLike, *, budget: int = 5_000_000) -> ConsistentConjunction:
    """Find the shortest conjunction of literals that is true on the positive rows and false on the negative ones.

    Parameters
    ----------
    rows : BitMatrix, or what ``BitMatrix.of`` reads
    labels : array-like of +1 and -1
    budget : int
        How many looks at rows and pairs the exact search may take, a second or a few for the default. Beyond it the
        best conjunction found so far is returned as not proven minimal, with what is known from below.

    Raises
    ------
    RowError
        No conjunction has these labels. The row named is negative, and every literal that is true on all positive rows
        is true on it.

    Notes
    -----
    A literal that is false on a positive row cannot be in it. Of the others the fewest are chosen such that every
    negative row falsifies one: minimum set cover, NP-hard [haussler1988], here by branch and bound. The greedy choice
    the search starts from is within a factor 1 + ln(negatives) [chvatal1979]. Of variables that are equal on all rows
    the first is used. Without positive rows two opposite literals are a conjunction that fits; without negative ones
    the empty conjunction is.

    Examples
    --------
    >>> print(shortest_conjunction(["1101", "1111", "0101", "1001", "1100"], [1, 1, -1, -1, -1]))
    x1 & x2 & x4: 3 literals, and no conjunction of fewer fits
    """
    packed, label = BitMatrix.of(rows), np.asarray(labels)
    if label.shape != (packed.n_rows,) or packed.n_rows == 0:
        raise BitsError(f"{packed.n_rows} rows need as many labels and at least one, got shape {label.shape}")
    if not np.all((label == 1) | (label == -1)):
        raise BitsError("a learner's labels are +1 and -1")
    budget = whole_number(budget, "budget", least=0)
    n = packed.n_variables
    codes = _always_true(packed[label == 1])
    numbers = np.flatnonzero(label == -1)
    if not len(numbers):
        return ConsistentConjunction(Term(), 0, len(codes), 0)
    cells = packed[numbers].pool()
    require_memory(3 * n * cells.rows.n_rows, "the table of literals and negative rows", "use fewer rows")
    values = cells.rows.to_array()
    # Code v is the variable, n + v its negation; a literal excludes the rows where it is false.
    excludes = np.hstack([values == 0, values == 1])[:, codes].T
    is_kept = np.count_nonzero(excludes, axis=0) == 0
    if np.any(is_kept):
        first = int(np.flatnonzero(is_kept[cells.cell_of])[0])
        raise RowError(
            "no conjunction fits: the label is -1",
            int(numbers[first]),
            "every literal that is true on all positive rows is true on it",
        )
    cover = smallest_cover(excludes, budget)
    chosen = [int(codes[index]) for index in cover.chosen]
    term = Term(Literal(packed.names[code % n], code < n) for code in chosen)
    return ConsistentConjunction(term, cover.lower_bound, len(codes), cells.rows.n_rows)


def _always_true(rows: BitMatrix) -> NDArray[np.int64]:
    """Return the literals that are true on all rows: v for a variable, n + v for its negation."""
    values = rows.to_array()
    return np.flatnonzero(np.concatenate([np.all(values == 1, axis=0), np.all(values == 0, axis=0)]))
