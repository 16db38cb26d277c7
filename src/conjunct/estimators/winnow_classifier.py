"""Winnow as a scikit-learn classifier."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from conjunct.bits.packing import BINARIZE
from conjunct.errors import RowError, SettingError
from conjunct.estimators.boolean_input import binarize_cut, class_rates
from conjunct.estimators.linear_classifier import LinearClassifier
from conjunct.estimators.on_line_classifier import OnLineClassifier
from conjunct.estimators.saved import Saved
from conjunct.estimators.sparse_input import named_rows, sparse_boolean_rows
from conjunct.learners import Winnow
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import SparseRows
    from conjunct.saving.on_line_model import OnLineModel

__all__ = ["WinnowClassifier"]

MOST_PROMOTIONS = 1000  # of one update


class WinnowClassifier(Saved, LinearClassifier, OnLineClassifier):
    """Learn a linear threshold by multiplying weights: few mistakes where few of many variables matter.

    Parameters
    ----------
    variant : {"balanced", "positive", "elimination", "normalised"}, default "balanced"
        "positive" is Winnow2, for labels that only rise with the variables; "elimination" is Winnow1, where one
        negative row sets the weights of its variables to 0 for good, so that one wrong label can ruin it; "balanced"
        learns both directions, and has a constant variable; "normalised" is balanced with weights that sum to 1.
    promotion : int, Fraction, "p/q" or float, default 3/2
        The factor of an update on a positive row; above 1.
    demotion : int, Fraction, "p/q", float or None
        The divisor of an update on a negative row, for "positive"; None for that of promotion.
    threshold : int, Fraction, "p/q", float or None
        A row is positive iff the sum of its weights is at least this; None finds one, and ``reasons_`` says why.
    initial_weight : int, Fraction, "p/q", float or None
        Of every variable, also of those never seen; None is 1.
    thickness : number or pair of numbers, default 0
        Update also on rows that are right by no more than this; a pair sets positive and negative rows apart.
    max_size : int, default 1
        For examples given by name, as sets, dicts or lists of tokens: conjunctions of up to this many names are
        variables too.
    max_passes : int, default 100
        `fit` stops after a pass without updates, or after this many; ``stopped_by_`` says which.
    prediction : {"auto", "final", "averaged"}, default "auto"
        Predict with the last hypothesis or with the mean of the hypotheses after every row, both exactly. "auto" takes
        the last one where `fit` became consistent, otherwise the mean.
    class_weight : dict, "balanced" or None
        How many times an update on a row of each class promotes or demotes: weights over the least of them, rounded to
        whole numbers of at most 1000.
    shuffle : bool, default True
        Whether `fit` shuffles the rows before every pass: tables are often sorted. `partial_fit` keeps their order.
    random_state : int, RandomState or None, default 0
        The seed of the shuffling.
    keep_transcript : bool, default False
        Whether to keep every update, for ``transcript_``: in memory, in files and in pickles. The mean of normalised
        weights needs them anyway.
    binarize : float or None, default None
        None refuses values other than 0 and 1; a number t reads ``x > t`` as 1.
    n_jobs : int, optional
        How many threads learn and predict; -1 for every core. None takes `conjunct.set_threads`, ``CONJUNCT_THREADS``,
        or every core. No result depends on it, and no file holds it.

    Attributes
    ----------
    classes_, coef_, intercept_, transcripts_, transcript_, n_mistakes_, n_updates_, n_passes_, stopped_by_, names_
        As in `PerceptronClassifier`.
    model_ : PowerThreshold or MeanThreshold
        What was learned, frozen.
    threshold_, initial_weight_ : Fraction
        Those in use.
    reasons_ : dict
        Why, for what was found automatically.

    Notes
    -----
    A large weight does not mean that its variable matters: weights also grow in the company of those that do.
    Source: [littlestone1988].

    Examples
    --------
    >>> rows = [{"a", "x"}, {"b", "y"}, {"x", "y"}, {"a", "b"}, {"y"}]
    >>> learner = WinnowClassifier(variant="positive", promotion=2).fit(rows, [1, 1, 0, 1, 0])
    >>> learner.predict([{"a", "new"}, {"new"}]).tolist(), learner.threshold_
    ([1, 0], Fraction(8, 1))
    >>> print(learner.reasons_["threshold"])
    4 x 2, the most variables a row has: mistakes do not grow with the number of variables
    """

    file_kind: ClassVar[str] = "winnow-classifier"
    predictions: ClassVar[tuple[str, ...]] = ("final", "averaged")
    run_settings: ClassVar[tuple[str, ...]] = (
        *("threshold", "promotion", "demotion", "initial_weight"),
        *("variant", "thickness"),
    )
    run_needs: ClassVar[str] = "settings"
    automatic_settings: ClassVar[tuple[str, ...]] = ("threshold", "demotion", "initial_weight")

    def __init__(
        self,
        *,
        variant: str = "balanced",
        promotion: Any = "3/2",
        demotion: Any = None,
        threshold: Any = None,
        initial_weight: Any = None,
        thickness: Any = 0,
        max_size: int = 1,
        max_passes: int = 100,
        prediction: str = "auto",
        class_weight: Any = None,
        shuffle: bool = True,
        random_state: Any = 0,
        keep_transcript: bool = False,
        binarize: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.variant = variant
        self.promotion = promotion
        self.demotion = demotion
        self.threshold = threshold
        self.initial_weight = initial_weight
        self.thickness = thickness
        self.max_size = max_size
        self.max_passes = max_passes
        self.prediction = prediction
        self.class_weight = class_weight
        self.shuffle = shuffle
        self.random_state = random_state
        self.keep_transcript = keep_transcript
        self.binarize = binarize
        self.n_jobs = n_jobs

    @property
    def threshold_(self) -> Fraction:
        """The threshold in use."""
        return Fraction(self._learned_model("threshold_").learner.threshold)

    @property
    def initial_weight_(self) -> Fraction:
        """The initial weight in use."""
        return Fraction(self._learned_model("initial_weight_").learner.initial_weight)

    def _require_settings(self) -> None:
        super()._require_settings()
        binarize_cut(self.binarize)

    def _learner(self, rows: SparseRows | None = None) -> Winnow:
        threshold, initial = self.threshold, self.initial_weight
        reasons = {}
        if threshold is None:
            threshold, reasons["threshold"] = self._automatic_threshold(rows)
        if initial is None:
            initial, reasons["initial_weight"] = 1, "1: only its ratio to the threshold matters"
        if rows is not None:
            self.reasons_ = reasons
        pair = self.thickness if isinstance(self.thickness, tuple | list) else (self.thickness, self.thickness)
        if len(pair) != 2:
            raise SettingError(f"thickness={shortened(self.thickness)}: expected a number or two")
        constant = isinstance(self.variant, str) and self.variant in ("balanced", "normalised")
        return Winnow(threshold, self.promotion, self.demotion, initial, self.variant, tuple(pair), constant)

    def _automatic_threshold(self, rows: SparseRows | None) -> tuple[int, str]:
        """Find a threshold for which a bound on the mistakes is known."""
        if rows is None:
            return 1, ""
        if self.variant in ("balanced", "normalised"):
            return 0, "0: weights of both signs balance"
        most, width = max(1, rows.most_entries), max(1, rows.n_variables)
        if self.names_ is None and width <= 4 * most:
            return width, f"{width}, the number of variables: mistakes grow with its logarithm"
        reason = "the most variables a row has: mistakes do not grow with the number of variables"
        return 4 * most, f"4 x {most}, {reason}"

    def _rows(self, X: Any, *, reset: bool, learns: bool) -> SparseRows:
        named = named_rows(self, X, reset=reset, learns=learns, with_values=False)
        if named is not None:
            return named
        try:
            return sparse_boolean_rows(self, X, reset=reset, learns=learns)
        except RowError as error:
            reason = f"Winnow multiplies the weights of variables that are there or not: it takes 0 and 1. {BINARIZE}"
            raise RowError(error.what, error.row, reason) from None

    def _rates(self, classes: NDArray[Any], codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], Fraction]:
        rates, _ = class_rates(self.class_weight, classes, np.bincount(codes, minlength=len(classes)))
        ratios = [Fraction(rate, int(rates.min())) for rate in rates.tolist()]
        return np.array([min(MOST_PROMOTIONS, round(ratio)) for ratio in ratios], np.int64), Fraction(1)

    def _take_over(self, model: OnLineModel) -> None:
        super()._take_over(model)
        self.reasons_ = dict(model.reasons)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self.variant in ("positive", "elimination")  # on labels that do not only rise
        return tags
