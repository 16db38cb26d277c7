"""Why a model gave a row its label: columns and conjunctions that add up to its score."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from conjunct.messages import printable
from conjunct.rules.conjunctions import rules_of
from conjunct.rules.named_model import NamedModel, packed
from conjunct.rules.readable_terms import ALWAYS
from conjunct.rules.rule_table import RuleTable, aligned, shown_number
from conjunct.rules.shares import Share, column_shares
from conjunct.rules.weighing import heaviest
from conjunct.settings import flag, positive_number, whole_number

if TYPE_CHECKING:
    from conjunct.rules.named_model import Label

__all__ = ["Explanation", "explain"]

MOST_REASONS = 4  # as many as a lender has to state


@dataclass(frozen=True)
class Explanation:
    """The score of a row, in parts.

    Attributes
    ----------
    label : object
        What the model predicts.
    score : Fraction
        Of the row: of the second of two classes, or of the class that is explained.
    threshold : Fraction or None
        What the score of two classes must reach for the second; None of several classes, where the largest wins.
    contributions : RuleTable
        The heaviest conjunctions that hold on the row.
    remainder : Fraction
        What all other conjunctions that hold on the row add up to; with the contributions, exactly the score.
    shares : tuple of Share
        What each column contributes, the most first: every conjunction that holds on the row divides its weight equally
        among its literals. They add up exactly to the score.
    speaks_for : object
        The label that positive weights speak for.
    """

    label: Label
    score: Fraction
    threshold: Fraction | None
    contributions: RuleTable
    remainder: Fraction
    shares: tuple[Share, ...]
    speaks_for: Label

    @property
    def reasons(self) -> tuple[Share, ...]:
        """At most four columns: those that contribute most to the label predicted."""
        sign = 1 if self.label == self.speaks_for else -1
        return tuple(share for share in self.shares if sign * share.weight > 0 and share.text != ALWAYS)[:MOST_REASONS]

    def __str__(self) -> str:
        n_shown = max(len(self.contributions), MOST_REASONS)
        columns = [[shown_number(share.weight), share.text] for share in self.shares[:n_shown]]
        rest = self.shares[n_shown:]
        if rest:
            columns.append(
                [
                    shown_number(sum((share.weight for share in rest), Fraction())),
                    f"({len(rest)} other{'s' * (len(rest) > 1)})",
                ]
            )
        limit = "" if self.threshold is None else f", which is predicted from {_plain(self.threshold)} on"
        columns.append([shown_number(self.score), f"= score of {printable(self.speaks_for)}{limit}"])
        heavy = [[shown_number(rule.weight), rule.text] for rule in self.contributions.rules]
        heavy.append([shown_number(self.remainder), "(all others that hold on the row)"])
        lines = aligned([*columns, *heavy], n_left=1)
        return "\n".join(
            [
                f"predicted: {printable(self.label)}",
                "what each column contributes, if every conjunction divides its weight among its literals:",
                *lines[: len(columns)],
                "the heaviest conjunctions that hold on the row:",
                *lines[len(columns) :],
                *self.contributions.remarks(),
            ]
        )


def explain(
    model: Any,
    row: Any,
    *,
    top: int | None = 10,
    label: Label | None = None,
    distinct: bool = True,
    time_limit: float | None = None,
    max_nodes: int | None = None,
) -> Explanation:
    """Return the conjunctions that carried the prediction of a row; they add up exactly to its score.

    Parameters
    ----------
    model : estimator, pipeline of a Binarizer and one, TableModel, or frozen model
        As in `conjunctions`.
    row : array-like, str, BitMatrix, table of one row, or mapping of names to entries
    top : int or None
        How many conjunctions to list; None for all that hold on the row, where these are few.
    label : object
        The class whose score to explain, of several; the one predicted if absent.
    distinct, time_limit, max_nodes
        As in `conjunctions`. With ``top=None`` and ``distinct=False`` nothing is left for the remainder.

    Examples
    --------
    >>> from conjunct import ConjunctionSVC
    >>> from conjunct.datasets import monks
    >>> robots = monks(1)
    >>> machine = ConjunctionSVC(max_size=2, literals="positive", lam=1).fit(robots.rows, robots.labels)
    >>> why = explain(machine, robots.rows[0], top=3)
    >>> print(why)
    predicted: 1
    what each column contributes, if every conjunction divides its weight among its literals:
     +1.002  jacket_color=red
    +0.7507  body_shape=round
    +0.7497  head_shape=round
    +0.1514  is_smiling=yes
    +0.2839  (3 others)
     +2.937  = score of 1, which is predicted from 0 on
    the heaviest conjunctions that hold on the row:
     +1.299  head_shape=round & body_shape=round
    +0.5007  jacket_color=red
    +0.2504  is_smiling=yes & jacket_color=red
    +0.8869  (all others that hold on the row)
    Proved: no heavier conjunction is missing, but for those that hold on the same rows of the model as one here.
    Heaviest does not mean relevant: variables that go together share their weight, or cancel each other's.
    >>> sum(rule.weight for rule in why.contributions.rules) + why.remainder == why.score
    True
    >>> sum(share.weight for share in why.shares) == why.score
    True
    """
    named = NamedModel.of(model)
    named.require_conjunctions()
    rows = named.row(row)
    choice = int(named.model.choices(rows)[0])
    is_single = named.model.n_outputs == 1
    output = named.output(label) if is_single or label is not None else choice
    search = heaviest(
        named,
        output,
        row=packed(rows),
        top=None if top is None else whole_number(top, "top"),
        distinct=flag(distinct, "distinct"),
        time_limit=None if time_limit is None else float(positive_number(time_limit, "time_limit")),
        max_nodes=None if max_nodes is None else whole_number(max_nodes, "max_nodes"),
    )
    score = named.model.scores(rows)[0][output]
    rules = rules_of(named, output, search)
    return Explanation(
        label=named.labels[choice],
        score=score,
        threshold=getattr(named.model, "threshold", Fraction()) if is_single else None,
        contributions=RuleTable(tuple(rules), search.bound, search.stopped_by),
        remainder=score - sum((rule.weight for rule in rules), Fraction()),
        shares=column_shares(named, output, packed(rows), score),
        speaks_for=named.labels[1 if is_single else output],
    )


def _plain(number: Fraction) -> str:
    return shown_number(number).lstrip("+")
