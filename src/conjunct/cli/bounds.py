"""Bounds by weights of the rows, as ``conjunct certify`` asks for them: which methods a kind has, search and check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conjunct.errors import SettingError

if TYPE_CHECKING:
    from fractions import Fraction

    from conjunct.certificates.labelled_rows import LabelledRows

__all__ = ["METHODS", "SEARCHES", "TREE_METHODS", "method_of", "weighed_rows"]

SEARCHES = ("auto", "lemmas")  # methods that look for the best tree
TREE_METHODS = (*SEARCHES, "lp", "box", "ridge", "svm", "margin", "perceptron")  # the default first
METHODS = {"tree": TREE_METHODS, "dnf": ("lp", "cover"), "cnf": ("lp", "cover")}


def weighed_rows(
    rows: LabelledRows,
    price: Fraction | None,
    depth: int | None,
    seconds: float | None,
    given: dict[str, Any],
    *,
    is_shown: bool,
) -> Any:
    """Return a bound by weights of the rows, checked unless that is not wanted; of DNFs and CNFs with a formula."""
    from conjunct.certificates.certify import checked
    from conjunct.certificates.certify_bound import BoundProblem, bound_of_rows
    from conjunct.certificates.certify_dnf import formula_of_rows
    from conjunct.certificates.certify_linear import linear_bound
    from conjunct.evaluation.progress import waiting

    kind, method = given["kind"], given["method"]
    with waiting("searching for weights" if kind == "tree" else f"searching for a {kind.upper()}", is_shown=is_shown):
        problem = BoundProblem.of(rows, price, depth, kind="partition" if kind == "tree" else kind)
        weighed: Any
        if kind != "tree":
            weighed = formula_of_rows(problem, method, time_limit=seconds, max_rounds=given["nodes"])
        elif method == "lp":
            weighed = linear_bound(problem, time_limit=seconds, max_rounds=given["nodes"])
        else:
            weighed = bound_of_rows(problem, method, time_limit=seconds, max_iter=given["nodes"])
    if given["no_check"]:
        return weighed
    with waiting("checking weights", is_shown=is_shown):
        return checked(weighed, limit=given["limit"])


def method_of(kind: str, method: str | None) -> str:
    """Return the method, or the default of a kind; refuse one of another kind."""
    if method is None:
        return METHODS[kind][0]
    if method not in METHODS[kind]:
        raise SettingError(f"--method {method}: --kind {kind} has no such, expected {', '.join(METHODS[kind])}")
    return method
