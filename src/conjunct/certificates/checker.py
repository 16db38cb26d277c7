"""Check what a certificate claims about every decision tree: ``python3 -I -S checker.py CERTIFICATE DATA``.

This file alone is the checker: standard Python 3.11, whole numbers, no code shared with what makes certificates. From
the table it rebuilds every bit by the tests listed, and proves each lemma from the rows and the lemmas before it. It
accepts or rejects, never repairs. docs/certificate-format.md has the format, and why each rule is sound. Exit codes: 0
accepted; 1 rejected; 2 not readable; 3 not checked, being longer than the limit. A set of rows is an integer: bit i is
row i, in the order of cost and class. Costs are whole: of a leaf `leaf_cost`, B in the format; `errors` is their cost.
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
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from fractions import Fraction
from functools import partial, reduce
from itertools import accumulate, combinations, compress, groupby, islice, pairwise, repeat
from math import lcm
from operator import add, and_, itemgetter, le, sub
from typing import Any, NamedTuple

ANY, MOST_COST_GROUPS = 10**10, 16  # the depth "any", less 1 still the deepest; more costs are counted by binary digits
BLOCK_BYTES, MOST_BYTES, MOST_JOBS, MOST_LEMMAS_OF_A_SET, SECONDS_LIMIT = 2**20, 2**32, 1000, 1000, 600
PAIR_SECONDS, ROW_SECONDS = Fraction(7, 10**7), Fraction(1, 10**10)  # at most: a pair of two classes, a row of it
REJECTED, UNREADABLE, TOO_DEAR = 1, 2, 3
OUTCOMES = {REJECTED: "rejected", UNREADABLE: "not readable", TOO_DEAR: "not checked"}
SHARED: list[Prover] = []  # the one of this check, which its processes have from their parent
Row = tuple[str, int, Fraction]  # a digit for each test, the number of the class, the cost: 1 where rows have none
Split = tuple[int, int]  # a test, and the rows of a set that pass it
Costs = list[tuple[int, list[int]]]  # of an error on some rows, and which of these pass each test, none, and all
POSITIVE, WHOLE = "[1-9][0-9]{0,39}", "(?:0|[1-9][0-9]{0,39})"
LEMMA = re.compile(rf"([ENC]) (any|[1-9][0-9]{{0,8}}) ({WHOLE})((?: {WHOLE})*)(?: \|((?: {WHOLE}:{WHOLE})+))?")
END = re.compile(rf"end ({WHOLE}) ({WHOLE}) ({WHOLE})")
NUMBER = r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?"
DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}(?: [0-9]{2}:[0-9]{2}:[0-9]{2})?"
ESCAPE = r'\\(?:["\\bfnrt]|u(?!d[89a-f])[0-9a-f]{4}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})'  # no lone surrogate
TEXT, RATIO = rf'"(?:[ !#-\[\]-~]|{ESCAPE})*+"', f'"(?:0|{POSITIVE}(?:/{POSITIVE})?)"'
listed = r"(?:\[\]|\[{0}(?:,{0})*\])".format  # of an entry: a list of such entries

HEADER = {  # the grammar of what each key holds, in the order of the keys
    "format": '"conjunct certificate 1"',
    "kind": '"tree"|"partition"|"frontier"',
    "rows": POSITIVE,
    "classes": listed(TEXT),
    "tests": listed(rf'\[{TEXT}(?:,{WHOLE},(?:"=",{TEXT}|"<=","{NUMBER}"|"date<=","{DATE}"|"(?:one|missing)",""))?\]'),
    "reading": rf"""(?x: "canonical" | \{{"format":"svmlight","zero_based":(?:true|false)\}}
        | \{{"format":"delimited","delimiter":"(?:[,;|\ ]|\\t)","header":(?:true|false),"label":{WHOLE}
          ,"missing":{listed(TEXT)},"skip_unlabelled":(?:true|false)\}})""",
    "literals": '"both"',
    "depth": '"any"|0|[1-9][0-9]{0,8}',
    "price": f'null|(?!"0"){RATIO}',
    "row_costs": f"null|{listed(RATIO)}",
    "cost_matrix": f"null|{listed(listed(RATIO))}",
    "min_samples_leaf": POSITIVE,
    "digest": '"[0-9a-f]{64}"',
    "lower": RATIO,
    "upper": f"null|{RATIO}",
    "witness": f"null|{listed(f'-?{WHOLE}')}",
}
FRONTIER = {"depth": "[0-4]", "price": '"1"', "lower": listed(RATIO), "upper": "null", "witness": "null"}


class CheckError(Exception):
    """Why a certificate was not accepted: its arguments are a code of `OUTCOMES` and a sentence."""


def require(holds: bool, otherwise: str, code: int = REJECTED) -> None:
    """Stop the check unless something holds."""
    if not holds:
        raise CheckError(code, otherwise)


readable = partial(require, code=UNREADABLE)  # stops the check unless what was read is as it must be


class Lemma(NamedTuple):
    """Every tree of at most a depth costs at least `value` on the rows that a path leads to."""

    kind: str
    depth: int
    value: int
    path: tuple[int, ...]
    hints: dict[int, int]


def read_text(path: str) -> str:
    """Return what a file holds, plain or compressed by gzip or xz."""
    try:
        with open(path, "rb") as file:
            unpack: Any = {b"\x1f\x8b": gzip.open, b"\xfd7": lzma.open}.get(file.peek(2)[:2])
            blocks = iter(partial((unpack(file) if unpack else file).read, BLOCK_BYTES), b"")
            data = b"".join(islice(blocks, MOST_BYTES // BLOCK_BYTES + 1))
        readable(len(data) <= MOST_BYTES, f"{path!r}: more than {MOST_BYTES} bytes")
        return str(data, "utf-8")
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, UnicodeDecodeError) as error:
        raise CheckError(UNREADABLE, f"{path!r}: {error}") from None


def read_certificate(path: str) -> tuple[dict[str, Any], list[Lemma], int, int]:
    """Return the header of a certificate, its lemmas, and how many pairs and splits its end line announces."""
    first, *lines = read_text(path).split("\n")
    header = read_header(first)
    end: Any = END.fullmatch(lines[-2]) if len(lines) >= 2 and not lines[-1] else None
    readable(end is not None, "the certificate is cut short: it has no end line")
    lemmas = [read_lemma(line, k, len(header["tests"])) for k, line in enumerate(lines[:-2])]
    readable(int(end[1]) == len(lemmas), f"the end line counts {end[1]} lemmas, the file has {len(lemmas)}")
    return header, lemmas, int(end[2]), int(end[3])


def read_header(line: str) -> dict[str, Any]:
    """Read the first line: compact JSON, whose keys come in one order and hold what `HEADER` says."""
    place, is_frontier = 0, line.startswith('{"format":"conjunct certificate 1","kind":"frontier"')
    for key, grammar in (HEADER | FRONTIER if is_frontier else HEADER).items():
        match: Any = re.compile(f'{"," if place else "{"}"{key}":(?:{grammar})').match(line, place)
        readable(match is not None, f"the header's {key} is not as the format says")
        place = match.end()
    readable(line[place:] == "}", "the header does not end after its last key")
    header: dict[str, Any] = json.loads(line)
    readable(json.dumps(header, separators=(",", ":")) == line, "the header's text has needless escapes")
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
    match: Any = LEMMA.fullmatch(line)
    readable(match is not None, f"lemma {number} is not written as the format says: {line[:60]!r}")
    kind, path = match[1], tuple(map(int, match[4].split()))
    depth = ANY if match[2] == "any" else int(match[2])
    pairs = [hint.split(":") for hint in (match[5] or "").split()]
    hints = {int(literal): int(earlier) for literal, earlier in pairs}
    readable(all(literal < 2 * n_tests for literal in [*path, *hints]), f"lemma {number} names no test of the list")
    readable(all(a // 2 < b // 2 for a, b in pairwise(path)), f"lemma {number}: the tests of its path must ascend")
    readable(kind == "N" or not hints, f"lemma {number}: only a lemma of kind N takes hints")
    readable(len(hints) == len(pairs), f"lemma {number} hints a literal twice")
    readable(kind != "E" or depth in (1, 2, ANY), f"lemma {number}: pair counts reach depths 1, 2 and any")
    require(all(earlier < number for earlier in hints.values()), f"lemma {number} hints a lemma not before it")
    return Lemma(kind, depth, int(match[3]), path, hints)


def read_rows(path: str, header: dict[str, Any]) -> list[Row]:
    """Rebuild the digits of every row by the tests of the header, and hold them against the digest."""
    text = read_text(path).removeprefix("\ufeff")
    readable("\0" not in text, f"{path!r} holds NUL")
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    tests, costs, is_canonical = header["tests"], header["row_costs"], header["reading"] == "canonical"
    if is_canonical:
        row_line = re.compile(f"([01]{{{len(tests)}}}) ({WHOLE})(?: [0-9/]+)?")
        matches = filter(None, map(row_line.fullmatch, lines[2:]))
        pairs = [(match[1], int(match[2])) for match in matches if int(match[2]) < len(header["classes"])]
    else:
        pairs = tested_rows(lines, header)
    require(costs is None or len(costs) == len(pairs), "there is not one cost for each row of the table")
    rows = [(*pair, Fraction(cost)) for pair, cost in zip(pairs, costs or repeat("1"), strict=False) if cost != "0"]
    require(len(rows) == header["rows"], f"the table has {len(rows)} rows, the certificate {header['rows']}")
    canonical = [f"{len(rows)} {len(tests)}", json.dumps([test[0] for test in tests], separators=(",", ":"))]
    canonical += [f"{row} {label}" + ("" if costs is None else f" {cost}") for row, label, cost in rows]
    digest = hashlib.sha256("".join(f"{line}\n" for line in canonical).encode()).hexdigest()
    is_same = digest == header["digest"] and (not is_canonical or lines == canonical)
    require(is_same, "the certificate is about other data: the digest of the rows differs")
    return rows


def tested_rows(lines: Iterable[str], header: dict[str, Any]) -> list[tuple[str, int]]:
    """Answer every test about the entries of each row."""
    reading, classes = header["reading"], {name: k for k, name in enumerate(header["classes"])}
    missing = {"", *reading.get("missing", ())}
    blocks = [(k, list(tests)) for k, tests in groupby(header["tests"], key=itemgetter(1))]  # of one column
    answers: dict[tuple[int, str], str] = {}  # of a block about an entry, which repeat
    rows = []
    for number, label, entries in table_entries(lines, reading, [column for column, _ in blocks]):
        if label not in classes and label in missing and reading.get("skip_unlabelled"):
            continue
        label = label if label in classes else label.removeprefix("+")
        require(label in classes, f"line {number}: the label {label[:40]!r} is no class of the certificate")
        digits = ""
        for k, (column, tests) in enumerate(blocks):
            if (key := (k, entries[column])) not in answers:
                rules = ((key[1], key[1] in missing, number, *rule) for _, _, *rule in tests)
                answers[key] = "".join("01"[holds(*rule)] for rule in rules)
            digits += answers[key]
        rows.append((digits, classes[label]))
    return rows


def holds(entry: str, is_missing: bool, number: int, kind: str, value: str) -> bool:
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


def table_entries(lines: Iterable[str], reading: dict[str, Any], columns: list[int]) -> Iterator[Any]:
    """Yield of each record its line, its label, and its entries; those of svmlight are 0 unless it says 1."""
    is_header, width = reading.get("header"), 0
    for number, line in enumerate(lines, start=1):
        if reading["format"] == "svmlight":
            if words := re.findall("[^ \t]+", line.split("#")[0]):
                values = {int(word[:-2]): word[-1] for word in words[1:] if re.fullmatch(f"{WHOLE}:[01]", word)}
                is_plain = len(values) == len(words) - 1 and (reading["zero_based"] or 0 not in values)
                readable(is_plain, f"line {number}: expected a label, then id:1, each id once")
                yield number, words[0], dict.fromkeys(columns, "0") | values
        elif entries := split_line(line, reading["delimiter"], number):
            width = width or len(entries)
            readable(len(entries) == width, f"line {number} has {len(entries)} entries, the first {width}")
            require(max([reading["label"], *columns]) < width, "the certificate is about a column that is not there")
            if not is_header:
                yield number, entries[reading["label"]], dict(enumerate(entries))
            is_header = False


def split_line(line: str, delimiter: str, number: int) -> list[str]:
    """Return the entries of a line, quotes taken off; none where it is blank."""
    blanks, mark = " " if delimiter == "\t" else " \t", re.escape(delimiter)
    if '"' not in line:
        entries = re.findall("[^ \t]+", line) if delimiter == " " else line.split(delimiter)
        return [entry.strip(blanks) for entry in entries] if line.strip(blanks) else []
    pattern = re.compile(rf'[{blanks}]*+(?:"((?:[^"]|"")*+)"[{blanks}]*+|([^"{mark}][^{mark}]*+)?)({mark}|$)')
    entries, place, more = [], 0, "more"
    while more:
        match: Any = pattern.match(line, place) if delimiter != " " else None
        readable(match is not None, f"line {number}: quotes that are not read here; certify canonical rows")
        entries.append((match[2] or "").strip(blanks) if match[1] is None else match[1].replace('""', '"'))
        place, more = match.end(), match[3]
    return entries


def common_denominator(numbers: Iterable[Fraction]) -> int:
    """Return the least common denominator of some numbers."""
    for common in accumulate((number.denominator for number in numbers), lcm, initial=1):
        readable(common < 10**40, "the costs have no common denominator of at most 40 digits")
    return common


def improve(least: list[int], one: list[int], other: list[int]) -> None:
    """Lower the least errors by trees whose first test leaves two parts: with a and b leaves there, a + b here."""
    for a, errors in enumerate(one, start=1):
        least[a : a + len(other)] = [min(old, errors + more) for old, more in zip(least[a:], other, strict=False)]


def charge(sets: dict[int, int], cost: int, rows: int, by_digits: bool) -> None:
    """Add rows to the sets of those that cost alike, or to a set for each binary digit of what they cost."""
    for share in [1 << k for k in range(cost.bit_length()) if cost >> k & 1] if by_digits else [cost] * (cost > 0):
        sets[share] = sets.get(share, 0) | rows


def both_sides(losses: list[list[int]]) -> list[list[int]]:
    """Return the least errors of a leaf on the rows that pass each test, and on the others, by those of each class."""
    sides = losses, [[own[-1] - errors for errors in own] for own in losses]
    return [reduce(lambda a, b: [x if x < y else y for x, y in zip(a, b, strict=True)], own) for own in sides]


def counter(kinds: list[Costs], splits: list[Split]) -> Callable[[int], list[list[int]]]:
    """Return a function of a set: of each kind, what errors cost on its rows that pass each test, none, and all."""
    chosen = itemgetter(*(test for test, _ in splits), -2, -1)
    sets = [[(cost, chosen(own)) for cost, own in kind] for kind in kinds]

    def counts(rows: int) -> list[list[int]]:
        lists = ([[cost * (rows & test).bit_count() for test in tests] for cost, tests in kind] for kind in sets)
        return [own[0] if len(own) == 1 else list(map(sum, zip(*own, strict=True))) for own in lists]

    return counts


class Prover:
    """Rows as sets, what leaves and errors cost on them, and the rules by which lemmas follow."""

    def __init__(self, header: dict[str, Any], lemmas: list[Lemma], rows: list[Row], most: tuple[int, int]) -> None:
        self.header, self.lemmas, classes = header, lemmas, header["classes"]
        self.all_rows, self.least_rows = 2 ** len(rows) - 1, int(header["min_samples_leaf"])
        self.most_work, self.work = most, [0, 0]  # pairs and splits announced, and counted
        # 1. Whole costs: B = the common denominator of all w q_i, times that of the cost matrix; A_i = B w q_i.
        costs = {cost for _, _, cost in rows}
        price = (len(rows) + 1) / min(costs) if header["price"] is None else Fraction(header["price"])
        denominator = common_denominator(price * cost for cost in costs)
        lines = header["cost_matrix"] or [["01"[a != b] for b in classes] for a in classes]
        matrix = [list(map(Fraction, line)) for line in lines]
        matrix_denominator = common_denominator(cost for line in matrix for cost in line)
        self.leaf_cost = denominator * matrix_denominator
        whole = {cost: int(price * cost * denominator) for cost in costs}
        items = sorted((whole[cost], label, digits) for digits, label, cost in rows)  # those that count alike together
        self.columns = [int("".join(bits), 2) for bits in zip(*(item[2] for item in reversed(items)), strict=True)]
        cells = dict[str, list[int]]()  # equal rows
        for i, item in enumerate(items):
            cells.setdefault(item[2], []).append(i)
        ends = {item[:2]: i for i, item in enumerate(items, start=1)}  # after the last of the rows that count alike
        paid = {own: [int(own[0] * cost * matrix_denominator) for cost in matrix[own[1]]] for own in ends}  # by class
        # 2. What errors cost: by the class that rows are called, and at most; of two classes, by the answer of a test.
        sets: list[dict[int, int]] = [{} for _ in range(len(classes) + 2)]
        for group, begin in zip(ends, [0, *ends.values()], strict=False):
            for own, share in zip([*sets[:-2], sets[-1]], [*paid[group], max(paid[group])], strict=True):
                charge(own, share, (1 << ends[group]) - (1 << begin), len(ends) > MOST_COST_GROUPS)
        for cell in (same for same in cells.values() if len(same) > 1):  # what is forced is kept at the first of them
            charge(sets[-2], min(map(sum, zip(*(paid[items[i][:2]] for i in cell), strict=True))), 1 << cell[0], True)
        tests = [*self.columns, 0, self.all_rows]
        kinds = [[(cost, [test & own.get(cost, 0) for test in tests]) for cost in own or (0,)] for own in sets]
        self.called, self.kinds, self.most = kinds[:-2], kinds[:-1], kinds[-1]
        self.sizes, self.is_plain = [(1, tests)], len(classes) == 2 and self.least_rows == 1
        one, zero = sets[:2]  # if there are two classes, the rows of class 1 and of class 0
        self.wrong = [(c, [t & zero.get(c, 0) | ~t & one.get(c, 0) for t in tests]) for c in zero | one] or self.most
        # 3. What every lemma says about which rows; the proof of a lemma may use those before it.
        self.row_sets, self.known = list[int](), dict[int, list[tuple[int, int, int]]]()
        for number, (_, depth, value, path, _) in enumerate(lemmas):
            reached = reduce(and_, (self.columns[k // 2] ^ (k % 2 - 1) for k in path), self.all_rows)  # ^ -1 is "not"
            require(reached != 0, f"lemma {number} is about no row")
            self.row_sets.append(reached)
            self.known.setdefault(reached, []).append((number, depth, value))
            readable(len(self.known[reached]) <= MOST_LEMMAS_OF_A_SET, "too many lemmas are about the same rows")

    def losses(self, rows: int, kinds: list[Costs]) -> list[int]:
        """Return what errors on all rows of a set cost, of each kind."""
        return [sum([cost * (rows & own[-1]).bit_count() for cost, own in kind]) for kind in kinds]

    def errors(self, rows: int) -> int:
        """Return what the errors of a leaf cost on a set."""
        return min(self.losses(rows, self.called))

    def forced(self, rows: int) -> int:
        """Return what the errors of every tree cost on a set at least."""
        return self.losses(rows, self.kinds[-1:])[0]

    def trivial(self, depth: int, errors: int, forced: int) -> int:
        """Return what trees of a depth cost at least, by the errors of a leaf and those forced: one leaf, or two."""
        return self.leaf_cost + (min(errors, self.leaf_cost + forced) if depth else errors)

    def parts(self, rows: int, splits: list[Split], depth: int) -> Iterable[tuple[Split, int, int]]:
        """Return of each split what trees of a depth trivially cost on the rows that pass it, and on the others."""
        *losses, forced = counter(self.kinds, splits)(rows)
        sides = zip(both_sides(losses), both_sides([forced]), strict=True)
        return zip(splits, *(map(self.trivial, repeat(depth), *own) for own in sides), strict=False)

    def splits(self, rows: int) -> list[Split]:
        """Return the distinct splits of a set: the lowest test of each, and the rows that pass it."""
        distinct, seen, least, most = [], set[int](), self.least_rows, rows.bit_count() - self.least_rows
        for test, column in enumerate(self.columns):
            if (passed := rows & column) not in seen and least <= passed.bit_count() <= most:
                seen |= {passed, rows ^ passed}
                distinct.append((test, passed))
        return distinct

    def prove(self, number: int) -> None:
        """Prove a lemma from the rows and the lemmas before it."""
        lemma, rows = self.lemmas[number], self.row_sets[number]
        require(lemma.value <= self.leaf_cost + self.errors(rows), f"lemma {number} is not proved: a leaf costs less")
        rule = {"E": self.cheaper_by_counts, "N": self.cheaper_by_lemmas, "C": self.cheaper_by_cuts}[lemma.kind]
        if (test := rule(number, lemma, rows, self.splits(rows))) is not None:
            name = self.header["tests"][test][0][:40]
            raise CheckError(REJECTED, f"lemma {number} is not proved: a tree that tests {name!r} first may cost less")

    def count(self, n_pairs: int, n_splits: int) -> None:
        """Count work to be done, and stop the check if it is more than the end line announces."""
        self.work = [self.work[0] + n_pairs, self.work[1] + n_splits]
        require(all(map(le, self.work, self.most_work)), "more pairs or splits than the end line announces")

    def cheaper_by_counts(self, number: int, lemma: Lemma, rows: int, splits: list[Split]) -> int | None:
        """Rule E: return a first test below which a tree may cost less than a lemma says, by pair counts."""
        counts = counter([self.wrong] if self.is_plain and lemma.depth == 2 else [self.sizes, *self.called], splits)
        below = counts(rows)
        for (test, one), cost, other in self.parts(rows, splits, lemma.depth - 1):
            if cost + other < lemma.value and lemma.depth > 1:
                self.count(len(splits), 0)
                cost = self.two_levels(one, inside := counts(one), lemma.depth)
                if cost + other < lemma.value:
                    outside = [list(map(sub, *pair)) for pair in zip(below, inside, strict=True)]
                    other = self.two_levels(rows ^ one, outside, lemma.depth)
            if cost + other < lemma.value:
                return test
        return None

    def two_levels(self, rows: int, counts: list[list[int]], depth: int) -> int:
        """Return what trees cost at least on a set: one leaf or two exactly, more by their shape, for any depth."""
        if self.is_plain and depth == 2:
            return self.trivial(depth, *self.few_leaves(counts[0]))
        sizes, *losses = counts
        are_splits = [self.least_rows <= size <= sizes[-1] - self.least_rows for size in sizes]
        passed, failed = (list(compress(own, are_splits)) for own in both_sides(losses))
        costs = [min(own[-1] for own in losses)]
        if passed:
            costs.append(self.leaf_cost + min(one + other for one, other in zip(passed, failed, strict=True)))
        if passed and depth == ANY:
            forced = self.forced(rows)
            costs += [2 * self.leaf_cost + max(min(*passed, *failed), forced), 3 * self.leaf_cost + forced]
        return self.leaf_cost + min(costs)

    def few_leaves(self, wrong: list[int]) -> list[int]:
        """Return what the errors of one leaf and of two cost at least, by those of tests whose answer is the class."""
        none, every = wrong[-2:]  # tests that are leaves; leaves that deny a test are right where it is wrong
        return [min(none, every), min(min(wrong), none + every - max(wrong))]

    def least_errors(self, rows: int, depth: int, share: int = 0, jobs: int = 1) -> list[int]:
        """Return the least errors of trees of a depth with at most 1, 2, .. leaves; of first tests, every jobs-th."""
        least = [self.errors(rows)] * 2**depth
        splits = self.splits(rows) if depth and least[0] > self.forced(rows) else []
        deeper = ([self.least_errors(half, depth - 1) for half in (one, rows ^ one)] for _, one in splits[share::jobs])
        for pair in self.both_parts(rows, splits) if depth == 3 and self.is_plain else deeper:
            improve(least, *pair)
        return least

    def both_parts(self, rows: int, splits: list[Split]) -> Iterable[list[list[int]]]:
        """Return the least errors of trees of depth 2 on the two parts of each split, by the quarters of two splits."""
        counts, passing = counter([self.wrong], splits), [one for _, one in splits]
        wrong = [[counts(half)[0] for half in (one, rows ^ one)] for one in passing]
        best = [[self.few_leaves(half)[:1] * 4 for half in pair] for pair in wrong]
        for j, i in combinations(range(len(splits)), 2):
            (both,) = counts(passing[i] & passing[j])
            other = list(map(sub, wrong[j][0], both))
            rest = list(map(sub, wrong[i][0], both)), other, list(map(sub, wrong[i][1], other))
            a, b, c, d = map(self.few_leaves, (both, *rest))
            for half, one, two in ((best[i][0], a, b), (best[i][1], c, d), (best[j][0], a, c), (best[j][1], b, d)):
                improve(half, one, two)
        return best

    def cheaper_by_lemmas(self, number: int, lemma: Lemma, rows: int, splits: list[Split]) -> int | None:
        """Rule N: return a first test whose two parts are not known to cost as much as a lemma says."""
        self.count(0, len(splits))
        tests, hints = {test for test, _ in splits}, lemma.hints
        require(all(literal // 2 in tests for literal in hints), f"lemma {number} hints what is no lowest split")
        require(self.least_rows == 1 or not hints, f"lemma {number}: with least rows of a leaf there are no hints")
        for (test, one), *least in self.parts(rows, splits, lemma.depth - 1):
            parts = (2 * test + 1, one, least[0]), (2 * test, rows ^ one, least[1])
            if sum(self.known_cost(number, lemma, *part) for part in parts) < lemma.value:
                return test
        return None

    def known_cost(self, number: int, lemma: Lemma, literal: int, rows: int, least: int) -> int:
        """Return what trees are known to cost before a lemma, on the part of its rows that a literal leads to."""
        depth, hint = lemma.depth - 1, lemma.hints.get(literal)
        costs = [self.leaf_cost + self.errors(rows) if self.least_rows > 1 and not self.splits(rows) else least]
        costs += [value for k, deep, value in self.known.get(rows, ()) if k < number and deep >= depth]
        if hint is not None:
            claim, lost = self.lemmas[hint], self.row_sets[hint] & ~rows
            require(claim.depth >= depth, f"lemma {number}: lemma {hint} is not as deep as the hint needs")
            costs.append(claim.value - self.losses(lost, [self.most])[0])
        return max(costs)

    def cheaper_by_cuts(self, number: int, lemma: Lemma, rows: int, splits: list[Split]) -> int | None:
        """Rule C: return a test unless the tests are a chain, and cutting it into leaves costs what a lemma says."""
        is_limited = (n_parts := 2 ** min(lemma.depth, len(splits))) <= len(splits)
        self.count(len(splits) ** 2 * (n_parts if is_limited else 1), 0)
        ends = sorted({0, rows, *(one for _, one in splits)}, key=int.bit_count)
        leaves = [[self.leaf_cost + self.errors(end ^ begin) for begin in ends[:k]] for k, end in enumerate(ends)][1:]
        least = [0, *(costs[0] for costs in leaves)]  # on the rows up to each end, in one leaf
        for _ in range(n_parts - 1 if is_limited else 1):
            before = list(least) if is_limited else least  # itself: in any number of leaves
            for k, costs in enumerate(leaves, start=1):
                least[k] = min(map(add, before, costs))
        return splits[0][0] if least[-1] < lemma.value or any(a & ~b for a, b in pairwise(ends)) else None

    def witness_cost(self, most_depth: int) -> tuple[int, int]:
        """Return how many leaves the tree in the header has, and what its errors cost."""
        todo, n_leaves, errors = [(self.all_rows, 0)], 0, 0
        for node in self.header["witness"]:
            require(bool(todo), "the witness is no tree: it goes on after its last leaf")
            rows, depth = todo.pop()
            if node < 0:
                require(-1 - node < len(self.called), "the witness has a leaf of no class")
                n_leaves, errors = n_leaves + 1, errors + self.losses(rows, self.called)[-1 - node]
                continue
            require(node < len(self.columns), "the witness has a test that is not listed")
            require(depth < most_depth, "the witness is deeper than the claim")
            passed = rows & self.columns[node]
            least = min(passed.bit_count(), (rows ^ passed).bit_count())
            require(least >= self.least_rows, "a test of the witness leaves too few rows on one side")
            todo += [(rows ^ passed, depth + 1), (passed, depth + 1)]
        require(not todo, "the witness is no tree: it lacks leaves")
        return n_leaves, errors


class Verdict(NamedTuple):
    """What was verified: the bound, the leaves and the cost of the tree if there is one, how many lemmas it took."""

    header: dict[str, Any]
    lower: Fraction  # of a frontier the last of its bounds
    n_leaves: int | None
    upper: Fraction | None
    n_lemmas: int


def check(certificate_path: str, data_path: str, jobs: int = 1, limit: int | None = SECONDS_LIMIT) -> Verdict:
    """Prove what a certificate claims about a table, or raise a CheckError that says why not."""
    header, lemmas, n_pairs, n_splits = read_certificate(certificate_path)
    depth = ANY if header["depth"] == "any" else header["depth"]
    is_plain = len(header["classes"]) == 2 and header["min_samples_leaf"] == 1
    pair_steps = (Fraction(1, 2) if is_plain else 20) if header["kind"] == "frontier" else 1
    n_steps = n_pairs * pair_steps + 20 * n_splits + 8 * len(header["tests"]) * len(lemmas)
    n_losses = len(header["classes"]) ** (1 if header["cost_matrix"] is None else 2)
    seconds = int(n_steps * (PAIR_SECONDS * n_losses / 2 + header["rows"] * ROW_SECONDS) / jobs)
    is_cheap = limit is None or seconds <= limit
    require(is_cheap, f"about {seconds} s predicted, the limit is {limit}; --limit {seconds} allows it", TOO_DEAR)
    SHARED[:] = [prover := Prover(header, lemmas, read_rows(data_path, header), (n_pairs, n_splits))]
    if jobs == 1:
        shares = [work_on_share(0, 1)]
    else:
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
            shares = list(pool.map(work_on_share, range(jobs), [jobs] * jobs))
    if header["kind"] == "frontier":
        proved = [min(errors) for errors in zip(*shares, strict=True)]
    else:
        prover.work = [sum(counts) for counts in zip(*shares, strict=True)]
        prover.count(0, 0)
        proved = [prover.trivial(depth, prover.errors(prover.all_rows), prover.forced(prover.all_rows))]
    if lemmas:
        require(header["kind"] == "tree", "lemmas are about trees, not about all partitions")
        require(not lemmas[-1].path and lemmas[-1].depth >= depth, "the last lemma must have no path and enough depth")
        proved = [lemmas[-1].value]
    bounds = [Fraction(value, prover.leaf_cost) for value in proved]
    claimed = header["lower"] if isinstance(header["lower"], list) else [header["lower"]]
    is_proved = bounds == list(map(Fraction, claimed))
    require(is_proved, f"{', '.join(map(str, bounds))} is proved, not the {', '.join(claimed)} of the header")
    require((header["witness"] is None) == (header["upper"] is None), "upper and witness go together")
    if header["witness"] is None:
        return Verdict(header, bounds[-1], None, None, len(lemmas))
    n_leaves, errors = prover.witness_cost(depth)
    upper = n_leaves + Fraction(errors, prover.leaf_cost)
    require(upper == Fraction(header["upper"]), f"the tree costs {upper}, not the {header['upper']} of the header")
    require(header["price"] is not None or errors == 0, "the witness of a claim about trees without errors has some")
    return Verdict(header, bounds[-1], n_leaves, upper, len(lemmas))


def work_on_share(share: int, jobs: int) -> list[int]:
    """Prove every jobs-th lemma and return what was counted, or the least errors, by every jobs-th first test."""
    prover = SHARED[0]
    if prover.header["kind"] == "frontier":
        rows, depth = prover.all_rows, prover.header["depth"]
        n_pairs = len(prover.splits(rows)) ** depth if depth > 1 else 0
        require(prover.most_work == (n_pairs, 0) and not prover.lemmas, f"its end line must be: end 0 {n_pairs} 0")
        return prover.least_errors(rows, depth, share, jobs)
    prover.work = [0, 0]
    for number in range(share, len(prover.row_sets), jobs):
        prover.prove(number)
    return prover.work


def sentences(verdict: Verdict) -> list[str]:
    """Say what was verified, as a person may quote it."""
    header, lower, upper, price = verdict.header, verdict.lower, verdict.upper, verdict.header["price"]
    limits = "of any depth" if header["depth"] == "any" else f"of depth at most {header['depth']}"
    limits += f" and with at least {least} rows in every leaf" if (least := header["min_samples_leaf"]) > 1 else ""
    models = "partition of the rows by conjunctions of" if header["kind"] == "partition" else "decision tree over"
    trees = f"{models} these {len(header['tests'])} yes/no tests, {limits},"
    errors = "errors" if header["row_costs"] is header["cost_matrix"] is None else "cost of errors"
    total, rows = f"leaves + {'' if price == '1' else f'{price} * '}{errors}", f"these {header['rows']} rows"
    lines = [f"Every {trees} has {total} >= {lower} on {rows}."]
    if price is None:
        most = f"Every {trees} that is without errors on {rows} has at least {lower} leaves."
        lines = [most if lower <= header["rows"] else f"No {trees} is without errors on {rows}."]
    if header["kind"] == "frontier":
        least = ", ".join(f"{k}: {bound}" for k, bound in enumerate(header["lower"], start=1))
        lines = [f"Every {trees} with at most L leaves has at least E {errors} on {rows}, for L: E = {least}."]
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
    try:
        readable(1 <= given.jobs <= MOST_JOBS, f"--jobs {given.jobs}: expected 1 to {MOST_JOBS}")
        verdict = check(given.certificate, given.data, given.jobs, given.limit)
    except (CheckError, OSError, MemoryError, BrokenExecutor) as error:
        other = (UNREADABLE, error) if isinstance(error, OSError) else (TOO_DEAR, "it takes more memory than there is")
        code, reason = error.args if isinstance(error, CheckError) else other
        print(f"{OUTCOMES[code]}: {reason}", file=sys.stderr)
        return int(code)
    print(*sentences(verdict), f"accepted: {verdict.n_lemmas} lemmas proved", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
