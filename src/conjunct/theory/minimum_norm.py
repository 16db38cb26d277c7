"""The point of least norm in the convex hull of a few points, by trying every set of points that may carry it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from conjunct.theory.linear_learners import require
from conjunct.theory.margin_values import Gram, gram_of

__all__ = ["HullPoint", "hull_points", "minimum_norm_point"]


@dataclass(frozen=True, slots=True)
class HullPoint:
    """A point v of the convex hull that has the least norm among the affine combinations of its support.

    Attributes
    ----------
    weights : tuple of Fraction
        One for each point, 0 or more, of sum 1.
    norm_sq : Fraction
        |v|^2.
    scores : tuple of Fraction
        <v, p_j> for each point p_j.
    """

    weights: tuple[Fraction, ...]
    norm_sq: Fraction
    scores: tuple[Fraction, ...]

    @property
    def support(self) -> tuple[int, ...]:
        """The points that have weight."""
        return tuple(index for index, weight in enumerate(self.weights) if weight)

    def is_least_of(self, subset: Sequence[int]) -> bool:
        """Say whether v has the least norm in the convex hull of the points of a subset.

        Notes
        -----
        Where its support is in the subset and <v, p_j> >= |v|^2 there: then <v, w> >= |v|^2, and so |w| >= |v|, for
        every w of the hull. Where some <v, p_j> < |v|^2 a step towards p_j shortens v.
        """
        return set(self.support) <= set(subset) and all(self.scores[index] >= self.norm_sq for index in subset)


def hull_points(inner: Gram) -> Iterator[HullPoint]:
    """Yield the point of least norm of every subset that needs all of its points for it, small subsets first.

    Parameters
    ----------
    inner : sequence of sequences of int or Fraction
        <p_i, p_j> for every pair of points.

    Notes
    -----
    Of the affine combinations sum a_i p_i, sum a_i = 1, of a subset the shortest has <v, p_i> = |v|^2 on all of it:
    linear equations for a and |v|^2, with one solution exactly where the points are affinely independent. It is yielded
    where every a_i > 0. The least point of any subset is among them: it lies in the hull of affinely independent points
    of the subset (Caratheodory), of which those with weight may be kept. What contains dependent points is dependent,
    so only independent subsets are enlarged. Ours.

    Examples
    --------
    >>> inner = [[1, 0], [0, 1]]  # two unit vectors at right angles
    >>> [(point.support, str(point.norm_sq)) for point in hull_points(inner)]
    [((0,), '1'), ((1,), '1'), ((0, 1), '1/2')]
    """
    products, _ = gram_of(inner, [1] * len(inner))
    indices = range(len(products))
    supports: list[tuple[int, ...]] = [(index,) for index in indices]
    while supports:
        independent = []
        for support in supports:
            solution = nearest_combination([[products[i][j] for j in support] for i in support])
            if solution is None:
                continue
            independent.append(support)
            if min(solution) > 0:
                weights = dict(zip(support, solution, strict=True))
                scores = [sum((a * row[i] for i, a in weights.items()), Fraction(0)) for row in products]
                every = tuple(weights.get(index, Fraction(0)) for index in indices)
                yield HullPoint(every, scores[support[0]], tuple(scores))
        supports = [(*support, index) for support in independent for index in indices[support[-1] + 1 :]]


def minimum_norm_point(inner: Gram) -> HullPoint:
    """Return the point of least norm in the convex hull of points, exactly; of its supports a smallest one.

    Parameters
    ----------
    inner : sequence of sequences of int or Fraction
        <p_i, p_j> for every pair of points, at least one. With p_i = y_i phi(x_i) it is the polynomial of maximal
        margin: the hard margin is its norm, and rows are separable where that is not 0.

    Notes
    -----
    The first of `hull_points` with <v, p_j> >= |v|^2 for all j. The point is one, its support need not be.

    Examples
    --------
    >>> kernel, signs = [[3, 1, 2], [1, 3, 2], [2, 2, 3]], [1, -1, -1]
    >>> point = minimum_norm_point([[y * z * kernel[i][j] for j, z in enumerate(signs)] for i, y in enumerate(signs)])
    >>> print(*point.weights, point.norm_sq)
    1/2 0 1/2 1/2
    """
    require(len(inner) >= 1, "inner: expected at least one point")
    every = range(len(inner))
    return next(point for point in hull_points(inner) if point.is_least_of(every))


def nearest_combination(products: list[list[Fraction]]) -> list[Fraction] | None:
    """Return the affine combination of least norm of points, all of them; None where they are affinely dependent.

    The equations sum_j <p_i, p_j> a_j = c for every i and sum_j a_j = 1, by elimination.
    """
    size = len(products)
    rows = [[*row, Fraction(-1), Fraction(0)] for row in products]
    rows.append([*[Fraction(1)] * size, Fraction(0), Fraction(1)])
    for column in range(size + 1):
        pivot = next((row for row in range(column, size + 1) if rows[row][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = [value / rows[column][column] for value in rows[column]]
        rows = [
            head if index == column else [a - row[column] * b for a, b in zip(row, head, strict=True)]
            for index, row in enumerate(rows)
        ]
    return [row[-1] for row in rows[:size]]
