"""How a refusal quotes hostile text, suggests the nearest name, and keeps to one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from conjunct.errors import BitsError, ConjunctError

__all__ = ["as_python", "in_one_line", "nearest_names", "printable", "quoted", "shortened"]

CHARACTERS_OF_A_VALUE = 40
CHARACTERS_OF_A_REASON = 400
# What Python and NumPy say about a number too long to print, and about an array taken for one truth value.
NO_REASONS = ("for integer string conversion", "is ambiguous")


def as_python(value: Any) -> Any:
    """Return a scalar of NumPy as Python's own, and anything else as it is; NumPy is not imported for it."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () else value


def printable(text: object) -> str:
    r"""Return text as a message shows it: on one line, whatever a terminal would act upon as an escape.

    Examples
    --------
    >>> print(printable("a\x1bb\nc"))
    a\x1bb\nc
    """
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in str(text))


def shortened(value: object) -> str:
    r"""Return any value as a message shows it: as Python writes it, on one line, cut to 40 characters.

    Examples
    --------
    >>> print(shortened("a\nb"), shortened([[1, 2]] * 9), shortened(10**5000))
    'a\nb' [[1, 2], [1, 2], [1, 2], [1, 2], [1, 2],... <int of 16610 bits>
    """
    try:
        value = as_python(value)
        written = str(value) if isinstance(value, Fraction) else repr(value)
        text = re.sub(r"\s*\n\s*", " ", written[:200])  # arrays and frames are written on several lines
    except Exception:  # too many digits, or whatever a stranger's __repr__ raises
        size = f" of {value.bit_length()} bits" if type(value) is int else ""
        text = f"<{type(value).__name__}{size}>"
    text = printable(text[: CHARACTERS_OF_A_VALUE + 1])
    return text if len(text) <= CHARACTERS_OF_A_VALUE else f"{text[:CHARACTERS_OF_A_VALUE]}..."


def quoted(text: object) -> str:
    r"""Return foreign text for a message: in quotes, cut to 40 characters, control characters escaped.

    Examples
    --------
    >>> print(quoted("two\tcells"))
    'two\tcells'
    """
    written = str(text)
    return repr(written if len(written) <= 40 else written[:37] + "...")


def nearest_names(name: object, names: Iterable[str]) -> list[str]:
    """Return all names, those most like a wish first.

    Examples
    --------
    >>> nearest_names("winow", ["perceptron", "winnow"])
    ['winnow', 'perceptron']
    """
    from difflib import SequenceMatcher

    wish = name[:100].lower() if isinstance(name, str) else ""
    return sorted(names, key=lambda name: -SequenceMatcher(None, name.lower(), wish).ratio())


@contextmanager
def in_one_line(name: str) -> Iterator[None]:
    """Turn what scikit-learn and NumPy raise about an argument into one short line, a ValueError or a TypeError."""
    try:
        yield
    except ConjunctError:
        raise
    except (TypeError, ValueError) as error:
        text = printable(" ".join(str(error).split()))
        if any(reason in text for reason in NO_REASONS):
            raise _unreadable(name, error) from None
        if text == str(error) and len(text) <= CHARACTERS_OF_A_REASON:
            raise
        kind = BitsError if isinstance(error, ValueError) else TypeError
        raise kind(text if len(text) <= CHARACTERS_OF_A_REASON else f"{text[:CHARACTERS_OF_A_REASON]}...") from None
    except (ArithmeticError, AttributeError, LookupError, RuntimeError) as error:  # of an object's own methods
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: Exception) -> BitsError:
    return BitsError(f"{name} cannot be read: {type(error).__name__}; expected plain numbers or text")
