"""Bounds by linear programs and covers, tampered with: what is accepted is true, and the naive checker agrees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conjunct.bits import BitMatrix
from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.certify_bound import BoundProblem
from conjunct.certificates.certify_dnf import formula_of_rows
from conjunct.certificates.certify_linear import linear_bound
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.theory import walk_by_rows
from parts import parts
from reference.bound_verdicts import Files, files_of, verdict
from reference.random_tables import PRICES

KINDS = [("partition", "lp"), ("partition", "lp"), ("dnf", "lp"), ("dnf", "lp"), ("cnf", "lp"), ("dnf", "cover")]


def small_bound(random: Random, kind: str, method: str, price: Fraction | None, n_classes: int = 2) -> BoundCertificate:
    """A bound about a few rows whose evidence is not empty."""
    while True:
        n_tests = random.randint(2, 3)
        rows = ["".join(random.choice("01") for _ in range(n_tests)) for _ in range(9)]
        function = [random.randrange(n_classes) for _ in range(1 << n_tests)]
        noise = 0 if price is None else 0.2
        labels = [
            random.randrange(n_classes) if random.random() < noise else function[int(row, 2)] for row in rows
        ]  # without a price no two equal rows differ
        table = LabelledRows.of(BitMatrix.of(rows), labels)
        if random.random() < 0.3:
            table = table.with_costs([Fraction(random.randint(1, 5), 2) for _ in rows])
        literals = "both" if kind == "cnf" or random.random() < 0.7 else "positive"
        problem = BoundProblem.of(table, price, random.choice([None, None, 1, 2]), None, literals, kind)
        if kind == "partition":
            bound = linear_bound(problem, time_limit=None, max_rounds=30)
        elif len(table.classes) <= 2:
            bound = formula_of_rows(problem, method, time_limit=None, max_rounds=30)
        if bound.lemmas:
            return bound


def some_bounds(random: Random) -> list[BoundCertificate]:
    """A bound of each kind and form, with a price or without."""
    return [
        small_bound(random, kind, method, None if k % 2 else random.choice(PRICES[1:]), 3 if k == 1 else 2)
        for k, (kind, method) in enumerate([*KINDS, ("cnf", "cover"), ("cnf", "lp"), ("dnf", "cover")])
    ]


def joined(header: bytes, lines: list[bytes]) -> bytes:
    """A file whose end line fits its evidence."""
    end = f"end {len(lines)} {sum(line.count(b' ') for line in lines)}".encode()
    return b"\n".join([header, *lines, end, b""])


def changed_numbers(text: bytes) -> Iterator[bytes]:
    """The file with one number changed, one after another."""
    for match in re.finditer(rb"(?<![a-z])[0-9]+(?![0-9a-f]{20})", text):
        number = int(match[0]) if len(match[0]) < 30 else 0
        for other in sorted({number + 1, max(0, number - 1), 2 * number + 1, 0, 7} - {number}):
            yield text[: match.start()] + str(other).encode() + text[match.end() :]


def changed_keys(text: bytes) -> Iterator[bytes]:
    """The file with another header."""
    for key, values in {
        "kind": ['"partition"', '"dnf"', '"cnf"'],
        "form": ['"lp"', '"cover"', '"svm"', '"ridge"', '"box"'],
        "price": ["null", '"1/4"', '"1"', '"8"'],
        "depth": ["0", "1", "2", '"any"'],
        "literals": ['"both"', '"positive"'],
        "exponent": ["0", "-9", "-9999", "9999", "40"],
        "leaf_costs": ['["1","1","1"]'],
        "upper": ["null", '"0"', '"1"', '"3"'],
    }.items():
        for value in values:
            yield re.sub(rf'"{key}":[^,]*'.encode(), f'"{key}":{value}'.encode(), text, count=1)
    for witness in [
        "null",
        "[]",
        "[[]]",
        "[[],[]]",
        "[[0]]",
        "[[1]]",
        "[[1,3]]",
        "[[3,1]]",
        "[[0,1]]",
        "[[1,1]]",
        "[[99]]",
    ]:
        for upper in ["null", '"0"', '"1"', '"2"']:
            yield re.sub(rb'"upper":.*\}', f'"upper":{upper},"witness":{witness}}}'.encode(), text, count=1)


def changed_lines(text: bytes, other: bytes, random: Random) -> Iterator[bytes]:
    """The file with other evidence: lines dropped, doubled, exchanged, permuted, cut, or taken from another file."""
    header, *lines = text.split(b"\n")[:-2]
    others = other.split(b"\n")[1:-2]
    yield joined(header, [])
    for k in range(len(lines)):
        yield joined(header, lines[:k] + lines[k + 1 :])
        yield joined(header, [*lines[: k + 1], lines[k], *lines[k + 1 :]])
        yield joined(header, [*lines[:k], *others[k : k + 1], *lines[k + 1 :]])
        word, *numbers = lines[k].split(b" ")
        yield joined(header, [*lines[:k], b" ".join([word, *numbers[:-1]]), *lines[k + 1 :]])
        yield joined(header, [*lines[:k], b" ".join([word, *numbers, b"0"]), *lines[k + 1 :]])
        for _ in range(4):
            own, rest = (numbers[:1], numbers[1:]) if word == b"walk" else ([], numbers)
            shuffled = random.sample(rest, len(rest))
            yield joined(header, [*lines[:k], b" ".join([word, *own, *shuffled]), *lines[k + 1 :]])
    yield joined(header, [*lines, b"walk 1"])
    yield joined(header, [*lines, b"walk 1 0"])
    yield joined(header, others)
    raised = re.sub(rb'"lower":"', b'"lower":"1', header)
    yield joined(raised, lines)
    heavier = [re.sub(rb"[1-9][0-9]*", lambda own: own[0] + b"0", lines[0]), *lines[1:]]
    yield joined(raised, heavier)


@pytest.mark.parametrize("part", parts(40, quick=1))
def test_no_tampered_bound_passes_with_a_false_claim(part: int, tmp_path: Path) -> None:
    random, codes = Random(part), []
    bounds = some_bounds(random)
    for bound, other in zip(bounds, bounds[1:] + bounds[:1], strict=True):
        (text, rows), (other_text, other_rows) = files_of(bound), files_of(other)
        assert verdict((text, rows), tmp_path) == 0
        tampered: list[Files] = [(text, other_rows), (text, rows[:-1])]
        tampered += [(own, rows) for own in changed_lines(text, other_text, random)]
        tampered += [(own, rows) for own in changed_keys(text)]
        numbers = list(changed_numbers(text))
        tampered += [(own, rows) for own in random.sample(numbers, min(len(numbers), 150))]
        codes += [verdict(own, tmp_path) for own in tampered if own != (text, rows)]
    assert len(codes) > 1000
    assert 0 < codes.count(0) < len(codes) / 2
    assert codes.count(1) > 200
    assert codes.count(2) > 100


def walks_under(bound: BoundCertificate, weights: list[int]) -> list[list[int]]:
    """The walks of a linear program under any weights, as far as no conjunction passes its limit."""
    price, literals = bound.error_price, bound.header["literals"]
    problem = BoundProblem.of(bound.rows, price, bound.max_depth, None, literals, bound.kind)
    (cells, masses), one = problem.masses, 1 / Fraction(2) ** bound.header["exponent"]
    every, above = range(2 * cells.n_variables), sum(max(weight, 0) for weight in weights)
    walks = []
    for k in range(len(problem.table.classes)) if bound.kind == "partition" else [problem.positive_class]:
        errors = [sum(own) - own[k] for own in masses]
        charges = [above * (error > 0) if price is None else price * error * one for error in errors]
        own: list[Any] = [weight - charge for weight, charge in zip(weights, charges, strict=True)]
        used, limit = every if literals == "both" else every[1::2], int(one)
        _, n_nodes, trace = walk_by_rows(cells.to_array().tolist(), own, limit, used, problem.size)
        walks.append([n_nodes, *trace])
    return walks


def changed_walks(walks: list[list[int]], n_cells: int, random: Random) -> Iterator[list[list[int]]]:
    """The walks with one changed: other nodes, a cell dropped, added or exchanged, or the cells of another walk."""
    for k, (n_nodes, *trace) in enumerate(walks):
        j, cell = random.randrange(len(trace) + 1), random.randrange(n_cells)
        others = [[n_nodes + 1, *trace], [max(0, n_nodes - 1), *trace], [n_nodes, *trace[:j], *trace[j + 1 :]]]
        others += [[n_nodes, *trace[:j], cell, *trace[j:]], [n_nodes, *trace[:j], cell, *trace[j + 1 :]]]
        others += [[n_nodes, *walks[k - 1][1:]]]
        yield from ([*walks[:k], other, *walks[k + 1 :]] for other in others)


@pytest.mark.parametrize("part", parts(40, quick=1))
def test_weights_that_are_drawn_prove_what_they_do_and_no_more(part: int, tmp_path: Path) -> None:
    """Whatever the weights and the walks, both checkers follow them alike; most weights are within no limit."""
    random, codes = Random(500 + part), []
    for bound in some_bounds(random):
        text, rows = files_of(bound)
        header, first, *rest = text.split(b"\n")[:-2]
        n_weights, claim = first.count(b" "), re.sub(rb'"lower":"[^"]*"', b'"lower":"0"', header)
        for _ in range(15):
            most = random.choice([2, 2**12, 2**16])
            weights = [
                random.choice([0, random.randint(-most if bound.kind == "partition" else 0, most)])
                for _ in range(n_weights)
            ]
            walks = walks_under(bound, weights) if rest else []
            for own in [walks, *changed_walks(walks, n_weights, random)]:
                lines = [["w", *weights], *(["walk", *walk] for walk in own)]
                texts = [" ".join(map(str, line)).encode() for line in lines]
                codes.append(verdict((joined(claim, texts), rows), tmp_path))
    assert codes.count(0) > 10
    assert codes.count(1) > 10
