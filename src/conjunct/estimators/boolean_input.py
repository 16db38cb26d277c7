"""What estimators accept as rows, and how labels and class weights become numbers."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from numbers import Real
from sys import float_info
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from conjunct.bits import BitMatrix
from conjunct.bits.dates import require_no_dates
from conjunct.bits.packing import column_name, owned_csr
from conjunct.errors import BitsError, RowError, SettingError
from conjunct.estimators.raw_tables import require_no_text, through_encoding
from conjunct.messages import in_one_line, shortened
from conjunct.tables.classes import numbered_classes, without_order
from conjunct.theory import exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["binarize_cut", "boolean_rows", "class_labels", "class_rates", "cut_table", "number_table", "past_floats"]

LARGEST_CUT = float_info.max


def boolean_rows(estimator: Any, X: Any, *, reset: bool) -> BitMatrix:
    """Read X as Boolean rows for an estimator: arrays, sparse matrices, data frames, or a BitMatrix.

    With ``estimator.binarize=None`` every value must be 0 or 1; with a number t, ``x > t`` is 1. ``reset`` is true in
    ``fit``, where the width and the names are learned, and false where they are compared. A model that was saved with
    the encoding of its table reads raw tables through it.
    """
    X = through_encoding(estimator, X, reset=reset)
    if isinstance(X, BitMatrix):
        return _bit_matrix(estimator, X, reset=reset)
    cut = binarize_cut(estimator.binarize)
    table = number_table(estimator, X, reset=reset)
    known = getattr(estimator, "feature_names_in_", None)
    names = None if known is None else tuple(known)
    return BitMatrix.of(table if cut is None else cut_table(table, cut, names), names)


def number_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Read X as a table of numbers, dense or CSR.

    What scikit-learn would not refuse by its place is judged here or later: dates, which it takes for integers, text,
    and missing values.
    """
    require_no_dates(X)
    require_no_text(X, type(estimator).__name__)
    if issparse(X) and X.ndim == 2 and X.format != "csr":  # scikit-learn would convert it, unseen
        X = owned_csr(X)
    with in_one_line("X"):
        try:
            return validate_data(
                estimator, X, reset=reset, accept_sparse="csr", dtype="numeric", ensure_all_finite=False
            )
        except OverflowError:
            raise past_floats(X) from None


def past_floats(X: Any) -> BitsError:
    """Return the refusal of the first number that no float can hold."""
    for (row, column), value in np.ndenumerate(np.asarray(X, object)):
        try:
            float(value)
        except OverflowError:
            return RowError(
                f"column {column} has {shortened(value)}", row, "expected a number within the range of floats"
            )
        except (TypeError, ValueError):
            pass
    return BitsError("X has a number past the range of floats")


def binarize_cut(binarize: Any) -> float | None:
    """Check the ``binarize`` parameter."""
    if binarize is None:
        return None
    is_real = isinstance(binarize, Real) and not isinstance(binarize, bool)
    if not is_real or not -LARGEST_CUT <= binarize <= LARGEST_CUT:
        raise SettingError(f"binarize={shortened(binarize)}: expected None, or a number t to read 'x > t' as 1")
    return float(binarize)


def class_labels(y: Any, n_rows: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted classes and, for every row, the number of its class."""
    with in_one_line("y"):
        labels = column_or_1d(y, warn=True)
        if len(labels) != n_rows:
            raise BitsError(f"{n_rows} rows need as many labels, got {len(labels)}")
        assert_all_finite(labels, input_name="y")
        if labels.dtype.kind not in "biuU":  # floats may be no classes
            try:
                check_classification_targets(labels)
            except TypeError:
                raise without_order(labels) from None
    return numbered_classes(labels)


def class_rates(
    class_weight: Any, classes: NDArray[Any], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Fraction]:
    """Turn class weights into whole update rates, one per class, and the unit they are counted in."""
    if class_weight is None:
        return np.ones(len(classes), np.int64), Fraction(1)
    if isinstance(class_weight, str) and class_weight == "balanced":
        weights = [Fraction(int(counts.sum()), len(classes) * int(count)) for count in counts]
    elif isinstance(class_weight, dict):
        for label in class_weight:
            if label not in classes.tolist():
                known = shortened(classes.tolist())
                raise SettingError(f"class_weight names {shortened(label)}, which is not among the classes {known}")
        weights = [exact(class_weight.get(label, 1), f"class_weight[{shortened(label)}]") for label in classes.tolist()]
    else:
        raise SettingError(
            f'class_weight={shortened(class_weight)}: expected None, "balanced" or a dict of class: weight'
        )
    if min(weights) <= 0:
        raise SettingError(f"class_weight={shortened(class_weight)}: expected positive weights")
    denominator = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * denominator) for weight in weights]
    if max(whole) >= 1 << 40:
        raise SettingError(
            f"class_weight={shortened(class_weight)}: its ratios need numbers past 2**40; use simpler weights"
        )
    return np.array(whole, np.int64), Fraction(1, denominator)


def _bit_matrix(estimator: Any, X: BitMatrix, *, reset: bool) -> BitMatrix:
    """Learn or compare the width and names of a BitMatrix as scikit-learn does for arrays and frames."""
    if X.n_rows == 0:
        raise BitsError("X has 0 rows; at least one is needed")
    if reset:
        estimator.n_features_in_ = X.n_variables
        if X.is_named:
            estimator.feature_names_in_ = np.array(X.names, object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return X
    if X.n_variables != estimator.n_features_in_:
        raise BitsError(
            f"X has {X.n_variables} variables, but {type(estimator).__name__} is expecting {estimator.n_features_in_}"
        )
    known = getattr(estimator, "feature_names_in_", None)
    if known is None or not X.is_named:
        return X if known is None else X.with_names(tuple(known))
    for place, (here, there) in enumerate(zip(X.names, known, strict=True)):
        if here != there:
            raise BitsError(f"variable {place} of X is {shortened(here)}; in fit it was {shortened(there)}")
    return X


def cut_table(table: Any, cut: float, names: tuple[str, ...] | None) -> Any:
    """Return ``table > cut`` as zeros and ones, sparse where zeros stay zeros; refuse what is not finite by place."""
    table = owned_csr(table) if issparse(table) else table
    entries = table.data if issparse(table) else table
    if not np.all(np.isfinite(entries)):
        places = (table.tocoo().row, table.tocoo().col) if issparse(table) else np.indices(table.shape)
        row, column = (int(place[~np.isfinite(entries)][0]) for place in places)
        value = float(entries[~np.isfinite(entries)][0])
        what = "a missing value (NaN)" if value != value else repr(value)
        raise BitsError(
            f"column {column_name(column, names)} has {what} in row {row}; binarize={cut} needs finite numbers. "
            "Fill in missing values first, or make them a variable with a Binarizer"
        )
    if not issparse(table):
        return table > cut
    if cut < 0:
        return table.toarray() > cut
    table.sum_duplicates()
    return csr_array(((table.data > cut).astype(np.uint8), table.indices, table.indptr), shape=table.shape)
