"""Making bounds from weights of rows: quadratic duals of kernel machines, rounded to whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm
from operator import mul
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions, PairSums
from conjunct.learners import (
    Box,
    ConjunctionSVM,
    LabelledCells,
    MaximalMarginPerceptron,
    QuadraticDual,
    RegularizedPerceptron,
    Ridge,
)
from conjunct.settings import choice, exact, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels.agreement_kernel import AgreementKernel
    from conjunct.settings import Exact

    Wholes = NDArray[np.int64]

__all__ = ["METHODS", "BoundProblem", "OutputWeights", "bound_of_rows", "outputs_of", "require_cells"]

METHODS = {"perceptron": "svm", "margin": "svm", "svm": "svm", "ridge": "ridge", "box": "box"}  # and their forms
KERNELS: dict[str, type[AgreementKernel]] = {"both": Conjunctions, "positive": MonotoneConjunctions}
GAP = 1e-4
FREE_LAM = Fraction(1, 2**12)  # of the largest kernel value, where no error is allowed and weights need no lam
GRID_LIMIT = 10**40  # as in the checker: a finer grid is not worth its digits
WEIGHT_BITS = 40
MOST_CELLS = 60_000  # their pairs are gone through some dozens of times
PAIR_HOURS = 1e-7 / 3600  # of two cells, at least: 20,000 cells took 20 s (docs/bounds.md)


@dataclass(frozen=True, eq=False)
class BoundProblem:
    """What a bound is about: rows, which conjunctions, what parts and errors cost.

    Attributes
    ----------
    table : LabelledRows
    price : Fraction or None
        How many parts an error is worth; None where only partitions without errors count.
    max_depth : int or None
        The most literals of a conjunction.
    leaf_costs : tuple of Fraction or None
        What a part costs by its literals; None where each costs 1.
    literals : {"both", "positive"}
    kind : {"partition", "dnf", "cnf"}
        Whether it is about partitions into conjunctions, DNFs for the second class, or CNFs for it.
    """

    table: LabelledRows
    price: Fraction | None
    max_depth: int | None
    leaf_costs: tuple[Fraction, ...] | None = None
    literals: str = "both"
    kind: str = "partition"

    @classmethod
    def of(
        cls,
        table: LabelledRows,
        price: Fraction | None,
        max_depth: int | None,
        leaf_costs: Sequence[Exact] | Geometric | None = None,
        literals: str = "both",
        kind: str = "partition",
    ) -> BoundProblem:
        """Read the parameters."""
        depth_name = "max_depth" if kind == "partition" else "max_term_size"
        depth = None if max_depth is None else whole_number(max_depth, depth_name, least=0, most=10**9 - 1)
        size = table.rows.n_variables if depth is None else min(depth, table.rows.n_variables)
        costs = None
        if isinstance(leaf_costs, Geometric):
            costs = tuple(Fraction(leaf_costs.eps) ** -j for j in range(size + 1))
        elif leaf_costs is not None:
            costs = tuple(exact(cost, f"leaf_costs[{j}]") for j, cost in enumerate(leaf_costs))
            if len(costs) != size + 1 or min(costs) <= 0:
                raise SettingError(f"leaf_costs: expected {size + 1} positive numbers, for 0 to {size} literals")
        return cls(table, price, depth, costs, choice(literals, "literals", list(KERNELS)), kind)

    @property
    def size(self) -> int:
        """The most literals of a conjunction over these tests."""
        n_tests = self.table.rows.n_variables
        return n_tests if self.max_depth is None else min(self.max_depth, n_tests)

    @property
    def kernel(self) -> AgreementKernel:
        """The kernel that counts the conjunctions, each by its cost."""
        return KERNELS[self.literals](self.size, self.leaf_costs)

    @property
    def lam(self) -> Fraction:
        """The regularisation whose price is that of an error: with several classes an error is one in two outputs."""
        n_classes = len(self.table.classes)
        return Fraction(0) if self.price is None else 4 / self.price * Fraction(min(2, n_classes), n_classes)

    @property
    def costs(self) -> tuple[Fraction, ...]:
        """What a part costs, by its literals."""
        return self.leaf_costs or (Fraction(1),) * (self.size + 1)

    def cells(self) -> list[LabelledCells]:
        """Pool equal rows, for each output: the second of two classes, or each class, against the rest."""
        codes, n_classes = self.table.codes, len(self.table.classes)
        positive = [1] if n_classes <= 2 else range(n_classes)
        return [LabelledCells.of(self.table.rows, np.where(codes == k, 1, -1), self.table.costs) for k in positive]

    @cached_property
    def masses(self) -> tuple[BitMatrix, list[list[Fraction]]]:
        """The distinct rows in the order of their digits, and for each what its rows of every class cost."""
        table, n_classes = self.table, max(2, len(self.table.classes))
        pool = table.rows.pool()
        if table.costs is None:
            counts = np.bincount(pool.cell_of * n_classes + table.codes, minlength=pool.rows.n_rows * n_classes)
            return pool.rows, [list(map(Fraction, own)) for own in counts.reshape(-1, n_classes).tolist()]
        masses = [[Fraction()] * n_classes for _ in range(pool.rows.n_rows)]
        for cell, code, cost in zip(pool.cell_of.tolist(), table.codes.tolist(), table.costs, strict=True):
            masses[cell][code] += cost
        return pool.rows, masses

    @property
    def positive_class(self) -> int:
        """The class that a DNF is true on; a CNF is the negation of a DNF for the other."""
        return int(self.kind != "cnf")

    def trivial(self) -> Fraction:
        """Return what one part costs at least, or two with the errors that equal rows of different classes force."""
        if self.kind != "partition":
            return self._trivial_formula()
        table = self.table
        costs = table.costs or (Fraction(1),) * table.n_rows
        price = Fraction(table.n_rows + 1) / min(costs) if self.price is None else self.price
        pool = table.rows.pool()
        masses: dict[tuple[int, int], Fraction] = {}
        for cell, code, cost in zip(pool.cell_of.tolist(), table.codes.tolist(), costs, strict=True):
            masses[cell, code] = masses.get((cell, code), Fraction()) + cost
        largest, by_class = dict[int, Fraction](), dict[int, Fraction]()
        for (cell, code), mass in masses.items():
            largest[cell] = max(largest.get(cell, mass), mass)
            by_class[code] = by_class.get(code, Fraction()) + mass
        total = sum(by_class.values(), Fraction())
        one = min(self.costs) + price * (total - max(by_class.values()))  # a test may be the same on all rows
        forced = total - sum(largest.values(), Fraction())
        return min(one, 2 * min(self.costs[1:]) + price * forced) if self.size else one

    def _trivial_formula(self) -> Fraction:
        """Return what the DNF without a term costs, if less than one with a term and the errors that are forced."""
        _, masses = self.masses
        forced = sum((min(own) for own in masses), Fraction())
        positive = sum((own[self.positive_class] for own in masses), Fraction())
        if self.price is None:
            return Fraction(self.table.n_rows + 1 if forced else int(positive > 0))
        return min(self.price * positive, 1 + self.price * forced)

    @property
    def is_impossible(self) -> bool:
        """Whether equal rows of different classes rule out what is without errors, where only that counts."""
        return self.price is None and self.trivial() > self.table.n_rows * max(self.costs)

    @property
    def grid(self) -> int:
        """D, where everything that the bound is about costs a multiple of 1/D."""
        prices = {Fraction(0) if self.price is None else self.price * cost for cost in self.table.costs or (1,)}
        return lcm(*(Fraction(number).denominator for number in (*self.costs, *prices)))

    def on_grid(self, value: Fraction) -> Fraction:
        """Raise a value to the next that a partition can cost; where these are too dense, lower it to fewer digits."""
        if self.price is None:  # nothing without errors costs more than this: there is none
            value = min(value, self.table.n_rows * max(self.costs) + 1)
        grid = self.grid
        return Fraction(ceil(value * grid), grid) if grid < GRID_LIMIT else Fraction(int(value * 10**12), 10**12)

    def header(self, form: str, exponent: int, lower: Fraction) -> dict[str, Any]:
        """Return the first line of the file."""
        table = self.table
        return {
            "format": "conjunct bound 1",
            "kind": self.kind,
            "rows": table.n_rows,
            "classes": list(table.classes),
            "tests": [[name] for name in table.rows.names],
            "reading": "canonical",
            "literals": self.literals,
            "depth": "any" if self.max_depth is None else self.max_depth,
            "leaf_costs": None if self.leaf_costs is None else [str(cost) for cost in self.leaf_costs],
            "price": None if self.price is None else str(self.price),
            "row_costs": None if table.costs is None else [str(cost) for cost in table.costs],
            "digest": table.digest,
            "form": form,
            "exponent": exponent,
            "lower": str(lower),
            "upper": None,
            "witness": None,
        }

    def certificate(self, form: str, outputs: Sequence[OutputWeights], **run: Any) -> BoundCertificate:
        """Return what the weights of all outputs prove; or, without weights, what is trivial if that is as much."""
        values = [output.value(self, form) for output in outputs]
        value = max(values, default=Fraction()) if self.price is None else sum(values, Fraction()) / max(1, len(values))
        trivial = self.trivial()
        unit = min((output.unit for output in outputs), default=Fraction(1)) if form == "box" else Fraction(1)
        lines = tuple(output.line(form, unit) for output in outputs) if value > trivial else ()
        exponent = unit.numerator.bit_length() - unit.denominator.bit_length()
        header = self.header(form, exponent, self.on_grid(max(trivial, value)))
        return BoundCertificate(header, lines, rows=self.table, **run)


@dataclass(frozen=True, eq=False)
class OutputWeights:
    """Weights of the positive and the negative rows of each cell, in whole multiples of a unit.

    Attributes
    ----------
    cells : LabelledCells
    pairs : PairSums
    positive, negative : list of int
        Of the form box only their difference counts.
    unit : Fraction
        What a weight of 1 is worth; of the form box a power of two.
    """

    cells: LabelledCells
    pairs: PairSums
    positive: list[int]
    negative: list[int]
    unit: Fraction

    @classmethod
    def of_net(
        cls, cells: LabelledCells, pairs: PairSums, net: Wholes, unit: Fraction, lam: Fraction, form: str
    ) -> OutputWeights:
        """Split net weights of the cells among the labels, as well as the form allows.

        Notes
        -----
        Of a cell with both labels A+/p + A-/n = 2/lam is best; none is negative in the form svm.
        """
        masses = list(zip(cells.positive.tolist(), cells.negative.tolist(), strict=True))
        mixed = [cell for cell, (p, n) in enumerate(masses) if p and n] if lam and form != "box" else []
        if mixed:  # their weights are fractions of masses: a finer unit where weights are short
            most = max([*map(abs, net.tolist()), *(int(2 * sum(masses[c]) * cells.unit / lam / unit) for c in mixed)])
            shift = max(0, WEIGHT_BITS - most.bit_length())
            net, unit = net << shift, unit / 2**shift
        has_positive, has_negative = cells.positive > 0, cells.negative > 0
        if form == "ridge":  # all of a cell of one label is that label's, whatever the sign
            positive, negative = np.where(has_positive, net, 0), np.where(has_positive, 0, -net)
        else:  # of the form svm a weight against the only label of a cell proves nothing
            positive, negative = np.maximum(net, 0), np.maximum(-net, 0)
            if form == "svm":
                positive, negative = np.where(has_positive, positive, 0), np.where(has_negative, negative, 0)
        whole_positive, whole_negative = positive.tolist(), negative.tolist()
        for cell in mixed:
            (p, n), b = masses[cell], int(net[cell])
            best = round(n * (2 * p * cells.unit / lam / unit - b) / (p + n))
            whole_negative[cell] = best if form == "ridge" else max(best, -b, 0)
            whole_positive[cell] = whole_negative[cell] + b
        return cls(cells, pairs, whole_positive, whole_negative, unit)

    @property
    def net(self) -> Wholes:
        """What each cell weighs."""
        return np.array([a - b for a, b in zip(self.positive, self.negative, strict=True)], np.int64)

    def groups(self) -> list[tuple[int, int]]:
        """Return weight and mass of the rows of each cell and label, positive before negative."""
        masses = self.cells.positive.tolist(), self.cells.negative.tolist()
        groups = zip(self.positive, masses[0], self.negative, masses[1], strict=True)
        return [pair for a, p, b, n in groups for pair in ((a, p), (b, n)) if pair[1]]

    def line(self, form: str, unit: Fraction) -> str:
        """Return the weights as the file lists them; those of the form box in multiples of a unit."""
        factor = int(self.unit / unit)
        weights = (factor * own for own in self.net.tolist()) if form == "box" else (own for own, _ in self.groups())
        return " ".join(["w", *map(str, weights)])

    def value(self, problem: BoundProblem, form: str) -> Fraction:
        """Return what the weights prove, exactly."""
        net, denominator = self.net, problem.kernel.layout(self.cells.rows).denominator
        sums = self.pairs.exact(problem.kernel, net)
        norm = Fraction(sum(map(mul, net.tolist(), sums.tolist())), denominator)
        if form == "box":
            return self._box_value(problem.lam, norm)
        groups = self.groups()
        total = sum(weight for weight, _ in groups)
        squares: dict[int, int] = {}
        for weight, mass in groups:
            squares[mass] = squares.get(mass, 0) + weight * weight
        charge = sum((Fraction(square, mass) for mass, square in squares.items()), Fraction()) / self.cells.unit
        form_value = norm + problem.lam * charge
        if form_value == 0 and total:
            return problem.table.n_rows * max(problem.costs) + 1  # no partition is free of errors
        return total * total / form_value if total else Fraction(0)

    def _box_value(self, lam: Fraction, norm: Fraction) -> Fraction:
        unit, mass = self.unit, self.cells.unit
        step = lam * unit / mass
        gain = 0
        for p, n, b in zip(self.cells.positive.tolist(), self.cells.negative.tolist(), self.net.tolist(), strict=True):
            gain += (p + n) * step.denominator - abs((p - n) * step.denominator - step.numerator * b)
        return 2 * mass / lam * Fraction(gain, step.denominator) - unit * unit * norm


def bound_of_rows(
    problem: BoundProblem,
    method: str = "box",
    *,
    time_limit: float | None = 60,
    max_iter: int | None = None,
    tol: float = GAP,
) -> BoundCertificate:
    """Search for weights, and return what they prove; it is not checked yet.

    Parameters
    ----------
    problem : BoundProblem
    method : {"perceptron", "margin", "svm", "ridge", "box"}
        The first three give weights of the form svm. Where no error is allowed, ridge stands for box.
    time_limit : float or None
        Seconds to search.
    max_iter : int, optional
        Iterations to search, of each output; with the same number the certificate has the same bytes.
    tol : float
        The relative gap at which to stop.
    """
    start = perf_counter()
    form, outputs, n_iter, stopped_by = outputs_of(problem, method, time_limit=time_limit, max_iter=max_iter, tol=tol)
    return problem.certificate(form, outputs, stopped_by=stopped_by, n_nodes=n_iter, seconds=perf_counter() - start)


def outputs_of(
    problem: BoundProblem,
    method: str,
    *,
    time_limit: float | None = None,
    max_iter: int | None = None,
    tol: float = GAP,
) -> tuple[str, list[OutputWeights], int, str]:
    """Return a form, weights of every output, the iterations that they took, and why these ended.

    There are no weights where what is trivial is all there is: one class, no literals, or errors where none is allowed.
    """
    form = METHODS[choice(method, "method", list(METHODS))]
    form = "ridge" if form == "box" and problem.price is None else form
    cells = problem.cells()
    require_cells(cells[0].n_cells)
    has_forced_errors = problem.price is None and problem.table.n_forced_errors > 0
    if problem.size == 0 or len(problem.table.classes) < 2 or has_forced_errors:
        return form, [], 0, "closed"
    end = None if time_limit is None else monotonic() + time_limit
    pairs = PairSums(problem.kernel.layout(cells[0].rows), cells[0].rows)
    outputs: list[OutputWeights] = []
    n_iter, reasons = 0, list[str]()
    for place, own in enumerate(cells):
        share = None if end is None else monotonic() + max(0.0, end - monotonic()) / (len(cells) - place)
        output, steps, reason = weights_of(problem, own, pairs, method, form, stopping_at(share), max_iter, tol)
        outputs.append(output)
        n_iter, reasons = n_iter + steps, [*reasons, reason]
    stopped_by = next((reason for reason in reasons if reason != "gap"), "closed")
    return form, outputs, n_iter, stopped_by


def weights_of(
    problem: BoundProblem,
    cells: LabelledCells,
    pairs: PairSums,
    method: str,
    form: str,
    is_stopped: Callable[[], str],
    max_iter: int | None,
    tol: float,
) -> tuple[OutputWeights, int, str]:
    """Return weights of one output, the iterations that they took, and why these ended."""
    kernel = problem.kernel
    lam = problem.lam or max(problem.kernel.layout(cells.rows).values) * FREE_LAM
    if form != "svm":
        dual = QuadraticDual(kernel, lam, Ridge() if form == "ridge" else Box(), tol=tol, max_iter=max_iter)
        found = dual.solve(cells, pairs, is_stopped)
        net = OutputWeights.of_net(cells, pairs, found.weights, Fraction(2) ** found.exponent, problem.lam, form)
        return net, found.n_iter, found.stopped_by
    if method == "perceptron":
        machine: Any = RegularizedPerceptron(kernel, lam, max_iter=max_iter)
    else:
        kind = MaximalMarginPerceptron if method == "margin" else ConjunctionSVM
        machine = kind(kernel, lam, tol=tol, max_iter=max_iter)
    solution = machine.solve(cells, pairs, is_stopped=is_stopped)
    own = OutputWeights(cells, pairs, solution.positive.tolist(), solution.negative.tolist(), solution.unit)
    return own, solution.n_iter, solution.stopped_by


def stopping_at(end: float | None) -> Callable[[], str]:
    """Return what says why to stop once a moment has come."""
    return str if end is None else lambda: "time" if monotonic() >= end else ""


def require_cells(n_cells: int) -> None:
    """Refuse rows of which there are too many pairs."""
    if n_cells > MOST_CELLS:
        hours = n_cells * n_cells / 2 * PAIR_HOURS
        raise SettingError(
            f"{n_cells} distinct rows: weights of so many would take about {hours:.1g} h, limit is {MOST_CELLS} rows; "
            "use fewer rows or tests, or lemmas, which take long tables at a depth of 2 or 3"
        )
