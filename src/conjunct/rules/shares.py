"""What each column contributes to the score of a row: every conjunction divides its weight among its literals."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from conjunct.kernels import MonotoneConjunctions
from conjunct.rules.readable_terms import ALWAYS
from conjunct.rules.weighing import heaviest, linear_weights

if TYPE_CHECKING:
    from conjunct.bits import BitMatrix
    from conjunct.rules.named_model import NamedModel

__all__ = ["Share", "column_shares", "variable_shares"]


class Share(NamedTuple):
    """What a column contributes to the score of a row, with what the row has there, as people say it."""

    text: str
    weight: Fraction


def variable_shares(named: NamedModel, output: int, row: BitMatrix) -> tuple[Fraction, list[Fraction]]:
    """Return the weight of the empty conjunction and the share of each variable in the score of a row.

    Notes
    -----
    Of the conjunctions that hold on the row and on row i of the expansion, which agree on s_i variables, those that
    hold variable j weigh sum_t C(s_i - 1, t - 1) / (t K_t) = (K(x, x_i) - 1 / K_0) / s_i, each divided by its size t,
    if j is one of the s_i. So the share of j is unit times the sum of a_i (K(x, x_i) - 1 / K_0) / s_i over these rows:
    `conjunct.theory.literal_shares`, without a look at any conjunction.
    """
    bits, model = row.to_array()[0].astype(bool), named.model
    if named.is_linear:
        variables = np.flatnonzero(bits).tolist()
        constant, weights_of_row = linear_weights(model, output, variables)
        shares = dict(zip(variables, weights_of_row, strict=True))
        return constant, [shares.get(variable, Fraction()) for variable in range(len(bits))]
    if named.is_listed:
        shares = dict.fromkeys(range(len(bits)), Fraction())
        constant = Fraction()
        for literals, weight in heaviest(named, output, row=row).found:
            constant += 0 if literals else weight
            for literal in literals:
                shares[literal // 2] += weight / len(literals)
        return constant, list(shares.values())
    cells = model.rows.to_array().astype(bool)
    agrees = cells & bits if isinstance(model.kernel, MonotoneConjunctions) else cells == bits
    n_agreeing, weights = agrees.sum(axis=1), model.weights[output]
    empty, *table = model.kernel.table(len(bits))
    counts = np.unique(n_agreeing[n_agreeing > 0]).tolist()
    parts = [model.unit * (table[count - 1] - empty) / count for count in counts]
    common = lcm(*(part.denominator for part in parts))
    totals = [0] * len(bits)  # in units of 1 / common
    for count, part in zip(counts, parts, strict=True):
        has_count = n_agreeing == count
        sums, factor = (weights[has_count] @ agrees[has_count]).tolist(), int(part * common)
        totals = [total + factor * weight for total, weight in zip(totals, sums, strict=True)]
    return model.unit * empty * sum(weights.tolist()), [Fraction(total, common) for total in totals]


def column_shares(named: NamedModel, output: int, row: BitMatrix, score: Fraction) -> tuple[Share, ...]:
    """Return the shares of the columns of a row, the largest first; they add up to its score."""
    empty, by_variable = variable_shares(named, output, row)
    bits = row.to_array()[0].tolist()
    kernel = getattr(named.model, "kernel", None)
    has_negations = not named.is_linear and not isinstance(kernel, MonotoneConjunctions)
    literals = [2 * j + bit for j, bit in enumerate(bits) if bit or has_negations]
    shares = [
        Share(named.reader.text(group), sum((by_variable[literal // 2] for literal in group), Fraction()))
        for group in named.reader.by_column(literals).values()
    ]
    rest = score - empty - sum(by_variable, Fraction())
    shares += [Share(ALWAYS, empty), Share("(names that were never seen)", rest)]
    return tuple(sorted((share for share in shares if share.weight), key=lambda share: -abs(share.weight)))
