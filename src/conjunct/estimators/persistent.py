"""Saving and loading estimators: one file format for `save`, `load` and pickle."""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from conjunct.bits.limits import require_memory
from conjunct.errors import ConjunctError, MemoryLimitError, ModelFileError
from conjunct.files import ModelFile, canonical_json, model_bytes, pack_model, unpack_model, write_atomically
from conjunct.kernels import Kernel, kernel_from_record, kernel_record
from conjunct.messages import printable, shortened
from conjunct.tables import TableEncoding

__all__ = ["Persistent", "stored_bytes"]

LABEL_TYPE = re.compile(r"[<>|](b1|[iuf][1248]|O|U[0-9]{1,6})")
LARGEST_LABELS = 1 << 24
BYTES_PER_STORED = 5  # of a file: itself, its arrays, and what is learned from them, as measured
BYTES_PER_DOOR = 32  # of what a encoding is written in
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
    fitted_mark: ClassVar[str] = "classes_"  # the attribute that only a fitted one has

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
        return cls._from_bytes(stored_bytes(path), os.fspath(path))

    def _file_bytes(self, params: dict[str, Any]) -> bytes:
        check_is_fitted(self)
        learned, arrays = self._learned()
        if hasattr(self, "encoding_"):
            text = canonical_json.encode(self.encoding_.record()).encode("ascii")
            arrays["encoding"] = np.frombuffer(text, np.uint8)
        plain = {name: _plain(name, value) for name, value in params.items()}
        return pack_model({"kind": self.file_kind, "params": plain, "learned": learned}, arrays)

    @classmethod
    def _from_bytes(cls, data: bytes, source: str) -> Self:
        file = unpack_model(data, source=source)
        try:
            return cls._from_file(file)
        except MemoryLimitError:
            raise
        except (ConjunctError, TypeError, ValueError, LookupError, ArithmeticError) as error:
            reason = printable(" ".join(str(error).split()))[:300]
            raise ModelFileError(f"{printable(source)}: the model does not hold together: {reason}") from None

    @classmethod
    def _from_file(cls, file: ModelFile) -> Self:
        header = file.header
        if header.keys() != {"kind", "params", "learned"} or header["kind"] != cls.file_kind:
            raise ModelFileError(f"it holds a {shortened(header.get('kind'))}, expected a {shortened(cls.file_kind)}")
        params, learned = header["params"], header["learned"]
        expected = set(cls().get_params(deep=False))
        if not isinstance(params, dict) or set(params) != expected or not isinstance(learned, dict):
            raise ModelFileError("its parameters are not those of the estimator")
        estimator = cls(**{name: _from_plain(value) for name, value in params.items()})
        arrays = dict(file.arrays)
        encoding = arrays.pop("encoding", None)
        estimator._relearn(learned, arrays)
        if encoding is not None:
            if encoding.dtype != np.uint8 or encoding.ndim != 1:
                raise ModelFileError("the encoding of the model is malformed")
            require_memory(BYTES_PER_DOOR * len(encoding), "the names of the model", "raise CONJUNCT_MEMORY")
            estimator.encoding_ = TableEncoding.from_record(canonical_json.decode(encoding.tobytes().decode("ascii")))
            classes = getattr(estimator, "classes_", np.empty(0))
            if classes.dtype.kind not in "iu" or classes.tolist() != list(range(len(estimator.encoding_.labels))):
                raise ModelFileError("the classes of the model are not the numbers of its encoding's labels")
            if estimator.encoding_.variables != tuple(getattr(estimator, "feature_names_in_", ())):
                raise ModelFileError("the encoding of the model makes other variables than the model was learned from")
        return estimator

    def __getstate__(self) -> dict[str, Any]:
        """Carry the parameters and, once fitted, the bytes of the model file."""
        params = self.get_params(deep=False)
        if not hasattr(self, self.fitted_mark):
            return {"params": params, "file": None}
        named = {name: None if isinstance(value, np.random.RandomState) else value for name, value in params.items()}
        return {"params": params, "file": self._file_bytes(named)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["file"] is not None:
            self.__dict__.update(self._from_bytes(state["file"], "pickled model").__dict__)
        self.__dict__.update(state["params"])


def stored_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a model file, refused before they are read if they and what they hold pass the limit."""

    def admit(n_bytes: int) -> None:
        require_memory(BYTES_PER_STORED * n_bytes, f"the model {printable(os.fspath(path))}", "raise CONJUNCT_MEMORY")

    return model_bytes(path, admit)


def variables_arrays(n_variables: int, names: Sequence[str] | None) -> dict[str, np.ndarray[Any, Any]]:
    """Return the variables of a table as arrays: a packed row of ones, the lengths of the names in bytes, one text.

    The row of ones makes a file grow with the number of variables even where no row was learned, so that reading it
    never takes more than the file is long.
    """
    texts = [name.encode() for name in names or ()]
    return {
        "variables": _packed_ones(n_variables),
        "names.lengths": np.array([len(text) for text in texts], np.int64),
        "names.text": np.frombuffer(b"".join(texts), np.uint8),
    }


def variables_from_arrays(
    n_variables: object, arrays: dict[str, np.ndarray[Any, Any]]
) -> tuple[int, tuple[str, ...] | None]:
    """Read what `variables_arrays` wrote: the number of variables, and their names where they have some."""
    ones, lengths, text = (arrays[name] for name in ("variables", "names.lengths", "names.text"))
    if type(n_variables) is not int or ones.ndim != 1 or not 1 <= n_variables <= 64 * len(ones):
        raise ModelFileError("the number of variables is not that of its arrays")
    if ones.dtype != np.uint64 or not np.array_equal(ones, _packed_ones(n_variables)):
        raise ModelFileError("the number of variables is not that of its arrays")
    if lengths.dtype != np.int64 or text.dtype != np.uint8 or lengths.ndim != 1 or text.ndim != 1:
        raise ModelFileError("the names of the variables are malformed")
    if np.any(lengths < 0) or sum(lengths.tolist()) != len(text) or len(lengths) not in (0, n_variables):
        raise ModelFileError("the names of the variables have other lengths than their text")
    raw, end = text.tobytes(), 0
    names = tuple(raw[end : (end := end + length)].decode() for length in lengths.tolist())
    return n_variables, names or None


def classes_record(classes: np.ndarray[Any, Any]) -> dict[str, object]:
    """Describe an array of class labels: its type and its values."""
    values = classes.tolist()
    if not _is_plain(classes.dtype.str, values):
        raise ModelFileError(
            f"labels of type {type(values[0]).__name__} have no place in a model file; use text or numbers"
        )
    return {"dtype": classes.dtype.str, "values": values}


def classes_from_record(record: object) -> np.ndarray[Any, Any]:
    """Read what `classes_record` wrote."""
    match record:
        case {"dtype": str(name), "values": list(values), **rest} if not rest and _is_plain(name, values):
            with np.errstate(over="ignore"):
                classes = np.array(values, name)
        case _:
            raise ModelFileError("the classes are malformed")
    if len(values) < 2 or classes.tolist() != values or sorted(set(values)) != values:
        raise ModelFileError("the classes are not at least two, sorted, each once")
    return classes


def ratio_record(ratio: Fraction) -> list[int]:
    """Describe an exact number: its numerator and its denominator."""
    return [ratio.numerator, ratio.denominator]


def ratio_from_record(record: object) -> Fraction:
    """Read what `ratio_record` wrote."""
    match record:
        case [numerator, denominator] if type(numerator) is type(denominator) is int and denominator > 0:
            return Fraction(numerator, denominator)
    raise ModelFileError("an exact number is not a numerator and a positive denominator")


def _is_plain(name: str, values: list[Any]) -> bool:
    """Return whether labels of a type are numbers or text, all of that type, and not unreasonably many or long."""
    if not LABEL_TYPE.fullmatch(name) or not all(type(value) in LABEL_KINDS[name[1]] for value in values):
        return False
    return np.dtype(name).itemsize * len(values) <= LARGEST_LABELS


def _packed_ones(n_variables: int) -> np.ndarray[Any, Any]:
    ones = np.full((n_variables + 63) // 64, 2**64 - 1, np.uint64)
    ones[-1] >>= np.uint64(-n_variables % 64)
    return ones


def _plain(name: str, value: object) -> object:
    if isinstance(value, Kernel):
        return {"kernel": kernel_record(value)}
    if isinstance(value, Fraction):
        return {"ratio": ratio_record(value)}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {"pairs": [[_plain(name, key), _plain(name, entry)] for key, entry in value.items()]}
    if isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim == 1):
        return {"tuple": [_plain(name, entry) for entry in value]}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ModelFileError(
        f"{name}={shortened(value)} has no place in a model file; set it to None, a number or text before saving"
    )


def _from_plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    match value:
        case {"kernel": record, **rest} if not rest:
            return kernel_from_record(record)
        case {"ratio": record, **rest} if not rest:
            return ratio_from_record(record)
        case {"tuple": list(entries), **rest} if not rest:
            return tuple(_from_plain(entry) for entry in entries)
        case {"pairs": list(pairs), **rest} if not rest:
            return {_from_plain(key): _from_plain(entry) for key, entry in pairs}
    raise ModelFileError("a parameter of the estimator is malformed")
