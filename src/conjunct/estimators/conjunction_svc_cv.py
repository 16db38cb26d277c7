"""The maximal-margin machine with size and regularisation found by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from numbers import Number
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.model_selection import StratifiedKFold, check_cv

from conjunct.errors import SettingError
from conjunct.estimators.boolean_input import binarize_cut
from conjunct.estimators.conjunction_svc import MULTICLASS, ConjunctionSVC
from conjunct.estimators.kernel_parameter import DEFAULT_LITERALS
from conjunct.estimators.one_fit import one_fit
from conjunct.evaluation.progress import showing, steps, within
from conjunct.kernels import PairSums
from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.learners import ConjunctionSVM, margin_path
from conjunct.learners.margin.float_range import require_range
from conjunct.learners.margin.margin_machine import positive_lam
from conjunct.messages import in_one_line, shortened
from conjunct.saving.margin_model import Machine
from conjunct.saving.margin_search import SearchedMachine
from conjunct.settings import choice, flag

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.estimators.margin_problems import MarginProblems

    Folds = list[tuple[NDArray[np.int64], NDArray[np.int64]]]

__all__ = ["ConjunctionSVCCV"]

LAM_FACTORS = tuple(Fraction(4) ** power for power in range(1, -6, -1))
SEARCH_TOL = 5e-2
SEARCH_SWEEPS = 10  # the most for one candidate in one fold
SHARE_OF_SEARCH = 0.9  # of the work, about
Path = list[tuple[AgreementKernel, list[Fraction]]]
ROWS_OF_A_FOLD = 1 << 24  # of more rows a share may be another fraction than the one nearest to its float


class ConjunctionSVCCV(ConjunctionSVC):
    """`ConjunctionSVC` with ``max_size`` and ``lam`` chosen by cross-validated accuracy.

    Parameters
    ----------
    kernel : Conjunctions or MonotoneConjunctions, optional
        The kind of conjunctions, instead of ``literals``, and costs that fit every size (None or `Geometric`); its own
        ``max_size`` is not used.
    literals : {"both", "positive"}, default "both"
        Whether conjunctions are made of variables and their negations, or of variables only.
    max_sizes : sequence of int, default (1, 2, 3)
        The sizes to try; those beyond the number of variables are left out.
    lams : sequence of int, Fraction, "p/q" or float, optional
        The regularisations to try with every size. None takes the mean of k(x, x) over all rows, each counted by its
        weight, which differs from size to size, times 4, 1, 1/4, ... 1/1024.
    cv : int, splitter or iterable, default 5
        As in scikit-learn, but an integer means stratified folds of rows shuffled by a fixed seed: tables are often
        sorted.
    tol : float, default 1e-3
        The relative gap of the final machine; folds are solved to 5e-2, in ten sweeps at most.
    multiclass, class_weight, binarize, n_jobs
        As in `ConjunctionSVC`.
    calibrate : bool, default False
        Whether to learn on the held-out rows of the same folds what makes probabilities of scores, for `predict_proba`.
    verbose : bool, default False
        Show a progress bar where the output is a terminal.

    Attributes
    ----------
    max_size_, lam_ : int, Fraction
        The best found: of equal accuracies, as fractions, the smaller size, then the larger lam.
    best_score_ : float
        Its mean accuracy over the folds.
    cv_results_ : dict
        ``max_size``, ``lam`` and ``mean_accuracy`` of every candidate tried, ``accuracy`` with a column per fold. Along
        the regularisations of a size, from large to small, the search ends once accuracy has fallen twice in a row.

    All attributes of `ConjunctionSVC` are those of the final machine, learned from all rows.

    Notes
    -----
    Agreement counts are made once for all folds, sizes and regularisations, and every solution starts from that of the
    next larger lam. Held-out cells have no mass but keep their scores, so that testing a candidate is free.

    Examples
    --------
    >>> from conjunct.datasets import tic_tac_toe
    >>> rows, labels = tic_tac_toe()
    >>> search = ConjunctionSVCCV(max_sizes=(1, 3), lams=(4, 400)).fit(rows, labels)
    >>> search.max_size_, len(search.cv_results_["lam"])
    (3, 4)
    """

    file_kind: ClassVar[str] = "conjunction-svc-cv"

    def __init__(
        self,
        kernel: Any = None,
        *,
        literals: str = DEFAULT_LITERALS,
        max_sizes: Any = (1, 2, 3),
        lams: Any = None,
        cv: Any = 5,
        tol: float = 1e-3,
        multiclass: str = "ovr",
        class_weight: Any = None,
        verbose: bool = False,
        calibrate: bool = False,
        binarize: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.literals = literals
        self.max_sizes = max_sizes
        self.lams = lams
        self.cv = cv
        self.tol = tol
        self.multiclass = multiclass
        self.class_weight = class_weight
        self.verbose = verbose
        self.calibrate = calibrate
        self.binarize = binarize
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Search, then learn from all rows with the best size and regularisation.

        Parameters
        ----------
        X, y, sample_weight
            As in `ConjunctionSVC`.
        groups : array-like, optional
            What a splitter such as scikit-learn's ``GroupKFold`` keeps together, one for every row.
        """
        with one_fit(self) as new:
            new._require_settings()
            _, classes, problems = new._read(X, y, sample_weight)
            rows = problems.pooled.rows
            path = new._path(problems)
            pairs = PairSums(path[0][0].layout(rows), rows)
            folds = new._folds(problems, np.asarray(y), groups)
            with showing("searching", is_shown=True) if new.verbose else nullcontext():
                with within(0, SHARE_OF_SEARCH):
                    candidates, accuracies = new._search(problems, pairs, path, folds)
                totals = [sum(shares, Fraction(0)) for shares in accuracies]
                best = totals.index(max(totals))
                kernel, lam = candidates[best]
                learner = ConjunctionSVM(kernel, lam, tol=new.tol)
                with within(SHARE_OF_SEARCH, 1):
                    solutions = [learner.solve(cells, pairs, watch=new._tell) for cells in steps(problems.cells)]
            new.__dict__.pop("encoding_", None)  # it led to other rows
            new._adopt(classes, problems, solutions, pairs)
            if new.calibrate:
                masses = [(problems.class_masses(train), problems.class_masses(test)) for train, test in folds]
                new.calibration_ = new._calibration(problems, pairs, kernel, lam, masses)
            new._show_search(
                [int(kernel.largest_size or 0) for kernel, _ in candidates],
                [lam for _, lam in candidates],
                np.array(accuracies, np.float64),
                best,
            )
        return self

    def _path(self, problems: MarginProblems) -> Path:
        """Return every kernel with its regularisations, from large to small."""
        n_variables = problems.pooled.rows.n_variables
        path = []
        for size in self._sizes(n_variables):
            kernel = replace(self._family(), max_size=size)
            if self.lams is None:
                mean = problems.mean_value(kernel)
                path.append((kernel, [mean * factor for factor in LAM_FACTORS]))
            else:
                path.append((kernel, sorted({positive_lam(lam) for lam in self.lams}, reverse=True)))
            for cells in problems.cells:
                for lam in (path[-1][1][0], path[-1][1][-1]):
                    require_range(kernel, lam, cells)
        return path

    def _search(
        self, problems: MarginProblems, pairs: PairSums, path: Path, folds: Folds
    ) -> tuple[list[tuple[AgreementKernel, Fraction]], list[list[Fraction]]]:
        """Return the candidates that were tried, and the accuracy of each on every fold, by weight.

        All folds go along the regularisations of a size together, until their accuracy has fallen twice in a row.
        """
        candidates, accuracies = [], []
        for kernel, lams in steps(path):
            solved = [self._scores(problems, pairs, kernel, lams, train) for train, _ in folds]
            totals: list[Fraction] = []
            for lam in steps(lams):
                shares = [
                    problems.accuracy(next(scores), test, self.multiclass)
                    for scores, (_, test) in steps(zip(solved, folds, strict=True))
                ]
                candidates.append((kernel, lam))
                accuracies.append(shares)
                totals.append(sum(shares, Fraction(0)))
                if len(totals) >= 3 and totals[-1] < totals[-2] < totals[-3]:
                    break
        return candidates, accuracies

    def _folds(
        self, problems: MarginProblems, y: NDArray[Any], groups: Any
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return the training rows and the held-out rows of every fold, by number."""
        cv, n_rows = self.cv, len(problems.codes)
        if isinstance(cv, Number | str) and not (isinstance(cv, int | np.integer) and -1 <= cv <= n_rows):
            raise SettingError(f"cv={shortened(cv)}: expected 2 to {n_rows} folds, the number of rows, or a splitter")
        folds = []
        with in_one_line("cv"):
            if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
                cv = StratifiedKFold(int(cv), shuffle=True, random_state=0)
            splits = list(check_cv(cv, y, classifier=True).split(np.zeros((n_rows, 1)), y, groups))
        for number, parts in enumerate(splits):
            train, test = (row_numbers(part, n_rows, f"cv: fold {number}") for part in parts)
            for part, part_name in ((train, "training"), (test, "held-out")):
                if not np.any(problems.pooled.cell_of[part] >= 0):
                    raise SettingError(f"cv: fold {number} has no {part_name} row with weight")
            folds.append((train, test))
        if not folds:
            raise SettingError(f"cv={shortened(self.cv)}: expected at least one fold")
        return folds

    def _scores(
        self,
        problems: MarginProblems,
        pairs: PairSums,
        kernel: AgreementKernel,
        lams: list[Fraction],
        train: NDArray[np.int64],
    ) -> Iterator[NDArray[np.float64]]:
        """Yield, for one regularisation after the other, the scores of all cells, a row for every output."""
        outputs = [
            margin_path(pairs, [(kernel, lams)], *masses, SEARCH_TOL, SEARCH_SWEEPS)
            for masses in problems.masses_of(train)
        ]
        for points in zip(*outputs, strict=True):
            yield np.array([point.scores for point in points])

    def _require_settings(self) -> None:
        binarize_cut(self.binarize)
        choice(self.multiclass, "multiclass", MULTICLASS)
        ConjunctionSVM(self._family(), tol=self.tol)
        self._sizes()
        if self.lams is not None:
            if isinstance(self.lams, str) or not isinstance(self.lams, Sequence | np.ndarray) or len(self.lams) == 0:
                raise SettingError(f"lams={shortened(self.lams)}: expected a sequence of positive numbers, or None")
            for lam in self.lams:
                positive_lam(lam)
        flag(self.verbose, "verbose")
        flag(self.calibrate, "calibrate")

    def _family(self) -> AgreementKernel:
        kernel = self._kernel()
        if not isinstance(kernel, AgreementKernel) or isinstance(kernel.exact_costs, tuple):
            raise SettingError(
                f"kernel={shortened(kernel)}: to search sizes it must be Conjunctions or MonotoneConjunctions, "
                "with costs that fit every size"
            )
        return kernel

    def _sizes(self, n_variables: int | None = None) -> list[int]:
        """Return the sizes to try, increasing; for rows of so many variables those that fit them."""
        sizes = self.max_sizes
        if isinstance(sizes, str) or not isinstance(sizes, Sequence | np.ndarray) or len(sizes) == 0:
            raise SettingError(f"max_sizes={shortened(sizes)}: expected a sequence of positive integers")
        for size in sizes:
            if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
                raise SettingError(f"max_sizes={shortened(sizes)}: expected positive integers")
        fitting = sorted({int(size) for size in sizes if n_variables is None or size <= n_variables})
        if not fitting:
            raise SettingError(f"max_sizes={shortened(sizes)}: none fits rows of {n_variables} variables")
        return fitting

    def _show_search(self, sizes: list[int], lams: list[Fraction], accuracy: NDArray[np.float64], best: int) -> None:
        self.cv_results_: dict[str, Any] = {
            "max_size": sizes,
            "lam": lams,
            "accuracy": accuracy,
            "mean_accuracy": np.array([mean_share(shares) for shares in accuracy.tolist()]),
        }
        self.max_size_, self.best_score_ = sizes[best], mean_share(accuracy[best].tolist())

    def _learned(self) -> SearchedMachine:
        results = self.cv_results_
        return SearchedMachine(super()._learned(), results["max_size"], results["lam"], results["accuracy"])

    def _take_over(self, learned: Machine | SearchedMachine) -> None:
        if isinstance(learned, Machine):
            super()._take_over(learned)
            return
        super()._take_over(learned.machine)
        self._show_search(learned.max_sizes, learned.lams, learned.accuracy, learned.best or 0)


def mean_share(shares: Sequence[float]) -> float:
    """Return the mean of shares that are ratios of counts: equal means are equal floats."""
    return float(sum(Fraction(share).limit_denominator(ROWS_OF_A_FOLD) for share in shares) / len(shares))


def row_numbers(part: Any, n_rows: int, name: str) -> NDArray[np.int64]:
    """Read a part of a fold: row numbers, or True and False for every row."""
    numbers = np.asarray(part)
    if numbers.dtype == np.bool_ and numbers.shape == (n_rows,):
        return np.flatnonzero(numbers)
    if numbers.size == 0:
        return np.empty(0, np.int64)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or np.any((numbers < -n_rows) | (numbers >= n_rows)):
        raise SettingError(f"{name}: expected numbers of rows below {n_rows}, or True and False for each")
    return numbers.astype(np.int64) % n_rows
