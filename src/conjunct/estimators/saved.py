"""Saving and loading estimators: one file format for `save`, `load` and pickle."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from conjunct.errors import ModelFileError
from conjunct.files import write_atomically
from conjunct.saving.saved_model import SavedModel, holding_together, stored_bytes
from conjunct.saving.table_model import are_numbers_of_labels, require_encoding
from conjunct.tables import TableEncoding

__all__ = ["Saved"]

NOT_SAVED = {"n_jobs"}  # what belongs to the machine, not to the model


class Saved:
    """What an estimator inherits, before all else, to save itself as data.

    One that was saved with the encoding of its table has it in ``encoding_``, and predicts raw columns.

    It has ``_require_settings()``, which refuses parameters of wrong types or values; ``_learned()``, what was learned
    as `conjunct.saving` describes it; and ``_take_over(learned)``, which shows it.
    """

    file_kind: ClassVar[str]  # the word that names it in files: one of `conjunct.saving`
    fitted_mark: ClassVar[str] = "classes_"  # the attribute that only a fitted one has

    def save(self, path: str | os.PathLike[str], encoding: TableEncoding | None = None) -> None:
        """Write the fitted estimator to a file, whole or not at all; with what made its rows of a table, if given.

        An estimator inside a pipeline is saved by `conjunct.save`, with the encoding of the pipeline's Binarizer.
        """
        check_is_fitted(self)
        estimator: Any = self
        write_atomically(path, self._file_bytes(estimator.get_params(deep=False), encoding))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimator from a file that `save` wrote. The file holds data only: any file is safe to open."""
        return cls._from_bytes(stored_bytes(path), os.fspath(path))

    def _file_bytes(self, params: dict[str, Any], encoding: TableEncoding | None = None) -> bytes:
        estimator: Any = self
        estimator._require_settings()
        learned, encoding = estimator._learned(), encoding or getattr(self, "encoding_", None)
        if encoding is not None:
            if learned.names is None:
                learned = learned.with_names(encoding.variables)
            classes = learned.classes.tolist()
            if classes != sorted(classes):  # as --positive may order them: the encoding has the labels
                learned = learned.with_classes(np.arange(len(classes)))
            require_encoding(encoding, learned)
        params = {name: value for name, value in params.items() if name not in NOT_SAVED}
        record = None if encoding is None else encoding.record()
        return SavedModel(self.file_kind, params, learned, record).to_bytes()

    @classmethod
    def _from_bytes(cls, data: bytes, source: str) -> Self:
        saved = SavedModel.from_bytes(data, source, cls.file_kind)
        with holding_together(source):
            return cls._from_saved(saved)

    @classmethod
    def _from_saved(cls, saved: SavedModel) -> Self:
        make: Any = cls
        if set(saved.params) != set(make().get_params(deep=False)) - NOT_SAVED:
            raise ModelFileError("params: expected those of the estimator")
        estimator = make(**saved.params)
        estimator._require_settings()
        learned = saved.learned
        if saved.encoding is not None:
            estimator.encoding_ = TableEncoding.from_record(saved.encoding)
            require_encoding(estimator.encoding_, learned)
            if are_numbers_of_labels(learned.classes):
                learned = learned.with_classes(np.array(estimator.encoding_.labels))
        estimator._take_over(learned)
        loaded: Self = estimator
        return loaded

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
