"""Every estimator, for tests of what holds for all of them."""

from conjunct import (
    Binarizer,
    ConjunctionFeatures,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)

__all__ = ["ESTIMATORS"]

ESTIMATORS = (
    Binarizer,
    ConjunctionFeatures,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
