"""A proof for people: why no tree of a claim costs less, first test by first test."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from conjunct.certificates import checker
from conjunct.messages import printable

__all__ = ["FirstTest", "explain", "explanation_lines"]

LONGEST_NAME = 40
MOST_LINES = 30


class FirstTest(NamedTuple):
    """A test that a tree may begin with, how many rows pass it and fail it, and what each part costs at least."""

    name: str
    passed: int
    failed: int
    passed_bound: Fraction
    failed_bound: Fraction
    reason: str

    @property
    def bound(self) -> Fraction:
        """What every tree that begins with the test costs at least."""
        return self.passed_bound + self.failed_bound


def explain(prover: checker.Prover) -> list[FirstTest]:
    """Return what the last lemma of a certificate says about every first test, the cheapest first.

    Nothing where the claim is the trivial one or a frontier, which have no lemma. The lemmas it rests on are taken at
    their word: this explains a proof that the checker accepted, by what the checker has read.
    """
    if not prover.lemmas:
        return []
    number, lemma = len(prover.lemmas) - 1, prover.lemmas[-1]
    tests, rows = prover.header["tests"], prover.all_rows
    found = []
    for (test, passed), *least in prover.parts(rows, prover.splits(rows), lemma.depth - 1):
        parts = list(zip((2 * test + 1, 2 * test), (passed, rows ^ passed), least, strict=True))
        if lemma.kind == "E":
            bounds = [_counted(prover, part, lemma.depth) if lemma.depth > 1 else leaf for _, part, leaf in parts]
            reasons = ["pair counts"] * 2
        else:
            bounds = [prover.known_cost(number, lemma, *part) for part in parts]
            hints = [(part, lemma.hints.get(literal)) for literal, part, _ in parts]
            reasons = [_reason(prover, *hint, bound) for hint, bound in zip(hints, bounds, strict=True)]
        one, rest = (Fraction(bound, prover.leaf_cost) for bound in bounds)
        n_passed = passed.bit_count()
        reason = reasons[0] if reasons[0] == reasons[1] else " + ".join(reasons)
        found.append(FirstTest(tests[test][0], n_passed, rows.bit_count() - n_passed, one, rest, reason))
    return sorted(found, key=lambda first: (first.bound, first.name))


def _counted(prover: checker.Prover, rows: int, depth: int) -> int:
    """Return what pair counts say about a part: all its tests, one level down."""
    kinds = [prover.wrong] if prover.is_plain and depth == 2 else [prover.sizes, *prover.called]
    return prover.two_levels(rows, checker.counter(kinds, prover.splits(rows))(rows), depth)


def _reason(prover: checker.Prover, rows: int, hint: int | None, bound: int) -> str:
    errors = prover.errors(rows)
    if bound == prover.leaf_cost + errors:
        return "a leaf"
    if bound == prover.trivial(1, errors, prover.forced(rows)):
        return "two leaves and forced errors"
    same = [number for number, _, value in prover.known.get(rows, ()) if value == bound]
    return f"lemma {same[-1]}" if same else f"near lemma {hint}"


def explanation_lines(tests: list[FirstTest], header: dict[str, Any]) -> list[str]:
    """Return a table of first tests, a line each, those of least cost first; of a frontier one of leaves and errors."""
    if header["kind"] == "frontier":
        errors = "errors" if header["row_costs"] is header["cost_matrix"] is None else "cost of errors"
        bounds = [f"  {k:6}  {bound}" for k, bound in enumerate(header["lower"], start=1)]
        return ["All trees were gone over. The best with at most so many leaves:", f"  leaves  {errors}", *bounds]
    if not tests:
        return ["The bound is the trivial one: one leaf, or two leaves and the errors that equal rows force."]
    shown = tests[:MOST_LINES]
    names = [printable(test.name)[:LONGEST_NAME] for test in shown]
    width = max(10, *map(len, names))
    lines = [
        f"A tree that is no leaf begins with one of {len(tests)} tests that split the rows differently. What it costs:",
        f"  {'first test':{width}}  {'yes':>6} {'no':>6}   yes part     no part      together  because of",
    ]
    for name, test in zip(names, shown, strict=True):
        parts = f">= {test.passed_bound!s:8}  >= {test.failed_bound!s:8}  >= {test.bound!s:6}"
        lines.append(f"  {name:{width}}  {test.passed:6} {test.failed:6}   {parts}  {test.reason}")
    if len(tests) > MOST_LINES:
        lines.append(f"  ... and {len(tests) - MOST_LINES} more, none below {tests[MOST_LINES].bound}")
    return lines
