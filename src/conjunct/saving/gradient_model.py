"""What the file of an exponentiated gradient holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.learners import ExponentiatedGradient
from conjunct.learners.online.exponentiated_gradient import GradientRun, GradientState
from conjunct.saving.fields import ArrayField, Value, count, flag, one_of, read_arrays, read_record, require
from conjunct.saving.values import reasons_value, variables_arrays, variables_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["KIND", "GradientModel"]


def number(name: str, least: float = -np.inf) -> Value:
    """Return the field of a finite number."""
    return Value(
        name, lambda value: type(value) is float and isfinite(value) and value >= least, f"a number from {least}"
    )


FIELDS = (
    number("constant"),
    flag("is_signed"),
    number("loss", 0.0),
    count("n_averaged"),
    count("n_passes", 1),
    count("n_steps", 1),
    count("n_variables", 1),
    number("norm"),
    one_of("prediction", ("final", "averaged")),
    number("rate"),
    reasons_value(),
    one_of("stopped_by", ("settled", "max_passes", "end of batch")),
)
ARRAYS = (
    ArrayField("cells", np.float64, ("variables and constant", 5), np.isfinite, "finite numbers"),
    ArrayField("sums", np.float64, (3,), np.isfinite, "finite numbers"),
)


@dataclass(frozen=True, eq=False)
class GradientModel:
    """What an exponentiated gradient learned, and what it needs to go on.

    Attributes
    ----------
    run : GradientRun
    n_variables : int
        Without the constant one.
    constant : float
        The value of one more variable that every row has; 0 for none.
    prediction, stopped_by : str
    names : tuple of str, or None
    reasons : dict
        Why settings were chosen, where they were found automatically.
    """

    run: GradientRun
    n_variables: int
    constant: float
    prediction: str
    stopped_by: str
    names: tuple[str, ...] | None
    reasons: Mapping[str, str]

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights that predict, one per variable."""
        weights = self.run.averaged if self.prediction == "averaged" else self.run.weights
        return weights[: self.n_variables].copy()

    @property
    def intercept(self) -> float:
        """The constant's part of every prediction."""
        weights = self.run.averaged if self.prediction == "averaged" else self.run.weights
        return float(self.constant * weights[self.n_variables]) if self.constant else 0.0

    def describe(self) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
        """Return the model as plain data and arrays."""
        run, learner = self.run, self.run.learner
        values = {field.name: getattr(run, field.name, getattr(learner, field.name, None)) for field in FIELDS}
        values |= {name: getattr(self, name) for name in ("constant", "n_variables", "prediction", "stopped_by")}
        arrays = variables_arrays(self.n_variables, self.names) | {"cells": run.state.cells, "sums": run.state.sums}
        return values | {"reasons": dict(self.reasons)}, arrays

    @classmethod
    def read(cls, record: object, arrays: dict[str, NDArray[Any]]) -> GradientModel:
        """Rebuild a model; whatever is not one is refused."""
        values = read_record(FIELDS, record, "model")
        n_steps, n_averaged, n_variables = values["n_steps"], values["n_averaged"], values["n_variables"]
        require(max(values["n_passes"], n_averaged) <= n_steps, "model.n_steps", "no fewer than passes or averaged")
        names = variables_from(n_variables, arrays)
        sizes = {"variables and constant": n_variables + (values["constant"] != 0)}
        state = read_arrays(ARRAYS, arrays, sizes)
        require(not arrays, "arrays", "no others than the model has")
        cells, sums = state["cells"], state["sums"]
        learner = ExponentiatedGradient(values["rate"], values["norm"], values["is_signed"])
        minus_holds = cells[:, 1] > 0 if learner.is_signed else cells[:, 1] == 0
        require(bool(np.all(cells[:, 0] > 0) and np.all(minus_holds)), "array cells", "positive weights")
        require(bool(sums[:2].sum() > 0), "array sums", "a positive sum of weights")
        run = GradientRun(learner, GradientState(np.array(cells, order="C"), np.array(sums)))
        for name in ("n_steps", "n_averaged", "n_passes", "loss"):
            setattr(run, name, values[name])
        is_mean = isclose(run.n_averaged_by_weights, n_averaged, rel_tol=1e-6, abs_tol=1e-6)
        require(is_mean, "array cells", "a mean over the steps of the run")
        described = {name: values[name] for name in ("constant", "prediction", "stopped_by", "reasons")}
        model = cls(run, n_variables, names=names, **described)
        require(bool(np.all(np.isfinite(model.weights)) and isfinite(model.intercept)), "array cells", "finite weights")
        return model


KIND = GradientModel
