from __future__ import annotations

import hashlib
import json
import os
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest

from conjunct.errors import ModelFileError
from conjunct.files.model_file import model_bytes, pack_model, read_model, unpack_model, write_model

if TYPE_CHECKING:
    from pathlib import Path
from threading import Thread

HEADER = {"kind": "LinearThreshold", "n_variables": 3, "margin": 0.25, "names": ["a", "é"], "seed": None}
ARRAYS = {"weights": np.array([[1, -2, 3]], dtype="<i8"), "signs": np.array([1, -1], dtype=np.int8)}
EMPTY = '{"arrays":[],"content":{}}'


def sealed(text: str | bytes, arrays: bytes = b"", *, version: tuple[int, int] = (1, 0), length: int = -1) -> bytes:
    """Return a file with a right digest, whatever its header says."""
    raw = text.encode() if isinstance(text, str) else text
    body = struct.pack("<8sHHI", b"conjunct", *version, len(raw) if length < 0 else length) + raw + arrays
    return body + hashlib.sha256(body).digest()


def listing(*arrays: object) -> str:
    return json.dumps({"arrays": arrays, "content": {}}, separators=(",", ":"))


def refusal_of(data: bytes) -> str:
    """Return the message, after checking that it is one line which names the file."""
    with pytest.raises(ModelFileError) as caught:
        unpack_model(data, source="a.model")
    message = str(caught.value)
    assert type(caught.value) is ModelFileError
    assert message.startswith("a.model: ")
    assert ", expected " in message
    assert "\n" not in message
    assert len(message) < 300
    return message


def test_header_and_arrays_come_back_as_they_were() -> None:
    found = unpack_model(pack_model(HEADER, ARRAYS))
    assert found.header == HEADER
    assert found.arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(found.arrays[name], array, strict=True)


def test_the_layout_is_the_documented_one() -> None:
    text = (
        '{"arrays":[["signs","|i1",[2]],["weights","<i8",[1,3]]],"content":'
        '{"kind":"LinearThreshold","margin":0.25,"n_variables":3,"names":["a","\\u00e9"],"seed":null}}'
    )
    assert pack_model(HEADER, ARRAYS) == sealed(text, b"\x01\xff" + struct.pack("<qqq", 1, -2, 3))


def test_the_same_content_gives_the_same_bytes() -> None:
    weights, signs = ARRAYS["weights"], ARRAYS["signs"]
    wide = np.zeros((2, 6), dtype=np.int64)
    wide[:1, ::2] = weights
    others: list[dict[str, npt.NDArray[Any]]] = [
        {"signs": signs, "weights": weights},
        {"signs": signs, "weights": weights.astype(">i8")},
        {"signs": signs, "weights": np.asfortranarray(weights)},
        {"signs": signs, "weights": wide[:1, ::2]},
    ]
    for arrays in others:
        assert pack_model(dict(reversed(HEADER.items())), arrays) == pack_model(HEADER, ARRAYS)


@pytest.mark.parametrize("dtype", ["|u1", "|i1", "<i4", "<i8", "<u4", "<u8", "<f8", ">i4", ">i8", ">u4", ">u8", ">f8"])
@pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 0), (2, 3), (1, 2, 1, 3)])
def test_every_allowed_type_and_shape_round_trips(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.arange(np.prod(shape, dtype=int)) * 37 % 251).astype(dtype).reshape(shape)
    found = unpack_model(pack_model({}, {"x": array, "pad": np.zeros(1, dtype=np.uint8)})).arrays["x"]
    assert found.dtype.str == np.dtype(dtype).newbyteorder("<").str
    assert found.shape == shape
    np.testing.assert_array_equal(found, array)


def test_special_floats_keep_their_bits() -> None:
    array = np.array([0x7FF8000000000001, 0xFFF0000000000000, 0x8000000000000000, 1], dtype=np.uint64).view(np.float64)
    found = unpack_model(pack_model({}, {"x": array})).arrays["x"]
    assert found.tobytes() == array.tobytes()


def test_arrays_are_aligned_and_read_only_for_good() -> None:
    for pad in range(9):
        data = pack_model({}, {"a": np.zeros(pad, dtype=np.uint8), "x": np.arange(3.0)})
        found = unpack_model(data).arrays["x"]
        assert found.flags.aligned
        assert found.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            found[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            found.setflags(write=True)


def test_long_integers_in_the_header_are_exact() -> None:
    assert unpack_model(pack_model({"count": 3**8_000}, {})).header == {"count": 3**8_000}


@pytest.mark.parametrize("dtype", ["bool", "float32", "float16", "int16", "complex128", "O", "U3", "M8[s]", "V4"])
def test_other_types_are_not_packed(dtype: str) -> None:
    array = np.zeros(2, dtype=dtype)
    with pytest.raises(ModelFileError, match=r"model: array 'x' has dtype .*, expected one of uint8, int8") as caught:
        pack_model({}, {"x": array})
    assert str(array.dtype) in str(caught.value)


def test_what_could_not_be_read_back_is_not_packed() -> None:
    with pytest.raises(ModelFileError, match="model: the header nests deeper"):
        pack_model({"a": [[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]}, {})
    with pytest.raises(ModelFileError, match="model: the header has 1048577 bytes, expected at most 1048576"):
        pack_model({"a": "x" * (2**20 + 1 - len(EMPTY) - len('"a":""'))}, {})


@pytest.mark.parametrize(
    ("header", "arrays", "reason"),
    [
        ([], {}, "model: the header is a list, expected a mapping"),
        ({}, {1: np.zeros(1)}, "model: the arrays hold a int naming a ndarray, expected text naming an ndarray"),
        ({}, {"x": [1.0]}, "model: the arrays hold a str naming a list, expected text naming an ndarray"),
    ],
)
def test_objects_of_other_kinds_are_not_packed(header: Any, arrays: Any, reason: str) -> None:
    with pytest.raises(ModelFileError) as caught:
        pack_model(header, arrays)
    assert str(caught.value) == reason


def test_the_longest_header_is_packed_and_read() -> None:
    header = {"a": "x" * (2**20 - len(EMPTY) - len('"a":""'))}
    data = pack_model(header, {})
    assert len(data) == 16 + 2**20 + 32
    assert unpack_model(data).header == header


def test_every_single_flipped_bit_is_refused() -> None:
    data = pack_model(HEADER, ARRAYS)
    for position in range(8 * len(data)):
        changed = bytearray(data)
        changed[position // 8] ^= 1 << position % 8
        refusal_of(bytes(changed))


def test_every_truncation_is_refused() -> None:
    data = pack_model(HEADER, ARRAYS)
    for length in range(len(data)):
        assert "truncated" in refusal_of(data[:length])


def test_every_trailing_byte_is_refused() -> None:
    data = pack_model(HEADER, ARRAYS)
    for value in range(256):
        refusal_of(data + bytes([value]))
    refusal_of(data + data)


def test_a_trailing_byte_before_a_right_digest_is_refused() -> None:
    assert "1 bytes of arrays, expected 0" in refusal_of(sealed(EMPTY, b"\0"))


def test_a_file_of_another_kind_is_refused_as_such() -> None:
    assert "not a conjunct model file" in refusal_of(b"\x80\x04\x95" + b"pickle" * 20)
    assert "not a conjunct model file" in refusal_of(bytes(48))
    assert "0 bytes are no model file, expected at least 48" in refusal_of(b"")


@pytest.mark.parametrize("version", [(0, 9), (2, 0), (256, 1), (65535, 65535)])
def test_an_unknown_major_version_is_refused_by_name(version: tuple[int, int]) -> None:
    message = refusal_of(sealed(EMPTY, version=version))
    assert f"model format {version[0]}.{version[1]} is unknown, expected 1.x" in message


def test_the_version_is_judged_before_the_digest_and_the_digest_before_the_header() -> None:
    assert "model format 2.0" in refusal_of(sealed(EMPTY, version=(2, 0))[:-1] + b"\0")
    assert "SHA-256" in refusal_of(sealed("not JSON", length=2**32 - 1)[:-1] + b"\0")


@pytest.mark.parametrize("minor", [1, 65535])
def test_a_newer_minor_version_is_read(minor: int) -> None:
    assert unpack_model(sealed(EMPTY, version=(1, minor))).header == {}


@pytest.mark.parametrize("length", [len(EMPTY) + 1, 2**20, 2**20 + 1, 2**32 - 1])
def test_a_header_that_passes_the_end_is_refused(length: int) -> None:
    assert f"the header length is {length}, expected at most {len(EMPTY)}" in refusal_of(sealed(EMPTY, length=length))


def test_a_header_longer_than_a_mebibyte_is_refused() -> None:
    message = refusal_of(sealed(" " * (2**20 + 1)))
    assert "the header length is 1048577, expected at most 1048576" in message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b'{"arrays":[],"content":{"a":"\xed\xa0\x80"}}', "not UTF-8"),
        ('{"arrays":[],"content":{}', "not JSON"),
        ('{"arrays":[],"arrays":[],"content":{}}', "repeats the key 'arrays'"),
        ('{"arrays":[],"content":{"a":{"b":1,"b":1}}}', "repeats the key 'b'"),
        ('{"arrays":[],"content":{"a":NaN}}', "holds NaN"),
        ('{"arrays":[],"content":{"a":-Infinity}}', "holds -Infinity"),
        ('{"arrays":[],"content":{"a":1e400}}', "past the float range"),
        ('{"arrays":[],"content":{"a":' + "[" * 15 + "]" * 15 + "}}", "deeper than 16"),
        ('{"arrays":[],"content":' + "[" * 500_000, "deeper than 16"),
        ('{"arrays":[],"content":{"a":' + "9" * 5001 + "}}", "5001 digits"),
        ('{"arrays":[],"content":{"a":' + "9" * 1_000_000 + "}}", "1000000 digits"),
        ('{"arrays":[], "content":{}}', "another spelling"),
        ('{"arrays":[],"content":{"a":"\\ud800"}}', "surrogate"),
        ("[]", "the header is a list, expected a mapping"),
        ("null", "the header is a NoneType, expected a mapping"),
        ("{}", "has the keys '', expected exactly"),
        ('{"arrays":[]}', "has the keys 'arrays', expected exactly"),
        ('{"arrays":[],"class":"os.system","content":{}}', "has the keys 'arrays, class, content', expected exactly"),
        ('{"arrays":{},"content":{}}', "a list 'arrays' and a mapping 'content'"),
        ('{"arrays":[],"content":[]}', "a list 'arrays' and a mapping 'content'"),
    ],
    ids=lambda text: str(text)[:45],
)
def test_every_abuse_of_the_header_is_refused(text: str | bytes, reason: str) -> None:
    assert reason in refusal_of(sealed(text))


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ([1], "entry 0 of the arrays is malformed"),
        ([["x", "|u1"]], "entry 0 of the arrays is malformed"),
        ([["x", "|u1", [8], 0]], "entry 0 of the arrays is malformed"),
        ([["x", "|u1", 8]], "entry 0 of the arrays is malformed"),
        ([["x", "|u1", [8]], [2, "|u1", [0]]], "entry 1 of the arrays is malformed"),
        ([["x", ["|u1"], [8]]], "entry 0 of the arrays is malformed"),
        ([{"dtype": "|u1", "name": "x", "shape": [8]}], "entry 0 of the arrays is malformed"),
        (["abc"], "entry 0 of the arrays is malformed"),
        ([["x", "|u1", [4]], ["x", "|u1", [4]]], "array 'x' is listed twice"),
        ([["x", "|O8", [1]]], "dtype '|O8', expected one of"),
        ([["x", ">f8", [1]]], "dtype '>f8', expected one of"),
        ([["x", "float64", [1]]], "dtype 'float64', expected one of"),
        ([["x", "|V2147483648", [0]]], "dtype '|V2147483648', expected one of"),
        ([["x", "|u1", [-8]]], "the shape of array 'x' is malformed"),
        ([["x", "|u1", [-2, -4]]], "the shape of array 'x' is malformed"),
        ([["x", "|u1", [8.0]]], "the shape of array 'x' is malformed"),
        ([["x", "|u1", [8, True]]], "the shape of array 'x' is malformed"),
        ([["x", "|u1", ["8"]]], "the shape of array 'x' is malformed"),
        ([["x", "|u1", [None]]], "the shape of array 'x' is malformed"),
        ([["x", "|u1", [7]]], "8 bytes of arrays, expected 7"),
        ([["x", "|u1", [9]]], "8 bytes of arrays, expected 9"),
        ([["x", "<f8", []], ["y", "|u1", [1]]], "8 bytes of arrays, expected 9"),
        ([["x", "<f8", [1, 1]], ["y", "<f8", [1]]], "8 bytes of arrays, expected 16"),
        ([], "8 bytes of arrays, expected 0"),
        ([["x", "|u1", [2**62]]], f"8 bytes of arrays, expected {2**62}"),
        ([["x", "|u1", [2**62]], ["y", "|u1", [2**62]]], f"expected more than {2**63 - 1}"),
        ([["x", "|u1", [2**32, 2**32]]], "array 'x' is too large"),
        ([["x", "<f8", [2**61]]], "array 'x' is too large"),
        ([["x", "<f8", [2**61 + 1]]], "array 'x' is too large"),
        ([["x", "|u1", [2**64 + 8]]], "array 'x' is too large"),
        ([["x", "|u1", [0, 2**63]]], "array 'x' is too large"),
        ([["x", "|u1", [2**40, 0, 2**40]]], "array 'x' is too large"),
        ([["x", "|u1", [10**3999] * 30]], "array 'x' is too large"),
        ([["x", "|u1", [8] + [1] * 32]], "array 'x' has 33 dimensions, expected at most 32"),
        ([["\x1b[2J" * 20, "|u1", [7, 1.5]]], r"array '\x1b[2J"),
    ],
    ids=lambda value: str(value)[:45],
)
def test_every_abuse_of_the_list_of_arrays_is_refused(arrays: list[object], reason: str) -> None:
    assert reason in refusal_of(sealed(listing(*arrays), bytes(8)))


def test_the_widest_shapes_that_are_allowed_are_read() -> None:
    text = listing(["a", "|u1", [8] + [1] * 31], ["b", "<f8", [0, 2**30, 2**30 - 1]], ["c", "|u1", [2**63 - 1, 0]])
    found = unpack_model(sealed(text, bytes(8))).arrays
    assert [array.shape for array in found.values()] == [(8,) + (1,) * 31, (0, 2**30, 2**30 - 1), (2**63 - 1, 0)]


def test_a_source_with_control_characters_stays_on_one_line() -> None:
    with pytest.raises(ModelFileError, match=r"^é\\n\\x1b\\udcff: ") as caught:
        unpack_model(b"", source="é\n\x1b\udcff")
    assert "\n" not in str(caught.value)


def test_a_model_file_is_written_and_read_back(tmp_path: Path) -> None:
    write_model(tmp_path / "a.model", HEADER, ARRAYS)
    assert (tmp_path / "a.model").read_bytes() == pack_model(HEADER, ARRAYS)
    assert read_model(str(tmp_path / "a.model")).header == HEADER


def test_a_refused_model_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    write_model(path, HEADER, ARRAYS)
    with pytest.raises(ModelFileError, match="dtype float32"):
        write_model(path, {}, {"x": np.zeros(1, dtype=np.float32)})
    assert read_model(path).header == HEADER


def test_a_refused_file_is_named_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "a.model").write_bytes(b"")
    with pytest.raises(ModelFileError) as caught:
        read_model(tmp_path / "a.model")
    assert str(caught.value).startswith(f"{tmp_path / 'a.model'}: 0 bytes")


def test_a_missing_file_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "a.model")


def test_what_does_not_start_as_a_model_file_is_read_no_further(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="/dev/zero: not a conjunct model file"):
        read_model("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    for sent, reason in ((b"x" * 100, "not a conjunct model file"), (b"conj", "4 bytes are no model file")):
        writer = Thread(target=(tmp_path / "pipe").write_bytes, args=(sent,))
        writer.start()
        with pytest.raises(ModelFileError, match=reason):
            read_model(tmp_path / "pipe")
        writer.join()


def test_no_more_is_read_than_the_header_announces_and_one_byte(tmp_path: Path) -> None:
    asked: list[int] = []
    packed = pack_model(HEADER, {"weights": np.arange(5)})
    (tmp_path / "a.model").write_bytes(packed + bytes(1 << 20))
    assert model_bytes(tmp_path / "a.model", asked.append) == packed + b"\0"
    assert asked == [len(packed)]
    with pytest.raises(ModelFileError, match="the content and its SHA-256 differ"):
        read_model(tmp_path / "a.model")


def test_a_model_past_what_is_admitted_is_not_read(tmp_path: Path) -> None:
    header = b'{"arrays":[["x","|u1",[1000000000000]]],"content":{}}'
    (tmp_path / "a.model").write_bytes(b"conjunct\1\0\0\0" + len(header).to_bytes(4, "little") + header + bytes(100))

    def admit(n_bytes: int) -> None:
        raise MemoryError(n_bytes)

    with pytest.raises(MemoryError, match=str(16 + len(header) + 10**12 + 32)):
        model_bytes(tmp_path / "a.model", admit)
