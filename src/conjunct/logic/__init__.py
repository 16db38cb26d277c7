"""Formulas over named Boolean variables: immutable, parsed and printed, evaluated in bulk, compared exactly."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.logic.clause import Clause
    from conjunct.logic.cnf import CNF
    from conjunct.logic.comparing import Equivalence, equivalence
    from conjunct.logic.decision_list import DecisionList
    from conjunct.logic.decision_tree import DecisionTree
    from conjunct.logic.dnf import DNF
    from conjunct.logic.formula import Formula
    from conjunct.logic.halfspace_intersection import HalfspaceIntersection
    from conjunct.logic.literal import Literal
    from conjunct.logic.network import Network
    from conjunct.logic.parsing import parse
    from conjunct.logic.polynomial import Polynomial
    from conjunct.logic.term import Term
    from conjunct.logic.threshold import Threshold

__all__ = [  # noqa: RUF022 - plain order, as everywhere
    "CNF",
    "Clause",
    "DNF",
    "DecisionList",
    "DecisionTree",
    "Equivalence",
    "Formula",
    "HalfspaceIntersection",
    "Literal",
    "Network",
    "Polynomial",
    "Term",
    "Threshold",
    "equivalence",
    "parse",
]

_HOMES = {
    "CNF": "cnf",
    "Clause": "clause",
    "DNF": "dnf",
    "DecisionList": "decision_list",
    "DecisionTree": "decision_tree",
    "Equivalence": "comparing",
    "Formula": "formula",
    "HalfspaceIntersection": "halfspace_intersection",
    "Literal": "literal",
    "Network": "network",
    "Polynomial": "polynomial",
    "Term": "term",
    "Threshold": "threshold",
    "equivalence": "comparing",
    "parse": "parsing",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
