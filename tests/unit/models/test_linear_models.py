from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.learners import Lesson, Perceptron
from conjunct.models import LinearThreshold, PowerThreshold, WeightPowers

SMALLEST = 5e-324


def random_rows(seed, n_rows=60, n_variables=6, n_unseen=2):
    random = np.random.RandomState(seed)
    lists = [
        np.concatenate([[-1] * random.randint(n_unseen + 1), np.flatnonzero(random.rand(n_variables) < 0.5)])
        for _ in range(n_rows)
    ]
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return SparseRows(starts, np.concatenate(lists).astype(np.int32), n_variables)


# Linear thresholds


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_whole_weights_score_and_choose_exactly(n_outputs):
    random, rows = np.random.RandomState(0), random_rows(1)
    weights, constants = random.randint(-3, 4, (n_outputs, 6)), random.randint(-3, 4, n_outputs)
    unit, square, threshold = Fraction(1, 3), Fraction(4, 9), Fraction(1, 7)
    model = LinearThreshold(weights, constants, square, unit, threshold)
    expected = [
        [
            unit * (sum(int(w[p]) for p in rows.row(i) if p >= 0) + square * int(c))
            for w, c in zip(weights, constants, strict=True)
        ]
        for i in range(60)
    ]
    assert model.is_exact
    assert model.scores(rows) == expected
    choices = [int(s[0] >= threshold) if n_outputs == 1 else s.index(max(s)) for s in expected]
    assert model.choices(rows).tolist() == choices
    values = model.decision_values(rows).reshape(60, -1)
    excess = np.array([[float(s - threshold) for s in row] for row in expected])
    assert ((values > 0) == (np.array(expected) >= threshold)).all()
    np.testing.assert_allclose(values, excess, atol=1e-300)


def test_a_tie_is_positive_and_its_value_the_smallest_float():
    model = LinearThreshold(np.array([[1, 2]]), np.array([-1]), Fraction(1), Fraction(1, 2), Fraction(1, 2))
    rows = SparseRows.of([{0}, {1}, {0, 1}])
    assert model.choices(rows).tolist() == [0, 1, 1]
    assert model.decision_values(rows).tolist() == [-0.5, SMALLEST, 0.5]


def test_sums_past_64_bits_are_exact():
    weights = np.full((2, 40), 2**61)
    weights[1, 0] -= 1
    rows = SparseRows.of([set(range(40)), {0, 1}, set(range(1, 40)), {0}])
    rivals = LinearThreshold(weights, np.array([0, 0]), Fraction(1), Fraction(1), Fraction(0))
    assert rivals.scores(rows)[0] == [40 * 2**61, 40 * 2**61 - 1]
    assert rivals.choices(rows).tolist() == [0, 0, 0, 0]
    assert LinearThreshold(weights[::-1], np.array([0, 0]), Fraction(1), Fraction(1), Fraction(0)).choices(
        rows
    ).tolist() == [1, 1, 0, 1]
    cut = Fraction(40 * 2**61)
    for output, choice in ((0, 1), (1, 0)):
        model = LinearThreshold(weights[[output]], np.array([0]), Fraction(1), Fraction(1), cut)
        assert model.choices(rows).tolist() == [choice, 0, 0, 0]
        assert (model.decision_values(rows) > 0).tolist() == [bool(choice), False, False, False]


@pytest.mark.parametrize("seed", range(5))
def test_signs_of_float_values_are_those_of_the_choices(seed):
    random = np.random.RandomState(seed)
    for _ in range(40):
        weights = random.randint(-3, 4, (1, 4)) / 7
        unit, square = Fraction(1, random.randint(1, 50)), Fraction(random.randint(0, 9), 49)
        constants = random.randint(-3, 4, 1) / 7
        model = LinearThreshold(weights, constants, square, unit, unit * Fraction(random.randint(-3, 4), 7))
        rows = SparseRows.of_real(random.randint(-3, 4, (60, 4)) / 7)
        assert ((model.decision_values(rows) > 0) == (model.choices(rows) == 1)).all()


def test_unseen_names_count_nothing():
    rows = SparseRows(np.array([0, 2, 3, 3]), np.array([-1, 0, -1], np.int32), 1)
    model = LinearThreshold(np.array([[0.5]]), np.array([0.0]), Fraction(0), Fraction(1), Fraction(1, 4))
    assert model.scores(rows) == [[Fraction(1, 2)], [0], [0]]
    assert model.choices(rows).tolist() == [1, 0, 0]


def test_linear_models_do_not_change():
    weights = np.array([[1, 2]])
    model = LinearThreshold(weights, np.array([0]), Fraction(1), Fraction(1), Fraction(0))
    weights[:] = 9
    assert model.weights.tolist() == [[1, 2]]
    for array in (model.weights, model.constants):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(AttributeError):
        model.unit = Fraction(2)


@pytest.mark.parametrize(
    ("weights", "constants", "unit"),
    [
        ([1, 2], [0], 1),
        ([[1, 2]], [0, 1], 1),
        ([[1, 2]], [0], 0),
        (np.zeros((0, 2)), np.zeros(0), 1),
        ([[1.0, np.nan]], [0.0], 1),
        ([[1.0, 2.0]], [np.inf], 1),
    ],
)
def test_weights_that_are_none_are_refused(weights, constants, unit):
    with pytest.raises(BitsError, match="linear threshold"):
        LinearThreshold(np.array(weights), np.array(constants), Fraction(1), Fraction(unit), Fraction(0))


# Powers


POWERS = {
    "net": WeightPowers(Fraction(1, 3), Fraction(3, 2), Fraction(3, 2)),
    "apart": WeightPowers(Fraction(2), Fraction(3, 2), Fraction(5, 4)),
    "eliminates": WeightPowers(Fraction(1), Fraction(2), Fraction(2), eliminates=True),
    "balanced": WeightPowers(Fraction(1, 2), Fraction(11, 10), Fraction(11, 10), is_balanced=True),
}


@pytest.mark.parametrize(("n", "bits"), [(40, 128), (400, 128), (399, 58)])  # 58: often too few to round from
@pytest.mark.parametrize("name", POWERS)
def test_tables_of_powers_hold_the_nearest_floats(name, n, bits, monkeypatch):
    monkeypatch.setattr("conjunct.models.weight_powers.TABLE_BITS", bits)
    powers = POWERS[name]
    if name == "apart":
        up, down = (np.ldexp(*part).tolist() for part in powers.apart(n))
        assert up == [float(powers.weight(k, 0)) for k in range(n + 1)]
        assert down == [float(Fraction(4, 5) ** k) for k in range(n + 1)]
        return
    floats, is_exact = powers.by_net(n)
    for net in range(0 if name == "eliminates" else -n, n + 1):
        weight = powers.weight(max(net, 0), max(-net, 0))
        assert floats[net + n] == float(weight)
        assert is_exact[net + n] == (Fraction(float(weight)) == weight)
    assert powers.size_by_net(n).tolist() == [float(powers.size(max(k, 0), max(-k, 0))) for k in range(-n, n + 1)]


def test_tables_end_where_floats_end_and_scaled_ones_do_not():
    (up, up_exponents), (down, down_exponents) = POWERS["apart"].apart(5000)
    assert 0.5 <= min(up.min(), down.min()) <= max(up.max(), down.max()) <= 2
    assert (up_exponents[-1] // 100, down_exponents[-1] // 100) == (29, -17)  # 5000 log2(3/2) and log2(5/4)
    sizes = WeightPowers(Fraction(1, 2), Fraction(2), Fraction(2), is_balanced=True).size_by_net(50_000)
    assert sizes[0] == sizes[-1] == np.inf
    assert sizes[50_000:50_002].tolist() == [1, 1.25]


@pytest.mark.parametrize("name", POWERS)
@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("has_constant", [False, True])
def test_sums_of_powers_choose_exactly(name, n_outputs, has_constant):
    random, powers, rows = np.random.RandomState(3), POWERS[name], random_rows(4)
    p, d = random.randint(0, 3, (2, n_outputs, 6 + has_constant))
    for threshold in (Fraction(0), Fraction(1), Fraction(2), Fraction(5, 4)):
        model = PowerThreshold(powers, p, d, threshold, has_constant)
        expected = []
        for i in range(60):
            places = [*rows.row(i).tolist(), *[6] * has_constant]
            weights = [
                [powers.weight(*((0, 0) if k < 0 else (int(p[o, k]), int(d[o, k])))) for k in places]
                for o in range(n_outputs)
            ]
            expected.append([sum(w, Fraction(0)) for w in weights])
        assert model.scores(rows) == expected
        choices = [int(s[0] >= threshold) if n_outputs == 1 else s.index(max(s)) for s in expected]
        assert model.choices(rows).tolist() == choices
        signs = model.decision_values(rows).reshape(60, -1) > 0
        assert (signs == np.array([[s >= threshold for s in row] for row in expected])).all()


def test_powers_need_boolean_rows_of_their_width():
    model = PowerThreshold(POWERS["net"], np.zeros((1, 2), int), np.zeros((1, 2), int), Fraction(1))
    with pytest.raises(BitsError, match="rows of 3 variables, but the model has 2"):
        model.choices(SparseRows.of([{2}]))
    with pytest.raises(BitsError, match="Boolean"):
        model.choices(SparseRows.of_real([[0.5, 1]]))
    for p, d in (([0], [0]), ([[0]], [[0, 1]]), ([[-1]], [[0]]), (np.zeros((0, 2)), np.zeros((0, 2)))):
        with pytest.raises(BitsError, match="power threshold"):
            PowerThreshold(POWERS["net"], np.array(p), np.array(d), Fraction(1))


# Votes


@pytest.mark.parametrize("is_real", [False, True])
def test_votes_count_every_hypothesis_as_often_as_it_lived(is_real, monkeypatch):
    monkeypatch.setattr("conjunct.models.voted_threshold.ENTRIES_PER_BLOCK", 50)
    random = np.random.RandomState(5)
    table = random.randint(0, 2, (50, 4)) * (random.randint(1, 5, (50, 4)) / 4 if is_real else 1)
    labels = np.where(random.rand(50) < 0.5, 1, -1)
    learner = Perceptron("1/2", constant="2/3", learning_rate="1/2")
    rows = SparseRows.of_real(table) if is_real else SparseRows.of(table)
    run = learner.begin(is_real=is_real)
    run.learn(Lesson(rows, labels), max_passes=2)
    log = {u.step: u for u in run.transcript()}
    weights, bias, votes = np.zeros(4), 0.0, np.zeros(50)
    for step in range(100):
        if step in log:
            weights = weights + log[step].label * table[log[step].index]
            bias += log[step].label * 4 / 9
        votes += np.where((table @ weights + bias) / 2 >= 0.5, 1, -1)
    model = learner.model([run], "voted")
    assert model.votes(rows)[:, 0].tolist() == votes.tolist()
    assert model.choices(rows).tolist() == (votes >= 0).astype(int).tolist()
    assert ((model.decision_values(rows) > 0) == (votes >= 0)).all()


def test_votes_pass_over_unseen_names():
    learner = Perceptron(constant=1)
    run = learner.begin()
    run.learn(Lesson(SparseRows.of([{0}, {1}, {0, 2}, {2}] * 3), [1, -1, -1, 1] * 3))
    model = learner.model([run], "voted")
    with_unseen = SparseRows(np.array([0, 3, 5, 7]), np.array([-1, -1, 0, -1, 2, -1, -1], np.int32), 3)
    assert model.votes(with_unseen).tolist() == model.votes(SparseRows.of([{0}, {2}, set()])).tolist()
    with pytest.raises(BitsError, match="rows of 4 variables, but the model has 3"):
        model.votes(SparseRows.of([{3}]))
