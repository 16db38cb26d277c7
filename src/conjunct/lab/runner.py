"""Runs an experiment, and saves what it gave."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from conjunct import __version__
from conjunct.files import write_atomically
from conjunct.files.canonical_json import decode, encode
from conjunct.lab.experiment import Experiment
from conjunct.lab.figure import draw
from conjunct.lab.judging import tightness
from conjunct.lab.line import Line, Number, number

__all__ = ["FILES", "load", "run", "save"]

FILES = ("result.json", "figure.svg", "figure.png")


def run(
    experiment: Experiment, seed: int = 0, *, quick: bool = False, advance: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Run every trial of an experiment.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    seed : int, default=0
        What its random streams are drawn from.
    quick : bool, default=False
        Fewer and smaller settings, in seconds.
    advance : callable, optional
        Told after each trial how many are done, of how many.

    Returns
    -------
    dict
        Everything its figure, table and verdict are made of, as its JSON says it. The same experiment, seed and size
        give the same bytes, but for observed series that it names as timings.
    """
    trials = experiment.trials(seed, quick)
    lines: list[dict[str, Any]] = []
    observed: list[dict[str, Any]] = []
    for done, trial in enumerate(trials, start=1):
        for outcome in trial():
            (lines if isinstance(outcome, Line) else observed).append(asdict(outcome))
        if advance:
            advance(done, len(trials))
    order = {panel.title: index for index, panel in enumerate(experiment.panels)}
    lines.sort(key=lambda line: (order[line["panel"]], line["series"]))
    result: dict[str, Any] = {
        "conjunct": __version__,
        "name": experiment.name,
        "title": experiment.title,
        "statement": experiment.statement,
        "source": experiment.source,
        "hypotheses": experiment.hypotheses,
        "bounds": experiment.bounds,
        "settings": {**experiment.settings, "quick": quick},
        "seed": seed,
        "panels": [asdict(panel) for panel in experiment.panels],
        "lines": lines,
        "tightness": _tightness(lines),
        "series": _series(experiment, lines),
        "methods": experiment.methods,
        "conclusion": experiment.conclusion,
    }
    if experiment.spreads:
        orders = {spread.title: index for index, spread in enumerate(experiment.spreads)}
        observed.sort(key=lambda outcome: orders[outcome["spread"]])
        result["spreads"] = [asdict(spread) for spread in experiment.spreads]
        result["observed"] = observed
        result["remarks"] = experiment.remarks
        result["timings"] = experiment.timings
    return cast("dict[str, Any]", decode(encode(result)))


def save(result: Mapping[str, Any], folder: str | Path) -> None:
    """Write ``result.json``, ``figure.svg`` and ``figure.png`` into a folder that exists."""
    target = Path(folder)
    write_atomically(target / "result.json", encode(result).encode("ascii") + b"\n")
    for kind in ("svg", "png"):
        write_atomically(target / f"figure.{kind}", draw(result, kind))


def load(folder: str | Path) -> dict[str, Any]:
    """Read back the ``result.json`` of a folder."""
    text = (Path(folder) / "result.json").read_text(encoding="ascii")
    return cast("dict[str, Any]", decode(text.removesuffix("\n")))


def _series(experiment: Experiment, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sum up each series: its tightness, and where asked for the exponent of x."""
    summaries = []
    for panel in experiment.panels:
        of_panel = [line for line in lines if line["panel"] == panel.title]
        for name in dict.fromkeys(line["series"] for line in of_panel):
            of_series = [line for line in of_panel if line["series"] == name]
            summary = {"panel": panel.title, "series": name, "tightness": _tightness(of_series)}
            if panel.is_fitted:
                summary["exponent"] = _exponent([line["x"] for line in of_series], [line["mean"] for line in of_series])
            summaries.append(summary)
    return summaries


def _tightness(lines: list[dict[str, Any]]) -> Number | None:
    """Return the tightness as JSON can say it: None where a bound of 0 is broken."""
    value = tightness(lines)
    return number(value) if math.isfinite(value) else None


def _exponent(xs: list[float], values: list[float]) -> float:
    """Return the slope of the straight line nearest to the points on two logarithmic axes, by least squares.

    Examples
    --------
    >>> _exponent([1, 2, 4], [3, 12, 48])
    2.0
    """
    points = [(math.log(x), math.log(value)) for x, value in zip(xs, values, strict=True)]
    x_mean, y_mean = (math.fsum(column) / len(points) for column in zip(*points, strict=True))
    slope = math.fsum((x - x_mean) * (y - y_mean) for x, y in points) / math.fsum((x - x_mean) ** 2 for x, _ in points)
    return float(f"{slope:.6g}")
