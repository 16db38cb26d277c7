"""Check a bound that weights of the rows prove: ``python3 -I -S bound_checker.py BOUND ROWS``.

This file alone is the checker: standard Python 3.11, whole numbers and fractions, no code shared with what makes
bounds. The claim: every partition of the rows into conjunctions of at most d literals, each part with a class, has a
sum of K(literals) over its parts + price * errors of at least `lower`; the leaves of a decision tree of depth d are one
such partition. Or: every DNF, or CNF, has terms + price * errors of at least that, an error being a row that it misses,
or a term that holds on a row of the other class. ROWS are canonical rows. docs/bound-format.md has the format, and why
it is sound. It accepts or rejects, never repairs. Exit codes: 0 accepted; 1 rejected; 2 not readable; 3 not checked,
being longer than the limit. A set of cells is an integer: bit c is cell c.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import lzma
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations, islice, repeat
from math import ceil, comb, inf, lcm
from operator import and_, mul, or_, xor
from typing import Any, NamedTuple

BLOCK_BYTES, MOST_BYTES, SECONDS_LIMIT = 2**20, 2**32, 600
GRID_LIMIT, MOST_DENOMINATOR = 10**40, 10**1000  # what is raised to a multiple of 1/D; what is read
MOST_LISTED_SIZE = 4  # longer conjunctions are too many to be gone through one by one
PAIR_SECONDS, LIMB_SECONDS = Fraction(3, 10**7), Fraction(2, 10**9)  # at most: a pair of cells; 30 cells of a sum
FEATURE_SECONDS = Fraction(4, 10**6)  # at most: the conjunctions of some variables, beside what their cells weigh
NODE_SECONDS, LOOK_SECONDS = Fraction(3, 10**6), Fraction(2, 10**7)  # at most: a set of a walk; a literal it skips
CELL_SECONDS, TERM_SECONDS = Fraction(5, 10**6), Fraction(1, 10**6)  # at most: a row of a class; a literal on a row
REJECTED, UNREADABLE, TOO_DEAR = 1, 2, 3
OUTCOMES = {REJECTED: "rejected", UNREADABLE: "not readable", TOO_DEAR: "not checked"}
POSITIVE, WHOLE = "[1-9][0-9]{0,399}", "(?:0|[1-9][0-9]{0,399})"
ESCAPE = r'\\(?:["\\bfnrt]|u(?!d[89a-f])[0-9a-f]{4}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})'  # no lone surrogate
TEXT, RATIO = rf'"(?:[ !#-\[\]-~]|{ESCAPE})*+"', f'"(?:0|{POSITIVE}(?:/{POSITIVE})?)"'
LINE = re.compile(f"w(?: (?:0|-?{POSITIVE}))+|walk(?: {WHOLE})+")
END = re.compile(f"end ({WHOLE}) ({WHOLE})")
listed = r"(?:\[\]|\[{0}(?:,{0})*\])".format  # of an entry: a list of such entries

HEADER = {  # the grammar of what each key holds, in the order of the keys
    "format": '"conjunct bound 1"',
    "kind": '"partition"|"dnf"|"cnf"',
    "rows": POSITIVE,
    "classes": listed(TEXT),
    "tests": listed(rf"\[{TEXT}\]"),
    "reading": '"canonical"',
    "literals": '"both"|"positive"',
    "depth": '"any"|0|[1-9][0-9]{0,8}',
    "leaf_costs": f"null|{listed(f'(?!{chr(34)}0{chr(34)}){RATIO}')}",
    "price": f'null|(?!"0"){RATIO}',
    "row_costs": f"null|{listed(f'(?!{chr(34)}0{chr(34)}){RATIO}')}",
    "digest": '"[0-9a-f]{64}"',
    "form": '"svm"|"ridge"|"box"|"cover"|"lp"',
    "exponent": "0|-?[1-9][0-9]{0,3}",
    "lower": RATIO,
    "upper": f"null|{RATIO}",
    "witness": f"null|{listed(listed(WHOLE))}",
}
Line = tuple[str, list[int]]  # of evidence: what its numbers are, and these
Row = tuple[str, int, Fraction]  # a digit for each test, the number of its class, what an error on it costs
Cell = tuple[str, Fraction, Fraction]  # equal rows: what those cost that should be called true, and the others


class CheckError(Exception):
    """Why a bound was not accepted: its arguments are a code of `OUTCOMES` and a sentence."""


def require(holds: bool, otherwise: str, code: int = REJECTED) -> None:
    """Stop the check unless something holds."""
    if not holds:
        raise CheckError(code, otherwise)


readable = partial(require, code=UNREADABLE)  # stops the check unless what was read is as it must be


class Verdict(NamedTuple):
    """What was verified, and how many weights it took."""

    header: dict[str, Any]
    lower: Fraction
    n_weights: int


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


def read_certificate(path: str) -> tuple[dict[str, Any], list[Line]]:
    """Return the header of a bound and the lines of its evidence."""
    first, *lines = read_text(path).split("\n")
    header = read_header(first)
    end: Any = END.fullmatch(lines[-2]) if len(lines) >= 2 and not lines[-1] else None
    readable(end is not None, "the certificate is cut short: it has no end line")
    for number, line in enumerate(lines[:-2]):
        readable(LINE.fullmatch(line) is not None, f"line {number + 2} is no line of evidence: {line[:60]!r}")
    evidence = [(word, list(map(int, numbers))) for word, *numbers in map(str.split, lines[:-2])]
    counted = f"{len(evidence)} {sum(len(numbers) for _, numbers in evidence)}"
    readable(counted == f"{end[1]} {end[2]}", f"the end line counts {end[1]} {end[2]}, the file has {counted}")
    words = "(w( walk)+)?" if header["form"] == "lp" else "(w( w)*)?"
    is_evidence = re.fullmatch(words, " ".join(word for word, _ in evidence)) is not None
    readable(is_evidence, "this is no such evidence")
    return header, evidence


def read_header(line: str) -> dict[str, Any]:
    """Read the first line: compact JSON, whose keys come in one order and hold what `HEADER` says."""
    place = 0
    for key, grammar in HEADER.items():
        match: Any = re.compile(f'{"," if place else "{"}"{key}":(?:{grammar})').match(line, place)
        readable(match is not None, f"the header's {key} is not as the format says")
        place = match.end()
    readable(line[place:] == "}", "the header does not end after its last key")
    header: dict[str, Any] = json.loads(line)
    readable(json.dumps(header, separators=(",", ":")) == line, "the header's text has needless escapes")
    readable(len(set(header["classes"])) == len(header["classes"]), "two classes have the same name")
    kind, form, price, costs = header["kind"], header["form"], header["price"], header["leaf_costs"]
    readable(costs is None or len(costs) == most_literals(header) + 1, "there is not one leaf cost for each length")
    forms = ["svm", "ridge", "lp", *(["box"] if price else [])] if kind == "partition" else ["cover", "lp"]
    readable(form in forms, f"the form {form} is not one of such a claim")
    readable(costs is None or form not in ("cover", "lp"), "leaf costs are of the forms svm, ridge and box")
    readable(kind == "partition" or len(header["classes"]) <= 2, "a DNF or CNF is about two classes")
    readable(kind != "cnf" or header["literals"] == "both", "a CNF is of both literals")
    known = [own for own in (header["upper"], header["witness"]) if own is not None]
    readable(len(known) in ((0,) if kind == "partition" else (0, 2)), "upper and witness are both of a DNF or CNF")
    return header


def most_literals(header: dict[str, Any]) -> int:
    """Return how many literals a conjunction of the claim has at most."""
    n_tests = len(header["tests"])
    return n_tests if header["depth"] == "any" else min(int(header["depth"]), n_tests)


def read_rows(path: str, header: dict[str, Any]) -> list[Row]:
    """Read canonical rows, and hold them against the digest."""
    lines, tests, costs = read_text(path).split("\n"), header["tests"], header["row_costs"]
    row_line = re.compile(f"([01]{{{len(tests)}}}) ({WHOLE})(?: [0-9/]+)?")
    matches = list(filter(None, map(row_line.fullmatch, lines[2:])))
    require(len(matches) == header["rows"], f"there are {len(matches)} rows, the certificate is about {header['rows']}")
    require(costs is None or len(costs) == len(matches), "there is not one cost for each row")
    prices = map(Fraction, costs or repeat("1"))
    rows = [(match[1], int(match[2]), cost) for match, cost in zip(matches, prices, strict=False)]
    canonical = [f"{len(rows)} {len(tests)}", json.dumps([test[0] for test in tests], separators=(",", ":"))]
    canonical += [f"{digits} {label}" + ("" if costs is None else f" {cost}") for digits, label, cost in rows]
    digest = hashlib.sha256("".join(f"{line}\n" for line in canonical).encode()).hexdigest()
    is_same = digest == header["digest"] and lines == [*canonical, ""]
    require(is_same, "the certificate is about other data: the digest of the rows differs")
    require(all(label < len(header["classes"]) for _, label, _ in rows), "a row has a class that is not listed")
    return rows


def norm_by_pairs(cells: list[str], weights: list[int], table: list[Fraction], has_negations: bool) -> Fraction:
    """Return b'Kb from the kernel of every pair of cells: `table` by how many literals hold on both."""
    n_tests, denominator = len(cells[0]), lcm(*(value.denominator for value in table))
    whole = [int(value * denominator) for value in table]
    counted = whole[::-1] if has_negations else whole  # by the tests that differ, or by those passed by both
    rows = [int(f"0{digits}", 2) for digits in cells]
    shared: Callable[[int, int], int] = xor if has_negations else and_
    total = 0
    for i, (row, weight) in enumerate(zip(rows, weights, strict=True)):
        counts = map(int.bit_count, map(shared, repeat(row), rows[:i]))
        others = sum(map(mul, weights, map(counted.__getitem__, counts)))
        total += weight * (2 * others + weight * whole[n_tests if has_negations else row.bit_count()])
    return Fraction(total, denominator)


def norm_by_features(cells: list[str], weights: list[int], costs: list[Fraction], has_negations: bool) -> Fraction:
    """Return b'Kb as the sum over all conjunctions of (what their cells weigh)^2 / K: `costs` by their length."""
    slices, columns = weight_slices(weights), passed_cells(cells)
    sums: dict[tuple[int, ...], int] = {}  # of the cells that pass all tests of a list
    total = Fraction()
    for length, cost in enumerate(costs):
        squares = 0
        for tests in combinations(range(len(columns)), length):
            passed = (1 << len(cells)) - 1
            for test in tests:
                passed &= columns[test]
            sums[tests] = weight_of(passed, slices)
            squares += squares_of(tests, sums) if has_negations else sums[tests] ** 2
        total += squares / cost
    return total


def squares_of(tests: tuple[int, ...], sums: dict[tuple[int, ...], int]) -> int:
    """Return the squares of what the cells weigh that pass some of the tests and fail the others, added up."""
    values = [sums[tuple(t for k, t in enumerate(tests) if mask >> k & 1)] for mask in range(1 << len(tests))]
    for k in range(len(tests)):
        for mask in range(len(values)):
            if not mask >> k & 1:
                values[mask] -= values[mask | 1 << k]  # now test k is failed
    return sum(value * value for value in values)


def weight_slices(weights: list[int]) -> list[tuple[int, int]]:
    """Return weights as sets of cells: those whose weight has a binary digit, with what that digit is worth."""
    slices = []
    for sign in (1, -1):
        shown = [max(sign * weight, 0) for weight in reversed(weights)]
        n_digits = max(weight.bit_length() for weight in shown)
        digits = zip(*(f"{weight:0{n_digits}b}" for weight in shown), strict=True) if n_digits else ()
        slices += [(sign << (n_digits - 1 - k), int("".join(own), 2)) for k, own in enumerate(digits) if "1" in own]
    return slices


def weight_of(cells: int, slices: list[tuple[int, int]]) -> int:
    """Return what a set of cells weighs."""
    return sum([share * (cells & own).bit_count() for share, own in slices])


def passed_cells(cells: list[str]) -> list[int]:
    """Return the set of cells that pass each test."""
    return [int("".join(digits)[::-1], 2) for digits in zip(*cells, strict=True)]


def n_slices_of(weights: Iterable[int]) -> int:
    """Return how many binary digits positive and negative weights have together, at most."""
    return 2 * max(weight.bit_length() for weight in weights)


def predicted_seconds(n_cells: int, n_tests: int, size: int, n_slices: int) -> tuple[int, bool]:
    """Return how long an output takes at most, and whether by pairs of cells rather than by conjunctions."""
    by_pairs = n_cells**2 * (PAIR_SECONDS + n_tests * n_slices * LIMB_SECONDS / 1000) / 2
    if size > MOST_LISTED_SIZE:
        return ceil(by_pairs), True
    n_sets = sum(comb(n_tests, length) for length in range(size + 1))
    by_features = n_sets * (FEATURE_SECONDS * 2**size + (n_slices + size) * (100 + n_cells / 30) * LIMB_SECONDS)
    return ceil(min(by_pairs, by_features)), by_pairs <= by_features


def common_denominator(numbers: Iterable[Fraction]) -> int:
    """Return the least common denominator, which may not be too long to count with."""
    common = 1
    for number in numbers:
        common = lcm(common, number.denominator)
        readable(common <= MOST_DENOMINATOR, "the common denominator of the costs is too long")
    return common


class Problem:
    """The rows of a bound, what parts and errors cost, and what weights prove about them."""

    def __init__(self, header: dict[str, Any], rows: list[Row], seconds: int | None) -> None:
        self.header, self.rows, self.size = header, rows, most_literals(header)
        self.has_negations, self.form = header["literals"] == "both", header["form"]
        self.costs = list(map(Fraction, header["leaf_costs"] or ["1"] * (self.size + 1)))
        self.is_free = header["price"] is None  # of errors
        costs = {cost for _, _, cost in rows}
        self.price = (len(rows) + 1) / min(costs) if self.is_free else Fraction(header["price"])
        errors = common_denominator(cost if self.is_free else self.price * cost for cost in costs)
        self.grid = lcm(common_denominator(self.costs), 1 if self.is_free else errors)  # D: costs are multiples of 1/D
        n_classes = len(header["classes"])
        pools: dict[str, list[Fraction]] = {}  # equal rows, and what those of each class cost
        for (digits, label, cost), count in Counter(rows).items():
            pools.setdefault(digits, [Fraction()] * max(2, n_classes))[label] += count * cost
        self.masses = {digits: pools[digits] for digits in sorted(pools)}
        self.totals = [sum(own, Fraction()) for own in self.masses.values()]
        self.outputs = [int(header["kind"] != "cnf")] if n_classes <= 2 else list(range(n_classes))
        self.unit, self.seconds = Fraction(2) ** int(header["exponent"]), seconds
        # The price of an error in an output: an error on a row is one in two of several outputs.
        self.lam = Fraction(0) if self.is_free else 4 / self.price * Fraction(min(2, n_classes), n_classes)

    def cells(self, output: int) -> list[Cell]:
        """Return the cells, the rows of one class to be called true."""
        pairs = zip(self.masses.items(), self.totals, strict=True)
        return [(digits, own[output], total - own[output]) for (digits, own), total in pairs]

    def trivial(self) -> Fraction:
        """Return what one part or term costs, or more with the errors that equal rows of different classes force."""
        called = [sum(own, Fraction()) for own in zip(*self.masses.values(), strict=True)]
        if self.header["kind"] == "partition":
            forced = sum(self.totals) - sum(map(max, self.masses.values()))
            one = min(self.costs) + self.price * (sum(called) - max(called))  # a test may be the same on all rows
            return min(one, 2 * min(self.costs[1:]) + self.price * forced) if self.size else one
        positive, forced = called[self.outputs[0]], sum(map(min, self.masses.values()))
        if self.is_free:
            return Fraction(len(self.rows) + 1 if forced else int(positive > 0))
        return min(self.price * positive, 1 + self.price * forced)  # no term; a term, and the errors that are forced

    def value(self, lines: list[Line]) -> Fraction:
        """Return what the evidence proves: the mean over outputs, or the largest where no error is allowed."""
        lengths = {len(numbers) for word, numbers in lines if word == "w" and self.form not in ("svm", "ridge")}
        require(lengths <= {len(self.masses)}, f"there are {len(self.masses)} cells and {lengths} weights")
        if self.form == "lp":
            return self.linear_value(*(numbers for _, numbers in lines))
        require(len(lines) == len(self.outputs), f"{len(self.outputs)} lists of weights belong to these classes")
        value = {"cover": self.cover_value, "box": self.box_value}.get(self.form, self.group_value)
        values = [value(self.cells(k), numbers) for k, (_, numbers) in zip(self.outputs, lines, strict=True)]
        return max(values) if self.is_free else sum(values, Fraction()) / len(values)

    def linear_value(self, weights: list[int], *walks: list[int]) -> Fraction:
        """Return the sum of the weights, once no conjunction passes the limit under any list of them."""
        one, lists = self.grid * self.unit.denominator, self.charged(weights)
        require(len(walks) == len(lists), f"{len(lists)} walks belong to these classes")
        literals = range(0 if self.has_negations else 1, 2 * len(self.header["tests"]), 1 if self.has_negations else 2)
        for (nodes, *trace), own in zip(walks, lists, strict=True):
            walk = Walk(list(self.masses), own, one, nodes, self.seconds)
            walk.hold(list(literals), self.size, trace)
            require(walk.n_nodes == nodes, f"the walk has {walk.n_nodes} nodes, not {nodes}")
        return sum(weights) * self.unit

    def charged(self, weights: list[int]) -> list[list[int]]:
        """Return the lists of weights of a linear program, less what errors cost, as whole multiples of a unit."""
        scale, one = self.grid * self.unit.numerator, self.grid * self.unit.denominator  # a weight; what a part costs
        above, is_partition = scale * sum(max(weight, 0) for weight in weights), self.header["kind"] == "partition"
        lists, price = [], self.price * one
        for output in range(len(self.header["classes"])) if is_partition else self.outputs:
            charges = [(int(price * p), int(price * n)) for _, p, n in self.cells(output)]
            if self.is_free:  # any error costs what all weights add up to
                charges = [(above * (p > 0), above * (n > 0)) for p, n in charges]
            pairs = list(zip(charges, weights, strict=True))
            for (p, n), weight in [] if is_partition else pairs:
                is_feasible = 0 <= scale * weight <= (0 if self.is_free and n else p)
                require(is_feasible, "a weight of a DNF is below 0 or above what its rows cost")
            lists.append([scale * weight - n for (_, n), weight in pairs])
        return lists

    def witness_cost(self) -> Fraction:
        """Return what the DNF of the header costs, or the negation of its CNF: its terms, and its errors."""
        cells, terms, errors = self.cells(self.outputs[0]), self.header["witness"], Fraction()
        for term in terms:
            tests = [literal // 2 for literal in term]
            is_term = tests == sorted({*tests}) and len(term) <= self.size and tests[-1:] < [len(self.header["tests"])]
            require(is_term and (self.has_negations or all(k % 2 for k in term)), f"a term of the claim is not {term}")
        for digits, positive, negative in cells:
            n_held = sum(all(digits[k // 2] == "01"[k % 2] for k in term) for term in terms)
            errors += n_held * negative if n_held else positive
        require(not self.is_free or errors == 0, "the witness of a claim about DNFs without errors has some")
        return len(terms) + (Fraction(0) if self.is_free else self.price * errors)

    def cover_value(self, cells: list[Cell], weights: list[int]) -> Fraction:
        """Return what weights of the cells prove about every DNF."""
        pairs = list(zip(cells, weights, strict=True))
        price, negative = self.price, sum(n for _, _, n in cells)
        if not negative:
            return Fraction(0)
        norm = self.norm(cells, weights) - sum(weights) ** 2  # without the empty conjunction
        if self.is_free:
            own = [weight for (_, p, _), weight in pairs if p]
            total = sum(own)
            require(min(own, default=0) >= 0, "a weight of a positive row is below 0")
            if norm == 0 and total:
                return Fraction(len(self.rows) + 1)  # no DNF is free of errors
            return total * total / norm if total else Fraction(0)
        gains = [(price * p, 2 * self.unit * weight + price * n) for (_, p, n), weight in pairs]
        require(all(held >= 0 for _, held in gains), "a weight is below what its negative rows allow")
        return min(sum(map(min, gains)) - self.unit**2 * norm, 1 + price * negative)  # or with the empty term

    def group_value(self, cells: list[Cell], weights: list[int]) -> Fraction:
        """Return (sum A)^2 / (b'Kb + lam sum A^2/m)."""
        masses = [mass for _, p, n in cells for mass in (p, n) if mass]
        require(len(weights) == len(masses), f"there are {len(masses)} groups of rows and {len(weights)} weights")
        require(self.form == "ridge" or min(weights) >= 0, "a weight of the form svm is negative")
        total, groups = sum(weights), iter(weights)
        net = [(next(groups) if p else 0) - (next(groups) if n else 0) for _, p, n in cells]
        charge = sum((weight * weight / mass for mass, weight in zip(masses, weights, strict=True)), Fraction())
        form = self.norm(cells, net) + self.lam * charge
        if form == 0 and total != 0:
            return len(self.rows) * max(self.costs) + 1  # no such partition is free of errors
        return total * total / form if total else Fraction(0)

    def box_value(self, cells: list[Cell], weights: list[int]) -> Fraction:
        """Return (2/lam) sum [(p + n) - |p - n - lam b|] - b'Kb."""
        step = self.lam * self.unit
        gains = [p + n - abs(p - n - step * weight) for (_, p, n), weight in zip(cells, weights, strict=True)]
        return 2 / self.lam * sum(gains) - self.unit**2 * self.norm(cells, weights)

    def norm(self, cells: list[Cell], weights: list[int]) -> Fraction:
        """Return b'Kb, in the cheaper way."""
        used = [(digits, weight) for (digits, _, _), weight in zip(cells, weights, strict=True) if weight]
        if not used:
            return Fraction(0)
        digits, own = [cell for cell, _ in used], [weight for _, weight in used]
        n_tests = len(self.header["tests"])
        if not predicted_seconds(len(own), n_tests, self.size, n_slices_of(own))[1]:
            return norm_by_features(digits, own, self.costs, self.has_negations)
        return norm_by_pairs(digits, own, list(map(self.kernel, range(n_tests + 1))), self.has_negations)

    def kernel(self, n_shared: int) -> Fraction:
        """Return the sum of 1/K over the conjunctions of some literals."""
        if self.header["leaf_costs"] is None and n_shared <= self.size:
            return Fraction(2**n_shared)
        return sum((comb(n_shared, length) / cost for length, cost in enumerate(self.costs)), Fraction())


class Walk:
    """Conjunctions, held to a limit under weights of the cells; columns are the cells of each literal."""

    def __init__(self, cells: list[str], weights: list[int], limit: int, nodes: int, seconds: int | None) -> None:
        require_time(predicted_walk_seconds(nodes, weights, len(cells[0])), seconds)
        slices, every = weight_slices(weights), (1 << len(cells)) - 1
        self.columns = [own for passed in passed_cells(cells) for own in (every ^ passed, passed)]
        self.n_cells, self.all_cells = len(cells), reduce(or_, (own for _, own in slices), 0)  # that have a weight
        self.above, self.below = [s for s in slices if s[0] > 0], [s for s in slices if s[0] < 0]
        self.charged = reduce(or_, (own for _, own in self.below), 0)  # the cells that weigh less than 0
        self.limit, self.most_nodes, self.n_nodes, self.n_looks = limit, nodes, 0, 0
        self.most_looks = inf if seconds is None else seconds / (LOOK_SECONDS + len(cells) * LIMB_SECONDS / 30)

    def count(self, n_conjunctions: int) -> None:
        """Count conjunctions to be weighed, and stop the check if there are more than announced."""
        self.n_nodes += n_conjunctions
        require(self.n_nodes <= self.most_nodes, "the walk has more nodes than announced")

    def look(self, n_literals: int) -> None:
        """Count looks at literals, which the prediction leaves out, and stop the check where they take too long."""
        self.n_looks += n_literals
        require(self.n_looks <= self.most_looks, "looking at literals takes longer than the limit", TOO_DEAR)

    def hold(self, every: list[int], size: int, trace: list[int]) -> None:
        """Hold all conjunctions to the limit: each has a literal against the next cell of the trace, or keeps it."""
        self.count(1)
        steps, of_all = iter(trace), weight_of(self.all_cells, self.above)
        todo: list[tuple[int, int, list[int], dict[int, int], int]] = [(self.all_cells, of_all, every, {}, 0)]
        while todo:
            cells, height, literals, heights, length = todo.pop()  # height: of cells above 0; heights: with a literal
            if not heights:
                if height <= self.limit:
                    continue
                is_within = height + weight_of(cells, self.below) <= self.limit
                require(is_within, "a conjunction passes the limit of the linear program")
                if length == size:
                    continue
                self.count(len(literals))
                same = {cells & self.columns[own]: own for own in reversed(literals)}  # each set of cells once
                literals = sorted(own for part, own in same.items() if part != cells)
                heights = {own: weight_of(cells & self.columns[own], self.above) for own in literals}
            charged, n_open = cells & self.charged, -1
            while n_open != len(literals):
                self.look(len(literals))
                n_open, kept = len(literals), reduce(and_, map(self.columns.__getitem__, literals), charged)
                least = self.limit - weight_of(kept, self.below)
                literals = [own for own in literals if heights[own] > least]
            if height <= least:
                continue
            bit = 1 << min(next(steps, self.n_cells), self.n_cells)
            require(charged & ~kept & bit != 0, "the trace does not name a charged cell that is left")
            against = [own for own in literals if not self.columns[own] & bit]
            self.look(len(against) * len(literals))
            parts = []
            for literal in sorted(against, key=heights.__getitem__):
                literals = [own for own in literals if own != literal]
                parts.append((cells & self.columns[literal], heights[literal], literals, dict[int, int](), length + 1))
            todo += [(cells, height, literals, heights, length), *reversed(parts)]
        require(next(steps, None) is None, "the trace goes on after the last visit")


def predicted_walk_seconds(n_nodes: int, weights: list[int], n_tests: int) -> Fraction:
    """Return how long a walk takes at most, but for looks at literals."""
    n_slices = n_slices_of(weights)
    slice_seconds = (100 + Fraction(len(weights) + n_slices, 20)) * LIMB_SECONDS
    return n_nodes * (NODE_SECONDS + n_slices * slice_seconds + n_tests * LIMB_SECONDS)


def require_time(seconds: Fraction | int, limit: int | None) -> None:
    """Stop the check if it takes longer than allowed."""
    is_short, whole = limit is None or seconds <= limit, ceil(seconds)
    require(is_short, f"about {whole} s predicted, the limit is {limit}; --limit {whole} allows it", TOO_DEAR)


def seconds_of(header: dict[str, Any], lines: list[Line]) -> int:
    """Return how long a check takes at most, but for the walk of a linear program."""
    n_tests, size = len(header["tests"]), most_literals(header)
    n_places = sum(1 + len(term) for term in header["witness"] or [])
    per_row = CELL_SECONDS * len(header["classes"]) + TERM_SECONDS * n_places
    quadratic = [numbers for _, numbers in lines if header["form"] != "lp"]
    seconds = [predicted_seconds(len(own), n_tests, size, n_slices_of(own))[0] for own in quadratic]
    return sum(seconds) + int(header["rows"] * per_row)


def check(certificate_path: str, rows_path: str, limit: int | None = SECONDS_LIMIT) -> Verdict:
    """Prove what a bound claims about canonical rows, or raise a CheckError that says why not."""
    header, lines = read_certificate(certificate_path)
    require_time(seconds_of(header, lines), limit)
    problem = Problem(header, read_rows(rows_path, header), limit)
    proved = max([problem.trivial(), *([problem.value(lines)] if lines else [])])
    if problem.grid < GRID_LIMIT:
        proved = Fraction(ceil(proved * problem.grid), problem.grid)
    lower = Fraction(header["lower"])
    require(lower <= proved, f"less is proved than the {header['lower']} of the header")
    if header["witness"] is not None:
        upper = problem.witness_cost()
        require(upper == Fraction(header["upper"]), f"the formula costs {upper}, the header says {header['upper']}")
    return Verdict(header, lower, sum(len(numbers) for word, numbers in lines if word == "w"))


def sentences(verdict: Verdict) -> list[str]:
    """Say what was verified, as a person may quote it."""
    kind = verdict.header["kind"]
    lines = partition_sentences(verdict) if kind == "partition" else formula_sentences(verdict)
    if not verdict.n_weights:
        one = "part" if kind == "partition" else "term" if kind == "dnf" else "clause"
        lines.append(f"This is trivial: by one {one}, or a few, and the errors that equal rows force.")
    return [*lines, "The rows are canonical rows, whose digest the certificate names; it does not name their table."]


def literals_of(header: dict[str, Any]) -> str:
    """Say which literals a conjunction may have."""
    size, positive = most_literals(header), "positive " if header["literals"] == "positive" else ""
    most = "" if header["depth"] == "any" else f"at most {size} "
    return f"{most}{positive}literal{'s' * (size != 1 or not most)} of these {len(header['tests'])} yes/no tests"


def formula_sentences(verdict: Verdict) -> list[str]:
    """Say what every DNF or CNF obeys, and which is known."""
    header, lower, price, upper = verdict.header, verdict.lower, verdict.header["price"], verdict.header["upper"]
    words = "DNF terms of false hold" if header["kind"] == "dnf" else "CNF clauses outside true fail"
    name, terms, side, value, held = words.split()
    formula, rows = f"{name} whose {terms} have {literals_of(header)}", f"these {header['rows']} rows"
    label = repr(header["classes"][1]) if len(header["classes"]) == 2 else "that no row has"
    total = f"{terms} + {'' if price == '1' else f'{price} * '}errors >= {lower} for class {label} on {rows}"
    cost = "" if header["row_costs"] is None else "cost of "
    errors = f"the {cost}rows {side} the class on which it is {value}, and others for each of its {terms} that {held}"
    lines = [f"Every {formula} has {total}; errors are {errors}."]
    if price is None:
        least = f"at least {lower} {terms[:-1] if lower == 1 else terms}"
        lines = [f"Every {formula}, if it tells class {label} from the rest of {rows}, has {least}."]
        if lower > header["rows"]:
            lines = [f"No {formula} tells class {label} from the rest of {rows}."]
    if upper is not None:
        best = "none costs less" if Fraction(upper) == lower else f"the best costs between {lower} and {upper}"
        count = f"{len(header['witness'])} {terms[:-1] if len(header['witness']) == 1 else terms}"
        lines.append(f"The {name} in the certificate has {count} and costs {upper}: {best}.")
    return lines


def partition_sentences(verdict: Verdict) -> list[str]:
    """Say what every partition into conjunctions obeys, hence every tree."""
    header, lower, price, costs = verdict.header, verdict.lower, verdict.header["price"], verdict.header["leaf_costs"]
    parts = f"partition of these {header['rows']} rows into conjunctions of {literals_of(header)}"
    depth = "" if header["depth"] == "any" else f" of depth at most {header['depth']}"
    trees = f", hence every decision tree{depth}," if header["literals"] == "both" else ""
    errors = "errors" if header["row_costs"] is None else "cost of errors"
    counted = "parts" if costs is None else f"the sum of K over its parts, K = {', '.join(costs)} by their literals,"
    charged = "" if price is None else f" + {'' if price == '1' else f'{price} * '}{errors}"
    lines = [f"Every {parts}{trees}{' that is without errors' * (price is None)} has {counted}{charged} >= {lower}."]
    if price is None and lower > header["rows"] * max(map(Fraction, costs or ["1"])):
        lines = [f"No {parts}{trees.replace('every', 'no')} is without errors."]
    if costs is not None and trees and all(Fraction(own) == Fraction(1, 2**j) for j, own in enumerate(costs)):
        least = (lower - 1) / Fraction(price) if price is not None else Fraction(0)
        number = str(least) if header["row_costs"] is not None else str(ceil(least))
        total = f"K adds up to 1 over the leaves of a tree: every decision tree{depth} has {errors} >= {number}."
        lines += [total] if least > 0 else []
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Check a bound; print what was verified, or one line that says why not, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("certificate")
    parser.add_argument("rows", help="canonical rows")
    parser.add_argument("--limit", type=int, default=SECONDS_LIMIT, metavar="S", help="most seconds predicted")
    given = parser.parse_args(arguments)
    try:
        verdict = check(given.certificate, given.rows, given.limit)
    except (CheckError, OSError, MemoryError) as error:
        other = (UNREADABLE, error) if isinstance(error, OSError) else (TOO_DEAR, "it takes more memory than there is")
        code, reason = error.args if isinstance(error, CheckError) else other
        print(f"{OUTCOMES[code]}: {reason}", file=sys.stderr)
        return int(code)
    print(*sentences(verdict), f"accepted: {verdict.n_weights} weights", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
