from conjunct.estimators.binarizer import Binarizer as Binarizer
from conjunct.estimators.conjunction_features import ConjunctionFeatures as ConjunctionFeatures
from conjunct.estimators.conjunction_svc import ConjunctionSVC as ConjunctionSVC
from conjunct.estimators.conjunction_svc_cv import ConjunctionSVCCV as ConjunctionSVCCV
from conjunct.estimators.exponentiated_gradient_regressor import (
    ExponentiatedGradientRegressor as ExponentiatedGradientRegressor,
)
from conjunct.estimators.kernel_perceptron_classifier import KernelPerceptronClassifier as KernelPerceptronClassifier
from conjunct.estimators.perceptron_classifier import PerceptronClassifier as PerceptronClassifier
from conjunct.estimators.registry import load as load
from conjunct.estimators.registry import save as save
from conjunct.estimators.winnow_classifier import WinnowClassifier as WinnowClassifier
