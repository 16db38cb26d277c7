from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from conjunct import KernelPerceptronClassifier
from conjunct.bits import BitMatrix
from conjunct.errors import BitsError, ModelFileError, RowError, SettingError
from conjunct.estimators import Door, load_estimator
from conjunct.files import canonical_json, pack_model, unpack_model

CELLS = {
    "color": ["red", "blue", None, "red", "blue", "green"],
    "age": [1.5, None, 3.0, 4.5, 9.0, 2.0],
    "gene": ["ACG", "AC", "TCG", "ACG", "T", "ACG"],
    "flag": [0, 1, 1, 0, 1, 0],
}
LABELS = np.array(["no", "yes", "yes", "no", "yes", "no"])


def door_of(**settings: Any) -> Door:
    return Door.of(CELLS, LABELS, **{"label_name": "buys", "letters": ["gene"], **settings})


def learned(door: Door, cells: Any = CELLS, labels: Any = LABELS) -> KernelPerceptronClassifier:
    learner = KernelPerceptronClassifier(max_passes=5).fit(door.rows(cells), door.codes(labels))
    learner.door_ = door
    return learner


def test_cells_become_named_variables() -> None:
    door = door_of()
    rows = door.rows(CELLS)
    assert rows.names == door.variables
    assert {"color=red", "color is missing", "gene[1]=T", "gene[2] is missing", "flag"} <= set(rows.names)
    assert rows.to_array()[:, rows.names.index("color=red")].tolist() == [1, 0, 0, 1, 0, 0]
    assert door.cell_types == {"color": "text", "age": "number", "gene": "text", "flag": "number"}
    assert door.letters == {"gene": 3}


@pytest.mark.parametrize(("positive", "labels"), [(None, ("no", "yes")), ("yes", ("no", "yes")), ("no", ("yes", "no"))])
def test_the_positive_label_is_the_second(positive: str | None, labels: tuple[str, str]) -> None:
    door = door_of(positive=positive)
    assert door.labels == labels
    assert door.positive == labels[1]
    assert [labels[code] for code in door.codes(LABELS)] == LABELS.tolist()


def test_of_several_labels_none_is_positive() -> None:
    labels = np.array([1, 2, 3, 1, 2, 3])
    door = Door.of(CELLS, labels)
    assert (door.labels, door.positive) == ((1, 2, 3), None)
    with pytest.raises(SettingError, match="positive=2 needs two labels, and there are 3"):
        Door.of(CELLS, labels, positive=2)
    with pytest.raises(SettingError, match=r"positive='x' is not among the labels \['no', 'yes'\]"):
        door_of(positive="x")


def test_labels_are_known_by_their_spelling() -> None:
    """Without the row of label x, the other labels are read as integers; with it, as text."""
    text, whole = Door(None, ("a",), None, ("1", "2", "x")), Door(None, ("a",), None, (1, 2))
    assert text.codes(np.array([2, 1])).tolist() == [1, 0]
    assert whole.codes(np.array(["1", "2"])).tolist() == [0, 1]
    with pytest.raises(RowError, match=r"label 'x' in row 1; expected one of those of the model, \[1, 2\]"):
        whole.codes(np.array(["1", "x"]))


def test_columns_are_found_by_name() -> None:
    door = door_of()
    turned = {"more": [None] * 6, **{name: CELLS[name] for name in reversed(CELLS)}}
    assert door.rows(turned) == door.rows(CELLS)
    with pytest.raises(BitsError, match="the table has no column 'age', which the model was learned from"):
        door.rows({name: column for name, column in CELLS.items() if name != "age"})


def test_unseen_cells_are_counted_per_column() -> None:
    door = door_of()
    strange = CELLS | {"color": ["pink"] * 6, "gene": ["ACG", "GGG", "TCG", "ACG", "T", "ACG"]}
    assert door.unseen(strange) == {"color": 6, "gene[1]": 1, "gene[2]": 1}
    assert door.unseen(CELLS) == {}


def test_letters_past_those_learned_are_refused() -> None:
    with pytest.raises(BitsError, match="column 'gene' has 4 letters in row 1; in fit at most 3"):
        door_of().rows(CELLS | {"gene": ["ACG", "ACGT", "A", "A", "A", "A"]})
    with pytest.raises(BitsError, match="no column 'genes' to read letter by letter"):
        door_of(letters=["genes"])
    with pytest.raises(BitsError, match="column 'gene' has a text of 100001 letters"):
        door_of(letters=["gene"]).of(CELLS | {"gene": ["A" * 100_001] * 6}, LABELS, letters=["gene"])


def test_boolean_rows_pass_and_cells_do_not() -> None:
    rows, labels = BitMatrix.of(["01", "10"]), np.array([-1, 1])
    door = Door.of(rows, labels)
    assert door.rows(rows).names == door.names == door.variables == ("x1", "x2")
    assert door.unseen(rows) == {}
    assert door.cell_types == {"x1": None, "x2": None}
    with pytest.raises(BitsError, match="3 variables, the model 2"):
        door.rows(BitMatrix.of(["010"]))
    with pytest.raises(BitsError, match="learned from Boolean rows"):
        door.rows(CELLS)
    with pytest.raises(BitsError, match="learned from columns of cells"):
        door_of().rows(rows)
    with pytest.raises(BitsError, match="Boolean rows, without a column 'gene'"):
        Door.of(rows, labels, letters=["gene"])


# Records and files


@pytest.mark.parametrize("door", [door_of(), door_of(positive="no"), Door.of(BitMatrix.of(["01", "10"]), np.arange(2))])
def test_a_record_comes_back_whole(door: Door) -> None:
    back = Door.from_record(canonical_json.decode(canonical_json.encode(door.record())))
    assert back.record() == door.record()
    assert (back.names, back.label_name, back.labels, dict(back.letters)) == (
        door.names,
        door.label_name,
        door.labels,
        dict(door.letters),
    )
    if door.binarizer is not None:
        assert back.rows(CELLS) == door.rows(CELLS)


def test_a_model_carries_its_door_through_files_and_pickles(tmp_path: Any) -> None:
    learner = learned(door_of(positive="no"))
    learner.save(tmp_path / "m")
    for back in (load_estimator(tmp_path / "m"), pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)):
        assert isinstance(back, KernelPerceptronClassifier)
        assert back.door_.record() == learner.door_.record()
        assert back.predict(back.door_.rows(CELLS)).tolist() == learner.predict(learner.door_.rows(CELLS)).tolist()


def test_a_file_of_an_unknown_kind_is_refused(tmp_path: Any) -> None:
    (tmp_path / "m").write_bytes(pack_model({"kind": "x", "params": {}, "learned": {}}, {}))
    with pytest.raises(ModelFileError, match="holds a 'x', expected one of kernel-perceptron-classifier"):
        load_estimator(tmp_path / "m")
    (tmp_path / "m").write_bytes(pack_model({"kind": ["x"], "params": {}, "learned": {}}, {}))
    with pytest.raises(ModelFileError, match="holds a "):
        load_estimator(tmp_path / "m")


FILE = unpack_model(learned(door_of()).__getstate__()["file"])
RECORD: dict[str, Any] = canonical_json.decode(FILE.arrays["encoding"].tobytes().decode())
WRONG: list[Any] = [None, True, 0, -1, 2.5, 10**30, "", "x", [], ["a", "b"], [1, True], [["a"], ["b"]], {}, {"gene": 2}]


def refusal(door: bytes | np.ndarray[Any, Any]) -> str | None:
    array = np.frombuffer(door, np.uint8) if isinstance(door, bytes) else door
    data = pack_model(FILE.header, dict(FILE.arrays) | {"encoding": array})
    try:
        model = KernelPerceptronClassifier._from_bytes(data, "m")
    except ModelFileError as error:
        message = str(error)
    else:  # What is accepted works.
        assert len(model.door_.labels) == 2
        assert model.predict(model.door_.rows({name: [None] for name in model.door_.names})).shape == (1,)
        return None
    assert message.startswith("m: ")
    assert message.isprintable()
    return message


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, entry in inner for place in places_in(entry, (*path, key)))]


def replaced(record: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.copy(record)
    changed[path[0]] = replaced(record[path[0]], path[1:], value)
    return changed


def test_every_part_of_a_record_of_another_value_is_refused_or_makes_a_door_that_works() -> None:
    places = places_in(RECORD)
    n_refused = 0
    for place in places:
        for value in WRONG:
            n_refused += refusal(canonical_json.encode(replaced(RECORD, place, value)).encode()) is not None
    assert n_refused > len(places) * len(WRONG) * 0.7


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"labels": ["no"]}, "labels"),
        ({"labels": ["no", "no"]}, "labels"),
        ({"labels": ["no", 1]}, "labels"),
        ({"labels": [True, False]}, "labels"),
        ({"labels": ["a", "b", "c"]}, "not the numbers of its door's labels"),
        ({"names": ["color", "age", "gene", "flags"]}, "other columns"),
        ({"names": ["color", "age", "gene", "gene"]}, "one name"),
        ({"names": [1, 2, 3, 4]}, "not text"),
        ({"label_name": 3}, "not text"),
        ({"letters": {"gene": 2}}, "other columns"),
        ({"letters": {"gene": 0}}, "letter by letter"),
        ({"letters": {"gene": True}}, "letter by letter"),
        ({"letters": {"genes": 3}}, "letter by letter"),
        ({"letters": {"gene": 10**9}}, "letter by letter"),
        ({"letters": dict.fromkeys(CELLS, 100_000)}, "other columns"),
        ({"binarizer": None}, "other columns"),
        ({"binarizer": None, "letters": {}}, "other variables"),
        ({"binarizer": {}}, "binarizer"),
        ({"more": 1}, "door"),
    ],
    ids=str,
)
def test_a_record_that_does_not_fit_is_refused(change: dict[str, Any], reason: str) -> None:
    said = refusal(canonical_json.encode(RECORD | change).encode())
    assert said is not None
    assert reason in said


@pytest.mark.parametrize(
    "door",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"[" * 5000,
        b'{"labels":NaN}',
        b'{"a":1,"a":1}',
        np.zeros(4, np.int64),
        np.zeros((2, 2), np.uint8),
    ],
    ids=repr,
)
def test_a_door_that_is_no_record_is_refused(door: Any) -> None:
    assert refusal(door) is not None


@pytest.mark.parametrize("classes", [[3, 4], ["0", "1"], [0.0, 1.0], [False, True]], ids=str)
def test_classes_that_are_no_class_numbers_are_refused(classes: list[Any]) -> None:
    door = door_of()
    learner = KernelPerceptronClassifier(max_passes=2)
    learner.fit(door.rows(CELLS), np.array(classes)[door.codes(LABELS)])
    learner.door_ = door
    with pytest.raises(ModelFileError, match="not the numbers of its door's labels"):
        KernelPerceptronClassifier._from_bytes(learner.__getstate__()["file"], "m")


def test_a_new_fit_closes_the_door_to_the_old_table() -> None:
    learner = KernelPerceptronClassifier().fit([[0, 1], [1, 0]], [0, 1])
    learner.door_ = Door.of({"a": ["x", "y"]}, np.array(["no", "yes"]))
    assert not hasattr(learner.fit([[0, 1], [1, 0]], [0, 1]), "door_")
