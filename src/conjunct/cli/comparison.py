"""A learner beside three others, fold by fold: each fold makes its variables anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, IdRows, SparseRows, require_memory
from conjunct.cli.models import rows_for
from conjunct.tables import TableEncoding
from conjunct.tables.letters import letter_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.evaluation.cross_validation import Fold
    from conjunct.tables.encoding import Entries

__all__ = ["comparison"]

BYTES_PER_ENTRY = 20  # of the array, of its floats, and of what is made of them, as measured


def comparison(
    learner: Any, whole: TableEncoding, entries: Entries, labels: NDArray[Any], settings: dict[str, Any]
) -> Fold:
    """Return what a fold of the cross-validation does: learn four ways from some rows, count the hits on others.

    Only how many letters a text has is taken from the encoding of the whole table.
    """
    from sklearn.base import clone
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    if isinstance(entries, dict):
        columns = letter_columns(entries, whole.letters)
        entries, settings = {column.name: column for column in columns}, settings | {"letters": ()}
    others = {
        "largest class": DummyClassifier(),
        "logistic regression": LogisticRegression(max_iter=1000),
        "decision tree": DecisionTreeClassifier(random_state=0),
    }

    def fold(train: NDArray[np.int64], test: NDArray[np.int64]) -> dict[str, int]:
        learned_from, held_out = take(entries, train), take(entries, test)
        encoding = TableEncoding.of(learned_from, labels[train], **settings)
        rows, test_rows = (rows_for(learner, encoding, part) for part in (learned_from, held_out))
        codes, test_codes = encoding.codes(labels[train]), encoding.codes(labels[test])
        predictions = {"conjunct": fresh(learner, rows.n_variables).fit(rows, codes).predict(test_rows)}
        for name, other in others.items():
            predictions[name] = clone(other).fit(dense(rows), codes).predict(dense(test_rows))
        return {name: int(np.sum(predicted == test_codes)) for name, predicted in predictions.items()}

    return fold


def fresh(learner: Any, n_variables: int) -> Any:
    """Return an unfitted copy for rows of so many variables: a fold may make fewer than a conjunction may have."""
    from sklearn.base import clone

    copy = clone(learner)
    if "calibrate" in copy.get_params():
        copy.set_params(calibrate=False)  # folds count hits, which probabilities do not change
    size = copy.get_params().get("kernel__max_size")
    return copy if size is None or size <= n_variables else copy.set_params(kernel__max_size=n_variables)


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
    require_memory(need, "cross-validation beside others", "use --no-validation")
    return (rows.packed() if isinstance(rows, SparseRows) else rows).to_array()
