"""Model files of either door: estimators by the word that names them in files, and pipelines with a Binarizer."""

from __future__ import annotations

import os
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from conjunct.errors import ModelFileError
from conjunct.estimators.binarizer import Binarizer
from conjunct.estimators.conjunction_svc import ConjunctionSVC
from conjunct.estimators.conjunction_svc_cv import ConjunctionSVCCV
from conjunct.estimators.exponentiated_gradient_regressor import ExponentiatedGradientRegressor
from conjunct.estimators.kernel_perceptron_classifier import KernelPerceptronClassifier
from conjunct.estimators.mask_perceptron_classifier import MaskPerceptronClassifier
from conjunct.estimators.perceptron_classifier import PerceptronClassifier
from conjunct.estimators.saved import Saved
from conjunct.estimators.winnow_classifier import WinnowClassifier
from conjunct.saving import load_model
from conjunct.saving.saved_model import holding_together
from conjunct.saving.table_model import spelled_labels
from conjunct.tables import TableEncoding

__all__ = ["load", "save"]

ESTIMATORS: dict[str, type[Saved]] = {
    cls.file_kind: cls
    for cls in (
        KernelPerceptronClassifier,
        PerceptronClassifier,
        WinnowClassifier,
        ExponentiatedGradientRegressor,
        ConjunctionSVC,
        ConjunctionSVCCV,
        MaskPerceptronClassifier,
    )
}


def load(path: str | os.PathLike[str]) -> Any:
    """Read whichever estimator a model file holds, made by `conjunct fit` or in Python.

    A model that was saved with the encoding of its table, as those of the command and of `save` are, predicts raw
    tables: frames and columns by name, in any order and with others beside them, or arrays of as many columns. Its
    ``classes_`` are the labels; of two, the second is positive.

    Parameters
    ----------
    path : str or path-like
        The file holds data only: any file is safe to open.

    Returns
    -------
    estimator
        Of the class that was saved, fitted; ``encoding_`` is what turns a table's columns into its variables.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.pipeline import make_pipeline
    >>> table = {"sky": ["grey", "clear", "snow", "clear"], "degrees": [4.5, 21.0, -3.0, 17.5]}
    >>> pipeline = make_pipeline(Binarizer(), ConjunctionSVC()).fit(table, ["in", "out", "in", "out"])
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     save(pipeline, file.name)
    ...     model = load(file.name)
    >>> type(model).__name__, model.predict({"degrees": [12.0], "sky": ["clear"]}).tolist()
    ('ConjunctionSVC', ['out'])
    """
    saved = load_model(path)
    with holding_together(os.fspath(path)):
        return ESTIMATORS[saved.kind]._from_saved(saved)


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator, or a pipeline of a Binarizer and one, to a file that `load` and the command read.

    Parameters
    ----------
    model : estimator or Pipeline
        The file of a pipeline holds the estimator and the encoding of its table.
    path : str or path-like
        Written whole or not at all.
    """
    if isinstance(model, Saved):
        model.save(path)
        return
    steps = [step for _, step in model.steps] if isinstance(model, Pipeline) else [model]
    match steps:
        case [Binarizer() as binarizer, Saved() as estimator]:
            pass
        case _:
            shown = ", ".join(type(step).__name__ for step in steps)[:100]
            raise ModelFileError(
                f"expected an estimator of conjunct, or a pipeline of a Binarizer and one, got {shown}"
            )
    check_is_fitted(estimator)
    if not hasattr(estimator, "classes_"):
        raise ModelFileError(f"{type(estimator).__name__} has no classes, which the encoding of a table needs")
    columns = binarizer.columns_
    names = tuple(column.name for column in columns)
    estimator.save(path, TableEncoding(columns, names, None, spelled_labels(estimator.classes_)))
