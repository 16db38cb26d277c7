"""What the entries of a column of text are: the one place that decides between numbers, dates, text and mistakes."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.messages import quoted
from conjunct.tables.column import Column
from conjunct.tables.date_notation import DateNotation
from conjunct.tables.notations import DASHES, PLAIN, Finding, Notation, find_notation, is_mistake
from conjunct.tables.number_grammar import int64, number
from conjunct.tables.number_notation import NumberNotation
from conjunct.tables.spellings import Spellings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from conjunct.tables.column_choice import EntryType
    from conjunct.tables.read_options import ReadOptions

__all__ = ["BadEntry", "typed_column"]

# What the core says an entry is spelled as: core/tables/number_grammar.hpp.
MISSING, INTEGER, NUMBER, LARGE_INTEGER, INFINITE, TEXT, WORD = range(7)
N_KINDS = 7
MOST_DECODED = 1 << 14  # different texts of a column that are Python objects from the start
ROWS_RECODED_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class BadEntry:
    """The first entry of a column that is refused: its row, and why."""

    row: int
    reason: str


def typed_column(
    reader: Any, index: int, name: str, wish: EntryType, options: ReadOptions
) -> tuple[Column, BadEntry | None]:
    """Return a column that was read, as integers, floats, dates or text, and what is to be refused about it.

    Parameters
    ----------
    reader : EntryReader
        What holds the entries, each spelling once.
    index, name : int, str
        Which column.
    wish : "text", "number", a notation, or None
        What its entries must be; None for what is found.
    options : ReadOptions
        What decides where a column reads both ways.

    Notes
    -----
    A column is numeric when all its entries but the missing ones are numbers, in one notation. Its entries are
    integers if all are spelled as such (64 bits), otherwise floats. It is a column of dates when all are dates. Any
    other column is text; but where a tenth of a column or less is unlike the rest, or a single entry against at least
    four, this is taken for a mistake. See docs/tables.md.
    """
    if reader.has_numbers(index):
        numbers = np.empty(reader.n_rows)
        reader.take_numbers(index, numbers)
        return Column(name, "number", numbers, is_integer=reader.is_integer(index)), None
    kinds, codes = np.empty(reader.n_spellings(index), np.uint8), np.empty(reader.n_rows, np.int32)
    reader.copy_kinds(index, kinds)
    reader.take_codes(index, codes)
    spelled = _SpelledColumn(reader, index, name, codes, kinds)
    if wish == "text":
        return spelled.text(), None
    finding = spelled.find(options) if wish is None else spelled.check(wish, options)
    if finding.reason is not None:
        hint = "" if wish is not None or finding.reason.endswith(")") else _as_text(name)
        return spelled.text(), spelled.first_bad(finding.refused, finding.reason + hint)
    if finding.notation is None:
        return spelled.text(), None
    if isinstance(finding.notation, DateNotation):
        return spelled.dates(finding.notation, finding.dashes), None
    return spelled.numbers(finding.notation, finding.dashes, "" if wish is not None else _as_text(name))


def _as_text(name: str) -> str:
    return f" (--categorical {shlex.quote(quoted(name)[1:-1])} reads it as text)"


@dataclass(frozen=True, slots=True, eq=False)
class _SpelledColumn:
    """The entries of one column as codes of its spellings, and what the core says of each spelling."""

    reader: Any
    index: int
    name: str
    codes: NDArray[np.int32]
    kinds: NDArray[np.uint8]

    def spelling(self, code: int) -> str:
        text: str = self.reader.spelling(self.index, code)
        return text

    def find(self, options: ReadOptions) -> Finding:
        """Return what the column holds."""
        may_have_thousands = options.decimal == "," and bool(np.any(self.kinds == NUMBER))
        if not np.any(self.kinds >= TEXT) and not may_have_thousands:
            return Finding(PLAIN if np.any(self.kinds != MISSING) else None)
        n_rows_of_kind = np.empty(N_KINDS, np.int64)
        _core.count_kinds(self.kinds, self.codes, n_rows_of_kind)
        if not is_mistake(int(n_rows_of_kind[WORD]), int(n_rows_of_kind.sum() - n_rows_of_kind[MISSING])):
            return Finding()  # as in most columns of text
        texts = np.flatnonzero(self.kinds >= TEXT)
        numbers = np.flatnonzero((self.kinds < TEXT) & (self.kinds != MISSING))
        n_rows_of = np.bincount(self.codes, minlength=len(self.kinds))
        n_rows_of[self.kinds == MISSING] = 0
        return find_notation(self.spelling, numbers.tolist(), texts.tolist(), n_rows_of, options.decimal, options.dates)

    def check(self, wish: str | Notation, options: ReadOptions) -> Finding:
        """Return what is refused about a column that must be numbers or dates, in a notation."""
        notation = as_wished(wish, options.decimal, options.dates)
        texts = np.flatnonzero(self.kinds >= TEXT).tolist()
        dashes = [code for code in texts if self.spelling(code) in DASHES]
        present = texts if notation == PLAIN else np.flatnonzero(self.kinds != MISSING).tolist()
        refused = [code for code in present if code not in dashes and notation.plain(self.spelling(code)) is None]
        manner = "" if notation == PLAIN else f" written {notation}"
        return Finding(notation, dashes, f"expected {notation.expected}{manner}" if refused else None, refused)

    def text(self) -> Column:
        is_present = self.kinds != MISSING
        spellings = Spellings(self.reader, self.index, np.flatnonzero(~is_present).tolist())
        values: Any = spellings
        if len(spellings) <= MOST_DECODED:
            values = np.empty(len(spellings), object)
            values[:] = list(spellings)
        return Column(self.name, "text" if len(spellings) else None, values, _recoded(self.codes, is_present))

    def dates(self, notation: DateNotation, dashes: Sequence[int]) -> Column:
        is_present = self._without(dashes)
        values = np.empty(int(is_present.sum()), object)
        values[:] = [notation.plain(self.spelling(code)) for code in np.flatnonzero(is_present).tolist()]
        return Column(self.name, "date", values, _recoded(self.codes, is_present), notation=notation)

    def numbers(self, notation: NumberNotation, dashes: Sequence[int], hint: str) -> tuple[Column, BadEntry | None]:
        is_present = self._without(dashes)
        kinds, values = self.kinds, np.empty(len(self.kinds))
        spelling: Callable[[int], str] = self.spelling
        if notation == PLAIN:
            self.reader.copy_values(self.index, values)
        else:
            plain = {code: notation.plain(spelling(code)) or "" for code in np.flatnonzero(is_present).tolist()}
            kinds, values[:] = np.full(len(self.kinds), MISSING, np.uint8), 0
            kinds[is_present], values[is_present] = _core_numbers(list(plain.values()))
            spelling = plain.__getitem__
        is_integer = bool(np.isin(kinds[is_present], (INTEGER, LARGE_INTEGER)).all())
        is_bad = kinds == INFINITE
        exact: dict[int, int | float] = {}
        for code in np.flatnonzero(kinds == LARGE_INTEGER).tolist():
            value = int64(spelling(code)) if is_integer else number(spelling(code))
            is_bad[code] = value is None
            exact[code] = 0 if value is None else value
        bad = None
        if is_bad.any():
            bad = self.first_bad(np.flatnonzero(is_bad).tolist(), f"expected numbers of 64 bits{hint}")
        if exact and is_integer:
            values = values.astype(object)
        for code, value in exact.items():
            values[code] = value
        codes, other = _recoded(self.codes, is_present), None if notation == PLAIN else notation
        return Column(self.name, "number", values[is_present], codes, is_integer=is_integer, notation=other), bad

    def first_bad(self, refused: Sequence[int], expected: str) -> BadEntry:
        is_bad = np.zeros(len(self.kinds), bool)
        is_bad[list(refused)] = True
        row = int(np.argmax(is_bad[self.codes]))
        entry = self.spelling(int(self.codes[row]))
        return BadEntry(row, f"column {quoted(self.name)} has {quoted(entry)}, {expected}")

    def _without(self, dashes: Sequence[int]) -> NDArray[np.bool_]:
        is_present: NDArray[np.bool_] = self.kinds != MISSING
        is_present[list(dashes)] = False
        return is_present


def as_wished(wish: str | Notation, decimal: str | None, dates: str | None) -> Notation:
    """Return the notation in which a column must be read: as in fit, unless an option says otherwise."""
    notation = wish if isinstance(wish, NumberNotation | DateNotation) else PLAIN
    if isinstance(notation, DateNotation):
        return notation if dates is None or notation.order == "ymd" else replace(notation, order=dates)
    return notation if decimal is None else NumberNotation(decimal, "," if decimal == "." else ".", notation.unit)


def _core_numbers(plain: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return what each of some spellings of numbers is spelled as, and its value."""
    reader = _core.EntryReader([1], [])
    reader.append([plain], list(range(len(plain))))
    kinds, values = np.empty(reader.n_spellings(0), np.uint8), np.empty(reader.n_spellings(0))
    reader.copy_kinds(0, kinds)
    reader.copy_values(0, values)
    codes = np.empty(len(plain), np.int32)
    reader.take_codes(0, codes)
    return kinds[codes], values[codes]


def _recoded(codes: NDArray[np.int32], is_present: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return codes that number the spellings that are present only; -1 for the others."""
    if is_present.all():
        return codes
    new_codes = np.cumsum(is_present, dtype=np.int32)
    new_codes -= 1
    new_codes[~is_present] = -1
    recoded = np.empty_like(codes)
    for begin in range(0, len(codes), ROWS_RECODED_AT_ONCE):  # NumPy makes an index of eight bytes for each row
        rows = slice(begin, begin + ROWS_RECODED_AT_ONCE)
        recoded[rows] = new_codes[codes[rows]]
    return recoded
