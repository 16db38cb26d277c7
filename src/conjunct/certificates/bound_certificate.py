"""BoundCertificate: a bound on every partition of rows into conjunctions, hence on every tree, from weights of rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from conjunct.certificates import bound_checker
from conjunct.certificates.tree_certificate import TreeCertificate
from conjunct.errors import SettingError
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from conjunct.logic import DecisionTree

__all__ = ["BoundCertificate"]


@dataclass(frozen=True, eq=False)
class BoundCertificate(TreeCertificate):
    """A bound on every partition of the rows into conjunctions, with the weights of rows that prove it.

    Made by `certify_tree` with ``method="lp"``, ``"box"`` and its kin, and by ``certificate`` of a kernel machine. The
    leaves of a decision tree are such a partition, so the bound holds for trees; partitions may need fewer parts.
    The file has no witness; where a search for trees ran as well, `beside` is what it found.

    Attributes
    ----------
    header : dict
        The first line of the file, as docs/bound-format.md describes it.
    lemmas : tuple of str
        The lines of evidence: weights for each output, and the walk of a linear program.
    n_pairs, n_splits : int
        0: there are no lemmas to count for.
    rows : LabelledRows or None
        The rows it is about; None where it was loaded, since a certificate names them by their digest.
    certified : bool
        Whether the checker accepted it in this run.
    stopped_by : str
        Why the search for weights ended.
    n_nodes : int or None
        Its iterations.
    seconds, check_seconds : float or None
    attempts : tuple of str
        Where the method was chosen by itself: what was tried, what that proved, and how long it took.
    beside : TreeCertificate or None
        What a search for trees proved, which is less, and the best tree that it found; it is no part of the file.
    """

    kinds: ClassVar[tuple[str, ...]] = ("partition",)
    checker: ClassVar[ModuleType] = bound_checker

    beside: TreeCertificate | None = field(default=None, repr=False)

    @property
    def upper(self) -> Fraction | None:
        """What the best known tree costs; None where none was looked for."""
        return super().upper if self.beside is None else self.beside.upper

    @property
    def n_leaves(self) -> int | None:
        """The leaves of the best known tree."""
        return super().n_leaves if self.beside is None else self.beside.n_leaves

    @property
    def witness(self) -> DecisionTree | None:
        """The best tree that is known; None where none was looked for."""
        return super().witness if self.beside is None else self.beside.witness

    def tree_text(self) -> str:
        """Draw the best known tree."""
        return "no tree was looked for" if self.beside is None else self.beside.tree_text()

    @property
    def form(self) -> str:
        """What the weights are: of a quadratic dual ``"svm"``, ``"ridge"``, ``"box"``; of a linear program ``"lp"``."""
        return str(self.header["form"])

    @property
    def leaf_costs(self) -> tuple[Fraction, ...] | None:
        """What a part of 0, 1, 2, .. literals costs; None where each costs 1."""
        costs = self.header["leaf_costs"]
        return None if costs is None else tuple(map(Fraction, costs))

    @property
    def is_impossible(self) -> bool:
        """Whether there is no partition without errors, where only such count."""
        return self.error_price is None and self.bound > self.header["rows"] * max(self.leaf_costs or (Fraction(1),))

    @staticmethod
    def _line(line: Any) -> str:
        word, numbers = line
        return " ".join([word, *map(str, numbers)])

    @property
    def n_weights(self) -> int:
        """How many weights there are; none where the bound is trivial."""
        return sum(line.count(" ") for line in self.lemmas if line.startswith("w "))

    @property
    def n_conjunctions(self) -> int:
        """How many conjunctions the checker weighs, where the weights are those of a linear program."""
        return sum(int(line.split(" ", 2)[1]) for line in self.lemmas if line.startswith("walk"))

    def text(self) -> str:
        """Return the certificate as its file holds it."""
        return self._text(f"end {len(self.lemmas)} {sum(line.count(' ') for line in self.lemmas)}")

    @property
    def claim(self) -> str:
        """The claim in sentences that may be quoted."""
        return "\n".join(bound_checker.sentences(bound_checker.Verdict(self.header, self.bound, self.n_weights)))

    def min_leaves(self, max_errors: object = 0) -> int:
        """Return the least number of parts of a partition, or leaves of a tree, with at most so many errors.

        Where rows have costs, `max_errors` is what the errors may cost.
        """
        self._require_plain_leaves()
        return super().min_leaves(max_errors)

    def min_errors(self, max_leaves: int | None = None) -> int | Fraction:
        """Return the least number of errors with at most so many parts, or leaves, as the bound proves it.

        With ``leaf_costs=Geometric(2)`` the leaves of a tree cost 1 in sum: then it is about trees, and `max_leaves`
        is not needed. Where rows have costs, it is what the errors cost at least.
        """
        if self.adds_up_to_one:
            max_leaves = 1  # all leaves together cost as much as one
        else:
            self._require_plain_leaves()
        return super().min_errors(whole_number(max_leaves, "max_leaves"))

    @property
    def adds_up_to_one(self) -> bool:
        """Whether the leaves of every tree cost 1 in sum: 1/2 for a test passed or failed."""
        costs = self.leaf_costs or ()
        is_halved = all(cost == Fraction(1, 2**j) for j, cost in enumerate(costs))
        return is_halved and len(costs) > 1 and self.header["literals"] == "both"

    def _require_plain_leaves(self) -> None:
        if self.leaf_costs is not None:
            raise SettingError("leaf_costs differ by the number of literals; the bound says nothing about their number")
