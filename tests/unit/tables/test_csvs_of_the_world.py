"""Fifty files as R, pandas, Excel and databases write them, made from real tables: all read, the kinds right.

Each writer takes a frame whose last column is the label, and gives bytes.
"""

from __future__ import annotations

import csv
import io
import math

import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

from conjunct.datasets import read_data
from conjunct.errors import BitsError

# The first passengers of the Titanic, with the day and the hour at which they came aboard.
PASSENGERS = """\
name,sex,age,fare,boarded,at,alone,survived
"Braund, Mr. Owen Harris",male,22,7.25,1912-04-10,1912-04-10 09:30:00,False,no
"Cumings, Mrs. John Bradley (Florence ""Flo"")",female,38,71.2833,1912-04-10,1912-04-10 18:35:00,False,yes
"Heikkinen, Miss. Laina",female,26,7.925,1912-04-10,1912-04-10 09:30:00,True,yes
"Futrelle, Mrs. Jacques Heath",female,35,53.1,1912-04-10,1912-04-10 09:45:00,False,yes
"Allen, Mr. William Henry",male,35,8.05,1912-04-10,1912-04-10 09:50:00,True,no
"Moran, Mr. James",male,,8.4583,1912-04-11,1912-04-11 11:30:00,True,no
"McCarthy, Mr. Timothy J",male,54,1051.8625,1912-04-10,1912-04-10 09:30:00,True,no
"Palsson, Master. Gösta Leonard",male,2,21.075,1912-04-10,1912-04-10 09:31:00,False,no
"Johnson, Mrs. Oscar W",female,27,11.1333,1912-04-13,1912-04-13 09:30:00,False,yes
"Nasser, Mrs. Nicholas",female,,30.0708,1912-04-10,1912-04-10 18:30:00,False,yes
"""


def scikit(bunch, n_rows=60):
    """Every third row or so of a table of scikit-learn, its classes by name."""
    frame = bunch.frame.copy()
    names = list(bunch.get("target_names", []))
    median = frame["target"].median()
    frame["target"] = [names[int(value)] if names else str(value > median) for value in frame["target"]]
    return frame.iloc[:: max(1, len(frame) // n_rows)].reset_index(drop=True)


TABLES = {
    "iris": scikit(load_iris(as_frame=True)),
    "wine": scikit(load_wine(as_frame=True)),
    "breast cancer": scikit(load_breast_cancer(as_frame=True)),
    "diabetes": scikit(load_diabetes(as_frame=True, scaled=False)),
    "passengers": pd.read_csv(io.StringIO(PASSENGERS)),
}


def spelled(value, decimal=".", missing="", dates=None, true="True", false="False", digits=None):
    """Spell an entry as a program would."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return missing
    if isinstance(value, bool):
        return true if value else false
    if isinstance(value, float):
        text = f"{value:,.{digits}f}" if digits is not None else repr(value)
        return text.translate(str.maketrans(".,", ",.")) if decimal == "," else text
    text = str(value)
    if dates is not None and text.startswith("1912-"):
        day, _, hour = text.partition(" ")
        year, month, day = day.split("-")
        return dates.format(y=year, m=month, d=day, m0=int(month), d0=int(day)) + (f" {hour}" if hour else "")
    return text


def written(
    frame,
    delimiter=",",
    line_end="\n",
    quoting=csv.QUOTE_MINIMAL,
    encoding="utf-8",
    rows=None,
    before="",
    after="",
    **how,
):
    """Write a frame; ``rows`` names the column before the first, if there is to be one."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=line_end, quoting=quoting)
    names = [*([] if rows is None or rows is R else [rows]), *frame.columns]
    writer.writerow(names)
    for number, row in enumerate(frame.astype(object).values.tolist(), 1):
        entries = [spelled(value, **how) for value in row]
        writer.writerow([*([] if rows is None else [str(number)]), *entries])
    return (before + file.getvalue() + after).encode(encoding)


R = object()  # R has no name for the names of rows, and no place for it in the header either
ALL, TEXTS = csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC
GERMAN = {
    "delimiter": ";",
    "decimal": ",",
    "line_end": "\r\n",
    "dates": "{d}.{m}.{y}",
    "true": "WAHR",
    "false": "FALSCH",
}
AMERICAN = {"line_end": "\r\n", "dates": "{m0}/{d0}/{y}", "true": "TRUE", "false": "FALSE"}

WRITERS = {
    "R: write.csv": ({"quoting": ALL, "rows": "", "missing": "NA", "true": "TRUE", "false": "FALSE"}, {}),
    "R: write.csv2": ({"quoting": ALL, "rows": "", "missing": "NA", "delimiter": ";", "decimal": ","}, {}),
    "R: write.table": ({"quoting": ALL, "rows": R, "missing": "NA", "delimiter": " "}, {}),
    "R: write.table with tabs": ({"quoting": ALL, "rows": R, "missing": "NA", "delimiter": "\t"}, {}),
    "pandas: to_csv": ({"rows": ""}, {}),
    "pandas: index=False": ({}, {}),
    "pandas: na_rep='N/A'": ({"missing": "N/A"}, {}),
    "pandas: quoting=ALL": ({"quoting": ALL}, {}),
    "pandas: sep='|'": ({"delimiter": "|", "missing": "None"}, {}),
    "pandas: latin-1": ({"encoding": "latin-1"}, {"encoding": "latin-1"}),
    "Excel, European": (GERMAN, {}),
    "Excel, European, CSV UTF-8": (GERMAN | {"encoding": "utf-8-sig", "missing": "#N/A"}, {}),
    "Excel, European, ANSI": (GERMAN | {"encoding": "cp1252"}, {"encoding": "cp1252"}),
    "Excel, European, sep=": (GERMAN | {"before": "sep=;\r\n"}, {}),
    "Excel, European, two digits": (GERMAN | {"digits": 2}, {}),
    "Excel, American": (AMERICAN, {}),
    "Excel, American, CSV UTF-8": (AMERICAN | {"encoding": "utf-8-sig", "missing": "#N/A"}, {}),
    "Excel, American, Unicode text": (
        AMERICAN | {"delimiter": "\t", "encoding": "utf-16"},
        {"encoding": "utf-16"},
    ),
    "Excel, American, two digits": (AMERICAN | {"digits": 2}, {}),
    "PostgreSQL: COPY": ({"true": "t", "false": "f"}, {}),
    "PostgreSQL: psql -A": ({"delimiter": "|", "true": "t", "false": "f"}, {}),
    "MySQL: mysql --batch": ({"delimiter": "\t", "missing": "NULL", "true": "1", "false": "0"}, {}),
    "MySQL: INTO OUTFILE": ({"missing": "\\N", "true": "1", "false": "0", "quoting": TEXTS}, {}),
    "SQLite: .mode csv": ({"line_end": "\r\n", "true": "1", "false": "0"}, {}),
    "SQL Server: sqlcmd": ({"delimiter": ",", "missing": "NULL", "encoding": "utf-16-le"}, {"encoding": "utf-16-le"}),
}
FILES = [
    (table, writer)
    for k, writer in enumerate(WRITERS)
    for table in ("passengers", [name for name in TABLES if name != "passengers"][k % 4])
]


def expected(frame, how):
    """Return the columns as they should be read: numbers of two digits where they were written so."""
    digits = how.get("digits")

    def entry(value):
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        if isinstance(value, bool):
            text = spelled(value, **{key: how[key] for key in ("true", "false") if key in how})
            return int(text) if text.isdecimal() else text
        return round(value, digits) if isinstance(value, float) and digits is not None else value

    return {name: [entry(value) for value in frame[name].astype(object)] for name in frame.columns[:-1]}


@pytest.mark.parametrize(("table", "writer"), FILES, ids=" by ".join)
def test_a_file_of_the_world_is_read_as_the_table_it_was_made_from(tmp_path, table, writer):
    frame = TABLES[table]
    how, options = WRITERS[writer]
    path = tmp_path / "t.csv"
    path.write_bytes(written(frame, **how))
    read = read_data(path, **options)
    assert read.to_frame_columns() == expected(frame, how)
    assert read.labels.tolist() == frame.iloc[:, -1].tolist()
    kinds = {"boarded": "date", "at": "date", "age": "number", "fare": "number", "name": "text", "sex": "text"}
    is_passengers = table == "passengers"
    for column in read.typed_columns:
        assert column.entry_type == (kinds.get(column.name, column.entry_type) if is_passengers else "number")
    assert bool(read.notes) == ("rows" in how)


def test_these_are_fifty_files():
    assert len(FILES) == len(set(FILES)) == 50


MONEY = {
    "Excel, American": ("item,price,rate,y\n", '{},"${:,.2f}",{:.1f}%,{}\n', ".", []),
    "Excel, European": ("item;price;rate;y\n", "{};{:,.2f} €;{:.1f} %;{}\n", ",", []),
    "trailing commas": ("item,price,rate,y,,\n", '{},"£{:,.2f}",{:.1f}%,{},,\n', ".", ["2 columns without a name"]),
}


@pytest.mark.parametrize("writer", MONEY)
def test_money_and_percent_are_numbers(tmp_path, writer):
    header, line, decimal, notes = MONEY[writer]
    prices = [1234.5 * k + 0.25 for k in range(12)]
    lines = [line.format(f"item {k % 3}", price, 0.5 * k, "uv"[k % 2]) for k, price in enumerate(prices)]
    if decimal == ",":
        lines = [text.translate(str.maketrans(".,", ",.")) for text in lines]
    path = tmp_path / "t.csv"
    path.write_text(header + "".join(lines))
    table = read_data(path)
    assert table.to_frame_columns()["price"] == prices
    assert table.to_frame_columns()["rate"] == [0.5 * k for k in range(12)]
    assert [note[:24] for note in table.notes] == notes


REFUSED = {
    "dates that read both ways": ({"dates": "{m0}/{d0}/{y}"}, r"--dates dmy or --dates mdy"),
    "another encoding": ({"encoding": "latin-1"}, r"--encoding latin-1\?"),
    "UTF-16": ({"encoding": "utf-16"}, r"--encoding utf-16\?"),
    "a footer": ({"delimiter": "|", "after": "(8 rows)\n"}, r":10: 1 cells, expected 8 as in the header"),
    "lines that end with CR alone": ({"line_end": "\r"}, r"expected lines that end with LF"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line_that_names_the_remedy(tmp_path, case):
    how, remedy = REFUSED[case]
    path = tmp_path / "t.csv"
    path.write_bytes(written(TABLES["passengers"].iloc[:8], **how))
    with pytest.raises(BitsError, match=remedy) as caught:
        read_data(path)
    assert str(caught.value).isprintable()
