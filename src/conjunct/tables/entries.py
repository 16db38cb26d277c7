"""What one entry of a table is: missing, text, a number or a bool."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite
from numbers import Real

import numpy as np

from conjunct.bits.dates import is_date
from conjunct.errors import BitsError
from conjunct.messages import shortened

__all__ = ["LARGEST_INTEGER", "entry_number", "entry_type", "is_missing"]

LARGEST_INTEGER = 2**53  # up to which every integer is a float64


def is_missing(entry: object) -> bool:
    """Return whether an entry holds nothing: None, NaN, or the missing values of pandas."""
    if isinstance(entry, Decimal):
        return entry.is_nan()
    if isinstance(entry, Real | np.datetime64):
        return bool(entry != entry)
    return entry is None or type(entry).__name__ in ("NAType", "NaTType")


def entry_type(entry: object) -> str | None:
    """Return what an entry that is not missing holds: ``"text"``, ``"number"``, ``"bool"``; None for anything else."""
    if isinstance(entry, bool | np.bool_):
        return "bool"
    if isinstance(entry, Real | Decimal) and not is_date(entry):
        return "number"
    return "text" if isinstance(entry, str) else None


def entry_number(entry: object) -> float:
    """Return an entry as the float64 that tests compare; whatever is no finite number is refused."""
    if isinstance(entry, bool | np.bool_ | Real | Decimal):
        try:
            number = float(entry)
        except OverflowError:
            number = float("inf")
        if isfinite(number):
            return number
    raise BitsError(f"expected a finite number, got {shortened(entry)}")
