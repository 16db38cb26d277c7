"""The nodes of a decision tree, read from its polynomial or from scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from conjunct.errors import FormulaError
from conjunct.logic.formula import members
from conjunct.logic.literal import Literal
from conjunct.logic.polynomial import Polynomial, printed_number, require_polynomial
from conjunct.logic.term import Term
from conjunct.logic.tree_nodes import Node
from conjunct.messages import printable, shortened

__all__ = ["nodes_of_polynomial", "nodes_of_sklearn"]

Leaf = tuple[dict[str, Literal], bool]  # the literals of its path by variable, and its label


def nodes_of_polynomial(polynomial: Polynomial) -> list[Node]:
    """Return the nodes of a tree that has a polynomial.

    Notes
    -----
    The terms of a tree share the variable at its root. Any variable that they share may be the root: where every
    path of both branches tests v, v can be moved up, u ? (v ? A : B) : (v ? C : D) = v ? (u ? A : C) : (u ? B : D),
    and the paths stay the same sets of literals. So the first shared variable is taken, and no choice is undone.
    """
    require_polynomial(polynomial)
    for term, number in polynomial.coefficients:
        if abs(number) != 1:
            raise FormulaError(
                f"the coefficient of {printable(term)} is {printed_number(number)}; in a tree each is 1 or -1"
            )
    leaves = [
        ({literal.variable: literal for literal in term.literals}, number > 0)
        for term, number in polynomial.coefficients
    ]
    nodes: list[Node] = []
    stack: list[tuple[tuple[Literal, ...], list[Leaf]]] = [((), leaves)]
    while stack:
        path, below = stack.pop()
        if not below:
            raise FormulaError(f"no term of the polynomial holds where {_shown(path)} does; in a tree one would")
        shortest, label = min(below, key=lambda leaf: len(leaf[0]))
        if len(below) == 1 and len(shortest) == len(path):
            nodes.append(label)
            continue
        tested = {literal.variable for literal in path}
        shared = (name for name in shortest if name not in tested and all(name in leaf for leaf, _ in below))
        name = next(shared, None)
        if name is None:
            raise FormulaError(f"the terms that hold where {_shown(path)} does share no variable; in a tree they would")
        nodes.append(name)
        branches = (Literal(name, False), Literal(name, True))
        stack += [((*path, literal), [leaf for leaf in below if leaf[0][name] == literal]) for literal in branches]
    return nodes


def _shown(path: tuple[Literal, ...]) -> str:
    return printable(Term(path))


def nodes_of_sklearn(tree: Any, names: Iterable[str] | None) -> list[Node]:
    """Return the nodes of a fitted scikit-learn tree: left, where a column is 0, and right, where it is 1."""
    fitted, classes = getattr(tree, "tree_", None), getattr(tree, "classes_", None)
    if fitted is None or classes is None:
        raise FormulaError(f"{type(tree).__name__} is no fitted DecisionTreeClassifier; fit one first")
    if getattr(tree, "n_outputs_", 1) != 1 or len(classes) != 2:
        raise FormulaError(f"the tree has {len(classes)} classes or more than one output; expected two classes")
    columns = _column_names(tree, names)
    nodes: list[Node] = []
    stack: list[tuple[int, frozenset[str]]] = [(0, frozenset())]
    while stack:
        index, tested = stack.pop()
        left, right = int(fitted.children_left[index]), int(fitted.children_right[index])
        if left == right:  # both -1 at a leaf
            nodes.append(bool(np.argmax(fitted.value[index, 0]) == 1))
            continue
        name, cut = columns[int(fitted.feature[index])], float(fitted.threshold[index])
        if not 0 <= cut < 1 or name in tested:  # 0 goes left, 1 right
            suffix = " once more" if name in tested else ""
            raise FormulaError(
                f"the tree compares column {shortened(name)} with {cut:g}{suffix}, which a 0/1 column has no use for; "
                "train it on conjunct.Binarizer().fit_transform(X)"
            )
        nodes.append(name)
        stack += [(child, tested | {name}) for child in (left, right)]
    return nodes


def _column_names(tree: Any, names: Iterable[str] | None) -> list[str]:
    n_columns = int(tree.n_features_in_)
    if names is None:
        names = getattr(tree, "feature_names_in_", None)
    if names is None:
        return [f"x{column + 1}" for column in range(n_columns)]
    texts = [str(name) for name in members(names, "names are texts")]
    if len(texts) != n_columns or len(set(texts)) != n_columns:
        raise FormulaError(
            f"the tree has {n_columns} columns and {len(set(texts))} different names were given; give one for each"
        )
    return texts
