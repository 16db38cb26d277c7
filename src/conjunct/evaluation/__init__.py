"""Cross-validation, figures of merit, intervals and progress: arrays and callables, no estimator."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
