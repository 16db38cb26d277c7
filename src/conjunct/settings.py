"""What users write as settings, checked once each: whole numbers, flags, choices, exact numbers, probabilities."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from numbers import Integral, Rational, Real

from conjunct.errors import SettingError
from conjunct.messages import as_python, shortened

__all__ = ["Exact", "choice", "exact", "flag", "positive_number", "probability", "whole_number"]

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


def positive_number(value: object, name: str) -> Fraction:
    """Convert an exact parameter that must be above 0."""
    number = exact(value, name)
    if number <= 0:
        raise SettingError(f"{name}={shortened(value)}: expected a positive number")
    return number


def probability(value: object, name: str) -> Fraction:
    """Convert an exact parameter that must be from 0 to 1.

    Examples
    --------
    >>> probability(0.1, "noise")
    Fraction(1, 10)
    """
    number = exact(value, name)
    if not 0 <= number <= 1:
        raise SettingError(
            f'{name}={shortened(value)}: expected a probability from 0 to 1, such as 0.1, "1/10" or Fraction(1, 10)'
        )
    return number


def whole_number(
    value: object, name: str, *, least: int = 1, most: int | None = None, expected: str | None = None
) -> int:
    """Convert a whole number from `least` to `most`; True and False are none.

    Examples
    --------
    >>> whole_number(0, "n_rows")
    Traceback (most recent call last):
        ...
    conjunct.errors.SettingError: n_rows=0: expected a positive integer
    """
    if not isinstance(value, bool) and isinstance(value, Integral):
        number = operator.index(value)
        if number >= least and (most is None or number <= most):
            return number
    if expected is None:
        words = {0: "0 or a positive integer", 1: "a positive integer"}
        expected = f"an integer from {least} to {most}" if most is not None else words.get(least)
    raise SettingError(f"{name}={shortened(value)}: expected {expected or f'an integer of at least {least}'}")


def flag(value: object, name: str) -> bool:
    """Require True or False, of Python or of NumPy."""
    truth = as_python(value)
    if not isinstance(truth, bool):
        raise SettingError(f"{name}={shortened(value)}: expected True or False")
    return truth


def choice(value: object, name: str, choices: Sequence[str]) -> str:
    """Require one of a few words.

    Examples
    --------
    >>> choice("none", "literals", ["positive", "both"])
    Traceback (most recent call last):
        ...
    conjunct.errors.SettingError: literals='none': expected "positive" or "both"
    """
    if isinstance(value, str) and value in choices:
        return value
    *others, last = (f'"{word}"' for word in choices)
    listed = f"{', '.join(others)} or {last}" if others else last
    raise SettingError(f"{name}={shortened(value)}: expected {listed}")
