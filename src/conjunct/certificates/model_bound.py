"""What the weights of a kernel machine prove about every tree on the rows it learned from."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.certify_bound import BoundProblem, OutputWeights, require_cells
from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, MonotoneConjunctions, PairSums
from conjunct.models import KernelExpansion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.certificates.labelled_rows import LabelledRows
    from conjunct.learners import LabelledCells

__all__ = ["bound_of_model"]

LITERALS = {Conjunctions: "both", MonotoneConjunctions: "positive"}


def bound_of_model(model: object, table: LabelledRows, price: Fraction | None) -> BoundCertificate:
    """Return what the weights of an expansion prove about partitions of rows, of the form svm; it is not checked yet.

    Parameters
    ----------
    model : KernelExpansion
        Over one kernel of conjunctions, with one output for two classes, and one for each of several.
    table : LabelledRows
        The rows it learned from; others carry no weight.
    price : Fraction or None
        How many parts an error is worth; None where only partitions without errors count.

    Notes
    -----
    Any weights a >= 0 of the rows prove (sum a)^2 / V(a), wherever they come from: a Perceptron's are its mistakes, and
    a score is the sum of them. Source: [kowalczyk2002, Theorems 3 and 4].
    """
    kernel = model.kernel if isinstance(model, KernelExpansion) else None
    if not isinstance(model, KernelExpansion) or not isinstance(kernel, Conjunctions | MonotoneConjunctions):
        raise SettingError(
            "a certificate needs a model over one kernel, Conjunctions or MonotoneConjunctions, no votes"
        )
    n_outputs = 1 if len(table.classes) <= 2 else len(table.classes)
    if model.n_outputs != n_outputs:
        raise SettingError(f"the model has {model.n_outputs} outputs, {len(table.classes)} classes need {n_outputs}")
    n_variables = table.rows.n_variables
    size = n_variables if kernel.largest_size is None else min(kernel.largest_size, n_variables)
    costs = kernel.exact_costs
    leaf_costs = costs[: size + 1] if isinstance(costs, tuple) else costs
    depth = None if size == n_variables else size
    problem = BoundProblem.of(table, price, depth, leaf_costs, LITERALS[type(kernel)])
    cells = problem.cells()
    require_cells(cells[0].n_cells)
    pairs = PairSums(problem.kernel.layout(cells[0].rows), cells[0].rows)
    places = places_of(model.rows, cells[0].rows)
    outputs = []
    for own, weights in zip(cells, model.weights, strict=True):
        net = np.zeros(own.n_cells, np.int64)
        net[places] = weights
        outputs.append(best_split(problem, own, pairs, net))
    return problem.certificate("svm", outputs)


def best_split(problem: BoundProblem, cells: LabelledCells, pairs: PairSums, net: NDArray[np.int64]) -> OutputWeights:
    """Split net weights of the cells among their labels.

    Notes
    -----
    With weights scaled by sum a / V(a), where the bound is reached, the rows of a cell that are fewer have weight too.
    """
    plain = OutputWeights.of_net(cells, pairs, net, Fraction(1), Fraction(0), "svm")
    value, total = plain.value(problem, "svm"), sum(weight for weight, _ in plain.groups())
    if not (total and problem.lam):
        return plain
    split = OutputWeights.of_net(cells, pairs, net, value / total, problem.lam, "svm")
    return split if split.value(problem, "svm") > value else plain


def places_of(rows: BitMatrix, among: BitMatrix) -> NDArray[np.int64]:
    """Return where some rows stand among distinct ones, and refuse rows that do not."""
    places = {words.tobytes(): place for place, words in enumerate(among.words)}
    found = [places.get(words.tobytes(), -1) for words in rows.words]
    if -1 in found:
        raise SettingError("the model has rows that are not among these; give the rows it learned from")
    return np.array(found, np.int64)
