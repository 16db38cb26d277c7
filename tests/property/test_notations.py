"""Whatever is written in a notation of the world is read back as it was meant, or refused; never as another value."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conjunct.datasets import read_table
from conjunct.errors import BitsError
from conjunct.tables import TableEncoding
from conjunct.tables.date_notation import date_between
from strategies import times

CENTS = st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=12)
WHOLE = st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=12)
UNITS = st.sampled_from(["{}", "${}", "{} €", "{}%", "£ {}"])
DAYS = st.lists(st.dates(date(1000, 1, 1), date(9999, 12, 31)), min_size=1, max_size=12)
MOMENTS = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31)).map(lambda moment: moment.replace(microsecond=0))
EUROPEAN, SWISS, FRENCH = (str.maketrans(".,", signs) for signs in (",.", ".'", ",\u00a0"))


def read(entries: list[str]) -> list[object] | str:
    """Return what a column holds, or how it is refused."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_text("a|b\n" + "".join(f"{entry}|x\n" for entry in entries))
        try:
            return read_table(path, label=None, drop=["b"]).columns[0]
        except BitsError as error:
            return str(error)


@times(2)
@given(CENTS, UNITS, st.sampled_from([{}, EUROPEAN, SWISS, FRENCH]))
def test_amounts_of_two_decimals_are_read_in_every_notation(cents, unit, signs):
    entries = [unit.format(f"{amount / 100:,.2f}".translate(signs)) for amount in cents]
    assert read(entries) == [float(f"{amount / 100:.2f}") for amount in cents]


@times(2)
@given(WHOLE, UNITS)
def test_whole_numbers_with_commas_are_read_or_refused_with_the_option(numbers, unit):
    found = read([unit.format(f"{number:,d}") for number in numbers])
    if isinstance(found, str):
        assert "(--decimal . reads " in found
        assert all(abs(number) < 10**6 for number in numbers)
    else:
        assert found == numbers


@times(2)
@given(DAYS, st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y"]))
def test_dates_are_read_or_refused_with_the_option(days, form):
    found = read([day.strftime(form) for day in days])
    if isinstance(found, str):
        assert "--dates dmy or --dates mdy" in found
        assert all(day.day <= 12 for day in days)
    else:
        assert found == [day.isoformat() for day in days]


@times(2)
@given(st.lists(MOMENTS, min_size=2, max_size=2, unique=True), st.booleans())
def test_the_date_between_two_tells_them_apart_as_texts(moments, with_time):
    low, high = sorted(moments)
    texts = (
        [low.isoformat(" "), high.isoformat(" ")] if with_time else [low.date().isoformat(), high.date().isoformat()]
    )
    if texts[0] < texts[1]:
        between = date_between(*texts)
        assert texts[0] <= between < texts[1]
        assert len(between) == len(texts[0])


SPELLINGS = [
    "1",
    "0",
    "2.5",
    "1,5",
    "1.234,5",
    "1,234",
    "1,234.5",
    "-",
    ".",
    "NA",
    "5 %",
    "7,5%",
    "$5",
    "$1,000.00",
    "red",
    "x",
]
SPELLINGS += ["2020-01-02", "2020-01-02 03:04", "3/4/2020", "15/4/2020", "4/15/2020", "1.2.2020"]


@times(4)
@given(
    st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=3).flatmap(
        lambda some: st.lists(st.sampled_from(some), min_size=2, max_size=12)
    ),
    st.sampled_from([None, ".", ","]),
    st.sampled_from([None, "dmy", "mdy"]),
)
def test_a_model_reads_a_table_again_as_it_read_it_first(entries, decimal, dates):
    with TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_text("a|b\n" + "".join(f"{entry}|{k % 2}\n" for k, entry in enumerate(entries)))
        try:
            first = {c.name: c for c in read_table(path, label=None, decimal=decimal, dates=dates).typed_columns}
        except BitsError:
            return
        encoding = TableEncoding.of(first, np.arange(len(entries)) % 2)
        later = TableEncoding.from_record(encoding.record())
        again = {c.name: c for c in read_table(path, label=None, columns=later.entry_types).typed_columns}
    bits = encoding.rows(first).to_array().tolist()
    assert later.rows(again).to_array().tolist() == bits
    assert bits == [
        [int(test.holds(first[test.column].entry(row))) for test in encoding.tests] for row in range(len(entries))
    ]


@pytest.mark.parametrize("gap", [1, 59, 3600, 86_399])
def test_moments_a_little_apart_are_told_apart(gap):
    low = datetime(2020, 12, 31, 23, 59, 59)
    texts = [moment.isoformat(" ") for moment in (low, low + timedelta(seconds=gap))]
    assert texts[0] <= date_between(*texts) < texts[1]
