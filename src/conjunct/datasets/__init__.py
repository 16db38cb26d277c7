"""Tables whose rule is known, real ones that need no download, and readers of the user's own."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
