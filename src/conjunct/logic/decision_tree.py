"""A tree of tests on single variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import FormulaError
from conjunct.logic.dnf import DNF
from conjunct.logic.formula import (
    Formula,
    Rows,
    decided,
    everywhere,
    members,
    natural_order,
    positions_in,
    positions_of,
    require_value,
    values_of,
    variable_table,
)
from conjunct.logic.literal import Literal
from conjunct.logic.polynomial import Number, Polynomial, exactly, printed_number
from conjunct.logic.term import Term
from conjunct.logic.tokenizer import Scanner
from conjunct.logic.tree_nodes import (
    Node,
    branch_taken,
    chain,
    drawn,
    folded,
    printed,
    require_tree,
    scanned_tree,
    subtree_end,
)
from conjunct.logic.tree_sources import nodes_of_polynomial, nodes_of_sklearn
from conjunct.messages import printable, shortened

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike, NDArray

__all__ = ["DecisionTree"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DecisionTree(Formula):
    """A tree that tests one variable at each inner node and has a label at each leaf.

    Built by `leaf` and `split`, or from text. Trees of any depth are handled without recursion.

    Parameters
    ----------
    nodes : iterable of str and bool
        The tree as it is printed: the variable of a split, then the nodes where it is 1, then those where it is 0;
        a bool is a leaf. No path tests a variable twice.

    Examples
    --------
    >>> tree = DecisionTree.parse("x3 ? (x1 ? 1 : 0) : 1")
    >>> tree.nodes, tree.n_leaves, tree.depth, tree.value({"x1": 0, "x3": 1})
    (('x3', 'x1', True, False, True), 3, 2, False)
    >>> print(tree.to_text())
    x3 = 1
    ├── yes: x1 = 1
    │   ├── yes: 1
    │   └── no: 0
    └── no: 1
    >>> print(tree.to_dnf(), "has polynomial", tree.polynomial())
    ~x3 | x1 & x3 has polynomial ~x3 + (x1 & x3) - (~x1 & x3)
    """

    nodes: tuple[Node, ...]

    def __init__(self, nodes: Iterable[Node]) -> None:
        preorder = members(nodes, "a tree is made of nodes")
        require_tree(preorder)
        object.__setattr__(self, "nodes", preorder)

    @classmethod
    def leaf(cls, label: bool) -> Self:
        """Return the tree that is one leaf."""
        return cls([label])

    @classmethod
    def split(cls, variable: str, if_false: DecisionTree, if_true: DecisionTree) -> Self:
        """Return the tree that tests a variable first.

        Examples
        --------
        >>> print(DecisionTree.split("x1", if_false=DecisionTree.leaf(True), if_true=DecisionTree.leaf(False)))
        x1 ? 0 : 1
        """
        for branch in (if_false, if_true):
            if not isinstance(branch, DecisionTree):
                raise FormulaError(
                    f"a branch is a DecisionTree, got {shortened(branch)}; a leaf is DecisionTree.leaf(True)"
                )
        return cls([variable, *if_true.nodes, *if_false.nodes])

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it tests, in natural order."""
        return tuple(natural_order({node for node in self.nodes if isinstance(node, str)}))

    @property
    def constant(self) -> bool | None:
        """The label of a tree that is one leaf."""
        first = self.nodes[0]
        return first if isinstance(first, bool) else None

    @property
    def n_leaves(self) -> int:
        """The number of its leaves."""
        return (len(self.nodes) + 1) // 2

    @property
    def depth(self) -> int:
        """The number of tests on its longest path."""
        deepest, depths = 0, [0]
        for node in self.nodes:
            depth = depths.pop()
            deepest = max(deepest, depth)
            if isinstance(node, str):
                depths += [depth + 1] * 2
        return deepest

    @property
    def leaves(self) -> list[tuple[Term, bool]]:
        """Each leaf as the term of its path and its label, in the order of the text.

        Examples
        --------
        >>> [(str(term), label) for term, label in DecisionTree.parse("x1 ? 0 : x2 ? 1 : 0").leaves]
        [('x1', False), ('~x1 & x2', True), ('~x1 & ~x2', False)]
        """
        leaves = []
        paths: list[tuple[Literal, ...]] = [()]
        for node in self.nodes:
            path = paths.pop()
            if isinstance(node, bool):
                leaves.append((Term(path), node))
            else:
                paths += [(*path, Literal(node, False)), (*path, Literal(node, True))]
        return leaves

    def __invert__(self) -> DecisionTree:
        return DecisionTree(not node if isinstance(node, bool) else node for node in self.nodes)

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        values = values_of(row, self.variables)
        index = 0
        while isinstance(node := self.nodes[index], str):
            index = index + 1 if values[node] else subtree_end(self.nodes, index + 1)
        return node

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row."""
        positions_in(rows, self.variables)
        return decided(rows, [(term, label) for term, label in self.leaves if label], default=False)

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        positions, n = positions_of(self.variables, variables), len(variables)
        every = everywhere(n)
        columns = {name: variable_table(position, n) for name, position in positions.items()}
        return folded(
            self.nodes,
            lambda label: every if label else 0,
            lambda name, true, false: columns[name] & true | (every ^ columns[name]) & false,
        )

    def restricted(self, variable: str, value: bool) -> DecisionTree:
        """Return what is left of it where a variable has that value: its tests give way to the branch taken."""
        return DecisionTree(branch_taken(self.nodes, variable, require_value(variable, value)))

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle: tests near the root weigh most."""
        scores: dict[str, float] = {}
        weights = [1.0]
        for node in self.nodes:
            weight = weights.pop()
            if isinstance(node, str):
                scores[node] = scores.get(node, 0.0) + weight
                weights += [weight / 2] * 2
        return scores

    def to_dnf(self) -> DNF:
        """Return the disjunction of the paths to its leaves of label 1."""
        return DNF(term for term, label in self.leaves if label)

    def polynomial(self) -> Polynomial:
        """Return the sum of its paths with coefficients 1 and -1: 1 where the tree is true, and -1 elsewhere.

        On every row exactly one of its terms holds. With costs K_0, K_1, ... its squared norm is the sum of K_depth
        over the leaves; without, their number.
        """
        return Polynomial({term: 1 if label else -1 for term, label in self.leaves})

    @classmethod
    def from_polynomial(cls, polynomial: Polynomial) -> Self:
        """Return a tree of that polynomial; trees that differ in the order of their tests only have the same one.

        Raises
        ------
        FormulaError
            It is not the polynomial of a tree.

        Examples
        --------
        >>> tree = DecisionTree.parse("x3 ? (x1 ? 1 : 0) : 1")
        >>> DecisionTree.from_polynomial(tree.polynomial()) == tree
        True
        """
        return cls(nodes_of_polynomial(polynomial))

    @classmethod
    def of_conjunction(cls, term: Term) -> tuple[Self, Self]:
        """Return two trees whose polynomials sum to twice a term, coefficient by coefficient.

        Notes
        -----
        Both test the literals in turn. The first has label 1 at every leaf; the second only where the term holds.
        So trees of depth up to d span the polynomials of degree up to d. Source: [kowalczyk2002].

        Examples
        --------
        >>> first, second = DecisionTree.of_conjunction(Term([Literal("x1"), ~Literal("x2")]))
        >>> print(first, "and", second, "give", first.polynomial() + second.polynomial())
        x1 ? (x2 ? 1 : 1) : 1 and x1 ? (x2 ? 0 : 1) : 0 give 2*(x1 & ~x2)
        """
        if not isinstance(term, Term):
            raise FormulaError(f"of_conjunction takes a term, got {shortened(term)}")
        if term.is_contradictory:
            raise FormulaError(f"{printable(term)} is never true; a path of a tree can be")
        return cls(chain(term, others=True)), cls(chain(term, others=False))

    @classmethod
    def from_sklearn(cls, tree: Any, names: Iterable[str] | None = None) -> Self:
        """Return a fitted scikit-learn ``DecisionTreeClassifier`` of two classes over 0/1 columns.

        Parameters
        ----------
        tree : DecisionTreeClassifier
        names : iterable of str, optional
            The variables; ``feature_names_in_`` when left out, or x1, x2, ... where there are none.

        Raises
        ------
        FormulaError
            The tree is not fitted, has other than two classes, or compares a column with other than a number
            between 0 and 1.
        """
        return cls(nodes_of_sklearn(tree, names))

    def n_errors(self, rows: Rows, labels: ArrayLike) -> int:
        """Return on how many rows its value is not the label; labels are -1 and 1, or 0 and 1."""
        predictions, label = self.evaluate(rows), np.asarray(labels)
        if label.shape != predictions.shape:
            raise FormulaError(f"there are {len(predictions)} rows and labels of shape {label.shape}; give one per row")
        kinds = set(label.ravel().tolist())
        if not (kinds <= {0, 1} or kinds <= {-1, 1}):
            raise FormulaError(f"labels are {sorted(kinds, key=repr)[:5]}; expected -1 and 1, or 0 and 1")
        return int(np.count_nonzero(predictions != (label == 1)))

    def risk(self, rows: Rows, labels: ArrayLike, lam: Number, costs: Sequence[Number] | None = None) -> Fraction:
        """Return the regularised risk: the costs of its leaves and 4/lam for every error, exactly.

        Parameters
        ----------
        rows : BitMatrix or mapping
        labels : array-like
            -1 and 1, or 0 and 1.
        lam : int, Fraction, "p/q" or float
            A float means the decimal that it prints: 0.1 is 1/10.
        costs : sequence of the same, optional
            K_0 to K_d; 1 for every leaf when left out.

        Notes
        -----
        R = sum of K_depth over the leaves + 4 err / lam, where K = 1 without costs: a row that is wrong has
        y f(x) = -1 and so the square loss (1 - y f(x))**2 = 4, all others have none. Source: [kowalczyk2002].
        """
        exact = exactly(lam, "lam")
        if exact <= 0:
            raise FormulaError(f"lam is {printed_number(exact)}; it must be positive")
        return self.polynomial().norm_sq(costs) + 4 * self.n_errors(rows, labels) / exact

    def cost_complexity(self, rows: Rows, labels: ArrayLike, alpha: Number) -> Fraction:
        """Return the rate of errors plus alpha, an exact number as `lam` of `risk`, for every leaf; CART prunes by it.

        Notes
        -----
        err/m + alpha leaves = alpha (leaves + 4 err / (4 alpha m)), that is alpha times `risk` at lam = 4 alpha m
        without costs. (Error-rate pruning; ``ccp_alpha`` of scikit-learn weighs impurities instead.)

        Examples
        --------
        >>> from conjunct import BitMatrix
        >>> rows, labels = BitMatrix.of([[0, 0], [0, 1], [1, 0], [1, 1]]), [1, 1, -1, -1]
        >>> tree = DecisionTree.parse("x1 ? (x2 ? 1 : 0) : 1")
        >>> tree.cost_complexity(rows, labels, Fraction(1, 8)), tree.risk(rows, labels, lam=2)
        (Fraction(5, 8), Fraction(5, 1))
        """
        errors, n_rows = self.n_errors(rows, labels), np.asarray(labels).size
        if not n_rows:
            raise FormulaError("there are no rows, and so no rate of errors; give at least one")
        return Fraction(errors, n_rows) + exactly(alpha, "alpha") * self.n_leaves

    def to_text(self) -> str:
        """Return a drawing for people: a line per node, branches indented."""
        return drawn(self.nodes)

    def __str__(self) -> str:
        return printed(self.nodes)

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read ``variable ? tree : tree``, 0 or 1, in parentheses or not."""
        scanner = Scanner(text, names)
        nodes = scanned_tree(scanner)
        scanner.finish()
        return cls(nodes)
