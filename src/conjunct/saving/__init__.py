"""What a model file of each kind holds: one table of fields per kind, and one sentence for what is wrong with one."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
