"""Rules in a table: printed, and as a frame, CSV and JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from conjunct.errors import SettingError
from conjunct.messages import printable
from conjunct.models.weight_powers import nearest
from conjunct.tables.csv_text import csv_text, spreadsheet_text

if TYPE_CHECKING:
    from rich.text import Text

    from conjunct.logic import Literal
    from conjunct.rules.named_model import Label

__all__ = ["NOTE", "Rule", "RuleTable", "aligned", "json_for_pages", "shown_number"]

PROVED = "Proved: no heavier conjunction is missing, but for those that hold on the same rows of the model as one here."
NOTE = "Heaviest does not mean relevant: variables that go together share their weight, or cancel each other's."
COLUMNS = ("literals", "weight", "size", "support", "precision", "label", "proved")
BACKENDS = ("pandas", "polars", "pyarrow")
LIMITS = {"time": "time_limit", "nodes": "max_nodes", "found": "a million conjunctions", "memory": "its memory limit"}
LARGEST = 1.7976931348623157e308


@dataclass(frozen=True)
class Rule:
    """A conjunction with its weight in a model.

    Attributes
    ----------
    literals : tuple of Literal
        Over the names of the variables.
    text : str
        As people say it.
    weight : Fraction
        What it adds to the score of a row on which it holds.
    label : object
        Of two classes the one it speaks for; of several the one whose score it adds to, or takes from.
    proved : bool
        Whether every conjunction that weighs more has been looked at.
    support : int or None
        The rows on which it holds.
    precision : Fraction or None
        The share of these that have the label; None where there are none.
    """

    literals: tuple[Literal, ...]
    text: str
    weight: Fraction
    label: Label
    proved: bool
    support: int | None = None
    precision: Fraction | None = None

    @property
    def size(self) -> int:
        """The number of its literals."""
        return len(self.literals)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class RuleTable:
    """The heaviest conjunctions of a model.

    Attributes
    ----------
    rules : tuple of Rule
        The heaviest first; of several classes, one list after the other.
    bound : Fraction or None
        What conjunctions that were not looked at weigh at most; None where the search came to its end.
    stopped_by : str
        "closed" where it did, otherwise the limit that was met.
    """

    rules: tuple[Rule, ...]
    bound: Fraction | None = None
    stopped_by: str = "closed"

    @property
    def proved(self) -> bool:
        """Whether no heavier conjunction is missing."""
        return self.bound is None

    def __len__(self) -> int:
        return len(self.rules)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a data frame with a row for each rule, its weight as a float.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Whose; the first that is installed if absent.
        """
        from importlib.util import find_spec

        import narwhals as nw

        installed = [name for name in BACKENDS if find_spec(name)]
        if (backend is not None and backend not in installed) or not installed:
            raise SettingError(f"backend={backend!r}: expected pandas, polars or pyarrow, and that it is installed")
        records = [self._record(rule) for rule in self.rules]
        columns = {name: [record[name] for record in records] for name in COLUMNS}
        library: Any = backend or installed[0]
        return nw.from_dict(columns, backend=library).to_native()

    def to_csv(self) -> str:
        """Return the table as CSV; text that a spreadsheet would take for a formula has an apostrophe before it."""
        records = [[_entry(self._record(rule)[name]) for name in COLUMNS] for rule in self.rules]
        return csv_text([COLUMNS, *records])

    def to_json(self) -> str:
        """Return the table as JSON that may stand in a page of HTML, with exact weights as p/q."""
        rules = [
            {**self._record(rule), "literals": [[literal.variable, literal.is_positive] for literal in rule.literals]}
            | {"text": rule.text, "exact_weight": str(rule.weight)}
            for rule in self.rules
        ]
        whole = {
            "rules": rules,
            "proved": self.proved,
            "bound": None if self.bound is None else str(self.bound),
            "note": NOTE,
        }
        return json_for_pages(whole)

    def _record(self, rule: Rule) -> dict[str, Any]:
        label = rule.label if isinstance(rule.label, str | int | float) else str(rule.label)
        weight = max(-LARGEST, min(LARGEST, nearest(rule.weight)))
        precision = None if rule.precision is None else float(rule.precision)
        values = (rule.text, weight, rule.size, rule.support, precision, label, rule.proved)
        return dict(zip(COLUMNS, values, strict=True))

    def __str__(self) -> str:
        return "\n".join([*self.lines(), *self.remarks()])

    def lines(self) -> list[str]:
        """Return the table as aligned lines, the first its heads."""
        with_support = any(rule.support is not None for rule in self.rules)
        with_precision = any(rule.precision is not None for rule in self.rules)
        heads = ["weight", "size", *["support"] * with_support, *["precision"] * with_precision, "label", "conjunction"]
        lines = [
            [
                shown_number(rule.weight),
                str(rule.size),
                *[str(rule.support)] * with_support,
                *["-" if rule.precision is None else f"{float(100 * rule.precision):.1f} %"] * with_precision,
                printable(rule.label),
                rule.text + ("" if rule.proved else "  (not proved)"),
            ]
            for rule in self.rules
        ]
        return aligned([heads, *lines], n_left=2)

    def remarks(self) -> list[str]:
        """Return what stands below the table: what is proved, and the caution."""
        if self.bound is None:
            first = PROVED
        else:
            first = (
                f"Stopped by {LIMITS.get(self.stopped_by, self.stopped_by)}: conjunctions that were not looked at "
                f"weigh at most {shown_number(self.bound).lstrip('+')}."
            )
        return [first, NOTE]

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(str(self))


def json_for_pages(whole: dict[str, Any]) -> str:
    """Return JSON that may stand in a page of HTML: no sign of markup is in it.

    Examples
    --------
    >>> "<" in json_for_pages({"a": "<b>"}), json.loads(json_for_pages({"a": "<b>"}))
    (False, {'a': '<b>'})
    """
    text = json.dumps(whole, indent=2)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def aligned(lines: list[list[str]], n_left: int) -> list[str]:
    """Return lines of columns, the last `n_left` of them aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    n_right = len(widths) - n_left
    return [
        "  ".join(
            entry.rjust(width) if k < n_right else entry.ljust(width)
            for k, (entry, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def shown_number(number: Fraction) -> str:
    """Return four significant digits of a number, with its sign.

    Examples
    --------
    >>> shown_number(Fraction(1, 3)), shown_number(Fraction(-12)), shown_number(Fraction(10**400, 3))
    ('+0.3333', '-12', '+3.333E+399')
    """
    context = Context(prec=4, Emax=10**9, Emin=-(10**9))
    rounded = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{rounded:+}" if not -4 <= rounded.adjusted() <= 6 else f"{rounded:+f}"


def _entry(value: object) -> object:
    if value is None:
        return ""
    return spreadsheet_text(value) if isinstance(value, str) else value
