from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from conjunct import KernelPerceptronClassifier
from conjunct.bits import BitMatrix
from conjunct.errors import BitsError, ModelFileError, RowError, SettingError
from conjunct.estimators import load
from conjunct.files import canonical_json, pack_model, unpack_model
from conjunct.tables import TableEncoding

ENTRIES = {
    "color": ["red", "blue", None, "red", "blue", "green"],
    "age": [1.5, None, 3.0, 4.5, 9.0, 2.0],
    "gene": ["ACG", "AC", "TCG", "ACG", "T", "ACG"],
    "flag": [0, 1, 1, 0, 1, 0],
}
LABELS = np.array(["no", "yes", "yes", "no", "yes", "no"])


def encoding_of(**settings: Any) -> TableEncoding:
    return TableEncoding.of(ENTRIES, LABELS, **{"label_name": "buys", "letters": ["gene"], **settings})


def learned(encoding: TableEncoding, cells: Any = ENTRIES, labels: Any = LABELS) -> KernelPerceptronClassifier:
    learner = KernelPerceptronClassifier(max_passes=5).fit(encoding.rows(cells), encoding.codes(labels))
    learner.encoding_ = encoding
    return learner


def test_cells_become_named_variables() -> None:
    encoding = encoding_of()
    rows = encoding.rows(ENTRIES)
    assert rows.names == encoding.variables
    assert {"color=red", "color is missing", "gene[1]=T", "gene[2] is missing", "flag"} <= set(rows.names)
    assert rows.to_array()[:, rows.names.index("color=red")].tolist() == [1, 0, 0, 1, 0, 0]
    assert encoding.entry_types == {"color": "text", "age": "number", "gene": "text", "flag": "number"}
    assert encoding.letters == {"gene": 3}


@pytest.mark.parametrize(("positive", "labels"), [(None, ("no", "yes")), ("yes", ("no", "yes")), ("no", ("yes", "no"))])
def test_the_positive_label_is_the_second(positive: str | None, labels: tuple[str, str]) -> None:
    encoding = encoding_of(positive=positive)
    assert encoding.labels == labels
    assert encoding.positive == labels[1]
    assert [labels[code] for code in encoding.codes(LABELS)] == LABELS.tolist()


def test_of_several_labels_none_is_positive() -> None:
    labels = np.array([1, 2, 3, 1, 2, 3])
    encoding = TableEncoding.of(ENTRIES, labels)
    assert (encoding.labels, encoding.positive) == ((1, 2, 3), None)
    with pytest.raises(SettingError, match="positive=2 needs two labels, and there are 3"):
        TableEncoding.of(ENTRIES, labels, positive=2)
    with pytest.raises(SettingError, match=r"positive='x' is not among the labels \['no', 'yes'\]"):
        encoding_of(positive="x")


@pytest.mark.parametrize(("positive", "label"), [("1", 1), (1, 1), ("+1", 1), (-1, -1), ("-1", -1)])
def test_a_positive_label_is_found_by_value(positive: Any, label: int) -> None:
    assert TableEncoding.of({"a": [1, 2]}, np.array([1, -1]), positive=positive).positive == label


def test_a_positive_label_of_text_is_found_by_its_spelling() -> None:
    labels = np.array(["01", "1"])
    assert TableEncoding.of({"a": [1, 2]}, labels, positive=1).positive == "1"
    with pytest.raises(SettingError, match=r"positive='001' is not among the labels \['01', '1'\]"):
        TableEncoding.of({"a": [1, 2]}, labels, positive="001")


def test_labels_are_known_by_their_spelling() -> None:
    """Without the row of label x, the other labels are read as integers; with it, as text."""
    text, whole = TableEncoding(None, ("a",), None, ("1", "2", "x")), TableEncoding(None, ("a",), None, (1, 2))
    assert text.codes(np.array([2, 1])).tolist() == [1, 0]
    assert whole.codes(np.array(["1", "2"])).tolist() == [0, 1]
    with pytest.raises(RowError, match=r"label 'x' in row 1; expected one of those of the model, \[1, 2\]"):
        whole.codes(np.array(["1", "x"]))


def test_columns_are_found_by_name() -> None:
    encoding = encoding_of()
    turned = {"more": [None] * 6, **{name: ENTRIES[name] for name in reversed(ENTRIES)}}
    assert encoding.rows(turned) == encoding.rows(ENTRIES)
    with pytest.raises(BitsError, match="the table has no column 'age', which the model was learned from"):
        encoding.rows({name: column for name, column in ENTRIES.items() if name != "age"})


def test_unseen_cells_are_counted_per_column() -> None:
    encoding = encoding_of()
    strange = ENTRIES | {"color": ["pink"] * 6, "gene": ["ACG", "GGG", "TCG", "ACG", "T", "ACG"]}
    assert encoding.unseen(strange) == {"color": (6, 0, 0), "gene[1]": (1, 0, 0), "gene[2]": (1, 0, 0)}
    assert encoding.unseen(ENTRIES) == {}


def test_letters_past_those_learned_are_left_out_and_counted_or_refused() -> None:
    encoding, longer = encoding_of(), ENTRIES | {"gene": ["ACG", "ACGT", "TCGAA", "ACG", "T", "ACG"]}
    shorter = longer | {"gene": [text[:3] for text in longer["gene"]]}
    assert encoding.rows(longer).to_array().tolist() == encoding.rows(shorter).to_array().tolist()
    assert encoding.unseen(longer) == {"gene": (2, 0, 0)}
    assert encoding.unseen(shorter) == {}
    encoding.require_seen(shorter)
    with pytest.raises(RowError, match="column 'gene' has 4 letters in row 1; in fit at most 3"):
        encoding.require_seen(longer)


def test_columns_that_cannot_be_read_letter_by_letter_are_refused() -> None:
    with pytest.raises(BitsError, match="no column 'genes' to read letter by letter"):
        encoding_of(letters=["genes"])
    with pytest.raises(BitsError, match="column 'gene' has a text of 100001 letters"):
        encoding_of(letters=["gene"]).of(ENTRIES | {"gene": ["A" * 100_001] * 6}, LABELS, letters=["gene"])


def test_boolean_rows_pass_and_cells_do_not() -> None:
    rows, labels = BitMatrix.of(["01", "10"]), np.array([-1, 1])
    encoding = TableEncoding.of(rows, labels)
    assert encoding.rows(rows).names == encoding.names == encoding.variables == ("x1", "x2")
    assert encoding.unseen(rows) == {}
    assert encoding.entry_types == {"x1": None, "x2": None}
    with pytest.raises(BitsError, match="3 variables, the model 2"):
        encoding.rows(BitMatrix.of(["010"]))
    with pytest.raises(BitsError, match="learned from Boolean rows"):
        encoding.rows(ENTRIES)
    with pytest.raises(BitsError, match="learned from columns of cells"):
        encoding_of().rows(rows)
    with pytest.raises(BitsError, match="Boolean rows, without a column 'gene'"):
        TableEncoding.of(rows, labels, letters=["gene"])


# Records and files


@pytest.mark.parametrize(
    "encoding", [encoding_of(), encoding_of(positive="no"), TableEncoding.of(BitMatrix.of(["01", "10"]), np.arange(2))]
)
def test_a_record_comes_back_whole(encoding: TableEncoding) -> None:
    back = TableEncoding.from_record(canonical_json.decode(canonical_json.encode(encoding.record())))
    assert back.record() == encoding.record()
    assert (back.names, back.label_name, back.labels, dict(back.letters)) == (
        encoding.names,
        encoding.label_name,
        encoding.labels,
        dict(encoding.letters),
    )
    if encoding.columns is not None:
        assert back.rows(ENTRIES) == encoding.rows(ENTRIES)


def test_a_model_carries_its_encoding_through_files_and_pickles(tmp_path: Any) -> None:
    learner = learned(encoding_of(positive="no"))
    learner.save(tmp_path / "m")
    for back in (load(tmp_path / "m"), pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)):
        assert isinstance(back, KernelPerceptronClassifier)
        assert back.encoding_.record() == learner.encoding_.record()
        numbers = learner.predict(learner.encoding_.rows(ENTRIES)).tolist()
        assert back.predict(back.encoding_.rows(ENTRIES)).tolist() == [("yes", "no")[number] for number in numbers]


def test_a_file_of_an_unknown_kind_is_refused(tmp_path: Any) -> None:
    (tmp_path / "m").write_bytes(pack_model({"kind": "x", "params": {}, "learned": {}}, {}))
    with pytest.raises(ModelFileError, match="holds a 'x', expected one of kernel-perceptron-classifier"):
        load(tmp_path / "m")
    (tmp_path / "m").write_bytes(pack_model({"kind": ["x"], "params": {}, "learned": {}}, {}))
    with pytest.raises(ModelFileError, match="holds a "):
        load(tmp_path / "m")


FILE = unpack_model(learned(encoding_of()).__getstate__()["file"])
RECORD: dict[str, Any] = canonical_json.decode(FILE.arrays["encoding"].tobytes().decode())
WRONG: list[Any] = [None, True, 0, -1, 2.5, 10**30, "", "x", [], ["a", "b"], [1, True], [["a"], ["b"]], {}, {"gene": 2}]


def refusal(encoding: bytes | np.ndarray[Any, Any]) -> str | None:
    array = np.frombuffer(encoding, np.uint8) if isinstance(encoding, bytes) else encoding
    data = pack_model(FILE.header, dict(FILE.arrays) | {"encoding": array})
    try:
        model = KernelPerceptronClassifier._from_bytes(data, "m")
    except ModelFileError as error:
        message = str(error)
    else:  # What is accepted works.
        assert len(model.encoding_.labels) == 2
        assert model.predict(model.encoding_.rows({name: [None] for name in model.encoding_.names})).shape == (1,)
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


def test_every_part_of_a_record_of_another_value_is_refused_or_makes_an_encoding_that_works() -> None:
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
        ({"labels": ["a", "b", "c"]}, "neither the labels of its encoding nor their numbers"),
        ({"names": ["color", "age", "gene", "flags"]}, "other columns"),
        ({"names": ["color", "age", "gene", "gene"]}, "one name"),
        ({"names": [1, 2, 3, 4]}, "not text"),
        ({"label_name": 3}, "not text"),
        ({"letters": {"gene": 2}}, "other columns"),
        ({"letters": {"gene": 0}}, "letter by letter"),
        ({"letters": {"gene": True}}, "letter by letter"),
        ({"letters": {"genes": 3}}, "letter by letter"),
        ({"letters": {"gene": 10**9}}, "letter by letter"),
        ({"letters": dict.fromkeys(ENTRIES, 100_000)}, "other columns"),
        ({"columns": None, "names": ["a"], "letters": {"a": 1}}, "letter by letter"),
        ({"columns": None, "letters": {}}, "other variables"),
        ({"columns": {}}, "malformed"),
        ({"more": 1}, "encoding"),
    ],
    ids=str,
)
def test_a_record_that_does_not_fit_is_refused(change: dict[str, Any], reason: str) -> None:
    said = refusal(canonical_json.encode(RECORD | change).encode())
    assert said is not None
    assert reason in said


@pytest.mark.parametrize(
    "encoding",
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
def test_an_encoding_that_is_no_record_is_refused(encoding: Any) -> None:
    assert refusal(encoding) is not None


@pytest.mark.parametrize("classes", [[3, 4], ["0", "1"], [0.0, 1.0], [False, True]], ids=str)
def test_classes_that_are_no_class_numbers_are_refused(classes: list[Any]) -> None:
    encoding = encoding_of()
    learner = KernelPerceptronClassifier(max_passes=2)
    learner.fit(encoding.rows(ENTRIES), np.array(classes)[encoding.codes(LABELS)])
    learner.encoding_ = encoding
    with pytest.raises(ModelFileError, match="neither the labels of its encoding nor their numbers"):
        KernelPerceptronClassifier._from_bytes(learner.__getstate__()["file"], "m")


def test_a_new_fit_closes_the_encoding_to_the_old_table() -> None:
    learner = KernelPerceptronClassifier().fit([[0, 1], [1, 0]], [0, 1])
    learner.encoding_ = TableEncoding.of({"a": ["x", "y"]}, np.array(["no", "yes"]))
    assert not hasattr(learner.fit([[0, 1], [1, 0]], [0, 1]), "encoding_")
