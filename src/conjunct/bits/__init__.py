"""Where data enters: Boolean rows packed 64 variables to a word."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
