"""Files: the one atomic writer, the model file format, and compressed input."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
