"""What people look at: figures of rules and of frontiers."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
