"""What leaves and errors cost, in whole numbers: the price of an error, costs of rows and classes, cost matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.search import TreeProblem
from conjunct.search.tree_problem import MOST_CLASSES
from conjunct.settings import exact, positive_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.certificates.labelled_rows import LabelledRows

__all__ = ["TreeCosts", "row_costs"]

LARGEST_COST = 2**62  # what the search adds up stays below it
FINEST_GRID_BITS = 40


@dataclass(frozen=True)
class TreeCosts:
    """The price of an error in leaves, None where only trees without errors count, and a matrix of costs by class.

    Attributes
    ----------
    price : Fraction or None
    matrix : tuple of tuples of Fraction, or None
        ``matrix[y][k]``: what it costs to call a row of class y k; 0 where k is y, 1 elsewhere if left out.
    """

    price: Fraction | None
    matrix: tuple[tuple[Fraction, ...], ...] | None = None

    @classmethod
    def of(cls, error_price: object, cost_matrix: Any, n_classes: int) -> TreeCosts:
        """Read the parameters."""
        if n_classes > MOST_CLASSES:
            raise SettingError(f"the labels are {n_classes} classes; trees are found for at most {MOST_CLASSES}")
        price = None if error_price is None else positive_number(error_price, "error_price")
        if cost_matrix is None:
            return cls(price)
        if price is None:
            raise SettingError("cost_matrix has no meaning with error_price=None, which allows no errors; give a price")
        try:
            lines = [list(line) for line in cost_matrix]
        except TypeError:
            lines = []
        if len(lines) != n_classes or any(len(line) != n_classes for line in lines):
            raise SettingError(f"cost_matrix: expected {n_classes} lines of {n_classes} costs, one for each class")
        matrix = tuple(tuple(exact(cost, "cost_matrix") for cost in line) for line in lines)
        if any(line[k] != 0 for k, line in enumerate(matrix)) or any(cost < 0 for line in matrix for cost in line):
            raise SettingError("cost_matrix: expected zeros on its diagonal and no cost below 0")
        return cls(price, matrix)

    def price_of(self, table: LabelledRows) -> Fraction:
        """Return what an error of cost 1 costs, in leaves; where none is allowed, more than leaves for all rows."""
        return Fraction(table.n_rows + 1) / min(table.costs or (Fraction(1),)) if self.price is None else self.price

    def denominators(self, table: LabelledRows) -> tuple[int, int]:
        """Return the common denominators of the prices of all rows, and of the matrix; their product is B."""
        price = self.price_of(table)
        of_rows = lcm(*((price * cost).denominator for cost in set(table.costs or (Fraction(1),))))
        return of_rows, lcm(*(cost.denominator for line in self.matrix or () for cost in line))

    def problem(self, table: LabelledRows, max_depth: int | None, min_samples_leaf: int) -> TreeProblem:
        """Return the search for the cheapest tree in whole numbers, equal rows pooled."""
        cells = table.rows.pool(table.codes)
        of_rows, of_matrix = self.denominators(table)
        price, n_classes = self.price_of(table), len(table.classes)
        whole = {cost: int(price * cost * of_rows) for cost in set(table.costs or (Fraction(1),))}
        weights = np.array([whole[cost] for cost in table.costs or (Fraction(1),) * table.n_rows], np.int64)
        masses = np.zeros((cells.rows.n_rows, n_classes), np.int64)
        np.add.at(masses, (cells.cell_of, table.codes), weights)
        matrix = np.array(
            [[int(cost * of_matrix) for cost in line] for line in self.matrix]
            if self.matrix is not None
            else 1 - np.eye(n_classes, dtype=np.int64),
            np.int64,
        )
        depth = None if max_depth is None or max_depth >= table.rows.n_variables else max_depth
        return TreeProblem(
            tests=cells.rows,
            penalties=masses @ matrix,
            removals=masses @ matrix.max(axis=1),
            sizes=np.bincount(cells.cell_of, minlength=cells.rows.n_rows),
            leaf_cost=of_rows * of_matrix,
            max_depth=depth,
            min_samples_leaf=min_samples_leaf,
        )

    def fits(self, table: LabelledRows) -> bool:
        """Return whether all that a search adds up stays within 62 bits."""
        of_rows, of_matrix = self.denominators(table)
        n_classes = len(table.classes)
        # What a row adds, times its cost: its penalties under every class and what its removal costs; 1 for itself.
        shares = [max(Fraction(1), sum(line) + max(line)) for line in self.matrix or ()] or [
            Fraction(n_classes)
        ] * n_classes
        masses = [Fraction(int(count)) for count in np.bincount(table.codes, minlength=n_classes)]
        if table.costs is not None:
            masses = [Fraction(0)] * n_classes
            for cost, code in zip(table.costs, table.codes.tolist(), strict=True):
                masses[code] += cost
        total = self.price_of(table) * sum(mass * share for mass, share in zip(masses, shares, strict=True))
        return of_rows * of_matrix * (total + 4 * table.n_rows + 8) < LARGEST_COST

    def rounded(self, table: LabelledRows) -> LabelledRows:
        """Return the rows with costs on the finest grid of binary fractions on which the search stays within 62 bits.

        Costs that fit are left as they are. The certificate lists the costs that it is about.
        """
        if self.fits(table):
            return table
        for n_bits in range(FINEST_GRID_BITS, -1, -1):
            grid = 2**n_bits
            costs = tuple(Fraction(max(1, round(cost * grid)), grid) for cost in table.costs or ())
            on_grid = table.with_costs(costs)
            if costs and self.fits(on_grid):
                return on_grid
        raise SettingError("the costs are too far apart for sums within 62 bits; use simpler or smaller ones")


def row_costs(
    table: LabelledRows, sample_weight: Any, class_weight: Any, labels: Sequence[Any]
) -> list[Fraction] | None:
    """Return what it costs to get each row wrong: its weight times that of its class; None where all are 1."""
    if sample_weight is None and class_weight is None:
        return None
    shares = _class_weights(class_weight, table.codes, labels)
    weights = [Fraction(1)] * table.n_rows
    if sample_weight is not None:
        given = np.asarray(sample_weight)
        if given.shape != (table.n_rows,):
            raise SettingError(f"sample_weight has the shape {given.shape}; expected one weight for each row")
        known = {weight: exact(weight, "sample_weight") for weight in set(given.tolist())}
        if min(known.values()) < 0 or max(known.values()) == 0:
            raise SettingError("sample_weight: expected no weight below 0, and one above")
        weights = [known[weight] for weight in given.tolist()]
    return [weight * shares[code] for weight, code in zip(weights, table.codes.tolist(), strict=True)]


def _class_weights(class_weight: Any, codes: NDArray[np.int64], labels: Sequence[Any]) -> list[Fraction]:
    if class_weight is None:
        return [Fraction(1)] * len(labels)
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(codes, minlength=len(labels)).tolist()
        return [Fraction(len(codes), len(labels) * count) for count in counts]
    if not isinstance(class_weight, dict):
        raise SettingError(f'class_weight={shortened(class_weight)}: expected None, "balanced" or a dict')
    for label in class_weight:
        if label not in labels:
            raise SettingError(f"class_weight names {shortened(label)}, which is not among the classes")
    return [positive_number(class_weight.get(label, 1), f"class_weight[{shortened(label)}]") for label in labels]
