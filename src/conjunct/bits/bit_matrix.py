"""Boolean rows packed 64 variables to a word."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from conjunct import _core
from conjunct.bits.cells import Cells
from conjunct.bits.limits import require_memory, thread_count
from conjunct.bits.packing import pack_array, pack_frame, pack_sparse, words_per_row
from conjunct.bits.row_order import row_order
from conjunct.errors import BitsError
from conjunct.messages import in_one_line, shortened

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = ["BitMatrix"]

OPERATIONS_PER_CALL = 1 << 31  # of decide, between two looks for signals: some 30 ms, as the next
WORDS_PER_CALL = 1 << 23
LARGEST_WEIGHT_SUM = 1 << 62

RowIndex = int | slice | Sequence[int] | Sequence[bool] | np.ndarray[Any, Any]


class BitMatrix:
    """An immutable table of Boolean rows, 64 variables to a word, with the names of its variables.

    Make one with `from_array`, `from_csr`, `from_frame`, or `of`, which takes any of these.

    Attributes
    ----------
    words : ndarray of uint64, read-only
        Variable v of row i is bit ``v % 64`` of ``words[i, v // 64]``; bits past the last variable are 0.
    n_rows, n_variables : int
    shape : tuple
        ``(n_rows, n_variables)``.
    names : tuple of str
        The names of the variables; x1, x2, ... where none were given.

    Examples
    --------
    >>> rows = BitMatrix.of(["1011", "0010", "1011"])
    >>> rows
    BitMatrix(3 rows x 4 variables)
    >>> rows[1:].to_array().tolist()
    [[0, 0, 1, 0], [1, 0, 1, 1]]
    >>> rows.pool(["no", "yes", "no"]).counts.tolist()  # cells 0010 and 1011, labels no and yes
    [[0, 1], [2, 0]]
    """

    __slots__ = ("_names", "n_variables", "words")

    words: NDArray[np.uint64]
    n_variables: int
    _names: tuple[str, ...] | None

    def __init__(
        self, words: ArrayLike, n_variables: int, names: Sequence[str] | None = None, *, _is_owned: bool = False
    ) -> None:
        if isinstance(n_variables, bool) or not isinstance(n_variables, int | np.integer) or n_variables < 1:
            raise BitsError(f"n_variables={shortened(n_variables)}: expected a positive integer")
        array = np.asarray(words)
        if array.dtype.kind not in "iu":
            raise BitsError(f"words hold 64 variables each as an integer, got values of type {array.dtype}")
        owned = array if _is_owned else np.array(array, np.uint64, order="C")
        if owned.ndim != 2 or owned.shape[1] != words_per_row(n_variables):
            raise BitsError(
                f"{n_variables} variables need {words_per_row(n_variables)} words per row, got shape {owned.shape}"
            )
        n_tail_bits = n_variables % 64
        if n_tail_bits and bool(np.any(owned[:, -1] >> np.uint64(n_tail_bits))):
            raise BitsError(f"a word has bits set past its last variable, number {n_variables}")
        if names is not None:
            with in_one_line("names"):
                names = tuple(str(name) for name in names)
            if len(names) != n_variables:
                raise BitsError(f"{n_variables} variables need as many names, got {len(names)}")
            if len(set(names)) != n_variables:
                twice = next(name for index, name in enumerate(names) if name in names[:index])
                raise BitsError(f"two variables are named {shortened(twice)}; names must differ")
        owned.flags.writeable = False
        for attribute, value in (("words", owned.view()), ("n_variables", int(n_variables)), ("_names", names)):
            object.__setattr__(self, attribute, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a BitMatrix does not change; {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a BitMatrix does not change; {name!r} cannot be deleted")

    @classmethod
    def of(cls, data: object, names: Sequence[str] | None = None) -> BitMatrix:
        """Pack whatever holds zeros and ones: array, sparse matrix, data frame, lists, digit strings, a BitMatrix."""
        if isinstance(data, BitMatrix):
            return data if names is None else data.with_names(names)
        if hasattr(data, "tocsr"):
            return cls.from_csr(data, names)
        if hasattr(type(data), "columns") or hasattr(data, "__narwhals_dataframe__"):
            packed = cls.from_frame(data)
            return packed if names is None else packed.with_names(names)
        return cls.from_array(data, names)

    @classmethod
    def from_array(cls, table: object, names: Sequence[str] | None = None) -> Self:
        """Pack a dense table of bool, integer or float zeros and ones, in any memory order."""
        return cls(*pack_array(table, names), names, _is_owned=True)

    @classmethod
    def from_csr(cls, table: object, names: Sequence[str] | None = None) -> Self:
        """Pack a SciPy sparse table (CSR; CSC and COO are converted). Entries at one place add up: 1 + 1 is refused."""
        return cls(*pack_sparse(table, names), names, _is_owned=True)

    @classmethod
    def from_frame(cls, frame: object) -> Self:
        """Pack a data frame (pandas, polars, and what else narwhals reads) with its column names."""
        return cls(*pack_frame(frame), _is_owned=True)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.words.shape[0])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and variables."""
        return self.n_rows, self.n_variables

    @property
    def is_named(self) -> bool:
        """Whether the variables were given names."""
        return self._names is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables; x1, x2, ... where none were given."""
        return self._names or tuple(f"x{v + 1}" for v in range(self.n_variables))

    def with_names(self, names: Sequence[str]) -> BitMatrix:
        """Return the same rows under other names."""
        return BitMatrix(self.words, self.n_variables, names, _is_owned=True)

    def with_negations(self) -> BitMatrix:
        """Return a table of twice the width: every variable, then the negation of every variable, named ``~name``."""
        words = np.empty((self.n_rows, words_per_row(2 * self.n_variables)), np.uint64)
        _core.negate_rows(self.words, self.n_variables, words)
        names = (*self.names, *(f"~{name}" for name in self.names))
        return BitMatrix(words, 2 * self.n_variables, names, _is_owned=True)

    def to_array(self) -> NDArray[np.uint8]:
        """Return the rows as a dense array of zeros and ones."""
        table = np.empty(self.shape, np.uint8)
        _core.unpack_rows(self.words, table)
        return table

    def pool(self, labels: ArrayLike | None = None) -> Cells:
        """Pool equal rows into cells, in the order of their digit strings, and count the labels on each.

        Parameters
        ----------
        labels : array-like, optional
            One label per row; without it every row counts under the one label 0.
        """
        label_array = np.zeros(self.n_rows, np.int64) if labels is None else _label_array(labels)
        if label_array.shape != (self.n_rows,):
            raise BitsError(f"{self.n_rows} rows need as many labels, got an array of shape {label_array.shape}")
        order = row_order(self.words)
        is_new = np.ones(self.n_rows, bool)
        is_new[1:] = np.any(self.words[order[1:]] != self.words[order[:-1]], axis=1)
        cell_of = np.empty(self.n_rows, np.int64)
        cell_of[order] = np.cumsum(is_new) - 1
        n_cells = int(np.count_nonzero(is_new))
        try:
            distinct, label_index = np.unique(label_array, return_inverse=True)
        except TypeError:
            raise BitsError("the labels cannot be put in order; use labels of one type") from None
        require_memory(8 * n_cells * len(distinct), "the table of counts per cell and label", "use fewer labels")
        counts = np.bincount(cell_of * len(distinct) + label_index, minlength=n_cells * len(distinct))
        return Cells(self[order[is_new]], distinct, counts.reshape(n_cells, len(distinct)), cell_of)

    def decide(self, starts: ArrayLike, literals: ArrayLike, labels: ArrayLike, default: bool) -> NDArray[np.bool_]:
        """Return, for every row, the label of the first rule that holds on it.

        Parameters
        ----------
        starts : array-like of int64
            The literals of rule t are ``literals[starts[t]:starts[t + 1]]``; it holds where all of them do, and
            everywhere if it has none.
        literals : array-like of int32
            ``2 * variable + is_negated``, variables counted from 0.
        labels : array-like of bool
            One per rule.
        default : bool
            The label of rows on which no rule holds.

        Returns
        -------
        ndarray of bool, of shape (n_rows,)

        Notes
        -----
        The words that hold a literal's variable are transposed, so that a machine word is one variable of 64 rows, and
        rules are tried on 256 rows at once until every one of them is decided.

        Examples
        --------
        >>> rows = BitMatrix.of(["110", "100", "001"])
        >>> rows.decide([0, 2, 3], [0, 3, 4], [False, True], default=True).tolist()  # x1 & ~x2: 0, x3: 1, else 1
        [True, False, True]
        """
        begins, codes = _whole_numbers(starts, np.int64, "starts"), _whole_numbers(literals, np.int32, "literals")
        label_array = _truth_values(labels)
        if (
            label_array.shape != (len(begins) - 1,)
            or begins[0] != 0
            or begins[-1] != len(codes)
            or bool(np.any(begins[1:] < begins[:-1]))
        ):
            raise BitsError(
                f"starts: expected {len(label_array) + 1} numbers, for {len(label_array)} labels, rising from 0 to "
                f"{len(codes)}, the number of literals"
            )
        if len(codes) and not 0 <= int(codes.min()) <= int(codes.max()) < 2 * self.n_variables:
            unknown = int(codes.min() if codes.min() < 0 else codes.max())
            raise BitsError(
                f"literal {unknown}: expected 0 to {2 * self.n_variables - 1} for {self.n_variables} variables"
            )
        decided, flags = np.empty(self.n_rows, bool), np.ascontiguousarray(label_array).view(np.uint8)
        # A literal is one operation for 64 rows, a word to be transposed some 200.
        step = max(1, OPERATIONS_PER_CALL // (len(codes) + 200 * self.words.shape[1]) // 256) * 256
        for row in range(0, self.n_rows, step):
            out = decided[row : row + step].view(np.uint8)
            _core.first_rule(
                self.words[row : row + step], self.n_variables, begins, codes, flags, bool(default), thread_count(), out
            )
        return decided

    def weighted_sums(self, weights: ArrayLike) -> NDArray[np.int64]:
        """Return, for every row, the sum of the weights of its ones.

        Parameters
        ----------
        weights : array-like of int64
            One per variable; their absolute values add up to less than 2**62.

        Examples
        --------
        >>> BitMatrix.of(["110", "001", "000"]).weighted_sums([5, -7, 2]).tolist()
        [-2, 2, 0]
        """
        weight_array = _whole_numbers(weights, np.int64, "weights")
        if len(weight_array) != self.n_variables:
            raise BitsError(f"{self.n_variables} variables need as many weights, got {len(weight_array)}")
        if sum(map(abs, weight_array.tolist())) >= LARGEST_WEIGHT_SUM:
            raise BitsError("the absolute values of the weights add up to 2**62 or more; use smaller weights")
        sums = np.empty(self.n_rows, np.int64)
        step = max(256, WORDS_PER_CALL // self.words.shape[1])
        for row in range(0, self.n_rows, step):
            _core.weighted_sums(self.words[row : row + step], weight_array, thread_count(), sums[row : row + step])
        return sums

    def __len__(self) -> int:
        return self.n_rows

    def __getitem__(self, rows: RowIndex | tuple[RowIndex, EllipsisType]) -> BitMatrix:
        """Select rows by index, slice, index array or mask; one index gives a table of one row."""
        if isinstance(rows, tuple):
            if len(rows) != 2 or rows[1] is not Ellipsis:
                raise BitsError("a BitMatrix is indexed by rows only; to_array() gives an array of both")
            rows = rows[0]
        if not isinstance(rows, slice):
            rows = np.atleast_1d(np.asarray(rows))
            rows = rows if rows.size else np.empty(0, np.int64)
        return BitMatrix(self.words[rows], self.n_variables, self._names)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the rows as NumPy sees them: a dense array of zeros and ones, always a new one."""
        if copy is False:
            raise ValueError("a BitMatrix is unpacked into a new array; copy=False cannot be met")
        return self.to_array().astype(dtype or np.uint8, copy=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BitMatrix):
            return NotImplemented
        return self.shape == other.shape and self.names == other.names and np.array_equal(self.words, other.words)

    def __hash__(self) -> int:
        return hash((self.shape, self.names, self.words.tobytes()))

    def __reduce__(self) -> tuple[type[BitMatrix], tuple[object, ...]]:
        return BitMatrix, (self.words, self.n_variables, self._names)

    def __repr__(self) -> str:
        return f"BitMatrix({self.n_rows} rows x {self.n_variables} variables)"


def _label_array(labels: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(labels)
    except ValueError:
        raise BitsError("the labels are lists of different lengths; one label per row is needed") from None


def _truth_values(labels: ArrayLike) -> NDArray[np.bool_]:
    array = np.atleast_1d(np.asarray(labels))
    if array.size and (array.dtype.kind not in "biu" or not np.all((array == 0) | (array == 1))):
        raise BitsError("labels: expected True and False, or 1 and 0")
    return array.astype(bool)


def _whole_numbers(values: ArrayLike, dtype: type[np.int64 | np.int32], what: str) -> NDArray[Any]:
    """Return a flat array of whole numbers of a type; refuse other kinds, other shapes, and what it cannot hold."""
    numbers = np.array(values)  # what is checked here is what is read: others may change theirs
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise BitsError(f"{what}: expected a flat array of integers, got {numbers.dtype} of shape {numbers.shape}")
    limits = np.iinfo(dtype)
    if numbers.size and not limits.min <= int(numbers.min()) <= int(numbers.max()) <= limits.max:
        raise BitsError(f"{what}: a number does not fit {limits.dtype}")
    return numbers.astype(dtype, copy=False)
