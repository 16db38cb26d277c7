"""Estimators by the word that names them in files."""

from __future__ import annotations

import os

from conjunct.estimators.conjunction_svc import ConjunctionSVC
from conjunct.estimators.conjunction_svc_cv import ConjunctionSVCCV
from conjunct.estimators.exponentiated_gradient_regressor import ExponentiatedGradientRegressor
from conjunct.estimators.kernel_perceptron_classifier import KernelPerceptronClassifier
from conjunct.estimators.perceptron_classifier import PerceptronClassifier
from conjunct.estimators.saved import Saved
from conjunct.estimators.winnow_classifier import WinnowClassifier
from conjunct.saving import load_model
from conjunct.saving.saved_model import holding_together

__all__ = ["load_estimator"]

ESTIMATORS: dict[str, type[Saved]] = {
    cls.file_kind: cls
    for cls in (
        KernelPerceptronClassifier,
        PerceptronClassifier,
        WinnowClassifier,
        ExponentiatedGradientRegressor,
        ConjunctionSVC,
        ConjunctionSVCCV,
    )
}


def load_estimator(path: str | os.PathLike[str]) -> Saved:
    """Read whichever estimator a model file holds."""
    saved = load_model(path)
    with holding_together(os.fspath(path)):
        return ESTIMATORS[saved.kind]._from_saved(saved)
