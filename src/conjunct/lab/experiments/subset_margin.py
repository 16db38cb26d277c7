"""Statement: some few rows have a maximal-margin polynomial that errs no more than any tree or DNF of margin mu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, pairwise
from statistics import mean

from conjunct.bits import random_below
from conjunct.bits.randomness import derived_seed
from conjunct.datasets.all_rows import all_rows
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.observed import Observed, Spread
from conjunct.lab.panel import Panel
from conjunct.logic import DNF, DecisionTree, Literal, Polynomial, Term
from conjunct.theory import HullPoint, conjunctions_kernel, hull_points

__all__ = ["SUBSET_MARGIN"]

WIDTHS, LENGTHS, D = (2, 3), (6, 10, 14), 1
NORMS = (1, 2, 5, 9, 13)
ONE_FLIP_IN = 5

Row = tuple[int, ...]

ERRORS = Panel("errors of the best subset, the worst table", "norm²", "largest ‖f‖²", "errors", along="table")
SUFFICE = Panel("rows that suffice", "norm²", "largest ‖f‖² that is allowed", "rows of the subset", x_log=False)
COLLECTED = Panel("rows that the proof collects", "norm²", "‖f‖²", "rows of the subset", x_log=False)
STEPS = Panel("every row that the proof adds", "n", "variables n", "ratio", along="table")
UNCONDITIONED = Panel("label x1 on all rows, subsets of one row", "n", "variables n", "errors", along="table")
MEANS = Spread("errors, mean of the tables", "norm²", "errors")
FAILURES = Spread("tables where small subsets miss the best tree or DNF", "rows", "% of the tables; no margin asked")


@dataclass(frozen=True, slots=True)
class Concept:
    """A tree or a DNF: its squared norm, and its value on every row."""

    norm_sq: int
    values: dict[Row, Fraction]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Different labelled rows with their numbers, and the points of least norm that their subsets have."""

    rows: tuple[tuple[Row, int], ...]
    counts: tuple[int, ...]
    points: tuple[HullPoint, ...]

    @classmethod
    def of(cls, rows: Sequence[tuple[Row, int]]) -> Labelled:
        """Pool equal rows of equal label; the points are y phi(x)."""
        different = tuple(sorted(set(rows)))
        inner = [[y * z * conjunctions_kernel(x, w, D) for w, z in different] for x, y in different]
        return cls(different, tuple(rows.count(row) for row in different), tuple(hull_points(inner)))

    def n_errors(self, margins: Sequence[Fraction]) -> int:
        """Count the rows with y f(x) <= 0, from y f(x) on each of the different ones."""
        return sum(count for count, margin in zip(self.counts, margins, strict=True) if margin <= 0)

    def margins(self, concept: Concept) -> list[Fraction]:
        """Return y f(x) on each of the different rows."""
        return [y * concept.values[x] for x, y in self.rows]

    def least_errors(self, most: int) -> int:
        """Return the least errors of the maximal-margin polynomials of all subsets of at most so many rows.

        The polynomial of a subset is that of its support, which is a subset too: those that are all support suffice.
        """
        return min(self.n_errors(point.scores) for point in self.points if len(point.support) <= most)

    def least_subset(self, n_errors: int) -> int:
        """Return how many rows the smallest subset has whose polynomial makes at most so many errors."""
        return min(len(point.support) for point in self.points if self.n_errors(point.scores) <= n_errors)

    def collected(self, concept: Concept) -> list[HullPoint]:
        """Return the points of the subsets that the proof builds, each of one row more.

        It begins with a row that the concept has right, and adds one that the concept has right and the polynomial
        wrong while there is one: here the one whose score is nearest to 0, which gains least.
        """
        right = [index for index, margin in enumerate(self.margins(concept)) if margin > 0]
        subset, points = right[:1], []
        while subset:
            points.append(next(point for point in self.points if point.is_least_of(subset)))
            scores = points[-1].scores
            wrong = [index for index in right if scores[index] <= 0]
            if not wrong:
                break
            subset.append(max(wrong, key=scores.__getitem__))
        return points


def trials(seed: int, quick: bool) -> list[Trial]:
    """Take tables of both widths; then the label x1 and no margin."""
    return [*(partial(on_tables, seed, n, 2 if quick else 24) for n in WIDTHS), one_row_each]


def on_tables(seed: int, n: int, repetitions: int) -> list[Line | Observed]:
    """Hold the best subset's errors against every concept of each norm; build the subsets of the proof."""
    tables = [drawn(seed, n, m, number) for m in LENGTHS for number in range(repetitions)]
    series, radius_sq = f"n = {n}", n + 1
    lines: list[Line | Observed] = []
    for norm_sq in NORMS:
        most = radius_sq * norm_sq
        allowed = [concept for concept in concepts(n) if concept.norm_sq <= norm_sq]
        least = [min(table.n_errors(table.margins(concept)) for concept in allowed) for table in tables]
        best = [table.least_errors(most) for table in tables]
        needed = [table.least_subset(errors) for table, errors in zip(tables, least, strict=True)]
        lines += [
            Line.of(ERRORS.title, series, norm_sq, best, least),
            Line.of(SUFFICE.title, series, norm_sq, needed, most),
            Observed.of(MEANS.title, f"best subset, {series}", norm_sq, [mean(best)]),
            Observed.of(MEANS.title, f"best tree or DNF, {series}", norm_sq, [mean(least)]),
        ]
    gains, lengths = [], []
    longest: dict[int, int] = {}
    for table in tables:
        for concept in concepts(n):
            if points := table.collected(concept):
                steps = [1 / point.norm_sq for point in points]
                gains += [radius_sq * (after - before) for before, after in pairwise(steps)]
                lengths.append(points[-1].norm_sq * concept.norm_sq)
                longest[concept.norm_sq] = max(longest.get(concept.norm_sq, 0), len(points))
    lines += [Line.of(COLLECTED.title, series, size, [longest[size]], radius_sq * size) for size in NORMS]
    lines += [
        Line.of(STEPS.title, "gain of 1/‖v‖², times R²", n, gains, 1, ">="),
        Line.of(STEPS.title, "‖v‖²·‖f‖²", n, lengths, 1, ">="),
    ]
    return [*lines, *without_margin(series, n, tables)]


def without_margin(series: str, n: int, tables: Sequence[Labelled]) -> list[Observed]:
    """Count the tables where small subsets miss the best concept of any norm."""
    best = [min(table.n_errors(table.margins(concept)) for concept in concepts(n)) for table in tables]
    return [
        Observed.of(
            FAILURES.title,
            series,
            most,
            [100 * sum(t.least_errors(most) > e for t, e in zip(tables, best, strict=True)) / len(tables)],
        )
        for most in range(1, max(WIDTHS) + 2)
    ]


def one_row_each() -> list[Line]:
    """Take all rows with the label x1: the polynomial of one row has one sign, and errs on half of them."""
    lines = []
    for n in WIDTHS:
        table = Labelled.of([(row, 1 if row[0] else -1) for row in every_row(n)])
        split = min(table.n_errors(table.margins(concept)) for concept in concepts(n))
        lines.append(
            Line.of(UNCONDITIONED.title, "more than the best tree", n, [table.least_errors(1)], split + 1, ">=")
        )
        lines.append(Line.of(UNCONDITIONED.title, "half of the rows", n, [table.least_errors(1)], 2 ** (n - 1), "=="))
    return lines


def drawn(seed: int, n: int, m: int, number: int) -> Labelled:
    """Draw rows labelled by one of the DNFs, one label in five turned round."""
    run_seed = derived_seed(seed, n, m, number)
    targets = [concept.values for concept in concepts(n)]
    target = targets[int(random_below(run_seed, len(targets), 1)[0])]
    rows = [every_row(n)[index] for index in random_below(run_seed, 2**n, m, stream=1).tolist()]
    flips = random_below(run_seed, ONE_FLIP_IN, m, stream=2).tolist()
    return Labelled.of(
        [(row, 1 if (target[row] > 0) != (flip == 0) else -1) for row, flip in zip(rows, flips, strict=True)]
    )


@cache
def concepts(n: int) -> tuple[Concept, ...]:
    """List the trees of depth at most 1 and the DNFs of terms of one literal, as polynomials."""
    names = [f"x{index + 1}" for index in range(n)]
    leaves = [DecisionTree.leaf(label) for label in (False, True)]
    trees = [*leaves, *(DecisionTree.split(name, *pair) for name in names for pair in (leaves, leaves[::-1]))]
    literals = [Term([Literal(name, is_positive)]) for name in names for is_positive in (True, False)]
    formulas = [DNF(terms) for size in range(len(literals) + 1) for terms in combinations(literals, size)]
    polynomials = [*(tree.polynomial() for tree in trees), *(formula.polynomial() for formula in formulas)]
    return tuple(concept_of(polynomial, names) for polynomial in polynomials)


def concept_of(polynomial: Polynomial, names: Sequence[str]) -> Concept:
    """Return the norm of a polynomial, and its value on every row."""
    values = {row: polynomial.value(dict(zip(names, row, strict=True))) for row in every_row(len(names))}
    return Concept(int(polynomial.norm_sq()), values)


def every_row(n: int) -> list[Row]:
    """List the rows of n variables."""
    return [tuple(row) for row in all_rows(n).tolist()]


SUBSET_MARGIN = Experiment(
    name="subset-margin",
    title="A few rows whose margin machine errs no more than any tree or DNF",
    statement=(
        "Of all subsets of ⌊1/μ²⌋ rows one has a maximal-margin polynomial that errs on no more rows than any tree or "
        "DNF of margin 1/(R‖f‖) ≥ μ."
    ),
    source=(("kowalczyk2002", "Theorem 6, with the condition on the margin"),),
    hypotheses=(
        "degree 1 over n variables and their complements, K = 1: R² = n + 1; ‖f‖² of a tree is its leaves, of a DNF "
        "1 + 4·terms",
        "1/(R‖f‖) ≥ μ says ‖f‖² ≤ 1/(R²μ²): the largest ‖f‖² stands for μ, and subsets have at most R²‖f‖² rows",
        "errors are rows with y f(x) ≤ 0; the polynomial of a subset is the point v of least norm in the convex hull "
        "of its y φ(x), in fractions, so that every sign is decided exactly",
        f"tables of {', '.join(map(str, LENGTHS))} rows, labels of a DNF, one in {ONE_FLIP_IN} turned round; held "
        "against every tree of depth 1 and every DNF of single literals",
        "the proof: begin with a row that f has right, add one that f has right and v wrong; 1/‖v‖² grows by 1/R²",
    ),
    bounds=(
        ("err(h) ≤ err(f)", "tight"),
        ("⌊R²‖f‖²⌋ rows", "loose"),
        ("1/‖v‖² grows by 1/R²", "loose"),
        ("‖v‖ ≥ 1/‖f‖", "tight"),
        ("one row: errs on half of the rows", "tight"),
    ),
    settings={"n": "2, 3", "degree": D},
    panels=(ERRORS, SUFFICE, COLLECTED, STEPS, UNCONDITIONED),
    spreads=(MEANS, FAILURES),
    methods={f"{what}, n = {n}": f"n = {n}" for what in ("best subset", "best tree or DNF") for n in WIDTHS},
    remarks=(
        "in print there is no condition on the margin, and subsets have ⌈4/μ⁴⌉ rows, as far as it can be read; without "
        "the condition μ may be so large that subsets have one row, and then the statement fails: with the label x1 "
        "such a subset errs on half of the rows, and the tree x1 on none",
        "a polynomial of degree 1 with a positive margin is that of at most n + 1 rows: here subsets of so many reach "
        "all that larger ones do",
    ),
    conclusion=(
        "With the margin the best subset is never behind, and a few rows suffice, far fewer than the bound allows; "
        "without it subsets of one row miss the best tree already where the label is a single variable."
    ),
    trials=trials,
)
