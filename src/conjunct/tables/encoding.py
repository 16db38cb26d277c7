"""TableEncoding: what turns a table's columns into variables and its labels into classes, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, IdRows, SparseRows, require_memory
from conjunct.errors import BitsError, ModelFileError, RowError, SettingError
from conjunct.messages import quoted, shortened
from conjunct.tables.binarization import learn_columns, pack_columns, require_variables
from conjunct.tables.column import Column
from conjunct.tables.column_tests import EXPECTED_SEEN, ColumnTests, UnseenEntries
from conjunct.tables.cuts import cuts_setting
from conjunct.tables.letters import (
    MOST_LETTERS,
    letter_columns,
    letter_names,
    longer_texts,
    n_letters,
    require_no_longer_text,
)
from conjunct.tables.number_grammar import int64, is_integer
from conjunct.tables.variable_tests import VariableTest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.tables.column_choice import EntryType

__all__ = ["Entries", "TableEncoding"]

Label = str | int
Entries = Mapping[str, Any] | BitMatrix | IdRows  # columns are Column, or whatever Column.read takes
BYTES_PER_NAME = 320  # of a variable, in the encoding, the model and its file, as measured


@dataclass(frozen=True, eq=False)
class TableEncoding:
    """What turns the entries and labels of a table into rows and class numbers; stored in the model it was made for.

    Attributes
    ----------
    columns : tuple of ColumnTests, or None
        What was learned about the table's columns; None where the rows were Boolean already.
    names : tuple of str
        The columns it reads, or the variables of the Boolean rows.
    label_name : str or None
        The column the labels came from.
    labels : tuple of str or int
        The label behind each class number; of two, the second is the positive one.
    letters : dict of str to int
        Columns of text that are read letter by letter, as columns name[1], name[2], ..., and how many.

    Examples
    --------
    >>> table = {"sky": ["grey", "clear", "snow"]}
    >>> encoding = TableEncoding.of(table, np.array(["no", "yes", "no"]))
    >>> encoding.variables, encoding.rows(table).to_array().tolist(), encoding.codes(np.array(["yes"])).tolist()
    (('sky=clear', 'sky=grey', 'sky=snow'), [[0, 1, 0], [1, 0, 0], [0, 0, 1]], [1])
    """

    columns: tuple[ColumnTests, ...] | None
    names: tuple[str, ...]
    label_name: str | None
    labels: tuple[Label, ...]
    letters: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        entries: Entries,
        labels: NDArray[Any],
        *,
        label_name: str | None = None,
        positive: Label | None = None,
        cuts: int | str = "auto",
        max_values: int = 50,
        letters: Sequence[str] = (),
    ) -> TableEncoding:
        """Learn the variables of a table and the order of its labels."""
        classes, label_numbers = np.unique(labels, return_inverse=True)
        ordered = _ordered_labels(classes.tolist(), positive)
        if isinstance(entries, BitMatrix | IdRows):
            if letters:
                raise BitsError(
                    f"the table is Boolean rows, without a column {shortened(letters[0])} to read letter by letter"
                )
            if isinstance(entries, IdRows):
                need = BYTES_PER_NAME * len(entries.ids)
                require_memory(need, f"naming {len(entries.ids)} variables", "use fewer ids")
            return cls(None, entries.names, label_name, ordered)
        for name in letters:
            if name not in entries:
                raise BitsError(f"the table has no column {shortened(name)} to read letter by letter")
        read = {name: Column.read(name, column) for name, column in entries.items()}
        widths = {name: n_letters(read[name]) for name in letters}
        columns = letter_columns(read, widths)
        cuts = cuts_setting(cuts)
        learned = learn_columns(columns, cuts, max_values, label_numbers)
        require_variables(learned, len(labels))
        return cls(learned, tuple(entries), label_name, ordered, widths)

    @property
    def positive(self) -> Label | None:
        """The positive label; None where there are more than two."""
        return self.labels[1] if len(self.labels) == 2 else None

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables of the rows it makes."""
        return self.names if self.columns is None else tuple(test.name for test in self.tests)

    @property
    def tests(self) -> tuple[VariableTest, ...]:
        """What each variable says about the columns; none where the rows were Boolean already."""
        return tuple(test for column in self.columns or () for test in column.tests)

    @property
    def entry_types(self) -> dict[str, EntryType]:
        """What the entries of each column are: ``"text"``, ``"number"``, a notation, or None where there were none."""
        learned = {column.name: column.notation or column.entry_type for column in self.columns or ()}
        types: dict[str, EntryType] = learned | dict.fromkeys(self.letters, "text")
        return {name: "number" if types.get(name) == "bool" else types.get(name) for name in self.names}

    @property
    def missing_tokens(self) -> tuple[str, ...]:
        """What stands for missing entries in files like the one that was learned from, by an option."""
        return tuple(sorted({token for column in self.columns or () for token in column.missing_tokens}))

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The ids of the variables of Boolean rows: 7 of x7; where they have other names, their positions from 1 on."""
        numbers = [name[1:] for name in self.names if name[:1] == "x" and name[1:].isdecimal() and len(name) < 18]
        ids = np.array(numbers if len(numbers) == len(self.names) else [], np.int64)
        return ids if len(ids) and np.all(np.diff(ids) > 0) else np.arange(1, len(self.names) + 1)

    def rows(self, entries: Entries, *, packed: bool = False) -> BitMatrix | SparseRows:
        """Turn the entries of a table into rows; columns the encoding does not know are left out, unknown ids are -1.

        Rows of ids stay sparse unless they are to be ``packed``, as kernels want them: with every variable of a row.
        """
        if isinstance(entries, BitMatrix | IdRows):
            if self.columns is not None:
                raise BitsError("the model was learned from columns of cells; this table is Boolean rows without them")
            if isinstance(entries, IdRows):
                rows = entries.onto(self.ids)
                return rows.packed(self.variables) if packed else rows
            if entries.n_variables != len(self.names):
                raise BitsError(f"the table has {entries.n_variables} variables, the model {len(self.names)}")
            return entries if entries.is_named else entries.with_names(self.names)
        if self.columns is None:
            raise BitsError(
                "the model was learned from Boolean rows, such as svmlight; this table has columns of cells"
            )
        return pack_columns(self.columns, self._columns_of(entries))

    def unseen(self, entries: Entries) -> dict[str, UnseenEntries]:
        """Count, per column that has any, the entries unlike any the encoding was made from.

        Of a column read letter by letter the texts longer than those are counted by its own name, and letters that are
        unlike any at their position by that of the position.
        """
        if isinstance(entries, IdRows):
            names = np.array(entries.names)[self._is_unknown(entries)].tolist()
            counts = np.bincount(entries.rows.places, minlength=len(entries.ids))[self._is_unknown(entries)].tolist()
            return {name: UnseenEntries(values=count) for name, count in zip(names, counts, strict=True)}
        counted = {
            name: UnseenEntries(values=int(np.count_nonzero(longer_texts(column, self.letters[name]))))
            for name, column in self._read_by_letters(entries)
        }
        counted |= {learned.name: learned.unseen(column) for learned, column in self._pairs(entries)}
        return {name: counts for name, counts in counted.items() if any(counts)}

    def require_seen(self, entries: Entries) -> None:
        """Refuse the first entry unlike any the encoding was made from."""
        if isinstance(entries, IdRows):
            is_unknown = self._is_unknown(entries)[entries.rows.places]
            if is_unknown.any():
                entry = int(np.argmax(is_unknown))
                row = int(np.searchsorted(entries.rows.starts, entry, side="right")) - 1
                name = entries.names[int(entries.rows.places[entry])]
                raise RowError(f"id {name[1:]}", row, EXPECTED_SEEN)
        for name, column in self._read_by_letters(entries):
            require_no_longer_text(column, self.letters[name])
        for learned, column in self._pairs(entries):
            learned.require_seen(column)

    def _is_unknown(self, rows: IdRows) -> NDArray[np.bool_]:
        """Return for every id of some rows whether the encoding does not have it."""
        is_unknown: NDArray[np.bool_] = ~np.isin(rows.ids, self.ids)
        return is_unknown

    def _pairs(self, entries: Entries) -> Iterator[tuple[ColumnTests, Column]]:
        """Yield what was learned about every column, with the column; nothing for rows that are Boolean already."""
        if isinstance(entries, Mapping) and self.columns is not None:
            yield from zip(self.columns, self._columns_of(entries), strict=True)

    def _read_by_letters(self, entries: Entries) -> Iterator[tuple[str, Column]]:
        """Yield every column that is read letter by letter, with its name."""
        if isinstance(entries, Mapping):
            yield from ((name, Column.read(name, entries[name])) for name in self.letters if name in entries)

    def _columns_of(self, entries: Mapping[str, Any]) -> list[Column]:
        """Pick the columns that the encoding reads, in its order, letters apart."""
        missing = [name for name in self.names if name not in entries]
        if missing:
            raise BitsError(f"the table has no column {shortened(missing[0])}, which the model was learned from")
        columns = letter_columns({name: Column.read(name, entries[name]) for name in self.names}, self.letters)
        return [learned.typed(column) for column, learned in zip(columns, self.columns or (), strict=True)]

    def codes(self, labels: NDArray[Any]) -> NDArray[np.int64]:
        """Turn labels into class numbers; a label the encoding does not know is refused by name."""
        # By their spelling: a table that lacks, or adds, the one label that is no integer is read as another type.
        number_of = {str(label): number for number, label in enumerate(self.labels)}
        distinct, label_of = np.unique(labels, return_inverse=True)
        numbers = np.array([number_of.get(str(label), -1) for label in distinct.tolist()], np.int64)[label_of]
        if len(numbers) and numbers.min() < 0:
            row = int(np.argmin(numbers))
            reason = f"expected one of those of the model, {shortened(list(self.labels))}"
            raise RowError(f"label {quoted(labels[row])}", row, reason)
        return numbers

    def record(self) -> dict[str, object]:
        """Describe the encoding as plain data, for files."""
        return {
            "columns": None if self.columns is None else [column.record() for column in self.columns],
            "names": list(self.names),
            "label_name": self.label_name,
            "labels": list(self.labels),
            "letters": dict(self.letters),
        }

    @classmethod
    def from_record(cls, record: object) -> TableEncoding:
        """Rebuild an encoding from its description; whatever is not one is refused."""
        match record:
            case {
                "columns": list() | None as columns,
                "names": list(names),
                "label_name": label_name,
                "labels": list(labels),
                "letters": dict(letters),
                **rest,
            }:
                pass
            case _:
                raise ModelFileError("the encoding of the model is malformed")
        are_plain = all(type(label) is type(labels[0]) and type(label) in (str, int) for label in labels)
        if rest or not are_plain or len(labels) < 2 or len(set(labels)) != len(labels):
            raise ModelFileError("the labels of the model's encoding are not at least two, of one type, each once")
        if not all(isinstance(name, str) for name in names) or not isinstance(label_name, str | None):
            raise ModelFileError("the names of the model's encoding are not text")
        all_names = set(names)
        if len(all_names) != len(names):
            raise ModelFileError("two columns of the model's encoding have one name")
        if not all(
            name in all_names and type(width) is int and 1 <= width <= MOST_LETTERS for name, width in letters.items()
        ):
            raise ModelFileError("the columns that the model's encoding reads letter by letter are malformed")
        if columns is None and letters:
            raise ModelFileError("the columns that the model's encoding reads letter by letter are malformed")
        if columns is None:
            return cls(None, tuple(names), label_name, tuple(labels), letters)
        learned = tuple(ColumnTests.from_record(column) for column in columns)
        n_read = len(names) - len(letters) + sum(letters.values())
        if len(learned) != n_read or [column.name for column in learned] != letter_names(names, letters):
            raise ModelFileError("the encoding of the model reads other columns than it learned")
        require_variables(learned, 0)
        return cls(learned, tuple(names), label_name, tuple(labels), letters)


def _ordered_labels(labels: list[Label], positive: Label | None) -> tuple[Label, ...]:
    """Return the labels in the order of their classes: sorted, but a positive one is the last of two.

    It is found by its spelling, or by its value where labels are integers: +1 is 1.

    Examples
    --------
    >>> _ordered_labels([0, 1], "+1"), _ordered_labels(["01", "1"], "01")
    ((0, 1), ('1', '01'))
    """
    if positive is None:
        return tuple(labels)
    wish = str(positive)
    value = int64(wish) if is_integer(wish) else None
    named = [label for label in labels if str(label) == wish or (type(label) is int and label == value)]
    if not named:
        raise SettingError(f"positive={shortened(positive)} is not among the labels {shortened(labels)}")
    if len(labels) != 2:
        raise SettingError(f"positive={shortened(positive)} needs two labels, and there are {len(labels)}")
    return tuple(sorted(labels, key=lambda label: label == named[0]))
