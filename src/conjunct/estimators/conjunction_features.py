"""Conjunctions of variables as the columns of a sparse table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from conjunct.bits import ConjunctionColumns, require_memory
from conjunct.errors import SettingError
from conjunct.estimators.boolean_input import binarize_cut, boolean_rows
from conjunct.estimators.one_fit import one_fit
from conjunct.logic.formula import natural_order
from conjunct.logic.spelling import spelled
from conjunct.messages import shortened
from conjunct.settings import choice, flag, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ConjunctionFeatures"]


class ConjunctionFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Write out which conjunctions hold on every row, as a sparse table with a column for each conjunction.

    Where a linear learner is to work on conjunctions themselves; the kernels do so without writing them out.

    Parameters
    ----------
    max_size : int, default 2
        The most literals in a conjunction; there are no more than variables.
    literals : {"positive", "both"}, default "positive"
        Whether conjunctions are made of variables only, or of variables and their negations. With both, as many hold
        on every row: all sizes of subsets of its variables.
    binarize : float or None, default None
        None refuses values other than 0 and 1; a number t reads ``x > t`` as 1.
    sparse_output : bool, default True
        Whether the table is sparse; a frame, as `set_output` makes it, is not.

    Attributes
    ----------
    conjunctions_ : ConjunctionColumns
        Which conjunction has which column; no list of them is kept.
    n_features_out_ : int
        The number of columns.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    Columns are in a fixed order: shorter conjunctions first, those of one size in lexicographic order of their
    literals, which are ordered by variable, the positive one first. Conjunctions that never hold (``x1 & ~x1``) and the
    empty one have no column. With variables x1, x2 and both literals: x1, ~x1, x2, ~x2, x1 & x2, x1 & ~x2, ~x1 & x2,
    ~x1 & ~x2.

    Examples
    --------
    >>> features = ConjunctionFeatures(max_size=2).fit([[1, 0, 1], [0, 1, 1]])
    >>> features.get_feature_names_out().tolist()
    ['x1', 'x2', 'x3', 'x1 & x2', 'x1 & x3', 'x2 & x3']
    >>> features.transform([[1, 0, 1]]).toarray().tolist()
    [[1, 0, 1, 0, 1, 0]]
    >>> ConjunctionFeatures(max_size=3, literals="both").fit([[0] * 100]).n_features_out_
    1313600
    """

    def __init__(
        self,
        max_size: int = 2,
        *,
        literals: str = "positive",
        binarize: float | None = None,
        sparse_output: bool = True,
    ) -> None:
        self.max_size = max_size
        self.literals = literals
        self.binarize = binarize
        self.sparse_output = sparse_output

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the number and names of the variables; ``y`` is not looked at."""
        with one_fit(self) as new:
            max_size = whole_number(new.max_size, "max_size")
            literals = choice(new.literals, "literals", ("positive", "both"))
            binarize_cut(new.binarize)
            flag(new.sparse_output, "sparse_output")
            n_variables = boolean_rows(new, X, reset=True).n_variables
            if max_size > n_variables:
                raise SettingError(
                    f"max_size={shortened(new.max_size)}: a conjunction has at most one literal of each variable, "
                    f"and X has n_features={n_variables}; use max_size={n_variables} or less"
                )
            new.conjunctions_ = ConjunctionColumns(n_variables, max_size, literals == "both")
        return self

    def transform(self, X: Any) -> Any:
        """Return a CSR array of uint8 ones, a row for each row of X, columns in rising order; or a dense one."""
        check_is_fitted(self)
        rows = boolean_rows(self, X, reset=False)
        starts, columns = self.conjunctions_.entries(rows)
        ones = np.ones(len(columns), np.uint8)
        shape = (rows.n_rows, self.n_features_out_)
        table = csr_array((ones, columns, starts.astype(columns.dtype, copy=False)), shape=shape)
        table.has_canonical_format = True  # sorted, none twice: spares a look at every entry
        if self.sparse_output:
            return table
        require_memory(rows.n_rows * self.n_features_out_, "the dense table of conjunctions", "use sparse_output=True")
        return table.toarray()

    @property
    def n_features_out_(self) -> int:
        """The number of columns."""
        check_is_fitted(self)
        columns: ConjunctionColumns = self.conjunctions_
        return columns.n_columns

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the conjunction of every column, written as a formula.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names for variables that had none in `fit`; otherwise compared with those of `fit`. Without either they are
            called x1, x2, ...

        Raises
        ------
        MemoryLimitError
            The names would pass the memory limit.
        """
        check_is_fitted(self)
        input_names = _check_feature_names_in(self, input_features)
        is_named = input_features is not None or hasattr(self, "feature_names_in_")
        names = [str(name) if is_named else f"x{number}" for number, name in enumerate(input_names, 1)]
        rank_of = {name: rank for rank, name in enumerate(natural_order(names))}
        texts = [f"{sign}{spelled(name)}" for name in names for sign in ("", "~")]
        ranks = [rank_of[name] for name in names for _ in ("", "~")]
        columns: ConjunctionColumns = self.conjunctions_
        bytes_of_a_name = 64 + columns.max_size * (3 + max(map(len, texts)))
        require_memory(
            columns.n_columns * bytes_of_a_name, f"the list of {columns.n_columns} names", "use a smaller max_size"
        )
        formulas = np.empty(columns.n_columns, object)
        for column, literals in enumerate(columns):
            formulas[column] = " & ".join([texts[code] for code in sorted(literals, key=ranks.__getitem__)])
        return formulas

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what X may be, and that the result has a type of its own."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags
