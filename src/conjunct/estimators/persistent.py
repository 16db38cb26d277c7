"""Saving and loading estimators: one file format for `save`, `load` and pickle."""

from __future__ import annotations

import os
from abc import abstractmethod
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from conjunct.bits import BitMatrix
from conjunct.errors import ConjunctError, ModelFileError
from conjunct.files import ModelFile, pack_model, unpack_model, write_atomically
from conjunct.kernels import Kernel, kernel_from_record, kernel_record
from conjunct.theory import exact

__all__ = ["Persistent"]

LABEL_KINDS: dict[str, tuple[type, ...]] = {
    "b": (bool,),
    "i": (int,),
    "u": (int,),
    "f": (float, int),
    "U": (str,),
    "O": (str,),
}


class Persistent(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """An estimator that saves itself as data.

    Subclasses give ``file_kind``, a word that names them in files, and turn what they learned into a record and arrays
    and back.
    """

    file_kind: ClassVar[str]

    @abstractmethod
    def _learned(self) -> tuple[dict[str, object], dict[str, np.ndarray[Any, Any]]]:
        """Return what was learned as plain data and arrays."""

    @abstractmethod
    def _relearn(self, record: dict[str, Any], arrays: dict[str, np.ndarray[Any, Any]]) -> None:
        """Take over what `_learned` returned, checking every value."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a file, whole or not at all."""
        write_atomically(path, self._file_bytes(self.get_params(deep=False)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimator from a file that `save` wrote. The file holds data only: any file is safe to open."""
        return cls._from_bytes(Path(path).read_bytes(), os.fspath(path))

    def _file_bytes(self, params: dict[str, Any]) -> bytes:
        check_is_fitted(self)
        learned, arrays = self._learned()
        plain = {name: _plain(name, value) for name, value in params.items()}
        return pack_model({"kind": self.file_kind, "params": plain, "learned": learned}, arrays)

    @classmethod
    def _from_bytes(cls, data: bytes, source: str) -> Self:
        file = unpack_model(data, source=source)
        try:
            return cls._from_file(file)
        except (ConjunctError, TypeError, ValueError, KeyError, IndexError, OverflowError) as error:
            raise ModelFileError(f"{source}: the model does not hold together: {_one_line(error)}") from None

    @classmethod
    def _from_file(cls, file: ModelFile) -> Self:
        header = file.header
        if header.keys() != {"kind", "params", "learned"} or header["kind"] != cls.file_kind:
            raise ModelFileError(f"it holds a {str(header.get('kind'))[:40]!r}, expected a {cls.file_kind!r}")
        params, learned = header["params"], header["learned"]
        expected = set(cls().get_params(deep=False))
        if not isinstance(params, dict) or set(params) != expected or not isinstance(learned, dict):
            raise ModelFileError("its parameters are not those of the estimator")
        estimator = cls(**{name: _from_plain(value) for name, value in params.items()})
        estimator._relearn(learned, file.arrays)
        return estimator

    def __getstate__(self) -> dict[str, Any]:
        """Carry the parameters and, once fitted, the bytes of the model file."""
        params = self.get_params(deep=False)
        if not hasattr(self, "classes_"):
            return {"params": params, "file": None}
        named = {name: None if isinstance(value, np.random.RandomState) else value for name, value in params.items()}
        return {"params": params, "file": self._file_bytes(named)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["file"] is not None:
            self.__dict__.update(self._from_bytes(state["file"], "pickled model").__dict__)
        self.__dict__.update(state["params"])


def names_arrays(rows: BitMatrix) -> dict[str, np.ndarray[Any, Any]]:
    """Return the names of a table's variables as arrays: their lengths in bytes, and one text."""
    texts = [name.encode() for name in rows.names] if rows.is_named else []
    return {
        "names.lengths": np.array([len(text) for text in texts], np.int64),
        "names.text": np.frombuffer(b"".join(texts), np.uint8),
    }


def names_from_arrays(lengths: np.ndarray[Any, Any], text: np.ndarray[Any, Any]) -> tuple[str, ...] | None:
    """Read what `names_arrays` wrote; None where the variables had no names."""
    if lengths.dtype != np.int64 or text.dtype != np.uint8 or lengths.ndim != 1 or text.ndim != 1:
        raise ModelFileError("the names of the variables are malformed")
    if np.any(lengths < 0) or sum(lengths.tolist()) != len(text):
        raise ModelFileError("the names of the variables have other lengths than their text")
    ends = np.cumsum(lengths)
    raw = text.tobytes()
    names = tuple(raw[end - length : end].decode() for end, length in zip(ends.tolist(), lengths.tolist(), strict=True))
    return names or None


def classes_record(classes: np.ndarray[Any, Any]) -> dict[str, object]:
    """Describe an array of class labels: its type and its values."""
    values = classes.tolist()
    kinds = LABEL_KINDS.get(classes.dtype.kind, ())
    if not all(type(value) in kinds for value in values):
        raise ModelFileError(
            f"labels of type {type(values[0]).__name__} have no place in a model file; use text or numbers"
        )
    return {"dtype": classes.dtype.str, "values": values}


def classes_from_record(record: object) -> np.ndarray[Any, Any]:
    """Read what `classes_record` wrote."""
    if not isinstance(record, dict) or record.keys() != {"dtype", "values"} or not isinstance(record["values"], list):
        raise ModelFileError("the classes are malformed")
    dtype, values = np.dtype(str(record["dtype"])), record["values"]
    if dtype.kind not in LABEL_KINDS or not all(type(value) in LABEL_KINDS[dtype.kind] for value in values):
        raise ModelFileError("the classes have values of another type than they say")
    classes = np.array(values, dtype)
    if len(classes) < 2 or classes.tolist() != values or sorted(set(values)) != values:
        raise ModelFileError("the classes are not at least two, sorted, each once")
    return classes


def _plain(name: str, value: object) -> object:
    if isinstance(value, Kernel):
        return {"kernel": kernel_record(value)}
    if isinstance(value, Fraction):
        return {"ratio": str(value)}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {"pairs": [[_plain(name, key), _plain(name, entry)] for key, entry in value.items()]}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ModelFileError(
        f"{name}={value!r} has no place in a model file; set it to None, a number or text before saving"
    )


def _from_plain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    match value:
        case {"kernel": record, **rest} if not rest:
            return kernel_from_record(record)
        case {"ratio": str(text), **rest} if not rest:
            return exact(text, "ratio")
        case {"pairs": list(pairs), **rest} if not rest:
            return {_from_plain(key): _from_plain(entry) for key, entry in pairs}
    raise ModelFileError("a parameter of the estimator is malformed")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
