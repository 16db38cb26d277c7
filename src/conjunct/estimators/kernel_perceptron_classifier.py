"""The kernel Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from conjunct.bits import BitMatrix
from conjunct.estimators.boolean_input import binarize_cut, boolean_rows
from conjunct.estimators.certified import certificate_of
from conjunct.estimators.kernel_parameter import DEFAULT_LITERALS, DEFAULT_SIZE, KernelParameter
from conjunct.estimators.on_line_classifier import OnLineClassifier
from conjunct.estimators.saved import Saved
from conjunct.learners import KernelPerceptron
from conjunct.settings import positive_number

if TYPE_CHECKING:
    from conjunct.certificates import BoundCertificate
    from conjunct.saving.on_line_model import OnLineModel

__all__ = ["KernelPerceptronClassifier"]


class KernelPerceptronClassifier(Saved, OnLineClassifier, KernelParameter):
    """Learn on line in the space of a Boolean kernel's conjunctions; predictions are exact for any number of variables.

    Parameters
    ----------
    kernel : Kernel, optional
        Which conjunctions are the features, and what they cost; instead of ``max_size`` and ``literals``.
    max_size : int or None, default 3
        The most literals in a conjunction; None is every size. A larger one fits more and generalises later.
    literals : {"both", "positive"}, default "both"
        Whether conjunctions are made of variables and their negations, or of variables only, which suits one-hot
        columns.
    threshold : int, Fraction, "p/q" or float, default 0
        A row is positive iff its score is at least this.
    learning_rate : int, Fraction, "p/q" or float, default 1
        What one mistake adds. Without a threshold it only scales the scores.
    max_passes : int, default 100
        `fit` stops after a pass without mistakes, or after this many; ``stopped_by_`` says which.
    prediction : {"auto", "final", "averaged", "voted"}, default "auto"
        Predict with the last hypothesis, with the mean of the hypotheses after every row, or with their majority.
        "auto" takes the last one where `fit` became consistent, the mean where it did not and after `partial_fit`: on
        noisy labels the last hypothesis is the creature of the last rows.
    class_weight : dict, "balanced" or None
        How much a mistake on a row of each class adds.
    shuffle : bool, default True
        Whether `fit` shuffles the rows before every pass: tables are often sorted. `partial_fit` keeps their order.
    random_state : int, RandomState or None, default 0
        The seed of the shuffling.
    keep_transcript : bool, default False
        Whether to keep every update, for ``transcript_``: in memory, in files and in pickles. Votes need them anyway.
    binarize : float or None, default None
        None refuses values other than 0 and 1; a number t reads ``x > t`` as 1.
    n_jobs : int, optional
        How many threads learn and predict; -1 for every core. None takes `conjunct.set_threads`, ``CONJUNCT_THREADS``,
        or every core. No result depends on it, and no file holds it.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted; with two, the second is the positive one.
    model_ : KernelExpansion or VotedExpansion
        What was learned, frozen.
    transcripts_ : tuple of Transcript
        With ``keep_transcript``, the mistakes made: one transcript for two classes, one per class (against the rest)
        for more.
    n_mistakes_, n_passes_ : int
        Mistakes over all transcripts; the most passes one of them took.
    stopped_by_ : {"consistent", "max_passes", "end of batch"}
        Why `fit`, or `partial_fit`, stopped.
    prediction_ : {"final", "averaged", "voted"}
        The prediction in use.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    Scores are integers or fractions, never floats; several classes are compared by exact scores, the first of the
    largest winning. ``decision_function`` gives floats that agree with `predict` in sign at every n.
    Source: [khardon2005, Section 3.1].

    Examples
    --------
    >>> from conjunct.datasets import tic_tac_toe
    >>> rows, labels = tic_tac_toe()
    >>> learner = KernelPerceptronClassifier(literals="positive").fit(rows, labels)
    >>> learner.stopped_by_, learner.score(rows, labels)
    ('consistent', 1.0)
    """

    file_kind: ClassVar[str] = "kernel-perceptron-classifier"
    run_settings: ClassVar[tuple[str, ...]] = ("kernel",)
    run_needs: ClassVar[str] = "kernel, learning rate and class weights"

    def __init__(
        self,
        kernel: Any = None,
        *,
        max_size: int | None = DEFAULT_SIZE,
        literals: str = DEFAULT_LITERALS,
        threshold: Any = 0,
        learning_rate: Any = 1,
        max_passes: int = 100,
        prediction: str = "auto",
        class_weight: Any = None,
        shuffle: bool = True,
        random_state: Any = 0,
        keep_transcript: bool = False,
        binarize: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.max_size = max_size
        self.literals = literals
        self.threshold = threshold
        self.learning_rate = learning_rate
        self.max_passes = max_passes
        self.prediction = prediction
        self.class_weight = class_weight
        self.shuffle = shuffle
        self.random_state = random_state
        self.keep_transcript = keep_transcript
        self.binarize = binarize
        self.n_jobs = n_jobs

    def certificate(self, X: Any, y: Any, *, error_price: Any = 1, check: bool = True) -> BoundCertificate:
        """Return what the mistakes prove about every decision tree on the rows learned from.

        Parameters
        ----------
        X, y
            What was learned from.
        error_price : int, Fraction, "p/q", float or None, default 1
            How many leaves an error is worth; None allows trees without errors only.
        check : bool, default True
            Let the checker, in a process of its own, prove it again; then it is `certified`.

        Notes
        -----
        t^2 / V(a), t mistakes and V(a) the squared norm of the weights with 4 / error_price as regularisation: a bound
        on parts + error_price * errors of every partition of the rows into conjunctions. Votes prove nothing here.
        Source: [kowalczyk2002, Theorem 3].

        Examples
        --------
        >>> from conjunct.datasets import tic_tac_toe
        >>> rows, labels = tic_tac_toe()
        >>> learner = KernelPerceptronClassifier(max_size=2, max_passes=20).fit(rows, labels)
        >>> learner.certificate(rows, labels).certified
        True
        """
        price = None if error_price is None else positive_number(error_price, "error_price")
        return certificate_of(self, X, y, price, check)

    def _require_settings(self) -> None:
        super()._require_settings()
        binarize_cut(self.binarize)

    def _learner(self, rows: Any = None) -> KernelPerceptron:
        return KernelPerceptron(self._kernel(), self.threshold, self.learning_rate)

    def _rows(self, X: Any, *, reset: bool, learns: bool) -> BitMatrix:
        return boolean_rows(self, X, reset=reset)

    def _runs_going_on(self, unit: Fraction, n_variables: int) -> tuple[Any, ...]:
        runs = super()._runs_going_on(unit, n_variables)
        for run in runs:  # the threshold is no part of what was learned
            run.learner = self._learner()
        return runs

    def _take_over(self, model: OnLineModel) -> None:
        super()._take_over(model)
        _ = model.model  # frozen at once: the rows and weights of a run change together
