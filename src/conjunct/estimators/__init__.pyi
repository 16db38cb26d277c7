from conjunct.estimators.binarizer import Binarizer as Binarizer
from conjunct.estimators.conjunction_features import ConjunctionFeatures as ConjunctionFeatures
from conjunct.estimators.conjunction_svc import ConjunctionSVC as ConjunctionSVC
from conjunct.estimators.conjunction_svc_cv import ConjunctionSVCCV as ConjunctionSVCCV
from conjunct.estimators.door import Door as Door
from conjunct.estimators.exponentiated_gradient_regressor import (
    ExponentiatedGradientRegressor as ExponentiatedGradientRegressor,
)
from conjunct.estimators.kernel_perceptron_classifier import KernelPerceptronClassifier as KernelPerceptronClassifier
from conjunct.estimators.perceptron_classifier import PerceptronClassifier as PerceptronClassifier
from conjunct.estimators.registry import load_estimator as load_estimator
from conjunct.estimators.separability import separable as separable
from conjunct.estimators.separation import Separation as Separation
from conjunct.estimators.winnow_classifier import WinnowClassifier as WinnowClassifier
