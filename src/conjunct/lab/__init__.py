"""Experiments: each one statement, one table, one figure, one verdict computed from what it saved."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.lab.experiment import Experiment
    from conjunct.lab.figure import draw
    from conjunct.lab.judging import Verdict, tightness, verdict
    from conjunct.lab.line import Line
    from conjunct.lab.observed import Observed, Spread
    from conjunct.lab.panel import Panel
    from conjunct.lab.registry import EXPERIMENTS, find_experiment
    from conjunct.lab.runner import run, save
    from conjunct.lab.table import text_table

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Line",
    "Observed",
    "Panel",
    "Spread",
    "Verdict",
    "draw",
    "find_experiment",
    "run",
    "save",
    "text_table",
    "tightness",
    "verdict",
]

_HOMES = {
    "EXPERIMENTS": "registry",
    "Experiment": "experiment",
    "Line": "line",
    "Observed": "observed",
    "Panel": "panel",
    "Spread": "observed",
    "Verdict": "judging",
    "draw": "figure",
    "find_experiment": "registry",
    "run": "runner",
    "save": "runner",
    "text_table": "table",
    "tightness": "judging",
    "verdict": "judging",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
