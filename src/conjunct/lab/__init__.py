"""Experiments: each one statement, one table, one figure, one verdict computed from what it saved."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
