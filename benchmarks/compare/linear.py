"""One pass of on-line linear learners over sparse rows, in memory: given as CSR, as dicts of names, and one a call.

Peers: scikit-learn's Perceptron and River's, which make the same updates as ours with these settings, so that weights
are compared, not accuracies. As it comes, ``Perceptron(max_iter=1, tol=None)`` shuffles rows and learns a constant; it
is timed like that and, as ours, without. Where rows are shuffled, each in its own way, accuracies are compared. Winnow
has no peer; it is timed against the same Perceptrons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from harness import Case, Contender
from river.linear_model import Perceptron as RiverPerceptron
from river.multiclass import OneVsRestClassifier
from scipy.sparse import csr_matrix
from sklearn.linear_model import Perceptron as SklearnPerceptron

from conjunct import PerceptronClassifier, WinnowClassifier

Learner = PerceptronClassifier | WinnowClassifier
N_VARIABLES = 1 << 20
# A tie updates on either label, as in scikit-learn and River: whole scores are within 1/2 of 0 only at 0.
TIES = {"thickness": "1/2", "max_passes": 1, "prediction": "final"}


def stream(n_rows: int, seed: int = 0) -> tuple[csr_matrix, np.ndarray]:
    """Rows of some 41 of 2**20 variables of power-law popularity; a noisy disjunction of 20 of them."""
    generator = np.random.default_rng(seed)
    lengths = generator.poisson(50, n_rows).clip(5)
    exponent = -0.1
    uniform = generator.random(int(lengths.sum()))
    rank = (1 - uniform * (1 - (N_VARIABLES + 1.0) ** exponent)) ** (1 / exponent)
    places = generator.permutation(N_VARIABLES)[np.minimum(rank.astype(np.int64) - 1, N_VARIABLES - 1)]
    keys = np.unique(np.repeat(np.arange(n_rows), lengths) * N_VARIABLES + places)
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys // N_VARIABLES, minlength=n_rows))])
    columns = (keys % N_VARIABLES).astype(np.int32)
    rows = csr_matrix((np.ones(len(columns)), columns, starts.astype(np.int32)), shape=(n_rows, N_VARIABLES))
    popular = np.argsort(-np.bincount(columns, minlength=N_VARIABLES))
    relevant = np.zeros(N_VARIABLES)
    relevant[generator.choice(popular[50:2000], 20, replace=False)] = 1
    labels = (rows @ relevant > 0) ^ (generator.random(n_rows) < 0.05)
    return rows, labels.astype(np.int64)


@dataclass(frozen=True)
class Fitted:
    """What one pass led to."""

    weights: np.ndarray | None  # None where updates are not those of the peer
    predict: Callable[[csr_matrix], np.ndarray]


def by_sklearn(rows: csr_matrix, labels: np.ndarray, **settings: bool) -> Fitted:
    fitted = SklearnPerceptron(max_iter=1, tol=None, random_state=0, **settings).fit(rows, labels)
    return Fitted(None if fitted.shuffle else fitted.coef_[0], fitted.predict)


def ours(rows: csr_matrix, labels: np.ndarray, *, shuffle: bool = False) -> Fitted:
    learner = PerceptronClassifier(**TIES, constant=int(shuffle), shuffle=shuffle, random_state=0).fit(rows, labels)
    return Fitted(None if shuffle else learner.coef_[0], learner.predict)


def our_winnow(rows: csr_matrix, labels: np.ndarray, *, shuffle: bool = False) -> Fitted:
    learner = WinnowClassifier(max_passes=1, prediction="final", shuffle=shuffle, random_state=0).fit(rows, labels)
    return Fitted(None, learner.predict)


def by_river(examples: list[dict[str, int]], labels: list[bool]) -> RiverPerceptron:
    learner = RiverPerceptron()
    for example, label in zip(examples, labels, strict=True):
        learner.learn_one(example, label)
    return learner


def ours_by_name(examples: list[dict[str, int]], labels: list[bool]) -> PerceptronClassifier:
    return perceptron().fit(examples, labels)


def perceptron() -> PerceptronClassifier:
    return PerceptronClassifier(**TIES, constant=1)


def by_learn_one(make: Callable[[], Learner], examples: list[dict[str, int]], labels: list[bool]) -> Learner:
    learner = make()
    for example, label in zip(examples, labels, strict=True):
        learner.learn_one(example, label)
    return learner


def by_partial_fit(
    make: Callable[[], Learner], examples: list[dict[str, int]], labels: list[int], n_classes: int = 2
) -> Learner:
    learner, classes = make(), list(range(n_classes))
    for example, label in zip(examples, labels, strict=True):
        learner.partial_fit([example], [label], classes)
    return learner


def by_river_one_vs_rest(examples: list[dict[str, int]], labels: list[int]) -> None:
    learner = OneVsRestClassifier(RiverPerceptron())  # which learns of a class when it comes: other weights
    for example, label in zip(examples, labels, strict=True):
        learner.learn_one(example, label)


def predicted(learner: Learner | RiverPerceptron, examples: list[dict[str, int]]) -> list[bool]:
    return [learner.predict_one(example) for example in examples]


def same_predictions(mine: list[bool], other: list[bool]) -> None:
    # River predicts a tie as False, ours as True: at most the ties differ.
    assert sum(a != b for a, b in zip(mine, other, strict=True)) < len(mine) // 20, "predictions differ"


def our_winnow_by_name(examples: list[dict[str, int]], labels: list[bool]) -> None:
    WinnowClassifier(max_passes=1, prediction="final").fit(examples, labels)


def agree(rows: csr_matrix, labels: np.ndarray, mine: Fitted, other: Fitted) -> None:
    if mine.weights is not None and other.weights is not None:
        np.testing.assert_array_equal(mine.weights, other.weights)
        return
    accuracies = [np.mean(fitted.predict(rows) == labels) for fitted in (mine, other)]
    assert abs(accuracies[0] - accuracies[1]) < 0.1, accuracies  # a last hypothesis amid noise wavers


def weights_of(learner: PerceptronClassifier | RiverPerceptron) -> dict[str, float]:
    if isinstance(learner, PerceptronClassifier):
        pairs = zip(learner.names_.names, learner.coef_[0].tolist(), strict=True)
    else:
        pairs = learner.weights.items()
    return {name: weight for name, weight in pairs if weight}


def equal_by_name(mine: PerceptronClassifier | None, other: PerceptronClassifier | RiverPerceptron | None) -> None:
    if mine is not None and other is not None:
        assert weights_of(mine) == weights_of(other), "weights differ"


def not_compared(_mine: list[bool], _other: list[bool]) -> None:
    """Another learner predicts otherwise."""


def equal_winnows(mine: WinnowClassifier, other: WinnowClassifier | RiverPerceptron) -> None:
    if isinstance(other, WinnowClassifier):
        np.testing.assert_array_equal(mine.coef_, other.coef_)


def cases(_full: bool) -> Iterator[Case]:
    rows, labels = stream(1_000_000)
    n_rows = rows.shape[0]
    check = partial(agree, rows[:50_000], labels[:50_000])
    for name, way in (("Perceptron", ours), ("Winnow", our_winnow)):
        contenders = [
            Contender("conjunct", 1, partial(way, rows, labels)),
            Contender("conjunct, shuffled", 1, partial(way, rows, labels, shuffle=True)),
            Contender("scikit-learn, as it comes", 1, partial(by_sklearn, rows, labels)),
            Contender(
                "scikit-learn, in order", 1, partial(by_sklearn, rows, labels, shuffle=False, fit_intercept=False)
            ),
        ]
        task = f"{name}, one pass over {n_rows:,} CSR rows of {rows.nnz / n_rows:.0f} ones"
        yield Case(task, n_rows, "rows", contenders, check)
    n_named = 20_000
    parts = np.split(rows.indices[: rows.indptr[n_named]], rows.indptr[1:n_named])
    examples = [dict.fromkeys(map(str, part.tolist()), 1) for part in parts]
    booleans = [bool(label) for label in labels[:n_named]]
    for name, named_way in (("Perceptron", ours_by_name), ("Winnow", our_winnow_by_name)):
        contenders = [
            Contender("conjunct", 1, partial(named_way, examples, booleans)),
            Contender("River", 1, partial(by_river, examples, booleans)),
        ]
        yield Case(f"{name}, one pass over {n_named:,} dicts of names", n_named, "rows", contenders, equal_by_name)
    yield from one_a_call(n_named)


def one_a_call(n_rows: int) -> Iterator[Case]:
    """Examples of 15 of 5,000 names, learned and predicted one a call."""
    generator = np.random.default_rng(0)
    drawn = generator.integers(0, 5000, (n_rows, 15))
    examples = [dict.fromkeys((f"w{k}" for k in row), 1) for row in drawn.tolist()]
    codes = [int(row) % 3 for row in (drawn % 7 == 0).sum(axis=1)]
    labels = [code > 0 for code in codes]
    contenders = [
        Contender("conjunct, learn_one", 1, partial(by_learn_one, perceptron, examples, labels)),
        Contender(
            "conjunct, partial_fit", 1, partial(by_partial_fit, perceptron, examples, [int(label) for label in labels])
        ),
        Contender("River, learn_one", 1, partial(by_river, examples, labels)),
    ]
    yield Case(f"Perceptron, {n_rows:,} dicts of 15 names, one a call", n_rows, "rows", contenders, equal_by_name)
    contenders = [
        Contender("conjunct, partial_fit", 1, partial(by_partial_fit, perceptron, examples, codes, 3)),
        Contender("River, learn_one", 1, partial(by_river_one_vs_rest, examples, codes)),
    ]
    yield Case(f"Perceptrons of 3 classes, {n_rows:,} dicts, one a call", n_rows, "rows", contenders, equal_by_name)
    mine, theirs = by_learn_one(perceptron, examples, labels), by_river(examples, labels)
    contenders = [
        Contender("conjunct, predict_one", 1, partial(predicted, mine, examples)),
        Contender("River, predict_one", 1, partial(predicted, theirs, examples)),
    ]
    yield Case(f"Perceptron, {n_rows:,} dicts predicted one a call", n_rows, "rows", contenders, same_predictions)
    for variant in ("balanced", "positive"):
        make = partial(WinnowClassifier, variant=variant)
        contenders = [
            Contender("conjunct, learn_one", 1, partial(by_learn_one, make, examples, labels)),
            Contender("conjunct, partial_fit", 1, partial(by_partial_fit, make, examples, list(map(int, labels)))),
            Contender("River's Perceptron, learn_one", 1, partial(by_river, examples, labels)),
        ]
        yield Case(f"Winnow, {variant}, {n_rows:,} dicts, one a call", n_rows, "rows", contenders, equal_winnows)
        mine = by_learn_one(make, examples, labels)
        contenders = [
            Contender("conjunct, predict_one", 1, partial(predicted, mine, examples)),
            Contender("River's Perceptron, predict_one", 1, partial(predicted, theirs, examples)),
        ]
        task = f"Winnow, {variant}, {n_rows:,} dicts predicted one a call"
        yield Case(task, n_rows, "rows", contenders, not_compared)
