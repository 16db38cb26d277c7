"""Claims about every decision tree, with evidence that anyone can check."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
