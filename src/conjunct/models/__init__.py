"""What was learned: frozen objects that predict."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
