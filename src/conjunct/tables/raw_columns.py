"""The columns of tables as users hold them in Python: frames, columns by name, arrays, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from conjunct.errors import BitsError
from conjunct.tables.column import Column

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["array_of", "columns_by_name", "entries_of", "frame_columns"]


def columns_by_name(X: Any, names: Sequence[str]) -> Mapping[str, Any]:
    """Return the columns of a table by name; those of an array or a list are taken in order."""
    if isinstance(X, Mapping):
        return {str(name): entries_of(entries) for name, entries in X.items()}
    if nw.dependencies.is_into_dataframe(X):
        return {str(column.name): column for column in frame_columns(X)}
    table = np.asarray(array_of(X))
    if table.ndim != 2 or table.shape[1] != len(names):
        shape = f"{table.shape[1]} columns" if table.ndim == 2 else f"{table.ndim} dimension(s)"
        raise BitsError(f"X has {shape}, expected the {len(names)} columns that the model was learned from")
    return dict(zip(names, table.T, strict=True))


def array_of(X: Any) -> Any:
    """Give lists of numbers and text, and masked entries, an array that keeps them apart; leave the rest alone."""
    if isinstance(X, np.ma.MaskedArray):
        entries = X.data.astype(object)
        entries[np.ma.getmaskarray(X)] = None
        return entries
    if hasattr(type(X), "collect") and hasattr(type(X), "columns"):
        raise BitsError(f"expected a data frame held in memory, got {type(X).__name__}; collect it first")
    if not isinstance(X, list | tuple):
        return X
    try:
        is_mixed = np.asarray(X).dtype.kind in "SUmM"
        return np.asarray(X, object) if is_mixed else X
    except ValueError:
        raise BitsError("the rows have different lengths; a table needs as many entries in every row") from None


def entries_of(entries: Any) -> Column | NDArray[Any]:
    """Give a column that stands alone an array, one entry to a row."""
    if isinstance(entries, Column):
        return entries
    array = np.asarray(array_of(list(entries)))
    if array.ndim != 1:
        raise BitsError("X has 0 rows, 0 columns, or columns of different lengths; a table needs all alike")
    return array


def frame_columns(X: Any) -> list[nw.Series[Any]]:
    """Return the columns of a frame; two of one name, and what is not held in memory, are refused."""
    try:
        return list(nw.from_native(X, eager_only=True).iter_columns())
    except nw.exceptions.DuplicateError as error:
        raise BitsError(" ".join(str(error).split())) from None
    except TypeError:
        raise BitsError(f"expected a data frame held in memory, got {type(X).__name__}; collect it first") from None
