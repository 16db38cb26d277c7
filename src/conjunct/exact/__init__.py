"""Integer and rational linear algebra, the simplex method, set cover."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
