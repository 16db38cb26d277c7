"""What the file of a Perceptron holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.learners import Perceptron
from conjunct.saving.fields import ArrayField, require
from conjunct.saving.on_line_model import LINEAR_COUNTS, ROWS, OnLineKind
from conjunct.saving.values import ratio_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["KIND"]


def _perceptron_arrays(averages: bool, is_real: bool) -> tuple[ArrayField, ...]:
    dtype = np.float64 if is_real else np.int64
    names = ("weights", "lasting") if averages else ("weights",)
    return tuple(ArrayField(name, dtype, ("variables + 1",), np.isfinite, "finite numbers") for name in names)


def _perceptron_state(run: Any) -> dict[str, NDArray[Any]]:
    dtype = np.float64 if run.is_real else np.int64
    state = {"weights": run.weights.astype(dtype)}
    return state | {"lasting": run.lasting} if run.averages else state


def _restore_perceptron(run: Any, state: dict[str, NDArray[Any]], names: Sequence[str] | None) -> None:
    run.require_sums(run.n_rates, run.n_steps, 1)
    if not run.is_real:
        # Compared as Python's numbers, which do not overflow.
        most = max(map(abs, state["weights"].tolist()))
        most_lasting = max(map(abs, state["lasting"].tolist())) if run.averages else 0
        is_possible = most <= run.n_rates and most_lasting <= run.n_rates * run.n_steps
        require(is_possible, "array weights", "no weight past the sum of all rates")
    is_small = not run.is_real and run.n_rates < 1 << 31
    run.weights = state["weights"].astype(np.int32) if is_small else state["weights"].copy()
    run.lasting = state["lasting"].copy() if run.averages else np.zeros_like(state["weights"])


KIND = OnLineKind(
    Perceptron,
    tuple(map(ratio_value, ("threshold", "learning_rate", "constant", "thickness"))),
    ("final", "averaged", "voted"),
    LINEAR_COUNTS,
    _perceptron_arrays,
    _perceptron_state,
    _restore_perceptron,
    ROWS,
    learns_numbers=True,
)
