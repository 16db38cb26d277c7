"""The shape every experiment has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from conjunct.lab.line import Line
from conjunct.lab.observed import Observed, Spread
from conjunct.lab.panel import Panel

__all__ = ["Experiment", "Trial"]

Trial = Callable[[], list[Line]] | Callable[[], list[Line | Observed]]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A statement, under its hypotheses, and the trials that examine it.

    Attributes
    ----------
    name : str
        What the command calls it.
    title : str
        What its figure is headed by.
    statement : str
        What is claimed, in one line.
    source : tuple of (str, str)
        Keys of ``docs/references.bib``, each with its place.
    hypotheses : tuple of str
        What the claim assumes, and the streams keep.
    bounds : tuple of (str, {"tight", "loose"})
        Each bound, and whether some sequence is known to reach it.
    settings : dict
        Fixed numbers of the streams and learners, for the record.
    panels : tuple of Panel
        The axes of the figure.
    conclusion : str
        The sentence the figure supports.
    trials : callable
        ``trials(seed, quick)`` lists the pieces of work; each returns its lines, and what it saw beside them. The same
        seed gives the same lines.
    spreads : tuple of Spread
        The axes of what is observed and not judged.
    methods : dict
        Which method a series is about, where the series has another name, mostly that of a bound. The series of one
        method have one colour.
    remarks : tuple of str
        What a reader of the observed values must know.
    timings : tuple of str
        Observed series that differ from run to run; all else is the same for the same seed.
    """

    name: str
    title: str
    statement: str
    source: tuple[tuple[str, str], ...]
    hypotheses: tuple[str, ...]
    bounds: tuple[tuple[str, Literal["tight", "loose"]], ...]
    panels: tuple[Panel, ...]
    conclusion: str
    trials: Callable[[int, bool], list[Trial]]
    settings: dict[str, int | str] = field(default_factory=dict)
    spreads: tuple[Spread, ...] = ()
    methods: dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    timings: tuple[str, ...] = ()
