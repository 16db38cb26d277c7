"""The Winnow family over Boolean variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from conjunct import theory
from conjunct.bits import NameTable, SparseRows
from conjunct.errors import SettingError
from conjunct.learners.online.bound_check import (
    BoundCheck,
    Refutation,
    disjunction,
    mistakes_of,
    refutation,
    require_plain,
)
from conjunct.learners.online.lesson import Lesson
from conjunct.learners.online.winnow_run import WinnowRun, floats_of_means
from conjunct.learners.online.winnow_stream import WinnowStream
from conjunct.messages import shortened
from conjunct.models import (
    MeanPowers,
    MeanThreshold,
    NormalisedMeanPowers,
    PowerHistory,
    PowerThreshold,
    WeightPowers,
)
from conjunct.settings import Exact, exact, positive_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from conjunct.learners.online.transcript import Transcript

__all__ = ["Winnow"]

VARIANTS = ("positive", "elimination", "balanced", "normalised")


@dataclass(frozen=True)
class Winnow:
    """Winnow, on line: weights are multiplied, and kept as exponents.

    Parameters
    ----------
    threshold : int, Fraction, "p/q" or float
        A row is predicted positive iff its score, the sum of the weights of its variables, is at least this.
    promotion : int, Fraction, "p/q" or float
        The factor of an update on a positive row; above 1.
    demotion : int, Fraction, "p/q", float or None
        The divisor of an update on a negative row; None for that of promotion.
    initial_weight : int, Fraction, "p/q" or float
    variant : {"positive", "elimination", "balanced", "normalised"}
        "positive" is Winnow2; "elimination" is Winnow1, where a demotion sets the weight to 0; "balanced" keeps two
        weights per variable, one promoted where the other is demoted, and scores with their difference; "normalised"
        divides such scores by the sum of all weights.
    thickness : pair of int, Fraction, "p/q" or float
        Update also on positive rows that are right by no more than the first, and on negative ones by no more than the
        second.
    constant : bool
        Whether there is one more variable that every row has.

    Notes
    -----
    Every decision is exact. Weights are normalised over the variables known so far: names that come with a later batch
    count from that batch on, and for the mean, and in the scores of a transcript, from the beginning.
    Sources: [littlestone1988]; for two weights per variable [kivinen1997].

    Examples
    --------
    >>> rows = SparseRows.of([{0, 2}, {1, 2}, {2, 3}])
    >>> run = Winnow(threshold=6).run(rows, [1, 1, -1], max_passes=10)
    >>> run.is_consistent, run.n_mistakes
    (True, 2)
    """

    bytes_per_variable: ClassVar[int] = 120  # and output: while learning, in the model and while loading, as measured

    threshold: Exact
    promotion: Exact = 2
    demotion: Exact | None = None
    initial_weight: Exact = 1
    variant: str = "positive"
    thickness: tuple[Exact, Exact] = (0, 0)
    constant: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.variant, str) or self.variant not in VARIANTS:
            raise SettingError(f"variant={shortened(self.variant)}: expected one of {', '.join(map(repr, VARIANTS))}")
        if self.demotion is not None and self.variant != "positive":
            raise SettingError(
                f'demotion={shortened(self.demotion)} belongs to variant="positive", not {shortened(self.variant)}'
            )
        for name in ("threshold", "promotion"):
            object.__setattr__(self, name, exact(getattr(self, name), name))
        object.__setattr__(self, "initial_weight", positive_number(self.initial_weight, "initial_weight"))
        demotion = self.promotion if self.demotion is None else exact(self.demotion, "demotion")
        object.__setattr__(self, "demotion", demotion)
        if not isinstance(self.thickness, tuple | list) or len(self.thickness) != 2:
            raise SettingError(
                f"thickness={shortened(self.thickness)}: expected two numbers, above and below the threshold"
            )
        above, below = self.thickness
        object.__setattr__(self, "thickness", (exact(above, "thickness"), exact(below, "thickness")))
        for name in ("promotion", "demotion"):
            if Fraction(getattr(self, name)) <= 1:
                raise SettingError(f"{name}={shortened(getattr(self, name))}: expected a factor above 1")
        if self.variant in ("positive", "elimination") and Fraction(self.threshold) <= 0:
            raise SettingError(f"threshold={shortened(self.threshold)}: positive weights need a positive threshold")
        if min(Fraction(part) for part in self.thickness) < 0:
            raise SettingError(f"thickness={shortened(self.thickness)}: expected 0 or positive numbers")

    @property
    def powers(self) -> WeightPowers:
        """How weights follow from promotions and demotions."""
        return WeightPowers(
            Fraction(self.initial_weight),
            Fraction(self.promotion),
            Fraction(self.demotion or 0),
            eliminates=self.variant == "elimination",
            is_balanced=self.variant in ("balanced", "normalised"),
        )

    def begin(
        self, rate_unit: Fraction = Fraction(1), *, averages: bool = True, keeps_updates: bool = True
    ) -> WinnowRun:
        """Start a run that is shown rows batch by batch; see `Perceptron.begin`.

        Rates count promotions: their unit is 1. The mean of normalised weights needs the updates: it keeps them.
        """
        if rate_unit != 1:
            raise SettingError("rate_unit: Winnow promotes a whole number of times, expected 1")
        keeps = keeps_updates or (averages and self.needs_updates("averaged"))
        return WinnowRun(self, averages=averages, keeps_updates=keeps)

    def needs_updates(self, prediction: str) -> bool:
        """Return whether a prediction needs the updates of the run."""
        return prediction == "averaged" and self.variant == "normalised"

    def stream(self, runs: Sequence[WinnowRun], table: NameTable, rates: Sequence[int]) -> WinnowStream:
        """Return what shows runs examples by name, one a call; see `WinnowStream`."""
        return WinnowStream(runs, table, rates)

    def run(
        self,
        rows: SparseRows,
        labels: ArrayLike,
        *,
        rates: ArrayLike | None = None,
        max_passes: int = 1,
        seed: int | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Transcript:
        """Learn from rows until a pass makes no update, or for max_passes; returns the transcript.

        ``rates`` are whole: a rate of 2 promotes or demotes twice.
        """
        run = self.begin()
        run.learn(Lesson(rows, labels, rates), max_passes=max_passes, seed=seed, is_cancelled=is_cancelled)
        return run.transcript()

    def replayed_scores(self, transcript: Transcript) -> list[Fraction] | list[float]:
        """Return the score of each row of a transcript before its update."""
        width = transcript.rows.n_variables
        counts = np.zeros((2, width + self.constant), np.int64)
        scores: list[Any] = []
        for number, (label, rate) in enumerate(zip(transcript.label.tolist(), transcript.rate.tolist(), strict=True)):
            variables = transcript.rows.row_and(number, *[width] * self.constant)
            score = self.powers.total(*counts[:, variables])
            if self.variant == "normalised":
                sizes = [self.powers.size(p, d) for p, d in counts.T.tolist()]
                score /= sum(sizes)
            scores.append(score)
            counts[0 if label > 0 else 1, variables] += rate
        return scores

    def check(self, transcript: Transcript, target: Any) -> BoundCheck:
        """Compare a run's mistakes with the bound for a disjunction; attribute errors count where it does not fit."""
        require_plain(transcript, self._is_plain, 'Winnow has one for the variants "positive" and "elimination"')
        n, theta, alpha = transcript.rows.n_variables, Fraction(self.threshold), Fraction(self.promotion)
        relevant = disjunction(target, n)
        rows, k = mistakes_of(transcript), len(relevant)
        common = [(len(relevant.intersection(row)), label) for row, label in rows]
        errors = sum(n_common if label < 0 else int(n_common == 0) for n_common, label in common)
        name = f"on a disjunction of {k} of {n} variables"
        if self.variant == "elimination":
            if errors:
                raise SettingError("the target does not fit the rows, and elimination has no bound then")
            return BoundCheck(f"Winnow1 {name}", len(rows), theory.winnow1_bound(n, k, theta, alpha))
        told = f" with {errors} attribute errors" if errors else ""
        bound = theory.winnow2_bound(n, k, theta, alpha, errors)
        most = max((len(row) for row, _ in rows), default=1)
        if alpha == 2 and theta >= 4 and theta.denominator == 1 and theta % 4 == 0 and most <= theta / 4:
            bound = min(bound, theory.winnow_sparse_bound(int(theta) // 4, k, errors))
        return BoundCheck(f"Winnow2 {name}{told}", len(rows), bound)

    def refuted(self, transcript: Transcript) -> Refutation:
        """Say which disjunctions cannot fit the rows of a run."""
        require_plain(transcript, self._is_plain, 'Winnow refutes with the variants "positive" and "elimination"')
        n = transcript.rows.n_variables
        width = theory.winnow_refuted_width_by_promotions(transcript.n_promotions, n, self.threshold, self.promotion)
        why = f"{transcript.n_promotions} promotion{'s' * (transcript.n_promotions != 1)}"
        return refutation(width, f"of these {n} variables", why)

    @property
    def _is_plain(self) -> bool:
        is_known = self.variant in ("positive", "elimination") and self.promotion == self.demotion
        is_started = self.initial_weight == 1 and Fraction(self.threshold) >= 1
        return is_known and is_started and set(self.thickness) == {0} and not self.constant

    def model(self, runs: Sequence[WinnowRun], prediction: str = "final") -> PowerThreshold | MeanThreshold:
        """Freeze what was learned, one run per output: its last hypothesis, or the mean of all."""
        n, threshold = max(run.n_variables for run in runs), Fraction(self.threshold)
        if prediction == "averaged":
            means = tuple(self._mean(run, n) for run in runs)
            floats, error = floats_of_means(runs, n)
            return MeanThreshold(means, threshold, self.constant, floats, runs[0].first_weight, error)
        counts = np.zeros((2, len(runs), n + 1), np.int32)
        for output, run in enumerate(runs):
            for kind, of_run in zip(counts, run.weight_counts(), strict=True):
                kind[output, : run.n_variables], kind[output, -1] = of_run[:-1], of_run[-1]
        promotions, demotions = counts if self.constant else counts[:, :, :-1]
        divisors = None
        if self.variant == "normalised":
            divisors = tuple(self.powers.total_size(net) for net in promotions - demotions)
        return PowerThreshold(self.powers, promotions, demotions, threshold, self.constant, divisors)

    def _mean(self, run: WinnowRun, n_variables: int) -> Callable[[], MeanPowers | NormalisedMeanPowers]:
        """Return what makes the exact mean of a run so far; updates made meanwhile are not in it."""
        if not (run.averages or run.keeps_updates):
            raise SettingError("this run keeps no averages")
        constant, n_places = n_variables if self.constant else None, n_variables + self.constant
        if self.variant == "normalised":
            transcript = run.transcript()
            columns = (transcript.rows, transcript.label, transcript.rate)
            return lambda: NormalisedMeanPowers(
                self.powers, PowerHistory.of(*columns, constant), transcript.step, transcript.n_steps, n_places
            )
        later, width = run.durations_later(), run.n_variables
        return lambda: MeanPowers(self.powers, later().widened(width, n_variables), n_places)
