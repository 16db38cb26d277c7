"""Rows as lists of their non-zero places."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits.bit_matrix import BitMatrix
from conjunct.bits.limits import require_memory
from conjunct.bits.packing import column_name, not_boolean, owned_csr, summed_csr, words_per_row
from conjunct.errors import BitsError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SparseRows"]

ENTRIES_PER_CALL = 1 << 24  # between two looks for signals: some 30 ms
ROWS_PER_CALL = 1 << 21
MOST_VARIABLES = 2**31 - 1


class SparseRows:
    """Immutable rows that list their non-zero places: as long as what they hold, however many variables there are.

    What is given is copied; the attributes are read-only.

    Attributes
    ----------
    starts : ndarray of int64
        The places of row i are ``places[starts[i]:starts[i + 1]]``.
    places : ndarray of int32
        Numbers of variables; -1 for a name that was never seen.
    values : ndarray of float64, or None
        What stands at the places; None where it is 1 everywhere.
    n_variables : int

    Examples
    --------
    >>> rows = SparseRows.of([{0, 70_000}, {5}, set()])
    >>> rows
    SparseRows(3 rows x 70001 variables, 3 entries)
    >>> rows.dot(np.arange(70_001)).tolist()
    [70000, 5, 0]
    """

    def __init__(
        self,
        starts: NDArray[np.int64],
        places: NDArray[np.int32],
        n_variables: int,
        values: NDArray[np.float64] | None = None,
        *,
        _is_owned: bool = False,
        _is_checked: bool = False,
    ) -> None:
        if not 0 <= n_variables <= MOST_VARIABLES:
            raise BitsError(f"{n_variables} variables are more than {MOST_VARIABLES}")
        self.n_variables = int(n_variables)
        self.starts, self.places = _frozen(starts, _is_owned), _frozen(places, _is_owned)
        self.values = None if values is None else _frozen(values, _is_owned)
        self.native = _core.SparseRows(self.starts, self.places, self.values, self.n_variables, _is_checked)

    @classmethod
    def of(cls, data: Any, names: Sequence[str] | None = None) -> SparseRows:
        """Read Boolean rows: a BitMatrix, a sparse or dense table, or a list of sets of variable numbers.

        A table may not hold other values than 0 and 1.
        """
        if isinstance(data, SparseRows):
            return data
        if hasattr(data, "tocsr"):
            return cls._of_sparse(data, names)
        if isinstance(data, list | tuple) and data and all(isinstance(row, Set) for row in data):
            return cls._of_sets(data)
        return cls._of_bits(data if isinstance(data, BitMatrix) else BitMatrix.of(data, names))

    @classmethod
    def of_real(cls, table: Any) -> SparseRows:
        """Read a table of finite numbers, dense or sparse."""
        from scipy.sparse import csr_array, issparse

        rows = csr_array(owned_csr(table) if issparse(table) else np.array(table, np.float64), dtype=np.float64)
        if not rows.has_canonical_format:
            rows.sum_duplicates()
        if not np.all(np.isfinite(rows.data)):
            raise BitsError("the table has values that are not finite")
        starts, places = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
        return cls(starts, places, rows.shape[1], rows.data, _is_owned=True)

    @classmethod
    def _of_sparse(cls, data: Any, names: Sequence[str] | None) -> SparseRows:
        ready = _ready_arrays(data)
        if ready is not None:
            return cls(*ready, data.shape[1], _is_owned=True, _is_checked=True)
        table = summed_csr(data, names)
        n_variables = table.shape[1]
        if n_variables > MOST_VARIABLES:
            raise BitsError(f"{n_variables} variables are more than {MOST_VARIABLES}")
        other_values = np.flatnonzero((table.data != 0) & (table.data != 1))
        if other_values.size:
            row = int(np.searchsorted(table.indptr, other_values[0], side="right")) - 1
            raise not_boolean(column_name(int(table.indices[other_values[0]]), names), table.data[other_values[0]], row)
        starts, places = table.indptr.astype(np.int64), table.indices.astype(np.int32, copy=False)
        is_one = table.data != 0
        if not np.all(is_one):
            n_ones_before = np.concatenate(([0], np.cumsum(is_one)))
            starts, places = n_ones_before[starts], places[is_one]
        return cls(starts, np.ascontiguousarray(places[: starts[-1]]), n_variables, _is_owned=True)

    @classmethod
    def _of_sets(cls, data: Sequence[Set[int]]) -> SparseRows:
        for number, row in enumerate(data):
            for variable in row:
                if (
                    isinstance(variable, bool)
                    or not isinstance(variable, int | np.integer)
                    or not 0 <= variable < MOST_VARIABLES
                ):
                    raise BitsError(
                        f"row {number} holds {shortened(variable)}, expected numbers of variables from 0 on"
                    )
        lists = [sorted(row) for row in data]
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        places = np.array([variable for row in lists for variable in row], np.int32)
        return cls(starts, places, 1 + max(places.tolist(), default=-1), _is_owned=True)

    @classmethod
    def _of_bits(cls, rows: BitMatrix) -> SparseRows:
        step = max(1, ENTRIES_PER_CALL // rows.n_variables)
        blocks = [np.nonzero(rows[start : start + step].to_array()) for start in range(0, rows.n_rows, step)]
        counts = [np.bincount(row, minlength=min(step, rows.n_rows - step * k)) for k, (row, _) in enumerate(blocks)]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate([np.zeros(0, np.int64), *counts]))])
        places = np.concatenate([np.zeros(0, np.int32), *(column.astype(np.int32) for _, column in blocks)])
        return cls(starts.astype(np.int64), places, rows.n_variables, _is_owned=True)

    def __repr__(self) -> str:
        return f"SparseRows({self.n_rows} rows x {self.n_variables} variables, {len(self.places)} entries)"

    def __len__(self) -> int:
        return self.n_rows

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    @cached_property
    def most_entries(self) -> int:
        """The number of places of the longest row."""
        return int(np.diff(self.starts).max(initial=0))

    @cached_property
    def lowest(self) -> int:
        """The lowest place: below 0 where a name was never seen."""
        return int(self.native.lowest)

    def row(self, index: int) -> NDArray[np.int32]:
        """Return the places of one row."""
        return self.places[self.starts[index] : self.starts[index + 1]]

    def row_and(self, index: int, *variables: int) -> NDArray[np.int32]:
        """Return the places of one row, and these."""
        return np.concatenate([self.row(index), np.array(variables, np.int32)])

    def with_values(self) -> SparseRows:
        """Return the same rows with every 1 written out."""
        values = np.ones(len(self.places)) if self.values is None else self.values
        return SparseRows(self.starts, self.places, self.n_variables, values, _is_owned=True)

    def packed(self, names: Sequence[str] | None = None) -> BitMatrix:
        """Return the rows packed, without what was never seen; only Boolean rows can be."""
        is_seen = self.places >= 0
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_seen)])[self.starts]
        places = self.places[is_seen].astype(np.int64)
        n_words = words_per_row(self.n_variables)
        what = f"the packed table of {self.n_rows} rows and {self.n_variables} variables"
        require_memory(8 * self.n_rows * n_words, what, "use fewer rows or variables")
        words = np.zeros((self.n_rows, n_words), np.uint64)
        _core.pack_sparse(starts, places, np.ones(len(places), np.uint8), self.n_variables, words)
        words.flags.writeable = False
        return BitMatrix(words, self.n_variables, names, _is_owned=True)

    def take(self, index: NDArray[np.int64]) -> SparseRows:
        """Return the rows of these numbers, in this order."""
        index = np.array(index)  # others may change theirs
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.starts[index + 1] - self.starts[index])])
        places = np.empty(starts[-1], np.int32)
        values = np.empty(0 if self.values is None else starts[-1])
        _core.sparse_take(self.native, index, starts, places, values)
        return SparseRows(
            starts,
            places,
            self.n_variables,
            None if self.values is None else values,
            _is_owned=True,
            _is_checked=self.lowest >= 0,
        )

    def blocks(self, order: NDArray[np.int64] | None = None) -> list[tuple[int, int]]:
        """Cut the rows, in this order, into blocks short enough for the machine to look for signals between them."""
        ends = self.starts[1:]
        if order is not None:
            ends = np.cumsum(ends[order] - self.starts[:-1][order])
        full = np.searchsorted(ends, np.arange(ENTRIES_PER_CALL, len(self.places), ENTRIES_PER_CALL))
        cuts = {*full.tolist(), *range(ROWS_PER_CALL, self.n_rows, ROWS_PER_CALL)} - {0}
        return list(pairwise([0, *sorted(cuts), self.n_rows]))

    def dot(self, weights: NDArray[Any], unseen: float = 0) -> NDArray[Any]:
        """Return weights . row for every row: in int64 for whole weights and Boolean rows, otherwise in float64."""
        is_whole = weights.dtype.kind in "iu" and self.values is None and unseen == int(unseen)
        weight_array: Any = np.ascontiguousarray(weights, np.int64 if is_whole else np.float64)
        out: Any = np.empty(self.n_rows, weight_array.dtype)
        for first, last in self.blocks():
            _core.sparse_dot(
                self.native, weight_array, int(unseen) if is_whole else float(unseen), first, out[first:last]
            )
        return np.asarray(out)


def _frozen(array: NDArray[Any], is_owned: bool) -> NDArray[Any]:
    """Return an array that nobody else can change: the same, or a copy."""
    owned = array if is_owned else np.array(array)
    owned.flags.writeable = False
    return owned.view()


def _ready_arrays(data: Any) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
    """Copy the starts and places of a sparse table that is Boolean rows as it stands: CSR, sorted, ones only.

    None for others, and for types that the core does not read. Checked is the copy: others may change the table.
    """
    if data.format != "csr":
        return None
    indptr, indices, entries = data.indptr, data.indices, data.data
    values = entries.view(np.uint8) if entries.dtype == bool else entries
    kinds = (np.float64, np.float32, np.int64, np.int8, np.uint8)
    if indices.dtype != np.int32 or indptr.dtype not in (np.int32, np.int64) or values.dtype not in kinds:
        return None
    if not all(array.flags.c_contiguous and array.flags.aligned for array in (indices, values)):
        return None
    if indptr.shape != (data.shape[0] + 1,) or indices.shape != values.shape or data.shape[1] > MOST_VARIABLES:
        return None
    starts, places = indptr.astype(np.int64), np.empty(len(indices), np.int32)
    return (starts, places) if _core.sparse_ones(starts, indices, values, data.shape[1], places) else None
