"""Rows labelled by a random threshold of literals or a random half-space, with label noise on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits.randomness import random_below, random_bits, random_permutation
from conjunct.datasets.random_rows import RULE_STREAM, labelled_table, uniform_rows
from conjunct.logic import Threshold
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from conjunct.tables.table import Table
    from conjunct.theory import Exact

__all__ = ["half_space", "random_threshold"]


def random_threshold(
    n_variables: int,
    n_literals: int,
    *,
    n_rows: int,
    seed: int,
    threshold: int | None = None,
    noise: Exact = 0,
    monotone: bool = False,
) -> Table:
    """Uniform random rows labelled 1 iff at least so many of some random literals hold.

    Parameters
    ----------
    n_variables : int
        Number of variables, at least 1; they are named x1 to xn.
    n_literals : int
        Number of literals, on different variables, from 1 to n_variables.
    n_rows : int
        Number of rows, at least 1.
    seed : int
        Seed of literals, rows and noise. The literals and the first rows stay the same when `n_rows` grows; literals
        and rows stay the same when `noise` changes.
    threshold : int, optional
        How many literals must hold, from 1 to n_literals; by default half of them, rounded up.
    noise : int, float, str or Fraction, default=0
        Probability that a label is flipped, from 0 to 1. A float means the decimal it prints as: 0.1 is 1/10.
    monotone : bool, default=False
        Use positive literals only. By default the sign of each literal is a fair coin.

    Returns
    -------
    Table
        Labels 0 and 1; the target is the rule before noise.

    Examples
    --------
    >>> random_threshold(8, 3, n_rows=10, seed=1).target
    '~x2 + ~x4 + ~x5 >= 2'
    """
    n_variables = whole_number(n_variables, "n_variables")
    n_literals = whole_number(n_literals, "n_literals", most=n_variables)
    if threshold is None:
        threshold = (n_literals + 1) // 2
    threshold = whole_number(threshold, "threshold", most=n_literals)
    rows = uniform_rows(n_rows, n_variables, seed)
    variables = np.sort(random_permutation(seed, n_variables, stream=RULE_STREAM)[:n_literals])
    signs = random_bits(seed, n_literals, stream=RULE_STREAM + 1)
    if monotone:
        signs = np.ones_like(signs)
    values = (rows[:, variables] == signs).sum(axis=1) >= threshold
    literals = (f"{'' if sign else '~'}x{i + 1}" for i, sign in zip(variables.tolist(), signs, strict=True))
    target = f"{' + '.join(literals)} >= {threshold}"
    return labelled_table("random-threshold", rows, values, target, seed, noise)


def half_space(n_variables: int, *, n_rows: int, seed: int, max_weight: int = 9, noise: Exact = 0) -> Table:
    """Uniform random rows labelled 1 iff a random integer combination of the variables reaches a threshold.

    Parameters
    ----------
    n_variables : int
        Number of variables, at least 1; they are named x1 to xn.
    n_rows : int
        Number of rows, at least 1.
    seed : int
        Seed of weights, rows and noise. The weights and the first rows stay the same when `n_rows` grows; weights and
        rows stay the same when `noise` changes.
    max_weight : int, default=9
        Largest absolute weight, from 1 to 2**31. Each weight is uniform on -max_weight to max_weight without 0.
    noise : int, float, str or Fraction, default=0
        Probability that a label is flipped, from 0 to 1. A float means the decimal it prints as: 0.1 is 1/10.

    Returns
    -------
    Table
        Labels 0 and 1; the target is the inequality before noise. Its threshold is half the sum of the weights,
        rounded up, which is the mean of the left side over all rows: about half of the rows reach it.

    Examples
    --------
    >>> half_space(4, n_rows=10, seed=1).target
    'x1 - 8*x2 + 7*x3 - 7*x4 >= -3'
    """
    n_variables = whole_number(n_variables, "n_variables")
    max_weight = whole_number(max_weight, "max_weight", most=2**31)
    rows = uniform_rows(n_rows, n_variables, seed)
    draws = random_below(seed, 2 * max_weight, n_variables, stream=RULE_STREAM) - max_weight
    weights = np.where(draws >= 0, draws + 1, draws)
    threshold = -(-int(weights.sum()) // 2)
    values = rows.astype(np.int64) @ weights >= threshold
    target = str(Threshold({f"x{i}": weight for i, weight in enumerate(weights.tolist(), 1)}, threshold))
    return labelled_table("half-space", rows, values, target, seed, noise)
