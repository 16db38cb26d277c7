from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_st

from conjunct.errors import ModelFileError
from conjunct.files.model_file import ModelFile, pack_model, unpack_model

DTYPES = ["|u1", "|i1", "<i4", "<i8", "<u4", "<u8", "<f8", ">i4", ">u8", ">f8"]
DIGEST_BYTES = 32

texts = st.text(st.characters(codec="utf-8"), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
headers = st.dictionaries(texts, values, max_size=4)
shapes = numpy_st.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
arrays = st.sampled_from(DTYPES).flatmap(lambda dtype: numpy_st.arrays(dtype, shapes))
array_sets = st.dictionaries(texts, arrays, max_size=4)

SAMPLE = pack_model(
    {"kind": "KernelExpansion", "count": 3**100, "margin": 0.5, "names": ["a", {"b": None}]},
    {"rows": np.arange(6, dtype=np.uint8).reshape(2, 3), "weights": np.array([1, -1], dtype=np.int64)},
)
# Single bytes that mean something to the format, and any others.
pieces = st.sampled_from(
    [b"[", b"]", b"{", b"}", b'"', b"\\", b",", b":", b"-", b"0", b"9", b"e", b".", b"\0", b"\xff"]
)
edits = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 4), pieces | st.binary(max_size=4)), max_size=6)


def mutated(body: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """Replace some bytes at each place by others."""
    for place, n_removed, inserted in changes:
        start = place % (len(body) + 1)
        body = body[:start] + inserted + body[start + n_removed :]
    return body


def sealed(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()


def loaded_or_refused(data: bytes) -> ModelFile | None:
    try:
        return unpack_model(data, source="a.model")
    except ModelFileError as error:
        message = str(error)
    assert message.startswith("a.model: ")
    assert len(message.splitlines()) == 1
    return None


def repacked(found: ModelFile, data: bytes) -> bytes:
    """Return the content as a file of the same minor version."""
    body = pack_model(found.header, found.arrays)[:-DIGEST_BYTES]
    return sealed(body[:10] + data[10:12] + body[12:])


@given(header=headers, saved=array_sets)
def test_random_headers_and_arrays_round_trip(header: dict[str, object], saved: dict[str, npt.NDArray[Any]]) -> None:
    data = pack_model(header, saved)
    found = unpack_model(data)
    assert found.header == header
    assert found.arrays.keys() == saved.keys()
    for name, array in saved.items():
        little = array.astype(array.dtype.newbyteorder("<"))
        assert found.arrays[name].dtype.str == little.dtype.str
        assert found.arrays[name].shape == array.shape
        assert found.arrays[name].tobytes() == little.tobytes()
    assert pack_model(found.header, found.arrays) == data


@given(header=headers, saved=array_sets, place=st.integers(min_value=0), bit=st.integers(0, 7))
def test_a_flipped_bit_of_a_random_file_is_refused(
    header: dict[str, object], saved: dict[str, npt.NDArray[Any]], place: int, bit: int
) -> None:
    data = bytearray(pack_model(header, saved))
    data[place % len(data)] ^= 1 << bit
    assert loaded_or_refused(bytes(data)) is None


@given(changes=edits)
@example(changes=[(10, 1, b"\x01")])
def test_mutations_with_a_right_digest_load_or_are_refused(changes: list[tuple[int, int, bytes]]) -> None:
    data = sealed(mutated(SAMPLE[:-DIGEST_BYTES], changes))
    found = loaded_or_refused(data)
    if found is not None and list(found.arrays) == sorted(found.arrays):
        assert repacked(found, data) == data


@given(changes=edits)
def test_mutated_headers_of_the_right_length_load_or_are_refused(changes: list[tuple[int, int, bytes]]) -> None:
    n_header = int.from_bytes(SAMPLE[12:16], "little")
    header = mutated(SAMPLE[16 : 16 + n_header], changes)
    body = SAMPLE[:12] + len(header).to_bytes(4, "little") + header + SAMPLE[16 + n_header : -DIGEST_BYTES]
    loaded_or_refused(sealed(body))


@given(data=st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    assert loaded_or_refused(data) is None
    loaded_or_refused(sealed(SAMPLE[:12] + data))
