"""What the file of a kernel Perceptron holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.kernels.exact_sum import LARGEST_WEIGHT_SUM
from conjunct.learners import KernelPerceptron
from conjunct.saving.fields import ArrayField, require
from conjunct.saving.on_line_model import SLOTS, OnLineKind
from conjunct.saving.values import kernel_value, ratio_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["KIND"]


def _kernel_arrays(averages: bool, is_real: bool) -> tuple[ArrayField, ...]:
    names = ("weights", "lasting") if averages else ("weights",)
    return (
        ArrayField("rows", np.uint64, ("rows", "words of a row")),
        *(ArrayField(name, np.int64, ("rows",)) for name in names),
    )


def _kernel_state(run: Any) -> dict[str, NDArray[Any]]:
    state = {"rows": run.rows.words, "weights": run.weights}
    return state | {"lasting": run.lasting} if run.averages else state


def _restore_kernel(run: Any, state: dict[str, NDArray[Any]], names: Sequence[str] | None) -> None:
    run.rows = BitMatrix(state["rows"], run.n_variables, names)
    require(run.rows.pool().rows.n_rows == run.rows.n_rows, "array rows", "every row once")
    require(run.rows.n_rows <= run.n_updates, "array rows", "no more rows than mistakes")
    run.weights = state["weights"].copy()
    run.lasting = state["lasting"].copy() if run.averages else np.empty(0, np.int64)
    weight, lasting = (sum(map(abs, array.tolist())) for array in (run.weights, run.lasting))
    require(weight <= run.n_rates <= LARGEST_WEIGHT_SUM, "array weights", "no more weight than the sum of all rates")
    is_possible = lasting <= run.n_rate_steps <= run.n_rates * run.n_steps
    require(is_possible, "array lasting", "no more than rates times steps, summed")
    if run.keeps_updates:
        transcript = run.transcript()
        slots, first = np.unique(transcript.slot, return_index=True)
        is_ordered = len(slots) == run.rows.n_rows and bool(np.all(np.diff(first) > 0))
        require(is_ordered, "array slot", "all rows, in the order of their first mistake")
        require(np.array_equal(transcript.summed_weights(), run.weights), "array weights", "those of the updates")


KIND = OnLineKind(
    KernelPerceptron,
    (kernel_value("kernel"), *map(ratio_value, ("threshold", "learning_rate"))),
    ("final", "averaged", "voted"),
    ("n_steps", "n_passes", "n_updates", "n_rates", "n_rate_steps"),
    _kernel_arrays,
    _kernel_state,
    _restore_kernel,
    SLOTS,
    least_variables=1,
)
