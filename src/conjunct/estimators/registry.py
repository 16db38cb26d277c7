"""Estimators by the word that names them in files."""

from __future__ import annotations

import os

from conjunct.errors import ModelFileError
from conjunct.estimators.conjunction_svc import ConjunctionSVC
from conjunct.estimators.conjunction_svc_cv import ConjunctionSVCCV
from conjunct.estimators.exponentiated_gradient_regressor import ExponentiatedGradientRegressor
from conjunct.estimators.kernel_perceptron_classifier import KernelPerceptronClassifier
from conjunct.estimators.perceptron_classifier import PerceptronClassifier
from conjunct.estimators.persistent import Persistent, stored_bytes
from conjunct.estimators.winnow_classifier import WinnowClassifier
from conjunct.files import unpack_model
from conjunct.messages import shortened

__all__ = ["load_estimator"]

ESTIMATORS: dict[str, type[Persistent]] = {
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


def load_estimator(path: str | os.PathLike[str]) -> Persistent:
    """Read whichever estimator a model file holds."""
    data, source = stored_bytes(path), os.fspath(path)
    kind = unpack_model(data, source=source).header.get("kind")
    if not isinstance(kind, str) or kind not in ESTIMATORS:
        raise ModelFileError(f"{source}: holds a {shortened(kind)}, expected one of {', '.join(ESTIMATORS)}")
    return ESTIMATORS[kind]._from_bytes(data, source)
