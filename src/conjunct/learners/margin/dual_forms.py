"""The three quadratic duals over cells: what they charge, their values, their gaps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["Box", "DualForm", "Ridge", "State", "Svm"]

LINE_SEARCH_STEPS = 30
LEAST_SCALE = 2.0**-20


@dataclass(frozen=True, eq=False)
class State:
    """Weights of the cells, the scores they make, and the problem they belong to, in floats.

    Attributes
    ----------
    positive, negative : ndarray
        The masses of each cell.
    lam : float
    weights : ndarray
        One net weight per cell.
    scores : ndarray
        K weights.
    """

    positive: Floats
    negative: Floats
    lam: float
    weights: Floats
    scores: Floats

    @property
    def norm_sq(self) -> float:
        """The squared norm of the polynomial."""
        return float(np.sum(self.weights * self.scores))


class DualForm(ABC):
    """One of three forms, see `conjunct.theory`: svm (`svm_value`), ridge (`ridge_value`) or box (`box_value`)."""

    code: ClassVar[int]

    @abstractmethod
    def values(self, state: State) -> tuple[float, float]:
        """Return the value of the weights, a lower bound, and a risk that no optimum exceeds."""

    @abstractmethod
    def face(self, state: State) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Return which cells are free here, and curvature and target of all: at best score + curvature b = target."""

    @abstractmethod
    def feasible(self, state: State, weights: Floats) -> Floats:
        """Return the weights, or the nearest that the form allows."""

    def is_settled(self, state: State) -> NDArray[np.bool_]:
        """Say which cells have weight 0 and a score that leaves it there: those without mass, if no others."""
        return np.asarray(state.positive + state.negative == 0)


class Svm(DualForm):
    """Squared hinge: p [1-f]_+^2 + n [1+f]_+^2 over lam; group weights are not negative."""

    code = 0

    def groups(self, state: State) -> tuple[Floats, Floats]:
        """Return the best weights of the positive and negative rows of each cell with these net weights."""
        p, n, b = state.positive, state.negative, state.weights
        is_mixed = (p > 0) & (n > 0)
        negative = np.maximum(0.0, -b)
        if np.any(is_mixed):
            p, n, b = p[is_mixed], n[is_mixed], b[is_mixed]
            negative[is_mixed] = np.maximum(negative[is_mixed], n / (p + n) * (2 * p / state.lam - b))
        return negative + state.weights, negative

    def values(self, state: State) -> tuple[float, float]:
        """Return (sum a)^2 / V(a) and the least R+ of a multiple of the polynomial."""
        quadratic = state.norm_sq
        total, charge = group_sums(self.groups(state), state)
        form = quadratic + charge
        if total <= 0 or form <= 0:
            return 0.0, float(np.sum(state.positive + state.negative)) / state.lam
        bound, scale = total * (total / form), self.best_scale(state, quadratic, total / form)
        risk = self.risk(state, quadratic, scale)
        if risk > 2 * bound:  # perhaps only for what rounding takes from scores of 1
            risk = min(risk, self.risk(state, quadratic, scale * (1 + 2.0**-40)))
        return bound, risk

    def best_scale(self, state: State, quadratic: float, scale: float) -> float:
        """Return the factor c that makes R+(c f) least, from one to begin with."""
        return line_search(state, 0.0, state.scores, (0.0, quadratic), scale, 1e-7)

    def kept_scale(self, state: State) -> float:
        """Return the factor for a result: the best, but positive even where no multiple is better than 0.

        The bound is the same at every scale but 0.
        """
        quadratic = state.norm_sq
        return max(LEAST_SCALE, self.best_scale(state, quadratic, 1.0)) if quadratic > 0 else 1.0

    def risk(self, state: State, quadratic: float, scale: float) -> float:
        """Return R+ of the polynomial times a scale."""
        short_p = np.maximum(0.0, 1 - scale * state.scores)
        short_n = np.maximum(0.0, 1 + scale * state.scores)
        charge = float(np.sum(state.positive * short_p * short_p + state.negative * short_n * short_n))
        return scale * scale * quadratic + charge / state.lam

    def face(self, state: State) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Of a cell with both labels the ones that pay count; one with a single label is free unless it is settled."""
        p, n, f = state.positive, state.negative, state.scores
        is_mixed = (p > 0) & (n > 0)
        p, n = np.where(is_mixed & (f >= 1), 0.0, p), np.where(is_mixed & (f <= -1), 0.0, n)
        mass = p + n
        divisor = np.where(mass > 0, mass, 1.0)
        return (mass > 0) & ~self.is_settled(state), state.lam / divisor, (p - n) / divisor

    def paying(self, state: State) -> tuple[Floats, Floats]:
        """Return the mass of each cell that falls short of its margin, and the same signed by label."""
        p = np.where(state.scores >= 1, 0.0, state.positive)
        n = np.where(state.scores <= -1, 0.0, state.negative)
        return p + n, p - n

    def weights_at(self, state: State) -> Floats:
        """Return the net weights that belong to the scores at an optimum."""
        p, n, f = state.positive, state.negative, state.scores
        net: Floats = (p * np.maximum(0.0, 1 - f) - n * np.maximum(0.0, 1 + f)) / state.lam
        return net

    def best_step(self, state: State, shift: Floats, slope: float, curve: float) -> float:
        """Return the step along a shift of the scores that makes the risk least.

        The squared norm at step s is that at 0 plus 2 s slope + s^2 curve.
        """
        return line_search(state, state.scores, shift, (slope, curve), 1.0, 1e-9)

    def feasible(self, state: State, weights: Floats) -> Floats:
        """No weight against the only label of a cell."""
        low = np.where(state.negative > 0, -np.inf, 0.0)
        high = np.where(state.positive > 0, np.inf, 0.0)
        return np.clip(weights, low, high)

    def is_settled(self, state: State) -> NDArray[np.bool_]:
        """No weight, and on the right side by a margin of 1."""
        p, n, f = state.positive, state.negative, state.scores
        pays = ((p > 0) & (f < 1)) | ((n > 0) & (f > -1))
        return np.asarray((state.weights == 0) & ~pays)


class Ridge(DualForm):
    """Square: p (1-f)^2 + n (1+f)^2 over lam; weights of any sign."""

    code = 1

    def values(self, state: State) -> tuple[float, float]:
        """Return (sum a)^2 / V(a) and the risk R of the polynomial."""
        p, n, f, quadratic = state.positive, state.negative, state.scores, state.norm_sq
        total, weight_charge = group_sums(self.groups(state), state)
        form = quadratic + weight_charge
        charge = float(np.sum(p * (1 - f) ** 2 + n * (1 + f) ** 2))
        return (total * (total / form) if form > 0 else 0.0), quadratic + charge / state.lam

    def groups(self, state: State) -> tuple[Floats, Floats]:
        """Return the best weights of the positive and negative rows of each cell with these net weights."""
        p, n, b = state.positive, state.negative, state.weights
        mass = np.where(p + n > 0, p + n, 1.0)
        negative = np.where(p > 0, n / mass * (2 * p / state.lam - b), -b)
        negative[n == 0] = 0.0
        return negative + b, negative

    def face(self, state: State) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Every cell with mass is free."""
        mass = state.positive + state.negative
        divisor = np.where(mass > 0, mass, 1.0)
        return mass > 0, state.lam / divisor, (state.positive - state.negative) / divisor

    def feasible(self, state: State, weights: Floats) -> Floats:
        """Every weight is."""
        return weights


class Box(DualForm):
    """Hinge within [-1, 1]: 2 ((p+n) - (p-n) f) / lam; any weights are feasible."""

    code = 2

    def values(self, state: State) -> tuple[float, float]:
        """Return (2/lam) sum[(p+n) - |p-n-lam b|] - b'Kb and its primal at f scaled into [-1, 1]."""
        p, n, f, b, quadratic = state.positive, state.negative, state.scores, state.weights, state.norm_sq
        value = 2 / state.lam * float(np.sum(p + n - np.abs(p - n - state.lam * b))) - quadratic
        scale = 1 / max(1.0, float(np.max(np.abs(f), initial=0.0)))
        charge = float(np.sum(p + n - (p - n) * scale * f))
        return value, scale * scale * quadratic + 2 * charge / state.lam

    def face(self, state: State) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Cells whose weight is not at its end (p-n)/lam are free, with a score of 1 or -1 to reach."""
        excess = state.weights - (state.positive - state.negative) / state.lam
        return excess != 0, np.zeros(len(excess)), np.where(excess < 0, 1.0, -1.0)

    def feasible(self, state: State, weights: Floats) -> Floats:
        """Weights that would pass their end stop there."""
        end = (state.positive - state.negative) / state.lam
        is_past = (state.weights - end) * (weights - end) < 0
        return np.where(is_past, end, weights)


def line_search(
    state: State, scores: Floats | float, shift: Floats, norm: tuple[float, float], step: float, tol: float
) -> float:
    """Return the step s that makes R+ at scores + s shift least, by Newton's method on a convex piecewise parabola.

    `norm` is half the first and the second derivative of the squared norm at s = 0, `step` where to begin, `tol` the
    relative change of s at which to stop.
    """
    p, n = state.positive, state.negative
    for _ in range(LINE_SEARCH_STEPS):
        # 1. By how much positive and negative rows fall short of their margin: these pay.
        f = scores + step * shift
        short_p, short_n = np.maximum(0.0, 1 - f), np.maximum(0.0, 1 + f)
        # 2. Half the first and the second derivative of the risk: the parabola here.
        slope = norm[0] + norm[1] * step + float(np.sum((n * short_n - p * short_p) * shift)) / state.lam
        curve = norm[1] + float(np.sum((p * (short_p > 0) + n * (short_n > 0)) * shift * shift)) / state.lam
        # 3. To its minimum; once that hardly moves, this piece is the one that holds it.
        change = slope / curve if curve > 0 else 0.0
        step -= change
        if abs(change) <= tol * abs(step):
            break
    return step


def group_sums(groups: tuple[Floats, Floats], state: State) -> tuple[float, float]:
    """Return the sum of all group weights, and lam times that of their squares over the masses.

    Weights are as small as kernel values are large: their squares alone could leave the range of floats.
    """
    total, charge = 0.0, 0.0
    for weights, mass in zip(groups, (state.positive, state.negative), strict=True):
        total += float(np.sum(weights))
        ratio = np.divide(state.lam * weights, mass, out=np.zeros_like(mass), where=mass > 0)
        charge += float(np.sum(weights * ratio))
    return total, charge
