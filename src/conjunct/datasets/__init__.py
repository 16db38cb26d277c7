"""Tables whose rule is known, and real ones that need no download."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.datasets.boolean_functions import majority, multiplexer, parity
    from conjunct.datasets.games import tic_tac_toe
    from conjunct.datasets.random_formulas import random_dnf
    from conjunct.datasets.registry import EMBEDDED, embedded
    from conjunct.datasets.robots import monks
    from conjunct.datasets.table import Table
    from conjunct.datasets.wisconsin import breast_cancer

__all__ = [
    "EMBEDDED",
    "Table",
    "breast_cancer",
    "embedded",
    "majority",
    "monks",
    "multiplexer",
    "parity",
    "random_dnf",
    "tic_tac_toe",
]

# No module bears the name of a function it defines: importing it would hide the function.
_MODULES = {
    "EMBEDDED": "registry",
    "Table": "table",
    "breast_cancer": "wisconsin",
    "embedded": "registry",
    "majority": "boolean_functions",
    "monks": "robots",
    "multiplexer": "boolean_functions",
    "parity": "boolean_functions",
    "random_dnf": "random_formulas",
    "tic_tac_toe": "games",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
