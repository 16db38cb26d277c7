"""Perceptron and Winnow classifiers as files: what comes back is what was saved, and nothing else is let in."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from conjunct import PerceptronClassifier, WinnowClassifier
from conjunct.bits import SparseRows
from conjunct.errors import ConjunctError, ModelFileError, SettingError
from conjunct.files import pack_model, unpack_model

MAKERS: dict[str, Callable[..., Any]] = {
    "perceptron": PerceptronClassifier,
    "perceptron, all settings": lambda **more: PerceptronClassifier(
        threshold="1/3", constant=0.5, learning_rate=Fraction(1, 7), thickness=2, **more
    ),
    **{
        variant: lambda variant=variant, **more: WinnowClassifier(variant=variant, **more)
        for variant in ("balanced", "positive", "elimination", "normalised")
    },
    "positive, factors apart": lambda **more: WinnowClassifier(
        variant="positive", promotion=1.5, demotion="5/4", threshold=Fraction(9, 2), thickness=(1, "1/3"), **more
    ),
}
EACH = [
    (name, prediction)
    for name in MAKERS
    for prediction in ("auto", "final", "averaged", *["voted"] * name.startswith("perceptron"))
]
FORMS = ["table", "frame", "numbers", "text", "pairs", "real"]


def random_data(form: str, seed: int, n_classes: int = 2, n_rows: int = 50) -> tuple[Any, Any]:
    """Rows in one of the forms a classifier reads."""
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (n_rows, 5))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 4, n_rows) // 3) % n_classes
    codes[:n_classes] = range(n_classes)
    given: Any = {
        "table": rows,
        "frame": pd.DataFrame(rows, columns=["wet", "größe", "x y", "", "=1"]),
        "real": rows / 4 + random.randint(0, 2, (n_rows, 5)),
    }.get(form)
    if given is None:
        names: list[Any] = [3, -1, 0, 10**30, 7] if form == "numbers" else ["wet", "größe", "", "3", 3]
        given = [{names[k] for k in np.flatnonzero(row)} for row in rows]
    return given, codes


def fitted(name: str, form: str, prediction: str, n_classes: int, seed: int = 1) -> tuple[Any, Any, Any]:
    rows, codes = random_data(form, seed, n_classes)
    settings = {"prediction": prediction, "max_passes": 3, **({"max_size": 2} if form == "pairs" else {})}
    return MAKERS[name](**settings).fit(rows, codes), rows, codes


def can_read(name: str, form: str) -> bool:
    return form != "real" or name.startswith("perceptron")


def assert_alike(one: Any, other: Any, rows: Any) -> None:
    """Every attribute, every update with its score, every answer."""
    assert one.get_params() == other.get_params()
    assert one.__dict__.keys() == other.__dict__.keys()
    assert (one.classes_.tolist(), one.classes_.dtype) == (other.classes_.tolist(), other.classes_.dtype)
    for name in ("prediction_", "stopped_by_", "n_mistakes_", "n_updates_", "n_passes_", "reasons_", "n_features_in_"):
        assert getattr(one, name, None) == getattr(other, name, None)
    assert list(getattr(one, "feature_names_in_", ())) == list(getattr(other, "feature_names_in_", ()))
    assert (one.names_ is None) == (other.names_ is None)
    if one.names_ is not None:
        assert (one.names_.names, one.names_.max_size) == (other.names_.names, other.names_.max_size)
        assert [type(name) for name in one.names_.names] == [type(name) for name in other.names_.names]
    for mine, yours in zip(one.transcripts_, other.transcripts_, strict=True):
        assert list(mine) == list(yours)
        for name in ("learner", "unit", "n_steps", "n_passes", "is_consistent"):
            assert getattr(mine, name) == getattr(yours, name)
    np.testing.assert_array_equal(one.predict(rows), other.predict(rows), strict=True)
    np.testing.assert_array_equal(one.decision_function(rows), other.decision_function(rows), strict=True)


def saved(learner: Any, path: Path) -> bytes:
    learner.save(path)
    return path.read_bytes()


# Round trips


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("name", "prediction"), EACH)
def test_a_saved_model_comes_back_whole(name: str, prediction: str, n_classes: int, form: str, tmp_path: Path) -> None:
    if not can_read(name, form):
        with pytest.raises(ConjunctError):
            fitted(name, form, prediction, n_classes)
        return
    learner, rows, codes = fitted(name, form, prediction, n_classes)
    data = saved(learner, tmp_path / "a.model")
    loaded = type(learner).load(tmp_path / "a.model")
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data
    assert_alike(learner, pickle.loads(pickle.dumps(learner)), rows)
    assert_alike(learner, copy.deepcopy(learner), rows)
    assert_alike(learner, clone(learner).fit(rows, codes), rows)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("name", "prediction"), EACH)
def test_learning_goes_on_after_loading_as_if_undisturbed(
    name: str, prediction: str, n_classes: int, form: str, tmp_path: Path
) -> None:
    if not can_read(name, form):
        return
    rows, codes = random_data(form, 2, n_classes)
    settings = {"prediction": prediction, "class_weight": {0: 3}, **({"max_size": 2} if form == "pairs" else {})}
    learner = MAKERS[name](**settings).partial_fit(rows[:15], codes[:15], classes=range(n_classes))
    learner.save(tmp_path / "a.model")
    loaded = type(learner).load(tmp_path / "a.model")
    for batch in (slice(15, 16), slice(16, 50)):
        learner.partial_fit(rows[batch], codes[batch])
        loaded.partial_fit(rows[batch], codes[batch])
    assert_alike(learner, loaded, rows)
    assert saved(learner, tmp_path / "a.model") == saved(loaded, tmp_path / "b.model")


def test_an_unfitted_estimator_is_pickled_with_its_parameters() -> None:
    for make in MAKERS.values():
        again = pickle.loads(pickle.dumps(make(max_passes=7)))
        assert again.get_params() == make(max_passes=7).get_params()
        assert "classes_" not in again.__dict__


def test_a_model_without_an_update_comes_back(tmp_path: Path) -> None:
    for make in MAKERS.values():
        for rows in ([[0, 0]], [set()], SparseRows.of([set()])):
            learner = make().set_params(thickness=0).partial_fit(rows, [1], classes=[0, 1])
            data = saved(learner, tmp_path / "a.model")
            loaded = type(learner).load(tmp_path / "a.model")
            assert saved(loaded, tmp_path / "a.model") == data
            assert loaded.predict(rows).tolist() == learner.predict(rows).tolist()
    real = PerceptronClassifier().partial_fit([[0.5]], [1], classes=[0, 1])
    assert pickle.loads(pickle.dumps(real)).arithmetic_ == real.arithmetic_ == "float"


def test_parameters_changed_after_the_fit_do_not_change_what_was_learned() -> None:
    rows, codes = random_data("pairs", 3)
    learner = WinnowClassifier(variant="positive", max_size=2, max_passes=2).fit(rows, codes)
    expected = learner.decision_function(rows)
    learner.set_params(variant="balanced", promotion=5, threshold=7, max_size=1, prediction="averaged")
    again = pickle.loads(pickle.dumps(learner))
    for each in (learner, again):
        assert each.get_params() == learner.get_params()
        np.testing.assert_array_equal(each.decision_function(rows), expected)


# What cannot be saved


@pytest.mark.parametrize(
    "name", [(1, 2), None, 2.5, True, frozenset({"a"}), b"x", "\ud800", 10**5000], ids=lambda name: type(name).__name__
)
def test_names_that_are_neither_text_nor_whole_numbers_are_learned_but_not_saved(name: Any, tmp_path: Path) -> None:
    learner = PerceptronClassifier().fit([{name}, {"b"}], [0, 1])
    assert learner.predict([{name}, {"b"}]).tolist() == [0, 1]
    with pytest.raises(ModelFileError, match="no place in a model file"):
        learner.save(tmp_path / "a.model")
    assert list(tmp_path.iterdir()) == []


# Damaged and hostile files


SMALL = WinnowClassifier(variant="positive", promotion=2, demotion=3, max_passes=2).fit([{"a"}, {"b"}], [1, 0])
SMALL_PERCEPTRON = PerceptronClassifier(max_passes=2).fit([[0, 1], [1, 0]], [1, 0])
REAL = PerceptronClassifier(max_passes=3).fit([[0.5, 0], [0, 2], [1, 1]], ["a", "b", "c"])
PAIRS = WinnowClassifier(max_size=2, max_passes=3).fit([{"a", 5}, {"b", "a"}, {5, "b"}], [0, 1, 0])
MODELS = {"winnow": SMALL, "perceptron": SMALL_PERCEPTRON, "real": REAL, "pairs": PAIRS}
FILES: dict[str, bytes] = {name: model.__getstate__()["file"] for name, model in MODELS.items()}


@pytest.mark.parametrize("which", ["winnow", "perceptron"])
def test_every_flip_of_a_bit_is_refused(which: str) -> None:
    kind, changed = type(MODELS[which]), bytearray(FILES[which])
    assert kind._from_bytes(bytes(changed), "a.model").n_mistakes_ == MODELS[which].n_mistakes_
    for bit in range(8 * len(changed)):
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ModelFileError, match=r"^a\.model: "):
            kind._from_bytes(bytes(changed), "a.model")
        changed[bit // 8] ^= 1 << bit % 8
    assert bytes(changed) == FILES[which]


@pytest.mark.parametrize("which", ["winnow", "perceptron"])
def test_every_truncation_and_every_extension_is_refused(which: str) -> None:
    kind, data = type(MODELS[which]), FILES[which]
    for cut in [*(data[:length] for length in range(len(data))), data + b"\0", data + data]:
        with pytest.raises(ModelFileError, match=r"^a\.model: "):
            kind._from_bytes(cut, "a.model")


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(ModelFileError, match="holds a 'winnow-classifier', expected a 'perceptron-classifier'"):
        PerceptronClassifier._from_bytes(FILES["winnow"], "a.model")


def loaded_or_refused(which: str, header: Any, arrays: Any) -> Any:
    """Load a file with a right digest; whatever is wrong with it, the refusal is one line of one kind."""
    try:
        data = pack_model(header, arrays)
    except ModelFileError:
        return None
    try:
        return type(MODELS[which])._from_bytes(data, "a.model")
    except ModelFileError as error:
        message = str(error)
    assert message.startswith("a.model: ")
    assert message.isprintable()
    assert len(message) < 400
    return None


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, entry in inner for place in places_in(entry, (*path, key)))]


def replaced(header: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.copy(header)
    changed[path[0]] = replaced(header[path[0]], path[1:], value)
    return changed


WRONG_VALUES: list[Any] = [
    *(None, True, -1, 0, 2, 10**30, -(10**4000), 0.5, 1e308, "", "x", "\x1b\n" * 300),
    *([], [[]], [1, 0], [-1, 1], [True, 1], {}, {"ratio": [1, 0]}, {"pairs": [1, 2]}, {"tuple": 1}, ["a", "b", "c"]),
]


@pytest.mark.parametrize("which", MODELS)
def test_every_header_field_of_another_value_is_refused_or_makes_a_model_that_works(which: str) -> None:
    file = unpack_model(FILES[which])
    rows: Any = [{"a"}, {"b", "new"}] if MODELS[which].names_ is not None else np.eye(2)
    n_refused = 0
    for place in places_in(file.header):
        for value in WRONG_VALUES:
            model = loaded_or_refused(which, replaced(file.header, place, value), file.arrays)
            if model is None:
                n_refused += 1
                continue
            assert clone(model).get_params() == model.get_params()
            assert model.predict(rows).shape == (2,)
            assert model.__getstate__()["file"]
    assert n_refused > 12 * len(places_in(file.header))


BAD_HEADERS: list[tuple[str, str, Any]] = [
    ("winnow", "params.variant", "x"),
    ("winnow", "params.promotion", 1),
    ("winnow", "params.thickness", [0, 0]),
    ("winnow", "params.thickness", {"tuple": [0, 0, 0]}),
    ("winnow", "learned.learner.variant", "x"),
    ("winnow", "learned.learner.variant", ["positive"]),
    ("winnow", "learned.learner.promotion", [1, 1]),
    ("winnow", "learned.learner.promotion", [2, 0]),
    ("winnow", "learned.learner.threshold", [0, 1]),
    ("winnow", "learned.learner.thickness", [[0, 1]]),
    ("winnow", "learned.learner.thickness", [[0, 1], [-1, 1]]),
    ("winnow", "learned.learner.constant", 1),
    ("winnow", "learned.learner.reasons", []),
    ("winnow", "learned.prediction", "voted"),
    ("winnow", "learned.names", 0),
    ("winnow", "learned.names", None),
    ("winnow", "learned.names", True),
    ("winnow", "learned.names", 2),
    ("winnow", "learned.is_real", True),
    ("winnow", "learned.is_real", 0),
    ("winnow", "learned.n_variables", 1),
    ("winnow", "learned.n_variables", 3),
    ("winnow", "learned.n_variables", True),
    ("winnow", "learned.n_variables", 2.0),
    ("winnow", "learned.n_variables", 2**46),
    ("winnow", "learned.stopped_by", "bored"),
    ("winnow", "learned.stopped_by", "consistent"),
    ("winnow", "learned.unit", [0, 1]),
    ("winnow", "learned.unit", [-1, 1]),
    ("winnow", "learned.runs", []),
    ("winnow", "learned.runs", [[4, 2]]),
    ("winnow", "learned.runs.0", [0, 0, False]),
    ("winnow", "learned.runs.0", [2**62, 2, False]),
    ("winnow", "learned.runs.0", [10**40, 2, False]),
    ("winnow", "learned.runs.0", [4, 5, False]),
    ("winnow", "learned.runs.0", [4, True, False]),
    ("winnow", "learned.runs.0", [4, 2, 0]),
    ("perceptron", "learned.learner.learning_rate", [0, 1]),
    ("perceptron", "learned.learner.thickness", [-1, 1]),
    ("perceptron", "learned.names", 1),
    ("real", "learned.is_real", False),
    ("real", "learned.runs.1", [99, 3, False]),
    ("pairs", "learned.names", 1),
]


@pytest.mark.parametrize(("which", "place", "value"), BAD_HEADERS)
def test_a_header_that_does_not_hold_together_is_refused(which: str, place: str, value: Any) -> None:
    file = unpack_model(FILES[which])
    path = tuple(int(key) if key.isdigit() else key for key in place.split("."))
    assert loaded_or_refused(which, replaced(file.header, path, value), file.arrays) is None


@pytest.mark.parametrize("part", [(), ("params",), ("learned",), ("learned", "classes"), ("learned", "learner")])
@pytest.mark.parametrize("which", MODELS)
def test_missing_and_unknown_keys_are_refused(which: str, part: tuple[str, ...]) -> None:
    file = unpack_model(FILES[which])
    record = file.header
    for key in part:
        record = record[key]
    for key in record:
        fewer = {name: value for name, value in record.items() if name != key}
        assert loaded_or_refused(which, replaced(file.header, part, fewer), file.arrays) is None
    assert loaded_or_refused(which, replaced(file.header, part, record | {"more": 1}), file.arrays) is None


@pytest.mark.parametrize("which", MODELS)
def test_arrays_missing_or_of_another_type_or_shape_are_refused(which: str) -> None:
    file = unpack_model(FILES[which])
    for name, array in file.arrays.items():
        others = {key: value for key, value in file.arrays.items() if key != name}
        assert loaded_or_refused(which, file.header, others) is None
        assert loaded_or_refused(which, file.header, others | {f"{name}x": array}) is None
        assert loaded_or_refused(which, file.header, file.arrays | {"more": array}) is None
        for dtype in ("|u1", "|i1", "<i4", "<i8", "<u8", "<f8"):
            if array.dtype != dtype:
                assert loaded_or_refused(which, file.header, others | {name: array.astype(dtype)}) is None, (
                    name,
                    dtype,
                )
        shapes = [array[None], np.append(array, array[-1:])] if len(array) else [array[None]]
        for shaped in [*shapes, *[array[:-1]] * bool(len(array))]:
            assert loaded_or_refused(which, file.header, others | {name: np.asarray(shaped)}) is None, name


BAD_ARRAYS: list[tuple[str, str, int, Any]] = [
    ("winnow", "0.label", 0, 0),
    ("winnow", "0.label", 0, 2),
    ("winnow", "0.rate", 0, 0),
    ("winnow", "0.rate", 0, -1),
    ("winnow", "0.rate", 0, 2**40),
    ("winnow", "0.rate", 0, 2**62),
    ("perceptron", "0.rate", 0, 2**62),
    ("winnow", "0.step", 0, -1),
    ("winnow", "0.step", -1, 99),
    ("winnow", "0.index", 0, -1),
    ("winnow", "0.is_mistake", 0, 2),
    ("winnow", "0.places", 0, -1),
    ("winnow", "0.places", 0, 2),
    ("winnow", "0.places", 0, 2**31 - 1),
    ("winnow", "0.starts", 0, 1),
    ("winnow", "0.starts", -1, 99),
    ("winnow", "table.lengths", 0, -1),
    ("winnow", "table.lengths", 0, 2),
    ("winnow", "table.is_text", 0, 0),
    ("winnow", "table.is_text", 0, 2),
    ("winnow", "table.text", 0, ord("b")),
    ("winnow", "table.text", 0, 0xFF),
    ("winnow", "variables", 0, 1),
    ("real", "0.values", 0, np.nan),
    ("real", "0.values", 0, np.inf),
    ("pairs", "table.keys", 0, 2**64 - 1),
    ("pairs", "table.keys", -1, 0),
]


@pytest.mark.parametrize(("which", "name", "place", "value"), BAD_ARRAYS)
def test_values_that_do_not_hold_together_are_refused(which: str, name: str, place: int, value: Any) -> None:
    file = unpack_model(FILES[which])
    changed = file.arrays[name].copy()
    changed[place] = value
    assert not np.array_equal(changed, file.arrays[name])
    assert loaded_or_refused(which, file.header, file.arrays | {name: changed}) is None


@pytest.mark.parametrize("spelling", ["+5", "05", " 5", "5_0", "٥", "5.0", "", "x"])
def test_numbers_as_names_have_one_spelling(spelling: str) -> None:
    model = PerceptronClassifier(max_passes=1).fit([{5}, {"b"}], [0, 1])
    file = unpack_model(model.__getstate__()["file"])
    text = spelling.encode()
    arrays = file.arrays | {
        "table.text": np.frombuffer(text + b"b", np.uint8),
        "table.lengths": np.array([len(text), 1], np.int64),
    }
    assert loaded_or_refused("perceptron", file.header, arrays) is None


def test_other_signs_at_any_place_of_any_array_are_refused_or_make_a_model_that_works() -> None:
    for which, model in MODELS.items():
        file, random = unpack_model(FILES[which]), np.random.RandomState(0)
        rows: Any = [{"a"}, {"b", "new"}] if model.names_ is not None else np.eye(2)
        for name, array in file.arrays.items():
            for _ in range(60):
                raw = bytearray(array.tobytes())
                if not raw:
                    continue
                raw[random.randint(len(raw))] = random.randint(256)
                changed = np.frombuffer(bytes(raw), array.dtype).reshape(array.shape)
                loaded = loaded_or_refused(which, file.header, file.arrays | {name: changed})
                if loaded is not None:
                    loaded.partial_fit(rows, model.classes_[:2])
                    with suppress(SettingError):  # where averages pass the range of floats
                        assert loaded.predict(rows).shape == (2,)
