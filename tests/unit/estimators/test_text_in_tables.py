"""Text given to an estimator that reads numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from conjunct import Binarizer, ConjunctionSVC
from conjunct.errors import RowError
from every_estimator import ESTIMATORS

READERS_OF_NUMBERS = [estimator for estimator in ESTIMATORS if estimator is not Binarizer]

TABLE = {"flag": [0, 1, 1, 0], "color": ["red", "blue", "red", "x"]}
FRAME = pd.DataFrame(TABLE)
NAMED = [
    FRAME,
    FRAME.astype({"color": "category"}),
    FRAME.astype({"color": "string"}),
    pl.DataFrame(TABLE),
    pl.DataFrame(TABLE, schema_overrides={"color": pl.Categorical}),
]
NUMBERED = [FRAME.to_numpy(), FRAME.to_numpy().tolist(), np.array([["0", "red"]] * 4)]


@pytest.mark.parametrize("estimator", READERS_OF_NUMBERS)
def test_text_is_refused_by_column_and_value_offering_the_binarizer(estimator: Any) -> None:
    tables = [(table, "'color' has 'red'") for table in NAMED] + [(table, "[01] has '(red|0)'") for table in NUMBERED]
    for table, shown in tables:
        with pytest.raises(RowError, match=rf"^column {shown} in row 0; .*Binarizer"):
            estimator().fit(table, [0, 1, 0, 1])


@pytest.mark.parametrize("estimator", READERS_OF_NUMBERS)
def test_text_is_refused_when_predicting_too(estimator: Any) -> None:
    rows = FRAME[["flag"]].assign(color=[1, 0, 1, 1])
    settings = {"cv": 2} if "cv" in estimator().get_params() else {}
    fitted = estimator(**settings).fit(rows, [0, 1, 0, 1])
    ask = fitted.predict if hasattr(fitted, "predict") else fitted.transform
    with pytest.raises(RowError, match=r"^column 'color' has 'red' in row 0; .*Binarizer"):
        ask(FRAME)


def test_the_text_of_a_number_is_text() -> None:
    with pytest.raises(RowError, match=r"^column 'a' has '1' in row 1; .*Binarizer"):
        ConjunctionSVC().fit(pd.DataFrame({"a": [0, "1", 1, 0]}), [0, 1, 0, 1])
