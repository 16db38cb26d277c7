from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from conjunct import BitMatrix, ExponentiatedGradientRegressor
from conjunct.bits import SparseRows
from conjunct.errors import BitsError, SettingError
from conjunct.estimators import load
from conjunct.theory import exponentiated_gradient_plus_minus, exponentiated_gradient_rate


def random_data(seed: int = 0, n_rows: int = 120, n: int = 8) -> tuple[Any, Any]:
    random = np.random.RandomState(seed)
    x = random.randn(n_rows, n) * (random.rand(n_rows, n) < 0.6)
    return x, 2 * x[:, 0] - x[:, 1] + 4 + 0.1 * random.randn(n_rows)


def positive_data(seed: int = 0) -> tuple[Any, Any]:
    random = np.random.RandomState(seed)
    x = random.rand(120, 8)
    return x, 0.7 * x[:, 2] + 0.3 * x[:, 5]


SETTINGS: list[dict[str, Any]] = [
    {},
    {"prediction": "final", "constant": 0},
    {"shuffle": True, "random_state": 3, "norm": 7, "learning_rate": "1/100"},
    {"signed": False},
    {"signed": False, "constant": 0.5, "max_passes": 3},
]


def state(learner: ExponentiatedGradientRegressor) -> Any:
    names = ("coef_", "intercept_", "loss_", "n_passes_", "stopped_by_", "prediction_", "reasons_", "n_features_in_")
    numbers = [getattr(learner, name) for name in (*names, "learning_rate_", "norm_", "constant_")]
    return repr([n.tobytes() if isinstance(n, np.ndarray) else n for n in numbers])


# Learning


def test_signed_weights_and_the_constant_are_found() -> None:
    x, y = random_data()
    learner = ExponentiatedGradientRegressor(shuffle=False).fit(x, y)
    np.testing.assert_allclose(learner.coef_, [2, -1, 0, 0, 0, 0, 0, 0], atol=0.1)
    assert learner.intercept_ == pytest.approx(4, abs=0.1)
    assert learner.score(x, y) > 0.99
    np.testing.assert_allclose(learner.predict(x), x @ learner.coef_ + learner.intercept_, rtol=1e-12)


def test_weights_of_one_sign_are_a_mean() -> None:
    x, y = positive_data()
    learner = ExponentiatedGradientRegressor(signed=False, shuffle=False).fit(x, y)
    assert learner.coef_.min() >= 0
    assert learner.coef_.sum() == pytest.approx(1)
    assert learner.intercept_ == 0
    assert learner.score(x, y) > 0.9
    assert (learner.norm_, learner.constant_) == (1, 0)


def test_one_pass_is_the_theorems_run() -> None:
    x, y = random_data(1)
    learner = ExponentiatedGradientRegressor(norm=9, constant=0, max_passes=1, prediction="final", shuffle=False).fit(
        x, y
    )
    rate = exponentiated_gradient_rate(2 * 9 * np.abs(x).max(), 1)
    wanted = exponentiated_gradient_plus_minus(x.tolist(), y.tolist(), rate, 9)
    assert learner.learning_rate_ == rate
    assert learner.loss_ == pytest.approx(wanted.loss, rel=1e-9)
    np.testing.assert_allclose(learner.coef_, wanted.weights, rtol=1e-9, atol=1e-9)
    assert (learner.stopped_by_, learner.n_passes_, learner.intercept_) == ("max_passes", 1, 0)


def test_the_mean_is_that_of_the_last_pass() -> None:
    x, y = random_data(2)
    given = {"norm": 9, "learning_rate": 0.001, "shuffle": False}
    learner = ExponentiatedGradientRegressor(**given, max_passes=3).fit(x, y)
    start = ExponentiatedGradientRegressor(**given, max_passes=2, prediction="final").fit(x, y)
    weights = []
    for row, target in zip(x, y, strict=True):
        start.partial_fit([row], [target])
        weights.append([*start.coef_, start.intercept_])
    np.testing.assert_allclose([*learner.coef_, learner.intercept_], np.mean(weights, axis=0), rtol=1e-9, atol=1e-12)


def test_fit_stops_where_a_pass_gains_next_to_nothing() -> None:
    x, y = random_data(3)
    learner = ExponentiatedGradientRegressor(norm=10, max_passes=500, shuffle=False).fit(x, y)
    assert learner.stopped_by_ == "settled"
    assert 2 <= learner.n_passes_ < 500
    assert ExponentiatedGradientRegressor(max_passes=2, shuffle=False).fit(x, y).stopped_by_ == "max_passes"


def test_all_kinds_of_tables_give_the_same_bits() -> None:
    x, y = random_data(4)
    frame = pd.DataFrame(x, columns=[f"v{i}" for i in range(8)])
    learners = [
        ExponentiatedGradientRegressor(shuffle=False).fit(table, y)
        for table in (x, csr_array(x), csr_array(x).tocsc(), frame)
    ]
    assert len({state(learner) for learner in learners}) == 1
    assert learners[-1].feature_names_in_.tolist() == list(frame.columns)
    bits = (x > 0).astype(int)
    tables = (bits, csr_array(bits), BitMatrix.of(bits), SparseRows.of(bits), bits.astype(bool))
    learners = [ExponentiatedGradientRegressor(shuffle=False).fit(table, y) for table in tables]
    assert len({state(learner) for learner in learners}) == 1
    assert len({learners[0].predict(table).tobytes() for table in tables}) == 1


@pytest.mark.parametrize("piece", [1, 7, 120])
@pytest.mark.parametrize("signed", [True, False])
def test_batches_are_one_pass_to_the_last_bit(piece: int, signed: bool) -> None:
    x, y = random_data(5)
    fixed = {"signed": signed, "learning_rate": 0.01, "norm": 9 if signed else None, "constant": 2, "shuffle": False}
    whole = ExponentiatedGradientRegressor(**fixed, max_passes=1).fit(x, y)
    learner = ExponentiatedGradientRegressor(**fixed)
    for first in range(0, 120, piece):
        learner.partial_fit(x[first : first + piece], y[first : first + piece])
    np.testing.assert_array_equal(learner.coef_, whole.coef_)
    assert learner.intercept_ == whole.intercept_
    assert learner.loss_ == pytest.approx(whole.loss_, rel=1e-12)
    assert learner.stopped_by_ == "end of batch"


def test_the_first_batch_settles_what_is_automatic() -> None:
    x, y = random_data(6)
    learner = ExponentiatedGradientRegressor(shuffle=False).partial_fit(x[:30], y[:30])
    known = learner.learning_rate_, learner.norm_, learner.constant_, learner.reasons_
    learner.partial_fit(10 * x[30:], y[30:])
    assert known == (learner.learning_rate_, learner.norm_, learner.constant_, learner.reasons_)


def test_predicting_changes_nothing() -> None:
    x, y = random_data(7)
    learner = ExponentiatedGradientRegressor(shuffle=False).fit(x, y)
    before, keys = state(learner), set(learner.__dict__)
    first = learner.predict(x)
    np.testing.assert_array_equal(learner.predict(x), first)
    assert state(learner) == before
    assert set(learner.__dict__) == keys
    learner.partial_fit(x, y)
    twin = ExponentiatedGradientRegressor(shuffle=False).fit(x, y).partial_fit(x, y)
    assert state(learner) == state(twin)


def test_an_interrupted_batch_is_not_learned_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = random_data(17)
    learner, twin = (ExponentiatedGradientRegressor(shuffle=False).fit(x, y) for _ in range(2))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ExponentiatedGradientRegressor, "_take_over", interrupt)
    with pytest.raises(KeyboardInterrupt):
        learner.partial_fit(x, y)
    monkeypatch.undo()
    assert state(learner) == state(twin)
    assert state(learner.partial_fit(x, y)) == state(twin.partial_fit(x, y))


def test_shuffling_follows_its_seed() -> None:
    x, y = random_data(8)
    runs = [ExponentiatedGradientRegressor(shuffle=True, random_state=seed).fit(x, y) for seed in (1, 1, 2)]
    assert state(runs[0]) == state(runs[1]) != state(runs[2])


# What is found automatically


def test_reasons_are_given_for_what_was_found_and_only_for_that() -> None:
    x, y = random_data(9)
    learner = ExponentiatedGradientRegressor(shuffle=False).fit(x, y)
    assert learner.reasons_.keys() == {"norm", "learning_rate", "constant"}
    assert learner.constant_ == np.abs(x).max()
    assert learner.norm_ in [2**k * np.abs(y).max() / np.abs(x).max() for k in range(1, 11)]
    radius = 2 * learner.norm_ * learner.constant_
    assert learner.learning_rate_ == pytest.approx(2 / (3 * radius**2))
    given = ExponentiatedGradientRegressor(norm="7/2", learning_rate=Fraction(1, 100), constant=1, shuffle=False).fit(
        x, y
    )
    assert given.reasons_ == {}
    assert (given.norm_, given.learning_rate_, given.constant_) == (3.5, 0.01, 1)
    mean = ExponentiatedGradientRegressor(signed=False, shuffle=False).fit(x, y)
    assert mean.reasons_.keys() == {"learning_rate", "constant"}
    assert mean.learning_rate_ == pytest.approx(2 / (3 * np.ptp(x, axis=1).max() ** 2))


def test_the_norm_grows_with_what_the_targets_need() -> None:
    random = np.random.RandomState(0)
    x = random.randn(1500, 60)
    needs_much = x @ random.choice([-1, 1], 60)
    learner = ExponentiatedGradientRegressor(shuffle=False).fit(x, needs_much + random.randn(1500))
    assert learner.norm_ >= 60
    assert learner.score(x, needs_much) > 0.95
    wide = (random.rand(300, 2000) < 0.05) * 1.0
    learner = ExponentiatedGradientRegressor(shuffle=False).fit(wide[:200], wide[:200, :5].sum(axis=1) + 7)
    assert learner.norm_ < 40
    assert learner.score(wide[200:], wide[200:, :5].sum(axis=1) + 7) > 0.5
    few = ExponentiatedGradientRegressor(shuffle=False).fit([[2.0], [0.5]], [1, 3])
    assert few.norm_ == 3
    assert few.reasons_["norm"] == "2 max|y| / max|x_i| = 3: too few rows to try more"
    assert ExponentiatedGradientRegressor(constant=0, shuffle=False).fit([[0], [0]], [1, 3]).norm_ == 1


@pytest.mark.parametrize("signed", [True, False])
def test_rows_with_nothing_to_learn_are_learned(signed: bool) -> None:
    for x, y in [(np.zeros((3, 2)), [0, 0, 0]), (np.ones((2, 2)), [0, 0]), (np.zeros((2, 1)), [1.5, 1.5])]:
        learner = ExponentiatedGradientRegressor(signed=signed, shuffle=False).fit(x, y)
        assert np.all(np.isfinite(learner.predict(x)))
        assert learner.reasons_["learning_rate"]
    assert learner.predict([[0]])[0] == pytest.approx(1.5 if signed else 0, abs=0.1)


@pytest.mark.parametrize("scale", [1e-120, 1e-30, 1e30, 1e120])
def test_tables_of_any_scale_give_the_same_fit(scale: float) -> None:
    x, y = random_data(10)
    learner = ExponentiatedGradientRegressor(shuffle=False).fit(x * scale, y)
    assert learner.score(x * scale, y) > 0.99
    learner = ExponentiatedGradientRegressor(shuffle=False).fit(x, y * scale)
    np.testing.assert_allclose(learner.predict(x) / scale, y, atol=0.6)


# Refusals


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"learning_rate": 0}, "learning_rate=0: expected a positive number"),
        ({"learning_rate": -0.5}, "learning_rate=-0.5: expected a positive number"),
        ({"learning_rate": "fast"}, "learning_rate='fast': expected"),
        ({"learning_rate": float("nan")}, "learning_rate=nan: expected"),
        ({"learning_rate": 10**400}, "learning_rate: too large for a float"),
        ({"norm": 0}, "norm=0: expected a positive number"),
        ({"norm": "-1/2"}, "norm='-1/2': expected a positive number"),
        ({"norm": True}, "norm=True: expected"),
        ({"norm": 2, "signed": False}, "norm=2 belongs to signed=True"),
        ({"constant": "x"}, "constant='x': expected"),
        ({"signed": 1}, "signed=1: expected True or False"),
        ({"shuffle": "no"}, "shuffle='no': expected True or False"),
        ({"max_passes": 0}, "max_passes=0: expected a positive integer"),
        ({"max_passes": True}, "max_passes=True: expected a positive integer"),
        ({"prediction": "voted"}, "prediction='voted': expected"),
        ({"random_state": "x"}, "random_state='x': "),
    ],
)
def test_settings_are_refused_by_name_on_one_line(setting: dict[str, Any], message: str) -> None:
    for learn in ("fit", "partial_fit"):
        with pytest.raises(SettingError) as caught:
            getattr(ExponentiatedGradientRegressor(**setting), learn)([[0, 1], [1, 0]], [0, 1])
        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, float("nan")], "the target of row 1 is nan, expected a finite number"),
        ([float("-inf"), 0], "the target of row 0 is -inf, expected a finite number"),
        ([0, 1, 2], "2 rows need as many targets and at least one, got shape (3,)"),
        (["a", "b"], "y holds <U1 values, expected numbers"),
        (np.array(["a", 1], object), "y holds values that are not numbers"),
        ([1j, 2], "y: Complex data not supported [0.+1.j 2.+0.j]"),
    ],
)
def test_targets_are_refused_by_name_on_one_line(y: Any, message: str) -> None:
    learner = ExponentiatedGradientRegressor(shuffle=False)
    with pytest.raises(BitsError) as caught:
        learner.fit([[0, 1], [1, 0]], y)
    assert str(caught.value) == message
    assert not hasattr(learner, "coef_")


def test_rows_of_another_width_are_refused_and_nothing_is_lost() -> None:
    x, y = random_data(11)
    learner = ExponentiatedGradientRegressor(shuffle=False).partial_fit(x, y)
    before = state(learner)
    for wrong in (x[:, :5], np.hstack([x, x]), csr_array(x[:, :5]), BitMatrix.of([[0, 1]] * 120)):
        with pytest.raises(
            ValueError, match=r"^X has \d+ (features|variables), but ExponentiatedGradientRegressor is"
        ) as caught:
            learner.partial_fit(wrong, y)
        assert "\n" not in str(caught.value)
        with pytest.raises(ValueError, match="X has"):
            learner.predict(wrong)
    with pytest.raises(BitsError, match="X has 10 variables"):
        learner.partial_fit(SparseRows.of([{9}]), [1])
    assert state(learner) == before


def test_rows_that_list_fewer_variables_are_read_as_zeros() -> None:
    bits = np.random.RandomState(0).randint(0, 2, (30, 6))
    y = bits[:, 0] * 1.0
    one, other = (ExponentiatedGradientRegressor(shuffle=False).fit(bits, y) for _ in range(2))
    one.partial_fit(SparseRows.of([{0}, {1, 2}]), [1, 0])
    other.partial_fit([[1, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0]], [1, 0])
    assert state(one) == state(other)


def test_values_that_are_not_finite_are_refused() -> None:
    for bad in (np.nan, np.inf):
        for table in (np.array([[0, bad]]), csr_array(np.array([[0, bad]]))):
            with pytest.raises(ValueError, match="contains"):
                ExponentiatedGradientRegressor(shuffle=False).fit(table, [1])


def test_numbers_past_the_range_of_floats_are_refused() -> None:
    x, y = random_data(12)
    with pytest.raises(BitsError, match="scale rows and targets"):
        ExponentiatedGradientRegressor(shuffle=False).fit(x, y * 1e200)
    with pytest.raises(BitsError, match="leaves the range of floats"):
        ExponentiatedGradientRegressor(shuffle=False).fit(x * 1e-200, y * 1e140)
    learner = ExponentiatedGradientRegressor(norm=10, learning_rate=1e-3, shuffle=False).fit(x, y)
    before = state(learner)
    with pytest.raises(BitsError, match=r"rate=0\.001 is too large for these rows and targets"):
        learner.partial_fit(x, y * 1e100)
    assert state(learner) == before


def test_a_run_goes_on_only_with_its_settings() -> None:
    x, y = random_data(13)
    learner = ExponentiatedGradientRegressor(norm=9, shuffle=False).fit(x, y)
    for change in ({"norm": 8}, {"learning_rate": 1}, {"constant": 0}, {"signed": False, "norm": None}):
        changed = pickle.loads(pickle.dumps(learner)).set_params(**change)
        with pytest.raises(SettingError, match="goes on only with the settings it began with"):
            changed.partial_fit(x, y)
    learner.set_params(norm="9", prediction="final").partial_fit(x, y)
    assert learner.prediction_ == "final"


def test_what_needs_a_fit_says_so() -> None:
    with pytest.raises(NotFittedError):
        ExponentiatedGradientRegressor(shuffle=False).predict([[1]])
    with pytest.raises(NotFittedError):
        ExponentiatedGradientRegressor(shuffle=False).save("never.model")
    with pytest.raises(SettingError, match="requires y"):
        ExponentiatedGradientRegressor(shuffle=False).fit([[1]], None)


# Files


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_saved_model_comes_back_whole_and_goes_on_alike(setting: dict[str, Any], tmp_path: Path) -> None:
    x, y = random_data(14)
    frame = pd.DataFrame(x, columns=["wet", "größe", "x y", "", "=1", "a", "b", "c"])
    for table in (x, frame):
        learner = ExponentiatedGradientRegressor(**setting).fit(table, y)
        learner.save(tmp_path / "a.model")
        loaded = [
            ExponentiatedGradientRegressor.load(tmp_path / "a.model"),
            load(tmp_path / "a.model"),
            pickle.loads(pickle.dumps(learner)),
        ]
        for other in loaded:
            assert isinstance(other, ExponentiatedGradientRegressor)
            assert other.get_params() == learner.get_params()
            assert other.__dict__.keys() == learner.__dict__.keys()
            assert state(other) == state(learner)
            assert other.predict(table).tobytes() == learner.predict(table).tobytes()
            assert list(getattr(other, "feature_names_in_", ())) == list(getattr(learner, "feature_names_in_", ()))
            other.save(tmp_path / "b.model")
            assert (tmp_path / "b.model").read_bytes() == (tmp_path / "a.model").read_bytes()
        learner.partial_fit(table, y)
        for other in loaded:
            assert state(other.partial_fit(table, y)) == state(learner)


def test_an_unfitted_regressor_is_pickled_and_cloned() -> None:
    learner = ExponentiatedGradientRegressor(norm=Fraction(1, 3), random_state=np.random.RandomState(0), shuffle=False)
    other = pickle.loads(pickle.dumps(learner))
    assert not hasattr(other, "coef_")
    assert other.norm == Fraction(1, 3)
    x, y = random_data(15)
    assert not hasattr(clone(learner.fit(x, y)), "coef_")
    assert state(pickle.loads(pickle.dumps(learner))) == state(learner)
