"""Whether two formulas are the same function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from conjunct.errors import FormulaError
from conjunct.logic.cnf import CNF
from conjunct.logic.covering import Codes, OutOfNodesError, Search
from conjunct.logic.dnf import DNF
from conjunct.logic.formula import Formula, natural_order
from conjunct.logic.term import Term
from conjunct.messages import shortened

__all__ = ["Equivalence", "equivalence"]

MOST_COMPARED_VARIABLES = 20  # variables up to which truth tables of 2**20 bits are compared outright
MOST_COMPARED_IN_SEARCH = 12  # and below a node of the search, where it is one of thousands


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two formulas are the same function, and how that was found.

    Attributes
    ----------
    is_equivalent : bool or None
        None where the search used up its budget.
    witness : dict of str to bool, or None
        A row on which their values differ, if they are not equivalent.
    how : str
    """

    is_equivalent: bool | None
    witness: dict[str, bool] | None = field(hash=False)
    how: str

    def __bool__(self) -> bool:
        if self.is_equivalent is None:
            raise FormulaError(f"whether the formulas are equivalent is {self.how}; give a larger budget")
        return self.is_equivalent


def equivalence(first: Formula | bool, second: Formula | bool, *, budget: int = 20_000) -> Equivalence:
    """Find out whether two formulas are the same function, exactly.

    Parameters
    ----------
    first, second : Formula or bool
        Of any class; True asks whether the other is a tautology, False whether it is never true.
    budget : int
        Nodes that the search may visit where there are more than 20 variables.

    Notes
    -----
    Up to 20 variables their truth tables are compared. Beyond that, two DNFs (or two CNFs) are equivalent when no
    term of one has a row that the other leaves uncovered, and a DNF is equivalent to a CNF when its terms and the
    negated clauses share no row and leave none uncovered; a search looks for such rows. Other pairs are
    restricted to both values of one variable after the other, until truth tables settle what is left. A witness is
    evaluated on both formulas before it is returned.

    Examples
    --------
    >>> from conjunct.logic import parse
    >>> equivalence(parse("x1 & x2 | ~x1 & x3"), parse("(~x1 | x2) & (x1 | x3)")).is_equivalent
    True
    >>> equivalence(parse("x1 | x2"), parse("x1"))
    Equivalence(is_equivalent=False, witness={'x1': False, 'x2': True}, how='truth tables over 2 variables')
    >>> bool(equivalence(parse("x1 | ~x1 & x2 | ~x2"), True))
    True
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise FormulaError(f"budget is {shortened(budget)}; expected a positive integer")
    left, right = _formula(first), _formula(second)
    names = natural_order({*left.variables, *right.variables})
    if left == right:
        return Equivalence(True, None, "written alike")
    if len(names) <= MOST_COMPARED_VARIABLES:
        row = _by_tables(left, right, names)
        method = f"truth tables over {len(names)} variable{'s' if len(names) != 1 else ''}"
        return Equivalence(row is None, _verified(left, right, names, row), method)
    try:
        row, n_nodes = _by_search(left, right, budget)
    except OutOfNodesError as error:
        return Equivalence(None, None, str(error))
    return Equivalence(row is None, _verified(left, right, names, row), f"search of {n_nodes:,} nodes")


def _formula(operand: Formula | bool) -> Formula:
    if isinstance(operand, bool):
        return DNF([Term()] if operand else [])
    if not isinstance(operand, Formula):
        raise FormulaError(f"expected a formula, True or False, got {shortened(operand)}; read texts with parse")
    return operand


def _verified(
    first: Formula, second: Formula, names: Sequence[str], partial: dict[str, bool] | None
) -> dict[str, bool] | None:
    """Return what was found as a row of all the variables on which the formulas do differ."""
    if partial is None:
        return None
    row = {name: partial.get(name, False) for name in names}
    if first.value(row) == second.value(row):
        kinds = f"{type(first).__name__} and {type(second).__name__}"
        raise FormulaError(f"{kinds} have other values on a row than in tables or restricted; this is a bug: report it")
    return row


def _by_tables(first: Formula, second: Formula, names: Sequence[str]) -> dict[str, bool] | None:
    """Return a row on which two formulas differ; None if there is none."""
    differs = first.table(names) ^ second.table(names)
    if not differs:
        return None
    row = (differs & -differs).bit_length() - 1
    return {name: bool(row >> k & 1) for k, name in enumerate(names)}


def _by_search(first: Formula, second: Formula, budget: int) -> tuple[dict[str, bool] | None, int]:
    """Return a row on which two formulas differ, or None, and the number of nodes it took."""
    if not isinstance(first, DNF | CNF) or not isinstance(second, DNF | CNF):
        return _by_branching(first, second, budget)
    one, other = (operand if isinstance(operand, DNF) else operand.negated() for operand in (first, second))
    search = Search(Codes({*one.variables, *other.variables}), budget)
    terms, others = ([search.codes.code(term) for term in formula.terms] for formula in (one, other))
    find = _difference if isinstance(first, DNF) == isinstance(second, DNF) else _sameness
    uncovered = find(terms, others, search)
    if uncovered is None:
        return None, search.n_nodes
    return {literal.variable: literal.is_positive for literal in search.codes.term(uncovered).literals}, search.n_nodes


def _difference(terms: list[int], others: list[int], search: Search) -> int | None:
    """Return literals on which one disjunction is true and the other is not; None if there are none."""
    for some, covering in ((terms, others), (others, terms)):
        covers = set(covering)
        for term in some:
            uncovered = None if term in covers else search.uncovered(term, covering)
            if uncovered is not None:
                return uncovered
    return None


def _sameness(terms: list[int], others: list[int], search: Search) -> int | None:
    """Return literals on which both disjunctions are true or both are not; None if each is the other's negation."""
    for term in terms:
        opposite = search.codes.opposite(term)
        for other in others:
            if not other & opposite:
                return term | other
    return search.uncovered(0, [*terms, *others])


def _by_branching(first: Formula, second: Formula, budget: int) -> tuple[dict[str, bool] | None, int]:
    """Restrict both formulas to either value of a variable, depth first, until they are small enough for tables.

    The search ends at the first difference, so a pair that was seen need not be looked at again.
    """
    visited = {(first, second)}
    stack: list[tuple[Formula, Formula, dict[str, bool]]] = [(first, second, {})]
    n_nodes = 0
    while stack:
        one, other, chosen = stack.pop()
        if n_nodes >= budget:
            raise OutOfNodesError(f"undecided within {budget:,} nodes")
        n_nodes += 1
        names = natural_order({*one.variables, *other.variables})
        if len(names) <= MOST_COMPARED_IN_SEARCH:
            row = _by_tables(one, other, names)
            if row is not None:
                return chosen | row, n_nodes
            continue
        branch = _branch(one, other, names)
        for value in (False, True):
            pair = one.restricted(branch, value), other.restricted(branch, value)
            if pair[0] != pair[1] and pair not in visited:
                visited.add(pair)
                stack.append((*pair, chosen | {branch: value}))
    return None, n_nodes


def _branch(first: Formula, second: Formula, names: Sequence[str]) -> str:
    """Return the variable that promises to settle most, in the eyes of each formula alike."""
    total = dict.fromkeys(names, 0.0)
    for scores in (first.branching_scores(), second.branching_scores()):
        largest = max(scores.values(), default=0.0) or 1.0
        for name, score in scores.items():
            total[name] += score / largest
    return max(names, key=total.__getitem__)
