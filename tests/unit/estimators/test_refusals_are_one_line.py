"""Whatever a parameter is given, the refusal is one short line."""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from conjunct import (
    BitMatrix,
    ConjunctionSVC,
    ConjunctionSVCCV,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
    datasets,
    kernels,
    lab,
    separable,
)
from conjunct.kernels import Conjunctions
from every_estimator import ESTIMATORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS, LABELS = [[0, 1], [1, 0], [1, 1], [0, 0]] * 3, [0, 1, 1, 0] * 3
MOST = 600


class Silent:
    def __repr__(self) -> str:
        raise RuntimeError("no\nword")


class Loud:
    def __repr__(self) -> str:
        return "loud\n" * 1000


HOSTILE: dict[str, Any] = {
    "array": np.arange(12.0).reshape(4, 3),
    "long array": np.zeros(5000),
    "array of text": np.array(["a\nb"] * 50, object),
    "text with line ends": "a\nb\r\u2028c\x1b[2J",
    "long text": "x" * 100_000,
    "bytes": b"\n" * 500,
    "long list": list(range(-1, 5000)),
    "list of text": ["a\nb"] * 500,
    "dict": {f"k\n{i}": i for i in range(500)},
    "dict of numbers": dict.fromkeys(range(500), -1),
    "frame": pd.DataFrame({"a\n": [1, 2], "b": [3, 4]}),
    "series": pd.Series([1, 2, 3]),
    "huge": 10**5000,
    "negative huge": -(10**5000),
    "huge ratio": Fraction(-(10**5000), 7),
    "list of huge": [10**5000],
    "dict of huge": {0: 10**5000, 1: -(10**5000)},
    "silent": Silent(),
    "list of silent": [Silent()],
    "loud": Loud(),
    "infinite": float("inf"),
    "NaN": float("nan"),
    "date": dt.datetime(2020, 1, 2),
    "timedelta64": np.timedelta64(3, "D"),
    "complex": 1j,
    "None": None,
    "set": {1, 2},
    "function": len,
}


def require_short_line(error: BaseException) -> None:
    """One printable line, not too long; of a type that a user may expect."""
    assert isinstance(error, ValueError | TypeError | MemoryError), repr(type(error))
    line = str(error)
    assert line.strip()
    assert "\n" not in line, line[:200]
    assert line.isprintable(), line[:200]
    assert len(line) <= MOST, line[:200]
    assert "digits) for integer string conversion" not in line
    assert "ambiguous" not in line, line


def refuse_in_one_line(call: Callable[[Any], Any]) -> None:
    """Call with every hostile value; what is refused is refused in one short line."""
    for name, value in HOSTILE.items():
        try:
            call(value)
        except Exception as error:
            error.add_note(f"given: {name}")
            require_short_line(error)


def parameters() -> list[Any]:
    return [
        pytest.param(kind, name, id=f"{kind.__name__}-{name}")
        for kind in ESTIMATORS
        for name in kind().get_params(False)
    ]


@pytest.mark.parametrize(("kind", "name"), parameters())
def test_a_parameter_that_is_refused_is_refused_in_one_line(kind: type[Any], name: str) -> None:
    refuse_in_one_line(lambda value: kind(**{name: value}).fit(ROWS, LABELS))


@pytest.mark.parametrize("kind", [KernelPerceptronClassifier, PerceptronClassifier, WinnowClassifier])
def test_classes_that_are_refused_are_refused_in_one_line(kind: type[Any]) -> None:
    refuse_in_one_line(lambda value: kind().partial_fit(ROWS, LABELS, classes=value))
    refuse_in_one_line(
        lambda value: kind().partial_fit(ROWS, LABELS, classes=[0, 1]).partial_fit(ROWS, LABELS, classes=value)
    )


@pytest.mark.parametrize("kind", [ConjunctionSVC, ConjunctionSVCCV, MaskPerceptronClassifier])
def test_sample_weights_that_are_refused_are_refused_in_one_line(kind: type[Any]) -> None:
    refuse_in_one_line(lambda value: kind().fit(ROWS, LABELS, sample_weight=value))
    refuse_in_one_line(lambda value: kind().fit(ROWS, LABELS, sample_weight=[value] * len(ROWS)))


def with_entry(table: list[Any], place: Any, value: Any) -> NDArray[np.object_]:
    changed = np.array(table, object)
    changed[place] = value
    return changed


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_rows_and_labels_that_are_refused_are_refused_in_one_line(kind: type[Any]) -> None:
    refuse_in_one_line(lambda value: kind().fit(value, LABELS))
    refuse_in_one_line(lambda value: kind().fit(with_entry(ROWS, (1, 1), value), LABELS))
    refuse_in_one_line(lambda value: kind().fit(ROWS, value))
    refuse_in_one_line(lambda value: kind().fit(ROWS, with_entry(LABELS, 3, value)))


FUNCTIONS: dict[str, tuple[Any, dict[str, Any]]] = {
    "separable": (separable, {"X": ROWS, "y": LABELS}),
    "BitMatrix.of": (BitMatrix.of, {"data": ROWS}),
    "Conjunctions": (Conjunctions, {}),
    "MonotoneConjunctions": (kernels.MonotoneConjunctions, {}),
    "Geometric": (kernels.Geometric, {"eps": 2}),
    "embedded": (datasets.embedded, {"name": "monks-1"}),
    "monks": (datasets.monks, {"problem": 1}),
    "led": (datasets.led, {"n_rows": 5, "seed": 0}),
    "parity": (datasets.parity, {"n_variables": 3}),
    "find_experiment": (lab.find_experiment, {"name": "elimination"}),
}


def settings() -> list[Any]:
    return [
        pytest.param(function, name, id=f"{function}-{name}")
        for function in FUNCTIONS
        for name in inspect.signature(FUNCTIONS[function][0]).parameters
    ]


@pytest.mark.parametrize(("function", "name"), settings())
def test_a_setting_of_a_function_that_is_refused_is_refused_in_one_line(function: str, name: str) -> None:
    call, given = FUNCTIONS[function]
    refuse_in_one_line(lambda value: call(**given | {name: value}))


def test_a_name_nobody_knows_is_refused_in_one_line() -> None:
    for call in (datasets.embedded, lab.find_experiment):
        with pytest.raises(ValueError, match=r"^no .* is called 'n\\nothing'; did you mean .* known names: ") as caught:
            call("n\nothing")
        require_short_line(caught.value)
