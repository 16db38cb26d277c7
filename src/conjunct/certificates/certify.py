"""certify_tree: the cheapest tree, or a bound on all trees, and the certificate that proves it."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Any

from conjunct.bits import thread_count
from conjunct.certificates.certificate import AnyCertificate
from conjunct.certificates.certify_auto import certify_by_any
from conjunct.certificates.certify_bound import METHODS, BoundProblem, bound_of_rows
from conjunct.certificates.certify_lemmas import certify_rows
from conjunct.certificates.certify_linear import linear_bound
from conjunct.certificates.checker import SECONDS_LIMIT, TOO_DEAR
from conjunct.certificates.checking import run_checker
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.certificates.tree_certificate import TreeCertificate
from conjunct.certificates.tree_costs import TreeCosts, row_costs
from conjunct.errors import CertificateError, SettingError
from conjunct.settings import choice, flag
from conjunct.tables.classes import class_numbers

__all__ = ["certify_tree", "checked", "jobs_for"]

MOST_PROCESSES = 8
STEPS_WORTH_PROCESSES = 10**6  # of a check: about a second


def certify_tree(
    X: Any,
    y: Any,
    *,
    max_depth: int | None = 4,
    error_price: object = 1,
    method: str = "auto",
    time_limit: float | None = 60,
    max_nodes: int | None = None,
    memory_limit: int | None = None,
    check: bool = True,
    sample_weight: Any = None,
    class_weight: Any = None,
    cost_matrix: Any = None,
    min_samples_leaf: int = 1,
    leaf_costs: Any = None,
) -> TreeCertificate:
    """Find the decision tree with the least leaves + error_price * errors, and prove that there is none cheaper.

    Parameters
    ----------
    X : array, sparse matrix, data frame, lists, digit strings or BitMatrix of zeros and ones
        The tests that trees are made of, a column each.
    y : array-like
        One label for each row, of any number of kinds.
    max_depth : int or None, default 4
        The most tests on a path; None is any number.
    error_price : int, Fraction, "p/q", float or None, default 1
        How many leaves an error is worth; None allows trees without errors only.
    method : {"auto", "lemmas", "lp", "box", "ridge", "svm", "margin", "perceptron"}, default "auto"
        Lemmas are the log of a search for the cheapest tree: it ends with that tree and proves it, where it ends. The
        others give a bound on every partition of the rows into conjunctions, by weights of the rows. Those of lp solve
        a linear program over all conjunctions: the bound is the largest, and walks over conjunctions prove it. The
        others are weights by a kernel machine: the bound of box is the largest of them, then ridge, then the three
        that have the weights of a support vector machine. Auto looks for lemmas; where their search does not end in
        50 % of the time, for lemmas on trees of any depth, until 60 %; then for weights by box and lp, if these are
        predicted to fit the rest. What proves most is returned, and its `attempts` say what was tried.
    time_limit : float or None, default 60
        Seconds to search; what was proved until then is the certificate.
    max_nodes : int, optional
        Nodes to search, or iterations or rounds for weights; with the same number the certificate has the same bytes.
        With it auto looks for lemmas alone.
    memory_limit : int, optional
        Bytes that the search for lemmas may take: bounds are forgotten to keep it, and where lemmas alone pass it the
        search ends with what was proved until then. As much as this process may use if left out.
    check : bool, default True
        Let the checker, in a process of its own, prove the certificate again; then it is `certified`.
    sample_weight : array-like, optional
        What an error on each row costs; 0 leaves a row out.
    class_weight : dict or "balanced", optional
        What an error on a row of each class costs, times that.
    cost_matrix : array-like, optional
        ``cost_matrix[i][k]``: what it costs to call a row of the i-th class the k-th, in sorted order. Of lemmas only.
    min_samples_leaf : int, default 1
        The fewest rows of a leaf. Of lemmas only.
    leaf_costs : sequence K_0..K_d or Geometric, optional
        What a leaf costs by its depth, with weights only; 1 if absent. Geometric(2), that is 1/2**j, bounds the errors
        of every tree of a depth, whatever its leaves; 1, 1, 2, 3, .. bounds the lengths of paths.

    Returns
    -------
    TreeCertificate
        With weights a BoundCertificate, whose file has no tree; by auto, its `beside` is the search that found one.

    Notes
    -----
    Sums stay within 62 bits: weights that would pass that are rounded to the finest binary grid that does not, and the
    certificate lists, and is about, the rounded ones. See docs/certificates.md for what is certified and what is not.

    Examples
    --------
    >>> import conjunct
    >>> rows = [f"{number:03b}" for number in range(8)]
    >>> certificate = conjunct.certify_tree(rows, [row.count("1") >= 2 for row in rows], error_price=3)
    >>> print(certificate.claim.splitlines()[0])
    Every decision tree over these 3 yes/no tests, of depth at most 4, has leaves + 3 * errors >= 6 on these 8 rows.
    >>> certificate.optimal, certificate.certified, certificate.witness.n_leaves
    (True, True, 6)
    >>> print(conjunct.certify_tree(rows, [row.count("1") >= 2 for row in rows], error_price=3, method="box"))
    Every partition of these 8 rows into conjunctions of at most 3 literals of these 3 yes/no tests, hence every
    decision tree of depth at most 4, has parts + 3 * errors >= 3.
    The rows are canonical rows, whose digest the certificate names; it does not name their table.
    a bound (certified)
    """
    table = LabelledRows.of(X, y)
    labels = class_numbers(y, table.n_rows)[0].tolist()
    costs = TreeCosts.of(error_price, cost_matrix, len(table.classes))
    weighted = table.with_costs(row_costs(table, sample_weight, class_weight, labels))
    if choice(method, "method", ["auto", "lemmas", "lp", *METHODS]) not in ("auto", "lemmas"):
        if cost_matrix is not None or min_samples_leaf != 1 or memory_limit is not None:
            raise SettingError('cost_matrix, min_samples_leaf and memory_limit go with method="lemmas" or "auto" only')
        problem = BoundProblem.of(weighted, costs.price, max_depth, leaf_costs)
        if method == "lp":
            bound = linear_bound(problem, time_limit=time_limit, max_rounds=max_nodes)
        else:
            bound = bound_of_rows(problem, method, time_limit=time_limit, max_iter=max_nodes)
        return checked(bound) if flag(check, "check") else bound
    if leaf_costs is not None:
        raise SettingError('leaf_costs go with weights, such as method="box"; of lemmas every leaf costs 1')
    limits: dict[str, Any] = {"max_depth": max_depth, "min_samples_leaf": min_samples_leaf, "time_limit": time_limit}
    if method == "auto" and max_nodes is None:
        certificate = certify_by_any(weighted, costs, memory_limit=memory_limit, **limits)
    else:
        certificate = certify_rows(weighted, costs, memory_limit=memory_limit, max_nodes=max_nodes, **limits)
    return checked(certificate) if flag(check, "check") else certificate


def jobs_for(certificate: AnyCertificate) -> int:
    """Return how many processes check a certificate: one for every thread to use, one alone where it is short."""
    n_steps = certificate.n_pairs + len(certificate.tests) * len(certificate.lemmas)
    return min(thread_count(), MOST_PROCESSES) if n_steps >= STEPS_WORTH_PROCESSES else 1


def checked(certificate: AnyCertificate, data: str | None = None, *, limit: int = SECONDS_LIMIT) -> AnyCertificate:
    """Run the checker on a certificate and its rows, or the table it names; where it accepts, that is noted.

    A check that would take longer than the limit leaves it not certified; one that rejects raises a CertificateError.
    """
    start = perf_counter()
    try:
        run_checker(certificate, data, limit=limit, jobs=jobs_for(certificate))
    except CertificateError as error:
        if error.code != TOO_DEAR:
            raise
        return certificate
    return replace(certificate, certified=True, check_seconds=perf_counter() - start)
