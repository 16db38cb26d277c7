"""On-line linear learners over vectors by their definitions; the multiplicative ones in floating point."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, fsum

from conjunct.messages import shortened
from conjunct.settings import exact
from conjunct.theory.linear_learners import Run, Update, labelled, require

__all__ = [
    "Regression",
    "exponentiated_gradient",
    "exponentiated_gradient_plus_minus",
    "run_normalised_winnow",
    "run_perceptron_on_vectors",
]


@dataclass(frozen=True)
class Regression:
    """Predictions of an on-line regression, made before each target was seen; all floats.

    Attributes
    ----------
    predictions, losses : tuple of float
        yhat and (yhat - y)**2 per example, in order.
    weights : tuple of float
        The last ones.
    """

    predictions: tuple[float, ...]
    losses: tuple[float, ...]
    weights: tuple[float, ...]

    @property
    def loss(self) -> float:
        """The sum of the square losses."""
        return sum(self.losses)


def run_perceptron_on_vectors(vectors: Iterable[Sequence[Fraction | float]], labels: Iterable[int]) -> Run:
    """Run the Perceptron, theta = 0 and r = 1, over vectors; a float counts as the binary fraction it is.

    Examples
    --------
    >>> run_perceptron_on_vectors([[-1, 0], [0, -1]], [-1, -1]).n_mistakes
    2
    """
    weights: dict[Hashable, Fraction] = {}
    updates, step = [], -1
    for step, (vector, y) in enumerate(labelled(zip(vectors, labels, strict=True))):
        x = [Fraction(value) if isinstance(value, float) else exact(value, "vectors") for value in vector]
        score = sum((weights[i] * value for i, value in enumerate(x) if i in weights), Fraction(0))
        if (score >= 0) != (y > 0):
            updates.append(Update(step, step, y, score, True))
            for i, value in enumerate(x):
                if value:
                    weights[i] = weights.get(i, Fraction(0)) + y * value
    return Run(tuple(updates), {**weights}, step + 1)


def run_normalised_winnow(vectors: Sequence[Sequence[float]], labels: Iterable[int], eta: float) -> Run:
    """Run normalised balanced Winnow, theta = 0, over vectors, in floating point; its weights are w+ - w-.

    Notes
    -----
    2N weights that sum to 1, equal at first; on a mistake w+_i *= exp(eta y x_i) and w-_i *= exp(-eta y x_i), then all
    are divided by their sum. So they are proportional to exp(eta c_i) and exp(-eta c_i), c the sum of y x over the
    mistakes. The x_i of equal weights up to sign are added up before they are multiplied: on whole numbers what
    cancels does so exactly. Source: [kivinen1997].

    Examples
    --------
    >>> run_normalised_winnow([[-1, 0], [0, -1]], [-1, -1], eta=0.5).n_mistakes
    2
    """
    require(eta > 0, f"eta={shortened(eta)}: expected a positive number")
    c: list[float] = [0] * (len(vectors[0]) if vectors else 0)
    weights, updates, step = balanced_weights(c, eta), [], -1
    for step, (x, y) in enumerate(labelled(zip(vectors, labels, strict=True))):
        sums: dict[float, float] = {}
        for weight, value in zip(weights, x, strict=True):
            sums[abs(weight)] = sums.get(abs(weight), 0) + (value if weight > 0 else -value)
        score = fsum(size * value for size, value in sums.items())
        if (score >= 0) != (y > 0):
            updates.append(Update(step, step, y, score, True))
            c = [total + y * value for total, value in zip(c, x, strict=True)]
            weights = balanced_weights(c, eta)
    return Run(tuple(updates), dict(enumerate(weights)), step + 1)


def balanced_weights(c: Sequence[float], eta: float) -> list[float]:
    """Return w+_i - w-_i for weights proportional to exp(eta c_i) and exp(-eta c_i), of sum 1."""
    largest = eta * max(map(abs, c), default=0)
    plus, minus = ([exp(sign * eta * total - largest) for total in c] for sign in (1, -1))
    total_weight = fsum(plus) + fsum(minus)
    return [(p - m) / total_weight for p, m in zip(plus, minus, strict=True)]


def exponentiated_gradient(vectors: Sequence[Sequence[float]], targets: Sequence[float], eta: float) -> Regression:
    """Run EG for the square loss from equal weights, in floating point.

    Notes
    -----
    w on the simplex, yhat = w.x; after every example w_i *= exp(-2 eta (yhat - y) x_i), then all are divided by their
    sum. Source: [kivinen1997, EG]. A common term of the exponents is left out before exp, so nothing overflows.

    Examples
    --------
    >>> exponentiated_gradient([[1, 0], [1, 0]], [1, 1], eta=1).predictions[0]
    0.5
    """
    n = len(vectors[0]) if vectors else 0
    return multiplicative_regression(vectors, targets, [1 / n for _ in range(n)], eta)


def exponentiated_gradient_plus_minus(
    vectors: Sequence[Sequence[float]], targets: Sequence[float], eta: float, norm: float
) -> Regression:
    """Run EG+- for the square loss, in floating point; its weights are w+ - w-, with |w|_1 <= norm.

    Notes
    -----
    2N weights that sum to U = norm, equal at first; after every example w+_i *= exp(-2 eta U (yhat - y) x_i) and
    w-_i *= exp(2 eta U (yhat - y) x_i), then all are divided by their sum and multiplied by U: this is EG over the
    2N coordinates U x, -U x. Source: [kivinen1997, EG+-].

    Examples
    --------
    >>> exponentiated_gradient_plus_minus([[1, 0], [1, 0]], [1, 1], eta=1, norm=2).predictions[0]
    0.0
    """
    require(norm > 0, f"norm={shortened(norm)}: expected a positive number")
    n = len(vectors[0]) if vectors else 0
    doubled = [[*(norm * value for value in x), *(-norm * value for value in x)] for x in vectors]
    run = multiplicative_regression(doubled, targets, [1 / (2 * n) for _ in range(2 * n)], eta)
    weights = tuple(norm * (run.weights[i] - run.weights[n + i]) for i in range(n))
    return Regression(run.predictions, run.losses, weights)


def multiplicative_regression(
    vectors: Sequence[Sequence[float]], targets: Sequence[float], weights: list[float], eta: float
) -> Regression:
    """EG from given weights on the simplex."""
    require(eta > 0, f"eta={shortened(eta)}: expected a positive number")
    predictions = []
    for x, y in zip(vectors, targets, strict=True):
        prediction = sum(w * value for w, value in zip(weights, x, strict=True))
        predictions.append(prediction)
        exponents = [-2 * eta * (prediction - y) * value for value in x]
        largest = max(exponents)
        weights = [w * exp(e - largest) for w, e in zip(weights, exponents, strict=True)]
        total = sum(weights)
        weights = [w / total for w in weights]
    losses = tuple((prediction - y) ** 2 for prediction, y in zip(predictions, targets, strict=True))
    return Regression(tuple(predictions), losses, tuple(weights))
