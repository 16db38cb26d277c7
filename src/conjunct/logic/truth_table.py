"""The value of a formula on every assignment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conjunct.errors import FormulaError
from conjunct.logic.formula import members
from conjunct.logic.spelling import spelled

if TYPE_CHECKING:
    from typing import Self

    from conjunct.logic.formula import Formula

__all__ = ["TruthTable"]

MOST_LISTED_VARIABLES = 16  # variables: 65,536 lines


@dataclass(frozen=True, slots=True)
class TruthTable:
    """The assignments of some variables in counting order, the last variable fastest, and a value for each.

    Attributes
    ----------
    variables : tuple of str
    values : tuple of bool

    Examples
    --------
    >>> from conjunct.logic import parse
    >>> table = parse("a -> b").truth_table(["b", "a"])
    >>> table.values, [row for row, value in table if not value]
    ((True, False, True, True), [{'b': False, 'a': True}])
    """

    variables: tuple[str, ...]
    values: tuple[bool, ...]

    @classmethod
    def of(cls, formula: Formula, variables: Iterable[str] | None = None) -> Self:
        """Return the table of a formula; `Formula.table` is the same in the bits of an integer."""
        names = formula.variables if variables is None else members(variables, "variables are a list of names")
        if len(names) > MOST_LISTED_VARIABLES:
            raise FormulaError(
                f"a truth table of {len(names)} variables has 2**{len(names)} lines; at most {MOST_LISTED_VARIABLES} "
                "variables are listed. Compare formulas with equivalence"
            )
        if len(set(names)) < len(names):
            raise FormulaError("the variables of a truth table are different; leave out those named twice")
        bits = formula.table(names[::-1])
        return cls(tuple(names), tuple(bool(bits >> number & 1) for number in range(1 << len(names))))

    def __iter__(self) -> Iterator[tuple[dict[str, bool], bool]]:
        last = len(self.variables) - 1
        for number, value in enumerate(self.values):
            yield {name: bool(number >> last - k & 1) for k, name in enumerate(self.variables)}, value

    def __len__(self) -> int:
        return len(self.values)

    def __str__(self) -> str:
        heads = [spelled(name) for name in self.variables]
        lines = [" ".join([*heads, "|"])]
        for row, value in self:
            bits = [str(int(bit)).rjust(len(head)) for head, bit in zip(heads, row.values(), strict=True)]
            lines.append(" ".join([*bits, "|", str(int(value))]))
        return "\n".join(lines)
