"""A learner beside three others, fold by fold: each fold makes its variables anew, and chooses cuts and lam anew."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, IdRows, SparseRows, require_memory
from conjunct.bits.randomness import random_permutation
from conjunct.cli.choice import CUTS_TRIED, FACTORS_TRIED, FIRST_FACTOR, Choice, InnerLosses, quick
from conjunct.cli.fold_parts import Parts
from conjunct.cli.models import rows_for
from conjunct.errors import BitsError
from conjunct.estimators import ConjunctionSVC
from conjunct.evaluation.cross_validation import Tested, splits
from conjunct.evaluation.progress import steps, within
from conjunct.tables import TableEncoding
from conjunct.tables.letters import letter_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from conjunct.tables.encoding import Entries

__all__ = ["Comparison", "unbeaten"]

BYTES_PER_ENTRY = 20  # of the array, of its floats, and of what is made of them, as measured
BASELINE_SECONDS = 10.0  # of CPU, for each of the others in all folds; one that took more sits out the rest
INNER_FOLDS = 5
INNER_ROWS = 1000  # so many are asked
ROUNDS_OF_CHOICE = 2
SHARE_OF_CHOICE = 0.6  # of the work of a fold, about


class Comparison:
    """What a fold of the cross-validation does: learn from some rows in several ways, count the hits on others.

    Only how many letters a text has is taken from the encoding of the whole table.

    Parameters
    ----------
    learner : estimator
        Unfitted; each fold learns with a copy.
    whole : TableEncoding
    entries, labels
        Of the table.
    settings : dict
        Those of `TableEncoding.of`; with ``cuts="auto"`` every fold chooses its cuts by inner folds of its own, and so
        the lam of a `ConjunctionSVC` without one.
    has_baselines : bool
        Whether the largest class, logistic regression and a decision tree learn beside.
    """

    def __init__(
        self,
        learner: Any,
        whole: TableEncoding,
        entries: Entries,
        labels: NDArray[Any],
        settings: dict[str, Any],
        *,
        has_baselines: bool = True,
    ) -> None:
        if isinstance(entries, dict):
            columns = letter_columns(entries, whole.letters)
            entries, settings = {column.name: column for column in columns}, settings | {"letters": ()}
        self.learner, self.entries, self.labels, self.settings = uncalibrated(learner), entries, labels, settings
        self.chooses_cuts = settings["cuts"] == "auto" and any(c.kind == "numeric" for c in whole.columns or ())
        self.chooses_lam = isinstance(learner, ConjunctionSVC) and getattr(learner, "lam", learner) is None
        self.others = baselines() if has_baselines else {}
        self.seconds = dict.fromkeys(self.others, 0.0)

    def __call__(self, train: NDArray[np.int64], test: NDArray[np.int64]) -> dict[str, Tested]:
        """Learn from some rows and test on others; the time of each learner is its own."""
        start, share = process_time(), SHARE_OF_CHOICE if self.chooses_cuts or self.chooses_lam else 0.0
        with within(0, share):
            choice = self.choice_for(train)
        with within(share, 1):
            parts = self._parts(train, test, choice.cuts)
            learner = choice.learner(self.learner, parts.rows)
            predicted = learner.fit(parts.rows, parts.codes).predict(parts.test_rows)
        tested = {"conjunct": parts.tested(predicted, start)}
        for name, other in self.others.items():
            if self.seconds[name] <= BASELINE_SECONDS:
                start = process_time()
                tested[name] = parts.tested(predictions(other, parts), start)
                self.seconds[name] += tested[name].seconds
        return tested

    def choice_for(self, rows: NDArray[np.int64]) -> Choice:
        """Return what inner folds of some rows choose for a model of them: cuts and lam, where they are not set.

        Cuts are chosen for a lam, lam for these cuts, then both once more. The least loss on held-out rows counts, of
        equals the first tried. Where a label has fewer rows than there are folds nothing is chosen.
        """
        some = rows[random_permutation(0, len(rows))[:INNER_ROWS]]
        if min(np.unique(self.labels[some], return_counts=True)[1]) < INNER_FOLDS:
            return Choice(self.settings["cuts"], None)
        choice = Choice(self.settings["cuts"], FIRST_FACTOR if self.chooses_lam else None)
        folds = [(some[train], some[test]) for train, test in splits(self.labels[some], INNER_FOLDS, seed=0)]
        losses = InnerLosses(quick(self.learner), [partial(self._parts_or_none, *fold) for fold in folds])
        for part in steps(("cuts", "lam") * ROUNDS_OF_CHOICE):
            if part == "cuts" and self.chooses_cuts:
                choice = losses.least([replace(choice, cuts=cuts) for cuts in CUTS_TRIED])
            if part == "lam" and self.chooses_lam:
                choice = losses.least([replace(choice, factor=factor) for factor in FACTORS_TRIED])
        return choice

    def said(self, choice: Choice) -> str:
        """Say what was chosen of what; nothing where nothing was."""
        parts = []
        if self.chooses_cuts and choice.cuts in CUTS_TRIED:
            parts.append(f"--cuts {choice.cuts} of {', '.join(map(str, CUTS_TRIED))}")
        if choice.factor is not None:
            tried = ", ".join(str(factor) for factor in FACTORS_TRIED)
            parts.append(f"lam {choice.factor} of {tried} times the mean of k(x, x)")
        return f"Chosen in {INNER_FOLDS} inner folds: {'; '.join(parts)}" if parts else ""

    def _parts_or_none(self, train: NDArray[np.int64], test: NDArray[np.int64], cuts: int | str) -> Parts | None:
        """Make the variables of a fold; None where cuts make no variable of its rows."""
        try:
            return self._parts(train, test, cuts)
        except BitsError:
            return None

    def _parts(self, train: NDArray[np.int64], test: NDArray[np.int64], cuts: int | str) -> Parts:
        """Make the variables of a fold from the rows to learn from."""
        learned_from, held_out = take(self.entries, train), take(self.entries, test)
        encoding = TableEncoding.of(learned_from, self.labels[train], **self.settings | {"cuts": cuts})
        rows, test_rows = (rows_for(self.learner, encoding, part) for part in (learned_from, held_out))
        return Parts(rows, encoding.codes(self.labels[train]), test_rows, encoding.codes(self.labels[test]))


def unbeaten(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the others that the first, our learner, is no better than in all the folds; none where it is perfect."""
    if not lines or lines[0]["accuracy"] == 1:
        return []
    first, *others = lines
    same_folds = [line for line in others if len(line["fold_accuracies"]) == len(first["fold_accuracies"])]
    return [line for line in same_folds if line["accuracy"] >= first["accuracy"]]


def baselines() -> dict[str, Any]:
    """Return the learners that stand beside, by name."""
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    return {
        "largest class": DummyClassifier(),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
        "decision tree": DecisionTreeClassifier(random_state=0),
    }


def predictions(other: Any, parts: Parts) -> NDArray[np.int64]:
    """Return what another learner predicts; one that ends at its limit of iterations says nothing about it."""
    from sklearn.base import clone
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        predicted: NDArray[np.int64] = clone(other).fit(dense(parts.rows), parts.codes).predict(dense(parts.test_rows))
    return predicted


def uncalibrated(learner: Any) -> Any:
    """Return a learner without probabilities, which do not change what folds count: hits."""
    from sklearn.base import clone

    return clone(learner).set_params(calibrate=False) if "calibrate" in learner.get_params() else learner


def take(entries: Entries, rows: NDArray[np.int64]) -> Any:
    """Pick rows of a table."""
    if isinstance(entries, BitMatrix):
        return entries[rows]
    if isinstance(entries, IdRows):
        return entries.take(rows)
    return {name: column.take(rows) for name, column in entries.items()}


def dense(rows: BitMatrix | SparseRows) -> NDArray[np.uint8]:
    """Return rows as those who learn beside take them."""
    need = BYTES_PER_ENTRY * rows.n_rows * rows.n_variables
    require_memory(need, "cross-validation beside others", "use --no-baselines")
    return (rows.packed() if isinstance(rows, SparseRows) else rows).to_array()
