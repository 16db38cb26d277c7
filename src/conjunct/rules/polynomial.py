"""The polynomial that a model is, in full."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from conjunct.errors import SettingError
from conjunct.kernels import MonotoneConjunctions
from conjunct.logic import Polynomial, Term
from conjunct.messages import shortened
from conjunct.rules.named_model import NamedModel
from conjunct.rules.weighing import heaviest, largest_size

if TYPE_CHECKING:
    from conjunct.rules.named_model import Label

__all__ = ["polynomial"]

MOST_CONJUNCTIONS = 100_000


def polynomial(model: Any, label: Label | None = None) -> Polynomial:
    """Return all conjunctions of a model with their exact weights; on every row their sum is the score.

    Parameters
    ----------
    model : estimator, pipeline of a Binarizer and one, TableModel, or frozen model
        As in `conjunctions`; with at most 100,000 conjunctions over its variables.
    label : object
        The class whose score it is; needed where there are several.

    Examples
    --------
    >>> from conjunct import BitMatrix, ConjunctionSVC
    >>> rows, labels = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> machine = ConjunctionSVC(max_size=2, literals="positive", lam="1/8").fit(rows, labels)
    >>> found = polynomial(machine)
    >>> [(str(term), round(float(weight), 3)) for term, weight in found.coefficients]
    [('1', -1.048), ('x1', 0.204), ('x2', 0.204), ('x1 & x2', 1.457)]
    >>> found.value({"x1": 1, "x2": 0}) == machine.model_.scores(BitMatrix.of(["10"]))[0][0]
    True
    """
    named = NamedModel.of(model)
    named.require_conjunctions()
    output = named.output(label)
    if not (named.is_linear or named.is_listed):
        n, most = len(named.names), largest_size(named)
        ways = 1 if isinstance(named.model.kernel, MonotoneConjunctions) else 2
        count = sum(comb(n, size) * ways**size for size in range(most + 1))
        if count > MOST_CONJUNCTIONS:
            raise SettingError(
                f"model: {shortened(count)} conjunctions over {n} variables, limit is {MOST_CONJUNCTIONS}; "
                "conjunctions(model) finds the heaviest"
            )
    weights = heaviest(named, output).found
    return Polynomial({Term(named.reader.literals(literals)): weight for literals, weight in weights})
