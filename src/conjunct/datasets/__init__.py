"""Tables whose rule is known, real ones that need no download, and readers of the user's own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.datasets.boolean_functions import majority, multiplexer, parity
    from conjunct.datasets.delimited import read_table
    from conjunct.datasets.displays import led, led_bayes_error
    from conjunct.datasets.games import tic_tac_toe
    from conjunct.datasets.parquet import read_parquet
    from conjunct.datasets.random_formulas import random_dnf
    from conjunct.datasets.random_rules import random_decision_list, random_tree
    from conjunct.datasets.random_thresholds import half_space, random_threshold
    from conjunct.datasets.raw_table import RawTable
    from conjunct.datasets.reading import read_data
    from conjunct.datasets.registry import EMBEDDED, embedded
    from conjunct.datasets.robots import monks
    from conjunct.datasets.svmlight import read_svmlight
    from conjunct.datasets.table import IdTable, Table
    from conjunct.datasets.wisconsin import breast_cancer

__all__ = [
    "EMBEDDED",
    "IdTable",
    "RawTable",
    "Table",
    "breast_cancer",
    "embedded",
    "half_space",
    "led",
    "led_bayes_error",
    "majority",
    "monks",
    "multiplexer",
    "parity",
    "random_decision_list",
    "random_dnf",
    "random_threshold",
    "random_tree",
    "read_data",
    "read_parquet",
    "read_svmlight",
    "read_table",
    "tic_tac_toe",
]

# No module bears the name of a function it defines: importing it would hide the function.
_MODULES = {
    "EMBEDDED": "registry",
    "RawTable": "raw_table",
    "IdTable": "table",
    "Table": "table",
    "breast_cancer": "wisconsin",
    "embedded": "registry",
    "half_space": "random_thresholds",
    "led": "displays",
    "led_bayes_error": "displays",
    "majority": "boolean_functions",
    "monks": "robots",
    "multiplexer": "boolean_functions",
    "parity": "boolean_functions",
    "random_decision_list": "random_rules",
    "random_dnf": "random_formulas",
    "random_threshold": "random_thresholds",
    "random_tree": "random_rules",
    "read_data": "reading",
    "read_parquet": "parquet",
    "read_svmlight": "svmlight",
    "read_table": "delimited",
    "tic_tac_toe": "games",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
