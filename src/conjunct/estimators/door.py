"""The door between a user's table and an estimator: columns to variables, labels to classes, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, IdRows, SparseRows, require_memory
from conjunct.errors import BitsError, ModelFileError, RowError, SettingError
from conjunct.estimators.binarizer import Binarizer
from conjunct.messages import quoted, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Door"]

Label = str | int
Cells = Mapping[str, Sequence[Any]] | BitMatrix | IdRows
BYTES_PER_NAME = 320  # of a variable, in the door, the model and its file, as measured
MOST_LETTERS = 100_000


@dataclass(frozen=True, eq=False)
class Door:
    """What turns the cells and labels of a table into rows and class numbers; stored in the model it was made for.

    Attributes
    ----------
    binarizer : Binarizer or None
        Fitted on the table's columns; None where the rows were Boolean already.
    names : tuple of str
        The columns it reads, or the variables of the Boolean rows.
    label_name : str or None
        The column the labels came from.
    labels : tuple of str or int
        The label behind each class number; of two, the second is the positive one.
    letters : dict of str to int
        Columns of text that are read letter by letter, as columns name[1], name[2], ..., and how many.
    """

    binarizer: Binarizer | None
    names: tuple[str, ...]
    label_name: str | None
    labels: tuple[Label, ...]
    letters: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        cells: Cells,
        labels: NDArray[Any],
        *,
        label_name: str | None = None,
        positive: Label | None = None,
        cuts: int | str = 4,
        max_values: int = 50,
        letters: Sequence[str] = (),
    ) -> Door:
        """Learn the variables of a table and the order of its labels."""
        found: list[Label] = np.unique(labels).tolist()
        if positive is not None:
            if positive not in found:
                raise SettingError(f"positive={shortened(positive)} is not among the labels {shortened(found)}")
            if len(found) != 2:
                raise SettingError(f"positive={shortened(positive)} needs two labels, and there are {len(found)}")
            found.sort(key=lambda label: label == positive)
        if isinstance(cells, BitMatrix | IdRows):
            if letters:
                raise BitsError(
                    f"the table is Boolean rows, without a column {shortened(letters[0])} to read letter by letter"
                )
            if isinstance(cells, IdRows):
                need = BYTES_PER_NAME * len(cells.ids)
                require_memory(need, f"naming {len(cells.ids)} variables", "use fewer ids")
            return cls(None, cells.names, label_name, tuple(found))
        for name in letters:
            if name not in cells:
                raise BitsError(f"the table has no column {shortened(name)} to read letter by letter")
        widths = {name: max(1, *(len(str(cell or "").strip()) for cell in cells[name])) for name in letters}
        for name, width in widths.items():
            if width > MOST_LETTERS:
                raise BitsError(
                    f"column {shortened(name)} has a text of {width} letters, expected at most {MOST_LETTERS}"
                )
        binarizer = Binarizer(cuts=cuts, max_values=max_values).fit(spelled(cells, widths), labels)
        return cls(binarizer, tuple(cells), label_name, tuple(found), widths)

    @property
    def positive(self) -> Label | None:
        """The positive label; None where there are more than two."""
        return self.labels[1] if len(self.labels) == 2 else None

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables of the rows it makes."""
        return self.names if self.binarizer is None else tuple(test.name for test in self.binarizer.tests_)

    @property
    def cell_types(self) -> dict[str, str | None]:
        """What the cells of each column are: ``"text"``, ``"number"``, or None where there were none."""
        columns = () if self.binarizer is None else self.binarizer.columns_
        types = {column.name: column.cell_type for column in columns} | dict.fromkeys(self.letters, "text")
        return {name: "number" if types.get(name) == "bool" else types.get(name) for name in self.names}

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The ids of the variables of Boolean rows: 7 of x7; where they have other names, their places from 1 on."""
        numbers = [name[1:] for name in self.names if name[:1] == "x" and name[1:].isdecimal() and len(name) < 18]
        ids = np.array(numbers if len(numbers) == len(self.names) else [], np.int64)
        return ids if len(ids) and np.all(np.diff(ids) > 0) else np.arange(1, len(self.names) + 1)

    def rows(self, cells: Cells) -> BitMatrix | SparseRows:
        """Turn the cells of a table into rows; columns the door does not know are left out, unknown ids are -1."""
        if isinstance(cells, BitMatrix | IdRows):
            if self.binarizer is not None:
                raise BitsError("the model was learned from columns of cells; this table is Boolean rows without them")
            if isinstance(cells, IdRows):
                return cells.onto(self.ids)
            if cells.n_variables != len(self.names):
                raise BitsError(f"the table has {cells.n_variables} variables, the model {len(self.names)}")
            return cells if cells.is_named else cells.with_names(self.names)
        if self.binarizer is None:
            raise BitsError(
                "the model was learned from Boolean rows, such as svmlight; this table has columns of cells"
            )
        return self.binarizer.pack(self.columns(cells))

    def unseen(self, cells: Cells) -> dict[str, int]:
        """Count, per column that has any, the cells unlike any the door was made from."""
        if isinstance(cells, IdRows):
            strange = ~np.isin(cells.ids, self.ids)
            counts = np.bincount(cells.rows.places, minlength=len(cells.ids))
            return dict(zip(np.array(cells.names)[strange].tolist(), counts[strange].tolist(), strict=True))
        if isinstance(cells, BitMatrix) or self.binarizer is None:
            return {}
        return {name: count for name, count in self.binarizer.unseen(self.columns(cells)).items() if count}

    def columns(self, cells: Mapping[str, Sequence[Any]]) -> Mapping[str, Sequence[Any]]:
        """Pick the columns the door reads, in its order, letters apart."""
        missing = [name for name in self.names if name not in cells]
        if missing:
            raise BitsError(f"the table has no column {shortened(missing[0])}, which the model was learned from")
        return spelled({name: cells[name] for name in self.names}, self.letters)

    def codes(self, labels: NDArray[Any]) -> NDArray[np.int64]:
        """Turn labels into class numbers; a label the door does not know is refused by name."""
        # By their spelling: a table that lacks, or adds, the one label that is no integer is read as another type.
        number_of = {str(label): number for number, label in enumerate(self.labels)}
        given = [str(label) for label in labels.tolist()]
        for row, label in enumerate(given):
            if label not in number_of:
                raise RowError(
                    f"label {quoted(label)}", row, f"expected one of those of the model, {shortened(list(self.labels))}"
                )
        return np.array([number_of[label] for label in given], np.int64)

    def record(self) -> dict[str, object]:
        """Describe the door as plain data, for files."""
        binarizer = None if self.binarizer is None else self.binarizer.record()
        return {
            "binarizer": binarizer,
            "names": list(self.names),
            "label_name": self.label_name,
            "labels": list(self.labels),
            "letters": dict(self.letters),
        }

    @classmethod
    def from_record(cls, record: object) -> Door:
        """Rebuild a door from its description; whatever is not one is refused."""
        match record:
            case {
                "binarizer": binarizer,
                "names": list(names),
                "label_name": label_name,
                "labels": list(labels),
                "letters": dict(letters),
                **rest,
            }:
                pass
            case _:
                raise ModelFileError("the door of the model is malformed")
        are_plain = all(type(label) is type(labels[0]) and type(label) in (str, int) for label in labels)
        if rest or not are_plain or len(labels) < 2 or len(set(labels)) != len(labels):
            raise ModelFileError("the labels of the model's door are not at least two, of one type, each once")
        if not all(isinstance(name, str) for name in names) or not isinstance(label_name, str | None):
            raise ModelFileError("the names of the model's door are not text")
        if len(set(names)) != len(names):
            raise ModelFileError("two columns of the model's door have one name")
        known = set(names)
        if not all(
            name in known and type(width) is int and 1 <= width <= MOST_LETTERS for name, width in letters.items()
        ):
            raise ModelFileError("the columns that the model's door reads letter by letter are malformed")
        fitted = None if binarizer is None else Binarizer.from_record(binarizer)
        n_read = len(names) - len(letters) + sum(letters.values())
        read = [column.name for column in fitted.columns_] if fitted is not None else names
        if len(read) != n_read or read != list(spelled({name: [] for name in names}, letters)):
            raise ModelFileError("the door of the model reads other columns than its binarizer")
        return cls(fitted, tuple(names), label_name, tuple(labels), letters)


def spelled(cells: Mapping[str, Sequence[Any]], letters: Mapping[str, int]) -> dict[str, Sequence[Any]]:
    """Replace columns of text by one column per letter; a position past the end of a text is missing.

    Examples
    --------
    >>> spelled({"gene": [" AC", "G"], "age": [1, 2]}, {"gene": 2})
    {'gene[1]': ['A', 'G'], 'gene[2]': ['C', None], 'age': [1, 2]}
    """
    columns: dict[str, Sequence[Any]] = {}
    for name, column in cells.items():
        if name not in letters:
            columns[name] = column
            continue
        texts = [str("" if cell is None else cell).strip() for cell in column]
        for row, text in enumerate(texts):
            if len(text) > letters[name]:
                raise RowError(
                    f"column {shortened(name)} has {len(text)} letters", row, f"in fit at most {letters[name]}"
                )
        for place in range(letters[name]):
            columns[f"{name}[{place + 1}]"] = [text[place] if place < len(text) else None for text in texts]
    return columns
