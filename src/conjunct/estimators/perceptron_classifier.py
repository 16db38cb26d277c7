"""The Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log2
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from conjunct.estimators.linear_classifier import LinearClassifier
from conjunct.estimators.on_line_classifier import OnLineClassifier
from conjunct.estimators.saved import Saved
from conjunct.estimators.sparse_input import named_rows, sparse_real_rows
from conjunct.learners import Perceptron

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import SparseRows

__all__ = ["PerceptronClassifier"]


class PerceptronClassifier(Saved, LinearClassifier, OnLineClassifier):
    """Learn a linear threshold on line, mistake by mistake: exact on Boolean rows, in floats on others.

    Parameters
    ----------
    threshold : int, Fraction, "p/q" or float, default 0
        A row is positive iff its score is at least this.
    constant : int, Fraction, "p/q", float or None, default None
        The value of one more variable that every row has; 0 for none. None is 1 for Boolean rows, and for others the
        power of two nearest to the norm of a row, so that it learns as fast as they do.
    learning_rate : int, Fraction, "p/q" or float, default 1
        What one update adds. Without a threshold or thickness it only scales the scores.
    thickness : int, Fraction, "p/q" or float, default 0
        Update also on rows that are right by no more than this.
    max_size : int, default 1
        For examples given by name, as sets, dicts or lists of tokens: conjunctions of up to this many names are
        variables too.
    max_passes : int, default 100
        `fit` stops after a pass without updates, or after this many; ``stopped_by_`` says which.
    prediction : {"auto", "final", "averaged", "voted"}, default "auto"
        Predict with the last hypothesis, with the mean of the hypotheses after every row, or with their majority.
        "auto" takes the last one where `fit` became consistent, otherwise the mean.
    class_weight : dict, "balanced" or None
        How much an update on a row of each class adds.
    shuffle : bool, default True
        Whether `fit` shuffles the rows before every pass: tables are often sorted. `partial_fit` keeps their order.
    random_state : int, RandomState or None, default 0
        The seed of the shuffling.
    keep_transcript : bool, default False
        Whether to keep every update, for ``transcript_``: in memory, in files and in pickles. Votes need them anyway.
    n_jobs : int, optional
        How many threads learn and predict; -1 for every core. None takes `conjunct.set_threads`, ``CONJUNCT_THREADS``,
        or every core. No result depends on it, and no file holds it.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted; with two, the second is the positive one.
    coef_, intercept_ : ndarray
        The weights, and the constant's part minus the threshold, in floats; one row per output.
    model_ : LinearThreshold or VotedThreshold
        What was learned, frozen and, on Boolean rows, exact.
    transcripts_, transcript_ : Transcript
        The updates made, one transcript per output.
    n_mistakes_, n_updates_, n_passes_ : int
    stopped_by_ : {"consistent", "max_passes", "end of batch"}
    arithmetic_ : {"exact", "float"}
        Whole numbers while every row is Boolean, floats from the first other one on.
    names_ : NameTable or None
        The names seen, where examples are sets or dicts.

    Notes
    -----
    Mistakes are at most R**2 |u|**2 / margin**2 for every u that separates the rows. Source: [novikoff1962].

    Examples
    --------
    >>> learner = PerceptronClassifier().fit([{"red"}, {"red", "round"}, {"round"}, set()], [1, 1, 0, 0])
    >>> learner.predict([{"red", "square"}, {"square"}]).tolist(), learner.n_mistakes_
    ([1, 0], 3)
    """

    file_kind: ClassVar[str] = "perceptron-classifier"
    run_settings: ClassVar[tuple[str, ...]] = ("threshold", "learning_rate", "constant", "thickness")
    automatic_settings: ClassVar[tuple[str, ...]] = ("constant",)

    def __init__(
        self,
        *,
        threshold: Any = 0,
        constant: Any = None,
        learning_rate: Any = 1,
        thickness: Any = 0,
        max_size: int = 1,
        max_passes: int = 100,
        prediction: str = "auto",
        class_weight: Any = None,
        shuffle: bool = True,
        random_state: Any = 0,
        keep_transcript: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.threshold = threshold
        self.constant = constant
        self.learning_rate = learning_rate
        self.thickness = thickness
        self.max_size = max_size
        self.max_passes = max_passes
        self.prediction = prediction
        self.class_weight = class_weight
        self.shuffle = shuffle
        self.random_state = random_state
        self.keep_transcript = keep_transcript
        self.n_jobs = n_jobs

    @property
    def arithmetic_(self) -> str:
        """Whether weights are whole numbers or floats."""
        return "float" if self._learned_model("arithmetic_").runs[0].is_real else "exact"

    def _learner(self, rows: SparseRows | None = None) -> Perceptron:
        constant = self.constant
        if constant is None:
            constant = 1 if rows is None or rows.values is None else _power_near_norm(rows.values, rows.n_rows)
        return Perceptron(self.threshold, self.learning_rate, constant, self.thickness)

    def _rows(self, X: Any, *, reset: bool, learns: bool) -> SparseRows:
        named = named_rows(self, X, reset=reset, learns=learns, with_values=True)
        return sparse_real_rows(self, X, reset=reset, learns=learns) if named is None else named


def _power_near_norm(values: NDArray[np.float64], n_rows: int) -> Fraction:
    """Return the power of two nearest to the root mean square of the rows' norms; 1 where all are 0."""
    with np.errstate(over="ignore"):
        mean_sq = float(np.dot(values, values)) / n_rows
    return Fraction(2) ** max(-500, min(500, round(log2(mean_sq) / 2))) if 0 < mean_sq < inf else Fraction(1)
