"""Exact definitions and bounds in int and Fraction: slow, obviously right, and what every fast path is tested against.

The few that need floats (normalised Winnow, the exponentiated gradient) say so.
"""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
