"""What the file of a Winnow holds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.learners import Winnow
from conjunct.models import WeightDurations
from conjunct.saving.fields import ArrayField, Value, flag
from conjunct.saving.on_line_model import LINEAR_COUNTS, ROWS, OnLineKind
from conjunct.saving.values import ratio_from, ratio_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["KIND"]


def _winnow_arrays(averages: bool, is_real: bool) -> tuple[ArrayField, ...]:
    counts = tuple(
        ArrayField(name, np.int32, ("variables + 1",), lambda counts: counts >= 0, "counts from 0")
        for name in ("promotions", "demotions")
    )
    return (*counts, *DURATIONS) if averages else counts


DURATIONS = (
    ArrayField("durations.variable", np.int64, ("durations",)),
    ArrayField("durations.promotions", np.int64, ("durations",), lambda counts: counts >= 0, "counts from 0"),
    ArrayField("durations.demotions", np.int64, ("durations",), lambda counts: counts >= 0, "counts from 0"),
    ArrayField("durations.steps", np.int64, ("durations",), lambda steps: steps > 0, "positive steps"),
)


def _winnow_state(run: Any) -> dict[str, NDArray[Any]]:
    promotions, demotions = run.weight_counts()
    state = {"promotions": promotions, "demotions": demotions}
    if run.averages:
        durations = run.durations()
        columns = (durations.variable, *durations.counts, durations.steps)
        state |= {f.name: column for f, column in zip(DURATIONS, columns, strict=True)}
    return {name: np.ascontiguousarray(array) for name, array in state.items()}


def _restore_winnow(run: Any, state: dict[str, NDArray[Any]], names: Sequence[str] | None) -> None:
    counts = np.stack([state["promotions"], state["demotions"]]).astype(np.int64)
    durations = None
    if run.averages:
        variable, promotions, demotions, steps = (state[f.name] for f in DURATIONS)
        durations = WeightDurations(variable, np.stack([promotions, demotions]), steps, run.n_steps)
    run.restore(counts, durations)


def _thickness(record: Any) -> tuple[Fraction, Fraction]:
    above, below = map(ratio_from, record)
    return above, below


KIND = OnLineKind(
    Winnow,
    (
        *map(ratio_value, ("threshold", "promotion", "demotion", "initial_weight")),
        Value("variant", lambda variant: type(variant) is str, "a word"),
        Value("thickness", lambda pair: isinstance(pair, list) and len(pair) == 2, "two ratios", _thickness),
        flag("constant"),
    ),
    ("final", "averaged"),
    LINEAR_COUNTS,
    _winnow_arrays,
    _winnow_state,
    _restore_winnow,
    ROWS,
)
