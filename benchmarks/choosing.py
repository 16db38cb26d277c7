"""Ways to choose cuts and lam by inner folds, on tables that are none of the twelve.

``CONJUNCT_DATA=... python benchmarks/choosing.py [--folds 5] [--rows 1500] [--seed 0] [TABLE ...]`` prints the mean
accuracy of every way, and how far it is above the first in the mean of the tables, with the standard error of that and
the table where it is worst. In every fold each pair of cuts and lam is tried once in the inner folds of the command and
once on the fold; the ways choose among the same results. docs/accuracy.md has the outcome.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from real_tables import DESIGN, DESIGN_OF_CP4IM, Table, boolean_tables

from conjunct.bits.randomness import random_permutation
from conjunct.cli.choice import CUTS_TRIED, Choice, held_out_loss, quick
from conjunct.cli.comparison import INNER_FOLDS, INNER_ROWS, Comparison
from conjunct.cli.fold_parts import Parts
from conjunct.estimators import ConjunctionSVC
from conjunct.evaluation.cross_validation import splits
from conjunct.tables import Column, TableEncoding

FIVE = tuple(map(Fraction, ("1/8", "1/2", "1", "2", "4")))
THREE = tuple(map(Fraction, ("1/2", "1/8", "2")))
SCALES = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12)  # of scores, for the log loss


@dataclass(frozen=True)
class Candidate:
    """What cuts and a lam did: in the inner folds, row by row or in sum, and on the rows of the fold."""

    is_right: np.ndarray
    hinge: float
    log_loss: float
    n_right: int


Grid = dict[Choice, Candidate]


def candidate(choice: Choice, machine: ConjunctionSVC, inner: Sequence[Parts | None], outer: Parts | None) -> Candidate:
    if outer is None or None in inner:
        return Candidate(np.zeros(1, bool), np.inf, np.inf, 0)
    hinge, is_right, margins = 0.0, [], []
    for parts in inner:
        fitted = choice.learner(quick(machine), parts.rows)
        hinge += held_out_loss(fitted, parts)
        is_right.append(fitted.predict(parts.test_rows) == parts.test_codes)
        scores = fitted.decision_function(parts.test_rows).reshape(len(parts.test_codes), -1)
        codes = [1] if scores.shape[1] == 1 else np.arange(scores.shape[1])
        margins.append((np.where(parts.test_codes[:, None] == codes, 1, -1) * scores).ravel())
    log_loss = min(np.logaddexp(0, -scale * np.concatenate(margins)).sum() for scale in SCALES)
    final = choice.learner(machine, outer.rows).fit(outer.rows, outer.codes)
    n_right = int(np.sum(final.predict(outer.test_rows) == outer.test_codes))
    return Candidate(np.concatenate(is_right), hinge, log_loss, n_right)


def grids(table: Table, n_rows: int, n_folds: int, seed: int) -> tuple[list[Grid], int]:
    """Return what every choice does in every fold, and the number of rows."""
    frame, labels = table
    some = np.random.RandomState(0).permutation(len(labels))[:n_rows]
    entries = {str(name): Column.read(str(name), frame[name].iloc[some].reset_index(drop=True)) for name in frame}
    labels = labels.to_numpy()[some]
    settings = {"cuts": "auto"}
    machine = ConjunctionSVC()
    whole = TableEncoding.of(entries, labels, **settings)
    comparison = Comparison(machine, whole, entries, labels, settings, has_baselines=False)
    made = []
    for train, test in splits(labels, n_folds, seed):
        few = train[random_permutation(0, len(train))[:INNER_ROWS]]
        folds = [(few[own], few[held_out]) for own, held_out in splits(labels[few], INNER_FOLDS, seed=0)]
        grid: Grid = {}
        for cuts in CUTS_TRIED if comparison.chooses_cuts else ("auto",):
            inner = [comparison._parts_or_none(*fold, cuts) for fold in folds]
            outer = comparison._parts_or_none(train, test, cuts)
            for factor in FIVE:
                choice = Choice(cuts, factor)
                grid[choice] = candidate(choice, machine, inner, outer)
        made.append(grid)
    return made, len(labels)


# The ways to choose


def mistakes(tried: Candidate) -> float:
    return -float(tried.is_right.sum())


def hinge(tried: Candidate) -> float:
    return tried.hinge


def log_loss(tried: Candidate) -> float:
    return tried.log_loss


Loss = Callable[[Candidate], float]


def cuts_of(grid: Grid) -> list[int | str]:
    return list(dict.fromkeys(choice.cuts for choice in grid))


def in_turn(loss: Loss, factors: Sequence[Fraction], first: Fraction, rounds: int, grid: Grid) -> Choice:
    """Cuts with a lam, lam with these cuts, so many times."""
    choice = Choice("auto", first)
    for _ in range(rounds):
        choices = [Choice(cuts, choice.factor) for cuts in cuts_of(grid)]
        choice = min(choices, key=lambda tried: loss(grid[tried]))
        choices = [Choice(choice.cuts, factor) for factor in factors]
        choice = min(choices, key=lambda tried: loss(grid[tried]))
    return choice


def jointly(loss: Loss, grid: Grid) -> Choice:
    return min(grid, key=lambda tried: loss(grid[tried]))


def one_standard_error(factors: Sequence[Fraction], grid: Grid) -> Choice:
    """Return the largest lam whose hits are below the most by no more than the standard error of the difference."""
    best = in_turn(mistakes, factors, Fraction(1, 2), 1, grid)
    choices = []
    for factor in factors:
        difference = grid[best].is_right.astype(int) - grid[Choice(best.cuts, factor)].is_right
        if difference.sum() <= np.sqrt(np.sum(difference**2)):
            choices.append(Choice(best.cuts, factor))
    return max(choices, key=lambda choice: choice.factor)


WAYS: dict[str, Callable[[Grid], Choice]] = {
    "hits, three lams, in turn": partial(in_turn, mistakes, THREE, Fraction(1, 2), 1),
    "hits, 4 tried too": partial(in_turn, mistakes, (*THREE, Fraction(4)), Fraction(1, 2), 1),
    "hits, five lams": partial(in_turn, mistakes, FIVE, Fraction(1), 1),
    "hits, five lams, jointly": partial(jointly, mistakes),
    "one standard error, three lams": partial(one_standard_error, THREE),
    "one standard error, 4 tried too": partial(one_standard_error, (*THREE, Fraction(4))),
    "log loss, five lams, in turn": partial(in_turn, log_loss, FIVE, Fraction(1), 1),
    "log loss, in turn twice": partial(in_turn, log_loss, FIVE, Fraction(1), 2),
    "log loss, jointly": partial(jointly, log_loss),
    "squared hinge, three lams, in turn": partial(in_turn, hinge, THREE, Fraction(1, 2), 1),
    "squared hinge, five lams, in turn": partial(in_turn, hinge, FIVE, Fraction(1), 1),
    "squared hinge, five lams, in turn twice": partial(in_turn, hinge, FIVE, Fraction(1), 2),
    "squared hinge, five lams, jointly": partial(jointly, hinge),
    "no choice: 16 cuts, lam 1/2": lambda grid: Choice(16 if 16 in cuts_of(grid) else "auto", Fraction(1, 2)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    boolean = boolean_tables()
    tables = DESIGN | {name: boolean[f"cp4im/{name}"] for name in DESIGN_OF_CP4IM}
    names = arguments.tables or list(tables)
    shares: dict[str, list[float]] = {way: [] for way in WAYS}
    for name in names:
        made, n_rows = grids(tables[name](), arguments.rows, arguments.folds, arguments.seed)
        for way, choose in WAYS.items():
            shares[way].append(100 * sum(grid[choose(grid)].n_right for grid in made) / n_rows)
        print(name, n_rows, "; ".join(f"{own[-1]:.1f}" for own in shares.values()), flush=True)
    print("\n| way to choose | mean | above the first | worst |\n| --- | ---: | ---: | --- |")
    first = np.array(next(iter(shares.values())))
    for way, own in shares.items():
        above = np.array(own) - first
        error = np.std(above, ddof=1) / np.sqrt(len(above)) if len(above) > 1 else 0.0
        worst = f"{above.min():+.1f} {names[int(above.argmin())]}"
        print(f"| {way} | {np.mean(own):.2f} | {above.mean():+.2f} ± {error:.2f} | {worst} |")


if __name__ == "__main__":
    main()
