"""Learners as the literature defines them: rows and labels in, a transcript of mistakes out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.learners.kernel_perceptron import KernelPerceptron
    from conjunct.learners.transcript import Mistake, Transcript

__all__ = ["KernelPerceptron", "Mistake", "Transcript"]

_HOMES = {"KernelPerceptron": "kernel_perceptron", "Mistake": "transcript", "Transcript": "transcript"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
