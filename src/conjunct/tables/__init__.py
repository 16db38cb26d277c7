"""The one road from bytes and frames to Boolean rows: readers, columns, tests, labels."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
