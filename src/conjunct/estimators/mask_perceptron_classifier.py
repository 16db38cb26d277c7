"""The mask perceptron as a scikit-learn classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from conjunct.bits.limits import limiting_threads
from conjunct.estimators.boolean_input import binarize_cut, boolean_rows
from conjunct.estimators.kernel_parameter import DEFAULT_LITERALS, DEFAULT_SIZE
from conjunct.estimators.margin_problems import read_problems
from conjunct.estimators.one_fit import one_fit
from conjunct.estimators.saved import Saved
from conjunct.evaluation.progress import report, steps
from conjunct.learners import MaskPerceptron
from conjunct.learners.margin.mask_perceptron import masks_on_one_scale, sum_of
from conjunct.saving.mask_model import MaskModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MaskPerceptronClassifier"]


class MaskPerceptronClassifier(Saved, ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Learn a polynomial of a few conjunctions, short enough to read.

    Parameters
    ----------
    max_terms : int, default 10
        The most conjunctions, the constant among them; with three or more classes, for each.
    max_size : int or None, default 3
        The most literals in a conjunction; there are no more than variables. None is every size.
    literals : {"both", "positive"}, default "both"
        Whether conjunctions are made of variables and their negations, or of variables only.
    lam : int, Fraction, "p/q" or float, default 4
        The regularisation: R+ = norm^2 + (1/lam) sum of [1 - y f]_+^2. Smaller values fit the rows more closely, larger
        ones smooth; 4/lam is what an error costs in leaves of a tree.
    min_gain : int, Fraction, "p/q" or float, default 0
        What a conjunction takes from R+ at least: none is added that takes less, and in the end those that are worth
        less beside the others are dropped. With 0 none is; 1 is what a leaf costs a tree.
    selection : {"exact", "beam"}, default "exact"
        Whether all conjunctions are considered, or those that a beam of 32 meets: where conjunctions are long and
        variables many, when exact selection takes too long.
    class_weight : dict, "balanced" or None
        What a row of each class weighs.
    binarize : float or None, default None
        None refuses values other than 0 and 1; a number t reads ``x > t`` as 1.
    n_jobs : int, optional
        How many threads learn and predict; -1 for every core. None takes `conjunct.set_threads`, ``CONJUNCT_THREADS``,
        or every core. No result depends on it, and no file holds it.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted; with two, the second is the positive one. Several are learned each against the rest.
    model_ : ConjunctionSum
        What was learned, frozen: conjunctions, and integers times a power of two.
    risk_ : Fraction
        R+ of the polynomial on the training rows; a tuple, one for each class, where there are three or more.
    stopped_by_ : str
        Why no further conjunction was added: "max_terms", "min_gain" or "no conjunction left"; a tuple likewise.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    ConjunctionSVC : The least R+ over all conjunctions; its ``bound_``, for the same lam, is never above ``risk_``.

    Notes
    -----
    [kowalczyk2002]; `conjunct.learners.MaskPerceptron` says how. A row of weight k is k rows, and every conjunction
    costs 1. ``risk_`` and predictions are computed from the same integers, exactly.

    Examples
    --------
    >>> from conjunct.datasets import tic_tac_toe
    >>> rows, labels = tic_tac_toe()
    >>> machine = MaskPerceptronClassifier(26, literals="positive", min_gain=1).fit(rows, labels)
    >>> for conjunction, weight in zip(machine.model_.conjunctions, machine.model_.weights[0]):
    ...     held = " & ".join(rows.names[literal // 2] for literal in conjunction)
    ...     print(f"{float(weight * machine.model_.unit):+.2f} {held or 'constant'}")
    -0.82 constant
    +1.73 top-left=x & top-middle=x & top-right=x
    +1.73 top-left=x & middle-left=x & bottom-left=x
    +1.74 top-left=x & middle-middle=x & bottom-right=x
    +1.73 top-middle=x & middle-middle=x & bottom-middle=x
    +1.74 top-right=x & middle-middle=x & bottom-left=x
    +1.73 top-right=x & middle-right=x & bottom-right=x
    +1.73 middle-left=x & middle-middle=x & middle-right=x
    +1.73 bottom-left=x & bottom-middle=x & bottom-right=x
    >>> machine.score(rows, labels)
    1.0
    """

    file_kind: ClassVar[str] = "mask-perceptron-classifier"

    def __init__(
        self,
        max_terms: int = 10,
        *,
        max_size: int | None = DEFAULT_SIZE,
        literals: str = DEFAULT_LITERALS,
        lam: Any = 4,
        min_gain: Any = 0,
        selection: str = "exact",
        class_weight: Any = None,
        binarize: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_terms = max_terms
        self.max_size = max_size
        self.literals = literals
        self.lam = lam
        self.min_gain = min_gain
        self.selection = selection
        self.class_weight = class_weight
        self.binarize = binarize
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from the rows.

        Parameters
        ----------
        X : array, sparse matrix, data frame or BitMatrix
        y : array-like
            Labels: text, whole numbers or Booleans.
        sample_weight : array-like of int, Fraction, "p/q" or float, optional
            A row of weight k is k rows; 0 leaves it out. A float means its decimal: 0.1 is 1/10.
        """
        with one_fit(self) as new:
            new._require_settings()
            _, classes, problems = read_problems(new, X, y, sample_weight)
            learner = new._learner()
            solutions = masks_on_one_scale(
                [
                    learner.solve(cells, lambda n_terms: report(n_terms / new.max_terms))
                    for cells in steps(problems.cells)
                ]
            )
            new.__dict__.pop("encoding_", None)  # it led to other rows
            new._take_over(
                MaskModel(
                    classes,
                    sum_of(solutions),
                    tuple(solution.risk for solution in solutions),
                    tuple(solution.stopped_by for solution in solutions),
                )
            )
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of every row."""
        check_is_fitted(self)
        with limiting_threads(self.n_jobs):
            choices = self.model_.choices(boolean_rows(self, X, reset=False))
        labels: NDArray[Any] = self.classes_[choices]
        return labels

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the score of every row, positive where the second class is predicted; several classes have one each.

        The exact score, rounded once.
        """
        check_is_fitted(self)
        with limiting_threads(self.n_jobs):
            values: NDArray[np.float64] = self.model_.decision_values(boolean_rows(self, X, reset=False))
        return values

    def _learner(self) -> MaskPerceptron:
        return MaskPerceptron(self.max_size, self.lam, self.max_terms, self.min_gain, self.literals, self.selection)

    def _require_settings(self) -> None:
        """Refuse parameters of wrong types or values, before any work and at both ends of a file."""
        binarize_cut(self.binarize)
        self._learner()

    def _take_over(self, learned: MaskModel) -> None:
        """Show what was learned: plain values of one output, tuples of several."""
        self.n_features_in_ = learned.n_variables
        if learned.names is not None:
            self.feature_names_in_ = np.array(learned.names, object)
        self.classes_, self.model_ = learned.classes, learned.model
        is_single = len(learned.risks) == 1
        self.risk_ = learned.risks[0] if is_single else learned.risks
        self.stopped_by_ = learned.stopped_by[0] if is_single else learned.stopped_by

    def _learned(self) -> MaskModel:
        by_output: Any = (self.risk_, self.stopped_by_)
        risks, stops = (values if self.model_.n_outputs > 1 else (values,) for values in by_output)
        return MaskModel(self.classes_, self.model_, risks, stops)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
