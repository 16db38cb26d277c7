"""What linear estimators accept as rows: tables, packed or sparse rows, or examples by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from scipy.sparse import issparse
from sklearn.utils.validation import assert_all_finite

from conjunct.bits import BitMatrix, NameTable, SparseRows
from conjunct.errors import BitsError, SettingError
from conjunct.estimators.boolean_input import binarize_cut, boolean_rows, cut_table, number_table, past_floats
from conjunct.estimators.raw_tables import through_encoding
from conjunct.messages import in_one_line, shortened

__all__ = ["named_rows", "sparse_boolean_rows", "sparse_real_rows"]


def sparse_boolean_rows(estimator: Any, X: Any, *, reset: bool, learns: bool) -> SparseRows:
    """Read X as Boolean rows; values other than 0 and 1 are refused, or cut at ``estimator.binarize``."""
    if isinstance(X, SparseRows):
        return _open_rows(estimator, X, reset=reset, learns=learns)
    if isinstance(X, BitMatrix) or not issparse(X):
        return SparseRows.of(boolean_rows(estimator, X, reset=reset))
    cut = binarize_cut(estimator.binarize)
    table = number_table(estimator, X, reset=reset)
    return SparseRows.of(table if cut is None else cut_table(table, cut, None))


def sparse_real_rows(estimator: Any, X: Any, *, reset: bool, learns: bool) -> SparseRows:
    """Read X as rows of finite numbers; with values only where some are not 0 or 1."""
    if isinstance(X, SparseRows):
        return _open_rows(estimator, X, reset=reset, learns=learns)
    X = through_encoding(estimator, X, reset=reset)
    if isinstance(X, BitMatrix):
        return SparseRows.of(boolean_rows(estimator, X, reset=reset))
    # Whether numbers are finite is looked at where there are others than 0 and 1.
    table = number_table(estimator, X, reset=reset)
    try:
        return SparseRows.of(table)
    except BitsError:
        with in_one_line("X"):
            assert_all_finite(
                table.data if issparse(table) else table, input_name="X", estimator_name=type(estimator).__name__
            )
        try:
            return SparseRows.of_real(table)
        except OverflowError:
            raise past_floats(table) from None


def as_examples(X: Any) -> Any:
    """Return examples by name in a list, tokens as dicts that hold a 1 for each; whatever else X is as it is.

    Examples are sets and dicts of names, lists or tuples of text, and generators of names; X may be a generator too.

    Examples
    --------
    >>> as_examples([{"red"}, ["red", "round"], (word for word in "a b".split())])
    [{'red'}, {'red': 1, 'round': 1}, {'a': 1, 'b': 1}]
    >>> as_examples([[0, 1], [1, 1]])
    [[0, 1], [1, 1]]
    """
    if isinstance(X, Iterator):
        X = list(X)
    if not isinstance(X, list | tuple) or not X:
        return X
    if all(type(example) in (dict, set) for example in X):
        return X if type(X) is list else list(X)
    if not all(_is_example(example) for example in X):
        return X
    with in_one_line("X"):
        return [example if isinstance(example, Set | Mapping) else dict.fromkeys(example, 1) for example in X]


def _is_example(example: Any) -> bool:
    if isinstance(example, list | tuple):
        return all(isinstance(token, str) for token in example)
    return isinstance(example, Set | Mapping | Iterator)


def named_rows(estimator: Any, X: Any, *, reset: bool, learns: bool, with_values: bool) -> SparseRows | None:
    """Read examples given by name through the estimator's ``names_``; None where X is a table."""
    X = as_examples(X)
    if not isinstance(X, list | tuple) or not any(isinstance(example, Set | Mapping) for example in X):
        if getattr(estimator, "names_", None) is not None and not reset:
            raise BitsError("the estimator learned from examples given by name; give a list of sets or dicts")
        if learns and estimator.max_size != 1:
            raise SettingError(
                f"max_size={shortened(estimator.max_size)} is for examples given as sets or dicts of names"
            )
        if reset:
            estimator.names_ = None
        return None
    if reset:
        estimator.names_ = NameTable(estimator.max_size)
        for name in ("n_features_in_", "feature_names_in_"):
            estimator.__dict__.pop(name, None)
    elif estimator.names_ is None:
        raise BitsError("the estimator learned from a table; give rows of as many columns, not names")
    table: NameTable = estimator.names_
    if learns and table.max_size != estimator.max_size:
        raise SettingError(
            f"max_size={shortened(estimator.max_size)}: a run goes on only with the max_size it began with"
        )
    try:
        return table.rows(X, grows=learns)
    except BitsError:
        if not with_values:
            raise
        return table.rows(X, grows=learns, with_values=True)


def _open_rows(estimator: Any, X: SparseRows, *, reset: bool, learns: bool) -> SparseRows:
    """Rows of open width: they may grow while learning, and must not when predicting."""
    if X.n_rows == 0:
        raise BitsError("X has 0 rows; at least one is needed")
    width = X.n_variables if reset else estimator.n_features_in_
    if X.n_variables > width and not learns:
        raise BitsError(f"X has {X.n_variables} variables, but {type(estimator).__name__} is expecting {width}")
    if learns:
        estimator.n_features_in_ = max(width, X.n_variables)
        if reset:
            estimator.__dict__.pop("feature_names_in_", None)
    return X
