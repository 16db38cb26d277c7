"""From users' tables to packed words; every refusal names the column, the row and the value."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from numbers import Number, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits.dates import DATES_ARE_NO_NUMBERS, is_date, require_no_dates, shown_date
from conjunct.bits.limits import require_memory, thread_count
from conjunct.errors import BitsError, RowError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["pack_array", "pack_frame", "pack_sparse", "words_per_row"]

BINARIZE = "Binarize it first: binarize=0.5 reads 'x > 0.5' as 1, a Binarizer makes one variable per category or cut"
REAL_NUMBERS = (bool, np.bool_, Real, Decimal)
CHECKED_FORMATS = ("coo", "csr", "csc", "bsr")
NATIVE_KINDS = {"u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"}


def words_per_row(n_variables: int) -> int:
    """Return how many 64-bit words a row takes."""
    return (n_variables + 63) // 64


def pack_array(data: object, names: Sequence[str] | None = None) -> tuple[NDArray[np.uint64], int]:
    """Pack a dense table of zeros and ones; returns the words and the number of variables.

    Any strides, byte order and numeric type; rows may also be strings of digits. The table is only read.
    """
    table = as_table(data, names)
    n_rows, n_variables = table.shape
    if n_variables == 0:
        raise BitsError(f"the table has {n_rows} rows and no variables; at least one variable is needed")
    words = np.empty((n_rows, words_per_row(n_variables)), np.uint64)
    plain = native_table(table)
    threads = thread_count() if plain.nbytes >= 1 << 22 else 1
    first_other = _core.pack_dense(plain, words, threads)
    if first_other >= 0:
        row, column = divmod(first_other, n_variables)
        raise not_boolean(column_name(column, names), table[row, column], row)
    words.flags.writeable = False
    return words, n_variables


def pack_sparse(data: Any, names: Sequence[str] | None = None) -> tuple[NDArray[np.uint64], int]:
    """Pack a SciPy sparse table.

    Entries may be unsorted; entries at one place add up, as everywhere in SciPy, so 1 + 1 is refused as 2; an explicit
    zero is a zero. The table is only read.
    """
    if not hasattr(data, "tocsr") or len(data.shape) != 2:
        raise BitsError(f"expected a sparse table of rows and columns, got {type(data).__name__}")
    table = summed_csr(data, names)
    n_rows, n_variables = table.shape
    if n_variables == 0:
        raise BitsError(f"the table has {n_rows} rows and no variables; at least one variable is needed")
    other_values = np.flatnonzero((table.data != 0) & (table.data != 1))
    if other_values.size:
        row = int(np.searchsorted(table.indptr, other_values[0], side="right")) - 1
        raise not_boolean(column_name(int(table.indices[other_values[0]]), names), table.data[other_values[0]], row)
    need = 8 * n_rows * words_per_row(n_variables)
    require_memory(
        need, f"the packed table of {n_rows} rows and {n_variables} variables", "use fewer rows or variables"
    )
    words = np.zeros((n_rows, words_per_row(n_variables)), np.uint64)
    indptr, indices = np.ascontiguousarray(table.indptr), np.ascontiguousarray(table.indices)
    if indices.dtype != np.int32 or indptr.dtype != np.int32:
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    broken = _core.pack_sparse(indptr, indices, (table.data == 1).view(np.uint8), n_variables, words)
    if broken >= 0:
        raise BitsError(f"row {broken} of the sparse table has an index outside its {n_variables} columns")
    return words, n_variables


def pack_frame(frame: Any) -> tuple[NDArray[np.uint64], int, tuple[str, ...]]:
    """Pack a pandas, polars or other data frame of zeros and ones, column names included."""
    import narwhals as nw

    require_no_dates(frame)
    try:
        table = nw.from_native(frame, eager_only=True)
        names = tuple(str(name) for name in table.columns)
    except TypeError:
        raise BitsError(f"expected a data frame held in memory, got {type(frame).__name__}") from None
    except nw.exceptions.DuplicateError as error:
        raise BitsError(" ".join(str(error).split())) from None
    columns = []
    for name, column in zip(names, table.iter_columns(), strict=True):
        missing = np.flatnonzero(column.is_null().to_numpy())
        if missing.size:
            raise not_boolean(shortened(name), None, int(missing[0]))
        is_readable = column.dtype.is_numeric() or column.dtype in (nw.Boolean, nw.Object, nw.Unknown)
        if len(column) and not is_readable:
            raise not_boolean(shortened(name), column.head(1).to_list()[0], 0, f" of type {column.dtype}")
        columns.append(column.to_numpy())
    if not columns:
        raise BitsError(f"the table has {len(table)} rows and no variables; at least one variable is needed")
    words, n_variables = pack_array(np.column_stack(columns), names)
    return words, n_variables, names


def summed_csr(data: Any, names: Sequence[str] | None) -> Any:
    """Read a sparse table as CSR, entries at one place summed; the table is only read."""
    table = owned_csr(data)
    if table.dtype.kind not in "biuf":
        entries = table.tocoo()
        for row, column, value in zip(entries.row, entries.col, entries.data, strict=True):
            raise not_boolean(column_name(column, names), value, int(row))
    if not table.has_canonical_format:
        table.sum_duplicates()
    return table


def owned_csr(data: Any) -> Any:
    """Copy a sparse table as CSR, in a type where 1 + 1 is 2, and check the copy.

    SciPy and the core follow indices unseen, and another thread may change the table meanwhile.
    """
    if data.dtype.kind in "mM":
        raise BitsError(f"the sparse table has values of type {data.dtype}; {DATES_ARE_NO_NUMBERS}")
    numbers = [getattr(data, name) for name in ("indptr", "indices", "row", "col") if hasattr(data, name)]
    try:
        table = data.copy()
        if all(array.dtype.kind in "iu" for array in numbers) and is_sound(table):
            is_narrow = table.dtype.kind in "biu" and table.dtype.itemsize < 8
            table = (table.astype(np.int64) if is_narrow else table).tocsr()
            table = type(table)((table.data, table.indices, table.indptr), shape=table.shape)  # without its flags
            if data.format in CHECKED_FORMATS or is_sound(table):
                return table
    except (ValueError, IndexError):  # SciPy saw it itself
        pass
    raise BitsError(f"the sparse table is broken: its indices lead outside its {data.shape[0]} x {data.shape[1]}")


def is_sound(data: Any) -> bool:
    """Whether the indices of a sparse table stay within its arrays; SciPy follows them unseen."""
    if data.format == "coo":
        axes = zip((data.row, data.col), data.shape, strict=True)
        return all(len(index) == len(data.data) and is_within(index, limit) for index, limit in axes)
    if data.format not in CHECKED_FORMATS:
        return True
    blocks = data.blocksize if data.format == "bsr" else (1, 1)
    lines, width = (size // block for size, block in zip(data.shape, blocks, strict=True))
    if data.format == "csc":
        lines, width = width, lines
    starts = data.indptr
    return bool(
        starts.shape == (lines + 1,)
        and len(data.indices) == len(data.data)
        and is_within(starts, len(data.indices) + 1)
        and starts[0] == 0
        and np.all(starts[1:] >= starts[:-1])
        and is_within(data.indices[: starts[-1]], width)
    )


def is_within(index: NDArray[Any], limit: int) -> bool:
    """Whether every index is an integer from 0 to limit - 1."""
    return index.dtype.kind in "iu" and (index.size == 0 or bool(index.min() >= 0 and index.max() < limit))


def as_table(data: object, names: Sequence[str] | None = None) -> NDArray[Any]:
    """Read data as a two-dimensional array of numbers."""
    if isinstance(data, list | tuple) and data and all(isinstance(row, str) for row in data):
        data = [[int(digit) if digit in "01" else digit for digit in row] for row in data]
    try:
        table = np.asarray(data)
        if table.dtype.kind in ("SUmM" if isinstance(data, list | tuple) else "SU"):  # numbers beside others stay so
            table = np.asarray(data, object)
    except ValueError:
        raise BitsError("the rows have different lengths; a table needs as many values in every row") from None
    if table.ndim != 2:
        raise BitsError(
            f"expected a table of rows and columns, got {table.ndim} dimension(s); one row is table[None, :]"
        )
    is_plain = type(data) is np.ndarray or not isinstance(
        data, np.ndarray
    )  # asked first: np.ma is imported by its name
    if not is_plain and isinstance(data, np.ma.MaskedArray):
        for row, column in np.argwhere(np.ma.getmaskarray(data)):
            raise not_boolean(column_name(column, names), None, int(row))
    if table.dtype.kind not in "biuf":
        require_numbers(table, names)
    return table


def require_numbers(table: NDArray[Any], names: Sequence[str] | None) -> None:
    """Refuse text, dates and other objects by place."""
    for (row, column), value in np.ndenumerate(table):
        if table.dtype.kind != "O" or is_date(value) or not isinstance(value, REAL_NUMBERS):
            raise not_boolean(column_name(column, names), value, row)


def native_table(table: NDArray[Any]) -> NDArray[Any]:
    """Give a table a type, byte order and alignment the core takes, copying only if needed."""
    if table.dtype.kind == "b":
        table = table.view(np.uint8)
    if table.dtype.str[1:] not in NATIVE_KINDS:
        table = np.where(table == 1, np.uint8(1), np.where(table == 0, np.uint8(0), np.uint8(2)))
    if not table.dtype.isnative:
        table = table.astype(table.dtype.newbyteorder("="))
    if not table.flags.aligned or any(stride % table.itemsize for stride in table.strides):
        table = np.ascontiguousarray(table).copy()
    return table


def column_name(column: int, names: Sequence[str] | None) -> str:
    """Name a column for a message: by its name if it has one, otherwise by its index."""
    return str(column) if names is None or column >= len(names) else shortened(str(names[column]))


def not_boolean(column: str, value: object, row: int, kind: str = "") -> RowError:
    """Say which value of which column is not Boolean, and what to do."""
    if is_date(value):
        return RowError(f"column {column} has {shown_date(value)}", row, DATES_ARE_NO_NUMBERS)
    plain = value.item() if isinstance(value, np.generic) else value
    is_missing = plain is None or (isinstance(plain, Number) and plain != plain)
    what = "a missing value (NaN)" if is_missing else shortened(plain) + kind
    return RowError(f"column {column} has {what}", row, f"a BitMatrix holds only 0 and 1. {BINARIZE}")
