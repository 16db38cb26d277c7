"""A model file as a whole: which kind of model, its parameters, what was learned, and how tables become its rows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.errors import ConjunctError, MemoryLimitError, ModelFileError
from conjunct.files import canonical_json, model_bytes, pack_model, unpack_model
from conjunct.messages import printable, shortened
from conjunct.saving.values import plain, plain_from

__all__ = ["KINDS", "SavedModel", "holding_together", "load_model", "stored_bytes"]

BYTES_PER_STORED = 5  # of a file: itself, its arrays, and what is learned from them, as measured
BYTES_PER_ENCODING = 32  # of the text of an encoding

# Where the fields of each kind are, by the word that names it in files; imported when a file of the kind is.
KINDS = {
    "kernel-perceptron-classifier": "kernel_perceptron_model",
    "perceptron-classifier": "perceptron_model",
    "winnow-classifier": "winnow_model",
    "exponentiated-gradient-regressor": "gradient_model",
    "conjunction-svc": "margin_model",
    "conjunction-svc-cv": "margin_search",
    "mask-perceptron-classifier": "mask_model",
}


def kind_of(name: str) -> Any:
    """Return what describes and reads the models of a kind."""
    return import_module(f"conjunct.saving.{KINDS[name]}").KIND


@dataclass(frozen=True, eq=False)
class SavedModel:
    """What a model file holds.

    Attributes
    ----------
    kind : str
        The word that names the kind of model in files.
    params : dict
        The parameters it was learned with, by name.
    learned : OnLineModel, GradientModel, Machine, SearchedMachine or MaskModel
        What was learned; ``learned.model`` is the frozen hypothesis of a classifier, ``learned.classes`` its labels.
    encoding : object
        How a table's columns become variables and labels classes, as plain data; None where the model has none.
    """

    kind: str
    params: dict[str, Any]
    learned: Any
    encoding: object = None

    def to_bytes(self) -> bytes:
        """Return the bytes of the file."""
        record, arrays = kind_of(self.kind).describe(self.learned)
        if self.encoding is not None:
            text = canonical_json.encode(self.encoding).encode("ascii")
            arrays = arrays | {"encoding": np.frombuffer(text, np.uint8)}
        params = {name: plain(name, value) for name, value in self.params.items()}
        return pack_model({"kind": self.kind, "params": params, "learned": record}, arrays)

    @classmethod
    def from_bytes(cls, data: bytes, source: str, kind: str | None = None) -> SavedModel:
        """Read the bytes of a file; whatever does not hold together, or is of another kind, is refused in one line."""
        file = unpack_model(data, source=source)
        with holding_together(source):
            header, arrays = file.header, dict(file.arrays)
            file_kind = header.get("kind")
            kinds = (*KINDS,) if kind is None else (kind,)
            if (
                header.keys() != {"kind", "params", "learned"}
                or not isinstance(file_kind, str)
                or file_kind not in kinds
            ):
                listed = f"one of {', '.join(kinds)}" if kind is None else f"a {shortened(kind)}"
                raise ModelFileError(f"it holds a {shortened(file_kind)}, expected {listed}")
            if not isinstance(header["params"], dict) or not isinstance(header["learned"], dict):
                raise ModelFileError("params, learned: expected records")
            params = {name: plain_from(value) for name, value in header["params"].items()}
            encoding = _encoding(arrays.pop("encoding", None))
            return cls(file_kind, params, kind_of(file_kind).read(header["learned"], arrays), encoding)


def load_model(path: str | os.PathLike[str]) -> SavedModel:
    """Read any model file, for its frozen model; the file holds data only: any file is safe to open."""
    return SavedModel.from_bytes(stored_bytes(path), os.fspath(path))


def stored_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a model file, refused before they are read if they and what they hold pass the limit."""

    def admit(n_bytes: int) -> None:
        require_memory(BYTES_PER_STORED * n_bytes, f"the model {printable(os.fspath(path))}", "raise CONJUNCT_MEMORY")

    return model_bytes(path, admit)


@contextmanager
def holding_together(source: str) -> Iterator[None]:
    """Say of what a file holds, whatever is wrong with it, that the model does not hold together."""
    try:
        yield
    except MemoryLimitError:
        raise
    except (ConjunctError, TypeError, ValueError, LookupError, ArithmeticError) as error:
        reason = printable(" ".join(str(error).split()))[:300]
        raise ModelFileError(f"{printable(source)}: the model does not hold together: {reason}") from None


def _encoding(text: np.ndarray[Any, Any] | None) -> object:
    if text is None:
        return None
    if text.dtype != np.uint8 or text.ndim != 1:
        raise ModelFileError("array encoding: expected text")
    require_memory(BYTES_PER_ENCODING * len(text), "the names of the model", "raise CONJUNCT_MEMORY")
    encoding: object = canonical_json.decode(text.tobytes().decode("ascii"))
    if encoding is None:
        raise ModelFileError("array encoding: expected a record")
    return encoding
