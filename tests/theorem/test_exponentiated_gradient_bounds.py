"""[kivinen1997]: the square loss of EG and EG+- is at most (1 + c/2) loss(u) + (1/2 + 1/c) R^2 KL(u || w_1), any u."""

from __future__ import annotations

import pytest

from conjunct.bits import random_below, random_words
from conjunct.theory import (
    exponentiated_gradient,
    exponentiated_gradient_bound,
    exponentiated_gradient_plus_minus,
    exponentiated_gradient_rate,
    relative_entropy,
    signed_relative_entropy,
)

ROUNDING = 1e-9
CS = (0.1, 0.5, 1.0, 2.0, 8.0)


def uniform(seed, count, stream=0):
    """Floats between -1 and 1."""
    return [word / 2**63 - 1 for word in random_words(seed, count, stream=stream).tolist()]


def dot(u, x):
    return sum(a * b for a, b in zip(u, x, strict=True))


def loss_of(u, rows, targets):
    return sum((dot(u, x) - y) ** 2 for x, y in zip(rows, targets, strict=True))


def simplex_points(seed, n):
    """Corners, the middle and a few points between."""
    corners = [[float(i == j) for j in range(n)] for i in range(n)]
    drawn = [[abs(value) for value in uniform(seed, n, stream)] for stream in (5, 6)]
    return [*corners, [1 / n] * n, *([value / sum(point) for value in point] for point in drawn)]


def sequence(seed, n, length):
    """Rows with values in [-1, 1] or signs, and targets of one corner, noisy, or at random."""
    values = uniform(seed, n * length)
    if seed % 2:
        values = [1.0 if value > 0 else -1.0 for value in values]
    rows = [values[i : i + n] for i in range(0, n * length, n)]
    noise = uniform(seed, length, stream=1)
    scale = (0.0, 0.2, 3.0)[seed % 3]
    return rows, [x[0] * (seed % 5 > 0) + scale * e for x, e in zip(rows, noise, strict=True)]


def test_the_loss_of_eg_stays_under_the_bound_of_every_u():
    tightness = []
    for seed in range(400):
        n, c = 2 + seed % 9, CS[seed % 7 % 5]
        rows, targets = sequence(seed, n, 30)
        radius = max(max(x) - min(x) for x in rows)
        run = exponentiated_gradient(rows, targets, exponentiated_gradient_rate(radius, c))
        for u in simplex_points(seed, n):
            bound = exponentiated_gradient_bound(loss_of(u, rows, targets), relative_entropy(u), radius, c)
            assert run.loss <= bound + ROUNDING
            if relative_entropy(u) > 0.1:
                tightness.append(run.loss / bound)
    assert max(tightness) > 0.95


def test_the_loss_of_eg_plus_minus_stays_under_the_bound_of_every_u():
    tightness = []
    for seed in range(400):
        n, c, norm = 1 + seed % 8, CS[seed % 7 % 5], (1.0, 2.5)[seed % 2]
        rows, targets = sequence(seed, n, 30)
        radius = 2 * norm * max(abs(value) for x in rows for value in x)
        run = exponentiated_gradient_plus_minus(rows, targets, exponentiated_gradient_rate(radius, c), norm)
        signs = [1 - 2 * int(bit) for bit in random_below(seed, 2, n, stream=2)]
        for point in simplex_points(seed, n):
            for size in (norm, norm / 3):
                u = [size * sign * value for sign, value in zip(signs, point, strict=True)]
                divergence = signed_relative_entropy(u, norm)
                bound = exponentiated_gradient_bound(loss_of(u, rows, targets), divergence, radius, c)
                assert run.loss <= bound + ROUNDING
                if divergence > 0.1:
                    tightness.append(run.loss / bound)
    assert max(tightness) > 0.93


@pytest.mark.parametrize(("c", "seen"), [(0.1, 0.98), (0.5, 0.92), (1.0, 0.85), (2.0, 0.72), (8.0, 0.35)])
def test_an_adversary_who_sets_targets_away_from_the_prediction_stays_under_the_bound(c, seen):
    """Targets at the end of the row's range that is farther from the prediction, so that the loss is largest."""
    tightness = []
    for seed in range(60):
        n = 2 + seed % 5
        rows = [uniform(seed, n, stream) for stream in range(20)]
        radius = max(max(x) - min(x) for x in rows)
        eta = exponentiated_gradient_rate(radius, c)
        targets = []
        for t, x in enumerate(rows):
            prediction = exponentiated_gradient(rows[: t + 1], [*targets, 0.0], eta).predictions[-1]
            targets.append(max((max(x), min(x)), key=lambda y, p=prediction: abs(y - p)))
        loss = exponentiated_gradient(rows, targets, eta).loss
        for u in simplex_points(seed, n):
            bound = exponentiated_gradient_bound(loss_of(u, rows, targets), relative_entropy(u), radius, c)
            assert loss <= bound + ROUNDING
            tightness.append(loss / bound)
    assert max(tightness) > seen


def test_a_larger_rate_breaks_the_bound():
    """The rate is part of the theorem: ten times as fast, two experts in turn cost more than the bound allows."""
    rows, targets = [[1.0, -1.0], [1.0, -1.0]] * 40, [1.0, -1.0] * 40
    c = 0.1
    eta = exponentiated_gradient_rate(2.0, c)
    u = [0.5, 0.5]
    bound = exponentiated_gradient_bound(loss_of(u, rows, targets), relative_entropy(u), 2.0, c)
    assert exponentiated_gradient(rows, targets, eta).loss <= bound + ROUNDING
    assert exponentiated_gradient(rows, targets, 10 * eta).loss > bound
