"""scikit-learn's breast-cancer data, cut at the quartiles of each column."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer

from conjunct.bits import BitMatrix
from conjunct.tables.table import Table

__all__ = ["breast_cancer"]


def breast_cancer() -> Table:
    """569 tumours, benign or malignant, with a variable for each quartile of each of 30 measurements.

    Returns
    -------
    Table
        Variables such as ``mean radius<=11.7``, where the cut is an observed value: of n sorted values, the ones at
        positions floor(k (n - 1) / 4), k = 1, 2, 3, counted from 0. Nothing is interpolated, and a cut that a column
        repeats is kept once. Labels "benign" (357) and "malignant" (212). No rule is known.

    Examples
    --------
    >>> table = breast_cancer()
    >>> table.rows.names[:3]
    ('mean radius<=11.7', 'mean radius<=13.37', 'mean radius<=15.78')
    >>> table.rows.n_rows, int((table.labels == "malignant").sum())
    (569, 212)
    """
    source = load_breast_cancer()
    names, bits = [], []
    for column, values in zip(source.feature_names, source.data.T, strict=True):
        ordered = np.sort(values)
        for cut in np.unique(ordered[[quarter * (ordered.size - 1) // 4 for quarter in (1, 2, 3)]]).tolist():
            names.append(f"{column}<={cut!r}")
            bits.append(values <= cut)
    rows = BitMatrix.from_array(np.column_stack(bits), names)
    target = "the diagnosis made from the tissue; no rule is known"
    return Table("breast-cancer", rows, source.target_names[source.target], target)
