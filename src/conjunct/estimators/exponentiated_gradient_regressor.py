"""The exponentiated gradient as a scikit-learn regressor."""

from __future__ import annotations

from copy import copy
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from conjunct.bits import SparseRows, require_memory
from conjunct.bits.dates import DATES_ARE_NO_NUMBERS, is_date, shown_date
from conjunct.errors import BitsError, SettingError
from conjunct.estimators.on_line import require_on_line_settings, shuffling_seed
from conjunct.estimators.one_fit import one_fit
from conjunct.estimators.saved import Saved
from conjunct.estimators.sparse_input import sparse_real_rows
from conjunct.learners import ExponentiatedGradient
from conjunct.learners.online.exponentiated_gradient import (
    GradientRun,
    as_targets,
    largest_size,
    largest_spread,
    order_of_pass,
    search_norm,
)
from conjunct.messages import shortened
from conjunct.saving.gradient_model import GradientModel
from conjunct.settings import exact, flag
from conjunct.theory import exponentiated_gradient_rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ExponentiatedGradientRegressor"]

C = 1.0  # of the loss bound: both its terms have the factor 3/2
BYTES_PER_VARIABLE = 208  # while learning, in the model and while loading, as measured
LEAST_GAIN = 1e-3
LARGEST_RADIUS = 1e150  # its square is a float


class ExponentiatedGradientRegressor(Saved, RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Learn a weighted sum on line by multiplying weights: few relevant variables among very many.

    Floats decide: weights, predictions and losses are rounded.

    Parameters
    ----------
    signed : bool, default True
        EG+-: weights of both signs, of sizes that sum to at most ``norm``. False is EG: weights are positive and sum
        to 1, so that predictions are means of a row's values; for variables that are themselves predictions.
    learning_rate : int, Fraction, "p/q", float or None, default None
        eta; None takes 2c / (R**2 (2 + c)) with c = 1, for which the loss bound below holds. R is found from the rows
        of `fit` or of the first `partial_fit`: 2 norm max|x_i| with signed weights, otherwise the largest
        max_i x_i - min_i x_i of a row.
    norm : int, Fraction, "p/q", float or None, default None
        U, the largest sum of sizes that signed weights can have; the rate falls with its square. None starts from
        2 max|y| / max|x_i| of the rows of `fit` or of the first `partial_fit`, and doubles it while that lowers the
        loss on held-out rows, every fifth of at most 10000, by a hundredth. Give it where the first batch is unlike
        the rest, or small.
    constant : int, Fraction, "p/q", float or None, default None
        The value of one more variable that every row has; 0 for none. None is max|x_i| with signed weights, the largest
        value that leaves R as it is, and otherwise 0.
    max_passes : int, default 100
        `fit` stops after a pass whose loss is not a thousandth below that of the pass before, or after this many;
        ``stopped_by_`` says which.
    prediction : {"averaged", "final"}, default "averaged"
        Predict with the mean of the weights after every row of the last pass, or with the last ones. `partial_fit`
        goes on with the mean that it finds.
    shuffle : bool, default True
        Whether `fit` shuffles the rows before every pass: tables are often sorted. `partial_fit` keeps their order.
    random_state : int, RandomState or None, default 0
        The seed of the shuffling.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        The weights that predict.
    intercept_ : float
        The constant's part of every prediction.
    loss_ : float
        The square losses of all steps, summed; each prediction was made before its target was seen.
    learning_rate_, norm_, constant_ : float
        Those in use.
    reasons_ : dict
        Why, for what was found automatically.
    n_passes_, n_features_in_ : int
    prediction_ : {"averaged", "final"}
    stopped_by_ : {"settled", "max_passes", "end of batch"}

    Notes
    -----
    In one pass, while no row passes R, the loss is at most (1 + c/2) loss(u) + (1/2 + 1/c) R**2 KL(u || w_1), for every
    u on the simplex, or with signed weights every u of |u|_1 <= U; KL is at most ln N or ln 2N, where N counts the
    constant too. A large weight does not mean that its variable matters.
    Source: [kivinen1997, EG and EG+- for the square loss].

    Examples
    --------
    >>> rows = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1]]
    >>> learner = ExponentiatedGradientRegressor(norm=6).fit(rows, [2, -1, 1, 0, 2])
    >>> learner.predict([[1, 1, 1]]).round(1).tolist(), learner.n_passes_, learner.stopped_by_
    ([1.0], 88, 'settled')
    >>> print(learner.reasons_["learning_rate"])
    2c / (R**2 (2 + c)) with c = 1 and R = 2 norm max|x_i| = 12: the loss bound holds
    """

    file_kind: ClassVar[str] = "exponentiated-gradient-regressor"
    fitted_mark: ClassVar[str] = "coef_"

    _run: GradientRun

    def __init__(
        self,
        *,
        signed: bool = True,
        learning_rate: Any = None,
        norm: Any = None,
        constant: Any = None,
        max_passes: int = 100,
        prediction: str = "averaged",
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.signed = signed
        self.learning_rate = learning_rate
        self.norm = norm
        self.constant = constant
        self.max_passes = max_passes
        self.prediction = prediction
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and learn from the rows, pass after pass."""
        with one_fit(self) as new:
            new._require_settings()
            rows = sparse_real_rows(new, X, reset=True, learns=True)
            targets = new._targets(y, rows.n_rows)
            run, rows = new._begin(rows, targets)
            seed, before, stopped_by = shuffling_seed(new), float("inf"), "max_passes"
            for number in range(int(new.max_passes)):
                run.restart_mean()
                so_far = run.loss
                run.give_pass(rows, targets, order_of_pass(rows.n_rows, seed, number))
                loss = run.loss - so_far
                if not loss < (1 - LEAST_GAIN) * before:
                    stopped_by = "settled"
                    break
                before = loss
            new._take_over(new._model(run, new.prediction, stopped_by))
        return self

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Go on learning from a batch of rows, once, in the given order; the first batch settles what is automatic."""
        with one_fit(self) as new:
            new._require_settings()
            is_first = not hasattr(new, new.fitted_mark)
            rows = sparse_real_rows(new, X, reset=is_first, learns=is_first)
            targets = new._targets(y, rows.n_rows)
            if is_first:
                run, rows = new._begin(rows, targets)
            else:
                new._require_same_settings()
                run, rows = copy(new._run), _with_constant(rows, new.n_features_in_, new.constant_)
            run.give_pass(rows, targets, np.arange(rows.n_rows))
            new._take_over(new._model(run, new.prediction, "end of batch"))
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predicted target of every row."""
        check_is_fitted(self)
        rows = sparse_real_rows(self, X, reset=False, learns=False)
        predicted: NDArray[np.float64] = rows.dot(self.coef_) + self.intercept_
        return predicted

    def _require_settings(self) -> None:
        """Refuse parameters of wrong types or values."""
        require_on_line_settings(self, ("final", "averaged"))
        flag(self.signed, "signed")
        for name in ("learning_rate", "norm"):
            setting = getattr(self, name)
            if setting is not None and not _rounded(setting, name) > 0:
                raise SettingError(f"{name}={shortened(setting)}: expected a positive number")
        if self.constant is not None:
            _rounded(self.constant, "constant")
        if self.norm is not None and not self.signed:
            raise SettingError(
                f"norm={shortened(self.norm)} belongs to signed=True; with signed=False the weights sum to 1"
            )

    def _require_same_settings(self) -> None:
        learner = self._run.learner
        used = {"learning_rate": learner.rate, "norm": learner.norm, "constant": self.constant_}
        settings = {name: getattr(self, name) for name in used}
        is_same = all(value is None or _rounded(value, name) == used[name] for name, value in settings.items())
        if not is_same or bool(self.signed) != learner.is_signed:
            raise SettingError("a run goes on only with the settings it began with")

    def _targets(self, y: Any, n_rows: int) -> NDArray[np.float64]:
        if y is None:
            raise SettingError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        try:
            column = column_or_1d(y, warn=True)
        except ValueError as error:
            raise BitsError(f"y: {' '.join(str(error).split())[:200]}") from None
        for row, value in enumerate(column if column.dtype.kind in "mMO" else ()):
            if is_date(value):
                raise BitsError(f"y has {shown_date(value)} in row {row}; {DATES_ARE_NO_NUMBERS}")
        if column.dtype.kind not in "biufO":
            raise BitsError(f"y holds {column.dtype} values, expected numbers")
        try:
            targets = column.astype(np.float64)
        except (TypeError, ValueError, OverflowError):
            raise BitsError("y holds values that are not numbers") from None
        return as_targets(targets, n_rows)

    def _begin(self, rows: SparseRows, targets: NDArray[np.float64]) -> tuple[GradientRun, SparseRows]:
        """Find what is automatic and start a run; return it with the rows that it reads."""
        need = BYTES_PER_VARIABLE * rows.n_variables
        require_memory(need, f"learning {rows.n_variables} variables", "number only the variables there are")
        self.reasons_: dict[str, str] = {}
        self.constant_ = self._automatic_constant(rows)
        rows = _with_constant(rows, self.n_features_in_, self.constant_)
        norm = self._automatic_norm(rows, targets) if self.signed else 1.0
        learner = ExponentiatedGradient(self._automatic_rate(rows, norm), norm, bool(self.signed))
        self.reasons_ = dict(sorted(self.reasons_.items()))
        return learner.begin(rows.n_variables), rows

    def _automatic_constant(self, rows: SparseRows) -> float:
        if self.constant is not None:
            return _rounded(self.constant, "constant")
        if not self.signed:
            self.reasons_["constant"] = "0: the weights are those of a mean of the row's values"
            return 0.0
        self.reasons_["constant"] = "max|x_i|: the largest value for which the rate stays the same"
        return largest_size(rows) or 1.0

    def _automatic_norm(self, rows: SparseRows, targets: NDArray[np.float64]) -> float:
        if self.norm is not None:
            return _rounded(self.norm, "norm")
        if not np.any(targets) or largest_size(rows) == 0:
            self.reasons_["norm"] = "1: all targets or all values are 0"
            return 1.0
        norm, doublings = search_norm(rows, targets)
        if not 0 < norm < inf:
            raise BitsError("max|y| / max|x_i| leaves the range of floats; scale rows and targets")
        why = (
            "twice that does not predict held-out rows much better" if rows.n_rows >= 5 else "too few rows to try more"
        )
        self.reasons_["norm"] = f"{2**doublings} max|y| / max|x_i| = {norm:.6g}: {why}"
        return norm

    def _automatic_rate(self, rows: SparseRows, norm: float) -> float:
        if self.learning_rate is not None:
            return _rounded(self.learning_rate, "learning_rate")
        radius = 2 * norm * largest_size(rows) if self.signed else largest_spread(rows)
        if radius == 0:
            radius, how = 1.0, "R = 1, as the rows leave nothing to learn"
        else:
            how = f"R = {'2 norm max|x_i|' if self.signed else 'max x_i - min x_i'} = {radius:.6g}"
        if not 1 / LARGEST_RADIUS < radius < LARGEST_RADIUS:
            raise BitsError(f"predictions of a size of {radius:.3g} leave the range of floats; scale rows and targets")
        self.reasons_["learning_rate"] = f"2c / (R**2 (2 + c)) with c = {C:g} and {how}: the loss bound holds"
        return exponentiated_gradient_rate(radius, C)

    def _model(self, run: GradientRun, prediction: str, stopped_by: str) -> GradientModel:
        names = getattr(self, "feature_names_in_", None)
        listed = None if names is None else tuple(names.tolist())
        return GradientModel(run, self.n_features_in_, self.constant_, prediction, stopped_by, listed, self.reasons_)

    def _take_over(self, model: GradientModel) -> None:
        run = model.run
        self._run, self.prediction_, self.stopped_by_ = run, model.prediction, model.stopped_by
        self.n_features_in_, self.constant_, self.reasons_ = model.n_variables, model.constant, dict(model.reasons)
        if model.names is not None:
            self.feature_names_in_ = np.array(model.names, object)
        self.coef_, self.intercept_ = model.weights, model.intercept
        self.loss_, self.n_passes_ = run.loss, run.n_passes
        self.learning_rate_, self.norm_ = run.learner.rate, run.learner.norm

    def _learned(self) -> GradientModel:
        return self._model(self._run, self.prediction_, self.stopped_by_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _rounded(value: Any, name: str) -> float:
    try:
        return float(exact(value, name))
    except OverflowError:
        raise SettingError(f"{name}: too large for a float") from None


def _with_constant(rows: SparseRows, n_variables: int, constant: float) -> SparseRows:
    """Return rows of so many variables and, where it is not 0, a constant one after them."""
    if constant == 0:
        is_wide = rows.n_variables == n_variables
        return rows if is_wide else SparseRows(rows.starts, rows.places, n_variables, rows.values, _is_owned=True)
    ends, values = rows.starts[1:], rows.values
    if values is None and constant != 1:
        values = np.ones(len(rows.places))
    return SparseRows(
        rows.starts + np.arange(len(rows.starts)),
        np.insert(rows.places, ends, n_variables),
        n_variables + 1,
        None if values is None else np.insert(values, ends, constant),
        _is_owned=True,
    )
