"""Searches for optimal models, with what proves them."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
