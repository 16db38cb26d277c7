"""Cuts and lam where they are left open: what is tried, and what a choice loses on rows it did not learn from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, SparseRows
from conjunct.estimators import ConjunctionSVC, ConjunctionSVCCV
from conjunct.estimators.margin_problems import mean_value
from conjunct.evaluation.progress import steps
from conjunct.models import KernelExpansion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conjunct.cli.fold_parts import Parts

__all__ = ["CUTS_TRIED", "FACTORS_TRIED", "FIRST_FACTOR", "Choice", "InnerLosses", "fresh", "held_out_loss", "quick"]

CUTS_TRIED: tuple[int | str, ...] = (4, 16, 32, "supervised")
FACTORS_TRIED = (Fraction(1, 8), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
FIRST_FACTOR = Fraction(1)  # with which cuts are chosen
INNER_TOL = 0.05


@dataclass(frozen=True)
class Choice:
    """What is left to inner folds.

    Attributes
    ----------
    cuts : int or str
        As `TableEncoding.of` takes them.
    factor : Fraction or None
        lam in units of the mean of k(x, x); None leaves the learner as it is.
    """

    cuts: int | str
    factor: Fraction | None

    def learner(self, learner: Any, rows: BitMatrix | SparseRows) -> Any:
        """Return an unfitted copy of a learner for these rows."""
        copy = fresh(learner, rows.n_variables)
        if self.factor is not None and isinstance(rows, BitMatrix):
            copy.set_params(lam=self.factor * mean_value(copy._kernel_for(rows.n_variables), rows))
        return copy


class InnerLosses:
    """What each choice loses in inner folds; nothing is learned twice.

    Parameters
    ----------
    learner : estimator
        Unfitted; each choice learns with a copy.
    folds : sequence of callable
        Each makes the rows of a fold with the cuts it is given, or None where these make no variable: no choice then.
    """

    def __init__(self, learner: Any, folds: Sequence[Callable[[int | str], Parts | None]]) -> None:
        self.learner, self.folds = learner, [cache(fold) for fold in folds]  # variables are the same for every lam
        self.losses: dict[Choice, float] = {}

    def least(self, choices: Sequence[Choice]) -> Choice:
        """Return the choice that loses least; of equals the first."""
        for choice in steps([choice for choice in choices if choice not in self.losses]):
            self.losses[choice] = sum(self._loss(choice, fold(choice.cuts)) for fold in steps(self.folds))
        return min(choices, key=self.losses.__getitem__)

    def _loss(self, choice: Choice, parts: Parts | None) -> float:
        return np.inf if parts is None else held_out_loss(choice.learner(self.learner, parts.rows), parts)


def quick(learner: Any) -> Any:
    """Return a learner for choosing: without a search of its own, by the exact solver, to a loose gap."""
    from sklearn.base import clone

    if isinstance(learner, ConjunctionSVCCV):
        return ConjunctionSVC(learner.kernel, literals=learner.literals, tol=INNER_TOL)
    if isinstance(learner, ConjunctionSVC):
        return clone(learner).set_params(solver="exact", max_iter=None, tol=INNER_TOL)
    return learner


def fresh(learner: Any, n_variables: int) -> Any:
    """Return an unfitted copy for rows of so many variables: a fold may make fewer than a conjunction may have."""
    from sklearn.base import clone

    copy = clone(learner)
    size = copy.get_params().get("kernel__max_size")
    return copy if size is None or size <= n_variables else copy.set_params(kernel__max_size=n_variables)


def held_out_loss(learner: Any, parts: Parts) -> float:
    """Return what a learner loses on the rows of a fold that it is tested on: its own loss, or its mistakes.

    Notes
    -----
    A margin machine loses the sum of [1 - y f(x)]_+^2 over rows and outputs, which it also makes small where it learns.
    Mistakes tell one bit of a row: a few hundred rows are too few for them to order values of lam (docs/accuracy.md has
    the measurement).
    """
    learner.fit(parts.rows, parts.codes)
    if not isinstance(learner, ConjunctionSVC):
        return float(np.sum(learner.predict(parts.test_rows) != parts.test_codes))
    scores = learner.decision_function(parts.test_rows).reshape(len(parts.test_codes), -1)
    if isinstance(learner.model_, KernelExpansion) and learner.model_.is_logarithmic:
        with np.errstate(over="ignore"):
            scores = np.sign(scores) * np.expm1(np.log(2) * np.abs(scores))
    codes = [1] if scores.shape[1] == 1 else np.arange(scores.shape[1])
    signs = np.where(parts.test_codes[:, None] == codes, 1, -1)
    return float(np.sum(np.maximum(0, 1 - signs * scores) ** 2))
