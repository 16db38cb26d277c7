"""TableModel: a frozen model with the encoding of its table; it predicts columns, and needs no scikit-learn."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, SparseRows
from conjunct.errors import ModelFileError
from conjunct.messages import printable
from conjunct.saving.saved_model import holding_together, load_model
from conjunct.tables import TableEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.tables.encoding import Entries

__all__ = ["LINEAR_KINDS", "TableModel", "require_encoding"]

LINEAR_KINDS = ("perceptron-classifier", "winnow-classifier")  # of the words that name models in files


@dataclass(frozen=True, eq=False)
class TableModel:
    """What `conjunct fit` saves.

    Attributes
    ----------
    encoding : TableEncoding
        How a table's columns become variables, and class numbers labels.
    model : object
        The frozen hypothesis, of `conjunct.models`.
    reads_sparse : bool
        Whether its rows are sparse, as those of linear models are; those of kernels are packed.
    """

    encoding: TableEncoding
    model: Any
    reads_sparse: bool

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TableModel:
        """Read a model file; one that was saved without its columns is refused."""
        source = os.fspath(path)
        saved = load_model(path)
        if saved.encoding is None:
            raise ModelFileError(f"{printable(source)}: was saved without its columns; make it with 'conjunct fit'")
        with holding_together(source):
            encoding = TableEncoding.from_record(saved.encoding)
            require_encoding(encoding, saved.learned)
            return cls(encoding, saved.learned.model, saved.kind in LINEAR_KINDS)

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


def require_encoding(encoding: TableEncoding, learned: Any) -> None:
    """Refuse an encoding of other labels or variables than the model was learned with."""
    classes = getattr(learned, "classes", np.empty(0))
    if classes.dtype.kind not in "iu" or classes.tolist() != list(range(len(encoding.labels))):
        raise ModelFileError("the classes of the model are not the numbers of its encoding's labels")
    if encoding.variables != tuple(learned.names or ()):
        raise ModelFileError("the encoding of the model makes other variables than the model was learned from")
