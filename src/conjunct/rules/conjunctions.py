"""The heaviest conjunctions of a model, proved."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from conjunct.bits import holds_on
from conjunct.errors import SettingError
from conjunct.rules.named_model import NamedModel, packed
from conjunct.rules.rule_table import Rule, RuleTable
from conjunct.rules.weighing import heaviest
from conjunct.settings import exact, flag, positive_number, whole_number

if TYPE_CHECKING:
    from conjunct.search import ConjunctionSearch
    from conjunct.settings import Exact

__all__ = ["conjunctions", "rules_of"]


def conjunctions(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    top: int | None = 20,
    min_weight: Exact | None = None,
    max_size: int | None = None,
    distinct: bool = True,
    time_limit: float | None = None,
    max_nodes: int | None = None,
) -> RuleTable:
    """Return the heaviest conjunctions of a model, with a proof that no heavier one is missing, within limits.

    Parameters
    ----------
    model : estimator, pipeline of a Binarizer and one, TableModel, or frozen model
        Fitted: over `Conjunctions` or `MonotoneConjunctions`, or linear, where each variable is a conjunction.
    X : table, optional
        Rows to count on how many each conjunction holds: its support.
    y : array-like, optional
        Their labels, for the share of these rows that have the rule's label: its precision.
    top : int or None
        The most to list, for each class of several; None for all that weigh `min_weight`.
    min_weight : int, Fraction, "p/q" or float, optional
        The least weight, of either sign.
    max_size : int, optional
        The most literals; those of the kernel if absent.
    distinct : bool
        Whether of conjunctions that hold on the same rows of the model only the first is listed, the shortest of the
        heaviest. Conjunctions that list a test which another of their tests implies are left out in any case.
    time_limit : float, optional
        Seconds to search at most, for each class of several.
    max_nodes : int, optional
        Conjunctions to weigh at most.

    Returns
    -------
    RuleTable
        A search that met its limit gives what it found, and a bound on what it did not look at.

    Notes
    -----
    f(x) = sum over T of w_T [T holds on x], with w_T = (unit / K_|T|) sum of a_i over the rows i of the expansion on
    which T holds: the model is this polynomial, and the list has its largest coefficients.

    Examples
    --------
    >>> from conjunct import ConjunctionSVC
    >>> from conjunct.datasets import tic_tac_toe
    >>> boards = tic_tac_toe()
    >>> machine = ConjunctionSVC(max_size=3, literals="positive", lam=4).fit(boards.rows, boards.labels)
    >>> print(conjunctions(machine, boards.rows, boards.labels, top=3))
     weight  size  support  precision  label     conjunction
    +0.2900     3       78    100.0 %  positive  top-right=x & middle-right=x & bottom-right=x
    +0.2897     3       78    100.0 %  positive  top-left=x & top-middle=x & top-right=x
    +0.2894     3       78    100.0 %  positive  bottom-left=x & bottom-middle=x & bottom-right=x
    Proved: no heavier conjunction is missing, but for those that hold on the same rows of the model as one here.
    Heaviest does not mean relevant: variables that go together share their weight, or cancel each other's.
    """
    named = NamedModel.of(model)
    named.require_conjunctions()
    least = None if min_weight is None else exact(min_weight, "min_weight")
    if top is None and least is None:
        raise SettingError("top=None: expected how many to list, or min_weight; polynomial(model) has them all")
    settings: dict[str, Any] = {
        "top": None if top is None else whole_number(top, "top"),
        "min_weight": least,
        "max_size": None if max_size is None else whole_number(max_size, "max_size", least=0),
        "distinct": flag(distinct, "distinct"),
        "time_limit": None if time_limit is None else float(positive_number(time_limit, "time_limit")),
        "max_nodes": None if max_nodes is None else whole_number(max_nodes, "max_nodes"),
    }
    if X is None and y is not None:
        raise SettingError("X=None: labels y need the rows X that they belong to")
    searches = [heaviest(named, output, **settings) for output in range(named.model.n_outputs)]
    rules = [rule for output, search in enumerate(searches) for rule in rules_of(named, output, search, X, y)]
    bounds = [search.bound for search in searches if search.bound is not None]
    stopped_by = next((search.stopped_by for search in searches if search.bound is not None), "closed")
    return RuleTable(tuple(rules), max(bounds, default=None), stopped_by)


def rules_of(named: NamedModel, output: int, search: ConjunctionSearch, X: Any = None, y: Any = None) -> list[Rule]:
    """Return what a search found as rules, with their support and precision on rows if there are any."""
    rows = None if X is None else packed(named.rows(X))
    classes = None if rows is None or y is None else named.class_numbers(y, rows.n_rows)
    rules = []
    for literals, weight in search.found:
        support = precision = None
        label = named.label_of(output, weight > 0)
        if rows is not None:
            holds = holds_on(rows, literals)
            support = int(holds.sum())
            if classes is not None and support:
                precision = Fraction(int((classes[holds] == named.class_number(label)).sum()), support)
        proved = search.bound is None or abs(weight) >= search.bound
        rules.append(
            Rule(
                named.reader.literals(literals),
                named.reader.text(literals),
                weight,
                label,
                proved,
                support,
                precision,
            )
        )
    return rules
