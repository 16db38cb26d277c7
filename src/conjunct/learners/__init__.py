"""Learners as the literature defines them: rows and labels in, a transcript of mistakes out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.learners.bound_check import BoundCheck, Refutation
    from conjunct.learners.cell_descent import CellDescent, Round
    from conjunct.learners.conjunction_svm import ConjunctionSVM
    from conjunct.learners.consistent_conjunction import ConsistentConjunction, shortest_conjunction
    from conjunct.learners.dual_forms import Box, Ridge
    from conjunct.learners.dual_solution import DualSolution, on_one_scale
    from conjunct.learners.elimination import Elimination, EliminationRun
    from conjunct.learners.exponentiated_gradient import ExponentiatedGradient
    from conjunct.learners.halving import Concept, Halving, HalvingRun
    from conjunct.learners.kernel_perceptron import KernelPerceptron
    from conjunct.learners.labelled_cells import LabelledCells
    from conjunct.learners.linear_run import Lesson
    from conjunct.learners.linear_transcript import LinearTranscript, LinearUpdate
    from conjunct.learners.maximal_margin_perceptron import MaximalMarginPerceptron
    from conjunct.learners.online_to_pac import Guarantee, OnlineToPAC, Survivor
    from conjunct.learners.path import PathPoint, margin_path
    from conjunct.learners.perceptron import Perceptron
    from conjunct.learners.quadratic_dual import QuadraticDual, TreeBound
    from conjunct.learners.regularized_perceptron import RegularizedPerceptron
    from conjunct.learners.separability import SeparationEvidence, decide_separability
    from conjunct.learners.transcript import Mistake, Transcript
    from conjunct.learners.winnow import Winnow

__all__ = [
    "BoundCheck",
    "Box",
    "CellDescent",
    "Concept",
    "ConjunctionSVM",
    "ConsistentConjunction",
    "DualSolution",
    "Elimination",
    "EliminationRun",
    "ExponentiatedGradient",
    "Guarantee",
    "Halving",
    "HalvingRun",
    "KernelPerceptron",
    "LabelledCells",
    "Lesson",
    "LinearTranscript",
    "LinearUpdate",
    "MaximalMarginPerceptron",
    "Mistake",
    "OnlineToPAC",
    "PathPoint",
    "Perceptron",
    "QuadraticDual",
    "Refutation",
    "RegularizedPerceptron",
    "Ridge",
    "Round",
    "SeparationEvidence",
    "Survivor",
    "Transcript",
    "TreeBound",
    "Winnow",
    "decide_separability",
    "margin_path",
    "on_one_scale",
    "shortest_conjunction",
]

_HOMES = {
    "BoundCheck": "bound_check",
    "Box": "dual_forms",
    "CellDescent": "cell_descent",
    "Concept": "halving",
    "ConjunctionSVM": "conjunction_svm",
    "ConsistentConjunction": "consistent_conjunction",
    "DualSolution": "dual_solution",
    "Elimination": "elimination",
    "EliminationRun": "elimination",
    "ExponentiatedGradient": "exponentiated_gradient",
    "Guarantee": "online_to_pac",
    "Halving": "halving",
    "HalvingRun": "halving",
    "KernelPerceptron": "kernel_perceptron",
    "LabelledCells": "labelled_cells",
    "Lesson": "linear_run",
    "LinearTranscript": "linear_transcript",
    "LinearUpdate": "linear_transcript",
    "MaximalMarginPerceptron": "maximal_margin_perceptron",
    "Mistake": "transcript",
    "OnlineToPAC": "online_to_pac",
    "PathPoint": "path",
    "Perceptron": "perceptron",
    "QuadraticDual": "quadratic_dual",
    "Refutation": "bound_check",
    "RegularizedPerceptron": "regularized_perceptron",
    "Ridge": "dual_forms",
    "Round": "cell_descent",
    "SeparationEvidence": "separability",
    "Survivor": "online_to_pac",
    "Transcript": "transcript",
    "TreeBound": "quadratic_dual",
    "Winnow": "winnow",
    "decide_separability": "separability",
    "margin_path": "path",
    "on_one_scale": "dual_solution",
    "shortest_conjunction": "consistent_conjunction",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
