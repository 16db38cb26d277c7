"""What the file of an on-line classifier holds: the learner, its runs without their history, classes and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import kernels
from conjunct.bits import NameTable, SparseRows, require_memory
from conjunct.learners.online.update_log import UpdateLog, Updates
from conjunct.saving.fields import ArrayField, Value, count, flag, one_of, read_arrays, read_record, require, signs
from conjunct.saving.name_tables import table_arrays, table_from
from conjunct.saving.values import (
    classes_record,
    classes_value,
    ratio_record,
    ratio_value,
    reasons_value,
    variables_arrays,
    variables_from,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners import Transcript

__all__ = ["LINEAR_COUNTS", "ROWS", "SLOTS", "OnLineKind", "OnLineModel"]

STOPS = ("consistent", "max_passes", "end of batch")
LINEAR_COUNTS = ("n_steps", "n_passes", "n_updates", "n_mistakes", "n_rates")


@dataclass(frozen=True, eq=False)
class OnLineModel:
    """What an on-line classifier learned, and what it needs to go on.

    Attributes
    ----------
    learner : Perceptron, Winnow or KernelPerceptron
    runs : tuple
        One per output.
    classes : ndarray
    prediction, stopped_by : str
    names : tuple of str, or None
        The variables' names.
    table : NameTable or None
        The names seen, where examples are sets or dicts.
    reasons : dict
        Why settings were chosen, where they were found automatically.
    """

    learner: Any
    runs: tuple[Any, ...]
    classes: NDArray[Any]
    prediction: str
    stopped_by: str
    names: tuple[str, ...] | None = None
    table: NameTable | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def model(self) -> Any:
        """The hypothesis, frozen."""
        return self.learner.model(self.runs, self.prediction)

    def with_classes(self, classes: NDArray[Any]) -> OnLineModel:
        """Return the same model under other labels."""
        return replace(self, classes=classes)

    def with_names(self, names: tuple[str, ...]) -> OnLineModel:
        """Return the same model with names for its variables."""
        return replace(self, names=names)

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return max(int(run.n_variables) for run in self.runs)


@dataclass(frozen=True)
class OnLineKind:
    """How the models of one learner are described.

    Attributes
    ----------
    learner : type
    settings : tuple of Value
        What makes the learner; each is a field of it.
    predictions : tuple of str
    counts : tuple of str
        What a run counts.
    arrays : callable
        The fields of a run's arrays, for whether it keeps averages and learns in floats.
    state, restore : callables
        The arrays of a run; and what puts them back.
    updates : tuple of ArrayField
        What is kept of updates.
    least_variables : int
        The fewest variables there can be.
    learns_numbers : bool
        Whether rows may hold other values than 0 and 1.
    """

    learner: Any
    settings: tuple[Value, ...]
    predictions: tuple[str, ...]
    counts: tuple[str, ...]
    arrays: Callable[[bool, bool], tuple[ArrayField, ...]]
    state: Callable[[Any], dict[str, NDArray[Any]]]
    restore: Callable[[Any, dict[str, NDArray[Any]], Sequence[str] | None], None]
    updates: tuple[ArrayField, ...]
    least_variables: int = 0
    learns_numbers: bool = False

    def describe(self, model: OnLineModel) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
        """Return a model as plain data and arrays."""
        first = model.runs[0]
        arrays = variables_arrays(model.n_variables, model.names)
        if model.table is not None:
            arrays |= table_arrays(model.table)
        for output, run in enumerate(model.runs):
            parts = self.state(run) | (_update_arrays(run.transcript(), self.updates) if run.keeps_updates else {})
            arrays |= {f"{output}.{name}": array for name, array in parts.items()}
        record: dict[str, object] = {
            "averages": first.averages,
            "classes": classes_record(model.classes),
            "is_real": getattr(first, "is_real", False),
            "keeps_updates": first.keeps_updates,
            "learner": {setting.name: _described(getattr(model.learner, setting.name)) for setting in self.settings},
            "max_size": None if model.table is None else model.table.max_size,
            "n_variables": model.n_variables,
            "prediction": model.prediction,
            "reasons": dict(model.reasons),
            "runs": [{name: getattr(run, name) for name in (*self.counts, "is_consistent")} for run in model.runs],
            "stopped_by": model.stopped_by,
            "unit": ratio_record(first.unit),
        }
        return record, arrays

    def read(self, record: object, arrays: dict[str, NDArray[Any]]) -> OnLineModel:
        """Rebuild a model; whatever is not one is refused."""
        parts = read_record(
            (
                flag("averages"),
                classes_value(),
                flag("is_real"),
                flag("keeps_updates"),
                Value("learner", lambda value: isinstance(value, dict), "settings"),
                Value("max_size", lambda size: size is None or (type(size) is int and size > 0), "null or from 1"),
                count("n_variables", self.least_variables),
                one_of("prediction", self.predictions),
                reasons_value(),
                Value("runs", lambda value: isinstance(value, list), "a list"),
                one_of("stopped_by", STOPS),
                ratio_value("unit", lambda unit: unit > 0, "a positive unit"),
            ),
            record,
            "model",
        )
        learner = self._learner(read_record(self.settings, parts["learner"], "learner"))
        n_outputs = 1 if len(parts["classes"]) == 2 else len(parts["classes"])
        require(len(parts["runs"]) == n_outputs, "model.runs", f"one per output, {n_outputs}")
        prediction, averages, keeps = parts["prediction"], parts["averages"], parts["keeps_updates"]
        require(averages or prediction != "averaged", "model.averages", "true for the mean")
        require(keeps or not learner.needs_updates(prediction), "model.keeps_updates", f"true for {prediction}")
        require(self.learns_numbers or not parts["is_real"], "model.is_real", "false for Boolean rows")
        names = variables_from(parts["n_variables"], arrays)
        need = getattr(learner, "bytes_per_variable", 0) * parts["n_variables"] * n_outputs
        require_memory(need, f"a model of {parts['n_variables']} variables", "raise CONJUNCT_MEMORY")
        table = None if parts["max_size"] is None else table_from(parts["max_size"], arrays)
        require(table is None or table.n_variables == parts["n_variables"], "array table.keys", "one per variable")
        runs = tuple(
            self._run(learner, parts, read_record(self._run_fields, run, f"run {output}"), arrays, output, names)
            for output, run in enumerate(parts["runs"])
        )
        require(not arrays, "arrays", "no others than the model has")
        require(len({run.n_steps for run in runs}) == 1, "run.n_steps", "runs of equal, not different lengths")
        is_consistent = all(run.is_consistent for run in runs)
        stops = ("consistent" if is_consistent else "max_passes", "end of batch")
        require(parts["stopped_by"] in stops, "model.stopped_by", f"one of {', '.join(stops)}, as the runs say")
        return OnLineModel(
            learner, runs, parts["classes"], prediction, parts["stopped_by"], names, table, parts["reasons"]
        )

    @property
    def _run_fields(self) -> tuple[Value, ...]:
        return (
            *(count(name, 1 if name in ("n_steps", "n_passes") else 0) for name in self.counts),
            flag("is_consistent"),
        )

    def _learner(self, settings: dict[str, Any]) -> Any:
        if settings.get("variant", "positive") != "positive":
            require(settings.pop("demotion") == settings["promotion"], "learner.demotion", "that of promotion")
        return self.learner(**settings)

    def _run(
        self,
        learner: Any,
        parts: dict[str, Any],
        counts: dict[str, Any],
        arrays: dict[str, NDArray[Any]],
        output: int,
        names: Sequence[str] | None,
    ) -> Any:
        prefix, what = f"{output}.", f"run {output}"
        run = learner.begin(
            parts["unit"] / Fraction(getattr(learner, "learning_rate", 1)),
            averages=parts["averages"],
            keeps_updates=parts["keeps_updates"],
        )
        if parts["is_real"]:
            run.to_real()
        require(
            counts["n_passes"] <= counts["n_steps"]
            and counts["n_updates"] <= min(counts["n_steps"], counts["n_rates"])
            and counts.get("n_mistakes", 0) <= counts["n_updates"]
            and (counts["n_updates"] > 0 or counts["n_rates"] == 0),
            what,
            "counts of one run",
        )
        run.n_variables = parts["n_variables"]
        for name, value in counts.items():
            setattr(run, name, value)
        sizes = {"variables + 1": parts["n_variables"] + 1, "words of a row": (parts["n_variables"] + 63) // 64}
        if run.keeps_updates:
            columns = read_arrays(self.updates, arrays, {"updates": run.n_updates}, prefix)
            if parts["is_real"]:
                columns |= read_arrays(VALUES, arrays, {"entries": len(columns["places"])}, prefix)
            run.log = UpdateLog(_updates(columns, run))
        fields = self.arrays(parts["averages"], parts["is_real"])
        self.restore(run, read_arrays(fields, arrays, sizes, prefix), names)
        if run.keeps_updates:
            transcript = run.transcript()  # which refuses what is none
            is_counted = transcript.n_mistakes == run.n_mistakes and sum(transcript.rate.tolist()) == run.n_rates
            require(is_counted, what, "as many mistakes and rates as updates have")
        return run


def _described(setting: Any) -> object:
    if isinstance(setting, tuple):
        return [_described(part) for part in setting]
    if isinstance(setting, Fraction):
        return ratio_record(setting)
    return setting if isinstance(setting, str | bool) else kernels.kernel_record(setting)


# Updates, where they are kept

UPDATES = (
    signs("label", "updates"),
    ArrayField("rate", np.int64, ("updates",), lambda rate: rate > 0, "positive rates"),
    ArrayField("step", np.int64, ("updates",)),
    ArrayField("index", np.int64, ("updates",)),
)
SLOTS = (ArrayField("slot", np.int64, ("updates",)), *UPDATES)
ROWS = (
    *UPDATES,
    ArrayField("is_mistake", np.uint8, ("updates",), lambda flags: flags <= 1, "0 or 1"),
    ArrayField("starts", np.int64, ("updates + 1",)),
    ArrayField("places", np.int32, ("entries",), lambda places: places >= 0, "variables"),
)
VALUES = (ArrayField("values", np.float64, ("entries",), np.isfinite, "finite numbers"),)


def _update_arrays(transcript: Transcript, fields: Sequence[ArrayField]) -> dict[str, NDArray[Any]]:
    owners: dict[str, Any] = {"starts": transcript.rows, "places": transcript.rows}
    arrays = {f.name: getattr(owners.get(f.name, transcript), f.name).astype(f.dtype) for f in fields}
    values = getattr(transcript.rows, "values", None)
    return arrays if values is None else arrays | {"values": values}


def _updates(columns: dict[str, NDArray[Any]], run: Any) -> Updates:
    rows: Any = columns.get("slot")
    if rows is None:
        rows = SparseRows(columns["starts"], columns["places"], run.n_variables, columns.get("values"))
    is_mistake = columns.get("is_mistake", np.ones(len(columns["label"]))).astype(bool)
    return Updates(rows, columns["label"], columns["rate"], columns["step"], columns["index"], is_mistake)
