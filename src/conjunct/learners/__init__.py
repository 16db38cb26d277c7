"""Learners as the literature defines them: rows and labels in, a transcript of mistakes out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.learners.bound_check import BoundCheck, Refutation
    from conjunct.learners.exponentiated_gradient import ExponentiatedGradient
    from conjunct.learners.kernel_perceptron import KernelPerceptron
    from conjunct.learners.linear_run import Lesson
    from conjunct.learners.linear_transcript import LinearTranscript, LinearUpdate
    from conjunct.learners.perceptron import Perceptron
    from conjunct.learners.transcript import Mistake, Transcript
    from conjunct.learners.winnow import Winnow

__all__ = [
    "BoundCheck",
    "ExponentiatedGradient",
    "KernelPerceptron",
    "Lesson",
    "LinearTranscript",
    "LinearUpdate",
    "Mistake",
    "Perceptron",
    "Refutation",
    "Transcript",
    "Winnow",
]

_HOMES = {
    "BoundCheck": "bound_check",
    "ExponentiatedGradient": "exponentiated_gradient",
    "KernelPerceptron": "kernel_perceptron",
    "Lesson": "linear_run",
    "LinearTranscript": "linear_transcript",
    "LinearUpdate": "linear_transcript",
    "Mistake": "transcript",
    "Perceptron": "perceptron",
    "Refutation": "bound_check",
    "Transcript": "transcript",
    "Winnow": "winnow",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
