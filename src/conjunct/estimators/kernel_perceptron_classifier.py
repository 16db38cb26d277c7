"""The kernel Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from conjunct.bits import BitMatrix
from conjunct.errors import ModelFileError
from conjunct.estimators.boolean_input import binarize_cut, boolean_rows, class_rates
from conjunct.estimators.kernel_parameter import KernelParameter
from conjunct.estimators.on_line_classifier import OnLineClassifier, n_outputs_for, run_all
from conjunct.estimators.one_fit import one_fit
from conjunct.estimators.persistent import (
    classes_from_record,
    classes_record,
    ratio_from_record,
    ratio_record,
    variables_arrays,
    variables_from_arrays,
)
from conjunct.kernels import kernel_from_record, kernel_record
from conjunct.kernels.exact_sum import LARGEST_WEIGHT_SUM
from conjunct.learners import KernelPerceptron, Transcript

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["KernelPerceptronClassifier"]

COLUMNS = {"slot": np.int64, "label": np.int8, "rate": np.int64, "step": np.int64, "index": np.int64}
RECORD = {"classes", "kernel", "n_variables", "prediction", "runs", "stopped_by", "threshold", "unit"}


class KernelPerceptronClassifier(OnLineClassifier, KernelParameter):
    """Learn on line in the space of a Boolean kernel's conjunctions; predictions are exact for any number of variables.

    Parameters
    ----------
    kernel : Kernel, default Conjunctions(max_size=3)
        Which conjunctions are the features. `MonotoneConjunctions` suits one-hot columns; a larger ``max_size`` fits
        more and generalises later.
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
    shuffle : bool, default False
        Whether `fit` shuffles the rows before every pass.
    random_state : int, RandomState or None
        The seed of the shuffling.
    binarize : float or None, default None
        None refuses values other than 0 and 1; a number t reads ``x > t`` as 1.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted; with two, the second is the positive one.
    model_ : KernelExpansion or VotedExpansion
        What was learned, frozen.
    transcripts_ : tuple of Transcript
        The mistakes made; one transcript for two classes, one per class (against the rest) for more.
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
    >>> from conjunct.kernels import MonotoneConjunctions
    >>> rows, labels = tic_tac_toe()
    >>> learner = KernelPerceptronClassifier(MonotoneConjunctions(max_size=3)).fit(rows, labels)
    >>> learner.stopped_by_, learner.score(rows, labels)
    ('consistent', 1.0)
    """

    file_kind: ClassVar[str] = "kernel-perceptron-classifier"

    def __init__(
        self,
        kernel: Any = None,
        *,
        threshold: Any = 0,
        learning_rate: Any = 1,
        max_passes: int = 100,
        prediction: str = "auto",
        class_weight: Any = None,
        shuffle: bool = False,
        random_state: Any = None,
        binarize: float | None = None,
    ) -> None:
        self.kernel = kernel
        self.threshold = threshold
        self.learning_rate = learning_rate
        self.max_passes = max_passes
        self.prediction = prediction
        self.class_weight = class_weight
        self.shuffle = shuffle
        self.random_state = random_state
        self.binarize = binarize

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and learn from the rows, pass after pass."""
        with one_fit(self) as new:
            new._require_settings()
            rows, classes, codes = new._read(X, y)
            seed = new._seed()
            start: list[Transcript | None] = [None] * n_outputs_for(classes)
            learner, transcripts = new._learn(rows, classes, codes, start, int(new.max_passes), seed)
            is_consistent = all(t.is_consistent for t in transcripts)
            new.__dict__.pop("encoding_", None)  # it led to other rows
            new._adopt(learner, classes, transcripts, "consistent" if is_consistent else "max_passes")
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning from a batch of rows, once, in the given order.

        Parameters
        ----------
        X, y
            As in `fit`.
        classes : array-like
            All labels there will ever be; needed at the first call only.
        """
        with one_fit(self) as new:
            new._require_settings()
            is_first, known = not hasattr(new, "classes_"), new._known_classes(classes)
            rows, known, codes = new._read(X, y, known, reset=is_first)
            start: list[Transcript | None] = [None] * n_outputs_for(known) if is_first else list(new.transcripts_)
            learner, transcripts = new._learn(rows, known, codes, start, 1, None)
            new._adopt(learner, known, transcripts, "end of batch")
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of every row."""
        check_is_fitted(self)
        choices = self.model_.choices(boolean_rows(self, X, reset=False))
        predicted: NDArray[Any] = self.classes_[choices]
        return predicted

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return a float per row, positive exactly where the second class is predicted; several classes have one each.

        The exact score minus the threshold while kernel values stay within 2**53; its signed log2 beyond. Voted
        predictions give the votes. With several classes `predict` compares the exact scores, which can differ where
        these floats are equal.
        """
        check_is_fitted(self)
        values: NDArray[np.float64] = self.model_.decision_values(boolean_rows(self, X, reset=False))
        return values

    @property
    def transcript_(self) -> Transcript:
        """The transcript of a run on two classes."""
        if len(self.transcripts_) != 1:
            raise AttributeError("with several classes there is one transcript per class, in transcripts_")
        only: Transcript = self.transcripts_[0]
        return only

    def _require_settings(self) -> None:
        """Refuse parameters of wrong types or values, before any work and at both ends of a file."""
        self._require_passes()
        binarize_cut(self.binarize)
        self._learner()

    def _learner(self) -> KernelPerceptron:
        return KernelPerceptron(self._kernel(), self.threshold, self.learning_rate)

    def _read(
        self, X: Any, y: Any, known: NDArray[Any] | None = None, *, reset: bool = True
    ) -> tuple[BitMatrix, NDArray[Any], NDArray[np.int64]]:
        rows = boolean_rows(self, X, reset=reset)
        classes, codes = self._read_labels(y, rows.n_rows, known)
        return rows, classes, codes

    def _learn(
        self,
        rows: BitMatrix,
        classes: NDArray[Any],
        codes: NDArray[np.int64],
        start: list[Transcript | None],
        passes: int,
        seed: int | None,
    ) -> tuple[KernelPerceptron, tuple[Transcript, ...]]:
        learner = self._learner()
        rates, unit = class_rates(self.class_weight, classes, np.bincount(codes, minlength=len(classes)))
        stop = Event()

        def learn(output: int) -> Transcript:
            positive = codes == (1 if len(classes) == 2 else output)
            return learner.run(
                rows,
                np.where(positive, 1, -1),
                rates=rates[codes],
                rate_unit=unit,
                max_passes=passes,
                seed=seed,
                after=start[output],
                is_cancelled=stop.is_set,
            )

        transcripts = run_all(learn, len(start), stop)
        # Whoever is consistent sits out the passes that others still need: there would be no mistake in them.
        n_steps = max(t.n_steps for t in transcripts)
        return learner, tuple(replace(t, n_steps=n_steps) for t in transcripts)

    def _adopt(
        self, learner: KernelPerceptron, classes: NDArray[Any], transcripts: tuple[Transcript, ...], stopped_by: str
    ) -> None:
        prediction = self.prediction
        if prediction == "auto":
            prediction = "final" if stopped_by == "consistent" else "averaged"
        self._take_over(learner, classes, transcripts, prediction, stopped_by)

    def _take_over(
        self,
        learner: KernelPerceptron,
        classes: NDArray[Any],
        transcripts: tuple[Transcript, ...],
        prediction: str,
        stopped_by: str,
    ) -> None:
        self.model_ = learner.model(transcripts, prediction)
        self.classes_, self.transcripts_ = classes, transcripts
        self.prediction_, self.stopped_by_ = prediction, stopped_by
        self.n_mistakes_ = sum(len(t) for t in transcripts)
        self.n_passes_ = max(t.n_passes for t in transcripts)

    def _learned(self) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
        self._require_settings()
        class_rates(self.class_weight, self.classes_, np.ones(len(self.classes_), np.int64))
        first = self.transcripts_[0]
        arrays: dict[str, NDArray[Any]] = variables_arrays(
            first.rows.n_variables, first.rows.names if first.rows.is_named else None
        )
        runs = []
        for output, t in enumerate(self.transcripts_):
            arrays |= {f"{output}.{name}": getattr(t, name) for name in COLUMNS}
            arrays[f"{output}.rows"] = t.rows.words
            runs.append({"n_steps": t.n_steps, "n_passes": t.n_passes, "is_consistent": t.is_consistent})
        # The parameters may have been changed since; these are what the model was learned with.
        record: dict[str, object] = {
            "classes": classes_record(self.classes_),
            "kernel": kernel_record(first.kernel),
            "n_variables": first.rows.n_variables,
            "prediction": self.prediction_,
            "runs": runs,
            "stopped_by": self.stopped_by_,
            "threshold": ratio_record(self.model_.threshold),
            "unit": ratio_record(first.unit),
        }
        return record, arrays

    def _relearn(self, record: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        self._require_settings()
        if record.keys() != RECORD or not isinstance(record["runs"], list):
            raise ModelFileError("it has other parts than a kernel Perceptron")
        classes, runs = classes_from_record(record["classes"]), record["runs"]
        n_variables, names = variables_from_arrays(record["n_variables"], arrays)
        class_rates(self.class_weight, classes, np.ones(len(classes), np.int64))
        if len(runs) != n_outputs_for(classes) or len(arrays) != 3 + len(runs) * (1 + len(COLUMNS)):
            raise ModelFileError("it has another number of runs or arrays than its classes need")
        learner = KernelPerceptron(kernel_from_record(record["kernel"]), ratio_from_record(record["threshold"]))
        unit = ratio_from_record(record["unit"])
        transcripts = tuple(
            _transcript(learner, unit, n_variables, names, arrays, output, run) for output, run in enumerate(runs)
        )
        if len({t.n_steps for t in transcripts}) != 1:
            raise ModelFileError("its runs are of different lengths")
        prediction, stopped_by = record["prediction"], record["stopped_by"]
        is_consistent = all(t.is_consistent for t in transcripts)
        if stopped_by not in (("consistent" if is_consistent else "max_passes"), "end of batch"):
            raise ModelFileError("it stopped for a reason that is not known or does not fit its runs")
        if prediction not in self.predictions:
            raise ModelFileError("it predicts in a way that is not known")
        self.n_features_in_ = n_variables
        if names is not None:
            self.feature_names_in_ = np.array(names, object)
        self._take_over(learner, classes, transcripts, prediction, stopped_by)


def _transcript(
    learner: KernelPerceptron,
    unit: Fraction,
    n_variables: int,
    names: tuple[str, ...] | None,
    arrays: dict[str, NDArray[Any]],
    output: int,
    run: Any,
) -> Transcript:
    """Rebuild the transcript of one output from a file: what it does not check itself is checked here."""
    words = arrays[f"{output}.rows"]
    columns: dict[str, Any] = {name: arrays[f"{output}.{name}"] for name in COLUMNS}
    if words.dtype != np.uint64 or any(columns[name].dtype != kind for name, kind in COLUMNS.items()):
        raise ModelFileError(f"an array of run {output} has another type than it should")
    match run:
        case {"n_steps": int(n_steps), "n_passes": int(n_passes), "is_consistent": bool(), **rest} if not rest:
            is_counted = type(n_steps) is type(n_passes) is int and 1 <= n_passes <= n_steps <= LARGEST_WEIGHT_SUM
        case _:
            raise ModelFileError(f"run {output} is malformed")
    rows = BitMatrix(words, n_variables, names)
    slots, first = np.unique(columns["slot"], return_index=True)
    if (
        not is_counted
        or rows.pool().rows.n_rows != rows.n_rows
        or len(slots) != rows.n_rows
        or np.any(np.diff(first) < 0)
    ):
        raise ModelFileError(f"run {output} has impossible counts, or rows not in the order of their first mistake")
    return Transcript(learner.kernel, unit, rows, **columns, **run)
