from conjunct import datasets as datasets
from conjunct import errors as errors
from conjunct import kernels as kernels
from conjunct import lab as lab
from conjunct import logic as logic
from conjunct import theory as theory
from conjunct.bits import BitMatrix as BitMatrix
from conjunct.bits import set_threads as set_threads
from conjunct.certificates import TreeCertificate as TreeCertificate
from conjunct.certificates import TreeFrontier as TreeFrontier
from conjunct.certificates import certify_tree as certify_tree
from conjunct.certificates import check as check
from conjunct.certificates import tree_frontier as tree_frontier
from conjunct.estimators import Binarizer as Binarizer
from conjunct.estimators import ConjunctionFeatures as ConjunctionFeatures
from conjunct.estimators import ConjunctionSVC as ConjunctionSVC
from conjunct.estimators import ConjunctionSVCCV as ConjunctionSVCCV
from conjunct.estimators import ExponentiatedGradientRegressor as ExponentiatedGradientRegressor
from conjunct.estimators import KernelPerceptronClassifier as KernelPerceptronClassifier
from conjunct.estimators import MaskPerceptronClassifier as MaskPerceptronClassifier
from conjunct.estimators import PerceptronClassifier as PerceptronClassifier
from conjunct.estimators import WinnowClassifier as WinnowClassifier
from conjunct.estimators import load as load
from conjunct.estimators import save as save
from conjunct.learners import Separation as Separation
from conjunct.learners import separable as separable

__version__: str
