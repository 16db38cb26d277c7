"""Check what a certificate claims about every decision tree: ``python3 -I -S checker.py CERTIFICATE DATA``.

This file alone is the checker. It needs Python 3.11 and nothing else, shares no code with what makes certificates, and
decides by whole numbers. It reads the table again, rebuilds every bit by the tests that the certificate lists, and
proves each lemma from the rows and the lemmas before it. It accepts or rejects, and never repairs. The format, and why
each rule is sound, is in docs/certificate-format.md.

Exit codes: 0 accepted; 1 rejected; 2 not readable; 3 not checked, because it would take longer than the limit.

A set of rows is an integer: bit i is row i, rows being ordered by class and cost. Costs are whole numbers: a leaf costs
`leaf_cost`, which is B in the format; the errors of a leaf cost `errors`, which is A times their number.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import lzma
import multiprocessing
import re
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import compress, groupby, pairwise
from math import gcd, lcm
from operator import add, itemgetter, mul, sub
from typing import Any, NamedTuple

__all__ = ["CheckError", "Verdict", "check", "main", "sentences"]

ANY = 10**9  # the depth "any": deeper than every other, and one less is still any
MOST_BYTES = 2**32
MOST_COST_GROUPS = 16  # beyond that, rows are counted by the binary digits of their costs
PAIR_SECONDS, ROW_SECONDS = Fraction(9, 10**7), Fraction(1, 10**10)  # measured: a pair, and a row of it
SECONDS_LIMIT = 600
REJECTED, UNREADABLE, TOO_DEAR = 1, 2, 3
MORE_WORK = "there are more pairs or splits to count than the end line announces"
OUTCOMES = {REJECTED: "rejected", UNREADABLE: "not readable", TOO_DEAR: "not checked"}

Row = tuple[str, int, Fraction]  # a digit for each test, the number of the class, the cost: 1 where rows have none
Split = tuple[int, int]  # a test, and the rows of a set that pass it
Entries = Iterator[tuple[int, str, dict[int, str]]]  # of rows: the line, the label, the entries by column

WHOLE = "(?:0|[1-9][0-9]{0,39})"
LEMMA = re.compile(rf"([ENC]) (any|[1-9][0-9]{{0,8}}) ({WHOLE})((?: {WHOLE})*)(?: \|((?: {WHOLE}:{WHOLE})+))?")
END = re.compile(rf"end ({WHOLE}) ({WHOLE}) ({WHOLE})")
NUMBER = r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?"
DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2})?"
TEXT, RATIO = r'"(?:[^"\\]|\\.)*"', f'"{WHOLE}(?:/[1-9][0-9]{{0,39}})?"'


def listed(entry: str) -> str:
    """Return the grammar of a list of entries."""
    return rf"\[\]|\[{entry}(?:,{entry})*\]"


HEADER = {  # the grammar of what each key holds, in the order of the keys
    "format": '"conjunct certificate 1"',
    "kind": '"tree"|"partition"',
    "rows": WHOLE,
    "classes": listed(TEXT),
    "tests": listed(rf'\[{TEXT}(?:,{WHOLE},(?:"=",{TEXT}|"<=","{NUMBER}"|"date<=","{DATE}"|"(?:one|missing)",""))?\]'),
    "reading": rf"""(?x: "canonical" | \{{"format":"svmlight","zero_based":(?:true|false)\}}
        | \{{"format":"delimited","delimiter":"(?:[,;|\ ]|\\t)","header":(?:true|false),"label":{WHOLE}
          ,"missing":(?:{listed(TEXT)}),"skip_unlabelled":(?:true|false)\}})""",
    "literals": '"both"',
    "depth": '"any"|0|[1-9][0-9]{0,8}',
    "price": f'null|(?!"0"){RATIO}',
    "row_costs": f"null|{listed(RATIO)}",
    "cost_matrix": f"null|{listed(f'(?:{listed(RATIO)})')}",
    "min_samples_leaf": f"(?!0){WHOLE}",
    "digest": '"[0-9a-f]{64}"',
    "lower": RATIO,
    "upper": f"null|{RATIO}",
    "witness": f"null|{listed(f'-?{WHOLE}')}",
}


class CheckError(Exception):
    """Why a certificate was not accepted: its arguments are a code of `OUTCOMES` and a sentence."""


def require(holds: bool, otherwise: str, code: int = REJECTED) -> None:
    """Stop the check unless something holds."""
    if not holds:
        raise CheckError(code, otherwise)


def readable(holds: bool, otherwise: str) -> None:
    """Stop the check unless what was read is as it must be."""
    require(holds, otherwise, UNREADABLE)


class Lemma(NamedTuple):
    """Every tree of at most a depth costs at least `value` on the rows that a path leads to."""

    kind: str
    depth: int
    value: int
    path: tuple[int, ...]
    hints: dict[int, int]


class Certificate(NamedTuple):
    """What a file says: its header, the depth of its claim, its lemmas, and the work that it announces."""

    header: dict[str, Any]
    depth: int
    lemmas: list[Lemma]
    n_pairs: int
    n_splits: int


def read_text(path: str) -> str:
    """Return what a file holds, plain or compressed by gzip or xz."""
    try:
        with open(path, "rb") as file:
            start = file.read(2)
        with {b"\x1f\x8b": gzip.open, b"\xfd7": lzma.open}.get(start, open)(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        readable(len(data) <= MOST_BYTES, f"{path}: more than {MOST_BYTES} bytes")
        return str(data, "utf-8-sig")
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, UnicodeDecodeError) as error:
        raise CheckError(UNREADABLE, f"{path}: {error}") from None


def read_certificate(path: str) -> Certificate:
    """Read a certificate; every line must be written exactly as the format says."""
    first, *lines = read_text(path).split("\n")
    header = read_header(first)
    readable(len(lines) >= 2 and lines[-1] == "", "the certificate is cut short: its last line has no end")
    end = END.fullmatch(lines[-2])
    if end is None:
        raise CheckError(UNREADABLE, "the certificate is cut short: it has no end line")
    lemmas = [read_lemma(line, k, len(header["tests"])) for k, line in enumerate(lines[:-2])]
    readable(int(end[1]) == len(lemmas), f"the end line counts {end[1]} lemmas, the file has {len(lemmas)}")
    depth = ANY if header["depth"] == "any" else header["depth"]
    return Certificate(header, depth, lemmas, int(end[2]), int(end[3]))


def read_header(line: str) -> dict[str, Any]:
    """Read the first line: compact JSON, whose keys come in one order and hold what `HEADER` says."""
    place = 0
    for key, grammar in HEADER.items():
        match = re.compile(f'[{{,]"{key}":(?:{grammar})').match(line, place)
        readable(match is not None, f"the header's {key} is not as the format says")
        place = match.end() if match else 0
    readable(line[place:] == "}", "the header does not end after its last key")
    try:
        header: dict[str, Any] = json.loads(line)
        is_compact = json.dumps(header, separators=(",", ":")) == line
        str(header).encode()
    except ValueError as error:
        raise CheckError(UNREADABLE, f"the header is no JSON: {str(error)[:60]}") from None
    readable(is_compact, "the header is not written as compact ASCII JSON")
    classes, matrix, is_canonical = header["classes"], header["cost_matrix"], header["reading"] == "canonical"
    readable(len(set(classes)) == len(classes), "two classes have the same name")
    readable(all((len(test) == 1) == is_canonical for test in header["tests"]), "the tests do not fit the reading")
    if matrix is not None:
        readable({len(classes)} == {len(matrix), *map(len, matrix)}, "the cost matrix is no square of the classes")
        readable(all(line[k] == "0" for k, line in enumerate(matrix)), "the cost matrix charges what is right")
        readable(header["price"] is not None, "a claim about trees without errors takes no cost matrix")
    return header


def read_lemma(line: str, number: int, n_tests: int) -> Lemma:
    """Read the line of a lemma."""
    match = LEMMA.fullmatch(line)
    if match is None:
        raise CheckError(UNREADABLE, f"lemma {number} is not written as the format says: {line[:60]!r}")
    kind, path = match[1], tuple(map(int, match[4].split()))
    depth = ANY if match[2] == "any" else int(match[2])
    pairs = [tuple(map(int, hint.split(":"))) for hint in (match[5] or "").split()]
    hints = dict(pairs)
    readable(all(literal < 2 * n_tests for literal in [*path, *hints]), f"lemma {number} names no test of the list")
    readable(all(a // 2 < b // 2 for a, b in pairwise(path)), f"lemma {number}: the tests of its path must ascend")
    readable(kind == "N" or not hints, f"lemma {number}: only a lemma of kind N takes hints")
    readable(len(hints) == len(pairs), f"lemma {number} hints a literal twice")
    readable(kind != "E" or depth in (1, 2, ANY), f"lemma {number}: pair counts reach depths 1, 2 and any")
    require(all(earlier < number for earlier in hints.values()), f"lemma {number} hints a lemma not before it")
    return Lemma(kind, depth, int(match[3]), path, hints)


def read_rows(path: str, header: dict[str, Any]) -> list[Row]:
    """Rebuild the digits of every row by the tests of the header, and hold them against the digest."""
    text = read_text(path)
    readable("\0" not in text, f"{path}: holds NUL")
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    if re.fullmatch(f"{WHOLE} {WHOLE}", lines[0]):
        pairs = canonical_rows(lines, header)
    else:
        readable(header["reading"] != "canonical", "the certificate is about canonical rows, which these are not")
        pairs = tested_rows(lines, header)
    costs = header["row_costs"] or ["1"] * len(pairs)
    require(len(costs) == len(pairs), "there is not one cost for each row of the table")
    rows = [(*pair, Fraction(cost)) for pair, cost in zip(pairs, costs, strict=True) if cost != "0"]
    require(len(rows) == header["rows"], f"the table has {len(rows)} rows, the certificate {header['rows']}")
    names = json.dumps([test[0] for test in header["tests"]], separators=(",", ":"))
    sha = hashlib.sha256(f"{len(rows)} {len(header['tests'])}\n{names}\n".encode())
    for digits, label, cost in rows:
        sha.update(f"{digits} {label}{'' if header['row_costs'] is None else f' {cost}'}\n".encode())
    require(sha.hexdigest() == header["digest"], "the certificate is about other data: the digest of the rows differs")
    return rows


def canonical_rows(lines: Sequence[str], header: dict[str, Any]) -> list[tuple[str, int]]:
    """Read rows written as the digest has them; their names and costs are the header's, which the digest holds too."""
    row_line, rows = re.compile(f"([01]{{{len(header['tests'])}}}) ({WHOLE})(?: [0-9/]+)?"), []
    for number, line in enumerate(lines[2:], start=3):
        match = row_line.fullmatch(line)
        if match is None or int(match[2]) >= len(header["classes"]):
            raise CheckError(UNREADABLE, f"line {number} of the canonical rows is no row of the certificate's tests")
        rows.append((match[1], int(match[2])))
    return rows


def tested_rows(lines: Iterable[str], header: dict[str, Any]) -> list[tuple[str, int]]:
    """Answer every test about the entries of each row."""
    reading, classes = header["reading"], {name: k for k, name in enumerate(header["classes"])}
    entries_of, missing = svmlight_entries, {""}
    if reading["format"] == "delimited":
        entries_of, missing = delimited_entries, {"", *reading["missing"]}
    blocks = [(k, list(tests)) for k, tests in groupby(header["tests"], key=itemgetter(1))]  # of one column
    answers: list[dict[str, str]] = [{} for _ in blocks]  # by entry, which repeat
    rows = []
    for number, label, entries in entries_of(lines, reading, [column for column, _ in blocks]):
        if label not in classes and label in missing and reading.get("skip_unlabelled"):
            continue
        require(label in classes, f"line {number}: the label {label[:40]!r} is no class of the certificate")
        digits = []
        for (column, tests), known in zip(blocks, answers, strict=True):
            entry = entries[column]
            if entry not in known:
                is_missing = entry in missing
                known[entry] = "".join("01"[holds(*rule, entry, is_missing, number)] for _, _, *rule in tests)
            digits.append(known[entry])
        rows.append(("".join(digits), classes[label]))
    return rows


def holds(kind: str, value: str, entry: str, is_missing: bool, number: int) -> bool:
    """Return whether an entry passes a test: the definition, in exact decimals."""
    if is_missing or kind == "missing":
        return is_missing and kind == "missing"
    if kind == "=":
        return entry == value
    if kind == "date<=":
        is_alike = re.fullmatch(DATE, entry) is not None and len(entry) == len(value)
        readable(is_alike, f"line {number}: {entry[:40]!r} is no date like {value}")
        return entry <= value
    readable(re.fullmatch(NUMBER, entry) is not None, f"line {number}: {entry[:40]!r} is no number")
    return Fraction(entry) > Fraction(1, 2) if kind == "one" else Fraction(entry) <= Fraction(value)


def svmlight_entries(lines: Iterable[str], reading: dict[str, Any], columns: list[int]) -> Entries:
    """Yield of each line its number, its label, and the values of ids, which are 0 unless it says 1."""
    for number, line in enumerate(lines, start=1):
        if words := line.split("#")[0].split():
            pairs = [word.split(":") for word in words[1:] if re.fullmatch(f"{WHOLE}:[01]", word)]
            values = {int(name): value for name, value in pairs}
            is_plain = len(values) == len(words) - 1 and (reading["zero_based"] or 0 not in values)
            readable(is_plain, f"line {number}: expected a label, then id:1, each id once")
            yield number, words[0], dict.fromkeys(columns, "0") | values


def delimited_entries(lines: Iterable[str], reading: dict[str, Any], columns: list[int]) -> Entries:
    """Yield of each record its line, its label, and its entries."""
    records = ((k, split_line(line, reading["delimiter"], k)) for k, line in enumerate(lines, start=1))
    is_header, width = reading["header"], 0
    for number, entries in ((number, entries) for number, entries in records if entries):
        width = width or len(entries)
        readable(len(entries) == width, f"line {number} has {len(entries)} entries, the first {width}")
        require(max([reading["label"], *columns]) < width, "the certificate is about a column that is not there")
        if not is_header:
            yield number, entries[reading["label"]], dict(enumerate(entries))
        is_header = False


def split_line(line: str, delimiter: str, number: int) -> list[str]:
    """Return the entries of a line, quotes taken off; none where it is blank."""
    if '"' not in line or not line.strip(" \t"):
        entries = line.split() if delimiter == " " else line.split(delimiter) if line.strip(" \t") else []
        return [entry.strip(" \t") for entry in entries]
    mark, entries, place = re.escape(delimiter), [], 0
    pattern = re.compile(rf'[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^"{mark}][^{mark}]*)?)({mark}|$)')
    while place is not None:
        match = pattern.match(line, place) if delimiter != " " else None
        if match is None:
            raise CheckError(UNREADABLE, f"line {number}: quotes that are not read here; certify canonical rows")
        entries.append((match[2] or "").strip(" \t") if match[1] is None else match[1].replace('""', '"'))
        place = match.end() if match[3] else None
    return entries


class Prover:
    """Rows as sets, what leaves and errors cost on them, and the rules by which lemmas follow."""

    def __init__(self, certificate: Certificate, rows: list[Row]) -> None:
        header = certificate.header
        self.certificate, self.n_classes, self.all_rows = certificate, len(header["classes"]), 2 ** len(rows) - 1
        self.least_rows, self.n_pairs, self.n_splits = header["min_samples_leaf"], 0, 0
        # 1. Whole costs: B = the common denominator of all w q_i, times that of the cost matrix; A_i = B w q_i.
        costs = {cost for _, _, cost in rows}
        price = (len(rows) + 1) / min(costs) if header["price"] is None else Fraction(header["price"])
        denominator = lcm(*((price * cost).denominator for cost in costs))
        matrix = [[Fraction(cost) for cost in line] for line in header["cost_matrix"] or []]
        matrix_denominator = lcm(*(cost.denominator for line in matrix for cost in line))
        self.matrix = [[int(cost * matrix_denominator) for cost in line] for line in matrix]
        self.leaf_cost = denominator * matrix_denominator
        whole = {cost: int(price * cost * denominator) for cost in costs}
        self.unit = gcd(*whole.values())
        # 2. Rows in the order of class and cost, so that rows that count alike are neighbours.
        items = sorted((label, whole[cost] // self.unit, digits) for digits, label, cost in rows)
        columns = zip(*(digits for _, _, digits in reversed(items)), strict=True)
        self.columns = [int("".join(column), 2) for column in columns]
        groups: dict[tuple[int, int], int] = {}
        has_many = len({item[:2] for item in items}) > MOST_COST_GROUPS
        for i, (label, weight, _) in enumerate(items):
            for share in [1 << k for k in range(weight.bit_length()) if weight >> k & 1] if has_many else [weight]:
                groups[label, share] = groups.get((label, share), 0) | 1 << i
        # of a part: its class, how much a row counts, where its rows stand in a set, their bits of each test
        self.parts: list[tuple[int, int, int, int, list[int]]] = []
        for (label, weight), mask in groups.items():
            shift = (mask & -mask).bit_length() - 1
            self.parts.append((label, weight, shift, mask >> shift, [(c & mask) >> shift for c in self.columns]))
        # 3. Forced errors: what the cheapest class costs on equal rows, kept at the first of them, by binary digits.
        cells: dict[str, int] = {}
        for i, (_, _, row) in enumerate(items):
            cells[row] = cells.get(row, 0) | 1 << i
        self.forced_slices: dict[int, int] = {}
        for cell in cells.values():
            cost = self.errors(self.masses(cell))
            for k in range(cost.bit_length()):
                if cost >> k & 1:
                    self.forced_slices[k] = self.forced_slices.get(k, 0) | (cell & -cell)
        # 4. What every lemma says about which rows; the proof of a lemma may use those before it.
        self.row_sets: list[int] = []
        self.known: dict[int, list[tuple[int, int, int]]] = {}
        for number, (_, depth, value, path, _) in enumerate(certificate.lemmas):
            reached = self.all_rows
            for literal in path:
                reached &= self.columns[literal // 2] if literal % 2 else ~self.columns[literal // 2]
            require(reached != 0, f"lemma {number} is about no row")
            self.row_sets.append(reached)
            self.known.setdefault(reached, []).append((number, depth, value))

    def masses(self, rows: int) -> list[int]:
        """Return how much the rows of each class in a set count."""
        masses = [0] * self.n_classes
        for label, weight, shift, mask, _ in self.parts:
            masses[label] += weight * (rows >> shift & mask).bit_count()
        return masses

    def errors(self, masses: Sequence[int]) -> int:
        """Return what the best class of a leaf costs on rows that count so much."""
        if not self.matrix:
            return self.unit * (sum(masses) - max(masses))
        losses = ([mass * cost for cost in line] for mass, line in zip(masses, self.matrix, strict=True))
        return self.unit * min(map(sum, zip(*losses, strict=True)))

    def leaf(self, rows: int) -> int:
        """Return what a leaf costs on a set."""
        return self.leaf_cost + self.errors(self.masses(rows))

    def forced(self, rows: int) -> int:
        """Return what the errors of every tree cost on a set at least."""
        return sum((rows & mask).bit_count() << k for k, mask in self.forced_slices.items())

    def trivial(self, rows: int) -> int:
        """Return what every tree costs on a set at least: one leaf, or two and the forced errors."""
        return min(self.leaf(rows), 2 * self.leaf_cost + self.forced(rows))

    def is_split(self, rows: int, passed: int) -> bool:
        """Return whether a test that some of the rows pass leaves enough rows on both sides."""
        return self.least_rows <= passed.bit_count() <= rows.bit_count() - self.least_rows

    def splits(self, rows: int) -> list[Split]:
        """Return the distinct splits of a set: the lowest test of each, and the rows that pass it."""
        distinct, seen = [], set()
        for test, column in enumerate(self.columns):
            passed = rows & column
            if passed not in seen and self.is_split(rows, passed):
                seen |= {passed, rows ^ passed}
                distinct.append((test, passed))
        return distinct

    def prove(self, number: int) -> None:
        """Prove a lemma from the rows and the lemmas before it."""
        lemma, rows = self.certificate.lemmas[number], self.row_sets[number]
        require(lemma.value <= self.leaf(rows), f"lemma {number} is not proved: a leaf costs less")
        rule = {"E": self.cheaper_by_counts, "N": self.cheaper_by_lemmas, "C": self.cheaper_by_cuts}[lemma.kind]
        test = rule(number, lemma, rows, self.splits(rows))
        name = "" if test is None else self.certificate.header["tests"][test][0][:40]
        require(test is None, f"lemma {number} is not proved: a tree that tests {name!r} first may cost less")
        is_announced = self.n_pairs <= self.certificate.n_pairs and self.n_splits <= self.certificate.n_splits
        require(is_announced, MORE_WORK)

    def cheaper_by_counts(self, number: int, lemma: Lemma, rows: int, splits: list[Split]) -> int | None:
        """Rule E: return a first test below which a tree may cost less than a lemma says, by pair counts."""
        if lemma.depth == 1:
            return next((test for test, one in splits if self.leaf(one) + self.leaf(rows ^ one) < lemma.value), None)
        survivors = [(test, one) for test, one in splits if self.trivial(one) + self.trivial(rows ^ one) < lemma.value]
        self.n_pairs += len(survivors) * len(splits)
        tests = [test for test, _ in splits]
        columns = [[own[test] for test in tests] for *_, own in self.parts]
        below = self.masses_below(rows, columns)
        for test, one in survivors:
            inside = self.masses_below(one, columns)
            outside = [list(map(sub, *pair)) for pair in zip(below, inside, strict=True)]
            cost = self.two_levels(one, inside, lemma.depth, tests)
            if cost + self.two_levels(rows ^ one, outside, lemma.depth, tests) < lemma.value:
                return test
        return None

    def masses_below(self, rows: int, columns: list[list[int]]) -> list[list[int]]:
        """Return, for each class, how much the rows of a set that pass each of some tests count."""
        masses = [[0] * len(columns[0]) for _ in range(self.n_classes)]
        for (label, weight, shift, mask, _), own in zip(self.parts, columns, strict=True):
            chosen = rows >> shift & mask
            counts = [weight * (chosen & column).bit_count() for column in own]
            masses[label] = list(map(add, masses[label], counts))
        return masses

    def two_levels(self, rows: int, inside: list[list[int]], depth: int, tests: list[int]) -> int:
        """Return what trees on a set cost at least: one leaf or two, exactly; more by the shape bound, for any depth.

        `inside` has for each class how much the rows that pass each test count.
        """
        total, leaf_cost, unit = self.masses(rows), self.leaf_cost, self.unit
        leaf, size = leaf_cost + self.errors(total), sum(total)
        if self.least_rows > 1:
            splitting = [self.is_split(rows, rows & self.columns[test]) for test in tests]
            inside = [list(compress(own, splitting)) for own in inside]
        if self.matrix or len(total) != 2:
            pairs = ((one, list(map(sub, total, one))) for one in zip(*inside, strict=True))
            sides = [(self.errors(one), self.errors(rest)) for one, rest in pairs if any(one) and any(rest)]
        else:
            p_all, n_all = total
            counts = zip(*inside, strict=True)
            if depth == 2:  # a test that does not split gives two leaves with the errors of one: never cheaper
                least = min((min(p, n) + min(p_all - p, n_all - n) for p, n in counts), default=size)
                return min(leaf, 2 * leaf_cost + unit * least)
            sides = [(unit * min(p, n), unit * min(p_all - p, n_all - n)) for p, n in counts if 0 < p + n < size]
        if not sides:
            return leaf
        costs = [leaf, 2 * leaf_cost + min(map(sum, sides))]
        if depth == ANY:
            forced = self.forced(rows)
            costs += [3 * leaf_cost + max(min(map(min, sides)), forced), 4 * leaf_cost + forced]
        return min(costs)

    def cheaper_by_lemmas(self, number: int, lemma: Lemma, rows: int, splits: list[Split]) -> int | None:
        """Rule N: return a first test whose two parts are not known to cost as much as a lemma says."""
        self.n_splits += len(splits)
        lowest, hints = {test for test, _ in splits}, lemma.hints
        require(all(literal // 2 in lowest for literal in hints), f"lemma {number} hints what is no lowest split")
        require(self.least_rows == 1 or not hints, f"lemma {number}: with least rows of a leaf there are no hints")
        depth = ANY if lemma.depth == ANY else lemma.depth - 1
        for test, one in splits:
            cost = self.known_cost(number, depth, one, hints.get(2 * test + 1))
            if cost + self.known_cost(number, depth, rows ^ one, hints.get(2 * test)) < lemma.value:
                return test
        return None

    def known_cost(self, number: int, depth: int, rows: int, hint: int | None) -> int:
        """Return what trees of a depth are known to cost on a set, before a lemma."""
        is_leaf = depth == 0 or not any(self.is_split(rows, rows & column) for column in self.columns)
        costs = [self.leaf(rows) if is_leaf else self.trivial(rows)]
        costs += [value for k, deep, value in self.known.get(rows, ()) if k < number and deep >= depth]
        if hint is not None:
            claim, lost = self.certificate.lemmas[hint], self.masses(self.row_sets[hint] & ~rows)
            require(claim.depth >= depth, f"lemma {number}: lemma {hint} is not as deep as the hint needs")
            most = [max(line) for line in self.matrix] or [1] * self.n_classes
            costs.append(claim.value - self.unit * sum(map(mul, lost, most)))
        return max(costs)

    def cheaper_by_cuts(self, number: int, lemma: Lemma, rows: int, splits: list[Split]) -> int | None:
        """Rule C: return a test unless the tests are a chain, and cutting it into leaves costs what a lemma says."""
        self.n_splits += len(splits)
        ends = sorted({0, rows, *(one for _, one in splits)}, key=int.bit_count)
        if any(a & ~b for a, b in pairwise(ends)):
            return splits[0][0]
        leaves = [[self.leaf(end ^ begin) for begin in ends[:k]] for k, end in enumerate(ends)]
        least = [0, *(costs[0] for costs in leaves[1:])]
        for _ in range(min(len(ends), 2 ** min(lemma.depth, len(ends))) - 1):
            least = [0, *(min(map(add, least, costs)) for costs in leaves[1:])]
        return None if least[-1] >= lemma.value else splits[0][0]

    def witness_cost(self) -> tuple[int, int]:
        """Return how many leaves the tree in the header has, and what its errors cost."""
        todo, n_leaves, errors = [(self.all_rows, 0)], 0, 0
        for node in self.certificate.header["witness"]:
            require(bool(todo), "the witness is no tree: it goes on after its last leaf")
            rows, depth = todo.pop()
            if node >= 0:
                require(node < len(self.columns), "the witness has a test that is not listed")
                require(depth < self.certificate.depth, "the witness is deeper than the claim")
                passed = rows & self.columns[node]
                require(self.is_split(rows, passed), "a test of the witness leaves too few rows on one side")
                todo += [(rows ^ passed, depth + 1), (passed, depth + 1)]
                continue
            label, n_leaves = -1 - node, n_leaves + 1
            require(label < self.n_classes, "the witness has a leaf of no class")
            losses = [line[label] for line in self.matrix] or [int(k != label) for k in range(self.n_classes)]
            errors += self.unit * sum(map(mul, self.masses(rows), losses))
        require(not todo, "the witness is no tree: it lacks leaves")
        return n_leaves, errors


class Verdict(NamedTuple):
    """What was verified: the bound, the leaves and the cost of the tree if there is one, how many lemmas it took."""

    header: dict[str, Any]
    lower: Fraction
    n_leaves: int | None
    upper: Fraction | None
    n_lemmas: int


def check(certificate_path: str, data_path: str, jobs: int = 1, limit: int | None = SECONDS_LIMIT) -> Verdict:
    """Prove what a certificate claims about a table, or raise a CheckError that says why not."""
    certificate = read_certificate(certificate_path)
    header, lemmas = certificate.header, certificate.lemmas
    n_steps = certificate.n_pairs + 4 * certificate.n_splits + len(header["tests"]) * len(lemmas)
    seconds = int(n_steps * (PAIR_SECONDS + header["rows"] * ROW_SECONDS) / jobs)
    is_cheap = limit is None or seconds <= limit
    require(is_cheap, f"about {seconds} s predicted, the limit is {limit}; --limit {seconds} allows it", TOO_DEAR)
    prover = Prover(certificate, read_rows(data_path, header))
    prove_all(prover, jobs)
    lower = prover.leaf(prover.all_rows) if certificate.depth == 0 else prover.trivial(prover.all_rows)
    if lemmas:
        require(header["kind"] == "tree", "lemmas are about trees, not about all partitions")
        is_last = not lemmas[-1].path and lemmas[-1].depth >= certificate.depth
        require(is_last, "the last lemma is not about all rows and the depth of the claim")
        lower = lemmas[-1].value
    bound = Fraction(lower, prover.leaf_cost)
    require(bound == Fraction(header["lower"]), f"{bound} is proved, not the {header['lower']} of the header")
    require((header["witness"] is None) == (header["upper"] is None), "upper and witness go together")
    if header["witness"] is None:
        return Verdict(header, bound, None, None, len(lemmas))
    n_leaves, errors = prover.witness_cost()
    upper = n_leaves + Fraction(errors, prover.leaf_cost)
    require(upper == Fraction(header["upper"]), f"the tree costs {upper}, not the {header['upper']} of the header")
    require(header["price"] is not None or errors == 0, "the witness of a claim about trees without errors has some")
    return Verdict(header, bound, n_leaves, upper, len(lemmas))


def prove_all(prover: Prover, jobs: int) -> None:
    """Prove every lemma, given those before it; in several processes each its share."""
    global SHARED
    SHARED = prover, jobs
    if jobs == 1:
        outcomes = [prove_share(0)]
    else:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            outcomes = pool.map(prove_share, range(jobs), chunksize=1)
    failures, n_pairs, n_splits = zip(*outcomes, strict=True)
    require(not any(failures), min(filter(None, failures), default=""))
    is_announced = sum(n_pairs) <= prover.certificate.n_pairs and sum(n_splits) <= prover.certificate.n_splits
    require(is_announced, MORE_WORK)


def prove_share(share: int) -> tuple[str, int, int]:
    """Prove every jobs-th lemma from `share` on; return what failed, and the pairs and splits that were counted."""
    prover, jobs = SHARED
    try:
        for number in range(share, len(prover.row_sets), jobs):
            prover.prove(number)
    except CheckError as error:
        return str(error.args[1]), 0, 0
    return "", prover.n_pairs, prover.n_splits


def sentences(verdict: Verdict) -> list[str]:
    """Say what was verified, as a person may quote it."""
    header, lower, upper, price = verdict.header, verdict.lower, verdict.upper, verdict.header["price"]
    limits = "of any depth" if header["depth"] == "any" else f"of depth at most {header['depth']}"
    if header["min_samples_leaf"] > 1:
        limits += f" and with at least {header['min_samples_leaf']} rows in every leaf"
    models = "decision tree over" if header["kind"] == "tree" else "partition of the rows by conjunctions of"
    trees = f"{models} these {len(header['tests'])} yes/no tests, {limits},"
    errors = "errors" if header["row_costs"] is header["cost_matrix"] is None else "cost of errors"
    total, rows = f"leaves + {'' if price == '1' else f'{price} * '}{errors}", f"these {header['rows']} rows"
    if price is not None:
        lines = [f"Every {trees} has {total} >= {lower} on {rows}."]
    elif lower > header["rows"]:
        lines = [f"No {trees} is without errors on {rows}."]
    else:
        lines = [f"Every {trees} that is without errors on {rows} has at least {lower} leaves."]
    if upper is not None:
        best = "no such tree costs less" if upper == lower else f"the best costs between {lower} and {upper}"
        lines.append(f"The tree in the certificate has {verdict.n_leaves} leaves and costs {upper}: {best}.")
    if header["reading"] == "canonical":
        lines.append("The rows are canonical rows, whose digest the certificate names; it does not name their table.")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Check a certificate; print what was verified, or one line that says why not, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("certificate")
    parser.add_argument("data", help="the table, or canonical rows")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes to spread the lemmas over")
    parser.add_argument("--limit", type=int, default=SECONDS_LIMIT, metavar="S", help="most seconds predicted")
    given = parser.parse_args(arguments)
    start = time.monotonic()
    try:
        readable(given.jobs >= 1, f"--jobs {given.jobs}: expected 1 or more")
        verdict = check(given.certificate, given.data, given.jobs, given.limit)
    except (CheckError, OSError) as error:
        code, reason = error.args if isinstance(error, CheckError) else (UNREADABLE, error)
        print(f"{OUTCOMES[code]}: {reason}", file=sys.stderr)
        return code
    print(*sentences(verdict), sep="\n")
    print(f"accepted: {verdict.n_lemmas} lemmas proved in {time.monotonic() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
