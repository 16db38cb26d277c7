"""The exponentiated gradient for the square loss, EG and EG+-."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf, isfinite
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits import SparseRows, random_permutation
from conjunct.errors import BitsError, SettingError
from conjunct.messages import shortened
from conjunct.theory import exponentiated_gradient_rate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    _Examples = tuple[SparseRows, NDArray[np.float64]]

__all__ = ["ExponentiatedGradient"]

ROWS_OF_SEARCH, MOST_DOUBLINGS = 10_000, 10


@dataclass(frozen=True)
class ExponentiatedGradient:
    """EG and EG+- for the square loss, on line. Floats decide: predictions are rounded.

    Parameters
    ----------
    rate : float
        eta, positive; see `conjunct.theory.exponentiated_gradient_rate` for one with a loss bound.
    norm : float
        U, what the 2N weights of EG+- sum to, and so the largest |w|_1 it can learn; 1 for EG.
    is_signed : bool
        EG+-, with weights of both signs; False is EG, whose weights are positive and sum to 1.

    Notes
    -----
    yhat = w.x, then w_i *= exp(-2 eta U (yhat - y) x_i) for weights that count for variable i, the inverse factor for
    those that count against it, and all are divided by their sum and multiplied by U. Source: [kivinen1997, EG, EG+-].
    Deviation: no weight falls below 1e-300 U, so that every one can come back.

    Examples
    --------
    >>> rows = SparseRows.of([{0}, {1}, {0, 1}])
    >>> run = ExponentiatedGradient(rate=0.1, norm=4).run(rows, [2, -1, 1], max_passes=50)
    >>> run.predictions[:2].tolist(), run.weights.round(3).tolist(), round(run.loss, 2)
    ([0.0, 0.0], [2.0, -1.0], 5.97)
    """

    rate: float
    norm: float = 1.0
    is_signed: bool = True

    def __post_init__(self) -> None:
        for name in ("rate", "norm"):
            value = getattr(self, name)
            number = 0.0 if isinstance(value, bool) or not isinstance(value, Real) else float(value)
            if not (isfinite(number) and number > 0):
                raise SettingError(f"{name}={shortened(value)}: expected a positive number")
            object.__setattr__(self, name, number)
        if not self.is_signed and self.norm != 1:
            raise SettingError(f"norm={shortened(self.norm)} belongs to signed weights; those of one sign sum to 1")

    def begin(self, n_variables: int) -> GradientRun:
        """Start a run that can be shown rows of so many variables, batch by batch."""
        if n_variables < 1:
            raise BitsError("rows of 0 variables, at least one is needed")
        cells = np.zeros((n_variables, 5))
        cells[:, :2] = [1 / (2 * n_variables)] * 2 if self.is_signed else [1 / n_variables, 0]
        return GradientRun(self, GradientState(cells, np.array([1.0, 0, 0])))

    def run(
        self,
        rows: SparseRows,
        targets: ArrayLike,
        *,
        max_passes: int = 1,
        seed: int | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Regression:
        """Learn from rows, pass after pass, and return what was predicted before each target was seen."""
        run, predictions, indices = self.begin(rows.n_variables), [], []
        goals = as_targets(targets, rows.n_rows)
        for number in range(max_passes):
            order = order_of_pass(rows.n_rows, seed, number)
            predictions.append(run.give_pass(rows, goals, order, is_cancelled))
            indices.append(order)
        index, predicted = np.concatenate(indices), np.concatenate(predictions)
        return Regression(index, predicted, (predicted - goals[index]) ** 2, run.weights, run.averaged)


@dataclass(frozen=True, eq=False)
class Regression:
    """What a run predicted, step by step, and the weights it ended with.

    Attributes
    ----------
    index : ndarray of int64
        The row of each step.
    predictions, losses : ndarray of float64
        yhat, made before the target was seen, and (yhat - y)**2.
    weights, averaged : ndarray of float64
        The last weights, and the mean of those after every step.
    """

    index: NDArray[np.int64]
    predictions: NDArray[np.float64]
    losses: NDArray[np.float64]
    weights: NDArray[np.float64]
    averaged: NDArray[np.float64]

    @property
    def loss(self) -> float:
        """The sum of the square losses."""
        return float(self.losses.sum())


@dataclass(frozen=True, eq=False)
class GradientState:
    """The arrays of core/learners/exponentiated_gradient_pass.hpp.

    Attributes
    ----------
    cells : ndarray of shape (variables, 5)
        Per variable the weights for and against it, not normalised, the sums of both until some time, and that time.
    sums : ndarray of shape (3,)
        The total of the weights in two parts, and the time now.
    """

    cells: NDArray[np.float64]
    sums: NDArray[np.float64]


class GradientRun:
    """An exponentiated gradient while it learns."""

    def __init__(self, learner: ExponentiatedGradient, state: GradientState) -> None:
        self.learner, self.state = learner, state
        self.n_steps = self.n_passes = self.n_averaged = 0
        self.loss = 0.0

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self.state.cells)

    def give_pass(
        self,
        rows: SparseRows,
        targets: NDArray[np.float64],
        order: NDArray[np.int64],
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> NDArray[np.float64]:
        """Show every row once, in this order, and return the predictions; all of it or, interrupted, nothing.

        How rows are cut into passes makes no difference, down to the last bit.
        """
        if rows.n_variables != self.n_variables:
            raise BitsError(f"rows of {rows.n_variables} variables, but the run has {self.n_variables}")
        if np.any(rows.places < 0):
            raise BitsError("rows with names that were never seen: a run has a fixed number of variables")
        learner, state = self.learner, GradientState(self.state.cells.copy(), self.state.sums.copy())
        predictions = np.empty(len(order))
        shown = _core.RegressionLesson(rows.native, targets, order, self.n_steps)
        native = _core.GradientState(state.cells, state.sums, learner.is_signed)
        for first, last in _shorter(rows.blocks(order)):
            is_finite = _core.exponentiated_gradient_pass(
                learner.rate, learner.norm, shown, first, native, predictions[first:last]
            )
            if not is_finite:
                raise BitsError(
                    f"rate={shortened(learner.rate)} is too large for these rows and targets: "
                    "numbers leave the range of floats"
                )
            if is_cancelled():
                raise KeyboardInterrupt
        errors = predictions - targets[order]
        self.__dict__.update(  # at once: an interrupt comes before or after
            state=state,
            n_passes=self.n_passes + 1,
            n_steps=self.n_steps + len(order),
            n_averaged=self.n_averaged + len(order),
            loss=self.loss + float(np.dot(errors, errors)),
        )
        return predictions

    def restart_mean(self) -> None:
        """Leave the hypotheses so far out of the mean."""
        cells = self.state.cells.copy()
        cells[:, 2:] = 0, 0, self.state.sums[2]
        self.state, self.n_averaged = replace(self.state, cells=cells), 0

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights now, one per variable: w+ - w- where they are signed."""
        total, carry, _ = self.state.sums
        plus, minus = self.state.cells[:, 0], self.state.cells[:, 1]
        scaled: NDArray[np.float64] = self.learner.norm * ((plus - minus) / (total + carry))
        return scaled

    @property
    def averaged(self) -> NDArray[np.float64]:
        """The mean of the weights after every step since it was restarted; those now where there was none."""
        if self.n_averaged == 0:
            return self.weights
        plus, minus, plus_lasted, minus_lasted, since = self.state.cells.T
        sums = (plus_lasted - minus_lasted) + (plus - minus) * (self.state.sums[2] - since)
        mean: NDArray[np.float64] = self.learner.norm * (sums / self.n_averaged)
        return mean

    @property
    def n_averaged_by_weights(self) -> float:
        """The number of steps in the mean, as weights say it: those of a step sum to 1."""
        plus, minus, plus_lasted, minus_lasted, since = self.state.cells.T
        return float((plus_lasted + minus_lasted + (plus + minus) * (self.state.sums[2] - since)).sum())


def _shorter(blocks: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cut blocks anew: a step here takes many times that of a learner that adds."""
    for first, last in blocks:
        step = max(1, (last - first) // 16)
        for start in range(first, last, step):
            yield start, min(last, start + step)


def largest_size(rows: SparseRows) -> float:
    """Return the largest |x_i| of all rows."""
    if rows.values is None:
        return 1.0 if len(rows.places) else 0.0
    return float(np.abs(rows.values).max(initial=0))


def largest_spread(rows: SparseRows) -> float:
    """Return the largest max_i x_i - min_i x_i of a row; places that a row does not list are 0."""
    lengths = np.diff(rows.starts)
    has_zeros = lengths < rows.n_variables
    if rows.values is None:
        return float(np.any(has_zeros & (lengths > 0)))
    listed = np.flatnonzero(lengths)  # reduceat needs rows that list something
    if not len(listed):
        return 0.0
    firsts = rows.starts[listed]
    highest, lowest = np.maximum.reduceat(rows.values, firsts), np.minimum.reduceat(rows.values, firsts)
    highest, lowest = (
        np.where(has_zeros[listed], limit(values, 0), values)
        for limit, values in ((np.maximum, highest), (np.minimum, lowest))
    )
    return float((highest - lowest).max())


def search_norm(rows: SparseRows, targets: NDArray[np.float64]) -> tuple[float, int]:
    """Find a norm of the form 2**k max|y| / max|x_i| for EG+-, and k; (0, 0) where one of them is 0.

    Notes
    -----
    k = 1 lets one variable of largest value reach every target with half the norm. It is raised while twice the norm
    lowers the loss on every fifth of the first 10000 rows, held out, by a hundredth: a norm too small cannot fit,
    one too large learns slowly and fits noise.
    """
    size, height = largest_size(rows), float(np.abs(targets).max())
    if size == 0 or height == 0:
        return 0.0, 0
    norm, doublings = 2 * height / size, 1
    index = np.arange(min(rows.n_rows, ROWS_OF_SEARCH))
    is_held = index % 5 == 4
    if not (np.any(is_held) and 1e-140 < height < 1e140 and 0 < norm * 2**MOST_DOUBLINGS < inf):
        return norm, doublings
    parts = [(rows.take(part), targets[part]) for part in (index[~is_held], index[is_held])]
    loss = _held_loss(norm, size, *parts)
    while doublings < MOST_DOUBLINGS:
        twice = _held_loss(2 * norm, size, *parts)
        if not twice < 0.99 * loss:
            break
        norm, doublings, loss = 2 * norm, doublings + 1, twice
    return norm, doublings


def _held_loss(norm: float, size: float, shown: _Examples, held: _Examples) -> float:
    """Return the loss on held rows of the mean weights of the third pass over the rows shown."""
    run = ExponentiatedGradient(exponentiated_gradient_rate(2 * norm * size, 1), norm).begin(shown[0].n_variables)
    for _ in range(3):
        run.restart_mean()
        run.give_pass(*shown, np.arange(shown[0].n_rows))
    errors = held[0].dot(run.averaged) - held[1]
    return float(np.dot(errors, errors))


def as_targets(targets: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    """Check the targets of so many rows."""
    numbers = np.asarray(targets)
    if numbers.shape != (n_rows,) or n_rows == 0:
        raise BitsError(f"{n_rows} rows need as many targets and at least one, got shape {numbers.shape}")
    floats = np.ascontiguousarray(numbers, np.float64)
    if not np.all(np.isfinite(floats)):
        row = int(np.flatnonzero(~np.isfinite(floats))[0])
        raise BitsError(f"the target of row {row} is {floats[row]}, expected a finite number")
    return floats


def order_of_pass(n_rows: int, seed: int | None, number: int) -> NDArray[np.int64]:
    """Return the order of a pass: as given, or shuffled by a seed and the number of the pass."""
    return np.arange(n_rows) if seed is None else random_permutation(seed, n_rows, stream=number)
