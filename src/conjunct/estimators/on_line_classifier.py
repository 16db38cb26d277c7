"""What every mistake-driven classifier does alike: one output against the rest, runs that go on, transcripts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from contextvars import copy_context
from dataclasses import replace
from fractions import Fraction
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from conjunct.bits import require_memory, thread_count
from conjunct.bits.limits import limiting_threads
from conjunct.errors import BitsError, SettingError
from conjunct.estimators.boolean_input import class_labels, class_rates
from conjunct.estimators.on_line import require_on_line_settings, shuffling_seed
from conjunct.estimators.one_fit import one_fit
from conjunct.evaluation.progress import report
from conjunct.learners import Lesson, Transcript
from conjunct.messages import in_one_line, shortened
from conjunct.saving.on_line_model import OnLineModel
from conjunct.settings import flag

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["OnLineClassifier", "run_all"]

T = TypeVar("T")


class OnLineClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A classifier that learns on line, pass after pass, one output against the rest.

    Subclasses say which learner, what rows it reads, and which of its settings a run keeps to. The learner begins runs,
    which learn lessons, and freezes them as a model.
    """

    predictions: ClassVar[tuple[str, ...]] = ("final", "averaged", "voted")
    run_settings: ClassVar[tuple[str, ...]]  # of the learner, which a run goes on with
    run_needs: ClassVar[str] = "settings and class weights"  # these, in words
    automatic_settings: ClassVar[tuple[str, ...]] = ()  # those where None means found from the first rows

    _model: OnLineModel

    @abstractmethod
    def _learner(self, rows: Any = None) -> Any:
        """Return the learner; rows are those of the first call, for what is found automatically."""

    @abstractmethod
    def _rows(self, X: Any, *, reset: bool, learns: bool) -> Any:
        """Read X."""

    def _rates(self, classes: NDArray[Any], codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], Fraction]:
        """Return what an update on each class weighs, and in what unit."""
        return class_rates(self.class_weight, classes, np.bincount(codes, minlength=len(classes)))

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and learn from the rows, pass after pass."""
        with one_fit(self) as new:
            new._require_settings()
            rows = new._rows(X, reset=True, learns=True)
            classes, codes = new._read_labels(y, rows.n_rows)
            rates, unit = new._rates(classes, codes)
            runs = new._begin(new._learner(rows), unit, rows.n_variables, len(classes))
            new._learn(runs, rows, codes, rates, int(new.max_passes), shuffling_seed(new))
            new.__dict__.pop("encoding_", None)  # it led to other rows
            new._adopt(runs, classes, "consistent" if all(run.is_consistent for run in runs) else "max_passes")
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
        with one_fit(self) as new, ExitStack() as all_or_nothing:
            new._require_settings()
            is_first, all_classes = not hasattr(new, "classes_"), new._all_classes(classes)
            table = None if is_first else getattr(new, "names_", None)
            if table is not None:
                all_or_nothing.enter_context(table.guarded())
            rows = new._rows(X, reset=is_first, learns=True)
            all_classes, codes = new._read_labels(y, rows.n_rows, all_classes)
            rates, unit = new._rates(all_classes, codes)
            if is_first:
                runs = new._begin(new._learner(rows), unit, rows.n_variables, len(all_classes))
            else:
                runs = new._runs_going_on(unit, rows.n_variables)
            for run in runs:
                all_or_nothing.enter_context(run.guarded(rows))
            new._learn(runs, rows, codes, rates, 1, None)
            new._adopt(runs, all_classes, "end of batch")
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of every row."""
        check_is_fitted(self)
        with limiting_threads(self.n_jobs):
            choices = self.model_.choices(self._rows(X, reset=False, learns=False))
        predicted: NDArray[Any] = self.classes_[choices]
        return predicted

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return a float per row, positive exactly where the second class is predicted; several classes have one each.

        It is the exact score minus the threshold, rounded; of a kernel learner its signed log2 where kernel values pass
        2**53; of voted predictions the votes. With several classes `predict` compares the exact scores, which can
        differ where these floats are equal.
        """
        check_is_fitted(self)
        with limiting_threads(self.n_jobs):
            values: NDArray[np.float64] = self.model_.decision_values(self._rows(X, reset=False, learns=False))
        return values

    @property
    def model_(self) -> Any:
        """What was learned, frozen."""
        return self._learned_model("model_").model

    @property
    def n_updates_(self) -> int:
        """The updates of all outputs."""
        return sum(run.n_updates for run in self._learned_model("n_updates_").runs)

    @property
    def n_mistakes_(self) -> int:
        """The mistakes of all outputs."""
        return sum(run.n_mistakes for run in self._learned_model("n_mistakes_").runs)

    @property
    def n_passes_(self) -> int:
        """The passes over the rows, or the batches."""
        return max(int(run.n_passes) for run in self._learned_model("n_passes_").runs)

    @property
    def transcripts_(self) -> tuple[Transcript, ...]:
        """The updates made; one transcript for two classes, one per class (against the rest) for more."""
        runs = self._learned_model("transcripts_").runs
        if not runs[0].keeps_updates:
            raise AttributeError("transcripts_: updates are not kept; ask for them with keep_transcript=True")
        return tuple(self._transcript(run) for run in runs)

    def _transcript(self, run: Any) -> Transcript:
        transcript: Transcript = run.transcript()
        return transcript

    @property
    def transcript_(self) -> Transcript:
        """The transcript of a run on two classes."""
        runs = self._learned_model("transcript_").runs
        if not runs[0].keeps_updates:
            raise AttributeError("transcript_: updates are not kept; ask for them with keep_transcript=True")
        if len(runs) != 1:
            raise AttributeError("with several classes there is one transcript per class, in transcripts_")
        return self.transcripts_[0]

    def _learned_model(self, name: str) -> OnLineModel:
        if "_model" not in self.__dict__:
            raise AttributeError(f"{name}: this {type(self).__name__} is not fitted yet")
        return self._model

    def _require_settings(self) -> None:
        """Refuse parameters of wrong types or values, before any work and at both ends of a file."""
        require_on_line_settings(self, ("auto", *self.predictions))
        flag(self.keep_transcript, "keep_transcript")
        self._learner()

    def _begin(self, learner: Any, unit: Fraction, n_variables: int, n_classes: int) -> tuple[Any, ...]:
        """Start a run per output."""
        averages = self.prediction in ("auto", "averaged")
        keeps_updates = bool(self.keep_transcript) or learner.needs_updates(self.prediction)
        n_outputs = n_outputs_for(n_classes)
        self._require_width(learner, n_variables, n_outputs)
        return tuple(learner.begin(unit, averages=averages, keeps_updates=keeps_updates) for _ in range(n_outputs))

    def _runs_going_on(self, unit: Fraction, n_variables: int) -> tuple[Any, ...]:
        """Return the runs so far, if they can go on as the parameters say."""
        runs, learner, asked = self._model.runs, self._model.learner, self._learner()
        if n_variables > self._model.n_variables:
            self._require_width(learner, n_variables, len(runs))
        fixed = [s for s in self.run_settings if s not in self.automatic_settings or getattr(self, s) is not None]
        is_same = all(getattr(asked, name) == getattr(learner, name) for name in fixed)
        if not is_same or runs[0].unit != getattr(asked, "learning_rate", 1) * unit:
            raise SettingError(f"a run goes on only with the {self.run_needs} it began with")
        if self.prediction in ("auto", "averaged") and not runs[0].averages:
            raise SettingError(
                f"prediction={self.prediction!r}: the run began without a mean of its hypotheses; fit anew"
            )
        if (self.keep_transcript or learner.needs_updates(self.prediction)) and not runs[0].keeps_updates:
            name = "keep_transcript" if self.keep_transcript else "prediction"
            raise SettingError(f"{name}={getattr(self, name)!r}: the run began without keeping its updates; fit anew")
        return runs

    def _require_width(self, learner: Any, n_variables: int, n_outputs: int) -> None:
        """Refuse more variables than there is memory for their weights, in learning, predicting and loading."""
        need = getattr(learner, "bytes_per_variable", 0) * n_variables * n_outputs
        require_memory(need, f"learning {n_variables} variables", "number only the variables there are")

    def _learn(
        self,
        runs: tuple[Any, ...],
        rows: Any,
        codes: NDArray[np.int64],
        rates: NDArray[np.int64],
        passes: int,
        seed: int | None,
    ) -> None:
        stop = Event()

        def learn(output: int) -> None:
            labels = np.where(codes == (1 if len(runs) == 1 else output), np.int8(1), np.int8(-1))
            lesson = Lesson(rows, labels, None if np.all(rates == 1) else rates[codes])
            run, n_before = runs[output], runs[output].n_passes

            def is_cancelled() -> bool:
                report((run.n_passes - n_before) / passes)
                return stop.is_set()

            run.learn(lesson, max_passes=passes, seed=seed, is_cancelled=is_cancelled)

        run_all(learn, len(runs), stop, is_short=rows.n_rows == 1)
        # Whoever is consistent sits out the passes that others still need: there would be no update in them.
        n_steps = max(run.n_steps for run in runs)
        for run in runs:
            run.n_steps = n_steps

    def _adopt(self, runs: tuple[Any, ...], classes: NDArray[Any], stopped_by: str) -> None:
        prediction = self.prediction
        if prediction == "auto":
            prediction = "final" if stopped_by == "consistent" else "averaged"
        table, reasons = getattr(self, "names_", None), getattr(self, "reasons_", {})
        self._take_over(
            OnLineModel(runs[0].learner, runs, classes, prediction, stopped_by, table=table, reasons=reasons)
        )

    def _take_over(self, model: OnLineModel) -> None:
        class_rates(self.class_weight, model.classes, np.ones(len(model.classes), np.int64))
        self._model = model
        self.classes_, self.prediction_, self.stopped_by_ = model.classes, model.prediction, model.stopped_by
        if model.table is None:
            self.n_features_in_ = model.n_variables
        if model.names is not None:
            self.feature_names_in_ = np.array(model.names, object)

    def _learned(self) -> OnLineModel:
        class_rates(self.class_weight, self.classes_, np.ones(len(self.classes_), np.int64))
        names = getattr(self, "feature_names_in_", None)
        return replace(self._model, names=None if names is None else tuple(names.tolist()))

    def _all_classes(self, classes: Any) -> NDArray[Any]:
        """Return all labels there will ever be, given at the first call of partial_fit."""
        is_first = not hasattr(self, "classes_")
        if is_first and classes is None:
            raise SettingError("classes: the first call of partial_fit needs the list of all labels")
        with in_one_line("classes"):
            listed = self.classes_ if classes is None else np.unique(np.asarray(classes))
        first: NDArray[Any] = listed if is_first else self.classes_
        if not np.array_equal(listed, first):
            raise SettingError(
                f"classes={shortened(classes)} are not those of the first call, {shortened(first.tolist())}"
            )
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            raise SettingError('class_weight="balanced" needs all rows at once; give a dict to partial_fit')
        return first

    def _read_labels(
        self, y: Any, n_rows: int, all_classes: NDArray[Any] | None = None
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return the classes and the number of each row's class."""
        if y is None:
            raise SettingError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        classes, codes = class_labels(y, n_rows)
        if all_classes is not None:
            for label in classes.tolist():
                if label not in all_classes.tolist():
                    listed = shortened(all_classes.tolist())
                    raise BitsError(f"label {shortened(label)} is not among the classes {listed} of the first call")
            order = np.argsort(all_classes)  # those of a loaded model need not be sorted
            classes, codes = all_classes, order[np.searchsorted(all_classes, classes, sorter=order)][codes]
        if len(classes) < 2:
            raise BitsError(f"the labels hold one class only, {shortened(classes.tolist()[0])}; two are needed")
        return classes, codes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def n_outputs_for(n_classes: int) -> int:
    """Return how many outputs separate so many classes: one for two, one each for more."""
    return 1 if n_classes == 2 else n_classes


def run_all(learn: Callable[[int], T], n_outputs: int, stop: Event, *, is_short: bool = False) -> tuple[T, ...]:
    """Run one learner per output, on this thread and as many more as can be started; an interrupt stops them all.

    Short work, which takes less time than starting a thread, is done on this one alone.

    Where learners fail, the error is that of the first output, whoever ran it.
    """
    outputs, results, errors = SimpleQueue[int](), dict[int, T](), dict[int, BaseException]()
    for output in range(n_outputs):
        outputs.put(output)

    def work() -> None:
        while not errors:
            try:
                output = outputs.get_nowait()
            except Empty:
                return
            try:
                results[output] = learn(output)
            except BaseException as error:  # raised below, by the thread that asked
                errors[output] = error
            is_interrupted = isinstance(errors.get(output), KeyboardInterrupt)
            if is_interrupted or (errors and results.keys() >= set(range(min(errors)))):
                stop.set()

    others: list[Thread] = []
    try:
        for _ in range(0 if is_short else min(n_outputs, thread_count()) - 1):
            other = Thread(target=copy_context().run, args=(work,))
            try:
                other.start()
            except (RuntimeError, MemoryError):  # no more threads
                break
            others.append(other)
        work()
        for other in others:
            other.join()
    except BaseException:
        stop.set()
        for other in others:
            other.join()
        raise
    for output in sorted(errors):
        raise errors[output]
    return tuple(results[output] for output in range(n_outputs))
