from __future__ import annotations

import copy
import hashlib
import json
import pickle
import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from conjunct import BitMatrix, KernelPerceptronClassifier
from conjunct.errors import ConjunctError, ModelFileError, SettingError
from conjunct.files import pack_model, unpack_model
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions

PREDICTIONS = ["auto", "final", "averaged", "voted"]
NAMES = ["wet", "größe", "x y", "", "=1"]
KERNELS = [
    None,
    Conjunctions(),
    MonotoneConjunctions(max_size=2),
    Conjunctions(max_size=2, costs=[1, "1/2", 0.25]),
    MonotoneConjunctions(costs=Geometric("2/3")),
    Conjunctions().on(["wet", "x y"]) + MonotoneConjunctions().on([1, 3, 4]),
    Conjunctions(max_size=1).on(["größe"]) * MonotoneConjunctions(max_size=2).on(["", "=1"]),
    (Conjunctions().on([0, 1]) + Conjunctions().on([2])) * MonotoneConjunctions(),
]


def random_table(seed: int, n_classes: int = 2) -> tuple[pd.DataFrame, Any]:
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (40, 5))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 4, 40) // 3) % n_classes
    codes[:n_classes] = range(n_classes)
    return pd.DataFrame(rows, columns=NAMES), codes


def assert_alike(one: KernelPerceptronClassifier, other: KernelPerceptronClassifier, rows: Any) -> None:
    """Every attribute, every mistake with its score, every answer."""
    assert one.get_params() == other.get_params()
    assert one.__dict__.keys() == other.__dict__.keys()
    assert (one.classes_.tolist(), one.classes_.dtype) == (other.classes_.tolist(), other.classes_.dtype)
    for name in ("n_features_in_", "prediction_", "stopped_by_", "n_mistakes_", "n_passes_"):
        assert getattr(one, name) == getattr(other, name)
        assert type(getattr(one, name)) is type(getattr(other, name))
    assert list(getattr(one, "feature_names_in_", ())) == list(getattr(other, "feature_names_in_", ()))
    for mine, yours in zip(one.transcripts_, other.transcripts_, strict=True):
        assert list(mine) == list(yours)
        assert mine.rows == yours.rows
        for name in ("kernel", "unit", "n_steps", "n_passes", "is_consistent"):
            assert getattr(mine, name) == getattr(yours, name)
    np.testing.assert_array_equal(one.predict(rows), other.predict(rows), strict=True)
    np.testing.assert_array_equal(one.decision_function(rows), other.decision_function(rows), strict=True)


def saved(learner: KernelPerceptronClassifier, path: Path) -> bytes:
    learner.save(path)
    return path.read_bytes()


# Round trips


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_a_saved_model_comes_back_whole(prediction: str, n_classes: int, kernel: Any, tmp_path: Path) -> None:
    rows, codes = random_table(1, n_classes)
    learner = KernelPerceptronClassifier(kernel, prediction=prediction, max_passes=4, threshold="1/2").fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["no", "yes", "é"]),
        np.array(["no", "yes", "maybe so"], object),
        np.array([False, True]),
        np.array([-5, 7, 2**62]),
        np.array([0, 2**64 - 1], np.uint64),
        np.array([1.0, 2.0, -3.0]),
        np.array([1, 2], ">i2"),
        np.array([1, 2], np.float16),
        np.array(["a", "b"], "<U9"),
    ],
    ids=lambda labels: labels.dtype.str,
)
def test_every_kind_of_label_comes_back(labels: Any, tmp_path: Path) -> None:
    rows, codes = random_table(2, len(labels))
    learner = KernelPerceptronClassifier(max_passes=3).fit(rows, labels[codes])
    data = saved(learner, tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(str(tmp_path / "a.model"))
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data


@pytest.mark.parametrize(
    "settings",
    [
        {"threshold": Fraction(-7, 3), "learning_rate": 0.1},
        {"threshold": Fraction(10**1500, 3), "learning_rate": "1/7"},
        {"class_weight": {0: 2, 1: "1/3", 2: Fraction(1, 5)}, "max_passes": np.int64(3)},
        {"class_weight": {0: 0.5}, "binarize": 0.25},
        {"class_weight": "balanced", "shuffle": True, "random_state": 7},
        {"shuffle": np.True_, "random_state": np.int32(7)},
    ],
    ids=str,
)
def test_parameters_come_back_as_they_were_given(settings: dict[str, Any], tmp_path: Path) -> None:
    rows, codes = random_table(3, 3)
    learner = KernelPerceptronClassifier(**{"max_passes": 3, **settings}).fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data
    assert_alike(learner.fit(rows, codes), loaded.fit(rows, codes), rows)


def test_names_come_back_and_so_does_their_absence(tmp_path: Path) -> None:
    rows, codes = random_table(4)
    KernelPerceptronClassifier(max_passes=2).fit(rows, codes).save(tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert loaded.feature_names_in_.tolist() == NAMES
    with pytest.raises(ValueError, match="dry"):
        loaded.predict(rows.rename(columns={"wet": "dry"}))
    KernelPerceptronClassifier(max_passes=2).fit(rows.to_numpy(), codes).save(tmp_path / "a.model")
    assert not hasattr(KernelPerceptronClassifier.load(tmp_path / "a.model"), "feature_names_in_")


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_learning_goes_on_after_loading_as_if_undisturbed(prediction: str, n_classes: int, tmp_path: Path) -> None:
    rows, codes = random_table(5, n_classes)
    learner = KernelPerceptronClassifier(prediction=prediction, class_weight={0: "1/2"})
    learner.partial_fit(rows[:15], codes[:15], classes=range(n_classes)).save(tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    for batch in (slice(15, 16), slice(16, 40)):
        learner.partial_fit(rows[batch], codes[batch])
        loaded.partial_fit(rows[batch], codes[batch])
    assert_alike(learner, loaded, rows)
    assert saved(learner, tmp_path / "a.model") == saved(loaded, tmp_path / "b.model")


def test_a_model_without_a_mistake_comes_back(tmp_path: Path) -> None:
    learner = KernelPerceptronClassifier().partial_fit(np.zeros((1, 70), int), [1], classes=[0, 1])
    learner.save(tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert_alike(learner, loaded, np.ones((1, 70), int))
    assert loaded.n_mistakes_ == 0


def test_parameters_changed_after_the_fit_do_not_change_what_was_learned(tmp_path: Path) -> None:
    rows, codes = random_table(6)
    learner = KernelPerceptronClassifier(MonotoneConjunctions(max_size=1), max_passes=3).fit(rows, codes)
    expected = learner.decision_function(rows)
    learner.set_params(kernel=Conjunctions(), threshold=50, learning_rate=9, prediction="voted")
    learner.save(tmp_path / "a.model")
    for back in (KernelPerceptronClassifier.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(learner))):
        assert back.get_params() == learner.get_params()
        assert back.prediction_ == "averaged"
        np.testing.assert_array_equal(back.decision_function(rows), expected)


# Pickle


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy])
def test_pickles_and_copies_carry_the_bytes_of_the_file(prediction: str, copied: Any, tmp_path: Path) -> None:
    rows, codes = random_table(7, 3)
    learner = KernelPerceptronClassifier(prediction=prediction, max_passes=3).fit(rows, codes)
    assert learner.__getstate__()["file"] == saved(learner, tmp_path / "a.model")
    again = copied(learner)
    assert again is not learner
    assert_alike(learner, again, rows)


def test_an_unfitted_estimator_is_pickled_with_its_parameters() -> None:
    learner = KernelPerceptronClassifier(Conjunctions(max_size=2), threshold="1/3")
    again = pickle.loads(pickle.dumps(learner))
    assert again.get_params() == learner.get_params()
    assert again.__dict__.keys() == learner.__dict__.keys()


def test_a_random_state_object_is_pickled_but_not_saved(tmp_path: Path) -> None:
    rows, codes = random_table(8)
    learner = KernelPerceptronClassifier(shuffle=True, random_state=np.random.RandomState(3), max_passes=2)
    learner.fit(rows, codes)
    again = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(again.predict(rows), learner.predict(rows))
    assert again.random_state.randint(1 << 31) == learner.random_state.randint(1 << 31)
    with pytest.raises(ModelFileError, match="random_state=RandomState"):
        learner.save(tmp_path / "a.model")
    assert list(tmp_path.iterdir()) == []


def test_a_pickle_with_a_changed_file_is_refused() -> None:
    rows, codes = random_table(9)
    state = KernelPerceptronClassifier(max_passes=2).fit(rows, codes).__getstate__()
    state["file"] = state["file"][:-1] + bytes([state["file"][-1] ^ 1])
    with pytest.raises(ModelFileError, match=r"^pickled model: "):
        KernelPerceptronClassifier().__setstate__(state)


# What cannot be saved


def test_saving_before_fitting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        KernelPerceptronClassifier().save(tmp_path / "a.model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"max_passes": 0}, "max_passes=0"),
        ({"kernel": "x"}, "kernel='x'"),
        ({"class_weight": {5: 1}}, "class_weight names 5"),
        ({"threshold": Fraction(1, 10**6000)}, "at most 5000 digits"),
        ({"random_state": [1, 2]}, "random_state="),
    ],
)
def test_what_would_not_load_is_not_saved_and_the_old_file_stays(
    settings: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    rows, codes = random_table(10)
    learner = KernelPerceptronClassifier(max_passes=2).fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")
    with pytest.raises(ConjunctError, match=reason):
        learner.set_params(**settings).save(tmp_path / "a.model")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [data]


def test_labels_that_are_neither_text_nor_numbers_are_not_saved(tmp_path: Path) -> None:
    rows, codes = random_table(11)
    days = np.array(["2001-01-01", "2002-02-02"], "datetime64[D]")[codes]
    learner = KernelPerceptronClassifier(max_passes=2).fit(rows, days)
    assert learner.predict(rows).dtype == days.dtype
    with pytest.raises(ModelFileError, match="labels of type date have no place in a model file"):
        learner.save(tmp_path / "a.model")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, codes = random_table(12)
    learner = KernelPerceptronClassifier(max_passes=2).fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", full)
    with pytest.raises(OSError, match=r"a\.model"):
        learner.fit(rows[:20], codes[:20]).save(tmp_path / "a.model")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [data]


# Damaged and hostile files


SMALL = KernelPerceptronClassifier(MonotoneConjunctions(max_size=2), class_weight={0: 1}).fit(
    BitMatrix.of(["00", "01", "10", "11"], ["a", "b"]), [0, 1, 1, 0]
)
SMALL_FILE: bytes = SMALL.__getstate__()["file"]
SEVERAL = KernelPerceptronClassifier(
    Conjunctions(max_size=1) * MonotoneConjunctions(), prediction="voted", max_passes=2
)
SEVERAL_FILE: bytes = SEVERAL.fit([[0, 0, 1], [0, 1, 0], [1, 0, 0]], ["a", "b", "c"]).__getstate__()["file"]


def refusal_of(data: bytes, path: Path) -> str:
    """Return the message, after checking that it is one short line which names the file."""
    path.write_bytes(data)
    with pytest.raises(ModelFileError) as caught:
        KernelPerceptronClassifier.load(path)
    message = str(caught.value)
    assert type(caught.value) is ModelFileError
    assert message.startswith(f"{path}: ")
    assert message.isprintable()
    assert len(message) < len(str(path)) + 400
    return message.removeprefix(f"{path}: ")


def test_every_flip_of_a_bit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(SMALL_FILE)
    assert KernelPerceptronClassifier.load(path).predict(BitMatrix.of(["10", "11"])).tolist() == [1, 0]
    changed = bytearray(SMALL_FILE)
    for bit in range(8 * len(changed)):
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ModelFileError, match=r"^a\.model: "):
            KernelPerceptronClassifier._from_bytes(bytes(changed), "a.model")
        changed[bit // 8] ^= 1 << bit % 8
    assert bytes(changed) == SMALL_FILE


def test_every_truncation_and_every_extension_is_refused(tmp_path: Path) -> None:
    for length in range(len(SMALL_FILE)):
        with pytest.raises(ModelFileError, match=r"^a\.model: "):
            KernelPerceptronClassifier._from_bytes(SMALL_FILE[:length], "a.model")
    for extra in (b"\0", b"\n", SMALL_FILE):
        refusal_of(SMALL_FILE + extra, tmp_path / "a.model")
    refusal_of(b"", tmp_path / "a.model")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    reason = refusal_of(pack_model({"kind": "w\x1b[2J", "params": {}, "learned": {}}, {}), tmp_path / "a.model")
    assert "expected a 'kernel-perceptron-classifier'" in reason
    assert "\\x1b" in reason


def refusal_of_source(data: bytes, source: str) -> str:
    with pytest.raises(ModelFileError) as caught:
        KernelPerceptronClassifier._from_bytes(data, source)
    return str(caught.value)


def test_a_path_with_control_characters_stays_on_one_line() -> None:
    data = pack_model({"kind": "x", "params": {}, "learned": {}}, {})
    assert refusal_of_source(data, "a\n  b\x1b").startswith("a\\n  b\\x1b: the model does not hold together")


WRONG_VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    2,
    10**30,
    -(10**4000),
    0.5,
    1e308,
    "",
    "x",
    "\x1b\n" * 300,
    [],
    [[]],
    [1, 0],
    [-1, 1],
    [True, 1],
    {},
    {"kind": "conjunctions"},
    {"ratio": [1, 0]},
    {"pairs": [[{"pairs": []}, 1]]},
    {"pairs": [1, 2]},
    {"kernel": {"kind": "sum", "parts": []}},
    ["a", "b", "c", "d"],
]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every value of a header, inner ones included."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, entry in inner for place in places_in(entry, (*path, key)))]


def replaced(header: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.copy(header)
    changed[path[0]] = replaced(header[path[0]], path[1:], value)
    return changed


def value_at(header: Any, path: tuple[Any, ...]) -> Any:
    return value_at(header[path[0]], path[1:]) if path else header


def loaded_or_refused(header: Any, arrays: Any) -> KernelPerceptronClassifier | None:
    """Load a file with a right digest; whatever is wrong with it, the refusal is one line of one kind."""
    try:
        data = pack_model(header, arrays)
    except ModelFileError:
        return None
    try:
        return KernelPerceptronClassifier._from_bytes(data, "a.model")
    except ModelFileError as error:
        message = str(error)
    assert message.startswith("a.model: ")
    assert message.isprintable()
    assert len(message) < 400
    return None


@pytest.mark.parametrize("data", [SMALL_FILE, SEVERAL_FILE], ids=["two classes", "three classes"])
def test_every_header_field_of_another_value_is_refused_or_makes_a_model_that_works(data: bytes) -> None:
    file = unpack_model(data)
    n_variables = len(file.arrays["names.lengths"]) or 3
    rows = np.eye(n_variables, dtype=int)
    n_refused = 0
    for place in places_in(file.header):
        for value in WRONG_VALUES:
            model = loaded_or_refused(replaced(file.header, place, value), file.arrays)
            if model is None:
                n_refused += 1
                continue
            # What is accepted is a setting that the constructor takes too, or a name or a count no rule fixes.
            rebuilt = KernelPerceptronClassifier(**model.get_params(deep=False))
            assert rebuilt.get_params() == model.get_params()
            assert model.predict(BitMatrix.of(rows)).shape == (n_variables,)
    assert n_refused > 15 * len(places_in(file.header))


HUGE = 2**46
BAD_HEADERS: list[tuple[str, Any]] = [
    ("kind", "kernel-winnow-classifier"),
    ("params.max_passes", 0),
    ("params.max_passes", "100"),
    ("params.max_passes", True),
    ("params.prediction", "x"),
    ("params.prediction", None),
    ("params.shuffle", 1),
    ("params.random_state", "x"),
    ("params.random_state", [1, 2]),
    ("params.binarize", "0"),
    ("params.binarize", True),
    ("params.threshold", None),
    ("params.threshold", {"ratio": ["1", 2]}),
    ("params.learning_rate", 0),
    ("params.learning_rate", [1, 1]),
    ("params.class_weight", "equal"),
    ("params.class_weight", {"pairs": [[7, 1]]}),
    ("params.class_weight", {"pairs": [[0]]}),
    ("params.class_weight", {"pairs": [[[0], 1]]}),
    ("params.class_weight", {"other": []}),
    ("params.kernel", "conjunctions"),
    ("params.kernel", {"kernel": {"kind": "python"}}),
    ("params.kernel", {"kernel": None}),
    ("learned.classes", [0, 1]),
    ("learned.classes.values", [1, 0]),
    ("learned.classes.values", [0, 0]),
    ("learned.classes.values", [0]),
    ("learned.classes.values", [0, 1, 2]),
    ("learned.classes.values", [0, "1"]),
    ("learned.classes.values", [False, True]),
    ("learned.classes.values", [0.0, 1.0]),
    ("learned.classes.values", [0, 2**63]),
    ("learned.classes.values", [0, [1]]),
    *(
        ("learned.classes.dtype", name)
        for name in (
            "|b1",
            "|u1x",
            "<U1",
            "|O",
            "<M8[D]",
            "(1",
            "O,O",
            "<i8,<i8",
            "(2,)<i8",
            "a",
            "i8",
            "|V8",
            "<f1",
            8,
        )
    ),
    ("learned.classes", {"dtype": "<f2", "values": [0.0, 1e300]}),
    ("learned.classes", {"dtype": "<U999999", "values": [f"{number:06}" for number in range(9000)]}),
    ("learned.classes", {"dtype": "<U1", "values": ["a", "bc"]}),
    ("learned.kernel", None),
    ("learned.kernel.kind", "python"),
    ("learned.kernel.max_size", 0),
    ("learned.kernel.costs", [1, 2]),
    ("learned.kernel.costs", {"eps": "0"}),
    ("learned.kernel", {"kind": "on-columns", "columns": [5], "kernel": {"costs": None, "kind": "conjunctions"}}),
    ("learned.n_variables", 1),
    ("learned.n_variables", 3),
    ("learned.n_variables", 65),
    ("learned.n_variables", 0),
    ("learned.n_variables", -2),
    ("learned.n_variables", HUGE),
    ("learned.n_variables", 2.0),
    ("learned.prediction", "auto"),
    ("learned.prediction", ["final"]),
    ("learned.stopped_by", "max_passes"),
    ("learned.stopped_by", "bored"),
    ("learned.stopped_by", ["consistent"]),
    ("learned.threshold", "0"),
    ("learned.threshold", [0, 0]),
    ("learned.threshold", [0, 1, 1]),
    ("learned.threshold", [0.0, 1]),
    ("learned.threshold", [False, True]),
    ("learned.unit", [0, 1]),
    ("learned.unit", [-1, 1]),
    ("learned.unit", 1),
    ("learned.runs", []),
    ("learned.runs", {}),
    ("learned.runs", 1),
    ("learned.runs", [1]),
    ("learned.runs.0.n_steps", 0),
    ("learned.runs.0.n_steps", 7),
    ("learned.runs.0.n_steps", 2**62),
    ("learned.runs.0.n_steps", 2**63),
    ("learned.runs.0.n_steps", 10**40),
    ("learned.runs.0.n_steps", 32.0),
    ("learned.runs.0.n_passes", 0),
    ("learned.runs.0.n_passes", 33),
    ("learned.runs.0.n_passes", True),
    ("learned.runs.0.is_consistent", False),
    ("learned.runs.0.is_consistent", 1),
]


@pytest.mark.parametrize(("place", "value"), BAD_HEADERS, ids=lambda value: str(value)[:40])
def test_a_header_that_does_not_hold_together_is_refused(place: str, value: Any, tmp_path: Path) -> None:
    file = unpack_model(SMALL_FILE)
    path = tuple(int(key) if key.isdigit() else key for key in place.split("."))
    assert json.dumps(value_at(file.header, path)) != json.dumps(value)
    refusal_of(pack_model(replaced(file.header, path, value), file.arrays), tmp_path / "a.model")


@pytest.mark.parametrize(
    "part", [(), ("params",), ("learned",), ("learned", "classes"), ("learned", "runs", 0)], ids=str
)
def test_missing_and_unknown_keys_are_refused(part: tuple[Any, ...], tmp_path: Path) -> None:
    file = unpack_model(SMALL_FILE)
    record = value_at(file.header, part)
    for key in record:
        fewer = {name: value for name, value in record.items() if name != key}
        refusal_of(pack_model(replaced(file.header, part, fewer), file.arrays), tmp_path / "a.model")
    more = record | {"more": 1}
    refusal_of(pack_model(replaced(file.header, part, more), file.arrays), tmp_path / "a.model")


def put(place: Any, value: Any) -> Callable[[Any], Any]:
    def change(array: Any) -> Any:
        changed = array.copy()
        changed[place] = value
        return changed

    return change


BAD_ARRAYS: list[tuple[str, str, Callable[[Any], Any]]] = [
    ("slot", "before the first row", put(0, -1)),
    ("slot", "past the last row", put(-1, 99)),
    ("slot", "a row not in the order of its first mistake", put(0, 1)),
    ("label", "zero", put(0, 0)),
    ("label", "two", put(0, 2)),
    ("rate", "zero", put(0, 0)),
    ("rate", "negative", put(0, -1)),
    ("rate", "past the limit", put(0, 2**62)),
    ("step", "negative", put(0, -1)),
    ("step", "twice the same", lambda array: put(1, array[0])(array)),
    ("step", "falling", lambda array: array[::-1]),
    ("step", "past the last", put(-1, 10**6)),
    ("index", "negative", put(-1, -1)),
    ("rows", "tail bits", put((0, 0), 4)),
    ("rows", "twice the same", lambda array: put(0, array[1])(array)),
    ("rows", "one too many", lambda array: np.vstack([array, [[3]] if 3 not in array else [[0]]])),
    ("rows", "one too few", lambda array: array[:-1]),
    ("rows", "a word too many", lambda array: np.hstack([array, array * 0])),
    ("rows", "none, of a huge width", lambda array: np.empty((0, HUGE // 64), np.uint64)),
]


@pytest.mark.parametrize(("name", "what", "change"), BAD_ARRAYS, ids=lambda value: value if type(value) is str else "")
def test_values_that_do_not_hold_together_are_refused(
    name: str, what: str, change: Callable[[Any], Any], tmp_path: Path
) -> None:
    file = unpack_model(SMALL_FILE)
    changed = np.ascontiguousarray(change(file.arrays[f"0.{name}"]))
    arrays = file.arrays | {f"0.{name}": changed.astype(file.arrays[f"0.{name}"].dtype)}
    assert not np.array_equal(arrays[f"0.{name}"], file.arrays[f"0.{name}"])
    refusal_of(pack_model(file.header, arrays), tmp_path / "a.model")


@pytest.mark.parametrize("name", sorted(unpack_model(SMALL_FILE).arrays))
def test_arrays_missing_or_of_another_type_or_shape_are_refused(name: str, tmp_path: Path) -> None:
    file = unpack_model(SMALL_FILE)
    array = file.arrays[name]
    others = {key: value for key, value in file.arrays.items() if key != name}
    refusal_of(pack_model(file.header, others), tmp_path / "a.model")
    refusal_of(pack_model(file.header, others | {f"{name}x": array}), tmp_path / "a.model")
    refusal_of(pack_model(file.header, others | {name: array, "more": array}), tmp_path / "a.model")
    for dtype in ("|u1", "|i1", "<i4", "<i8", "<u4", "<u8", "<f8"):
        if array.dtype != dtype:
            refusal_of(pack_model(file.header, others | {name: array.astype(dtype)}), tmp_path / "a.model")
    for shaped in (array[:-1], np.concatenate([array, array[-1:]]), array[None], array[0], array.reshape(-1, 1, 1)):
        refusal_of(pack_model(file.header, others | {name: np.asarray(shaped)}), tmp_path / "a.model")


@pytest.mark.parametrize(
    ("lengths", "text"),
    [([-1, 3], b"ab"), ([1, 2], b"ab"), ([1, 1], b"a\xff"), ([1, 1], b"aa"), ([2], b"ab"), ([2**62, 2**62], b"ab")],
    ids=str,
)
def test_names_that_are_no_names_are_refused(lengths: list[int], text: bytes, tmp_path: Path) -> None:
    file = unpack_model(SMALL_FILE)
    names = {"names.lengths": np.array(lengths, np.int64), "names.text": np.frombuffer(text, np.uint8)}
    refusal_of(pack_model(file.header, file.arrays | names), tmp_path / "a.model")


def test_other_ones_than_those_of_the_variables_are_refused(tmp_path: Path) -> None:
    file = unpack_model(SMALL_FILE)
    for ones in ([1], [7], [0], [2**64 - 1], [3, 0]):
        arrays = file.arrays | {"variables": np.array(ones, np.uint64)}
        refusal_of(pack_model(file.header, arrays), tmp_path / "a.model")


def test_a_small_file_of_a_huge_width_takes_neither_time_nor_memory(tmp_path: Path) -> None:
    empty = KernelPerceptronClassifier().partial_fit(np.zeros((1, 70), int), [1], classes=[0, 1])
    file = unpack_model(empty.__getstate__()["file"])
    for n_variables in (10**7, HUGE, 2**62):
        rows = np.empty((0, n_variables // 64 + 1), np.uint64)
        header = replaced(file.header, ("learned", "n_variables"), n_variables)
        reason = refusal_of(pack_model(header, file.arrays | {"0.rows": rows}), tmp_path / "a.model")
        assert "the number of variables is not that of its arrays" in reason


def test_runs_of_different_lengths_are_refused(tmp_path: Path) -> None:
    file = unpack_model(SEVERAL_FILE)
    header = replaced(file.header, ("learned", "runs", 1, "n_steps"), file.header["learned"]["runs"][1]["n_steps"] + 1)
    assert "different lengths" in refusal_of(pack_model(header, file.arrays), tmp_path / "a.model")


def test_an_unknown_version_is_refused_and_a_newer_minor_one_is_read() -> None:
    def of_version(major: int, minor: int) -> bytes:
        body = SMALL_FILE[:8] + struct.pack("<HH", major, minor) + SMALL_FILE[12:-32]
        return body + hashlib.sha256(body).digest()

    assert "model format 2.0 is unknown" in refusal_of_source(of_version(2, 0), "a.model")
    assert KernelPerceptronClassifier._from_bytes(of_version(1, 9), "a.model").n_mistakes_ == SMALL.n_mistakes_


def test_the_header_holds_data_only() -> None:
    length = struct.unpack_from("<I", SMALL_FILE, 12)[0]
    header = json.loads(SMALL_FILE[16 : 16 + length])
    assert header["content"].keys() == {"kind", "params", "learned"}
    assert "Classifier" not in json.dumps(header)
    with pytest.raises(SettingError):
        KernelPerceptronClassifier(kernel=header["content"]["kind"]).fit([[0], [1]], [0, 1])
