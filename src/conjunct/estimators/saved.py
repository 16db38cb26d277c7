"""Saving and loading estimators: one file format for `save`, `load` and pickle."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from conjunct.errors import ModelFileError
from conjunct.files import write_atomically
from conjunct.saving.saved_model import SavedModel, holding_together, stored_bytes
from conjunct.tables import TableEncoding

__all__ = ["Saved"]


class Saved:
    """What an estimator inherits, before all else, to save itself as data.

    It has ``_require_settings()``, which refuses parameters of wrong types or values; ``_learned()``, what was learned
    as `conjunct.saving` describes it; and ``_take_over(learned)``, which shows it.
    """

    file_kind: ClassVar[str]  # the word that names it in files: one of `conjunct.saving`
    fitted_mark: ClassVar[str] = "classes_"  # the attribute that only a fitted one has

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a file, whole or not at all."""
        check_is_fitted(self)
        estimator: Any = self
        write_atomically(path, self._file_bytes(estimator.get_params(deep=False)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimator from a file that `save` wrote. The file holds data only: any file is safe to open."""
        return cls._from_bytes(stored_bytes(path), os.fspath(path))

    def _file_bytes(self, params: dict[str, Any]) -> bytes:
        estimator: Any = self
        estimator._require_settings()
        encoding = self.encoding_.record() if hasattr(self, "encoding_") else None
        return SavedModel(self.file_kind, params, estimator._learned(), encoding).to_bytes()

    @classmethod
    def _from_bytes(cls, data: bytes, source: str) -> Self:
        saved = SavedModel.from_bytes(data, source, cls.file_kind)
        with holding_together(source):
            return cls._from_saved(saved)

    @classmethod
    def _from_saved(cls, saved: SavedModel) -> Self:
        make: Any = cls
        if set(saved.params) != set(make().get_params(deep=False)):
            raise ModelFileError("params: expected those of the estimator")
        estimator = make(**saved.params)
        estimator._require_settings()
        estimator._take_over(saved.learned)
        if saved.encoding is not None:
            estimator._take_encoding(TableEncoding.from_record(saved.encoding))
        loaded: Self = estimator
        return loaded

    def _take_encoding(self, encoding: TableEncoding) -> None:
        classes = getattr(self, "classes_", np.empty(0))
        if classes.dtype.kind not in "iu" or classes.tolist() != list(range(len(encoding.labels))):
            raise ModelFileError("the classes of the model are not the numbers of its encoding's labels")
        if encoding.variables != tuple(getattr(self, "feature_names_in_", ())):
            raise ModelFileError("the encoding of the model makes other variables than the model was learned from")
        self.encoding_ = encoding

    def __getstate__(self) -> dict[str, Any]:
        """Carry the parameters and, once fitted, the bytes of the model file."""
        estimator: Any = self
        params = estimator.get_params(deep=False)
        if not hasattr(self, self.fitted_mark):
            return {"params": params, "file": None}
        named = {name: None if isinstance(value, np.random.RandomState) else value for name, value in params.items()}
        return {"params": params, "file": self._file_bytes(named)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["file"] is not None:
            self.__dict__.update(self._from_bytes(state["file"], "pickled model").__dict__)
        self.__dict__.update(state["params"])
