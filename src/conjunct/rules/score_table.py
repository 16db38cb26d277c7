"""A score table: small whole points for a few conjunctions of a model, and the risk at every total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from conjunct.bits import holds_on
from conjunct.errors import SettingError
from conjunct.messages import printable, shortened
from conjunct.rules.named_model import NamedModel, packed
from conjunct.rules.readable_terms import TermReader
from conjunct.rules.rule_table import aligned, json_for_pages
from conjunct.rules.weighing import heaviest
from conjunct.settings import choice, positive_number, whole_number
from conjunct.tables.csv_text import csv_text, spreadsheet_text
from conjunct.theory import area_under_curve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.rules.named_model import Label
    from conjunct.settings import Exact

    Floats = NDArray[np.float64]
    Literals = tuple[int, ...]

__all__ = ["ScoreRow", "ScoreTable", "score_table"]

CANDIDATES = 200  # the heaviest conjunctions, of which a table takes some
RIDGE = 1.0  # on coefficients in the logistic loss, so that they stay finite on separable rows
MOST_TOTALS = 41  # that are listed one by one
MOST_WRITTEN = 10_000  # totals in a file
NEWTON_STEPS = 50
LARGEST_SCORE = 10**9  # of a base score, of either sign
TIE = 1e-9  # gains nearer than this are equal, and the heavier conjunction is taken
LOSS_FOR_SMALLER = 0.05  # what smaller points may cost, as a share of the loss


class ScoreRow(NamedTuple):
    """A conjunction and what it adds to the total of a row on which it holds."""

    text: str
    points: int
    support: int


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Points for conjunctions, and the risk of a label at every total.

    Attributes
    ----------
    rows : tuple of ScoreRow
        Those with most points first.
    start : int
        What every total begins with.
    label : object
        Whose risk it is.
    slope, intercept : float
        The risk at a total t is 1 / (1 + exp(-(intercept + slope * t))).
    accuracy, area : float
        On the rows it was made of: right at a risk of 1/2, and the area under the ROC curve.
    model_accuracy, model_area : float
        Those of the whole model on the same rows.
    proved : bool
        Whether its candidates are the heaviest conjunctions of the model: the search for them met no limit.
    """

    rows: tuple[ScoreRow, ...]
    start: int
    label: Label
    slope: float
    intercept: float
    accuracy: float
    area: float
    model_accuracy: float
    model_area: float
    proved: bool
    _named: NamedModel = field(repr=False)
    _literals: tuple[Literals, ...] = field(repr=False)

    def totals(self, X: Any) -> NDArray[np.int64]:
        """Return the total of every row of a table."""
        rows = packed(self._named.rows(X))
        points = np.array([row.points for row in self.rows], np.int64)
        return self.start + _columns(rows, self._literals).astype(np.int64) @ points

    def risks(self, X: Any) -> Floats:
        """Return the risk of the label for every row of a table."""
        return _sigmoid(self.intercept + self.slope * self.totals(X).astype(np.float64))

    def risk_of(self, total: int) -> float:
        """Return the risk of the label at a total."""
        return float(_sigmoid(np.array([self.intercept + self.slope * total]))[0])

    def possible_totals(self) -> list[int]:
        """Return every total that some answers to the conjunctions add up to."""
        sums = {self.start}
        for row in self.rows:
            sums |= {total + row.points for total in sums}
        return sorted(sums)

    def __str__(self) -> str:
        label = printable(self.label)
        lines = [[f"{row.points:+d}", row.text] for row in self.rows]
        heading = [f"Points; their total gives the risk of {label}:"]
        if self.start:
            lines.insert(0, [f"{self.start:+d}", "(everyone)"])
        table = aligned(lines, n_left=1) if lines else ["(none)"]
        totals = self.possible_totals()
        if len(totals) <= MOST_TOTALS:
            pairs = [[str(total), f"{100 * self.risk_of(total):.1f} %"] for total in totals]
            risks = aligned([["total", f"risk of {label}"], *pairs], n_left=0)
        else:
            risks = [f"risk of {label} = 1 / (1 + exp(-({self.intercept:.4f} {self.slope:+.4f} * total)))"]
        limit = [] if self.proved else ["A search met its limit: better conjunctions may have been missed."]
        return "\n".join([*heading, *table, "", *risks, "", self.comparison(), *limit])

    def comparison(self) -> str:
        """Say how much the table loses against the whole model, on the rows it was made of."""
        return (
            f"On these rows: accuracy {100 * self.accuracy:.2f} %, the whole model {100 * self.model_accuracy:.2f} %; "
            f"AUC {self.area:.4f}, the whole model {self.model_area:.4f}."
        )

    def to_csv(self) -> str:
        """Return points and conjunctions as CSV, then totals and risks."""
        records: list[list[object]] = [["points", "conjunction"], [self.start, "(everyone)"]]
        records += [[row.points, spreadsheet_text(row.text)] for row in self.rows]
        records.append(["total", "risk"])
        records += [[total, self.risk_of(total)] for total in self.possible_totals()[:MOST_WRITTEN]]
        return csv_text(records)

    def to_json(self) -> str:
        """Return the table as JSON that may stand in a page of HTML."""
        label = self.label if isinstance(self.label, str | int | float) else str(self.label)
        whole = {
            "label": label,
            "start": self.start,
            "rows": [row._asdict() for row in self.rows],
            "slope": self.slope,
            "intercept": self.intercept,
            "risks": [[total, self.risk_of(total)] for total in self.possible_totals()[:MOST_WRITTEN]],
            "accuracy": self.accuracy,
            "auc": self.area,
            "model_accuracy": self.model_accuracy,
            "model_auc": self.model_area,
            "proved": self.proved,
        }
        return json_for_pages(whole)


def score_table(
    model: Any,
    X: Any,
    y: Any,
    terms: int = 10,
    *,
    max_points: int = 10,
    max_size: int | None = None,
    signs: Mapping[str, str] | None = None,
    doubling: Exact | None = None,
    base_odds: Exact = 1,
    base_score: int = 0,
    time_limit: float | None = None,
) -> ScoreTable:
    """Return a table of small whole points for conjunctions of a model, fitted to rows by the logistic loss.

    Parameters
    ----------
    model : estimator, pipeline of a Binarizer and one, TableModel, or frozen model
        Of two classes.
    X, y : table and its labels
        The rows to fit the points to.
    terms : int
        The most conjunctions.
    max_points : int
        The most points of a conjunction, of either sign; not used with `doubling`.
    max_size : int, optional
        The most literals of a conjunction; those of the kernel if absent.
    signs : mapping from column to {"+", "-"}, optional
        Conjunctions that test the column may only add, or only take away, points.
    doubling : int, Fraction, "p/q" or float, optional
        Scale the points so that so many double the odds.
    base_odds, base_score : number, int
        With `doubling`, the odds at a total of `base_score`.
    time_limit : float, optional
        Seconds to search for conjunctions at most.

    Notes
    -----
    The 200 heaviest conjunctions of the model are the candidates. One after the other is taken, that of the largest
    score statistic, and all coefficients are fitted anew with a ridge of 1. Then the coefficients are scaled and
    rounded, by each scale up to `max_points`; the smallest stays whose loss is within a twentieth of the least.

    Examples
    --------
    >>> from conjunct import ConjunctionSVC
    >>> from conjunct.datasets import monks
    >>> robots = monks(1)
    >>> print(score_table(ConjunctionSVC(lam=1).fit(robots.rows, robots.labels), robots.rows, robots.labels, terms=4))
    Points; their total gives the risk of 1:
    +1  head_shape=round & body_shape=round
    +1  head_shape=octagon & body_shape=octagon
    +1  head_shape=square & body_shape=square
    +1  jacket_color=red
    <BLANKLINE>
    total  risk of 1
        0      0.0 %
        1    100.0 %
        2    100.0 %
        3    100.0 %
        4    100.0 %
    <BLANKLINE>
    On these rows: accuracy 100.00 %, the whole model 100.00 %; AUC 1.0000, the whole model 1.0000.
    """
    named = NamedModel.of(model)
    named.require_conjunctions()
    if named.model.n_outputs != 1 or len(named.labels) != 2:
        raise SettingError(f"model: has {len(named.labels)} classes, a score table is about two")
    most, limit = whole_number(terms, "terms"), whole_number(max_points, "max_points")
    largest = None if max_size is None else whole_number(max_size, "max_size")
    seconds = None if time_limit is None else float(positive_number(time_limit, "time_limit"))
    start_at = whole_number(base_score, "base_score", least=-LARGEST_SCORE, most=LARGEST_SCORE)
    if not isinstance(signs, Mapping | None):
        raise SettingError(f'signs={shortened(signs)}: expected a mapping from columns to "+" or "-"')
    rows = named.rows(X)
    is_label = named.class_numbers(y, rows.n_rows) == 1
    if is_label.all() or not is_label.any():
        raise SettingError("y: all rows are of one class, a score table needs both")
    reader = TermReader(named)
    search = heaviest(named, 0, top=CANDIDATES, max_size=largest, distinct=True, time_limit=seconds)
    candidates = [own for own, _ in search.found if own]
    allowed = [_allowed(reader, own, signs) for own in candidates]
    columns = _columns(packed(rows), candidates).astype(np.float64)
    chosen, coefficients = _chosen(columns, is_label.astype(np.float64), most, allowed)
    points, start, slope, intercept = (
        _rounded(columns[:, chosen], is_label, coefficients, limit)
        if doubling is None
        else _scaled(coefficients, positive_number(doubling, "doubling"), base_odds, start_at)
    )
    kept = sorted((k for k in range(len(chosen)) if points[k]), key=lambda k: (-points[k], chosen[k]))
    literals = tuple(candidates[chosen[k]] for k in kept)
    texts = [reader.text(own) for own in literals]
    support = [int(columns[:, chosen[k]].sum()) for k in kept]
    score_rows = tuple(map(ScoreRow, texts, [points[k] for k in kept], support))
    totals = (start + _columns(packed(rows), literals) @ np.array([points[k] for k in kept], np.int64)).astype(
        np.float64
    )
    said = _sigmoid(intercept + slope * totals) >= 0.5
    values = np.asarray(named.model.decision_values(rows), np.float64)
    return ScoreTable(
        score_rows,
        start,
        named.labels[1],
        slope,
        intercept,
        float((said == is_label).mean()),
        area_under_curve(slope * totals, is_label) or 0.0,
        float(((named.model.choices(rows) == 1) == is_label).mean()),
        area_under_curve(values, is_label) or 0.0,
        search.proved,
        named,
        literals,
    )


def _columns(rows: BitMatrix, conjunctions: Any) -> NDArray[np.bool_]:
    """Return on which rows each conjunction holds."""
    columns = np.empty((rows.n_rows, len(conjunctions)), bool)
    for k, own in enumerate(conjunctions):
        columns[:, k] = holds_on(rows, own)
    return columns


def _allowed(reader: TermReader, literals: Literals, signs: Mapping[str, str] | None) -> set[int]:
    """Return which signs the points of a conjunction may have."""
    allowed = {-1, 1}
    tested = {reader.tests[literal // 2].column for literal in literals}
    for column, sign in (signs or {}).items():
        if column not in {test.column for test in reader.tests}:
            raise SettingError(f"signs: no column is called {shortened(column)}")
        if column in tested:
            allowed &= {1 if choice(sign, f"signs[{column!r}]", ["+", "-"]) == "+" else -1}
    return allowed


def _chosen(columns: Floats, y: Floats, most: int, allowed: list[set[int]]) -> tuple[list[int], Floats]:
    """Take candidates one by one, by their score statistics; return which, and the intercept with coefficients."""
    chosen: list[int] = []
    banned = {k for k, column in enumerate(columns.T) if column.all() or not column.any()}
    coefficients = logistic_fit(columns[:, chosen], y)
    while len(chosen) < most:
        design = np.column_stack([np.ones(len(y)), columns[:, chosen]])
        shares = _sigmoid(design @ coefficients)
        spread = shares * (1 - shares)
        slopes = columns.T @ (y - shares)
        inner = design.T @ (spread[:, None] * design) + RIDGE * np.diag([1e-9] + [1.0] * len(chosen))
        mixed = columns.T @ (spread[:, None] * design)
        curvature = columns.T @ spread - np.einsum("ij,ji->i", mixed, np.linalg.solve(inner, mixed.T)) + RIDGE
        gains = slopes**2 / curvature
        for k in range(len(gains)):
            if k in banned or k in chosen or (1 if slopes[k] > 0 else -1) not in allowed[k]:
                gains[k] = -1.0
        if not len(gains) or gains.max() <= 2.0:  # less than Akaike's price of a coefficient
            break
        chosen.append(int(np.argmax(gains >= (1 - TIE) * gains.max())))
        coefficients = logistic_fit(columns[:, chosen], y)
        wrong = [k for k, value in zip(chosen, coefficients[1:], strict=True) if np.sign(value) not in {*allowed[k], 0}]
        if wrong:
            banned |= set(wrong)
            chosen = [k for k in chosen if k not in wrong]
            coefficients = logistic_fit(columns[:, chosen], y)
    return chosen, coefficients


def logistic_fit(columns: Floats, y: Floats, ridge: float = RIDGE) -> Floats:
    """Minimise the logistic loss plus ridge / 2 times the squared coefficients by halved Newton steps.

    Returns
    -------
    ndarray
        The intercept, which has no ridge but a trace of one, then the coefficients.

    Examples
    --------
    >>> logistic_fit(np.zeros((4, 0)), np.array([1.0, 0.0, 0.0, 0.0])).round(4).tolist()
    [-1.0986]
    """
    design = np.column_stack([np.ones(len(y)), columns])
    penalties = np.array([1e-9, *[ridge] * columns.shape[1]])

    def loss(values: Floats) -> float:
        scores = design @ values
        return float(np.logaddexp(0, scores).sum() - y @ scores + penalties @ values**2 / 2)

    values = np.zeros(design.shape[1])
    least = loss(values)
    for _ in range(NEWTON_STEPS):
        shares = _sigmoid(design @ values)
        inner = design.T @ ((shares * (1 - shares))[:, None] * design) + np.diag(penalties + 1e-12)
        step = np.linalg.solve(inner, design.T @ (y - shares) - penalties * values)
        size = 1.0
        while size > 1e-9 and not loss(values + size * step) < least:
            size /= 2
        if size <= 1e-9:
            break
        values = values + size * step
        least = loss(values)
    return values


def _rounded(
    columns: Floats, is_label: NDArray[np.bool_], values: Floats, limit: int
) -> tuple[list[int], int, float, float]:
    """Round coefficients by each scale up to the limit; return the smallest points of nearly the least loss."""
    y, trials = is_label.astype(np.float64), []
    largest = np.abs(values[1:]).max(initial=0.0)
    for most in range(1, limit + 1) if largest else ():
        points = np.rint(values[1:] * most / largest).astype(np.int64)
        totals = (columns @ points)[:, None]
        intercept, slope = logistic_fit(totals, y, ridge=1e-6)
        scores = intercept + slope * totals[:, 0]
        trials.append(
            (float(np.logaddexp(0, scores).sum() - y @ scores), points.tolist(), float(slope), float(intercept))
        )
    if not trials:
        return [0] * (len(values) - 1), 0, 0.0, float(values[0])
    enough = (1 + LOSS_FOR_SMALLER) * min(loss for loss, *_ in trials) + LOSS_FOR_SMALLER
    _, points_of, slope_of, intercept_of = next(trial for trial in trials if trial[0] <= enough)
    return points_of, 0, slope_of, intercept_of


def _scaled(values: Floats, doubling: Any, base_odds: Exact, base_score: int) -> tuple[list[int], int, float, float]:
    """Scale coefficients so that some points double the odds, and a total has the odds asked for."""
    factor = float(doubling) / log(2)
    offset = base_score - factor * log(float(positive_number(base_odds, "base_odds")))
    points = np.rint(values[1:] * factor).astype(np.int64).tolist()
    return points, round(offset + factor * float(values[0])), 1 / factor, -offset / factor


def _sigmoid(scores: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(scores, -700, 700)))
