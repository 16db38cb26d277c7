"""The Winnow family over Boolean variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits import SparseRows
from conjunct.errors import SettingError
from conjunct.learners.bound_check import (
    BoundCheck,
    Refutation,
    disjunction,
    mistakes_of,
    refutation,
    require_plain,
)
from conjunct.learners.linear_run import Lesson, LinearRun, widened
from conjunct.learners.linear_transcript import LinearTranscript
from conjunct.models import LinearThreshold, PowerThreshold, WeightPowers
from conjunct.models.weight_powers import nearest
from conjunct.theory import (
    Exact,
    exact,
    winnow1_bound,
    winnow2_bound,
    winnow_refuted_width_by_promotions,
    winnow_sparse_bound,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Winnow"]

VARIANTS = ("positive", "elimination", "balanced", "normalised")
END, UNDECIDED, TABLE_TOO_SMALL = 0, 1, 2
LARGEST_RATE = 1 << 20
LARGEST_COUNT = 1 << 30


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
    Predictions are exact, except those of "normalised" with a threshold or thickness other than 0, which floats decide.
    Sources: [littlestone1988]; for two weights per variable [kivinen1997].

    Examples
    --------
    >>> rows = SparseRows.of([{0, 2}, {1, 2}, {2, 3}])
    >>> run = Winnow(threshold=6).run(rows, [1, 1, -1], max_passes=10)
    >>> run.is_consistent, run.n_mistakes
    (True, 2)
    """

    threshold: Exact
    promotion: Exact = 2
    demotion: Exact | None = None
    initial_weight: Exact = 1
    variant: str = "positive"
    thickness: tuple[Exact, Exact] = (0, 0)
    constant: bool = False

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise SettingError(f"variant={self.variant!r}: expected one of {', '.join(map(repr, VARIANTS))}")
        if self.demotion is not None and self.variant != "positive":
            raise SettingError(f'demotion={self.demotion!r} belongs to variant="positive", not {self.variant!r}')
        for name in ("threshold", "promotion", "initial_weight"):
            object.__setattr__(self, name, exact(getattr(self, name), name))
        demotion = self.promotion if self.demotion is None else exact(self.demotion, "demotion")
        object.__setattr__(self, "demotion", demotion)
        above, below = self.thickness
        object.__setattr__(self, "thickness", (exact(above, "thickness"), exact(below, "thickness")))
        for name in ("promotion", "demotion"):
            if Fraction(getattr(self, name)) <= 1:
                raise SettingError(f"{name}={getattr(self, name)}: expected a factor above 1")
        if Fraction(self.initial_weight) <= 0:
            raise SettingError(f"initial_weight={self.initial_weight}: expected a positive number")
        if self.variant in ("positive", "elimination") and Fraction(self.threshold) <= 0:
            raise SettingError(f"threshold={self.threshold}: positive weights need a positive threshold")
        if min(Fraction(part) for part in self.thickness) < 0:
            raise SettingError(f"thickness={self.thickness}: expected 0 or positive numbers")

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

    @property
    def is_exact(self) -> bool:
        """Whether fractions decide where floats cannot."""
        return self.variant != "normalised" or (self.threshold == 0 and set(self.thickness) == {0})

    def begin(self, *, averages: bool = True) -> WinnowRun:
        """Start a run that is shown rows batch by batch; with `averages` it keeps what the mean hypothesis needs."""
        return WinnowRun(self, averages=averages)

    def run(
        self,
        rows: SparseRows,
        labels: ArrayLike,
        *,
        rates: ArrayLike | None = None,
        max_passes: int = 1,
        seed: int | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> LinearTranscript:
        """Learn from rows until a pass makes no update, or for max_passes; returns the transcript.

        ``rates`` are whole: a rate of 2 promotes or demotes twice.
        """
        run = self.begin()
        run.learn(Lesson(rows, labels, rates), max_passes=max_passes, seed=seed, is_cancelled=is_cancelled)
        return run.transcript()

    def replayed_scores(self, transcript: LinearTranscript) -> list[Fraction] | list[float]:
        """Return the score of each row of a transcript before its update."""
        width = transcript.rows.n_variables
        counts = np.zeros((2, width + self.constant), np.int64)
        scores: list[Any] = []
        for number, (label, rate) in enumerate(zip(transcript.label.tolist(), transcript.rate.tolist(), strict=True)):
            places = transcript.rows.row_and(number, *[width] * self.constant)
            score = self.powers.total(*counts[:, places])
            if self.variant == "normalised":
                sizes = [self.powers.size(p, d) for p, d in counts.T.tolist()]
                score /= sum(sizes)
            scores.append(score)
            counts[0 if label > 0 else 1, places] += rate
        return scores

    def check(self, transcript: LinearTranscript, target: Any) -> BoundCheck:
        """Compare a run's mistakes with the bound for a disjunction; attribute errors count where it does not fit."""
        require_plain(transcript, self._is_plain, 'Winnow has one for the variants "positive" and "elimination"')
        n, theta, alpha = transcript.rows.n_variables, Fraction(self.threshold), Fraction(self.promotion)
        relevant = disjunction(target, n)
        rows, k = mistakes_of(transcript), len(relevant)
        common = [(len(relevant.intersection(row)), label) for row, label in rows]
        errors = sum(found if label < 0 else int(found == 0) for found, label in common)
        name = f"on a disjunction of {k} of {n} variables"
        if self.variant == "elimination":
            if errors:
                raise SettingError("the target does not fit the rows, and elimination has no bound then")
            return BoundCheck(f"Winnow1 {name}", len(rows), winnow1_bound(n, k, theta, alpha))
        told = f" with {errors} attribute errors" if errors else ""
        bound = winnow2_bound(n, k, theta, alpha, errors)
        most = max((len(row) for row, _ in rows), default=1)
        if alpha == 2 and theta >= 4 and theta.denominator == 1 and theta % 4 == 0 and most <= theta / 4:
            bound = min(bound, winnow_sparse_bound(int(theta) // 4, k, errors))
        return BoundCheck(f"Winnow2 {name}{told}", len(rows), bound)

    def refuted(self, transcript: LinearTranscript) -> Refutation:
        """Say which disjunctions cannot fit the rows of a run."""
        require_plain(transcript, self._is_plain, 'Winnow refutes with the variants "positive" and "elimination"')
        n = transcript.rows.n_variables
        width = winnow_refuted_width_by_promotions(transcript.n_promotions, n, self.threshold, self.promotion)
        why = f"{transcript.n_promotions} promotion{'s' * (transcript.n_promotions != 1)}"
        return refutation(width, f"of these {n} variables", why)

    @property
    def _is_plain(self) -> bool:
        is_known = self.variant in ("positive", "elimination") and self.promotion == self.demotion
        is_started = self.initial_weight == 1 and Fraction(self.threshold) >= 1
        return is_known and is_started and set(self.thickness) == {0} and not self.constant

    def model(self, runs: Sequence[WinnowRun], prediction: str = "final") -> PowerThreshold | LinearThreshold:
        """Freeze what was learned, one run per output: its last hypothesis, or the mean of all in floats."""
        n = max(run.n_variables for run in runs)
        threshold = Fraction(self.threshold)
        if prediction == "averaged":
            weights = np.stack([run.averaged(n) for run in runs])
            return LinearThreshold(
                weights[:, :-1], weights[:, -1], Fraction(self.constant), Fraction(1), threshold, runs[0].first_weight
            )
        if self.variant == "normalised" and threshold:
            raise SettingError("the last hypothesis of normalised weights predicts with threshold 0 only")
        counts = np.zeros((2, len(runs), n + 1), np.int32)
        for output, run in enumerate(runs):
            for kind, learned in zip(counts, (run.promotions, run.demotions), strict=True):
                kind[output, : run.n_variables] = learned[: run.n_variables]
                kind[output, -1] = learned[-1]
        promotions, demotions = counts if self.constant else counts[:, :, :-1]
        return PowerThreshold(self.powers, promotions, demotions, threshold, self.constant)


class WinnowRun(LinearRun):
    """A Winnow while it learns: how often each variable was promoted and demoted, and its weight in floats."""

    learner: Winnow

    def __init__(self, learner: Winnow, *, averages: bool) -> None:
        self.powers, self.averages = learner.powers, averages
        self.first_weight = nearest(self.powers.weight(0, 0))
        super().__init__(learner, Fraction(1))

    def _clear(self) -> None:
        # The last entry of every array is the constant's, used or not.
        self.promotions, self.demotions = np.zeros(1, np.int32), np.zeros(1, np.int32)
        self.weights, self.lasted, self.since = np.full(1, self.first_weight), np.zeros(1), np.zeros(1, np.int64)
        self.total, self.largest = 0.0, abs(self.first_weight)
        self._set_tables(64)
        if self.size_by_net is not None and self.learner.constant:
            self.total = float(self.powers.size(0, 0))

    def _set_tables(self, n: int) -> None:
        self.n_table = n
        self.by_net = self.table_is_exact = self.up = self.down = self.size_by_net = None
        if self.powers.is_net:
            self.by_net, self.table_is_exact = self.powers.by_net(n)
        else:
            self.up, self.down = self.powers.apart(n)
        if self.learner.variant == "normalised":
            self.size_by_net = self.powers.size_by_net(n)
        self.is_saturated = self.by_net is not None and _is_saturated(self.by_net, self.powers.eliminates)

    def _grow_tables(self, n: int) -> None:
        """Make tables for counts up to n, or until they pass the range of floats."""
        while self.n_table < n and not self.is_saturated:
            self._set_tables(2 * self.n_table)

    def _cuts(self) -> tuple[float, float, float]:
        """Round the cuts so that comparing an exact float with them is comparing with the exact ones."""
        threshold = Fraction(self.learner.threshold)
        above, below = (Fraction(part) for part in self.learner.thickness)
        return _at_least(threshold), -_at_least(-(threshold + above)), _at_least(threshold - below)

    def _widen(self, n_variables: int) -> None:
        more = n_variables + 1 - len(self.weights)
        for name in ("promotions", "demotions", "lasted", "since"):
            setattr(self, name, widened(getattr(self, name), n_variables))
        # A variable had its first weight also before its first row came.
        self.weights = widened(self.weights, n_variables, self.first_weight)
        if self.size_by_net is not None:
            self.total += more * float(self.powers.size(0, 0))

    def _arrays(self) -> list[NDArray[Any]]:
        return [self.promotions, self.demotions, self.weights, self.lasted, self.since]

    def _require_room(self, lesson: Lesson, n_passes: int) -> None:
        if int(lesson.rate.max()) > LARGEST_RATE:
            raise SettingError(f"rates: Winnow promotes at most {LARGEST_RATE} times at once")
        if lesson.rows.values is not None:
            raise SettingError("Winnow multiplies the weights of a row's variables: it needs Boolean rows")

    def _require_replayable(self, transcript: LinearTranscript) -> None:
        rates = transcript.rate.tolist()
        if max(rates, default=0) > LARGEST_RATE or sum(rates) >= LARGEST_COUNT or transcript.rows.values is not None:
            raise SettingError("Winnow counts promotions of Boolean rows, and not that many")

    def _learn(
        self, lesson: Lesson, order: NDArray[np.int64] | None, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        places, mistakes = [np.empty(0, np.int64)], [np.empty(0, bool)]
        position, is_mistake = np.empty(last - first, np.int64), np.empty(last - first, np.uint8)
        known = None
        while True:
            up, down = self.up or (None, None), self.down or (None, None)
            at, stop, found, self.total, self.largest = _core.winnow_pass(
                lesson.rows.native,
                lesson.label,
                lesson.rate,
                order,
                self.n_steps,
                first,
                last,
                self.by_net,
                self.table_is_exact,
                self.size_by_net,
                up[0],
                up[1],
                down[0],
                down[1],
                self.powers.eliminates,
                self.is_saturated,
                self._cuts(),
                self.learner.thickness[0] != 0,
                self.learner.thickness[1] != 0,
                self.learner.is_exact,
                self.learner.constant,
                known,
                self.promotions,
                self.demotions,
                self.weights,
                self.lasted if self.averages else None,
                self.since if self.averages else None,
                self.total,
                self.largest,
                position,
                is_mistake,
            )
            places.append(position[:found].copy())
            mistakes.append(is_mistake[:found].astype(bool))
            if stop == END:
                return np.concatenate(places), np.concatenate(mistakes)
            if at > first:
                first, known = at, None  # what was known was about the row before
            if stop == TABLE_TOO_SMALL:
                if self.is_saturated or self.n_table >= LARGEST_COUNT // 4:
                    raise SettingError("a variable was promoted or demoted 2**30 times; Winnow counts no further")
                self._set_tables(2 * self.n_table)
            else:
                known = self._decided(lesson, first if order is None else int(order[first]))

    def _decided(self, lesson: Lesson, row: int) -> int:
        """Say in fractions what happens to a row: 1 for an update, plus 2 for a mistake."""
        places = lesson.rows.row_and(row, *[self.n_variables] * self.learner.constant)
        excess = self.powers.total(self.promotions[places], self.demotions[places]) - Fraction(self.learner.threshold)
        is_positive = int(lesson.label[row]) > 0
        is_mistake = is_positive == (excess < 0)
        thick = Fraction(self.learner.thickness[0 if is_positive else 1])
        is_near = thick > 0 and (excess <= thick if is_positive else excess >= -thick)
        return (1 if is_mistake or is_near else 0) + (2 if is_mistake else 0)

    def _replay(self, transcript: LinearTranscript) -> None:
        """Count per variable, in the order of the steps; what a weight lasted follows from the counts between them."""
        lengths = np.diff(transcript.rows.starts)
        place = transcript.rows.places
        columns: list[NDArray[np.int64]] = [transcript.step, transcript.label.astype(np.int64), transcript.rate]
        step, label, rate = (np.repeat(column, lengths) for column in columns)
        if self.learner.constant:
            place = np.concatenate([place, np.full(len(transcript), self.n_variables, np.int32)])
            step, label, rate = (
                np.concatenate([entries, column]) for entries, column in zip((step, label, rate), columns, strict=True)
            )
        order = np.lexsort((step, place))
        place, step, label, rate = place[order], step[order], label[order], rate[order]
        is_first = np.diff(place, prepend=-1) != 0
        before = []
        for sign, counts in ((1, self.promotions), (-1, self.demotions)):
            change = np.where(label == sign, rate, 0)
            so_far = np.cumsum(change) - change
            before.append(so_far - np.maximum.accumulate(np.where(is_first, so_far, 0)))
            counts[:] = np.bincount(place, change, minlength=len(counts))
        earlier = np.where(is_first, 0, np.concatenate([[0], step[:-1]]))
        most = np.abs(self.promotions - self.demotions) if self.powers.is_net else self.promotions + self.demotions
        self._grow_tables(int(most.max()))
        with np.errstate(invalid="ignore"):
            np.add.at(self.lasted, place, self._floats(*before) * (step - earlier))
        np.maximum.at(self.since, place, step)
        self.weights[:] = self._floats(self.promotions, self.demotions)
        if self.size_by_net is not None:
            used = slice(None) if self.learner.constant else slice(-1)
            net = (self.promotions - self.demotions)[used]
            self.total = float(self.size_by_net[np.clip(net, -self.n_table, self.n_table) + self.n_table].sum())

    def _floats(self, promotions: NDArray[Any], demotions: NDArray[Any]) -> NDArray[np.float64]:
        """Return weights rounded as the core rounds them."""
        if self.up is None or self.down is None:
            return self.powers.floats(promotions, demotions)
        (up, up_exponents), (down, down_exponents) = self.up, self.down
        exponents = up_exponents[promotions] + down_exponents[demotions]
        with np.errstate(over="ignore", under="ignore"):
            weights: NDArray[np.float64] = np.ldexp(up[promotions] * down[demotions], exponents)
        return weights

    @property
    def has_mean(self) -> bool:
        """Whether the mean hypothesis is within the range of floats."""
        return self.averages and self.largest * max(1, self.n_steps) < 1e300

    def averaged(self, n: int) -> NDArray[np.float64]:
        """Return the mean of each weight over the hypotheses current at the end of every step."""
        if not self.averages:
            raise SettingError("this run keeps no averages")
        lasted = (self.lasted + self.weights * (self.n_steps - self.since)) / max(1, self.n_steps)
        weights = np.full(n + 1, self.first_weight)
        weights[: self.n_variables], weights[-1] = lasted[:-1], lasted[-1]
        if not np.all(np.isfinite(weights)):
            raise SettingError("a weight passed the range of floats, which averages need; use prediction='final'")
        return weights


def _is_saturated(table: NDArray[np.float64], eliminates: bool) -> bool:
    """Return whether a table of weights ends past the range of floats on both sides."""
    return bool(table[-1] == inf and (eliminates or table[0] in (0.0, -inf)))


def _at_least(value: Fraction) -> float:
    """Return the least float that is not below an exact number."""
    rounded = nearest(value)
    return rounded if abs(rounded) == inf or Fraction(rounded) >= value else nextafter(rounded, inf)
