"""All conjunctions of a few literals, numbered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits.bit_matrix import BitMatrix
from conjunct.bits.limits import require_memory, thread_count
from conjunct.errors import BitsError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ConjunctionColumns"]

MOST_COLUMNS = 1 << 62
ENTRIES_PER_CALL = 1 << 24  # between two looks for signals: some 30 ms
ROWS_PER_CALL = 1 << 18


@dataclass(frozen=True)
class ConjunctionColumns:
    """A column for every conjunction of 1 to `max_size` literals of different variables.

    Shorter ones come first; those of one size are in lexicographic order of their literals: x1, (~x1), x2, (~x2), ...

    Parameters
    ----------
    n_variables, max_size : int
        ``1 <= max_size <= n_variables``.
    has_negations : bool
        Whether negated variables are literals too.

    Raises
    ------
    BitsError
        `max_size` is out of range, or there are more than 2**62 columns.

    Notes
    -----
    The column of l_1 < .. < l_k is a sum of one number for each literal, found in a table by its place from the end and
    the literal: the combinatorial number system. With s the signs of a variable (1, or 2 with negations), c(m, r) =
    s**r * C(m, r) conjunctions of r literals over m variables, v the variable of l_i and r = k - i literals after it,
    the part of l_i is ``c(n - 1 - v, r) * (is_negated + (r > 0)) - c(n - v, r + 1)``; the sum starts at the first
    column of size k + 1.

    Examples
    --------
    >>> columns = ConjunctionColumns(3, 2, has_negations=False)
    >>> columns.n_columns, list(columns)
    (6, [(0,), (2,), (4,), (0, 2), (0, 4), (2, 4)])
    >>> starts, active = columns.entries(BitMatrix.of(["101", "010"]))
    >>> starts.tolist(), active.tolist()
    ([0, 3, 4], [0, 2, 4, 1])
    """

    n_variables: int
    max_size: int
    has_negations: bool

    def __post_init__(self) -> None:
        if not 1 <= self.max_size <= self.n_variables:
            raise BitsError(
                f"max_size={shortened(self.max_size)}: expected 1 to the number of variables, {self.n_variables}"
            )
        if self.n_columns > MOST_COLUMNS:
            raise BitsError(
                f"conjunctions of up to {self.max_size} of {self.n_variables} variables are more than 2**62; "
                "use a smaller max_size"
            )

    @property
    def n_columns(self) -> int:
        """The number of conjunctions."""
        return self._first_columns[-1]

    def __reduce__(self) -> tuple[type[ConjunctionColumns], tuple[int, int, bool]]:
        return ConjunctionColumns, (self.n_variables, self.max_size, self.has_negations)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the literals of every column, in order: ``2 * variable + is_negated``."""
        signs = (0, 1) if self.has_negations else (0,)
        for size in range(1, self.max_size + 1):
            yield from self._of_size(size, 0, signs)

    def _of_size(self, size: int, start: int, signs: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if size == 0:
            yield ()
        elif len(signs) == 1:
            yield from combinations(range(2 * start, 2 * self.n_variables, 2), size)
        else:
            for variable, sign in product(range(start, self.n_variables - size + 1), signs):
                for rest in self._of_size(size - 1, variable + 1, signs):
                    yield (2 * variable + sign, *rest)

    def entries(self, rows: BitMatrix) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Return the columns of the conjunctions that hold on every row, as starts and rising column numbers.

        The columns are int32 while their number and that of the entries are below 2**31, otherwise int64.

        Raises
        ------
        BitsError
            The rows have another number of variables.
        MemoryLimitError
            The result would pass the memory limit.
        """
        if rows.n_variables != self.n_variables:
            raise BitsError(f"the rows have {rows.n_variables} variables, expected {self.n_variables}")
        true = (
            np.full(rows.n_rows, self.n_variables)
            if self.has_negations
            else rows.weighted_sums(np.ones(self.n_variables, np.int64))
        )
        frequency = np.bincount(true)
        n_conjunctions = np.zeros(len(frequency), np.int64)  # how many conjunctions so many true literals make
        n_entries = 0
        for m in np.flatnonzero(frequency).tolist():
            n_conjunctions[m] = sum(comb(m, size) for size in range(1, min(m, self.max_size) + 1))
            n_entries += int(n_conjunctions[m]) * int(frequency[m])
        is_narrow = max(self.n_columns, n_entries) < 1 << 31
        # A value of one byte each goes with the columns; starts are kept twice while scipy takes them over.
        need = (5 if is_narrow else 9) * n_entries + 16 * (rows.n_rows + 1)
        require_memory(
            need, f"the table of {n_entries} conjunctions that hold", "use a smaller max_size, or fewer rows"
        )
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(n_conjunctions[true])])
        columns: NDArray[Any] = np.empty(n_entries, np.uint32 if is_narrow else np.uint64)
        bases, shares = self._parts
        for first, last in self._blocks(starts):
            begin, end = int(starts[first]), int(starts[last])
            _core.conjunction_rows(
                rows.words[first:last],
                self.n_variables,
                self.has_negations,
                bases,
                shares,
                starts[first : last + 1] - begin,
                thread_count(),
                columns[begin:end],
            )
        return starts, columns.view(np.int32 if is_narrow else np.int64)

    def values(self, rows: BitMatrix) -> NDArray[np.uint8]:
        """Return 1 where a conjunction holds on a row and 0 where not, a column for each.

        Examples
        --------
        >>> ConjunctionColumns(2, 2, has_negations=False).values(BitMatrix.of(["10", "11"])).tolist()
        [[1, 0, 0], [1, 1, 1]]
        """
        starts, columns = self.entries(rows)
        values = np.zeros((rows.n_rows, self.n_columns), np.uint8)
        values[np.repeat(np.arange(rows.n_rows), np.diff(starts)), columns] = 1
        return values

    def _blocks(self, starts: NDArray[np.int64]) -> list[tuple[int, int]]:
        """Cut the rows into blocks short enough to look for signals between them."""
        n_rows = len(starts) - 1
        full = np.searchsorted(starts, np.arange(ENTRIES_PER_CALL, int(starts[-1]), ENTRIES_PER_CALL))
        cuts = {*full.tolist(), *range(ROWS_PER_CALL, n_rows, ROWS_PER_CALL)} - {0, n_rows}
        return list(pairwise([0, *sorted(cuts), n_rows])) if n_rows else []

    @cached_property
    def _first_columns(self) -> list[int]:
        """The first column of every size, and how many there are in all; it ends early where they are too many."""
        firsts, count = [0], 1
        for size in range(1, self.max_size + 1):
            count = count * (self.n_variables - size + 1) * (1 + self.has_negations) // size
            firsts.append(firsts[-1] + count)
            if firsts[-1] > MOST_COLUMNS:
                break
        return firsts

    @cached_property
    def _parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers that add up to a column: one for each size, one for each place from the end and literal."""
        n, signs = self.n_variables, 1 + self.has_negations
        shares = np.empty((self.max_size, signs * n), np.int64)
        for r in range(self.max_size):
            below = [signs**r * comb(m, r) for m in range(n)]  # conjunctions of r literals over the last m variables
            with_variable = [signs ** (r + 1) * comb(m, r + 1) for m in range(n + 1)]
            for sign in range(signs):
                shares[r, sign::signs] = [below[n - 1 - v] * (sign + (r > 0)) - with_variable[n - v] for v in range(n)]
        return np.array(self._first_columns[1:], np.int64), shares
