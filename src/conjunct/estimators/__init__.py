"""The scikit-learn face: validation, labels, parameters, files; no mathematics."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
