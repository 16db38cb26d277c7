"""A second checker of certificates about canonical rows: Fractions, frozensets, definitions, and no cleverness.

It shares no code with `conjunct.certificates.checker`; the tests hold the verdicts of the two against each other.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import string
import zlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import inf, lcm
from typing import Any

__all__ = ["NaiveVerdict", "naive_check"]

Rows = frozenset[int]
KEYS = [
    "format",
    "kind",
    "rows",
    "classes",
    "tests",
    "reading",
    "literals",
    "depth",
    "price",
    "row_costs",
    "cost_matrix",
    "min_samples_leaf",
    "digest",
    "lower",
    "upper",
    "witness",
]


@dataclass(frozen=True)
class NaiveVerdict:
    """Whether a certificate is accepted, the bound that was proved, and how much had to be counted for it."""

    accepted: bool
    reason: str = ""
    lower: Fraction | None = None
    n_pairs: int = 0
    n_splits: int = 0


class RefusedError(Exception):
    """Why a certificate is not accepted."""


def naive_check(certificate: bytes, rows: bytes) -> NaiveVerdict:
    """Check a certificate about canonical rows, both as the bytes of their files."""
    try:
        return _verdict(_text(certificate), _text(rows))
    except RefusedError as error:
        return NaiveVerdict(False, str(error))


def _must(holds: bool, reason: str) -> None:
    if not holds:
        raise RefusedError(reason)


def _text(data: bytes) -> str:
    try:
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
        elif data.startswith(b"\xfd7"):
            data = lzma.decompress(data)
        return data.decode("utf-8")
    except (EOFError, OSError, zlib.error, lzma.LZMAError, UnicodeDecodeError) as error:
        raise RefusedError(f"bytes: {error}") from None


def _whole(word: str) -> int:
    """A number without sign and leading zeros, of at most 40 digits."""
    is_plain = word != "" and set(word) <= set(string.digits) and len(word) <= 40 and (word == "0" or word[0] != "0")
    _must(is_plain, f"no whole number: {word[:50]!r}")
    return int(word)


def _ratio(word: Any) -> Fraction:
    _must(isinstance(word, str) and word.count("/") <= 1, "no ratio")
    top, slash, bottom = word.partition("/")
    numerator, denominator = _whole(top), _whole(bottom) if slash else 1
    _must(denominator > 0 and (numerator > 0 or not slash), "a ratio of nothing")
    return Fraction(numerator, denominator)


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < 10**40


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _header(line: str) -> dict[str, Any]:
    try:
        pairs = json.loads(line, object_pairs_hook=list)
        header = dict(pairs)
        is_compact = json.dumps(header, separators=(",", ":")) == line
        json.dumps(header, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise RefusedError(f"header: {str(error)[:50]}") from None
    _must(is_compact and [key for key, _ in pairs] == KEYS, "other keys or other order")
    _must(header["format"] == "conjunct certificate 1" and header["literals"] == "both", "another format")
    _must(header["kind"] in ("tree", "partition", "frontier"), "another kind")
    _must(header["reading"] == "canonical", "another reading")
    _must(_is_whole(header["rows"]) and header["rows"] > 0, "rows")
    _must(_is_texts(header["classes"]) and len(set(header["classes"])) == len(header["classes"]), "classes")
    tests = header["tests"]
    _must(isinstance(tests, list) and all(_is_texts(test) and len(test) == 1 for test in tests), "tests")
    depth, least = header["depth"], header["min_samples_leaf"]
    _must(depth == "any" or (_is_whole(depth) and depth < 10**9), "depth")
    _must(_is_whole(least) and least > 0, "min_samples_leaf")
    _must(header["price"] is None or _ratio(header["price"]) > 0, "price")
    costs, matrix = header["row_costs"], header["cost_matrix"]
    _must(costs is None or isinstance(costs, list), "row_costs")
    if matrix is not None:
        n_classes = len(header["classes"])
        _must(isinstance(matrix, list) and all(isinstance(own, list) for own in matrix), "cost_matrix")
        _must([len(own) for own in matrix] == [n_classes] * n_classes, "cost_matrix is no square")
        _must(
            all((i != k) or _ratio(matrix[i][k]) == 0 for i in range(n_classes) for k in range(n_classes)), "diagonal"
        )
        _must(header["price"] is not None, "a cost matrix without a price")
    digest, witness = header["digest"], header["witness"]
    _must(isinstance(digest, str) and len(digest) == 64 and set(digest) <= set("0123456789abcdef"), "digest")
    lower, is_frontier = header["lower"], header["kind"] == "frontier"
    _must(isinstance(lower, list) == is_frontier, "a list of bounds, and no frontier, or the other way round")
    _must(all(_ratio(bound) >= 0 for bound in (lower if is_frontier else [lower])), "lower")
    _must(header["upper"] is None or _ratio(header["upper"]) >= 0, "upper")
    if is_frontier:
        _must(_is_whole(depth) and depth <= 4 and header["price"] == "1", "another depth or price of a frontier")
        _must(header["upper"] is None and header["witness"] is None, "a frontier with a witness")
    is_tree = isinstance(witness, list) and all(type(node) is int and abs(node) < 10**40 for node in witness)
    _must(witness is None or is_tree, "witness")
    return header


@dataclass(frozen=True)
class _Lemma:
    kind: str
    depth: float
    value: int
    path: list[int]
    hints: dict[int, int]


def _lemma(line: str, number: int, n_tests: int) -> _Lemma:
    left, bar, right = line.partition(" | ")
    kind, depth, value, *path = [*left.split(" "), "", ""][: max(3, len(left.split(" ")))]
    _must(kind in ("E", "N", "C"), "an unknown kind")
    deep = inf if depth == "any" else _whole(depth)
    _must(deep == inf or 1 <= deep < 10**9, "the depth of a lemma")
    literals = [_whole(word) for word in path]
    hints: dict[int, int] = {}
    for word in right.split(" ") if bar else []:
        _must(word.count(":") == 1, "no hint")
        literal, earlier = map(_whole, word.split(":"))
        _must(literal not in hints, "a literal is hinted twice")
        _must(earlier < number, "a hint to a later lemma")
        hints[literal] = earlier
    tests = [literal // 2 for literal in literals]
    _must(tests == sorted(set(tests)), "literals do not ascend")
    _must(all(literal < 2 * n_tests for literal in [*literals, *hints]), "no such test")
    _must(kind == "N" or not hints, "hints of another kind")
    _must(kind != "E" or deep in (1, 2, inf), "the depth of pair counts")
    return _Lemma(kind, deep, _whole(value), literals, hints)


def _verdict(certificate: str, text: str) -> NaiveVerdict:
    first, *lines = certificate.split("\n")
    header = _header(first)
    _must(len(lines) >= 2 and lines[-1] == "", "cut short")
    words = lines[-2].split(" ")
    _must(len(words) == 4 and words[0] == "end", "no end line")
    n_lemmas, most_pairs, most_splits = map(_whole, words[1:])
    lemmas = [_lemma(line, number, len(header["tests"])) for number, line in enumerate(lines[:-2])]
    _must(len(lemmas) == n_lemmas, "another number of lemmas")
    trees = _Trees(header, text)
    if header["kind"] == "frontier":
        depth = header["depth"]
        n_pairs = len(trees.splits(trees.all_rows)) ** depth if depth > 1 else 0
        _must((n_lemmas, most_pairs, most_splits) == (0, n_pairs, 0), "another end line of a frontier")
        errors = [trees.least_errors(trees.all_rows, depth, leaves) for leaves in range(1, 2**depth + 1)]
        _must(errors == [_ratio(bound) for bound in header["lower"]], "other errors")
        return NaiveVerdict(True, "", errors[-1], n_pairs)
    for number in range(len(lemmas)):
        trees.prove(lemmas, number)
    _must(trees.n_pairs <= most_pairs and trees.n_splits <= most_splits, "more work than announced")
    depth = inf if header["depth"] == "any" else header["depth"]
    lower = trees.leaf(trees.all_rows) if depth == 0 else trees.trivial(trees.all_rows)
    if lemmas:
        _must(header["kind"] == "tree", "lemmas about partitions")
        _must(lemmas[-1].path == [] and lemmas[-1].depth >= depth, "the last lemma is not the claim")
        lower = Fraction(lemmas[-1].value, trees.scale)
    _must(lower == _ratio(header["lower"]), "another lower")
    _must((header["witness"] is None) == (header["upper"] is None), "upper without witness")
    if header["witness"] is not None:
        nodes = list(header["witness"])
        n_leaves, errors = trees.witness(nodes, trees.all_rows, depth)
        _must(nodes == [], "the witness goes on")
        _must(n_leaves + errors == _ratio(header["upper"]), "another upper")
        _must(header["price"] is not None or errors == 0, "a witness with errors")
    return NaiveVerdict(True, "", lower, trees.n_pairs, trees.n_splits)


class _Trees:
    """The rows, what they cost, and the rules."""

    def __init__(self, header: dict[str, Any], text: str) -> None:
        self.n_classes, self.n_tests = len(header["classes"]), len(header["tests"])
        names = json.dumps([test[0] for test in header["tests"]], separators=(",", ":"))
        costs = None if header["row_costs"] is None else [_ratio(cost) for cost in header["row_costs"]]
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\n").split("\n")
        _must(lines[:2] == [f"{header['rows']} {self.n_tests}", names], "the rows are of another table")
        _must(len(lines) == header["rows"] + 2, "another number of rows")
        _must(costs is None or (len(costs) == header["rows"] and min(costs) > 0), "not one cost for each row")
        self.rows: list[tuple[str, int]] = []
        for i, line in enumerate(lines[2:]):
            digits, blank, rest = line.partition(" ")
            _must(len(digits) == self.n_tests and set(digits) <= {"0", "1"} and blank == " ", "no row")
            label, blank, cost = rest.partition(" ")
            _must(_whole(label) < self.n_classes, "no class")
            _must(blank + cost == ("" if costs is None else f" {costs[i]}"), "another cost")
            self.rows.append((digits, int(label)))
        canonical = "".join(f"{line}\n" for line in lines)
        _must(hashlib.sha256(canonical.encode()).hexdigest() == header["digest"], "another digest")
        each = costs or [Fraction(1)] * len(self.rows)
        price = Fraction(len(self.rows) + 1) / min(each) if header["price"] is None else _ratio(header["price"])
        matrix = header["cost_matrix"] and [[_ratio(cost) for cost in own] for own in header["cost_matrix"]]
        shares = lcm(*((price * cost).denominator for cost in each))
        parts = lcm(*(cost.denominator for own in matrix or [] for cost in own))
        _must(max(shares, parts) < 10**40, "denominators")
        self.scale, self.least = shares * parts, header["min_samples_leaf"]
        self.losses = [
            [price * cost * (matrix[label][k] if matrix else int(k != label)) for k in range(self.n_classes)]
            for (_, label), cost in zip(self.rows, each, strict=True)
        ]
        self.all_rows: Rows = frozenset(range(len(self.rows)))
        self.n_pairs = self.n_splits = 0
        self.leaf, self.forced, self.splits = cache(self._leaf), cache(self._forced), cache(self._splits)
        self.least_errors = cache(self._least_errors)

    def _leaf(self, rows: Rows) -> Fraction:
        return 1 + min(sum((self.losses[i][k] for i in rows), Fraction()) for k in range(self.n_classes))

    def _forced(self, rows: Rows) -> Fraction:
        cells = {self.rows[i][0] for i in rows}
        return sum((self.leaf(frozenset(i for i in rows if self.rows[i][0] == own)) - 1 for own in cells), Fraction())

    def trivial(self, rows: Rows) -> Fraction:
        return min(self.leaf(rows), 2 + self.forced(rows))

    def part(self, rows: Rows, literal: int) -> Rows:
        return frozenset(i for i in rows if self.rows[i][0][literal // 2] == str(literal % 2))

    def _splits(self, rows: Rows) -> dict[int, tuple[Rows, Rows]]:
        """The two parts of each distinct split, by its lowest test."""
        splits: dict[int, tuple[Rows, Rows]] = {}
        for test in range(self.n_tests):
            one, rest = self.part(rows, 2 * test + 1), self.part(rows, 2 * test)
            is_new = (one, rest) not in splits.values() and (rest, one) not in splits.values()
            if is_new and len(one) >= self.least and len(rest) >= self.least:
                splits[test] = one, rest
        return splits

    def _least_errors(self, rows: Rows, depth: int, leaves: int) -> Fraction:
        """What the errors of a tree of at most a depth and so many leaves cost at least."""
        costs = [self.leaf(rows) - 1]
        for one, rest in self.splits(rows).values() if depth > 0 else []:
            shares = [(k, leaves - k) for k in range(1, leaves)]
            costs += [self.least_errors(one, depth - 1, a) + self.least_errors(rest, depth - 1, b) for a, b in shares]
        return min(costs)

    def reached(self, path: list[int]) -> Rows:
        rows = self.all_rows
        for literal in path:
            rows = self.part(rows, literal)
        return rows

    def prove(self, lemmas: list[_Lemma], number: int) -> None:
        lemma, rows = lemmas[number], self.reached(lemmas[number].path)
        _must(rows != frozenset(), "a lemma about no row")
        alike = [k for k in range(number) if self.reached(lemmas[k].path) == rows]
        _must(len(alike) < 1000, "too many lemmas about the same rows")
        value, splits = Fraction(lemma.value, self.scale), self.splits(rows)
        _must(value <= self.leaf(rows), "a leaf costs less")
        if lemma.kind == "C":
            _must(value <= self.chain(rows, lemma.depth), "cuts cost less")
        for one, rest in splits.values() if lemma.kind == "E" else []:
            if lemma.depth == 1:
                _must(value <= self.leaf(one) + self.leaf(rest), "two leaves cost less")
            elif self.trivial(one) + self.trivial(rest) < value:
                self.n_pairs += len(splits)
                bound = self.few_leaves(one, lemma.depth) + self.few_leaves(rest, lemma.depth)
                _must(value <= bound, "trees of two levels cost less")
        if lemma.kind == "N":
            self.n_splits += len(splits)
            _must(all(literal // 2 in splits for literal in lemma.hints), "a hint at no lowest split")
            _must(self.least == 1 or not lemma.hints, "hints with least rows")
            for test, (one, rest) in splits.items():
                known_1 = self.known(one, lemmas, number, lemma.hints.get(2 * test + 1))
                known_0 = self.known(rest, lemmas, number, lemma.hints.get(2 * test))
                _must(value <= known_1 + known_0, "the parts may cost less")

    def few_leaves(self, rows: Rows, depth: float) -> Fraction:
        """b(P): one leaf, two, and for any depth three and more."""
        costs, sides = [self.leaf(rows)], [(self.leaf(a), self.leaf(b)) for a, b in self.splits(rows).values()]
        costs += [a + b for a, b in sides]
        if depth == inf and sides:
            peel = min(cost for pair in sides for cost in pair) - 1
            costs += [3 + max(peel, self.forced(rows)), 4 + self.forced(rows)]
        return min(costs)

    def known(self, rows: Rows, lemmas: list[_Lemma], number: int, hint: int | None) -> Fraction:
        depth = lemmas[number].depth - 1
        values = [self.trivial(rows) if depth > 0 and self.splits(rows) else self.leaf(rows)]
        deep = [earlier for earlier in lemmas[:number] if earlier.depth >= depth]
        values += [Fraction(own.value, self.scale) for own in deep if self.reached(own.path) == rows]
        if hint is not None:
            _must(lemmas[hint].depth >= depth, "a hint that is not deep enough")
            lost = sum((max(self.losses[i]) for i in self.reached(lemmas[hint].path) - rows), Fraction())
            values.append(Fraction(lemmas[hint].value, self.scale) - lost)
        return max(values)

    def chain(self, rows: Rows, depth: float) -> Fraction:
        """The least cost of cutting the blocks of a chain of tests into consecutive leaves, of which 2^depth may be."""
        sets = [one for one, _ in self.splits(rows).values()]
        _must(all(a <= b or b <= a for a in sets for b in sets), "the tests are no chain")
        ends = [*sorted(sets, key=len), rows]
        is_limited = depth <= len(sets) and 2**depth <= len(sets)
        most = int(2**depth) if is_limited else len(ends)
        self.n_pairs += len(sets) ** 2 * (most if is_limited else 1)

        @cache
        def cheapest(begin: Rows, n_leaves: int) -> Fraction:
            costs = [self.leaf(rows - begin)]
            if n_leaves > 1:
                costs += [self.leaf(end - begin) + cheapest(end, n_leaves - 1) for end in ends[:-1] if begin < end]
            return min(costs)

        return cheapest(frozenset(), most)

    def witness(self, nodes: list[int], rows: Rows, depth: float) -> tuple[int, Fraction]:
        """Take a tree off the front of a list of nodes; return its leaves, and what its errors cost."""
        _must(nodes != [], "the witness lacks leaves")
        node = nodes.pop(0)
        if node < 0:
            _must(-1 - node < self.n_classes, "a leaf of no class")
            return 1, sum((self.losses[i][-1 - node] for i in rows), Fraction())
        _must(node < self.n_tests and depth > 0, "no such test, or too deep")
        one, rest = self.part(rows, 2 * node + 1), self.part(rows, 2 * node)
        _must(min(len(one), len(rest)) >= self.least, "too few rows in a part")
        leaves_1, errors_1 = self.witness(nodes, one, depth - 1)
        leaves_0, errors_0 = self.witness(nodes, rest, depth - 1)
        return leaves_1 + leaves_0, errors_1 + errors_0
