"""Dates and times in tables: refused, never read as the integers that store them."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

import numpy as np

from conjunct.errors import BitsError
from conjunct.messages import shortened

__all__ = ["DATES_ARE_NO_NUMBERS", "is_date", "require_no_dates", "shown_date"]

DATES_ARE_NO_NUMBERS = (
    "dates and times are no numbers. Make it a number first, such as days since a day, or text for a Binarizer"
)


def is_date(value: object) -> bool:
    """Return whether a value is a date, a time, a span of time, or a missing one of these.

    NumPy calls its spans of time integers, and pandas its periods nothing that Python knows.
    """
    return isinstance(value, date | time | timedelta | np.datetime64 | np.timedelta64) or (
        type(value).__name__ in ("NaTType", "Period")
    )


def shown_date(value: object) -> str:
    """Return a date for a message: 2020-01-02, not the call that makes it."""
    return shortened(str(value))


def require_no_dates(table: Any) -> None:
    """Refuse the first date of an array, list or frame, its column, row and value named; let anything else through.

    SciPy's sparse tables hold none.
    """
    import narwhals as nw  # which takes as long as all of conjunct, and only frames need

    if nw.dependencies.is_into_dataframe(table):
        _require_none_in_frame(table)
    elif not hasattr(table, "tocsr"):
        try:
            entries = np.asarray(table)
            if entries.dtype.kind in "mM" and isinstance(table, list | tuple):
                entries = np.asarray(table, object)  # NumPy makes a date of every number beside one
        except Exception:  # for whoever reads it to refuse
            return
        if entries.ndim == 2 and entries.dtype.kind in "mMO":
            for (row, column), value in np.ndenumerate(entries):
                _require_no_date(str(column), value, row)


def _require_none_in_frame(frame: Any) -> None:
    import narwhals as nw

    try:
        columns = list(nw.from_native(frame, eager_only=True).iter_columns())
    except (TypeError, nw.exceptions.NarwhalsError):  # for whoever reads it to refuse
        return
    for column in columns:
        if column.dtype.is_numeric() or column.dtype in (nw.Boolean, nw.String):
            continue
        for row, value in enumerate(column.to_list()):
            is_missing_date = value is None and column.dtype.is_temporal()
            _require_no_date(shortened(str(column.name)), np.datetime64("NaT") if is_missing_date else value, row)


def _require_no_date(column: str, value: object, row: int) -> None:
    if is_date(value):
        raise BitsError(f"column {column} has {shown_date(value)} in row {row}; {DATES_ARE_NO_NUMBERS}")
