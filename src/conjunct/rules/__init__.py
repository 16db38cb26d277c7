"""What a model says, as rules: heaviest conjunctions, polynomials, explanations of rows, DNFs that imitate."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
