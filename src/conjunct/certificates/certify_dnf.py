"""Making certificates of DNFs and CNFs: the fewest terms, by a covering program and the best cover that is found."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, frexp
from operator import mul
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.certify import checked
from conjunct.certificates.certify_bound import BoundProblem, require_cells, stopping_at
from conjunct.certificates.certify_linear import linear_evidence, program_of, trivial_bound
from conjunct.certificates.formula_certificate import FormulaCertificate
from conjunct.certificates.formula_search import cheapest_formula, cost_of, grown_terms
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.certificates.tree_costs import row_costs
from conjunct.errors import SettingError
from conjunct.kernels import PairSums
from conjunct.learners.margin.cover_dual import cover_weights
from conjunct.settings import choice, flag, positive_number
from conjunct.tables.classes import class_numbers

__all__ = ["certify_dnf", "formula_of_rows"]

GROWN_SHARE = 0.1  # of the time is for first terms
PROGRAM_SHARE = {"lp": 0.5, "cover": 0.2}  # of the time is for the program, which finds terms too
PROOF_SHARE = 0.8  # when the proof ends; the rest is for the formula
COVER_NODES = 100  # of the search for the cheapest formula, where rounds are limited: the same in every run
COVER_BITS = 30  # of the largest weight of the form cover


def certify_dnf(
    X: Any,
    y: Any,
    *,
    kind: str = "dnf",
    max_term_size: int | None = None,
    error_price: object = None,
    literals: str = "both",
    method: str = "lp",
    time_limit: float | None = 60,
    max_nodes: int | None = None,
    check: bool = True,
    sample_weight: Any = None,
    class_weight: Any = None,
) -> FormulaCertificate:
    """Find a DNF with few terms for the second class, and prove how few any DNF has.

    Parameters
    ----------
    X : array, sparse matrix, data frame, lists, digit strings or BitMatrix of zeros and ones
        The variables, a column each.
    y : array-like
        One label for each row, of two kinds; the DNF is for the second in sorted order.
    kind : {"dnf", "cnf"}
        Whether it is about DNFs, or about CNFs: their negations are the DNFs for the first class.
    max_term_size : int, optional
        The most literals of a term or clause; any number if absent.
    error_price : int, Fraction, "p/q", float or None, default None
        None allows only DNFs without errors. Otherwise how many terms an error is worth: a row of the class that the
        DNF misses is one, and each other row one for every term that holds on it.
    literals : {"both", "positive"}
        Whether a term may say that a variable is false.
    method : {"lp", "cover"}
        The evidence: the dual of a covering program, or weights by a kernel machine, which prove less.
    time_limit : float or None, default 60
        Seconds to search.
    max_nodes : int, optional
        Rounds to search; with the same number the certificate has the same bytes.
    check : bool, default True
        Let the checker, in a process of its own, prove the certificate again; then it is `certified`.
    sample_weight, class_weight : optional
        What an error on each row costs, as `certify_tree` takes them; with `error_price` only.

    Returns
    -------
    FormulaCertificate

    Examples
    --------
    >>> import conjunct
    >>> rows = [f"{number:03b}" for number in range(8)]
    >>> majority = conjunct.certify_dnf(rows, [row.count("1") >= 2 for row in rows])
    >>> print(majority.formula, majority.bound, majority.optimal, majority.certified)
    x1 & x2 | x1 & x3 | x2 & x3 3 True True
    >>> print(majority.claim.splitlines()[0])
    Every DNF whose terms have literals of these 3 yes/no tests, if it tells class 'True' from the rest of these 8
    rows, has at least 3 terms.
    """
    table = LabelledRows.of(X, y)
    labels = class_numbers(y, table.n_rows)[0].tolist()
    if len(table.classes) > 2:
        raise SettingError(f"y has {len(table.classes)} classes; a DNF is about two: compare y with one of them")
    weighted = table.with_costs(row_costs(table, sample_weight, class_weight, labels))
    price = None if error_price is None else positive_number(error_price, "error_price")
    kind = choice(kind, "kind", ["dnf", "cnf"])
    if kind == "cnf" and literals == "positive":
        raise SettingError('literals="positive" goes with kind="dnf": the clauses of a CNF would have negations only')
    problem = BoundProblem.of(weighted, price, max_term_size, None, literals, kind)
    found = formula_of_rows(problem, method, time_limit=time_limit, max_rounds=max_nodes)
    return checked(found) if flag(check, "check") else found


def formula_of_rows(
    problem: BoundProblem, method: str = "lp", *, time_limit: float | None = 60, max_rounds: int | None = None
) -> FormulaCertificate:
    """Search for weights and for a formula, and return what they prove; it is not checked yet."""
    start, begin = perf_counter(), monotonic()
    if problem.is_impossible:
        bound = trivial_bound(problem, choice(method, "method", list(PROGRAM_SHARE)))
        return FormulaCertificate(bound.header, (), rows=problem.table, n_nodes=0, seconds=perf_counter() - start)
    shares = PROGRAM_SHARE[choice(method, "method", list(PROGRAM_SHARE))], PROOF_SHARE, 1
    program_end, proof_end, end = (None if time_limit is None else begin + share * time_limit for share in shares)
    grown_end = None if time_limit is None else begin + GROWN_SHARE * time_limit
    program = program_of(problem, grown_terms(problem, grown_end))
    dual = program.solve(end=program_end, max_rounds=max_rounds, grid=1 / problem.grid)
    stopped_by, n_rounds = "closed" if dual.is_closed else "nodes" if max_rounds is not None else "time", dual.n_rounds
    if method == "lp":
        bound = linear_evidence(problem, program, dual, proof_end)
    else:
        bound, n_rounds, stopped_by = cover_bound(problem, proof_end, max_rounds)
    least = max(bound.bound, problem.on_grid(Fraction(dual.value))) if dual.is_closed else bound.bound
    seconds = None if end is None else max(1.0, end - monotonic())
    max_nodes = None if max_rounds is None else COVER_NODES
    terms = cheapest_formula(problem, program.columns, float(least), seconds, max_nodes)
    known: dict[str, Any] = {}
    if terms is not None:
        known = {"upper": str(cost_of(problem, terms)), "witness": [list(term) for term in terms]}
    run: dict[str, Any] = {"stopped_by": stopped_by, "n_nodes": n_rounds, "seconds": perf_counter() - start}
    return FormulaCertificate(bound.header | known, bound.lemmas, rows=problem.table, **run)


def cover_bound(problem: BoundProblem, end: float | None, max_sweeps: int | None) -> tuple[BoundCertificate, int, str]:
    """Return what weights of the form cover prove, the sweeps that they took, and why these ended."""
    if problem.size == 0:  # no conjunction but the empty one: what is trivial is all there is
        return trivial_bound(problem, "cover"), 0, "closed"
    cells, masses = problem.masses
    require_cells(len(masses))
    own = np.array(
        [[float(sum(cell) - cell[k]) for k in (1 - problem.positive_class, problem.positive_class)] for cell in masses]
    )
    positive, negative = own.T
    price = None if problem.price is None else float(problem.price)
    gram = problem.kernel.gram(cells) - 1  # without the empty conjunction
    found, n_sweeps, stopped_by = cover_weights(
        gram, positive, negative, price, is_stopped=stopping_at(end), max_sweeps=max_sweeps
    )
    largest = max(float(np.abs(found).max()), 1e-300)
    exponent = frexp(largest)[1] - COVER_BITS
    weights = [int(weight) for weight in np.rint(np.ldexp(found, -exponent)).tolist()]
    unit = Fraction(2) ** exponent
    if problem.price is not None:  # not below what is feasible
        least = [ceil(-problem.price * (sum(cell) - cell[problem.positive_class]) / 2 / unit) for cell in masses]
        weights = list(map(max, weights, least))
    else:
        weights = [max(0, w) if cell[problem.positive_class] else w for w, cell in zip(weights, masses, strict=True)]
    value, trivial = cover_value(problem, weights, unit), problem.trivial()
    lines = (" ".join(["w", *map(str, weights)]),) if value > trivial else ()
    header = problem.header("cover", exponent if lines else 0, problem.on_grid(max(value, trivial)))
    return (
        BoundCertificate(header, lines, rows=problem.table),
        n_sweeps,
        "closed" if stopped_by == "gap" else stopped_by,
    )


def cover_value(problem: BoundProblem, weights: list[int], unit: Fraction) -> Fraction:
    """Return what weights of the form cover prove, exactly."""
    cells, masses = problem.masses
    pairs = PairSums(problem.kernel.layout(cells), cells)
    sums = pairs.exact(problem.kernel, np.array(weights, np.int64)).tolist()
    norm = Fraction(sum(map(mul, weights, sums)), problem.kernel.layout(cells).denominator) - sum(weights) ** 2
    sides = [(cell[problem.positive_class], sum(cell) - cell[problem.positive_class]) for cell in masses]
    if not any(n for _, n in sides):
        return Fraction(0)
    if problem.price is None:
        total = sum(weight for weight, (p, _) in zip(weights, sides, strict=True) if p)
        if norm == 0 and total:
            return Fraction(problem.table.n_rows + 1)
        return total * total / norm if total else Fraction(0)
    price = problem.price
    gains = (min(price * p, 2 * unit * weight + price * n) for weight, (p, n) in zip(weights, sides, strict=True))
    return min(sum(gains, Fraction()) - unit**2 * norm, 1 + price * sum((n for _, n in sides), Fraction()))
