"""Which notation the entries of a column have, found by all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias
from unicodedata import category

from conjunct.errors import BitsError
from conjunct.tables.date_notation import DATE_ORDERS, DateNotation, has_time
from conjunct.tables.number_notation import NumberNotation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["DASHES", "PLAIN", "Finding", "Notation", "find_notation", "is_mistake", "notation_from_record"]

Notation: TypeAlias = NumberNotation | DateNotation
Spelling: TypeAlias = Callable[[int], str]  # what a code is spelled as

PLAIN = NumberNotation()
DASHES = frozenset({"-", "."})  # missing among numbers and dates; elsewhere a text
GROUPING = "'’\u00a0\u202f"  # between thousands in some languages, and never a decimal sign
_NUMBER_OR_DATE = r"\W{0,4}[0-9][0-9.,/:+%'’ \u00a0\u202fA-Za-z-]*\W{0,2}"  # compiled by re when it is needed


@dataclass(frozen=True, slots=True)
class Finding:
    """What a column holds: a notation, or None for text; or why it is refused, and for which spellings.

    Dashes are the spellings that are missing because all others are numbers or dates.
    """

    notation: Notation | None = None
    dashes: Sequence[int] = ()
    reason: str | None = None
    refused: Sequence[int] = ()


def is_mistake(n_other: int, n_present: int) -> bool:
    """Return whether entries unlike the rest are so few that they are taken for mistakes."""
    return 10 * n_other <= n_present or (n_other == 1 and n_present > 4)


def find_notation(
    spelling: Spelling,
    numbers: Sequence[int],
    texts: Sequence[int],
    n_rows_of: NDArray[np.int64],
    decimal: str | None,
    dates: str | None,
) -> Finding:
    """Find the one notation in which all entries of a column are numbers, or dates.

    Parameters
    ----------
    spelling : callable
        What a code is spelled as; codes number the spellings in the order of their coming.
    numbers, texts : sequence of int
        The codes of what our own grammar reads as a number, and of what it does not; none of them missing.
    n_rows_of : ndarray of int64
        How many rows have each code; none for those that are missing.
    decimal, dates : str or None
        What decides where a column reads both ways.
    """
    n_present = int(n_rows_of.sum())
    others: list[int] = []
    dashes: list[int] = []
    n_unlike = 0
    for code in texts:
        text = spelling(code)
        if text in DASHES:
            dashes.append(code)
            continue
        others.append(code)
        if not re.fullmatch(_NUMBER_OR_DATE, text):
            n_unlike += int(n_rows_of[code])
            if not is_mistake(n_unlike, n_present):
                return Finding()
    n_present -= int(n_rows_of[dashes].sum())
    codes = sorted([*others, *numbers])
    if not codes:
        return Finding()
    candidates = list(_candidates({code: int(n_rows_of[code]) for code in others}, spelling, decimal))
    misfits = {notation: _misfits(notation, codes, spelling, n_rows_of, n_present) for notation in candidates}
    fitting = [notation for notation in candidates if misfits[notation] == []]
    if fitting:
        return replace(_decided(fitting, codes, spelling, decimal, dates), dashes=dashes)
    near = {notation: refused for notation, refused in misfits.items() if refused is not None}
    if near:
        notation = min(near, key=lambda notation: int(n_rows_of[near[notation]].sum()))
        return Finding(reason=f"expected {notation.expected} like its other cells", refused=near[notation])
    if all(any(notation.plain(spelling(code)) for notation in candidates) for code in codes):
        first = next(notation for notation in candidates if notation.plain(spelling(codes[0])))
        refused = [code for code in codes if not first.plain(spelling(code))]
        return Finding(reason=f"expected {first.expected} written as in the rows before it", refused=refused)
    return Finding()


def _candidates(n_rows_of: Mapping[int, int], spelling: Spelling, decimal: str | None) -> Iterator[Notation]:
    """Yield the notations that a column may have, those without surprise first."""
    units: Counter[str] = Counter()
    signs: set[str] = set()
    for code, n_rows in n_rows_of.items():
        text = spelling(code)
        signs.update(text)
        ends = {text.lstrip("+-")[:1], text[-1]} - {""}
        units.update({sign: n_rows for sign in ends if _is_unit(sign)})
    for unit in ["", *(unit for unit, _ in units.most_common(1))]:
        yield NumberNotation(".", "", unit)
        yield from (NumberNotation(".", sign, unit) for sign in f",{GROUPING}" if sign in signs)
        if "," in signs or decimal == ",":
            yield from (NumberNotation(",", sign, unit) for sign in f".{GROUPING}" if sign in signs or sign == ".")
    yield from (DateNotation(order) for order in DATE_ORDERS)


def _is_unit(sign: str) -> bool:
    """Return whether a character is % or a currency sign."""
    return sign == "%" or category(sign) == "Sc"


def _misfits(
    notation: Notation, codes: Sequence[int], spelling: Spelling, n_rows_of: NDArray[np.int64], n_present: int
) -> list[int] | None:
    """Return the codes of what is none of a notation; None where it is too much to be mistakes."""
    refused, n_rows = [], 0
    for code in codes:
        if notation.plain(spelling(code)) is None:
            refused.append(code)
            n_rows += int(n_rows_of[code])
            if not is_mistake(n_rows, n_present):
                return None
    return refused


def _decided(
    fitting: list[Notation], codes: Sequence[int], spelling: Spelling, decimal: str | None, dates: str | None
) -> Finding:
    """Return the one of the notations that fit; refuse where two of them give different values."""
    first = fitting[0]
    if isinstance(first, DateNotation):
        wished = next((notation for notation in fitting if notation == DateNotation(dates or "")), None)
        if wished is None and len(fitting) > 1:
            reason = "expected a date that reads one way (--dates dmy or --dates mdy)"
            return Finding(reason=reason, refused=codes)
        return Finding(DateNotation((wished or first).order, any(has_time(spelling(code)) for code in codes)))
    numbers = [notation for notation in fitting if isinstance(notation, NumberNotation)]
    of_decimal = [notation for notation in numbers if notation.decimal == decimal]
    if of_decimal:
        return Finding(of_decimal[0])
    if first.thousands:
        for other in numbers[1:]:
            for code in codes:
                one, another = first.plain(spelling(code)), other.plain(spelling(code))
                if one != another:
                    reason = f"expected a number that reads one way (--decimal . reads {one}, --decimal , {another})"
                    return Finding(reason=reason, refused=[code])
    return Finding(first)


def notation_from_record(record: object) -> Notation:
    """Read what ``dataclasses.asdict`` made of a notation, checking every value."""
    match record:
        case {"decimal": "." | "," as decimal, "thousands": str(thousands), "unit": str(unit), **rest} if not rest:
            signs = {"", ",", ".", *GROUPING} - {decimal}
            if thousands in signs and (unit == "" or (len(unit) == 1 and _is_unit(unit))):
                return NumberNotation(decimal, thousands, unit)
        case {"order": str(order), "has_time": bool(with_time), **rest} if not rest and order in DATE_ORDERS:
            return DateNotation(order, with_time)
    raise BitsError("a column of the record has a notation that is neither one of numbers nor one of dates")
