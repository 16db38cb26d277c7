"""Tables as users give them, read through a model's encoding; text refused where numbers are to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np
from scipy.sparse import issparse

from conjunct.bits import BitMatrix, SparseRows
from conjunct.errors import RowError
from conjunct.messages import shortened
from conjunct.tables.raw_columns import array_of, columns_by_name, frame_columns

__all__ = ["require_no_text", "through_encoding"]


def through_encoding(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return the rows that the encoding of a loaded model makes of a raw table; whatever else X is, as it is.

    Packed and sparse rows hold variables already, as do arrays for a model that was learned from rows without columns.
    """
    encoding = None if reset else getattr(estimator, "encoding_", None)
    if encoding is None or encoding.columns is None or isinstance(X, BitMatrix | SparseRows) or issparse(X):
        return X
    return encoding.rows(columns_by_name(X, encoding.names))


def require_no_text(X: Any, name: str) -> None:
    """Refuse the first text of a table that an estimator is to read as numbers; let anything else through."""
    columns: Iterator[tuple[object, list[Any]]] = iter(())
    if nw.dependencies.is_into_dataframe(X):
        columns = (
            (column.name, column.to_list())
            for column in frame_columns(X)
            if not column.dtype.is_numeric() and column.dtype != nw.Boolean
        )
    elif not issparse(X):
        try:
            table = np.asarray(array_of(X))
        except Exception:  # for whoever reads it to refuse
            return
        if table.ndim == 2 and table.dtype.kind in "OSU":
            columns = ((place, column.tolist()) for place, column in enumerate(table.T))
    for column_name, entries in columns:
        for row, entry in enumerate(entries):
            if isinstance(entry, str | bytes):
                shown = shortened(column_name) if isinstance(column_name, str) else column_name
                advice = f"text becomes variables by make_pipeline(Binarizer(), {name}())"
                raise RowError(f"column {shown} has {shortened(entry)}", row, f"expected numbers; {advice}")
