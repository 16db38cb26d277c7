"""NamedModel: a frozen model with the names of its variables and classes, and what reads a table for it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, SparseRows
from conjunct.errors import BitsError, RowError, SettingError
from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.kernels.kernel import require_same_variables
from conjunct.messages import quoted, shortened
from conjunct.models import ConjunctionSum, KernelExpansion, LinearThreshold, MeanThreshold, PowerThreshold
from conjunct.rules.readable_terms import TermReader
from conjunct.tables import TableEncoding

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from conjunct.bits import NameTable

__all__ = ["Label", "NamedModel", "packed"]

Label = Any  # of a class: text, a number or a Boolean
LINEAR = (LinearThreshold, PowerThreshold, MeanThreshold)


@dataclass(frozen=True, eq=False)
class NamedModel:
    """A frozen model with what people call its variables and classes.

    Attributes
    ----------
    model : object
        Of `conjunct.models`.
    names : tuple of str
        Of the variables; of a model of examples by name, how formulas write each.
    labels : tuple
        The label behind each class number.
    encoding : TableEncoding or None
        What turns a table's columns into variables.
    table : NameTable or None
        What turns examples by name into variables.
    cut : float or None
        Above which a number is read as 1, where the model was learned so.
    """

    model: Any
    names: tuple[str, ...]
    labels: tuple[Label, ...]
    encoding: TableEncoding | None = None
    table: NameTable | None = None
    cut: float | None = None

    @classmethod
    def of(cls, model: Any) -> NamedModel:
        """Find the frozen model, and its names, in an estimator, a pipeline, or what a file holds."""
        if isinstance(model, NamedModel):
            return model
        columns = None
        if hasattr(model, "steps"):
            steps = [step for _, step in model.steps]
            columns = getattr(steps[0], "columns_", None)
            if len(steps) != 2 or columns is None:
                raise SettingError("model: a pipeline, expected one of a fitted Binarizer and an estimator of conjunct")
            model = steps[1]
        if hasattr(model, "fit") and not hasattr(model, "model_"):
            raise SettingError(
                f"model: this {type(model).__name__} has no model_; expected a fitted classifier of conjunct"
            )
        frozen = getattr(model, "model_", getattr(model, "model", model))
        encoding = getattr(model, "encoding_", getattr(model, "encoding", None))
        classes = getattr(model, "classes_", None)
        if classes is not None:
            labels = tuple(classes.tolist())
        elif encoding is not None:
            labels = encoding.labels
        else:
            labels = tuple(range(max(2, getattr(frozen, "n_outputs", getattr(frozen, "n_classes", 2)))))
        if columns is not None:
            encoding = TableEncoding(columns, tuple(column.name for column in columns), None, labels)
        table, cut = getattr(model, "names_", None), getattr(model, "binarize", None)
        names = cls._names(model, frozen, encoding, table)
        return cls(frozen, names, labels, encoding, table, None if cut is None else float(cut))

    @staticmethod
    def _names(model: Any, frozen: Any, encoding: Any, table: Any) -> tuple[str, ...]:
        if encoding is not None:
            return tuple(encoding.variables)
        if table is not None:
            return tuple(table.descriptions())
        if hasattr(model, "feature_names_in_"):
            return tuple(map(str, model.feature_names_in_))
        rows = getattr(getattr(frozen, "parts", [frozen])[0], "rows", None)
        if isinstance(rows, BitMatrix):
            return rows.names
        if isinstance(frozen, ConjunctionSum):
            return frozen.names or tuple(f"x{number}" for number in range(1, frozen.n_variables + 1))
        width = frozen.coefficients.shape[1] if hasattr(frozen, "coefficients") else getattr(model, "n_features_in_", 0)
        return tuple(f"x{number}" for number in range(1, width + 1))

    @cached_property
    def reader(self) -> TermReader:
        """What reads conjunctions over its variables."""
        return TermReader(self)

    @property
    def is_linear(self) -> bool:
        """Whether its score is a sum over variables."""
        return isinstance(self.model, LINEAR)

    @property
    def is_listed(self) -> bool:
        """Whether its score is a sum over conjunctions that it lists."""
        return isinstance(self.model, ConjunctionSum)

    @property
    def reads_sparse(self) -> bool:
        """Whether its rows are sparse; those of kernels are packed."""
        return not (self.is_listed or hasattr(self.model, "kernel") or hasattr(self.model, "parts"))

    def require_conjunctions(self) -> None:
        """Refuse a model that is not a sum of weighted conjunctions."""
        if self.is_linear or self.is_listed:
            return
        what = type(self.model).__name__
        if hasattr(self.model, "parts"):
            raise SettingError(f"model: a {what} is votes of pairs of classes; give one of model_.parts")
        if not isinstance(self.model, KernelExpansion):
            raise SettingError(
                f"model: a {what} is no sum of weighted conjunctions; expected an expansion over a kernel of "
                "conjunctions, a list of them, or a linear threshold"
            )
        if not isinstance(self.model.kernel, AgreementKernel):
            raise SettingError(
                f"model: its kernel is {shortened(self.model.kernel)}, whose conjunctions have no single weight by "
                "size; expected Conjunctions or MonotoneConjunctions over all columns"
            )

    def output(self, label: Label | None) -> int:
        """Return the output that scores a label; without one, the only output."""
        n_outputs = self.model.n_outputs
        if n_outputs == 1 and (label is None or str(label) == str(self.labels[1])):
            return 0
        if label is None:
            raise SettingError(
                f"label=None: the model has a score for each of {shortened(list(self.labels))}; name one"
            )
        if n_outputs == 1:
            raise SettingError(f"label={shortened(label)}: the one score of the model is that of {self.labels[1]!r}")
        return self.class_number(label)

    def class_number(self, label: Label) -> int:
        """Return the number of the class of a label."""
        spellings = list(map(str, self.labels))
        if str(label) not in spellings:
            raise SettingError(f"label={shortened(label)}: expected one of {shortened(list(self.labels))}")
        return spellings.index(str(label))

    def label_of(self, output: int, is_positive: bool) -> Label:
        """Return what a weight speaks of: of two classes the one it speaks for, of several that of the output."""
        return self.labels[output if self.model.n_outputs > 1 else int(is_positive)]

    def class_numbers(self, y: ArrayLike, n_rows: int) -> NDArray[np.int64]:
        """Return the number of the class of every row; a label that the model does not have is refused by its row."""
        labels = np.asarray(y)
        if labels.shape != (n_rows,):
            raise BitsError(f"{n_rows} rows need as many labels, got an array of shape {labels.shape}")
        number_of = {str(label): number for number, label in enumerate(self.labels)}
        numbers = np.array([number_of.get(str(label), -1) for label in labels.tolist()], np.int64)
        if n_rows and numbers.min() < 0:
            row = int(np.argmin(numbers))
            reason = f"expected one of those of the model, {shortened(list(self.labels))}"
            raise RowError(f"label {quoted(labels[row])}", row, reason)
        return numbers

    def require_classes(self) -> None:
        """Refuse what predicts no class."""
        if not hasattr(self.model, "choices"):
            raise SettingError(f"model: a {type(self.model).__name__} predicts no class; expected a model of classes")

    def rows(self, X: Any) -> BitMatrix | SparseRows:
        """Read a table as the model reads it: sparse rows if it is linear, packed ones if it has a kernel."""
        rows, width = self._read(X), len(self.names)
        if isinstance(rows, SparseRows):
            if rows.values is not None:
                raise BitsError("X has values other than 0 and 1; conjunctions are of Boolean rows")
            if rows.n_variables < width:
                rows = SparseRows(rows.starts, rows.places, width)
        if rows.n_variables != width:
            raise BitsError(f"X has {rows.n_variables} variables, the model {width}")
        if self.reads_sparse:
            return SparseRows.of(rows)
        rows = packed(rows)
        if isinstance(self.model, KernelExpansion):
            require_same_variables(self.model.rows, rows)
        return rows

    def _read(self, X: Any) -> BitMatrix | SparseRows:
        if isinstance(X, BitMatrix | SparseRows):
            return X
        if self.table is not None:
            return self.table.rows(X, grows=False)
        if self.encoding is not None and self.encoding.columns is not None and not hasattr(X, "tocsr"):
            from conjunct.tables.raw_columns import columns_by_name  # which imports narwhals, and only tables need

            return self.encoding.rows(columns_by_name(X, self.encoding.names), packed=True)
        if self.cut is not None:
            return BitMatrix.of(np.asarray(X.toarray() if hasattr(X, "toarray") else X) > self.cut)
        return BitMatrix.of(X)

    def row(self, row: Any) -> BitMatrix | SparseRows:
        """Read one row: a table of one, entries in the order of the columns, or entries by name."""
        is_single = getattr(row, "ndim", 1) == 1 and not isinstance(row, BitMatrix | SparseRows)
        if isinstance(row, list | tuple) and row and isinstance(row[0], list | tuple | Mapping | Set):
            is_single = False
        if isinstance(row, Mapping) and self.table is None:
            is_single = all(np.ndim(entry) == 0 for entry in row.values())
            names = self.names if self.encoding is None else self.encoding.names
            missing = [name for name in names if name not in row]
            if missing:
                raise BitsError(f"the row has no entry {shortened(missing[0])}, which the model was learned from")
            if self.encoding is None or self.encoding.columns is None:
                rows = self.rows([[row[name] for name in names]])
            else:
                rows = self.rows({name: [row[name]] if is_single else row[name] for name in names})
        else:
            rows = self.rows([row] if is_single else row)
        if rows.n_rows != 1:
            raise BitsError(f"expected one row to explain, got {rows.n_rows}")
        return rows


def packed(rows: BitMatrix | SparseRows) -> BitMatrix:
    """Return rows packed, without names that were never seen."""
    return rows.packed() if isinstance(rows, SparseRows) else rows
