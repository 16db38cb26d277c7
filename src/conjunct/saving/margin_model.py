"""What a maximal-margin machine learned, as data in a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.kernels import kernel_record
from conjunct.learners import Round
from conjunct.models import KernelExpansion, PairwiseExpansion, SigmoidCalibration
from conjunct.saving.fields import ArrayField, Value, count, one_of, read_arrays, read_record, require
from conjunct.saving.values import (
    classes_record,
    classes_value,
    kernel_value,
    ratio_from,
    ratio_record,
    ratio_value,
    variables_arrays,
    variables_from,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["KIND", "Machine"]

STOPS = ("gap", "no update", "max_iter", "time_limit", "interrupted", "precision")
OUTPUT = (
    ratio_value("bound", lambda bound: bound >= 0, "a bound from 0"),
    ratio_value("risk", lambda risk: risk > 0, "a positive risk"),
    count("n_iter"),
    one_of("stopped_by", STOPS),
)
FIELDS = (
    classes_value(),
    kernel_value("kernel"),
    ratio_value("lam", lambda lam: lam > 0, "a positive number"),
    count("n_variables", 1),
    Value("outputs", lambda outputs: isinstance(outputs, list), "a list"),
    Value("units", lambda units: isinstance(units, list), "a list", lambda units: list(map(ratio_from, units))),
)
PART = (ArrayField("rows", np.uint64, ("rows", "words of a row")), ArrayField("weights", np.int64, ("scores", "rows")))
DUAL = ArrayField(
    "dual", np.float64, ("outputs", "training rows"), lambda dual: np.isfinite(dual) & (dual >= 0), "weights from 0"
)
CALIBRATION = ArrayField(
    "calibration",
    np.float64,
    ("outputs", 2),
    lambda lines: np.isfinite(lines) & (lines >= [0, -np.inf]),
    "finite offsets, and slopes from 0",
)
HISTORY = ArrayField("history", np.float64, ("rounds", 3), np.isfinite, "finite numbers")


@dataclass(frozen=True, eq=False)
class Machine:
    """A model and how good it is known to be, output by output."""

    classes: NDArray[Any]
    model: KernelExpansion | PairwiseExpansion
    lam: Fraction
    dual: NDArray[np.float64]
    bounds: tuple[Fraction, ...]
    risks: tuple[Fraction, ...]
    n_iter: tuple[int, ...]
    stopped_by: tuple[str, ...]
    histories: tuple[tuple[Round, ...], ...]
    calibration: SigmoidCalibration | None = None

    def with_classes(self, classes: NDArray[Any]) -> Machine:
        """Return the same machine under other labels."""
        return replace(self, classes=classes)

    def with_names(self, names: tuple[str, ...]) -> Machine:
        """Return the same machine with names for its variables."""
        parts = tuple(replace(part, rows=part.rows.with_names(names)) for part in self.parts)
        is_pairwise = isinstance(self.model, PairwiseExpansion)
        return replace(self, model=PairwiseExpansion(parts, len(self.classes)) if is_pairwise else parts[0])

    @property
    def n_outputs(self) -> int:
        """The number of problems solved."""
        return len(self.bounds)

    @property
    def parts(self) -> tuple[KernelExpansion, ...]:
        """The expansions of the model."""
        return self.model.parts if isinstance(self.model, PairwiseExpansion) else (self.model,)

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return self.rows.n_variables

    @property
    def rows(self) -> BitMatrix:
        """Rows of the width and the names of the model."""
        return self.parts[0].rows

    @property
    def names(self) -> tuple[str, ...] | None:
        """The variables' names."""
        return self.rows.names if self.rows.is_named else None

    @property
    def gaps(self) -> tuple[float, ...]:
        """The relative gaps."""
        return tuple(float(1 - bound / risk) for bound, risk in zip(self.bounds, self.risks, strict=True))

    @property
    def n_support(self) -> tuple[int, ...]:
        """How many training rows have weight."""
        return tuple(int(np.count_nonzero(dual)) for dual in self.dual)

    def describe(self) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
        """Return the machine as plain data and arrays."""
        outputs = [
            {"bound": ratio_record(bound), "risk": ratio_record(risk), "n_iter": int(n_iter), "stopped_by": stopped_by}
            for bound, risk, n_iter, stopped_by in zip(
                self.bounds, self.risks, self.n_iter, self.stopped_by, strict=True
            )
        ]
        record: dict[str, object] = {
            "classes": classes_record(self.classes),
            "kernel": kernel_record(self.parts[0].kernel),
            "lam": ratio_record(self.lam),
            "n_variables": self.rows.n_variables,
            "outputs": outputs,
            "units": [ratio_record(part.unit) for part in self.parts],
        }
        arrays = variables_arrays(self.rows.n_variables, self.names)
        for number, part in enumerate(self.parts):
            arrays |= {f"{number}.rows": part.rows.words, f"{number}.weights": part.weights}
        for output, history in enumerate(self.histories):
            arrays[f"{output}.history"] = np.array([[r.n_iter, r.bound, r.risk] for r in history]).reshape(-1, 3)
        if self.calibration is not None:
            arrays["calibration"] = self.calibration.lines
        return record, arrays | {"dual": self.dual}

    @classmethod
    def read(cls, record: object, arrays: dict[str, NDArray[Any]]) -> Machine:
        """Rebuild a machine; whatever is not one is refused."""
        values = read_record(FIELDS, record, "model")
        classes, units, n_variables = values["classes"], values["units"], values["n_variables"]
        k = len(classes)
        is_pairwise = k > 2 and len(units) > 1
        n_outputs = 1 if k == 2 else k * (k - 1) // 2 if is_pairwise else k
        require(len(values["outputs"]) == n_outputs, "model.outputs", f"one per output, {n_outputs}")
        require(len(units) == (n_outputs if is_pairwise else 1), "model.units", "one per expansion")
        names = variables_from(n_variables, arrays)
        sizes = {"words of a row": (n_variables + 63) // 64, "scores": 1 if is_pairwise else n_outputs}
        parts = []
        for number, unit in enumerate(units):
            part = read_arrays(PART, arrays, sizes, f"{number}.")
            rows = BitMatrix(part["rows"], n_variables, names)
            require(rows.pool().rows.n_rows == rows.n_rows, f"array {number}.rows", "every row once")
            parts.append(KernelExpansion(values["kernel"], rows, part["weights"], unit, Fraction(0)))
        dual = read_arrays((DUAL,), arrays, {"outputs": n_outputs})["dual"]
        calibration = None
        if "calibration" in arrays:
            require(not is_pairwise, "array calibration", "none, as votes have no probabilities")
            lines = read_arrays((CALIBRATION,), arrays, {"outputs": n_outputs})["calibration"]
            calibration = SigmoidCalibration(lines.copy())
        outputs = [read_record(OUTPUT, output, f"output {number}") for number, output in enumerate(values["outputs"])]
        for number, output in enumerate(outputs):
            require(output["bound"] <= output["risk"], f"output {number}.bound", "no more than the risk")
        histories = tuple(_history(arrays, number, output["n_iter"]) for number, output in enumerate(outputs))
        require(not arrays, "arrays", "no others than the model has")
        bounds, risks, n_iter, stopped_by = (
            tuple(output[name] for output in outputs) for name in ("bound", "risk", "n_iter", "stopped_by")
        )
        model = PairwiseExpansion(tuple(parts), k) if is_pairwise else parts[0]
        return cls(
            classes, model, values["lam"], dual.copy(), bounds, risks, n_iter, stopped_by, histories, calibration
        )


def _history(arrays: dict[str, NDArray[Any]], output: int, n_iter: int) -> tuple[Round, ...]:
    history = read_arrays((HISTORY,), arrays, {}, f"{output}.")["history"]
    counts, bounds, risks = history.T
    is_counted = np.all(counts == np.floor(counts)) and np.all(np.diff(counts, prepend=0.0) >= 0)
    is_possible = len(counts) and is_counted and counts[-1] <= n_iter and np.all(bounds >= 0) and np.all(risks > 0)
    require(bool(is_possible), f"array {output}.history", "rising counts, bounds from 0 and positive risks")
    return tuple(Round(int(n), bound, risk) for n, bound, risk in history.tolist())


KIND = Machine
