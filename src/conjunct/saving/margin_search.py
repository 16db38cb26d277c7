"""What the file of a margin machine holds whose kernel size and regularisation were searched for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.saving.fields import ArrayField, Value, read_arrays, read_record, require
from conjunct.saving.margin_model import Machine
from conjunct.saving.values import ratio_from, ratio_record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.models import SigmoidCalibration

__all__ = ["KIND", "SearchedMachine"]

ROUNDING = 1e-12  # of a mean of accuracies in floats
FIELDS = (
    Value(
        "max_size",
        lambda sizes: isinstance(sizes, list) and len(sizes) > 0 and all(type(n) is int and n > 0 for n in sizes),
        "positive whole numbers",
    ),
    Value("lam", lambda lams: isinstance(lams, list), "a list", lambda lams: list(map(ratio_from, lams))),
)
ACCURACY = ArrayField(
    "accuracy", np.float64, ("tried", "folds"), lambda share: (share >= 0) & (share <= 1), "shares from 0 to 1"
)


@dataclass(frozen=True, eq=False)
class SearchedMachine:
    """The machine that was chosen, and what each choice would have given.

    Attributes
    ----------
    machine : Machine
    max_sizes, lams : list
        What was tried.
    accuracy : ndarray of shape (tried, folds)
    """

    machine: Machine
    max_sizes: list[int]
    lams: list[Fraction]
    accuracy: NDArray[np.float64]

    def with_classes(self, classes: NDArray[Any]) -> SearchedMachine:
        """Return the same machine under other labels."""
        return replace(self, machine=self.machine.with_classes(classes))

    def with_names(self, names: tuple[str, ...]) -> SearchedMachine:
        """Return the same machine with names for its variables."""
        return replace(self, machine=self.machine.with_names(names))

    @property
    def model(self) -> Any:
        """The hypothesis, frozen."""
        return self.machine.model

    @property
    def calibration(self) -> SigmoidCalibration | None:
        """What makes probabilities of its decision values, where that was learned."""
        return self.machine.calibration

    @property
    def classes(self) -> NDArray[Any]:
        """The class labels."""
        return self.machine.classes

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return self.machine.n_variables

    @property
    def names(self) -> tuple[str, ...] | None:
        """The variables' names."""
        return self.machine.names

    @property
    def best(self) -> int | None:
        """Which choice the machine was learned with, if one has the highest mean accuracy."""
        chosen: Any = (getattr(self.machine.parts[0].kernel, "max_size", None), self.machine.lam)
        tried = list(zip(self.max_sizes, self.lams, strict=True))
        means = np.mean(self.accuracy, axis=1)
        is_best = tried.count(chosen) == 1 and means[tried.index(chosen)] >= np.max(means) - ROUNDING
        return tried.index(chosen) if is_best else None

    def describe(self) -> tuple[dict[str, object], dict[str, NDArray[Any]]]:
        """Return the machine and the search as plain data and arrays."""
        record, arrays = self.machine.describe()
        search = {"max_size": self.max_sizes, "lam": [ratio_record(lam) for lam in self.lams]}
        return record | {"search": search}, arrays | {"accuracy": self.accuracy}

    @classmethod
    def read(cls, record: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> SearchedMachine:
        """Rebuild a machine and its search; whatever is not one is refused."""
        machine_record = {name: value for name, value in record.items() if name != "search"}
        tried = read_record(FIELDS, record.get("search"), "search")
        sizes, lams = tried["max_size"], tried["lam"]
        require(len(lams) == len(sizes), "search.lam", "one per size")
        accuracy = read_arrays((ACCURACY,), arrays, {"tried": len(sizes)})["accuracy"]
        require(accuracy.size > 0, "array accuracy", "at least one fold")
        searched = cls(Machine.read(machine_record, arrays), sizes, lams, accuracy.copy())
        require(searched.best is not None, "search", "the best of it to be what the machine was learned with")
        return searched


KIND = SearchedMachine
