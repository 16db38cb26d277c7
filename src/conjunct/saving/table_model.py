"""TableModel: a frozen model with the encoding of its table; it predicts columns, and needs no scikit-learn."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, SparseRows
from conjunct.errors import ModelFileError
from conjunct.messages import printable
from conjunct.saving.saved_model import SavedModel, holding_together, load_model
from conjunct.tables import ColumnTests, TableEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.models import SigmoidCalibration
    from conjunct.tables.encoding import Entries

__all__ = ["LINEAR_KINDS", "TableModel", "are_numbers_of_labels", "require_encoding", "spelled_labels"]

LINEAR_KINDS = ("perceptron-classifier", "winnow-classifier")  # of the words that name models in files


@dataclass(frozen=True, eq=False)
class TableModel:
    """What a model file holds, for tables.

    Attributes
    ----------
    encoding : TableEncoding
        How a table's columns become variables, and class numbers labels.
    model : object
        The frozen hypothesis, of `conjunct.models`.
    reads_sparse : bool
        Whether its rows are sparse, as those of linear models are; those of kernels are packed.
    calibration : SigmoidCalibration or None
        What makes probabilities of its decision values, where that was learned.
    """

    encoding: TableEncoding
    model: Any
    reads_sparse: bool
    calibration: SigmoidCalibration | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TableModel:
        """Read a model file, made by either door; one that no table leads to is refused.

        A model that was learned from a frame or an array of zeros and ones reads columns of the same names, x1, x2, ...
        where there were none.
        """
        source = os.fspath(path)
        saved = load_model(path)
        if saved.encoding is None:
            encoding = boolean_encoding(saved, printable(source))
        else:
            with holding_together(source):
                encoding = TableEncoding.from_record(saved.encoding)
                require_encoding(encoding, saved.learned)
        calibration = getattr(saved.learned, "calibration", None)
        return cls(encoding, saved.learned.model, saved.kind in LINEAR_KINDS, calibration)

    def rows(self, entries: Entries) -> BitMatrix | SparseRows:
        """Turn the entries of a table into rows as the model reads them."""
        rows = self.encoding.rows(entries, packed=not self.reads_sparse)
        return SparseRows.of(rows) if self.reads_sparse and isinstance(rows, BitMatrix) else rows

    def predict(self, rows: BitMatrix | SparseRows) -> NDArray[np.int64]:
        """Return the number of the class of every row."""
        choices: NDArray[np.int64] = self.model.choices(rows)
        return choices

    def decision_values(self, rows: BitMatrix | SparseRows) -> NDArray[np.float64]:
        """Return a float per row, positive exactly where the second class is predicted; one per class of several."""
        values: NDArray[np.float64] = self.model.decision_values(rows)
        return values

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of every class, row by row, from the decision values of rows."""
        if self.calibration is None:
            raise ModelFileError("the model has no probabilities; fit it with calibrate=True")
        return self.calibration.probabilities(values)


def boolean_encoding(saved: SavedModel, source: str) -> TableEncoding:
    """Return the encoding of a model that was learned from columns of zeros and ones; no other model has one."""
    learned = saved.learned
    if not hasattr(learned, "classes"):
        raise ModelFileError(f"{source}: a regressor, expected a model of classes")
    if getattr(learned, "table", None) is not None:
        raise ModelFileError(f"{source}: was learned from examples by name, expected a model of a table's columns")
    is_real = any(getattr(run, "is_real", False) for run in getattr(learned, "runs", ()))
    if is_real or saved.params.get("binarize") is not None:
        raise ModelFileError(
            f"{source}: was learned from numbers other than 0 and 1 without their encoding; "
            "save a pipeline of a Binarizer and the estimator: conjunct.save(pipeline, path)"
        )
    names = learned.names or tuple(f"x{number}" for number in range(1, learned.n_variables + 1))
    columns = tuple(ColumnTests(name, "boolean", (), (), had_missing=False) for name in names)
    return TableEncoding(columns, names, None, spelled_labels(learned.classes))


def spelled_labels(classes: NDArray[Any]) -> tuple[str | int, ...]:
    """Return class labels as a table has them: text and whole numbers as they are, others as Python prints them.

    Examples
    --------
    >>> spelled_labels(np.array([3, 7])), spelled_labels(np.array([False, True]))
    ((3, 7), ('False', 'True'))
    """
    return tuple(label if type(label) in (str, int) else str(label) for label in classes.tolist())


def are_numbers_of_labels(classes: NDArray[Any]) -> bool:
    """Return whether the classes of a model are 0, 1, ...: the numbers of the labels that its encoding has."""
    return classes.dtype.kind in "iu" and classes.tolist() == list(range(len(classes)))


def require_encoding(encoding: TableEncoding, learned: Any) -> None:
    """Refuse an encoding of other labels or variables than the model was learned with."""
    classes = getattr(learned, "classes", np.empty(0))
    if len(classes) != len(encoding.labels) or not (
        are_numbers_of_labels(classes) or spelled_labels(classes) == encoding.labels
    ):
        raise ModelFileError("the classes of the model are neither the labels of its encoding nor their numbers")
    if encoding.variables != tuple(learned.names or ()):
        raise ModelFileError("the encoding of the model makes other variables than the model was learned from")
