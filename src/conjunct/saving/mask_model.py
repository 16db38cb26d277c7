"""What a mask perceptron learned, as data in a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.models import ConjunctionSum
from conjunct.saving.fields import ArrayField, Value, count, one_of, read_arrays, read_record, require
from conjunct.saving.values import (
    classes_record,
    classes_value,
    ratio_record,
    ratio_value,
    variables_arrays,
    variables_from,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["KIND", "MaskModel"]

STOPS = ("max_terms", "min_gain", "no conjunction left")
OUTPUT = (ratio_value("risk", lambda risk: risk > 0, "a positive risk"), one_of("stopped_by", STOPS))
FIELDS = (
    classes_value(),
    ratio_value("unit", lambda unit: unit > 0, "a positive number"),
    count("n_variables", 1),
    Value("outputs", lambda outputs: isinstance(outputs, list), "a list"),
)
ARRAYS = (
    ArrayField("sizes", np.int64, ("conjunctions",), lambda sizes: sizes >= 0, "sizes from 0"),
    ArrayField("literals", np.int64, ("literals",)),
    ArrayField("weights", np.int64, ("outputs", "conjunctions")),
)


@dataclass(frozen=True, eq=False)
class MaskModel:
    """A sum of conjunctions and its risk on the training rows, output by output."""

    classes: NDArray[Any]
    model: ConjunctionSum
    risks: tuple[Fraction, ...]
    stopped_by: tuple[str, ...]

    def with_classes(self, classes: NDArray[Any]) -> MaskModel:
        """Return the same model under other labels."""
        return replace(self, classes=classes)

    def with_names(self, names: tuple[str, ...]) -> MaskModel:
        """Return the same model with names for its variables."""
        return replace(self, model=replace(self.model, names=names))

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return self.model.n_variables

    @property
    def names(self) -> tuple[str, ...] | None:
        """The variables' names."""
        return self.model.names

    def describe(self) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
        """Return the model as plain data and arrays."""
        record: dict[str, object] = {
            "classes": classes_record(self.classes),
            "unit": ratio_record(self.model.unit),
            "n_variables": self.n_variables,
            "outputs": [
                {"risk": ratio_record(risk), "stopped_by": stopped_by}
                for risk, stopped_by in zip(self.risks, self.stopped_by, strict=True)
            ],
        }
        conjunctions = self.model.conjunctions
        return record, variables_arrays(self.n_variables, self.names) | {
            "sizes": np.array([len(conjunction) for conjunction in conjunctions], np.int64),
            "literals": np.array([literal for conjunction in conjunctions for literal in conjunction], np.int64),
            "weights": self.model.weights,
        }

    @classmethod
    def read(cls, record: object, arrays: dict[str, NDArray[Any]]) -> MaskModel:
        """Rebuild a model; whatever is not one is refused."""
        values = read_record(FIELDS, record, "model")
        n_outputs = 1 if len(values["classes"]) == 2 else len(values["classes"])
        require(len(values["outputs"]) == n_outputs, "model.outputs", f"one per output, {n_outputs}")
        outputs = [read_record(OUTPUT, output, f"output {number}") for number, output in enumerate(values["outputs"])]
        names = variables_from(values["n_variables"], arrays)
        terms = read_arrays(ARRAYS, arrays, {"outputs": n_outputs})
        require(not arrays, "arrays", "no others than the model has")
        sizes, literals, end = terms["sizes"].tolist(), terms["literals"].tolist(), 0
        require(sum(sizes) == len(literals), "array sizes", "those of the conjunctions, together the literals")
        conjunctions = tuple(tuple(literals[end : (end := end + size)]) for size in sizes)
        model = ConjunctionSum(values["n_variables"], conjunctions, terms["weights"], values["unit"], names)
        risks, stopped_by = (tuple(output[name] for output in outputs) for name in ("risk", "stopped_by"))
        return cls(values["classes"], model, risks, stopped_by)


KIND = MaskModel
