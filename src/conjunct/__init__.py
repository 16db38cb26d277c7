"""Learn Boolean concepts with linear thresholds over conjunctions, exactly."""

from conjunct.exports import public_names

__version__ = "0.1.0"

__getattr__, __dir__, _names = public_names(__name__)
__all__ = sorted(["__version__", *_names])
