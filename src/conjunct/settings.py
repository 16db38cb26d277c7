"""What users write as settings, checked: exact numbers are int, Fraction, "p/q", or a float that means its decimal."""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite
from numbers import Integral, Rational, Real

from conjunct.errors import SettingError, shortened

__all__ = ["Exact", "exact"]

Exact = int | Fraction | str | float

RATIO = re.compile(r"[+-]?[0-9]{1,1000}(/[0-9]{1,1000})?|[+-]?[0-9]{1,1000}\.[0-9]{1,1000}")


def exact(value: object, name: str) -> Fraction:
    """Convert an exact parameter to a Fraction.

    Parameters
    ----------
    value : int, Fraction, str or float
        A float means the decimal that ``repr`` prints: 0.1 is 1/10, not the binary number nearest to it.
    name : str
        The parameter, for the message of a refusal.

    Examples
    --------
    >>> exact(0.1, "learning_rate"), exact("2/3", "threshold"), exact(7, "threshold")
    (Fraction(1, 10), Fraction(2, 3), Fraction(7, 1))
    """
    number: Fraction | None = None
    if isinstance(value, bool):
        pass
    elif isinstance(value, Integral):
        number = Fraction(int(value))
    elif isinstance(value, Rational):
        number = Fraction(value)
    elif isinstance(value, str) and RATIO.fullmatch(value.strip()):
        numerator, _, denominator = value.strip().partition("/")
        divisor = int(denominator or 1)
        number = Fraction(numerator) / divisor if divisor else None
    elif isinstance(value, Real) and isfinite(value):
        number = Fraction(str(value))  # NumPy prints its float32 shortest too
    if number is None:
        raise SettingError(f'{name}={shortened(value)}: expected an int, a Fraction, a string "p/q" or a finite float')
    return number
