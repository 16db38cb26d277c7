"""From a table of categories and numbers to Boolean variables."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from conjunct.bits import BitMatrix, require_memory
from conjunct.errors import BitsError, SettingError, UnseenWarning
from conjunct.estimators.boolean_input import class_labels
from conjunct.estimators.one_fit import one_fit
from conjunct.messages import in_one_line, shortened
from conjunct.settings import choice, whole_number
from conjunct.tables.binarization import learn_columns, pack_columns, require_variables, require_zeros_and_ones
from conjunct.tables.column import Column
from conjunct.tables.column_tests import ColumnTests, UnseenEntries
from conjunct.tables.cuts import cuts_setting
from conjunct.tables.raw_columns import array_of, entries_of, frame_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Binarizer"]

UNSEEN = ("ignore", "warn", "refuse")


class Binarizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Turn columns of categories and numbers into Boolean variables with readable names.

    A column of zeros and ones without missing values passes through under its own name. A column of text, categories
    or bool gives ``col=value`` for each of its values, and only one, for the second value in sorted order, if it has
    two and none is missing. A column of numbers gives ``col<=cut``. Missing values (None, NaN, null) have a variable
    of their own, ``col is missing``, and no other test holds on them. The columns of an array are called x1, x2, ...

    Parameters
    ----------
    columns : sequence of str or int, optional
        The columns to binarize, by name or position; the others must hold zeros and ones. All, if None.
    cuts : int, "auto", "all" or "supervised", default "auto"
        How many quantiles to cut numbers at; ``"auto"`` takes 16, and fewer, but at least 4, where more than 128
        columns of numbers would make over 2048 variables; or ``"all"``, in every gap between neighbouring values, so
        that every threshold acts on these rows like one of the cuts; or ``"supervised"``, where the labels ``y`` change
        [fayyad1993]. A cut is the shortest decimal inside its gap. Numbers are compared as float64.
    max_values : int, default 50
        A categorical column with more values than this is refused.
    unseen : {"ignore", "warn", "refuse"}, default "ignore"
        What `transform` does about entries unlike any in fit. It has an answer for them: no variable of the column
        holds on another category or an unexpected missing value, and in a column of zeros and ones whatever is above
        1/2 counts as a one. ``"warn"`` counts them by column in an `UnseenWarning`, as `count_unseen` does without;
        ``"refuse"`` refuses the first.

    Attributes
    ----------
    tests_ : tuple of VariableTest
        What each variable says: column, kind of test, value.
    columns_ : tuple of ColumnTests
        What was learned about each column.
    columns_without_variables_ : tuple of str
        Columns that got no variable: numbers that are all equal, or where no supervised cut is worth its price.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> table = [["grey", 4.5], ["clear", 21.0], ["grey", None], ["snow", -3.0]]
    >>> binarizer = Binarizer().fit(table)
    >>> binarizer.get_feature_names_out().tolist()
    ['x1=clear', 'x1=grey', 'x1=snow', 'x2<=0', 'x2<=10', 'x2 is missing']
    >>> binarizer.transform([["fog", 7]]).tolist(), binarizer.count_unseen([["fog", 7]])
    ([[0, 0, 0, 0, 1, 0]], {'x1': UnseenEntries(values=1, numbers=0, missing=0)})
    >>> binarizer.tests_[3]
    VariableTest(column='x2', kind='at most', value=0)
    """

    def __init__(
        self, columns: Any = None, *, cuts: Any = "auto", max_values: Any = 50, unseen: str = "ignore"
    ) -> None:
        self.columns = columns
        self.cuts = cuts
        self.max_values = max_values
        self.unseen = unseen

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the variables of a table; ``y`` is needed, one label per row, where ``cuts="supervised"``."""
        with one_fit(self) as new:
            cuts, max_values = cuts_setting(new.cuts), whole_number(new.max_values, "max_values")
            choice(new.unseen, "unseen", UNSEEN)
            if cuts == "supervised" and y is None:
                raise SettingError('cuts="supervised" requires y to be passed, but the target y is None; or use cuts=4')
            table = new._read(X, reset=True)
            chosen = _chosen_columns(new.columns, [column.name for column in table])
            labels = class_labels(y, len(table[0]))[1] if cuts == "supervised" else None
            for column, is_chosen in zip(table, chosen, strict=True):
                if not is_chosen:
                    require_zeros_and_ones(column, "it is not among columns=, and what passes through is 0 or 1")
            new._learn(learn_columns(table, cuts, max_values, labels), len(table[0]))
        return self

    def transform(self, X: Any) -> Any:
        """Return the variables of every row as an array of uint8, or as `set_output` asks."""
        rows = self.pack(X)
        require_memory(
            rows.n_rows * rows.n_variables, "the array of variables", "use pack, which takes an eighth of it"
        )
        return rows.to_array()

    def pack(self, X: Any) -> BitMatrix:
        """Return the variables of every row, packed and named."""
        check_is_fitted(self)
        table = self._read(X, reset=False)
        if choice(self.unseen, "unseen", UNSEEN) == "refuse":
            for learned, column in zip(self.columns_, table, strict=True):
                learned.require_seen(column)
        elif self.unseen == "warn" and (counts := self._unseen(table)):
            totals = ", ".join(f"{shortened(name)} {sum(entries)}" for name, entries in counts.items())
            warnings.warn(f"entries unlike any learned from, by column: {totals}", UnseenWarning, stacklevel=2)
        return pack_columns(self.columns_, table)

    def count_unseen(self, X: Any) -> dict[str, UnseenEntries]:
        """Count, per column that has any, the entries unlike any in fit: other values, unexpected missing ones."""
        check_is_fitted(self)
        return self._unseen(self._read(X, reset=False))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the variables; ``input_features`` is only compared with the columns of fit."""
        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        return np.array([test.name for test in self.tests_], object)

    def record(self) -> dict[str, object]:
        """Describe the fitted binarizer in text, numbers, lists and dicts, for files."""
        check_is_fitted(self)
        columns = None if self.columns is None else [_plain_column(column) for column in self.columns]
        cuts = self.cuts if isinstance(self.cuts, str) else int(self.cuts)
        return {
            "settings": {
                "columns": columns,
                "cuts": cuts,
                "max_values": int(self.max_values),
                "unseen": self.unseen,
            },
            "columns": [column.record() for column in self.columns_],
            "is_named": hasattr(self, "feature_names_in_"),
        }

    @classmethod
    def from_record(cls, record: object) -> Self:
        """Return the binarizer that `record` described; whatever does not describe one is refused.

        Examples
        --------
        >>> fitted = Binarizer(cuts=1).fit([[3], [8], [9], [15]])
        >>> Binarizer.from_record(fitted.record()).transform([[8], [9]]).tolist()
        [[1], [0]]
        """
        match record:
            case {"settings": dict(settings), "columns": list(columns), "is_named": bool(is_named), **rest} if not rest:
                pass
            case _:
                raise BitsError("the record of a binarizer holds settings, columns and is_named, and nothing else")
        if settings.keys() != {"columns", "cuts", "max_values", "unseen"} or not columns:
            raise BitsError("the record has other settings than columns, cuts, max_values and unseen, or no columns")
        learned = [ColumnTests.from_record(column) for column in columns]
        names = [column.name for column in learned]
        if len(set(names)) < len(names) or not (is_named or names == _default_names(len(names))):
            raise BitsError("two columns of the record have one name, or columns without names are not x1, x2, ...")
        if not isinstance(settings["columns"], list | None):
            raise SettingError("the columns to binarize are not a list")
        _chosen_columns(settings["columns"], names)
        cuts_setting(settings["cuts"])
        whole_number(settings["max_values"], "max_values")
        choice(settings["unseen"], "unseen", UNSEEN)
        fitted = cls(**settings)
        fitted.n_features_in_ = len(names)
        if is_named:
            fitted.feature_names_in_ = np.array(names, object)
        fitted._learn(learned, 0)
        return fitted

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what X may hold."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        tags.target_tags.required = isinstance(self.cuts, str) and self.cuts == "supervised"
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _unseen(self, table: Sequence[Column]) -> dict[str, UnseenEntries]:
        counted = {learned.name: learned.unseen(column) for learned, column in zip(self.columns_, table, strict=True)}
        return {name: counts for name, counts in counted.items() if any(counts)}

    def _learn(self, columns: Sequence[ColumnTests], n_rows: int) -> None:
        require_variables(columns, n_rows)
        self.columns_ = tuple(columns)
        self.tests_ = tuple(test for column in columns for test in column.tests)
        self.columns_without_variables_ = tuple(column.name for column in columns if not column.tests)

    def _read(self, X: Any, *, reset: bool) -> list[Column]:
        """Read a frame or an array as columns; in fit learn their names, otherwise compare them."""
        if isinstance(X, Mapping) and not issparse(X):
            columns: list[Any] = self._read_mapping(X, reset=reset)
        elif nw.dependencies.is_into_dataframe(X):
            columns = list(frame_columns(X))
            validate_data(self, X, reset=reset, skip_check_array=True)
            if not columns or not len(columns[0]):
                raise BitsError("X has 0 rows or 0 columns; at least one of each is needed")
        else:
            with in_one_line("X"):
                given = array_of(X)
                columns = list(validate_data(self, given, reset=reset, dtype=None, ensure_all_finite=False).T)
        names = getattr(self, "feature_names_in_", _default_names(len(columns)))
        table = [Column.read(str(name), column) for name, column in zip(names, columns, strict=True)]
        if not reset:
            table = [learned.typed(column) for column, learned in zip(table, self.columns_, strict=True)]
        return table

    def _read_mapping(self, X: Mapping[str, Sequence[Any]], *, reset: bool) -> list[Any]:
        """Read columns given by name; in fit learn the names, otherwise compare them."""
        names = [str(name) for name in X]
        columns = [entries_of(entries) for entries in X.values()]
        if not columns or not len(columns[0]) or any(len(column) != len(columns[0]) for column in columns):
            raise BitsError("X has 0 rows, 0 columns, or columns of different lengths; a table needs all alike")
        if reset:
            self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, object)
        elif names != list(getattr(self, "feature_names_in_", [])):
            raise BitsError(f"X has the columns {shortened(names)}, in fit they were others or in another order")
        return columns


def _default_names(n_columns: int) -> list[str]:
    return [f"x{place + 1}" for place in range(n_columns)]


def _chosen_columns(columns: Any, names: Sequence[str]) -> list[bool]:
    """Return for every column whether it is to be binarized."""
    if columns is None:
        return [True] * len(names)
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise SettingError(f"columns={shortened(columns)}: expected a list of names or positions, or None")
    chosen = [False] * len(names)
    for column in map(_plain_column, columns):
        if isinstance(column, str) and column in names:
            chosen[names.index(column)] = True
        elif isinstance(column, int) and 0 <= column < len(names):
            chosen[column] = True
        else:
            raise SettingError(f"columns names {shortened(column)}, which is no column of the table")
    return chosen


def _plain_column(column: object) -> str | int:
    if isinstance(column, str):
        return str(column)
    if isinstance(column, int | np.integer) and not isinstance(column, bool):
        return int(column)
    raise SettingError(f"columns has {shortened(column)}: expected names or positions")
