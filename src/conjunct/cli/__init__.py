"""The ``conjunct`` command: one file per subcommand, parsing and printing only."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
