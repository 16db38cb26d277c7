"""Layers of threshold units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from conjunct.errors import FormulaError
from conjunct.logic.formula import Formula, Rows, everywhere, members, natural_order, positions_in, values_of
from conjunct.logic.polynomial import Number, exactly
from conjunct.logic.threshold import Threshold, scanned_threshold, summed_scores
from conjunct.logic.tokenizer import Scanner
from conjunct.logic.weighing import columns_reaching, table_reaching
from conjunct.messages import shortened

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Network"]

Column = TypeVar("Column")
CONVENTIONS = ("signed", "binary")
Unit = Threshold | tuple[Mapping[str, Number], Number]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Network(Formula):
    """Threshold units in layers; the last layer is one unit, and its firing is the value.

    Parameters
    ----------
    layers : iterable of layers
        Each a sequence of units: a pair (weights, bias), which fires when w . v + bias >= 0, or a `Threshold`, whose
        threshold is minus the bias. The inputs of the first layer are variables, 0 or 1; those of a later one are
        called u1, u2, ..., after the units of the layer before.
    convention : "signed" or "binary"
        Whether a unit gives -1 and 1 or 0 and 1 to the next layer.

    Attributes
    ----------
    layers : tuple of tuples of Threshold
    convention : str

    Examples
    --------
    >>> either, not_both = ({"a": 1, "b": 1}, -1), ({"a": -1, "b": -1}, 1)
    >>> xor = Network([[either, not_both], [({"u1": 1, "u2": 1}, -2)]], "signed")
    >>> print(xor)
    signed: (a + b >= 1) (-a - b >= -1) -> (u1 + u2 >= 2)
    >>> [xor.value({"a": a, "b": b}) for a in (0, 1) for b in (0, 1)], format(xor.table(["a", "b"]), "04b")
    ([False, True, True, False], '0110')
    """

    layers: tuple[tuple[Threshold, ...], ...]
    convention: str

    def __init__(self, layers: Iterable[Iterable[Unit]], convention: str) -> None:
        require_convention(convention)
        checked = tuple(
            tuple(map(_unit, members(layer, "a layer is made of units")))
            for layer in members(layers, "a network is made of layers")
        )
        if not checked or not all(checked):
            raise FormulaError("a network needs a unit in every layer, and a layer; give the last one a single unit")
        if len(checked[-1]) != 1:
            raise FormulaError(
                f"the last layer has {len(checked[-1])} units; it must be one, whose firing is the value"
            )
        for number, (before, layer) in enumerate(pairwise(checked), 2):
            names = {f"u{index + 1}" for index in range(len(before))}
            for name in (name for unit in layer for name in unit.variables if name not in names):
                raise FormulaError(
                    f"layer {number} has an input {shortened(name)}; layer {number - 1} has {len(before)} units, "
                    "called u1, u2, ..."
                )
        object.__setattr__(self, "layers", checked)
        object.__setattr__(self, "convention", convention)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that its first layer weighs, in natural order."""
        return tuple(natural_order({name for unit in self.layers[0] for name in unit.variables}))

    @property
    def constant(self) -> bool | None:
        """Its value where units that always or never fire settle it."""
        constants: dict[str, bool] = {}
        for units in self._over_bits():
            after = {}
            for index, unit in enumerate(units):
                on = sum((weight for name, weight in unit.weights if constants.get(name)), Fraction())
                free = {name: weight for name, weight in unit.weights if name not in constants}
                constant = Threshold(free, unit.threshold - on).constant
                if constant is not None:
                    after[f"u{index + 1}"] = constant
            constants = after
        return constants.get("u1")

    def __invert__(self) -> Network:
        return Network([*self.layers[:-1], [~self.layers[-1][0]]], self.convention)

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row, layer by layer."""
        inputs: dict[str, int] = {name: int(value) for name, value in values_of(row, self.variables).items()}
        fires = []
        for units in self.layers:
            fires = [sum(w * inputs[name] for name, w in unit.weights) >= unit.threshold for unit in units]
            off = -1 if self.convention == "signed" else 0
            inputs = {f"u{index + 1}": 1 if fired else off for index, fired in enumerate(fires)}
        return fires[0]

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row."""
        positions_in(rows, self.variables)
        return self._passed(lambda unit: unit.evaluate(rows), columns_reaching)

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        every = everywhere(len(variables))
        return self._passed(
            lambda unit: unit.table(variables),
            lambda columns, weights, threshold: table_reaching(columns, weights, threshold, every),
        )

    def restricted(self, variable: str, value: bool) -> Network:
        """Return what is left of it where a variable has that value; the units stay."""
        first = [unit.restricted(variable, value) for unit in self.layers[0]]
        return Network([first, *self.layers[1:]], self.convention)

    def __str__(self) -> str:
        layers = (" ".join(f"({unit})" for unit in units) for units in self.layers)
        return f"{self.convention}: {' -> '.join(layers)}"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read ``signed:`` or ``binary:`` and layers of units in parentheses, ``->`` between layers.

        Examples
        --------
        >>> Network.parse("binary: (a >= 1) (b >= 1) -> (u1 - u2 >= 1)").value({"a": 1, "b": 0})
        True
        """
        scanner = Scanner(text, names)
        if not scanner.at("name") or scanner.token.text not in CONVENTIONS:
            raise scanner.unexpected("'signed:' or 'binary:'")
        convention = scanner.advance().text
        scanner.take(":")
        layers: list[list[Threshold]] = []
        while not layers or scanner.skip("->"):
            read_name = partial(_unit_name, scanner, len(layers[-1])) if layers else scanner.variable
            units: list[Threshold] = []
            while scanner.at("(") or not units:
                scanner.take("(")
                units.append(Threshold(*scanned_threshold(scanner, read_name)))
                scanner.take(")")
            layers.append(units)
        scanner.finish("'(', '->' or the end")
        return cls(layers, convention)

    def _passed(
        self, first: Callable[[Threshold], Column], later: Callable[[list[Column], list[int], int], Column]
    ) -> Column:
        """Return what the last unit gives, columns of zeros and ones passed from layer to layer."""
        inputs, *rest = self._over_bits()
        columns = [first(unit) for unit in inputs]
        for units in rest:
            fires = []
            for unit in units:
                weights, threshold = unit.integers
                dense = [weights.get(f"u{index + 1}", 0) for index in range(len(columns))]
                fires.append(later(columns, dense, threshold))
            columns = fires
        return columns[0]

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle: the sum of its shares in the units that weigh it."""
        return summed_scores(self.layers[0])

    def _over_bits(self) -> list[tuple[Threshold, ...]]:
        """Return the layers with every input 0 or 1: where v = 2b - 1, w . v >= t is 2w . b >= t + sum of w."""
        if self.convention == "binary":
            return list(self.layers)
        first, *rest = self.layers
        return [first, *(tuple(map(_from_signed, units)) for units in rest)]


def require_convention(convention: object) -> None:
    """Refuse what is no convention for the outputs of units."""
    if convention not in CONVENTIONS:
        raise FormulaError(
            f"the convention is {shortened(convention)}; expected 'signed' (-1 and 1) or 'binary' (0 and 1)"
        )


def _unit(unit: Unit) -> Threshold:
    if isinstance(unit, Threshold):
        return unit
    try:
        weights, bias = unit
        return Threshold(weights, -exactly(bias, "a bias"))
    except (TypeError, ValueError) as error:
        if isinstance(error, FormulaError):
            raise
        raise FormulaError(f"a unit is a Threshold or a pair of weights and a bias, got {shortened(unit)}") from None


def _unit_name(scanner: Scanner, n_units: int) -> str:
    """Read the name of a unit of the layer before."""
    token = scanner.take("name", "a unit of the layer before")
    if token.text not in {f"u{index + 1}" for index in range(n_units)}:
        raise scanner.refusal(f"the layer before has {n_units} units, called u1, u2, ...", token.start)
    return token.text


def _from_signed(unit: Threshold) -> Threshold:
    total = sum((weight for _, weight in unit.weights), Fraction())
    return Threshold({name: 2 * weight for name, weight in unit.weights}, unit.threshold + total)
