"""Learners as the literature defines them: rows and labels in, a transcript of mistakes out."""

from conjunct.exports import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
