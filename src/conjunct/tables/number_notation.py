"""NumberNotation: how a column writes its numbers, where it is not as our own grammar has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from conjunct.tables.number_grammar import is_number

__all__ = ["NumberNotation"]

DIGITS_BETWEEN_THOUSANDS = 3


@dataclass(frozen=True)
class NumberNotation:
    """A decimal sign, a sign between thousands, and a unit that every number of a column has.

    Attributes
    ----------
    decimal : "." or ","
    thousands : str
        What may stand between groups of three digits; empty for nothing.
    unit : str
        A currency sign or ``%``, before or after the number; it is left out of the value: 5 % is 5.

    Examples
    --------
    >>> notation = NumberNotation(",", ".", "€")
    >>> [notation.plain(text) for text in ("1.234,50 €", "€-3", "12.34 €", "7")]
    ['1234.50', '-3', None, None]
    >>> print(notation)
    1.234,5 €
    """

    decimal: str = "."
    thousands: str = ""
    unit: str = ""

    entry_type = "number"
    expected = "a number"

    def plain(self, spelling: str) -> str | None:
        """Return the number as our own grammar spells it; None where the text is no number of this notation."""
        match = self._pattern.fullmatch(spelling)
        if match is None or (spelling.count(self.unit) != 1 and self.unit):
            return None
        sign, inner_sign, whole, point, fraction, exponent = (part or "" for part in match.groups())
        whole = whole.replace(self.thousands, "") if self.thousands else whole
        plain = f"{sign}{inner_sign}{whole}{'.' if point else ''}{fraction}{exponent}"
        return plain if is_number(plain) else None

    def __str__(self) -> str:
        number = f"1{self.thousands}234{self.decimal}5"
        return f"{number} {self.unit}" if self.unit else number

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        unit, blank = re.escape(self.unit), "[ \u00a0\u202f]?"
        before, after = (f"(?:{unit}{blank})?", f"(?:{blank}{unit})?") if unit else ("", "")
        whole = "[0-9]++"
        if self.thousands:
            whole = f"[1-9][0-9]{{0,2}}(?:{re.escape(self.thousands)}[0-9]{{{DIGITS_BETWEEN_THOUSANDS}}})++|{whole}"
        decimal = re.escape(self.decimal)
        return re.compile(
            f"([+-])?{before}([+-])?({whole})?(?:({decimal})([0-9]*+))?([eE][+-]?[0-9]++)?{after}",
        )
