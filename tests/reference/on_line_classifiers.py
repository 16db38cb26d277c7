"""PerceptronClassifier and WinnowClassifier on Boolean rows by their docstrings: every hypothesis, in fractions."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

import numpy as np
from sklearn.utils import check_random_state

from conjunct.bits import random_permutation

SMALLEST = 5e-324
LARGEST = 1.7976931348623157e308


def number(value):
    """Return an exact parameter: a float means its decimal."""
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


@dataclass
class Weights:
    """A hypothesis: a score for a row, and what an update makes of it."""

    n: int
    options: dict
    plus: list = field(default_factory=list)
    minus: list = field(default_factory=list)

    def __post_init__(self):
        self.plus = self.plus or [self.first_weight] * (self.n + 1)
        self.minus = self.minus or [self.first_weight] * (self.n + 1)

    def score(self, row):
        on = [k for k in range(self.n) if row[k]] + [self.n] * self.has_constant
        return sum((self.weight(k) for k in on), Fraction(0)) / self.divisor()

    def divisor(self):
        return Fraction(1)

    def updated(self, row, label, rate):
        new = type(self)(self.n, self.options, list(self.plus), list(self.minus))
        for k in [k for k in range(self.n) if row[k]] + [self.n] * self.has_constant:
            new.update(k, label, rate)
        return new


class PerceptronWeights(Weights):
    """Weights that are added to; the last is that of a variable with the value `constant`."""

    has_constant = True
    first_weight = Fraction(0)

    @property
    def value_of_constant(self):
        given = self.options.get("constant")
        return Fraction(1) if given is None else number(given)

    def value(self, k):
        return self.value_of_constant if k == self.n else 1

    def weight(self, k):
        return self.plus[k] * self.value(k)

    def update(self, k, label, rate):
        self.plus[k] += number(self.options.get("learning_rate", 1)) * rate * label * self.value(k)


class WinnowWeights(Weights):
    """Weights that are multiplied: one per variable, or two of which the score takes the difference."""

    @property
    def first_weight(self):
        return number(self.options.get("initial_weight") or 1)

    @property
    def variant(self):
        return self.options.get("variant", "balanced")

    @property
    def has_constant(self):
        return self.variant in ("balanced", "normalised")

    def weight(self, k):
        return self.plus[k] - self.minus[k] if self.has_constant else self.plus[k]

    def divisor(self):
        return sum(self.plus + self.minus, Fraction(0)) if self.variant == "normalised" else Fraction(1)

    def update(self, k, label, rate):
        up = number(self.options.get("promotion", "3/2"))
        down = number(self.options.get("demotion") or up)
        if label > 0:
            self.plus[k] *= up**rate
            self.minus[k] /= up**rate
        else:
            self.plus[k] = Fraction(0) if self.variant == "elimination" else self.plus[k] / down**rate
            self.minus[k] *= down**rate


class ReferenceClassifier:
    """What one of the two classifiers must answer, given its options."""

    def __init__(self, kind, options):
        self.kind, self.options = kind, options

    def fit(self, table, y):
        self.begin(table, sorted(set(y)), [list(y).count(label) for label in sorted(set(y))])
        seed = None
        if self.options.get("shuffle"):
            seed = int(check_random_state(self.options.get("random_state")).randint(1 << 31))
        n_passes = self.options.get("max_passes", 100)
        is_consistent = [self.learn(k, table, y, n_passes, seed) for k in range(len(self.hypotheses))]
        longest = max(map(len, self.hypotheses))
        for states in self.hypotheses:
            states += states[-1:] * (longest - len(states))
        self.stopped_by = "consistent" if all(is_consistent) else "max_passes"
        return self

    def partial_fit(self, table, y, classes):
        if not hasattr(self, "classes"):
            self.begin(table, sorted(classes), None)
        for k in range(len(self.hypotheses)):
            self.learn(k, table, y, 1, None)
        self.stopped_by = "end of batch"
        return self

    def begin(self, table, classes, counts):
        self.classes, self.threshold = classes, self.found_threshold(table)
        kind = PerceptronWeights if self.kind == "perceptron" else WinnowWeights
        n_outputs = 1 if len(classes) == 2 else len(classes)
        self.first = [kind(len(table[0]), self.options) for _ in range(n_outputs)]
        self.hypotheses = [[] for _ in range(n_outputs)]  # after every step
        self.n_mistakes = self.n_updates = 0
        weight = self.options.get("class_weight") or {}
        if weight == "balanced":
            weight = {label: Fraction(sum(counts), len(classes) * n) for label, n in zip(classes, counts, strict=True)}
        self.rates = {label: number(weight.get(label, 1)) for label in classes}
        if self.kind == "winnow":
            least = min(self.rates.values())
            self.rates = {label: min(1000, round(rate / least)) for label, rate in self.rates.items()}

    def found_threshold(self, table):
        given = self.options.get("threshold", 0 if self.kind == "perceptron" else None)
        if given is not None:
            return number(given)
        if self.options.get("variant", "balanced") in ("balanced", "normalised"):
            return Fraction(0)
        most, width = max(1, *(sum(row) for row in table)), len(table[0])
        return Fraction(width if width <= 4 * most else 4 * most)

    def learn(self, output, table, y, max_passes, seed):
        states = self.hypotheses[output]
        now = states[-1] if states else self.first[output]
        positive = self.classes[1] if len(self.hypotheses) == 1 else self.classes[output]
        thick = self.options.get("thickness", 0)
        pair = thick if isinstance(thick, tuple) else (thick, thick)
        for number_of_pass in range(max_passes):
            n_updates = 0
            order = range(len(table)) if seed is None else random_permutation(seed, len(table), stream=number_of_pass)
            for i in order:
                label = 1 if y[i] == positive else -1
                excess = now.score(table[i]) - self.threshold
                is_mistake = (excess >= 0) != (label > 0)
                edge = number(pair[0 if label > 0 else 1])
                if is_mistake or (edge > 0 and label * excess <= edge):
                    now = now.updated(table[i], label, self.rates[y[i]])
                    n_updates += 1
                    self.n_mistakes += is_mistake
                states.append(now)
            self.n_updates += n_updates
            if n_updates == 0:
                return True
        return False

    @property
    def prediction(self):
        given = self.options.get("prediction", "auto")
        return given if given != "auto" else "final" if self.stopped_by == "consistent" else "averaged"

    def excesses(self, row):
        """Return score minus threshold for every output; votes where hypotheses vote."""
        out = []
        for states in self.hypotheses:
            if self.prediction == "final":
                out.append(states[-1].score(row) - self.threshold)
                continue
            lasted = {}
            for state in states:
                lasted[id(state)] = (state, lasted.get(id(state), (state, 0))[1] + 1)
            scores = [(state.score(row) - self.threshold, n) for state, n in lasted.values()]
            if self.prediction == "voted":
                out.append(Fraction(sum(n if score >= 0 else -n for score, n in scores)))
            else:
                out.append(sum((score * n for score, n in scores), Fraction(0)) / len(states))
        return out

    def predict(self, row):
        excesses = self.excesses(row)
        return self.classes[int(excesses[0] >= 0) if len(excesses) == 1 else excesses.index(max(excesses))]

    def decision(self, row):
        return [nearest(excess) for excess in self.excesses(row)]


def nearest(excess):
    """Return the nearest float, of the sign of the prediction, finite."""
    try:
        value = float(excess)
    except OverflowError:
        value = inf if excess > 0 else -inf
    value = float(np.clip(value, -LARGEST, LARGEST))
    return max(value, SMALLEST) if excess >= 0 else min(value, -SMALLEST)
