"""Rows labelled by a random decision tree or decision list, with label noise on demand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits.randomness import random_below, random_bits, random_permutation
from conjunct.datasets.random_rows import RULE_STREAM, labelled_table, uniform_rows
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.tables.table import Table
    from conjunct.theory import Exact

__all__ = ["random_decision_list", "random_tree"]


def random_tree(n_variables: int, n_leaves: int, *, n_rows: int, seed: int, noise: Exact = 0) -> Table:
    """Uniform random rows labelled by a random decision tree.

    The tree grows from a single leaf: a random leaf is split on a random variable that its path has not tested, and its
    two new leaves get different labels, until there are enough. So no two sibling leaves agree.

    Parameters
    ----------
    n_variables : int
        Number of variables, at least 1; they are named x1 to xn.
    n_leaves : int
        Number of leaves, from 2 to 2**n_variables.
    n_rows : int
        Number of rows, at least 1.
    seed : int
        Seed of tree, rows and noise. The tree and the first rows stay the same when `n_rows` grows; tree and rows
        stay the same when `noise` changes.
    noise : int, float, str or Fraction, default=0
        Probability that a label is flipped, from 0 to 1. A float means the decimal it prints as: 0.1 is 1/10.

    Returns
    -------
    Table
        Labels 0 and 1; the target is the tree before noise.

    Examples
    --------
    >>> random_tree(5, 4, n_rows=10, seed=1).target
    'x1 ? (x3 ? 0 : (x2 ? 0 : 1)) : 1'
    """
    n_variables = whole_number(n_variables, "n_variables")
    n_leaves = whole_number(n_leaves, "n_leaves", least=2, most=2**n_variables)
    rows = uniform_rows(n_rows, n_variables, seed)
    root = _Node(random_bits(seed, 1, stream=RULE_STREAM).item(), frozenset())
    open_leaves = [root]
    for stream in count(RULE_STREAM + 1, 3):
        leaf = open_leaves.pop(random_below(seed, len(open_leaves), 1, stream=stream).item())
        free = sorted(set(range(n_variables)) - leaf.tested)
        leaf.variable = free[random_below(seed, len(free), 1, stream=stream + 1).item()]
        tested = leaf.tested | {leaf.variable}
        one = random_bits(seed, 1, stream=stream + 2).item()
        leaf.children = (_Node(1 - one, tested), _Node(one, tested))
        if len(free) > 1:
            open_leaves.extend(leaf.children)
        n_leaves -= 1
        if n_leaves == 1:
            break
    values = np.zeros(len(rows), dtype=np.bool_)
    root.fill(rows, np.arange(len(rows)), values)
    return labelled_table("random-tree", rows, values, root.printed(), seed, noise)


@dataclass(slots=True)
class _Node:
    """A leaf with its label, until it gets a variable and the children for its values 0 and 1."""

    label: int
    tested: frozenset[int]
    variable: int = -1
    children: tuple[_Node, _Node] | None = None

    def fill(self, rows: NDArray[np.uint8], indices: NDArray[np.int64], values: NDArray[np.bool_]) -> None:
        """Write the label of each row that arrives here."""
        if self.children is None:
            values[indices] = self.label
            return
        is_one = rows[indices, self.variable] == 1
        self.children[0].fill(rows, indices[~is_one], values)
        self.children[1].fill(rows, indices[is_one], values)

    def printed(self) -> str:
        """Return the tree as `conjunct.logic.DecisionTree` prints it."""
        if self.children is None:
            return str(self.label)
        zero, one = (f"({child.printed()})" if child.children else child.printed() for child in self.children)
        return f"x{self.variable + 1} ? {one} : {zero}"


def random_decision_list(
    n_variables: int, n_rules: int, *, n_rows: int, seed: int, term_size: int = 1, noise: Exact = 0
) -> Table:
    """Uniform random rows labelled by a random decision list: the first rule whose term holds gives the label.

    Parameters
    ----------
    n_variables : int
        Number of variables, at least 1; they are named x1 to xn.
    n_rules : int
        Number of rules before the default; no two test the same set of variables.
    n_rows : int
        Number of rows, at least 1.
    seed : int
        Seed of list, rows and noise. The list and the first rows stay the same when `n_rows` grows; list and rows
        stay the same when `noise` changes.
    term_size : int, default=1
        Number of literals of each term, from 1 to n_variables.
    noise : int, float, str or Fraction, default=0
        Probability that a label is flipped, from 0 to 1. A float means the decimal it prints as: 0.1 is 1/10.

    Returns
    -------
    Table
        Labels 0 and 1; the target is the list before noise. The default differs from the label of the last rule.

    Examples
    --------
    >>> random_decision_list(8, 3, n_rows=10, seed=1).target
    '~x5 -> 1; ~x4 -> 0; ~x2 -> 1; 0'
    """
    n_variables = whole_number(n_variables, "n_variables")
    term_size = whole_number(term_size, "term_size", most=n_variables)
    n_rules = whole_number(n_rules, "n_rules", most=comb(n_variables, term_size))
    rows = uniform_rows(n_rows, n_variables, seed)
    signs: dict[tuple[int, ...], list[int]] = {}
    for stream in count(RULE_STREAM + 1, 2):
        variables = tuple(sorted(random_permutation(seed, n_variables, stream=stream)[:term_size].tolist()))
        signs.setdefault(variables, random_bits(seed, term_size, stream=stream + 1).tolist())
        if len(signs) == n_rules:
            break
    outputs = random_bits(seed, n_rules, stream=RULE_STREAM).tolist()
    default = 1 - outputs[-1]
    values = np.full(len(rows), default, dtype=np.bool_)
    is_open = np.ones(len(rows), dtype=np.bool_)
    parts = []
    for (variables, pattern), output in zip(signs.items(), outputs, strict=True):
        holds = is_open & (rows[:, variables] == np.array(pattern)).all(axis=1)
        values[holds] = output
        is_open &= ~holds
        literals = (f"{'' if sign else '~'}x{i + 1}" for i, sign in zip(variables, pattern, strict=True))
        parts.append(f"{' & '.join(literals)} -> {output}")
    return labelled_table("random-decision-list", rows, values, "; ".join([*parts, str(default)]), seed, noise)
