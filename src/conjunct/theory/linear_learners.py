"""On-line linear learners by their definitions: one pass, exact weights, every update kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.settings import Exact, exact, positive_number

__all__ = [
    "Example",
    "Run",
    "Update",
    "run_balanced_winnow",
    "run_elimination",
    "run_halving",
    "run_perceptron",
    "run_winnow",
]

Example = tuple[frozenset[Hashable], int]

Row = TypeVar("Row")


@dataclass(frozen=True)
class Update:
    """One update of a run.

    Attributes
    ----------
    step : int
        How many examples came before.
    index : int
        The row it was made on; the same as `step`, as these learners make one pass.
    label : int
        +1 for a promotion, -1 for a demotion.
    score : Fraction
        Before the update, the threshold not subtracted; a float from `run_normalised_winnow`.
    is_mistake : bool
        Whether the prediction, +1 iff score >= threshold, differed from the label. Thick separators update more often.
    """

    step: int
    index: int
    label: int
    score: Fraction | float
    is_mistake: bool


@dataclass(frozen=True)
class Run:
    """What a learner did in one pass, and the hypothesis it ended with.

    Attributes
    ----------
    updates : tuple of Update
        In order.
    weights : dict
        The last weight of every variable that was updated; any other has the weight it started with.
    n_steps : int
        How many examples were seen.
    intercept : Fraction
        What the constant variable adds to every score; 0 without one.
    """

    updates: tuple[Update, ...]
    weights: dict[Hashable, Fraction | float]
    n_steps: int
    intercept: Fraction = Fraction(0)

    @property
    def n_updates(self) -> int:
        """How many updates, mistakes or not."""
        return len(self.updates)

    @property
    def n_mistakes(self) -> int:
        """How many updates were mistakes."""
        return sum(update.is_mistake for update in self.updates)

    @property
    def n_promotions(self) -> int:
        """How many mistakes had label +1."""
        return sum(update.is_mistake and update.label > 0 for update in self.updates)

    @property
    def n_demotions(self) -> int:
        """How many mistakes had label -1."""
        return sum(update.is_mistake and update.label < 0 for update in self.updates)


def run_perceptron(
    examples: Iterable[Example], *, threshold: Exact = 0, rate: Exact = 1, constant: Exact = 0, thickness: Exact = 0
) -> Run:
    """Run the Perceptron over sets of active variables.

    Parameters
    ----------
    examples : iterable of (frozenset, int)
        Active variables and label, +1 or -1, in order.
    threshold, rate : int, Fraction, str or float
        theta, and r > 0.
    constant : int, Fraction, str or float, default=0
        c, the value of one more variable that is always active: the sum of its updates counts c * c in every score.
    thickness : int, Fraction, str or float, default=0
        tau >= 0: with tau > 0 an example is also an update where y (score - theta) <= tau.

    Notes
    -----
    w = 0; on an update w += r y x. Source: [novikoff1962]. Predicts +1 iff w.x >= theta, a tie included.

    Examples
    --------
    >>> run = run_perceptron([(frozenset(), -1), (frozenset({"a"}), 1)], constant=1)
    >>> run.n_mistakes, {name: int(weight) for name, weight in run.weights.items()}, int(run.intercept)
    (2, {'a': 1}, 0)
    """
    theta, r, c = exact(threshold, "threshold"), positive_number(rate, "rate"), exact(constant, "constant")
    tau = exact(thickness, "thickness")
    require(tau >= 0, f"thickness={shortened(thickness)}: expected 0 or more")
    weights: dict[Hashable, Fraction] = {}
    intercept, updates, step = Fraction(0), [], -1
    for step, (active, y) in enumerate(labelled(examples)):
        score = sum((weights.get(name, Fraction(0)) for name in active), intercept)
        if (score >= theta) != (y > 0) or (tau > 0 and y * (score - theta) <= tau):
            updates.append(Update(step, step, y, score, (score >= theta) != (y > 0)))
            intercept += r * y * c * c
            for name in active:
                weights[name] = weights.get(name, Fraction(0)) + r * y
    return Run(tuple(updates), {**weights}, step + 1, intercept)


def run_winnow(
    examples: Iterable[Example],
    *,
    threshold: Exact,
    promotion: Exact = 2,
    demotion: Exact | None = None,
    initial_weight: Exact = 1,
    elimination: bool = False,
    thickness: tuple[Exact, Exact] = (0, 0),
) -> Run:
    """Run Winnow over sets of active variables.

    Parameters
    ----------
    examples : iterable of (frozenset, int)
        Active variables and label, +1 or -1, in order.
    threshold, promotion : int, Fraction, str or float
        theta > 0, and alpha > 1, by which a promotion multiplies.
    demotion : int, Fraction, str or float, optional
        By what a demotion divides, more than 1; None is alpha.
    initial_weight : int, Fraction, str or float, default=1
        The positive weight that every variable starts with.
    elimination : bool, default=False
        Whether a demotion sets weights to 0 (Winnow1) instead of dividing them (Winnow2).
    thickness : pair, default=(0, 0)
        tau of positive and of negative examples, 0 or more: with tau > 0 an example is also an update where
        y (score - theta) <= tau.

    Notes
    -----
    Source: [littlestone1988, Winnow1 and Winnow2]. Predicts +1 iff w.x >= theta, a tie included.

    Examples
    --------
    >>> rows = [(frozenset("ac"), 1), (frozenset("bc"), 1), (frozenset("cd"), -1)]
    >>> run = run_winnow(rows, threshold=6)
    >>> [(name, int(run.weights[name])) for name in sorted(run.weights)]
    [('a', 2), ('b', 2), ('c', 4)]
    """
    theta, up = exact(threshold, "threshold"), exact(promotion, "promotion")
    down, start = up if demotion is None else exact(demotion, "demotion"), exact(initial_weight, "initial_weight")
    require(
        theta > 0, f"threshold={shortened(threshold)}: expected a positive number; Winnow's weights are never negative"
    )
    require(up > 1, f"promotion={shortened(promotion)}: expected more than 1; a promotion multiplies by it")
    require(down > 1, f"demotion={shortened(demotion)}: expected more than 1; a demotion divides by it")
    require(start > 0, f"initial_weight={shortened(initial_weight)}: expected a positive number; a weight of 0 stays 0")
    factor = {1: up, -1: Fraction(0) if elimination else 1 / down}
    tau = thicknesses(thickness)
    weights: dict[Hashable, Fraction] = {}
    updates, step = [], -1
    for step, (active, y) in enumerate(labelled(examples)):
        score = sum((weights.get(name, start) for name in active), Fraction(0))
        if (score >= theta) != (y > 0) or (tau[y] > 0 and y * (score - theta) <= tau[y]):
            updates.append(Update(step, step, y, score, (score >= theta) != (y > 0)))
            for name in active:
                weights[name] = weights.get(name, start) * factor[y]
    return Run(tuple(updates), {**weights}, step + 1)


def run_balanced_winnow(
    examples: Iterable[Example],
    *,
    promotion: Exact = 2,
    threshold: Exact = 0,
    initial_weight: Exact = 1,
    thickness: tuple[Exact, Exact] = (0, 0),
) -> Run:
    """Run balanced Winnow over sets of active variables; the weights of the run are w+ - w-.

    Notes
    -----
    Two weights per variable, both `initial_weight` at first; an update multiplies w+ of the active ones by alpha**y and
    divides w- by it. Predicts +1 iff (w+ - w-).x >= theta, a tie included; `thickness` as in `run_winnow`.
    Source: [littlestone1988]. No mistake bound is claimed for this version; see `run_normalised_winnow`.

    Examples
    --------
    >>> run = run_balanced_winnow([(frozenset("a"), -1), (frozenset("ab"), 1)])
    >>> [(name, str(run.weights[name])) for name in sorted(run.weights)]
    [('a', '0'), ('b', '3/2')]
    """
    alpha, theta = exact(promotion, "promotion"), exact(threshold, "threshold")
    start, tau = exact(initial_weight, "initial_weight"), thicknesses(thickness)
    require(alpha > 1, f"promotion={shortened(promotion)}: expected more than 1; a promotion multiplies by it")
    require(start > 0, f"initial_weight={shortened(initial_weight)}: expected a positive number; a weight of 0 stays 0")
    plus: dict[Hashable, Fraction] = {}
    minus: dict[Hashable, Fraction] = {}
    updates, step = [], -1
    for step, (active, y) in enumerate(labelled(examples)):
        score = sum((plus.get(name, start) - minus.get(name, start) for name in active), Fraction(0))
        if (score >= theta) != (y > 0) or (tau[y] > 0 and y * (score - theta) <= tau[y]):
            updates.append(Update(step, step, y, score, (score >= theta) != (y > 0)))
            for name in active:
                plus[name] = plus.get(name, start) * alpha**y
                minus[name] = minus.get(name, start) / alpha**y
    return Run(tuple(updates), {name: plus[name] - minus[name] for name in plus}, step + 1)


def run_elimination(examples: Iterable[Example], variables: Iterable[Hashable]) -> Run:
    """Run the elimination of variables, or of literals, that were active in a false positive.

    Parameters
    ----------
    examples : iterable of (frozenset, int)
        Active variables (or literals) and label, +1 or -1, in order.
    variables : iterable
        The variables, or the 2n literals, to begin with; others count nothing.

    Notes
    -----
    The hypothesis is the disjunction of those that are left. In the run they have weight 1, the dropped ones 0, and
    the score is the number of active ones left, against the threshold 1. Nothing repairs a false negative, which is
    a mistake without a change; it never happens on examples of a disjunction. Source: [littlestone1988].

    Examples
    --------
    >>> run_elimination([(frozenset("ab"), -1), (frozenset("a"), 1)], "abc").n_mistakes
    2
    """
    remaining = set(variables)
    eliminated: set[Hashable] = set()
    updates, step = [], -1
    for step, (active, y) in enumerate(labelled(examples)):
        score = len(remaining & active)
        if (score >= 1) != (y > 0):
            updates.append(Update(step, step, y, Fraction(score), True))
            if y < 0:
                eliminated |= remaining & active
                remaining -= active
    return Run(tuple(updates), {name: Fraction(0) for name in eliminated}, step + 1)


def run_halving(concepts: Sequence[Callable[[frozenset[Hashable]], int]], examples: Iterable[Example]) -> Run:
    """Run the halving algorithm: the majority of the concepts without a mistake so far.

    Parameters
    ----------
    concepts : sequence of callables
        Each gives +1 or -1 for a set of active variables.
    examples : iterable of (frozenset, int)
        Active variables and label, +1 or -1, in order.

    Notes
    -----
    Every example drops the concepts that are wrong on it. The variables of the run are the numbers of the concepts,
    dropped ones with weight 0; the score is the sum of the votes of the others, against the threshold 0, so a tie (and
    no concept left) predicts +1. An example that drops nothing and is no mistake is no update.
    Source: [littlestone1988, the halving algorithm].

    Examples
    --------
    >>> run_halving([lambda active: 1, lambda active: -1], [(frozenset(), -1), (frozenset(), -1)]).n_mistakes
    1
    """
    remaining = dict(enumerate(concepts))
    eliminated: dict[Hashable, Fraction | float] = {}
    updates, step = [], -1
    for step, (active, y) in enumerate(labelled(examples)):
        votes = {number: concept(active) for number, concept in remaining.items()}
        score = sum(votes.values())
        wrong = [number for number, vote in votes.items() if vote != y]
        if wrong or (score >= 0) != (y > 0):
            updates.append(Update(step, step, y, Fraction(score), (score >= 0) != (y > 0)))
        for number in wrong:
            eliminated[number] = Fraction(0)
            del remaining[number]
    return Run(tuple(updates), eliminated, step + 1)


def labelled(examples: Iterable[tuple[Row, int]]) -> Iterator[tuple[Row, int]]:
    """Pass examples on, refusing a label other than +1 and -1."""
    for step, (row, label) in enumerate(examples):
        require(label in (-1, 1), f"example {step} has the label {shortened(label)}; expected +1 or -1")
        yield row, label


def thicknesses(thickness: tuple[Exact, Exact]) -> dict[int, Fraction]:
    """Thickness by label."""
    tau = {1: exact(thickness[0], "thickness"), -1: exact(thickness[1], "thickness")}
    require(min(tau.values()) >= 0, f"thickness={shortened(thickness)}: expected 0 or more for either label")
    return tau


def require(holds: bool, message: str) -> None:
    """Raise SettingError unless a condition holds."""
    if not holds:
        raise SettingError(message)
