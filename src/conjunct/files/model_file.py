"""The model file: a header and arrays, data only, refused unless every byte is as it was saved.

::

    offset  bytes  what
    0       8      the magic b"conjunct"
    8       2      major version, here 1: another one is refused
    10      2      minor version, here 0: a newer one is readable
    12      4      length h of the header, at most 1 MiB
    16      h      the header: {"arrays":[[name,dtype,shape],...],"content":{...}}, canonical JSON
    16+h    ...    the arrays in this order, C order, without gaps
    end-32  32     SHA-256 of everything before

All integers are unsigned and little-endian, and so are the arrays.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from conjunct import files
from conjunct.errors import ModelFileError
from conjunct.files import canonical_json
from conjunct.files.canonical_json import quoted
from conjunct.messages import printable

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ModelFile", "model_bytes", "pack_model", "read_model", "unpack_model", "write_model"]

_MAGIC = b"conjunct"
_MAJOR, _MINOR = 1, 0
_PREFIX = struct.Struct("<8sHHI")
_DIGEST_BYTES = hashlib.sha256().digest_size
_MAX_HEADER_BYTES = 1 << 20
_PIECE_BYTES = 1 << 20
_ITEM_BYTES = {"|u1": 1, "|i1": 1, "<i4": 4, "<i8": 8, "<u4": 4, "<u8": 8, "<f8": 8}
_MAX_DIMENSIONS = 32  # of numpy 1; numpy 2 allows more
_MAX_ARRAY_BYTES = 2**63 - 1
_CHANGED = "the file is truncated or was changed; save the model again"


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """The content of a model file.

    Attributes
    ----------
    header : dict
        What was saved as header: text, numbers, lists, mappings, bools and None.
    arrays : dict of ndarray
        The saved arrays by name; read-only, aligned, in C order.
    """

    header: dict[str, object]
    arrays: dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class _Slot:
    """One array as the header announces it."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def n_bytes(self) -> int:
        return math.prod(self.shape) * _ITEM_BYTES[self.dtype]


def pack_model(header: Mapping[str, object], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return the bytes of a model file; the same content always gives the same bytes.

    Parameters
    ----------
    header : mapping
        Nested mappings with text keys, lists, text, integers, finite floats, bools and None. Tuples are saved as lists.
    arrays : mapping of ndarray
        Arrays of 8-bit, 32-bit or 64-bit integers or of float64, of any byte order and memory layout. The order
        of the names does not matter.

    Returns
    -------
    bytes
        What :func:`unpack_model` reads.

    Raises
    ------
    ModelFileError
        The header or an array has no place in a model file.

    Examples
    --------
    >>> data = pack_model({"kind": "LinearThreshold"}, {"weights": np.array([1, -1])})
    >>> unpack_model(data).arrays["weights"]
    array([ 1, -1])
    """
    try:
        return _pack(header, arrays)
    except ModelFileError as error:
        raise ModelFileError(f"model: {error}") from None


def unpack_model(data: bytes, *, source: str = "model") -> ModelFile:
    """Return the content of a model file, after every check.

    Parameters
    ----------
    data : bytes
        The whole file.
    source : str
        What error messages call the file.

    Returns
    -------
    ModelFile
        Its header and its arrays.

    Raises
    ------
    ModelFileError
        The bytes are not exactly a model file of a known version.
    """
    try:
        return _unpack(data)
    except ModelFileError as error:
        raise ModelFileError(f"{printable(source)}: {error}") from None


def read_model(path: str | os.PathLike[str]) -> ModelFile:
    """Return the content of the model file at the path.

    Parameters
    ----------
    path : str or path-like
        The file to read.

    Returns
    -------
    ModelFile
        Its header and its arrays.

    Raises
    ------
    OSError
        The file cannot be read.
    ModelFileError
        The file is not exactly a model file of a known version.
    """
    return unpack_model(model_bytes(path), source=os.fspath(path))


def model_bytes(path: str | os.PathLike[str], admit: Callable[[int], None] = lambda _: None) -> bytes:
    """Return the bytes of the model file at the path, and of anything else no more than it takes to refuse it.

    Parameters
    ----------
    path : str or path-like
        The file to read; a pipe or a device without an end is refused like any other.
    admit : callable
        Told how many bytes the header announces, before they are read; raises if those are too many.

    Raises
    ------
    OSError
        The file cannot be read.
    ModelFileError
        It does not start as a model file of a known version does.
    """
    try:
        return _admitted_bytes(path, admit)
    except OSError as error:  # of a read, which does not name its file
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _admitted_bytes(path: str | os.PathLike[str], admit: Callable[[int], None]) -> bytes:
    with io.FileIO(os.fspath(path)) as file:
        data = _piece_by_piece(file, _PREFIX.size + _DIGEST_BYTES)
        try:
            n_header = _require_prefix(data)
        except ModelFileError as error:
            raise ModelFileError(f"{printable(os.fspath(path))}: {error}") from None
        start = _PREFIX.size + min(n_header, _MAX_HEADER_BYTES)
        data += _piece_by_piece(file, start + _DIGEST_BYTES - len(data))
        try:
            slots = _header_from(data[_PREFIX.size : start])[1]
        except ModelFileError:
            return data  # which is refused, by its digest first
        n_arrays = sum(slot.n_bytes for slot in slots)
        admit(start + n_arrays + _DIGEST_BYTES)
        return data + _piece_by_piece(file, n_arrays + 1)  # one more, to see that nothing follows


def write_model(
    path: str | os.PathLike[str], header: Mapping[str, object], arrays: Mapping[str, npt.NDArray[Any]]
) -> None:
    """Save a model file; on any failure the old file at the path stays.

    Parameters
    ----------
    path : str or path-like
        The file to write.
    header : mapping
        As for :func:`pack_model`.
    arrays : mapping of ndarray
        As for :func:`pack_model`.

    Raises
    ------
    OSError
        The file cannot be written.
    ModelFileError
        The header or an array has no place in a model file.
    """
    files.write_atomically(path, pack_model(header, arrays))


def _pack(header: object, arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    if not isinstance(header, Mapping):
        raise ModelFileError(f"the header is a {type(header).__name__}, expected a mapping")
    slots = sorted((_slot_for(name, array) for name, array in arrays.items()), key=lambda slot: slot.name)
    listed = [[slot.name, slot.dtype, slot.shape] for slot in slots]
    text = canonical_json.encode({"arrays": listed, "content": header}).encode("ascii")
    if len(text) > _MAX_HEADER_BYTES:
        raise ModelFileError(f"the header has {len(text)} bytes, expected at most {_MAX_HEADER_BYTES}")
    parts = [_PREFIX.pack(_MAGIC, _MAJOR, _MINOR, len(text)), text]
    parts += [arrays[slot.name].astype(slot.dtype, copy=False).tobytes(order="C") for slot in slots]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return b"".join([*parts, digest.digest()])


def _slot_for(name: object, array: object) -> _Slot:
    if not isinstance(name, str) or not isinstance(array, np.ndarray):
        kinds = f"a {type(name).__name__} naming a {type(array).__name__}"
        raise ModelFileError(f"the arrays hold {kinds}, expected text naming an ndarray")
    dtype = array.dtype.newbyteorder("<").str
    if dtype not in _ITEM_BYTES:
        allowed = ", ".join(np.dtype(known).name for known in _ITEM_BYTES)
        raise ModelFileError(f"array {quoted(name)} has dtype {array.dtype}, expected one of {allowed}")
    return _bounded(_Slot(name, dtype, array.shape))


def _piece_by_piece(file: BinaryIO, n_bytes: int) -> bytes:
    """Read so many bytes, or all there are; what is taken grows with what came, not with what was asked for."""
    data = bytearray()
    while len(data) < n_bytes and (piece := file.read(min(_PIECE_BYTES, n_bytes - len(data)))):
        data += piece
    return bytes(data)


def _require_prefix(data: bytes) -> int:
    """Return the length of the header as the first bytes say; refuse another file or another version."""
    shortest = _PREFIX.size + _DIGEST_BYTES
    if len(data) < shortest:
        raise ModelFileError(f"{len(data)} bytes are no model file, expected at least {shortest}; {_CHANGED}")
    magic, major, minor, n_header = _PREFIX.unpack_from(data)
    if magic != _MAGIC:
        raise ModelFileError(f"not a conjunct model file, expected it to start with {_MAGIC.decode()!r}")
    if major != _MAJOR:
        raise ModelFileError(
            f"model format {major}.{minor} is unknown, expected {_MAJOR}.x; use the version of conjunct that saved it"
        )
    return int(n_header)


def _unpack(data: bytes) -> ModelFile:
    n_header = _require_prefix(data)
    body = memoryview(data)[:-_DIGEST_BYTES]
    if hashlib.sha256(body).digest() != data[-_DIGEST_BYTES:]:
        raise ModelFileError(f"the content and its SHA-256 differ, expected them to agree; {_CHANGED}")
    at_most = min(_MAX_HEADER_BYTES, len(body) - _PREFIX.size)
    if n_header > at_most:
        raise ModelFileError(f"the header length is {n_header}, expected at most {at_most} in this file")
    start = _PREFIX.size + n_header
    content, slots = _header_from(bytes(body[_PREFIX.size : start]))
    n_arrays, announced = len(body) - start, sum(slot.n_bytes for slot in slots)
    if announced != n_arrays:
        raise ModelFileError(f"{n_arrays} bytes of arrays, expected {_count(announced)} from the header; {_CHANGED}")
    arrays: dict[str, npt.NDArray[Any]] = {}
    for slot in slots:
        # Bytes of its own make the array aligned, and read-only for good.
        own = data[start : start + slot.n_bytes]
        arrays[slot.name] = np.ndarray(slot.shape, dtype=slot.dtype, buffer=own)
        start += slot.n_bytes
    return ModelFile(content, arrays)


def _header_from(raw: bytes) -> tuple[dict[str, object], list[_Slot]]:
    try:
        header = canonical_json.decode(raw.decode())
    except UnicodeDecodeError as error:
        raise ModelFileError(f"the header is not UTF-8 at byte {error.start}, expected JSON in UTF-8") from None
    if not isinstance(header, dict):
        raise ModelFileError(f"the header is a {type(header).__name__}, expected a mapping")
    if header.keys() != {"arrays", "content"}:
        keys = quoted(", ".join(header))
        raise ModelFileError(f"the header has the keys {keys}, expected exactly 'arrays' and 'content'")
    listed, content = header["arrays"], header["content"]
    if not isinstance(listed, list) or not isinstance(content, dict):
        raise ModelFileError("the header has other types, expected a list 'arrays' and a mapping 'content'")
    slots: dict[str, _Slot] = {}
    for position, entry in enumerate(listed):
        slot = _slot_from(entry, position)
        if slot.name in slots:
            raise ModelFileError(f"array {quoted(slot.name)} is listed twice, expected every name once")
        slots[slot.name] = slot
    return content, list(slots.values())


def _slot_from(entry: object, position: int) -> _Slot:
    match entry:
        case [str(name), str(dtype), list(shape)]:
            pass
        case _:
            raise ModelFileError(f"entry {position} of the arrays is malformed, expected [name, dtype, shape]")
    if dtype not in _ITEM_BYTES:
        raise ModelFileError(
            f"array {quoted(name)} has dtype {quoted(dtype)}, expected one of {', '.join(_ITEM_BYTES)}"
        )
    for length in shape:
        if type(length) is not int or length < 0:
            raise ModelFileError(f"the shape of array {quoted(name)} is malformed, expected integers from 0 on")
    return _bounded(_Slot(name, dtype, tuple(shape)))


def _bounded(slot: _Slot) -> _Slot:
    """Return the slot if numpy can hold its shape."""
    if len(slot.shape) > _MAX_DIMENSIONS:
        came = f"array {quoted(slot.name)} has {len(slot.shape)} dimensions"
        raise ModelFileError(f"{came}, expected at most {_MAX_DIMENSIONS}")
    # Lengths beside a 0 count too: numpy multiplies them in 64 bits even if the array is empty.
    if math.prod(length or 1 for length in slot.shape) * _ITEM_BYTES[slot.dtype] > _MAX_ARRAY_BYTES:
        raise ModelFileError(f"array {quoted(slot.name)} is too large, expected at most {_MAX_ARRAY_BYTES} bytes")
    return slot


def _count(number: int) -> str:
    """Return a number for a message, short whatever its size."""
    return str(number) if number <= _MAX_ARRAY_BYTES else f"more than {_MAX_ARRAY_BYTES}"
