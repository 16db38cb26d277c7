"""Learn Boolean concepts with linear thresholds over conjunctions, exactly."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct import datasets, errors, kernels, lab, logic, theory
    from conjunct.bits import Binarizer, BitMatrix
    from conjunct.estimators import (
        ConjunctionFeatures,
        ConjunctionSVC,
        ConjunctionSVCCV,
        ExponentiatedGradientRegressor,
        KernelPerceptronClassifier,
        PerceptronClassifier,
        Separation,
        WinnowClassifier,
        separable,
    )

__version__ = "0.1.0"

__all__ = [
    "Binarizer",
    "BitMatrix",
    "ConjunctionFeatures",
    "ConjunctionSVC",
    "ConjunctionSVCCV",
    "ExponentiatedGradientRegressor",
    "KernelPerceptronClassifier",
    "PerceptronClassifier",
    "Separation",
    "WinnowClassifier",
    "__version__",
    "datasets",
    "errors",
    "kernels",
    "lab",
    "logic",
    "separable",
    "theory",
]

_HOMES = {
    "Binarizer": "bits",
    "BitMatrix": "bits",
    "ConjunctionFeatures": "estimators",
    "ConjunctionSVC": "estimators",
    "ConjunctionSVCCV": "estimators",
    "ExponentiatedGradientRegressor": "estimators",
    "KernelPerceptronClassifier": "estimators",
    "PerceptronClassifier": "estimators",
    "Separation": "estimators",
    "WinnowClassifier": "estimators",
    "separable": "estimators",
}
_ROOMS = {"datasets", "errors", "kernels", "lab", "logic", "theory"}


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
