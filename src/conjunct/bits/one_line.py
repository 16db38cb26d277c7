"""What other libraries refuse, said in one short line: they print whole tables, over many lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from conjunct.errors import BitsError, ConjunctError, printable

__all__ = ["in_one_line"]

MOST_SAID = 400
# What Python and NumPy say about a number too long to print, and about an array taken for one truth value.
NO_REASONS = ("for integer string conversion", "is ambiguous")


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
        if text == str(error) and len(text) <= MOST_SAID:
            raise
        kind = BitsError if isinstance(error, ValueError) else TypeError
        raise kind(text if len(text) <= MOST_SAID else f"{text[:MOST_SAID]}...") from None
    except (ArithmeticError, AttributeError, LookupError, RuntimeError) as error:  # of an object's own methods
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: Exception) -> BitsError:
    return BitsError(f"{name} cannot be read: {type(error).__name__}; expected plain numbers or text")
