"""Arguments of the generators: integers in a range and exact probabilities, refused by name."""

from __future__ import annotations

import operator
from fractions import Fraction

from conjunct.errors import SettingError, shortened
from conjunct.theory import Exact, exact

__all__ = ["require_integer", "require_probability"]


def require_integer(name: str, value: int, *, least: int, most: int | None = None) -> int:
    """Return the value as a Python integer; refuse one that is not from `least` to `most`.

    Examples
    --------
    >>> require_integer("n_rows", 0, least=1)
    Traceback (most recent call last):
        ...
    conjunct.errors.SettingError: n_rows=0 is out of range; expected an integer of at least 1.
    """
    expected = f"an integer of at least {least}" if most is None else f"an integer from {least} to {most}"
    try:
        number = operator.index(value)
    except TypeError:
        raise SettingError(f"{name}={shortened(value)} is not an integer; expected {expected}.") from None
    if number < least or (most is not None and number > most):
        raise SettingError(f"{name}={shortened(number)} is out of range; expected {expected}.")
    return number


def require_probability(name: str, value: Exact) -> Fraction:
    """Return the value as an exact fraction from 0 to 1; a float means the decimal it prints as.

    Examples
    --------
    >>> require_probability("noise", 0.1)
    Fraction(1, 10)
    """
    expected = 'expected a probability from 0 to 1, such as 0.1, "1/10" or Fraction(1, 10)'
    rate = exact(value, name)
    if not 0 <= rate <= 1:
        raise SettingError(f"{name}={shortened(value)} is out of range; {expected}.")
    return rate
