"""Boolean kernels: the features they count, as exact tables over agreement counts."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
