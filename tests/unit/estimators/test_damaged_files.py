"""Model files that were damaged or made up: every estimator refuses them in one line, or has a model that works."""

from __future__ import annotations

import copy
import hashlib
import json
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import conjunct
from conjunct import (
    BitMatrix,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from conjunct.errors import ModelFileError, SettingError
from conjunct.files import pack_model, unpack_model
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from parts import case, parts

MODELS: dict[str, Any] = {
    "kernel": KernelPerceptronClassifier(
        MonotoneConjunctions(max_size=2), class_weight={0: 1}, keep_transcript=True
    ).fit(BitMatrix.of(["00", "01", "10", "11"], ["a", "b"]), [0, 1, 1, 0]),
    "kernel, bare": KernelPerceptronClassifier(MonotoneConjunctions(max_size=2)).fit([[0, 0], [0, 1]], [0, 1]),
    "three classes": KernelPerceptronClassifier(
        Conjunctions(max_size=1) * MonotoneConjunctions(), prediction="voted", max_passes=2
    ).fit([[0, 0, 1], [0, 1, 0], [1, 0, 0]], ["a", "b", "c"]),
    "winnow": WinnowClassifier(variant="positive", promotion=2, demotion=3, max_passes=2, keep_transcript=True).fit(
        [{"a"}, {"b"}], [1, 0]
    ),
    "perceptron": PerceptronClassifier(max_passes=2).fit([[0, 1], [1, 0]], [1, 0]),
    "real": PerceptronClassifier(max_passes=3, keep_transcript=True).fit([[0.5, 0], [0, 2], [1, 1]], ["a", "b", "c"]),
    "pairs": WinnowClassifier(max_size=2, max_passes=3).fit([{"a", 5}, {"b", "a"}, {5, "b"}], [0, 1, 0]),
    "margin": ConjunctionSVC(MonotoneConjunctions(max_size=2), "1/3", class_weight={0: 2}).fit(
        BitMatrix.of(["00", "01", "10", "11"], ["a", "b"]), [0, 1, 1, 0]
    ),
    "margins": ConjunctionSVC(Conjunctions(max_size=2), solver="perceptron").fit(
        [[0, 0], [0, 1], [1, 0]], ["a", "b", "c"]
    ),
    "votes": ConjunctionSVC(solver="margin", multiclass="ovo").fit([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"]),
    "search": ConjunctionSVCCV(max_sizes=(1, 2), lams=(1, "1/2"), cv=2).fit(
        [[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], [0, 1, 0, 1, 1]
    ),
    "masks": MaskPerceptronClassifier(3, class_weight={0: 2}).fit(
        BitMatrix.of(["00", "01", "10", "11"], ["a", "b"]), [0, 1, 1, 0]
    ),
    "masks of classes": MaskPerceptronClassifier(3, lam="1/3").fit([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"]),
    "gradient": ExponentiatedGradientRegressor(max_passes=3).fit([[0.5, 0], [0, 2], [1, 1]], [1, 0, 2]),
}
FILES: dict[str, bytes] = {which: model.__getstate__()["file"] for which, model in MODELS.items()}
ON_LINE = [which for which, model in MODELS.items() if hasattr(model, "partial_fit") and which != "gradient"]
CLASSIFIERS = [which for which in MODELS if which != "gradient"]


def rows_for(which: str) -> Any:
    """Rows to predict, two or three."""
    if which in ("winnow", "pairs"):
        return [{"a"}, {"b", "new"}]
    return BitMatrix.of(np.eye(3 if which == "three classes" else 2, dtype=int))


def checked(error: ModelFileError, source: str = "a.model") -> str:
    """Return the message, after checking that it is one short line which names the file."""
    message = str(error)
    assert type(error) is ModelFileError
    assert message.startswith(f"{source}: ")
    assert message.isprintable()
    assert len(message) < len(source) + 400
    return message.removeprefix(f"{source}: ")


def refusal_of(which: str, data: bytes, source: str = "a.model") -> str:
    with pytest.raises(ModelFileError) as caught:
        type(MODELS[which])._from_bytes(data, source)
    return checked(caught.value, source)


def loaded_or_refused(which: str, header: Any, arrays: Any) -> Any:
    """Load a file with a right digest; whatever is wrong with it, the refusal is one line of one kind."""
    try:
        data = pack_model(header, arrays)
    except ModelFileError:
        return None
    try:
        return type(MODELS[which])._from_bytes(data, "a.model")
    except ModelFileError as error:
        checked(error)
    return None


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


# Bytes


@pytest.mark.parametrize("which", ["kernel", "winnow", "perceptron", "gradient", "margin", "search"])
def test_every_flip_of_a_bit_is_refused(which: str) -> None:
    model, changed = MODELS[which], bytearray(FILES[which])
    loaded = type(model)._from_bytes(bytes(changed), "a.model")
    assert loaded.__getstate__()["file"] == FILES[which]
    assert loaded.predict(rows_for(which)).tolist() == model.predict(rows_for(which)).tolist()
    for bit in range(8 * len(changed)):
        changed[bit // 8] ^= 1 << bit % 8
        refusal_of(which, bytes(changed))
        changed[bit // 8] ^= 1 << bit % 8
    assert bytes(changed) == FILES[which]


@pytest.mark.parametrize("which", ["kernel", "winnow", "perceptron", "gradient", "margin", "search"])
def test_every_truncation_and_every_extension_is_refused(which: str) -> None:
    data = FILES[which]
    for cut in [*(data[:length] for length in range(len(data))), data + b"\0", data + b"\n", data + data]:
        refusal_of(which, cut)


@pytest.mark.parametrize("which", MODELS)
def test_a_refusal_names_the_path(which: str, tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(FILES[which][:-1])
    for load in (type(MODELS[which]).load, conjunct.load):
        with pytest.raises(ModelFileError) as caught:
            load(path)
        checked(caught.value, str(path))


@pytest.mark.parametrize("which", MODELS)
def test_a_file_of_another_kind_is_refused(which: str) -> None:
    expected = f"expected a '{MODELS[which].file_kind}'"
    reason = refusal_of(which, pack_model({"kind": "w\x1b[2J", "params": {}, "learned": {}}, {}))
    assert expected in reason
    assert "\\x1b" in reason
    for model, data in zip(MODELS.values(), FILES.values(), strict=True):
        if type(model) is not type(MODELS[which]):
            assert f"holds a '{model.file_kind}', {expected}" in refusal_of(which, data)


def test_a_path_with_control_characters_stays_on_one_line() -> None:
    data = pack_model({"kind": "x", "params": {}, "learned": {}}, {})
    with pytest.raises(ModelFileError) as caught:
        KernelPerceptronClassifier._from_bytes(data, "a\n  b\x1b")
    assert str(caught.value).startswith("a\\n  b\\x1b: the model does not hold together")


def test_an_unknown_version_is_refused_and_a_newer_minor_one_is_read() -> None:
    def of_version(major: int, minor: int) -> bytes:
        body = FILES["kernel"][:8] + struct.pack("<HH", major, minor) + FILES["kernel"][12:-32]
        return body + hashlib.sha256(body).digest()

    assert "model format 2.0 is unknown" in refusal_of("kernel", of_version(2, 0))
    loaded = KernelPerceptronClassifier._from_bytes(of_version(1, 9), "a.model")
    assert loaded.n_mistakes_ == MODELS["kernel"].n_mistakes_


# Headers


@pytest.mark.parametrize("which", MODELS)
def test_the_header_holds_data_only(which: str) -> None:
    length = struct.unpack_from("<I", FILES[which], 12)[0]
    header = json.loads(FILES[which][16 : 16 + length])
    assert header["content"].keys() == {"kind", "params", "learned"}
    assert not any(word in json.dumps(header) for word in ("Classifier", "Regressor"))
    with pytest.raises(SettingError):
        KernelPerceptronClassifier(kernel=header["content"]["kind"]).fit([[0], [1]], [0, 1])


WRONG_VALUES: list[Any] = [
    *(None, True, -1, 0, 2, 10**30, -(10**4000), 0.5, 1e308, "", "x", "\x1b\n" * 300),
    *([], [[]], [1, 0], [-1, 1], [True, 1], ["a", "b", "c"], ["a", "b", "c", "d"], {}, {"kind": "conjunctions"}),
    *({"ratio": [1, 0]}, {"pairs": [1, 2]}, {"pairs": [[{"pairs": []}, 1]]}, {"tuple": 1}),
    {"kernel": {"kind": "sum", "parts": []}},
]


@pytest.mark.parametrize("part", parts(4))
@pytest.mark.parametrize("which", MODELS)
def test_every_header_field_of_another_value_is_refused_or_makes_a_model_that_works(which: str, part: int) -> None:
    file, rows, n_refused = unpack_model(FILES[which]), rows_for(which), 0
    for number, place in enumerate(places_in(file.header)):
        for value in WRONG_VALUES[(number + part) % 4 :: 4]:
            model = loaded_or_refused(which, replaced(file.header, place, value), file.arrays)
            if model is None:
                n_refused += 1
                continue
            # What is accepted is a setting that the constructor takes too, or a name or a count no rule fixes.
            assert clone(model).get_params() == model.get_params()
            assert model.predict(rows).shape == (len(rows),)
            assert model.__getstate__()["file"]
    assert n_refused > 5 * len(places_in(file.header))


HUGE = 2**46
BAD_HEADERS: dict[str, list[tuple[str, Any]]] = {
    "kernel": [
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
        *(("learned.classes.dtype", name) for name in ("|b1", "|u1x", "<U1", "|O", "<M8[D]", "(1", "O,O")),
        *(("learned.classes.dtype", name) for name in ("<i8,<i8", "(2,)<i8", "a", "i8", "|V8", "<f1", 8)),
        ("learned.classes", {"dtype": "<f2", "values": [0.0, 1e300]}),
        ("learned.classes", {"dtype": "<U999999", "values": [f"{number:06}" for number in range(9000)]}),
        ("learned.classes", {"dtype": "<U1", "values": ["a", "bc"]}),
        ("learned.learner.kernel", None),
        ("learned.learner.kernel.kind", "python"),
        ("learned.learner.kernel.max_size", 0),
        ("learned.learner.kernel.costs", [1, 2]),
        ("learned.learner.kernel.costs", {"eps": "0"}),
        (
            "learned.learner.kernel",
            {"kind": "on-columns", "columns": [5], "kernel": {"costs": None, "kind": "conjunctions"}},
        ),
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
        ("learned.learner.threshold", "0"),
        ("learned.learner.threshold", [0, 0]),
        ("learned.learner.threshold", [0, 1, 1]),
        ("learned.learner.threshold", [0.0, 1]),
        ("learned.learner.threshold", [False, True]),
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
        ("learned.runs.0.n_passes", 999),
        ("learned.runs.0.n_passes", True),
        ("learned.runs.0.is_consistent", False),
        ("learned.runs.0.is_consistent", 1),
        ("learned.runs.0.n_updates", 3),
        ("learned.runs.0.n_rates", 10**9),
        ("learned.runs.0.n_rates", 2**62),
        ("learned.runs.0.n_rate_steps", -1),
        ("learned.runs.0.n_rate_steps", 10**9),
        ("learned.averages", 1),
        ("learned.keeps_updates", False),
        ("learned.is_real", True),
        ("learned.max_size", 1),
        ("learned.reasons", {"threshold": 1}),
    ],
    "kernel, bare": [
        ("learned.keeps_updates", True),
        ("learned.averages", False),
        ("learned.runs.0.n_updates", 0),
        ("learned.runs.0.n_rates", 0),
    ],
    "three classes": [
        ("learned.keeps_updates", False),
    ],
    "winnow": [
        ("params.variant", "x"),
        ("params.promotion", 1),
        ("params.thickness", [0, 0]),
        ("params.thickness", {"tuple": [0, 0, 0]}),
        ("learned.learner.variant", "x"),
        ("learned.learner.variant", ["positive"]),
        ("learned.learner.promotion", [1, 1]),
        ("learned.learner.promotion", [2, 0]),
        ("learned.learner.threshold", [0, 1]),
        ("learned.learner.thickness", [[0, 1]]),
        ("learned.learner.thickness", [[0, 1], [-1, 1]]),
        ("learned.learner.constant", 1),
        ("learned.reasons", []),
        ("learned.prediction", "voted"),
        ("learned.averages", False),
        ("learned.max_size", 0),
        ("learned.max_size", None),
        ("learned.max_size", True),
        ("learned.max_size", 2),
        ("learned.is_real", True),
        ("learned.is_real", 0),
        ("learned.n_variables", 1),
        ("learned.n_variables", 3),
        ("learned.n_variables", True),
        ("learned.n_variables", 2.0),
        ("learned.n_variables", HUGE),
        ("learned.stopped_by", "bored"),
        ("learned.stopped_by", "consistent"),
        ("learned.unit", [0, 1]),
        ("learned.unit", [-1, 1]),
        ("learned.runs", []),
        ("learned.runs", [{"n_steps": 4}]),
        ("learned.runs.0.n_steps", 0),
        ("learned.runs.0.n_steps", 2**62),
        ("learned.runs.0.n_steps", 10**40),
        ("learned.runs.0.n_passes", 5),
        ("learned.runs.0.n_passes", True),
        ("learned.runs.0.n_updates", 1),
        ("learned.runs.0.n_mistakes", 1),
        ("learned.runs.0.n_rates", 2**31),
        ("learned.runs.0.is_consistent", 0),
    ],
    "perceptron": [
        ("learned.learner.learning_rate", [0, 1]),
        ("learned.learner.thickness", [-1, 1]),
        ("learned.max_size", 1),
        ("learned.runs.0.n_rates", 1),
        ("learned.runs.0.n_rates", 2**61),
        ("learned.keeps_updates", True),
    ],
    "real": [
        ("learned.is_real", False),
        ("learned.runs.1.n_steps", 99),
    ],
    "pairs": [
        ("learned.max_size", 1),
    ],
    "gradient": [
        ("learned.rate", 0.0),
        ("learned.rate", 1),
        ("learned.norm", -1.0),
        ("learned.is_signed", 1),
        ("learned.is_signed", False),
        ("learned.n_variables", 1),
        ("learned.n_variables", 7),
        ("learned.n_steps", -1),
        ("learned.n_steps", 0),
        ("learned.n_averaged", 1.5),
        ("learned.n_averaged", 10**6),
        ("learned.n_averaged", 1),
        ("learned.n_passes", 0),
        ("learned.loss", -5.0),
        ("learned.n_passes", True),
        ("learned.prediction", "voted"),
        ("learned.stopped_by", "consistent"),
        ("learned.reasons", []),
        ("learned.constant", 0.0),
    ],
    "margin": [
        ("params.lam", {"ratio": [0, 1]}),
        ("params.solver", "magic"),
        ("params.multiclass", "all"),
        ("params.tol", 0.0),
        ("params.time_limit", -1),
        ("learned.lam", [0, 1]),
        ("learned.lam", [-1, 1]),
        ("learned.units", []),
        ("learned.units", [[0, 1]]),
        ("learned.units", [[-1, 1]]),
        ("learned.units", [[1, 2], [1, 2]]),
        ("learned.outputs", []),
        ("learned.outputs.0.bound", [10**9, 1]),
        ("learned.outputs.0.bound", [-1, 1]),
        ("learned.outputs.0.risk", [0, 1]),
        ("learned.outputs.0.n_iter", -1),
        ("learned.outputs.0.n_iter", 0),
        ("learned.outputs.0.n_iter", 2**62),
        ("learned.outputs.0.stopped_by", "bored"),
        ("learned.outputs.0.stopped_by", ["gap"]),
        ("learned.classes.values", [0, 1, 2]),
        ("learned.n_variables", 3),
        ("learned.kernel", None),
    ],
    "votes": [
        ("learned.units", [[1, 2]]),
        ("learned.classes.values", ["a", "b"]),
        ("learned.classes.values", ["a", "b", "c", "d"]),
    ],
    "search": [
        ("learned.search", None),
        ("learned.search.max_size", [1, 2]),
        ("learned.search.max_size", [0, 0, 0, 0]),
        ("learned.search.max_size", [9, 9, 9, 9]),
        ("learned.search.max_size", [True, True, 2, 2]),
        ("learned.search.lam", [[1, 0]] * 4),
        ("learned.search.lam", [[7, 5]] * 4),
        ("learned.search.lam", []),
    ],
}


@pytest.mark.parametrize("which", BAD_HEADERS)
def test_a_header_that_does_not_hold_together_is_refused(which: str) -> None:
    file = unpack_model(FILES[which])
    for place, value in BAD_HEADERS[which]:
        with case(place, value):
            path = tuple(int(key) if key.isdigit() else key for key in place.split("."))
            assert json.dumps(value_at(file.header, path)) != json.dumps(value)
            refusal_of(which, pack_model(replaced(file.header, path, value), file.arrays))


@pytest.mark.parametrize("which", MODELS)
def test_missing_and_unknown_keys_are_refused(which: str) -> None:
    file = unpack_model(FILES[which])
    for place in places_in(file.header):
        record = value_at(file.header, place)
        if not isinstance(record, dict) or place[-1:] == ("reasons",):
            continue
        for key in record:
            fewer = {name: value for name, value in record.items() if name != key}
            refusal_of(which, pack_model(replaced(file.header, place, fewer), file.arrays))
        refusal_of(which, pack_model(replaced(file.header, place, record | {"more": 1}), file.arrays))


def test_runs_of_different_lengths_are_refused() -> None:
    file = unpack_model(FILES["three classes"])
    n_steps = file.header["learned"]["runs"][1]["n_steps"]
    header = replaced(file.header, ("learned", "runs", 1, "n_steps"), n_steps + 1)
    assert "different lengths" in refusal_of("three classes", pack_model(header, file.arrays))


def test_a_small_file_of_a_huge_width_takes_neither_time_nor_memory() -> None:
    empty = KernelPerceptronClassifier().partial_fit(np.zeros((1, 70), int), [1], classes=[0, 1])
    file = unpack_model(empty.__getstate__()["file"])
    for n_variables in (10**7, HUGE, 2**62):
        rows = np.empty((0, n_variables // 64 + 1), np.uint64)
        header = replaced(file.header, ("learned", "n_variables"), n_variables)
        reason = refusal_of("kernel", pack_model(header, file.arrays | {"0.rows": rows}))
        assert "model.n_variables: expected" in reason or "array variables: expected shape" in reason


# Arrays


@pytest.mark.parametrize("which", MODELS)
def test_arrays_missing_or_of_another_type_or_shape_are_refused(which: str) -> None:
    file = unpack_model(FILES[which])
    for name, array in file.arrays.items():
        others = {key: value for key, value in file.arrays.items() if key != name}
        shapes = [array[None], array.reshape(-1, 1, 1)]
        if len(array) and not name.endswith(".history"):  # which may be of any length
            shapes += [array[:-1], np.concatenate([array, array[-1:]]), np.asarray(array[0])]
        dtypes = ("|u1", "|i1", "<i4", "<i8", "<u4", "<u8", "<f8")
        for arrays in (
            others,
            others | {f"{name}x": array},
            file.arrays | {"more": array},
            *(others | {name: array.astype(dtype)} for dtype in dtypes if array.dtype != dtype),
            *(others | {name: shaped} for shaped in shapes),
        ):
            refusal_of(which, pack_model(file.header, arrays))


def put(place: Any, value: Any) -> Callable[[Any], Any]:
    def change(array: Any) -> Any:
        changed = array.copy()
        changed[place] = value
        return changed

    return change


BAD_ARRAYS: dict[str, list[tuple[str, Callable[[Any], Any]]]] = {
    "kernel": [
        ("0.slot", put(0, -1)),
        ("0.slot", put(-1, 99)),
        ("0.slot", put(0, 1)),  # not in the order of first mistakes
        ("0.label", put(0, 0)),
        ("0.label", put(0, 2)),
        ("0.rate", put(0, 0)),
        ("0.rate", put(0, -1)),
        ("0.rate", put(0, 2**62)),
        ("0.step", put(0, -1)),
        ("0.step", lambda array: put(1, array[0])(array)),
        ("0.step", lambda array: array[::-1]),
        ("0.step", put(-1, 10**6)),
        ("0.index", put(-1, -1)),
        ("0.rows", put((0, 0), 4)),
        ("0.rows", lambda array: put(0, array[1])(array)),
        ("0.rows", lambda array: np.vstack([array, [[3]] if 3 not in array else [[0]]])),
        ("0.rows", lambda array: array[:-1]),
        ("0.rows", lambda array: np.hstack([array, array * 0])),
        ("0.rows", lambda array: np.empty((0, HUGE // 64), np.uint64)),
    ],
    "winnow": [
        ("0.label", put(0, 0)),
        ("0.label", put(0, 2)),
        ("0.promotions", put(0, -1)),
        ("0.promotions", put(0, 99)),
        ("0.demotions", put(0, 99)),
        ("0.durations.variable", put(0, -1)),
        ("0.durations.variable", put(0, 2)),
        ("0.durations.promotions", put(0, 99)),
        ("0.durations.promotions", put(0, -1)),
        ("0.durations.demotions", put(0, 99)),
        ("0.durations.steps", put(0, 0)),
        ("0.durations.steps", put(0, 2**62)),
        ("0.durations.steps", lambda array: array + 1),
        ("0.rate", put(0, 0)),
        ("0.rate", put(0, -1)),
        ("0.rate", put(0, 2**40)),
        ("0.rate", put(0, 2**62)),
        ("0.step", put(0, -1)),
        ("0.step", put(-1, 99)),
        ("0.index", put(0, -1)),
        ("0.is_mistake", put(0, 2)),
        ("0.places", put(0, -1)),
        ("0.places", put(0, 2)),
        ("0.places", put(0, 2**31 - 1)),
        ("0.starts", put(0, 1)),
        ("0.starts", put(-1, 99)),
        ("table.lengths", put(0, -1)),
        ("table.lengths", put(0, 2)),
        ("table.is_text", put(0, 0)),
        ("table.is_text", put(0, 2)),
        ("table.text", put(0, ord("b"))),
        ("table.text", put(0, 0xFF)),
        ("variables", put(0, 1)),
    ],
    "perceptron": [
        ("0.weights", put(0, 2**62)),
        ("0.weights", put(0, -(2**63))),
        ("0.lasting", put(0, 2**62)),
        ("0.lasting", put(-1, -(2**63))),
    ],
    "kernel, bare": [
        ("0.weights", put(0, 9)),
        ("0.weights", put(0, -(2**63))),
        ("0.rows", put((0, 0), 4)),
    ],
    "real": [
        ("0.weights", put(0, np.nan)),
        ("0.lasting", put(0, np.inf)),
        ("0.values", put(0, np.nan)),
        ("0.values", put(0, np.inf)),
    ],
    "pairs": [
        ("table.keys", put(0, 2**64 - 1)),
        ("table.keys", put(-1, 0)),
    ],
    "margin": [
        ("0.rows", put((0, 0), 4)),
        ("0.rows", lambda array: put(0, array[1])(array)),
        ("0.rows", lambda array: array[:-1]),
        ("0.weights", put((0, 0), 2**62)),
        ("0.weights", lambda array: np.vstack([array, array])),
        ("dual", put((0, 0), -1.0)),
        ("dual", put((0, 0), np.nan)),
        ("dual", put((0, 0), np.inf)),
        ("dual", lambda array: np.vstack([array, array])),
        ("0.history", put((0, 0), -1.0)),
        ("0.history", put((0, 0), 0.5)),
        ("0.history", put((0, 0), 2.0**60)),
        ("0.history", put((-1, 0), 2.0**60)),
        ("0.history", put((0, 1), -1.0)),
        ("0.history", put((0, 2), 0.0)),
        ("0.history", put((0, 2), np.nan)),
        ("0.history", lambda array: array[:0]),
        ("0.history", lambda array: array[::-1]),
    ],
    "votes": [
        ("1.rows", put((0, 0), 4)),
        ("2.weights", put((0, 0), 2**62)),
        ("dual", lambda array: array[:-1]),
    ],
    "search": [
        ("accuracy", put((0, 0), 2.0)),
        ("accuracy", put((0, 0), -1.0)),
        ("accuracy", put((0, 0), np.nan)),
        ("accuracy", lambda array: array[:-1]),
        ("accuracy", lambda array: array[:, :0]),
        ("accuracy", lambda array: put(-1, 1.0)(array * 0)),
    ],
    "gradient": [
        ("cells", put(slice(2), 0.0)),
        ("cells", put(slice(2), np.nan)),
        ("cells", lambda array: array[1:]),
        ("sums", put(slice(2), 0.0)),
        ("sums", lambda array: array[1:]),
    ],
}


@pytest.mark.parametrize(
    ("which", "name", "change"),
    [(which, *bad) for which, all_bad in BAD_ARRAYS.items() for bad in all_bad],
    ids=lambda value: value if type(value) is str else "",
)
def test_values_that_do_not_hold_together_are_refused(which: str, name: str, change: Callable[[Any], Any]) -> None:
    file = unpack_model(FILES[which])
    array = file.arrays[name]
    changed = np.ascontiguousarray(change(array)).astype(array.dtype)
    assert not np.array_equal(changed, array)
    refusal_of(which, pack_model(file.header, file.arrays | {name: changed}))


@pytest.mark.parametrize(
    ("lengths", "text"),
    [([-1, 3], b"ab"), ([1, 2], b"ab"), ([1, 1], b"a\xff"), ([1, 1], b"aa"), ([2], b"ab"), ([2**62, 2**62], b"ab")],
    ids=str,
)
def test_names_that_are_no_names_are_refused(lengths: list[int], text: bytes) -> None:
    file = unpack_model(FILES["kernel"])
    names = {"names.lengths": np.array(lengths, np.int64), "names.text": np.frombuffer(text, np.uint8)}
    refusal_of("kernel", pack_model(file.header, file.arrays | names))


@pytest.mark.parametrize("spelling", ["+5", "05", " 5", "5_0", "٥", "5.0", "", "x"])
def test_numbers_as_names_have_one_spelling(spelling: str) -> None:
    model = PerceptronClassifier(max_passes=1).fit([{5}, {"b"}], [0, 1])
    file = unpack_model(model.__getstate__()["file"])
    text = spelling.encode()
    names = {
        "table.text": np.frombuffer(text + b"b", np.uint8),
        "table.lengths": np.array([len(text), 1], np.int64),
    }
    refusal_of("perceptron", pack_model(file.header, file.arrays | names))


@pytest.mark.parametrize("which", MODELS)
def test_other_ones_than_those_of_the_variables_are_refused(which: str) -> None:
    file = unpack_model(FILES[which])
    for ones in ([1], [15], [0], [2**64 - 1], [file.arrays["variables"][0], 0]):
        arrays = file.arrays | {"variables": np.array(ones, np.uint64)}
        refusal_of(which, pack_model(file.header, arrays))


@pytest.mark.parametrize("which", MODELS)
def test_an_encoding_that_is_none_is_refused(which: str) -> None:
    file = unpack_model(FILES[which])
    refusal_of(which, pack_model(file.header, file.arrays | {"encoding": np.frombuffer(b"{}", np.uint8)}))


@pytest.mark.parametrize("part", parts(3))
@pytest.mark.parametrize("which", CLASSIFIERS)
def test_other_signs_at_any_place_of_any_array_are_refused_or_make_a_model_that_works(which: str, part: int) -> None:
    file, random, rows = unpack_model(FILES[which]), np.random.RandomState(part), rows_for(which)
    for name, array in file.arrays.items():
        for _ in range(20 if array.size else 0):
            raw = bytearray(array.tobytes())
            raw[random.randint(len(raw))] = random.randint(256)
            changed = np.frombuffer(bytes(raw), array.dtype).reshape(array.shape)
            loaded = loaded_or_refused(which, file.header, file.arrays | {name: changed})
            if loaded is not None:
                if which in ON_LINE:
                    loaded.partial_fit(rows, MODELS[which].classes_[: len(rows)])
                with suppress(SettingError):  # where averages pass the range of floats
                    assert loaded.predict(rows).shape == (len(rows),)
