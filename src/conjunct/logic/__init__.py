"""Formulas over named Boolean variables: immutable, parsed and printed, evaluated in bulk, compared exactly."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
