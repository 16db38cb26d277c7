"""The maximal-margin machine over conjunctions as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from conjunct.bits import random_permutation
from conjunct.bits.limits import limiting_threads
from conjunct.errors import BitsError, SettingError
from conjunct.estimators.boolean_input import binarize_cut, boolean_rows
from conjunct.estimators.certified import certificate_of
from conjunct.estimators.kernel_parameter import DEFAULT_LITERALS, DEFAULT_SIZE, KINDS, KernelParameter
from conjunct.estimators.margin_problems import MarginProblems, limit_of_each, read_problems, require_width
from conjunct.estimators.one_fit import one_fit
from conjunct.estimators.saved import Saved
from conjunct.evaluation.progress import report, steps
from conjunct.kernels import Kernel, PairSums
from conjunct.learners import (
    ConjunctionSVM,
    DualSolution,
    MaximalMarginPerceptron,
    RegularizedPerceptron,
    margin_path,
    on_one_scale,
)
from conjunct.learners.margin.margin_machine import MarginMachine, positive_lam, relative_gap
from conjunct.messages import shortened
from conjunct.models import KernelExpansion, PairwiseExpansion
from conjunct.saving.margin_model import Machine
from conjunct.settings import choice, flag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.certificates import BoundCertificate
    from conjunct.learners import Round
    from conjunct.models import SigmoidCalibration

__all__ = ["ConjunctionSVC"]

SOLVERS = ("exact", "margin", "perceptron")
MULTICLASS = ("ovr", "ovo")
LARGEST_TIME_LIMIT = 1e9  # seconds; one beyond is none
CALIBRATION_FOLDS = 5
CALIBRATION_TOL = 1e-2  # the relative gap of machines that only score held-out rows


def is_calibrated(estimator: Any) -> bool:
    """Say whether an estimator has probabilities, as scikit-learn asks before it shows the method."""
    if not estimator.calibrate:
        raise AttributeError("predict_proba: probabilities are not learned; ask for them with calibrate=True")
    return True


Method = TypeVar("Method", bound="Callable[..., Any]")
where_calibrated: Callable[[Method], Method] = available_if(is_calibrated)


class ConjunctionSVC(Saved, ClassifierMixin, KernelParameter):  # type: ignore[misc]  # scikit-learn has no types
    """Learn the polynomial of conjunctions with the least regularised risk, and say how far from the least it is.

    Parameters
    ----------
    kernel : Kernel, optional
        Which conjunctions are the features, and what they cost; instead of ``max_size`` and ``literals``.
    lam : int, Fraction, "p/q" or float, default None
        The regularisation: R+ = norm^2 + (1/lam) sum of [1 - y f]_+^2. Smaller values fit the rows more closely, larger
        ones smooth; 4/lam is what an error costs in leaves of a tree. None takes half the mean of k(x, x) over all
        rows, of whatever class, each counted by its weight; it suits most tables, and `ConjunctionSVCCV` searches.
    max_size : int or None, default 3
        The most literals in a conjunction; there are no more than variables. None is every size.
    literals : {"both", "positive"}, default "both"
        Whether conjunctions are made of variables and their negations, or of variables only.
    solver : {"exact", "margin", "perceptron"}, default "exact"
        The optimum to a relative gap `tol`, by block descent; the same by the greedy maximal-margin perceptron, one
        step a time; or the (k, lam)-perceptron, which stops by itself at no gap promised: ``gap_`` says how near.
    tol : float, default 1e-3
        "exact" and "margin" stop at this relative gap between risk and bound. The perceptron has none.
    multiclass : {"ovr", "ovo"}, default "ovr"
        Three or more classes: each against the rest and the largest score wins, or each against each and votes count.
    class_weight : dict, "balanced" or None
        What a row of each class weighs.
    max_iter : int or sequence of int, optional
        Stop after so many blocks, steps or updates, whichever the solver counts in ``n_iter_``; one number for all
        outputs, or one for each.
    time_limit : float, optional
        Stop after so many seconds, every output after one block, step or update at least; ``max_iter=n_iter_`` then
        gives the same model again.
    keep_interrupted : bool, default False
        On Ctrl-C keep the best so far, with its true gap, instead of raising KeyboardInterrupt.
    calibrate : bool, default False
        Whether to learn, on five held-out parts of the rows, what makes probabilities of scores, for `predict_proba`.
        It takes the time of five more fits, to a gap of 1e-2; several classes need ``multiclass="ovr"``, and the
        (k, lam)-perceptron has none. A row of weight k is held out as k rows are.
    binarize : float or None, default None
        None refuses values other than 0 and 1; a number t reads ``x > t`` as 1.
    n_jobs : int, optional
        How many threads learn and predict; -1 for every core. None takes `conjunct.set_threads`, ``CONJUNCT_THREADS``,
        or every core. No result depends on it, and no file holds it.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted; with two, the second is the positive one.
    model_ : KernelExpansion or PairwiseExpansion
        What was learned, frozen: integers times a power of two, over the cells that carry weight.
    lam_ : Fraction
        The regularisation in use.
    bound_ : Fraction
        No polynomial of these conjunctions has a smaller risk on the training rows.
    risk_ : Fraction
        The risk of the polynomial learned.
    gap_ : float
        (risk_ - bound_) / risk_.
    dual_ : ndarray of shape (n_rows,)
        The weight of every training row, not negative.
    n_support_ : int
        How many training rows have weight.
    n_iter_ : int
        Blocks, steps or updates.
    stopped_by_ : str
        "gap", "no update", "max_iter", "time_limit", "interrupted", or "precision" where floats could not go on.
    history_ : tuple of Round
        Bound and risk on the way.
    calibration_ : SigmoidCalibration or None
        What makes probabilities of decision values.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    With three or more classes bound_, risk_, gap_, n_support_, n_iter_, stopped_by_ and history_ have one entry, dual_
    has one row, per output.

    Notes
    -----
    [kowalczyk2002]; equal rows are pooled, a row of weight k is k rows, and there is no free intercept: the constant is
    a feature. ``bound_``, ``risk_`` and predictions are computed from the same integers, exactly. Probabilities are a
    sigmoid of the scores [platt1999]; `predict` does not look at them.

    Examples
    --------
    >>> from conjunct.datasets import tic_tac_toe
    >>> rows, labels = tic_tac_toe()
    >>> machine = ConjunctionSVC(lam=4).fit(rows, labels)
    >>> machine.gap_ <= 1e-3, machine.bound_ <= machine.risk_, machine.score(rows, labels)
    (True, True, 1.0)
    """

    file_kind: ClassVar[str] = "conjunction-svc"

    def __init__(
        self,
        kernel: Any = None,
        lam: Any = None,
        *,
        max_size: int | None = DEFAULT_SIZE,
        literals: str = DEFAULT_LITERALS,
        solver: str = "exact",
        tol: float = 1e-3,
        multiclass: str = "ovr",
        class_weight: Any = None,
        max_iter: Any = None,
        time_limit: float | None = None,
        keep_interrupted: bool = False,
        calibrate: bool = False,
        binarize: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.lam = lam
        self.max_size = max_size
        self.literals = literals
        self.solver = solver
        self.tol = tol
        self.multiclass = multiclass
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.keep_interrupted = keep_interrupted
        self.calibrate = calibrate
        self.binarize = binarize
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from the rows.

        Parameters
        ----------
        X : array, sparse matrix, data frame or BitMatrix
        y : array-like
            Labels: text, whole numbers or Booleans.
        sample_weight : array-like of int, Fraction, "p/q" or float, optional
            A row of weight k is k rows; 0 leaves it out. A float means its decimal: 0.1 is 1/10.
        """
        with one_fit(self) as new:
            new._require_settings()
            rows, classes, problems = new._read(X, y, sample_weight)
            kernel = new._kernel_for(rows.n_variables)
            lam = problems.mean_value(kernel) / 2 if new.lam is None else positive_lam(new.lam)
            pairs = PairSums(kernel.layout(problems.pooled.rows), problems.pooled.rows)
            limits, stop = limit_of_each(new.max_iter, len(problems.cells)), new._stop()
            solutions = [
                new._learner(kernel, lam, limit).solve(
                    cells, pairs, is_stopped=stop, watch=new._tell, keeps_interrupted=new.keep_interrupted
                )
                for cells, limit in steps(zip(problems.cells, limits, strict=True))
            ]
            new.__dict__.pop("encoding_", None)  # it led to other rows
            new._adopt(classes, problems, solutions, pairs)
            if new.calibrate:
                new.calibration_ = new._calibration(problems, pairs, kernel, lam, calibration_folds(problems))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of every row."""
        check_is_fitted(self)
        with limiting_threads(self.n_jobs):
            choices = self.model_.choices(boolean_rows(self, X, reset=False))
        labels: NDArray[Any] = self.classes_[choices]
        return labels

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return a float per row, positive exactly where the second class is predicted; several classes have one each.

        The exact score while kernel values stay within 2**53, its signed log2 beyond; with ``multiclass="ovo"`` votes.
        """
        check_is_fitted(self)
        with limiting_threads(self.n_jobs):
            values: NDArray[np.float64] = self.model_.decision_values(boolean_rows(self, X, reset=False))
        return values

    def certificate(self, X: Any, y: Any, sample_weight: Any = None, *, check: bool = True) -> BoundCertificate:
        """Return what the machine proves about every decision tree on the rows it learned from.

        Its weights bound parts + (4 / lam) * errors of every partition of the rows into conjunctions of at most
        ``max_size`` literals, and the leaves of a tree of that depth are one. With several classes the price of an
        error is 8 / (classes * lam), and outputs must be one against the rest.

        Parameters
        ----------
        X, y, sample_weight
            What `fit` was given.
        check : bool, default True
            Let the checker, in a process of its own, prove it again; then it is `certified`.

        Examples
        --------
        >>> rows, labels = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1, 0] * 5
        >>> print(ConjunctionSVC(max_size=2, lam=4).fit(rows, labels).certificate(rows, labels).claim.splitlines()[0])
        Every partition of these 20 rows into conjunctions of literals of these 2 yes/no tests, hence every decision
        tree, has parts + errors >= 3.
        """
        check_is_fitted(self)
        price = 4 / self.lam_ * Fraction(2, max(2, len(self.classes_)))
        return certificate_of(self, X, y, price, check, sample_weight=sample_weight, class_weight=self.class_weight)

    @where_calibrated
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every class, in the order of ``classes_``; with ``calibrate=True`` only."""
        values = self.decision_function(X)
        if self.calibration_ is None:
            raise SettingError("calibrate=True was set after fit; fit anew for probabilities")
        probabilities: NDArray[np.float64] = self.calibration_.probabilities(values)
        return probabilities

    def _calibration(
        self,
        problems: MarginProblems,
        pairs: PairSums,
        kernel: Kernel,
        lam: Fraction,
        folds: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    ) -> SigmoidCalibration:
        """Learn from the masses of every fold, and lay sigmoids through the scores of those held out."""

        def held_out() -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
            for train, test in folds:
                points = [
                    next(margin_path(pairs, [(kernel, [lam])], *m, CALIBRATION_TOL))
                    for m in problems.output_masses(train)
                ]
                yield test, np.array([point.scores for point in points])

        model = self.model_
        return problems.calibration(held_out(), isinstance(model, KernelExpansion) and model.is_logarithmic)

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[BitMatrix, NDArray[Any], MarginProblems]:
        rows, classes, problems = read_problems(self, X, y, sample_weight, self.multiclass)
        if self.calibrate and len(classes) > 2 and self.multiclass == "ovo":
            raise SettingError('calibrate=True needs multiclass="ovr" for several classes; votes have no probabilities')
        return rows, classes, problems

    def _require_settings(self) -> None:
        """Refuse parameters of wrong types or values, before any work and at both ends of a file."""
        binarize_cut(self.binarize)
        choice(self.multiclass, "multiclass", MULTICLASS)
        choice(self.solver, "solver", SOLVERS)
        limit = self.time_limit
        is_number = isinstance(limit, int | float | np.integer | np.floating) and not isinstance(limit, bool)
        if limit is not None and not (is_number and limit > 0):
            raise SettingError(f"time_limit={shortened(limit)}: expected a positive number of seconds, or None")
        flag(self.keep_interrupted, "keep_interrupted")
        if flag(self.calibrate, "calibrate") and self.solver == "perceptron":
            raise SettingError('calibrate=True needs solver="exact" or "margin", whose scores it knows')
        relative_gap(self.tol)
        for limit in limit_of_each(self.max_iter):
            self._learner(self._kernel(), Fraction(1) if self.lam is None else positive_lam(self.lam), limit)

    def _kernel_for(self, n_variables: int) -> Kernel:
        """Return the kernel for rows of a width; only one that was given is refused if it is longer than they are."""
        kernel = self._kernel()
        if self.kernel is None and (self.max_size or 0) > n_variables:
            return KINDS[self.literals](n_variables)
        require_width(kernel, n_variables)
        return kernel

    def _learner(self, kernel: Kernel, lam: Fraction, max_iter: int | None) -> MarginMachine:
        if self.solver == "perceptron":
            return RegularizedPerceptron(kernel, lam, max_iter=max_iter)
        kind = ConjunctionSVM if self.solver == "exact" else MaximalMarginPerceptron
        return kind(kernel, lam, tol=self.tol, max_iter=max_iter)

    def _tell(self, current: Round) -> None:
        """Tell how far a search is: a gap falls by about equal factors."""
        report(1.0 if current.gap <= self.tol else log(current.gap) / log(self.tol))

    def _stop(self) -> Callable[[], str]:
        if self.time_limit is None:
            return str
        end = monotonic() + float(min(self.time_limit, LARGEST_TIME_LIMIT))
        return lambda: "time_limit" if monotonic() >= end else ""

    def _adopt(
        self, classes: NDArray[Any], problems: MarginProblems, solutions: Sequence[DualSolution], pairs: PairSums
    ) -> None:
        if len(classes) == 2 or self.multiclass == "ovr":  # scores that compete; votes need no common scale
            solutions = [solution.judged(float(self.tol)) for solution in on_one_scale(solutions, pairs)]
        duals = [
            solution.row_weights(signs, problems.weights)
            for solution, signs in zip(solutions, problems.signs, strict=True)
        ]
        self._take_over(
            Machine(
                classes=classes,
                model=model_of(solutions, len(classes), self.multiclass),
                lam=solutions[0].lam,
                dual=np.array(duals),
                bounds=tuple(solution.bound for solution in solutions),
                risks=tuple(solution.risk for solution in solutions),
                n_iter=tuple(solution.n_iter for solution in solutions),
                stopped_by=tuple(solution.stopped_by for solution in solutions),
                histories=tuple(solution.history for solution in solutions),
            )
        )

    def _take_over(self, machine: Machine) -> None:
        """Show what was learned: plain values of one output, tuples of several."""
        self.n_features_in_ = machine.rows.n_variables
        if machine.rows.is_named:
            self.feature_names_in_ = np.array(machine.rows.names, object)
        self.classes_, self.model_, self.lam_ = machine.classes, machine.model, machine.lam
        self.calibration_ = machine.calibration
        self.dual_ = machine.dual[0] if machine.n_outputs == 1 else machine.dual
        for name, values in (
            ("bound_", machine.bounds),
            ("risk_", machine.risks),
            ("gap_", machine.gaps),
            ("n_support_", machine.n_support),
            ("n_iter_", machine.n_iter),
            ("stopped_by_", machine.stopped_by),
            ("history_", machine.histories),
        ):
            setattr(self, name, values[0] if machine.n_outputs == 1 else values)
        if machine.n_outputs > 1:
            self.gap_, self.n_support_, self.n_iter_ = map(np.array, (machine.gaps, machine.n_support, machine.n_iter))

    def _learned(self) -> Any:
        is_single = not isinstance(self.bound_, tuple)
        by_output = (self.bound_, self.risk_, self.n_iter_, self.stopped_by_, self.history_)
        bounds, risks, n_iter, stops, histories = ((v,) if is_single else tuple(v) for v in by_output)
        dual = np.atleast_2d(self.dual_)
        return Machine(
            self.classes_, self.model_, self.lam_, dual, bounds, risks, n_iter, stops, histories, self.calibration_
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def calibration_folds(problems: MarginProblems) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return what is learned from and what is held out in five folds, or as many as the smallest class has rows.

    Notes
    -----
    The rows of a class are dealt to the folds one by one, equal ones after each other, in an order of the cells that
    does not depend on how many rows there are. So only masses matter, and a row of weight k is k rows. Weights that are
    no whole numbers are parts of rows; a class that weighs less than two rows is dealt in halves.
    """
    masses = problems.class_masses(np.arange(len(problems.codes)))
    smallest = int(np.argmin(masses.sum(axis=1)))
    least = float(masses[smallest].sum())
    if least < 2 and np.count_nonzero(masses[smallest]) == 1:
        raise BitsError("calibrate=True needs two rows of every class, and one has a single row")
    n_folds, unit = max(2, min(CALIBRATION_FOLDS, int(least))), min(1.0, least / 2)
    order = random_permutation(0, masses.shape[1])
    ends = np.zeros((len(masses), len(order) + 1))
    np.cumsum(masses[:, order] / unit, axis=1, out=ends[:, 1:])
    held_out = []
    for fold in range(n_folds):
        rounds, rest = np.divmod(ends, n_folds)
        part = np.zeros_like(masses)
        part[:, order] = unit * np.diff(rounds + np.clip(rest - fold, 0, 1), axis=1)
        held_out.append(np.minimum(part, masses))
    return [(masses - part, part) for part in held_out]


def model_of(solutions: Sequence[DualSolution], n_classes: int, multiclass: str) -> KernelExpansion | PairwiseExpansion:
    """Return the model of one output, of several that compete, or of pairs that vote."""
    if n_classes > 2 and multiclass == "ovo":
        return PairwiseExpansion(tuple(solution.model() for solution in solutions), n_classes)
    if len(solutions) == 1:
        return solutions[0].model()
    net = np.array([solution.positive - solution.negative for solution in solutions])
    support = np.flatnonzero(np.any(net != 0, axis=0))
    rows = solutions[0].cells.rows[support]
    return KernelExpansion(solutions[0].kernel, rows, net[:, support], solutions[0].unit, Fraction(0))
