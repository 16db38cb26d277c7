"""The scikit-learn face: validation, labels, parameters, files; no mathematics."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.estimators.conjunction_features import ConjunctionFeatures
    from conjunct.estimators.conjunction_svc import ConjunctionSVC
    from conjunct.estimators.conjunction_svc_cv import ConjunctionSVCCV
    from conjunct.estimators.door import Door
    from conjunct.estimators.exponentiated_gradient_regressor import ExponentiatedGradientRegressor
    from conjunct.estimators.kernel_perceptron_classifier import KernelPerceptronClassifier
    from conjunct.estimators.perceptron_classifier import PerceptronClassifier
    from conjunct.estimators.registry import load_estimator
    from conjunct.estimators.separability import separable
    from conjunct.estimators.separation import Separation
    from conjunct.estimators.winnow_classifier import WinnowClassifier

__all__ = [
    "ConjunctionFeatures",
    "ConjunctionSVC",
    "ConjunctionSVCCV",
    "Door",
    "ExponentiatedGradientRegressor",
    "KernelPerceptronClassifier",
    "PerceptronClassifier",
    "Separation",
    "WinnowClassifier",
    "load_estimator",
    "separable",
]

_HOMES = {
    "ConjunctionFeatures": "conjunction_features",
    "ConjunctionSVC": "conjunction_svc",
    "ConjunctionSVCCV": "conjunction_svc_cv",
    "Door": "door",
    "ExponentiatedGradientRegressor": "exponentiated_gradient_regressor",
    "KernelPerceptronClassifier": "kernel_perceptron_classifier",
    "PerceptronClassifier": "perceptron_classifier",
    "Separation": "separation",
    "WinnowClassifier": "winnow_classifier",
    "load_estimator": "registry",
    "separable": "separability",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
