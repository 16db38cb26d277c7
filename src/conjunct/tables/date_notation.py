"""DateNotation: how a column writes its dates, and the date between two."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

__all__ = ["DATE_ORDERS", "DateNotation", "date_between", "is_iso_date"]

DATE_ORDERS = ("ymd", "dmy", "mdy")

_TIME = (
    r"(?:[ T]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]++)?)?(?: ?([AaPp])[Mm])?(?:Z| ?UTC|[+]00(?::?00)?)?)?"
)
# Compiled by re when a date is met.
_YEAR_FIRST = rf"([0-9]{{4}})([-/])([0-9]{{1,2}})\2([0-9]{{1,2}}){_TIME}"
_YEAR_LAST = rf"([0-9]{{1,2}})([-/.])([0-9]{{1,2}})\2([0-9]{{4}}){_TIME}"
_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2})?"
_PICTURES = {"ymd": "year-month-day", "dmy": "day/month/year", "mdy": "month/day/year"}


@dataclass(frozen=True)
class DateNotation:
    """The order of year, month and day, and whether a time of day follows.

    A date stands for its ISO text, ``2020-03-01``, or ``2020-03-01 14:05:00`` in a column with times. These have the
    order of the dates, and are what tests compare.

    Attributes
    ----------
    order : "ymd", "dmy" or "mdy"
        A year has four digits. After a day or month comes ``/``, ``-`` or, day first, ``.``; the same twice.
    has_time : bool
        Whether the ISO text has a time. A date without one is then midnight; otherwise times are left out.

    Examples
    --------
    >>> dates = DateNotation("dmy")
    >>> [dates.plain(text) for text in ("1/3/2020", "31.12.1999", "31/2/2020", "2020-03-01")]
    ['2020-03-01', '1999-12-31', None, None]
    >>> DateNotation("ymd", has_time=True).plain("2020-03-01T14:05:09.25Z")
    '2020-03-01 14:05:09'
    """

    order: str = "ymd"
    has_time: bool = False

    entry_type = "date"
    expected = "a date"

    def plain(self, spelling: str) -> str | None:
        """Return the ISO text of a date; None where the text is no date of this order, or none of the calendar."""
        moment = _moment(spelling, self.order)
        return None if moment is None else _iso(moment, self.has_time)

    def __str__(self) -> str:
        return _PICTURES[self.order] + (" hour:minute:second" if self.has_time else "")


def has_time(spelling: str) -> bool:
    """Return whether a spelling that is a date has a time of day."""
    return ":" in spelling


def is_iso_date(text: object) -> bool:
    """Return whether a text is what a date of a table stands for."""
    return isinstance(text, str) and re.fullmatch(_ISO, text) is not None and _moment(text, "ymd") is not None


def date_between(low: str, high: str) -> str:
    """Return the date by which two are told apart: ``low <= date < high``.

    It is the middle of the two, rounded down to a day; where that is before `low`, to an hour, a minute or a second.

    Examples
    --------
    >>> date_between("2020-01-01", "2020-01-02"), date_between("2020-01-01 08:00:00", "2020-01-01 17:00:00")
    ('2020-01-01', '2020-01-01 12:00:00')
    """
    first, last = datetime.fromisoformat(low), datetime.fromisoformat(high)
    middle = (first + (last - first) // 2).replace(microsecond=0)
    starts = (
        middle.replace(hour=0, minute=0, second=0),
        middle.replace(minute=0, second=0),
        middle.replace(second=0),
        middle,
    )
    return _iso(next(start for start in starts if start >= first), has_time(low))


def _iso(moment: datetime, with_time: bool) -> str:
    return moment.isoformat(" ", "seconds") if with_time else moment.date().isoformat()


def _moment(spelling: str, order: str) -> datetime | None:
    match = re.fullmatch(_YEAR_FIRST if order == "ymd" else _YEAR_LAST, spelling)
    if match is None:
        return None
    first, sign, second, third, hour, minute, seconds, half = match.groups()
    if order == "mdy" and sign == ".":
        return None
    numbers = dict(zip(order, map(int, (first, second, third)), strict=True))
    hours = int(hour or 0)
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half in "pP" else 0)
    try:
        return datetime(numbers["y"], numbers["m"], numbers["d"], hours, int(minute or 0), int(seconds or 0))
    except ValueError:
        return None
