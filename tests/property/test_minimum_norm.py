"""The point of least norm: what proves it, and every mixture of the points beside it."""

from __future__ import annotations

from itertools import combinations_with_replacement

from hypothesis import given

from conjunct.theory import hull_points, minimum_norm_point
from strategies import integer_points, seeded


def inner(points):
    """Return the products of every pair."""
    return [[sum(a * b for a, b in zip(p, q, strict=True)) for q in points] for p in points]


def combined(weights, points):
    """Return the sum of weights times points."""
    return [sum(w * x for w, x in zip(weights, column, strict=True)) for column in zip(*points, strict=True)]


def square(point):
    """Return the squared length."""
    return sum(x * x for x in point)


@seeded
@given(integer_points())
def test_the_point_of_least_norm_is_a_mixture_and_no_mixture_is_shorter(points):
    least = minimum_norm_point(inner(points))
    assert min(least.weights) >= 0
    assert sum(least.weights) == 1
    v = combined(least.weights, points)
    assert square(v) == least.norm_sq
    assert [sum(a * b for a, b in zip(v, p, strict=True)) for p in points] == list(least.scores)
    assert min(least.scores) >= least.norm_sq
    for chosen in combinations_with_replacement(points, 3):  # mixtures in thirds
        assert square([sum(column) for column in zip(*chosen, strict=True)]) >= 9 * least.norm_sq


@seeded
@given(integer_points())
def test_every_subset_has_its_least_point_among_those_of_the_whole(points):
    listed = list(hull_points(inner(points)))
    for number in range(1, 1 << len(points)):
        subset = [index for index in range(len(points)) if number >> index & 1]
        least = minimum_norm_point(inner([points[index] for index in subset]))
        agreeing = [point for point in listed if point.is_least_of(subset)]
        assert agreeing
        for point in agreeing:  # supports may differ, the point does not
            assert combined(point.weights, points) == combined(least.weights, [points[index] for index in subset])
