"""A learner beside three others, fold by fold: each fold makes its variables anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, IdRows, SparseRows, require_memory
from conjunct.cli.models import rows_for
from conjunct.estimators import Door
from conjunct.estimators.door import spelled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.estimators.door import Cells
    from conjunct.evaluation.cross_validation import Fold

__all__ = ["comparison"]

BYTES_PER_CELL = 20  # of the array, of its floats, and of what is made of them, as measured


def comparison(learner: Any, whole: Door, cells: Cells, labels: NDArray[Any], settings: dict[str, Any]) -> Fold:
    """Return what a fold of the cross-validation does: learn four ways from some rows, count the hits on others.

    Only how many letters a text has is taken from the door of the whole table.
    """
    from sklearn.base import clone
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    if isinstance(cells, dict):
        cells, settings = spelled(cells, whole.letters), settings | {"letters": ()}
    others = {
        "largest class": DummyClassifier(),
        "logistic regression": LogisticRegression(max_iter=1000),
        "decision tree": DecisionTreeClassifier(random_state=0),
    }

    def fold(train: NDArray[np.int64], test: NDArray[np.int64]) -> dict[str, int]:
        known, held_out = take(cells, train), take(cells, test)
        door = Door.of(known, labels[train], **settings)
        rows, test_rows = (rows_for(learner, door, part) for part in (known, like(held_out, known)))
        codes, test_codes = door.codes(labels[train]), door.codes(labels[test])
        predictions = {"conjunct": fresh(learner, rows.n_variables).fit(rows, codes).predict(test_rows)}
        for name, other in others.items():
            predictions[name] = clone(other).fit(dense(rows), codes).predict(dense(test_rows))
        return {name: int(np.sum(predicted == test_codes)) for name, predicted in predictions.items()}

    return fold


def fresh(learner: Any, n_variables: int) -> Any:
    """Return an unfitted copy for rows of so many variables: a fold may make fewer than a conjunction may have."""
    from sklearn.base import clone

    copy = clone(learner)
    size = copy.get_params().get("kernel__max_size")
    return copy if size is None or size <= n_variables else copy.set_params(kernel__max_size=n_variables)


def take(cells: Cells, rows: NDArray[np.int64]) -> Any:
    """Pick rows of a table."""
    if isinstance(cells, BitMatrix):
        return cells[rows]
    if isinstance(cells, IdRows):
        return cells.take(rows)
    return {name: [column[row] for row in rows] for name, column in cells.items()}


def like(cells: Any, known: Any) -> Any:
    """Judge numbers of a column that was learned as zeros and ones by the cut between the two.

    Examples
    --------
    >>> like({"a": [0, 2, None], "b": [3]}, {"a": [1, 0, 1], "b": [0, 4]})
    {'a': [0, 1, None], 'b': [3]}
    """
    if isinstance(cells, BitMatrix | IdRows):
        return cells
    return {
        name: [None if cell is None else int(cell > 0.5) for cell in column] if set(known[name]) <= {0, 1} else column
        for name, column in cells.items()
    }


def dense(rows: BitMatrix | SparseRows) -> NDArray[np.uint8]:
    """Return rows as those who learn beside take them."""
    need = BYTES_PER_CELL * rows.n_rows * rows.n_variables
    require_memory(need, "cross-validation beside others", "use --no-validation")
    return (rows.packed() if isinstance(rows, SparseRows) else rows).to_array()
