"""The numbers and the missing entries of input files: one small grammar, range checked before conversion."""

from __future__ import annotations

import re
from math import isfinite

__all__ = ["MISSING", "MISSING_LABELS", "int64", "is_integer", "is_number", "is_plain_integer", "number"]

MISSING = frozenset(
    {"", "?", "NA", "NaN", "nan", "null", "NULL", "N/A", "n/a", "#N/A", "<NA>", "None", "\\N"}
)  # \N is what MySQL writes, <NA> what pandas does
MISSING_LABELS = MISSING - {"None"}  # which is a class where it is a label

_PLAIN_INTEGER = re.compile(r"0|[+-]?[1-9][0-9]*")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_INT64_DIGITS = 19


def is_integer(text: str) -> bool:
    """Return whether the text is ASCII digits with at most one sign before them."""
    return _INTEGER.fullmatch(text) is not None


def is_plain_integer(text: str) -> bool:
    """Return whether the text is an integer without leading zeros; a plus sign is allowed.

    Examples
    --------
    >>> [is_plain_integer(text) for text in ("0", "-12", "01", "+1", "-0", "1.0")]
    [True, True, False, True, False, False]
    """
    return _PLAIN_INTEGER.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Return whether the text is a number: ASCII digits, one sign, one point, one exponent.

    Examples
    --------
    >>> [is_number(text) for text in ("-3", ".5e-7", "1_000", "0x1f", "inf", "1,5", "")]
    [True, True, False, False, False, False, False]
    """
    return _NUMBER.fullmatch(text) is not None


def int64(text: str) -> int | None:
    """Return the integer that an integer spelling stands for; None if it does not fit in 64 bits."""
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > _INT64_DIGITS:
        return None
    value = -int(digits or "0") if text.startswith("-") else int(digits or "0")
    return value if -(2**63) <= value < 2**63 else None


def number(text: str) -> float | None:
    """Return the float nearest to what a number's spelling stands for; None past the float range."""
    value = float(text)
    return value if isfinite(value) else None
