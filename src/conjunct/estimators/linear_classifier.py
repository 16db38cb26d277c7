"""What the Perceptron and Winnow classifiers share: rows by column or by name, runs per class, files."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import ExitStack
from fractions import Fraction
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from conjunct.bits import NameTable, SparseRows, require_memory
from conjunct.errors import ModelFileError, SettingError
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
from conjunct.learners import Lesson, LinearTranscript
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LinearClassifier"]

COLUMNS = {
    "label": np.int8,
    "rate": np.int64,
    "step": np.int64,
    "index": np.int64,
    "is_mistake": np.uint8,
}
MOST_STEPS = 1 << 62
RECORD = {"classes", "is_real", "learner", "n_variables", "names", "prediction", "runs", "stopped_by", "unit"}


class LinearClassifier(OnLineClassifier):
    """An on-line linear learner as a classifier. Subclasses say which learner, and what it reads."""

    bytes_per_variable: ClassVar[int]  # and output: while learning, in the model and while loading, as measured
    _runs: tuple[Any, ...]
    _frozen: list[Any]

    @abstractmethod
    def _learner(self, rows: SparseRows | None = None) -> Any:
        """Return the learner; rows are those of the first call, for what is found automatically."""

    @abstractmethod
    def _rows(self, X: Any, *, reset: bool, learns: bool) -> SparseRows:
        """Read X."""

    @abstractmethod
    def _rates(self, classes: NDArray[Any], codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], Fraction]:
        """Return what an update on each class weighs, and in what unit."""

    @abstractmethod
    def _begin(self, learner: Any, unit: Fraction, rows: SparseRows) -> Any:
        """Start a run."""

    @abstractmethod
    def _learner_record(self, learner: Any) -> dict[str, object]:
        """Describe the learner as plain data."""

    @abstractmethod
    def _learner_from_record(self, record: dict[str, Any]) -> Any:
        """Read what `_learner_record` wrote."""

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and learn from the rows, pass after pass."""
        with one_fit(self) as new:
            new._require_settings()
            rows = new._rows(X, reset=True, learns=True)
            classes, codes = new._read_labels(y, rows.n_rows)
            rates, unit = new._rates(classes, codes)
            new._require_width(rows.n_variables, n_outputs_for(classes))
            learner = new._learner(rows)
            runs = tuple(new._begin(learner, unit, rows) for _ in range(n_outputs_for(classes)))
            new._learn(runs, rows, codes, rates, int(new.max_passes), new._seed())
            new.__dict__.pop("encoding_", None)  # it led to other rows
            is_consistent = all(run.is_consistent for run in runs)
            new._adopt(runs, classes, "consistent" if is_consistent else "max_passes")
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
            is_first, known = not hasattr(new, "classes_"), new._known_classes(classes)
            if not is_first and new.names_ is not None:
                all_or_nothing.enter_context(new.names_.guarded())
            rows = new._rows(X, reset=is_first, learns=True)
            known, codes = new._read_labels(y, rows.n_rows, known)
            rates, unit = new._rates(known, codes)
            new._require_width(rows.n_variables, n_outputs_for(known))
            if is_first:
                learner = new._learner(rows)
                runs = tuple(new._begin(learner, unit, rows) for _ in range(n_outputs_for(known)))
            else:
                runs = new._going_on(rows, unit)
                if new.prediction in ("auto", "averaged") and not runs[0].averages:
                    runs = tuple(new._resumed(run.transcript()) for run in runs)
            for run in runs:
                all_or_nothing.enter_context(run.guarded(rows))
            new._learn(runs, rows, codes, rates, 1, None)
            new._adopt(runs, known, "end of batch")
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of every row."""
        check_is_fitted(self)
        choices = self.model_.choices(self._rows(X, reset=False, learns=False))
        predicted: NDArray[Any] = self.classes_[choices]
        return predicted

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return score minus threshold, positive exactly where the second class is predicted; with more, one each."""
        check_is_fitted(self)
        values: NDArray[np.float64] = self.model_.decision_values(self._rows(X, reset=False, learns=False))
        return values

    @property
    def model_(self) -> Any:
        """What was learned, frozen."""
        self._require_learned("model_")
        if not self._frozen:  # a list, so that predicting changes no attribute
            self._frozen.append(self._runs[0].learner.model(self._runs, self.prediction_))
        return self._frozen[0]

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weights in floats, one row per output."""
        self._require_learned("coef_")
        if self.prediction_ == "voted":
            raise AttributeError("voted predictions have no single weights; see transcripts_")
        return within_floats("coef_", self.model_.coefficients)

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The constant's part of the score minus the threshold, in floats, one per output."""
        self._require_learned("intercept_")
        if self.prediction_ == "voted":
            raise AttributeError("voted predictions have no single intercept; see transcripts_")
        return within_floats("intercept_", self.model_.intercepts)

    @property
    def transcripts_(self) -> tuple[LinearTranscript, ...]:
        """The updates made; one transcript for two classes, one per class (against the rest) for more."""
        self._require_learned("transcripts_")
        return tuple(run.transcript() for run in self._runs)

    @property
    def transcript_(self) -> LinearTranscript:
        """The transcript of a run on two classes."""
        self._require_learned("transcript_")
        if len(self._runs) != 1:
            raise AttributeError("with several classes there is one transcript per class, in transcripts_")
        return self.transcripts_[0]

    def _require_width(self, n_variables: int, n_outputs: int) -> None:
        """Refuse more variables than there is memory for their weights, in learning, predicting and loading."""
        what = f"learning {n_variables} variables"
        require_memory(self.bytes_per_variable * n_variables * n_outputs, what, "number only the variables there are")

    def _require_learned(self, name: str) -> None:
        if "_runs" not in self.__dict__:
            raise AttributeError(f"{name}: this {type(self).__name__} is not fitted yet")

    def _require_settings(self) -> None:
        self._require_passes()
        size = self.max_size
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise SettingError(f"max_size={shortened(size)}: expected a positive integer")

    def _going_on(self, rows: SparseRows, unit: Fraction) -> tuple[Any, ...]:
        return self._runs

    def _learn(
        self,
        runs: tuple[Any, ...],
        rows: SparseRows,
        codes: NDArray[np.int64],
        rates: NDArray[np.int64],
        passes: int,
        seed: int | None,
    ) -> None:
        stop = Event()

        def learn(output: int) -> None:
            labels = np.where(codes == (1 if len(runs) == 1 else output), np.int8(1), np.int8(-1))
            lesson = Lesson(rows, labels, None if np.all(rates == 1) else rates[codes])
            runs[output].learn(lesson, max_passes=passes, seed=seed, is_cancelled=stop.is_set)

        run_all(learn, len(runs), stop)
        # Whoever is consistent sits out the passes that others still need: there would be no update in them.
        n_steps = max(run.n_steps for run in runs)
        for run in runs:
            run.n_steps = n_steps

    def _adopt(self, runs: tuple[Any, ...], classes: NDArray[Any], stopped_by: str) -> None:
        prediction = self.prediction
        if prediction == "auto":
            prediction = "final" if stopped_by == "consistent" else "averaged"
        self._take_over(runs, classes, prediction, stopped_by)

    def _take_over(self, runs: tuple[Any, ...], classes: NDArray[Any], prediction: str, stopped_by: str) -> None:
        self._runs, self._frozen = runs, []
        self.classes_, self.prediction_, self.stopped_by_ = classes, prediction, stopped_by
        self.n_updates_ = sum(run.n_updates for run in runs)
        self.n_mistakes_ = sum(run.n_mistakes for run in runs)
        self.n_passes_ = max(run.n_passes for run in runs)

    def _learned(self) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
        self._require_settings()
        transcripts = self.transcripts_
        n_variables = max(t.rows.n_variables for t in transcripts)
        names = getattr(self, "feature_names_in_", None)
        arrays = variables_arrays(max(1, n_variables), None if names is None else names.tolist())
        for output, t in enumerate(transcripts):
            arrays |= {f"{output}.{name}": getattr(t, name).astype(kind) for name, kind in COLUMNS.items()}
            arrays |= {f"{output}.starts": t.rows.starts, f"{output}.places": t.rows.places}
            if t.rows.values is not None:
                arrays[f"{output}.values"] = t.rows.values
        record: dict[str, object] = {
            "classes": classes_record(self.classes_),
            "is_real": transcripts[0].rows.values is not None,
            "learner": self._learner_record(self._runs[0].learner),
            "n_variables": n_variables,
            "names": self._names_record(arrays),
            "prediction": self.prediction_,
            "runs": [[t.n_steps, t.n_passes, t.is_consistent] for t in transcripts],
            "stopped_by": self.stopped_by_,
            "unit": ratio_record(transcripts[0].unit),
        }
        return record, arrays

    def _names_record(self, arrays: dict[str, NDArray[Any]]) -> object:
        """Put the names of a table into arrays: text and whole numbers only, as a file holds data only."""
        if self.names_ is None:
            return None
        names, keys = self.names_.describe()
        if not all(type(name) in (str, int) for name in names):
            strange = next(name for name in names if type(name) not in (str, int))
            raise ModelFileError(
                f"the name {shortened(strange)} has no place in a model file; use text or whole numbers"
            )
        try:
            texts = [str(name).encode() for name in names]
        except ValueError as error:  # a lone surrogate, or a number of thousands of digits
            raise ModelFileError(f"a name has no place in a model file: {shortened(str(error))}") from None
        arrays["table.keys"] = keys
        arrays["table.is_text"] = np.array([type(name) is str for name in names], np.uint8)
        arrays["table.lengths"] = np.array([len(text) for text in texts], np.int64)
        arrays["table.text"] = np.frombuffer(b"".join(texts), np.uint8)
        return self.names_.max_size

    def _names_from_record(self, max_size: object, arrays: dict[str, NDArray[Any]]) -> NameTable | None:
        if max_size is None:
            return None
        keys, is_text, lengths, text = (arrays[f"table.{name}"] for name in ("keys", "is_text", "lengths", "text"))
        kinds = [array.dtype for array in (keys, is_text, lengths, text)]
        is_flat = all(array.ndim == 1 for array in (keys, is_text, lengths, text))
        if type(max_size) is not int or kinds != [np.uint64, np.uint8, np.int64, np.uint8] or not is_flat:
            raise ModelFileError("its names are malformed")
        if (
            np.any(lengths < 0)
            or sum(lengths.tolist()) != len(text)
            or len(lengths) != len(is_text)
            or np.any(is_text > 1)
        ):
            raise ModelFileError("its names have other lengths than their text")
        raw, end = text.tobytes(), 0
        texts = [raw[end : (end := end + length)].decode() for length in lengths.tolist()]
        names = [name if is_str else int(name) for name, is_str in zip(texts, is_text.tolist(), strict=True)]
        if texts != [str(name) for name in names]:
            raise ModelFileError("its names have numbers that are spelled in another way")
        return NameTable.from_description(max_size, names, keys)

    def _relearn(self, record: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        self._require_settings()
        if record.keys() != RECORD or not isinstance(record["runs"], list) or not isinstance(record["learner"], dict):
            raise ModelFileError("it has other parts than a linear classifier")
        classes, unit = classes_from_record(record["classes"]), ratio_from_record(record["unit"])
        learner = self._learner_from_record(record["learner"])
        n_variables = record["n_variables"]
        if type(n_variables) is not int or n_variables < 0:
            raise ModelFileError("its number of variables is malformed")
        _, names = variables_from_arrays(max(1, n_variables), arrays)
        prediction, stopped_by, is_real = record["prediction"], record["stopped_by"], record["is_real"]
        if prediction not in self.predictions or stopped_by not in ("consistent", "max_passes", "end of batch"):
            raise ModelFileError("it predicts or stopped in a way that is not known")
        if len(record["runs"]) != n_outputs_for(classes) or type(is_real) is not bool:
            raise ModelFileError("it has another number of runs than its classes need")
        self._require_width(n_variables, len(record["runs"]))
        table = self._names_from_record(record["names"], arrays)
        if table is not None and table.n_variables != n_variables:
            raise ModelFileError("its names are not as many as its variables")
        if arrays.keys() != self._array_names(len(record["runs"]), is_real=is_real, has_table=table is not None):
            raise ModelFileError("it has other arrays than its runs need")
        runs = []
        for output, state in enumerate(record["runs"]):
            match state:
                case [int(n_steps), int(n_passes), bool(is_consistent)] if bool not in (type(n_steps), type(n_passes)):
                    columns = {name: arrays[f"{output}.{name}"] for name in COLUMNS}
                case _:
                    raise ModelFileError(f"run {output} is malformed")
            if any(columns[name].dtype != kind for name, kind in COLUMNS.items()):
                raise ModelFileError(f"an array of run {output} has another type than it should")
            if np.any(columns["is_mistake"] > 1):
                raise ModelFileError(f"run {output} has updates that are neither mistakes nor not")
            columns["is_mistake"] = columns["is_mistake"].astype(bool)
            values = arrays[f"{output}.values"] if is_real else None
            rows = SparseRows(arrays[f"{output}.starts"], arrays[f"{output}.places"], n_variables, values)
            if np.any(rows.places < 0) or not (values is None or np.all(np.isfinite(values))):
                raise ModelFileError(f"run {output} has places or values that no variable has")
            if n_steps >= MOST_STEPS or n_steps != record["runs"][0][0]:
                raise ModelFileError("its runs are of different lengths, or too long")
            transcript = LinearTranscript(
                learner, unit, rows, **columns, n_steps=n_steps, n_passes=n_passes, is_consistent=is_consistent
            )
            runs.append(self._resumed(transcript))
        if (stopped_by == "consistent") != all(run.is_consistent for run in runs) and stopped_by != "end of batch":
            raise ModelFileError("it stopped for another reason than its runs say")
        self.names_ = table
        if table is None:
            self.n_features_in_ = n_variables
        if names is not None:
            self.feature_names_in_ = np.array(names, object)
        self._take_over(tuple(runs), classes, prediction, stopped_by)

    def _resumed(self, transcript: LinearTranscript) -> Any:
        """Return a run that made the updates of a transcript, with averages."""
        learner: Any = transcript.learner
        run = self._begin(learner, transcript.unit / self._learner_unit(learner), transcript.rows)
        run.averages = True
        run.resume(transcript)
        return run

    def _array_names(self, n_runs: int, *, is_real: bool, has_table: bool) -> set[str]:
        parts = [*COLUMNS, "starts", "places", *["values"] * is_real]
        table = ("keys", "is_text", "lengths", "text") if has_table else ()
        return {
            *("variables", "names.lengths", "names.text"),
            *(f"table.{name}" for name in table),
            *(f"{output}.{name}" for output in range(n_runs) for name in parts),
        }

    def _learner_unit(self, learner: Any) -> Fraction:
        """Return what the learner itself multiplies the unit of rates by."""
        return Fraction(1)


def within_floats(name: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Refuse to show weights that floats cannot hold; predictions do without."""
    if not np.all(np.isfinite(values)):
        raise SettingError(f"{name}: a weight is past the range of floats; predictions are exact without it")
    return np.asarray(values)
