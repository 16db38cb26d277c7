from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from conjunct import (
    Binarizer,
    BitMatrix,
    ConjunctionFeatures,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
    separable,
)
from conjunct.errors import BitsError
from conjunct.kernels import Conjunctions
from parts import case

ROWS = [[0, 1], [1, 0], [1, 1], [0, 0]]
LABELS = [0, 1, 1, 0]
READERS: dict[str, Callable[[Any], Any]] = {
    "Binarizer": lambda X: Binarizer().fit(X, LABELS),
    "BitMatrix": BitMatrix.of,
    "ConjunctionFeatures": lambda X: ConjunctionFeatures().fit(X),
    "ConjunctionSVC": lambda X: ConjunctionSVC().fit(X, LABELS),
    "ConjunctionSVC binarize": lambda X: ConjunctionSVC(binarize=0.5).fit(X, LABELS),
    "ConjunctionSVCCV": lambda X: ConjunctionSVCCV(cv=2).fit(X, LABELS),
    "ExponentiatedGradientRegressor": lambda X: ExponentiatedGradientRegressor().fit(X, LABELS),
    "ExponentiatedGradientRegressor, predicting": lambda X: (
        ExponentiatedGradientRegressor().fit(named_like(X), LABELS).predict(X)
    ),
    "KernelPerceptronClassifier": lambda X: KernelPerceptronClassifier().fit(X, LABELS),
    "PerceptronClassifier": lambda X: PerceptronClassifier().fit(X, LABELS),
    "PerceptronClassifier, a batch": lambda X: PerceptronClassifier().partial_fit(X, LABELS, classes=[0, 1]),
    "PerceptronClassifier, predicting": lambda X: PerceptronClassifier().fit(named_like(X), LABELS).predict(X),
    "WinnowClassifier": lambda X: WinnowClassifier().fit(X, LABELS),
    "WinnowClassifier binarize": lambda X: WinnowClassifier(binarize=0.5).fit(X, LABELS),
    "kernel": Conjunctions(),
    "separable": lambda X: separable(X, LABELS),
}
DAYS = np.array([[0, 1], [1, 0], [1, 1], [0, 0]], "datetime64[D]")
CELLS: dict[str, Any] = {
    "date": dt.date(2020, 1, 2),
    "datetime": dt.datetime(2020, 1, 2, 3, 4),
    "zoned": dt.datetime(2020, 1, 2, tzinfo=dt.UTC),
    "time": dt.time(1, 2),
    "timedelta": dt.timedelta(days=1),
    "datetime64": np.datetime64("2020-01-02"),
    "datetime64 NaT": np.datetime64("NaT"),
    "timedelta64": np.timedelta64(1, "D"),
    "timedelta64 without a unit": np.timedelta64(1),
    "timedelta64 NaT": np.timedelta64("NaT"),
    "Timestamp": pd.Timestamp("2020-01-02"),
    "Timedelta": pd.Timedelta(1, "D"),
    "NaT": pd.NaT,
    "Period": pd.Period("2020-01", "M"),
}


def named_like(X: Any) -> Any:
    """Rows of numbers with the columns of X."""
    return pd.DataFrame(ROWS, columns=list(X.columns)) if hasattr(X, "columns") else ROWS


def with_cell(cell: Any) -> np.ndarray[Any, Any]:
    """Zeros and ones, with one other cell in row 2, column 1."""
    table = np.array(ROWS, object)
    table[2, 1] = cell
    return table


TABLES: dict[str, Any] = {
    **{f"array of {unit}": DAYS.astype(f"datetime64[{unit}]") for unit in ("D", "s", "ns")},
    "array of timedelta64": DAYS - DAYS[:1],
    "array of timedelta64[ns]": (DAYS - DAYS[:1]).astype("timedelta64[ns]"),
    "array of NaT": np.full((4, 2), np.datetime64("NaT")),
    "byte-swapped array": DAYS.astype(">M8[s]"),
    **{f"object array with a {name}": with_cell(cell) for name, cell in CELLS.items()},
    **{f"list with a {name}": with_cell(cell).tolist() for name, cell in CELLS.items()},
    "list of dates": [[dt.date(1970, 1, 1 + cell) for cell in row] for row in ROWS],
    "pandas, datetimes": pd.DataFrame({"a": [0, 1, 1, 0], "when": pd.to_datetime(["2020-01-02"] * 4)}),
    "pandas, only datetimes": pd.DataFrame({"a": pd.to_datetime([0, 1, 1, 0]), "when": pd.to_datetime([1, 0, 1, 0])}),
    "pandas, zoned": pd.DataFrame({"a": [0, 1, 1, 0], "when": pd.to_datetime(["2020-01-02"] * 4, utc=True)}),
    "pandas, timedeltas": pd.DataFrame({"a": [0, 1, 1, 0], "when": pd.to_timedelta([1, 0, 1, 0])}),
    "pandas, NaT": pd.DataFrame({"a": [0, 1, 1, 0], "when": pd.to_datetime([None] * 4)}),
    "pandas, objects": pd.DataFrame(
        {"a": [0, 1, 1, 0], "when": pd.Series([1, 0, dt.date(2020, 1, 2), 0], dtype=object)}
    ),
    "pandas, periods": pd.DataFrame({"a": [0, 1, 1, 0], "when": pd.period_range("2020-01", periods=4, freq="M")}),
    "pandas, categories": pd.DataFrame({"a": [0, 1, 1, 0], "when": pd.to_datetime([1, 0, 1, 0])}).astype(
        {"when": "category"}
    ),
    "polars, dates": pl.DataFrame({"a": [0, 1, 1, 0], "when": [dt.date(2020, 1, 2)] * 4}),
    "polars, datetimes": pl.DataFrame({"a": [0, 1, 1, 0], "when": [dt.datetime(2020, 1, 2)] * 4}),
    "polars, durations": pl.DataFrame({"a": [0, 1, 1, 0], "when": [dt.timedelta(1)] * 4}),
    "polars, times": pl.DataFrame({"a": [0, 1, 1, 0], "when": [dt.time(1, 2)] * 4}),
    "polars, missing": pl.DataFrame({"a": [0, 1, 1, 0], "when": pl.Series([None] * 4, dtype=pl.Datetime)}),
}
LINE = re.compile(r"column .+ has .+ in row \d; .*dates and times are no numbers.*Binarizer")


@pytest.mark.parametrize("reader", READERS)
def test_dates_are_refused_by_column_and_value(reader: str) -> None:
    for table, X in TABLES.items():
        if reader == "Binarizer" and re.search("with a.*NaT", table):
            continue  # NaT among other cells is a missing one
        with case(table):
            with pytest.raises(BitsError) as caught:
                READERS[reader](X)
            line = str(caught.value)
            assert LINE.fullmatch(line), line
            assert line.isprintable()
            assert len(line) < 300
            if hasattr(X, "columns") and "only" not in table:
                assert line.startswith("column 'when' has ")
            elif "with a" in table:
                assert re.match("column (1|'x2') has .* in row 2; ", line)


def test_the_date_itself_is_shown() -> None:
    for X in (DAYS.astype("datetime64[ns]"), pd.DataFrame({"when": pd.to_datetime(["1970-01-01"] * 4)})):
        for learner in (PerceptronClassifier(), WinnowClassifier(), ExponentiatedGradientRegressor(), Binarizer()):
            with pytest.raises(BitsError, match=r"has '?1970-01-01"):
                learner.fit(X, LABELS)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("learner", [PerceptronClassifier, WinnowClassifier])
@pytest.mark.parametrize("fits", [True, False], ids=["fit", "predict"])
def test_dates_as_values_of_names_are_refused(learner: type[Any], cell: str, fits: bool) -> None:
    examples = [{"a": 1, "b": 0}, {"a": 0, "b": 1}, {"a": 1, "when": CELLS[cell]}, {"b": 1}]
    fitted = learner().fit([{"a"}, {"b"}], [1, 0])
    with pytest.raises(
        BitsError, match=r"^example 2 has .* for 'when', expected .*; dates and times are no numbers"
    ) as caught:
        fitted.fit(examples, LABELS) if fits else fitted.predict(examples)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("as_list", [True, False])
def test_dates_as_targets_are_refused(cell: str, as_list: bool) -> None:
    y = np.array([0, 1, CELLS[cell], 1], object)
    row = r"\d" if as_list else "2"  # NumPy makes a span of time of every number beside one
    with pytest.raises(BitsError, match=f"^y has .* in row {row}; dates and times are no numbers"):
        ExponentiatedGradientRegressor().fit(ROWS, y.tolist() if as_list else y)


@pytest.mark.parametrize("y", [DAYS[:, 0], DAYS[:, 0] - DAYS[0, 0], pd.Series(pd.to_datetime([1, 2, 3, 4]))], ids=repr)
def test_targets_that_are_all_dates_are_refused(y: Any) -> None:
    with pytest.raises(BitsError, match=r"^y has .* in row 0; dates and times are no numbers"):
        ExponentiatedGradientRegressor().fit(ROWS, y)


def test_a_sparse_table_that_was_made_to_hold_dates_is_refused() -> None:
    for reader in ("PerceptronClassifier", "ExponentiatedGradientRegressor", "WinnowClassifier", "ConjunctionSVC"):
        table = csr_array(np.array(ROWS))
        table.data = np.ones(table.nnz, int).astype("datetime64[D]")
        with pytest.raises(ValueError, match="datetime64"):
            READERS[reader](table)


def test_numbers_made_from_dates_are_learned() -> None:
    days = (DAYS - np.datetime64("1970-01-01")).astype("timedelta64[D]").astype(int)
    assert PerceptronClassifier().fit(days, LABELS).predict(days).tolist() == LABELS
