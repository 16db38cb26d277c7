"""What a maximal-margin machine learned, as data in a file."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.errors import ModelFileError
from conjunct.estimators.persistent import (
    classes_from_record,
    classes_record,
    ratio_from_record,
    ratio_record,
    variables_arrays,
    variables_from_arrays,
)
from conjunct.kernels import kernel_from_record, kernel_record
from conjunct.learners import Round
from conjunct.models import KernelExpansion, PairwiseExpansion

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Machine"]

STOPS = ("gap", "no update", "max_iter", "time_limit", "interrupted", "precision")
OUTPUT = {"bound", "risk", "n_iter", "stopped_by"}


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

    @property
    def n_outputs(self) -> int:
        """The number of problems solved."""
        return len(self.bounds)

    @property
    def parts(self) -> tuple[KernelExpansion, ...]:
        """The expansions of the model."""
        return self.model.parts if isinstance(self.model, PairwiseExpansion) else (self.model,)

    @property
    def rows(self) -> BitMatrix:
        """Rows of the width and the names of the model."""
        return self.parts[0].rows

    @property
    def gaps(self) -> tuple[float, ...]:
        """The relative gaps."""
        return tuple(float(1 - bound / risk) for bound, risk in zip(self.bounds, self.risks, strict=True))

    @property
    def n_support(self) -> tuple[int, ...]:
        """How many training rows have weight."""
        return tuple(int(np.count_nonzero(dual)) for dual in self.dual)

    def record(self) -> dict[str, object]:
        """Describe the machine in plain data; arrays apart."""
        outputs = [
            {"bound": ratio_record(bound), "risk": ratio_record(risk), "n_iter": int(n_iter), "stopped_by": stopped_by}
            for bound, risk, n_iter, stopped_by in zip(
                self.bounds, self.risks, self.n_iter, self.stopped_by, strict=True
            )
        ]
        return {
            "classes": classes_record(self.classes),
            "kernel": kernel_record(self.parts[0].kernel),
            "lam": ratio_record(self.lam),
            "n_variables": self.rows.n_variables,
            "outputs": outputs,
            "units": [ratio_record(part.unit) for part in self.parts],
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the file."""
        arrays = variables_arrays(self.rows.n_variables, self.rows.names if self.rows.is_named else None)
        for place, part in enumerate(self.parts):
            arrays |= {f"{place}.rows": part.rows.words, f"{place}.weights": part.weights}
        for output, history in enumerate(self.histories):
            arrays[f"{output}.history"] = np.array([[r.n_iter, r.bound, r.risk] for r in history]).reshape(-1, 3)
        return arrays | {"dual": self.dual}

    @classmethod
    def from_record(cls, record: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Machine:
        """Rebuild a machine; whatever is not one is refused."""
        match record:
            case {
                "classes": labels,
                "kernel": kernel_data,
                "lam": lam,
                "n_variables": width,
                "outputs": list(outputs),
                "units": list(units),
                **rest,
            } if not rest:
                pass
            case _:
                raise ModelFileError("it has other parts than a margin machine")
        classes, kernel = classes_from_record(labels), kernel_from_record(kernel_data)
        n_variables, names = variables_from_arrays(width, arrays)
        k = len(classes)
        is_pairwise = k > 2 and len(units) > 1
        expected = 1 if k == 2 else k * (k - 1) // 2 if is_pairwise else k
        n_parts = expected if is_pairwise else 1
        if len(outputs) != expected or len(units) != n_parts or len(arrays) != 4 + 2 * n_parts + expected:
            raise ModelFileError("it has another number of outputs or arrays than its classes need")
        parts = []
        for place, unit in enumerate(units):
            words, weights = arrays[f"{place}.rows"], arrays[f"{place}.weights"]
            if words.dtype != np.uint64 or weights.dtype != np.int64 or weights.ndim != 2:
                raise ModelFileError(f"the arrays of expansion {place} have other types than they should")
            rows = BitMatrix(words, n_variables, names)
            if len(weights) != (1 if is_pairwise else expected) or rows.pool().rows.n_rows != rows.n_rows:
                raise ModelFileError(f"expansion {place} has another number of outputs, or a row twice")
            parts.append(KernelExpansion(kernel, rows, weights, ratio_from_record(unit), Fraction(0)))
        dual = arrays["dual"]
        if dual.dtype != np.float64 or dual.ndim != 2 or len(dual) != expected or not np.all(np.isfinite(dual)):
            raise ModelFileError("the weights of the training rows are malformed")
        if np.any(dual < 0) or ratio_from_record(lam) <= 0:
            raise ModelFileError("a weight of a training row is negative, or lam is not positive")
        bounds, risks, n_iter, stopped_by = zip(*(_output(output) for output in outputs), strict=True)
        return cls(
            classes=classes,
            model=PairwiseExpansion(tuple(parts), k) if is_pairwise else parts[0],
            lam=ratio_from_record(lam),
            dual=dual.copy(),
            bounds=bounds,
            risks=risks,
            n_iter=n_iter,
            stopped_by=stopped_by,
            histories=tuple(_history(arrays[f"{output}.history"], n_iter[output]) for output in range(expected)),
        )


def _output(record: Any) -> tuple[Fraction, Fraction, int, str]:
    if not isinstance(record, dict) or record.keys() != OUTPUT:
        raise ModelFileError("an output of the machine is malformed")
    bound, risk = ratio_from_record(record["bound"]), ratio_from_record(record["risk"])
    n_iter, stopped_by = record["n_iter"], record["stopped_by"]
    if not 0 <= bound <= risk or risk == 0 or type(n_iter) is not int or not 0 <= n_iter < 1 << 62:
        raise ModelFileError("the bound of an output passes its risk, or its count is impossible")
    if stopped_by not in STOPS:
        raise ModelFileError("an output stopped for a reason that is not known")
    return bound, risk, n_iter, stopped_by


def _history(array: NDArray[Any], n_iter: int) -> tuple[Round, ...]:
    if array.dtype != np.float64 or array.ndim != 2 or array.shape[1] != 3 or not np.all(np.isfinite(array)):
        raise ModelFileError("the history of an output is malformed")
    counts = array[:, 0]
    if len(counts) == 0 or np.any(counts != np.floor(counts)) or np.any(np.diff(counts, prepend=0.0) < 0):
        raise ModelFileError("the history of an output has impossible counts")
    if counts[-1] > n_iter:
        raise ModelFileError("the history of an output is longer than its run")
    if np.any(array[:, 1] < 0) or np.any(array[:, 2] <= 0):
        raise ModelFileError("the history of an output has impossible bounds or risks")
    return tuple(Round(int(n), bound, risk) for n, bound, risk in array.tolist())
