"""Check a bound that weights of the rows prove: ``python3 -I -S bound_checker.py BOUND ROWS``.

This file alone is the checker: standard Python 3.11, whole numbers and fractions, no code shared with what makes
bounds. The claim: every partition of the rows into conjunctions of at most d literals, each part with a class, has a
sum of K(literals) over its parts + price * errors of at least `lower`; the leaves of a decision tree of depth d are one
such partition. ROWS are canonical rows. docs/bound-format.md has the format, and why each form is sound. It accepts or
rejects, never repairs. Exit codes: 0 accepted; 1 rejected; 2 not readable; 3 not checked, being longer than the limit.
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
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, islice, repeat
from math import ceil, comb, lcm
from operator import and_, mul, xor
from typing import Any, NamedTuple

BLOCK_BYTES, MOST_BYTES, SECONDS_LIMIT, GRID_LIMIT = 2**20, 2**32, 600, 10**40
MOST_LISTED_SIZE = 4  # longer conjunctions are too many to be gone through one by one
PAIR_SECONDS, LIMB_SECONDS = Fraction(3, 10**7), Fraction(2, 10**9)  # at most: a pair of cells; 30 cells of a sum
FEATURE_SECONDS = Fraction(4, 10**6)  # at most: the conjunctions of some variables, beside what their cells weigh
REJECTED, UNREADABLE, TOO_DEAR = 1, 2, 3
OUTCOMES = {REJECTED: "rejected", UNREADABLE: "not readable", TOO_DEAR: "not checked"}
POSITIVE, WHOLE = "[1-9][0-9]{0,399}", "(?:0|[1-9][0-9]{0,399})"
ESCAPE = r'\\(?:["\\bfnrt]|u(?!d[89a-f])[0-9a-f]{4}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})'  # no lone surrogate
TEXT, RATIO = rf'"(?:[ !#-\[\]-~]|{ESCAPE})*+"', f'"(?:0|{POSITIVE}(?:/{POSITIVE})?)"'
WEIGHTS = re.compile(f"w(?: (?:0|-?{POSITIVE}))+")
END = re.compile(f"end ({WHOLE}) ({WHOLE})")
listed = r"(?:\[\]|\[{0}(?:,{0})*\])".format  # of an entry: a list of such entries

HEADER = {  # the grammar of what each key holds, in the order of the keys
    "format": '"conjunct bound 1"',
    "kind": '"partition"',
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
    "form": '"svm"|"ridge"|"box"',
    "exponent": "0|-?[1-9][0-9]{0,4}",
    "lower": RATIO,
}


class CheckError(Exception):
    """Why a bound was not accepted: its arguments are a code of `OUTCOMES` and a sentence."""


def require(holds: bool, otherwise: str, code: int = REJECTED) -> None:
    """Stop the check unless something holds."""
    if not holds:
        raise CheckError(code, otherwise)


readable = partial(require, code=UNREADABLE)  # stops the check unless what was read is as it must be


class Row(NamedTuple):
    """A row: a digit for each test, the number of its class, what an error on it costs."""

    digits: str
    label: int
    cost: Fraction


class Cell(NamedTuple):
    """Equal rows, and the cost of those that a polynomial should call true, and of the others."""

    digits: str
    positive: Fraction
    negative: Fraction


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


def read_certificate(path: str) -> tuple[dict[str, Any], list[list[int]]]:
    """Return the header of a bound and the weights of each output."""
    first, *lines = read_text(path).split("\n")
    header = read_header(first)
    end: Any = END.fullmatch(lines[-2]) if len(lines) >= 2 and not lines[-1] else None
    readable(end is not None, "the certificate is cut short: it has no end line")
    for number, line in enumerate(lines[:-2]):
        readable(WEIGHTS.fullmatch(line) is not None, f"line {number + 2} is no list of weights: {line[:60]!r}")
    weights = [list(map(int, line.split()[1:])) for line in lines[:-2]]
    counted = f"{len(weights)} {sum(map(len, weights))}"
    readable(counted == f"{end[1]} {end[2]}", f"the end line counts {end[1]} {end[2]}, the file has {counted}")
    return header, weights


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
    costs = header["leaf_costs"]
    readable(costs is None or len(costs) == most_literals(header) + 1, "there is not one leaf cost for each length")
    is_free = header["price"] is None and header["form"] == "box"
    readable(not is_free, "a claim about partitions without errors takes the form svm or ridge")
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
    rows = [Row(match[1], int(match[2]), cost) for match, cost in zip(matches, prices, strict=False)]
    canonical = [f"{len(rows)} {len(tests)}", json.dumps([test[0] for test in tests], separators=(",", ":"))]
    canonical += [f"{row.digits} {row.label}" + ("" if costs is None else f" {row.cost}") for row in rows]
    digest = hashlib.sha256("".join(f"{line}\n" for line in canonical).encode()).hexdigest()
    is_same = digest == header["digest"] and lines == [*canonical, ""]
    require(is_same, "the certificate is about other data: the digest of the rows differs")
    require(all(row.label < len(header["classes"]) for row in rows), "a row has a class that is not listed")
    return rows


def pooled(rows: list[Row], classes: Sequence[int]) -> list[Cell]:
    """Pool equal rows, in the order of their digits; those of some classes are to be called true."""
    costs: dict[str, list[Fraction]] = {}
    for digits, label, cost in rows:
        costs.setdefault(digits, [Fraction(), Fraction()])[label not in classes] += cost
    return [Cell(digits, *costs[digits]) for digits in sorted(costs)]


def norm_by_pairs(cells: list[str], weights: list[int], table: list[Fraction], has_negations: bool) -> Fraction:
    """Return b'Kb from the kernel of every pair of cells: `table` by how many literals hold on both."""
    n_tests, denominator = len(cells[0]), lcm(*(value.denominator for value in table))
    whole = [int(value * denominator) for value in table]
    counted = whole[::-1] if has_negations else whole  # by the tests that differ, or by those passed by both
    rows, own = [int(f"0{digits}", 2) for digits in cells], list(weights)
    shared: Callable[[int, int], int] = xor if has_negations else and_
    total = 0
    for i, (row, weight) in enumerate(zip(rows, own, strict=True)):
        if weight:
            counts = map(int.bit_count, map(shared, repeat(row), rows[:i]))
            others = sum(map(mul, own, map(counted.__getitem__, counts)))
            total += weight * (2 * others + weight * whole[n_tests if has_negations else row.bit_count()])
    return Fraction(total, denominator)


def norm_by_features(cells: list[str], weights: list[int], costs: list[Fraction], has_negations: bool) -> Fraction:
    """Return b'Kb as the sum over all conjunctions of (what their cells weigh)^2 / K: `costs` by their length."""
    slices = weight_slices(weights)
    columns = [int("".join(bits)[::-1], 2) for bits in zip(*cells, strict=True)]
    sums: dict[tuple[int, ...], int] = {}  # of the cells that pass all tests of a list
    total = Fraction()
    for length, cost in enumerate(costs):
        squares = 0
        for tests in combinations(range(len(columns)), length):
            passed = (1 << len(cells)) - 1
            for test in tests:
                passed &= columns[test]
            sums[tests] = sum([share * (passed & cells_of).bit_count() for share, cells_of in slices])
            squares += squares_of(tests, sums) if has_negations else sums[tests] ** 2
        total += squares / cost
    return total


def squares_of(tests: tuple[int, ...], sums: dict[tuple[int, ...], int]) -> int:
    """Return the squares of what the cells weigh that pass some of the tests and fail the others, added up."""
    subsets = [tuple(t for k, t in enumerate(tests) if mask >> k & 1) for mask in range(1 << len(tests))]
    values = [sums[subset] for subset in subsets]  # the tests of a subset are passed, the others open
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
        slices += [(sign << (n_digits - 1 - k), int("".join(own), 2)) for k, own in enumerate(digits)]
    return slices


def predicted_seconds(n_cells: int, n_tests: int, size: int, n_slices: int) -> tuple[int, bool]:
    """Return how long an output takes at most, and whether by pairs of cells rather than by conjunctions."""
    by_pairs = n_cells**2 * PAIR_SECONDS / 2
    if size > MOST_LISTED_SIZE:
        return ceil(by_pairs), True
    n_sets = sum(comb(n_tests, length) for length in range(size + 1))
    by_features = n_sets * (FEATURE_SECONDS * 2**size + (n_slices + size) * (100 + n_cells / 30) * LIMB_SECONDS)
    return ceil(min(by_pairs, by_features)), by_pairs <= by_features


class Problem:
    """The rows of a bound, what parts and errors cost, and what weights prove about them."""

    def __init__(self, header: dict[str, Any], rows: list[Row]) -> None:
        self.header, self.rows, self.size = header, rows, most_literals(header)
        self.has_negations, self.form = header["literals"] == "both", header["form"]
        self.costs = list(map(Fraction, header["leaf_costs"] or ["1"] * (self.size + 1)))
        self.is_free = header["price"] is None  # of errors
        least = min(row.cost for row in rows)
        self.price = (len(rows) + 1) / least if self.is_free else Fraction(header["price"])
        n_classes = len(header["classes"])
        self.outputs = [[1]] if n_classes <= 2 else [[k] for k in range(n_classes)]
        # The price of an error in an output: an error on a row is one in two of several outputs.
        self.lam = Fraction(0) if self.is_free else 4 / self.price * Fraction(min(2, n_classes), n_classes)

    def trivial(self) -> Fraction:
        """Return what one part costs at least, or two with the errors that equal rows of different classes force."""
        by_class: dict[str, dict[int, Fraction]] = {}
        for digits, label, cost in self.rows:
            own = by_class.setdefault(digits, {})
            own[label] = own.get(label, Fraction()) + cost
        total = sum((row.cost for row in self.rows), Fraction())
        called = [
            sum((own.get(k, Fraction()) for own in by_class.values()), Fraction())
            for k in range(len(self.header["classes"]))
        ]
        forced = total - sum((max(own.values()) for own in by_class.values()), Fraction())
        one = min(self.costs) + self.price * (total - max(called))  # a test may be the same on all rows
        return min(one, 2 * min(self.costs[1:]) + self.price * forced) if self.size else one

    def value(self, weights: list[list[int]]) -> Fraction:
        """Return what the weights of all outputs prove: the mean, or the largest where no error is allowed."""
        require(len(weights) == len(self.outputs), f"{len(self.outputs)} lists of weights belong to these classes")
        values = [self.output_value(pooled(self.rows, own), w) for own, w in zip(self.outputs, weights, strict=True)]
        return max(values) if self.is_free else sum(values, Fraction()) / len(values)

    def output_value(self, cells: list[Cell], weights: list[int]) -> Fraction:
        """Return what weights prove about one output."""
        if self.form == "box":
            require(len(weights) == len(cells), f"there are {len(cells)} cells and {len(weights)} weights")
            return self.box_value(cells, weights)
        masses = [mass for cell in cells for mass in (cell.positive, cell.negative) if mass]
        require(len(weights) == len(masses), f"there are {len(masses)} groups of rows and {len(weights)} weights")
        require(self.form == "ridge" or min(weights) >= 0, "a weight of the form svm is negative")
        squares: dict[Fraction, int] = {}
        for mass, weight in zip(masses, weights, strict=True):
            squares[mass] = squares.get(mass, 0) + weight * weight
        total, groups = sum(weights), iter(weights)
        net = [(next(groups) if cell.positive else 0) - (next(groups) if cell.negative else 0) for cell in cells]
        charge = sum((square / mass for mass, square in squares.items()), Fraction())
        form = self.norm(cells, net) + self.lam * charge
        if form == 0 and total != 0:
            return len(self.rows) * max(self.costs) + 1  # no such partition is free of errors
        return total * total / form if total else Fraction(0)

    def box_value(self, cells: list[Cell], weights: list[int]) -> Fraction:
        """Return (2/lam) sum [(p + n) - |p - n - lam b|] - b'Kb."""
        unit = Fraction(2) ** int(self.header["exponent"])
        step = self.lam * unit
        denominator = lcm(step.denominator, *{mass.denominator for cell in cells for mass in cell[1:]})
        whole_step, gain = int(step * denominator), 0
        for cell, weight in zip(cells, weights, strict=True):
            p, n = int(cell.positive * denominator), int(cell.negative * denominator)
            gain += p + n - abs(p - n - whole_step * weight)
        return 2 / self.lam * Fraction(gain, denominator) - unit * unit * self.norm(cells, weights)

    def norm(self, cells: list[Cell], weights: list[int]) -> Fraction:
        """Return b'Kb, in the cheaper way."""
        used = [(cell.digits, weight) for cell, weight in zip(cells, weights, strict=True) if weight]
        if not used:
            return Fraction(0)
        digits, own = [cell for cell, _ in used], [weight for _, weight in used]
        n_tests = len(digits[0])
        _, is_by_pairs = predicted_seconds(len(own), n_tests, self.size, n_slices_of(own))
        if not is_by_pairs:
            return norm_by_features(digits, own, self.costs, self.has_negations)
        return norm_by_pairs(digits, own, list(map(self.kernel, range(n_tests + 1))), self.has_negations)

    def kernel(self, n_shared: int) -> Fraction:
        """Return the sum of 1/K over the conjunctions of some literals."""
        if self.header["leaf_costs"] is None and n_shared <= self.size:
            return Fraction(2**n_shared)
        return sum((comb(n_shared, length) / cost for length, cost in enumerate(self.costs)), Fraction())

    def grid(self) -> int:
        """Return D, where every partition costs a multiple of 1/D; not below the limit where D is too large to use."""
        grid = 1
        for number in {*self.costs, *(Fraction(0) if self.is_free else self.price * row.cost for row in self.rows)}:
            grid = lcm(grid, number.denominator)
            if grid >= GRID_LIMIT:
                break
        return grid


def n_slices_of(weights: Iterable[int]) -> int:
    """Return how many binary digits positive and negative weights have together, at most."""
    return 2 * max(weight.bit_length() for weight in weights)


def check(certificate_path: str, rows_path: str, limit: int | None = SECONDS_LIMIT) -> Verdict:
    """Prove what a bound claims about canonical rows, or raise a CheckError that says why not."""
    header, weights = read_certificate(certificate_path)
    n_tests, size = len(header["tests"]), most_literals(header)
    seconds = sum(predicted_seconds(len(own), n_tests, size, n_slices_of(own))[0] for own in weights)
    is_cheap = limit is None or seconds <= limit
    require(is_cheap, f"about {seconds} s predicted, the limit is {limit}; --limit {seconds} allows it", TOO_DEAR)
    problem = Problem(header, read_rows(rows_path, header))
    proved = max([problem.trivial(), *([problem.value(weights)] if weights else [])])
    if (grid := problem.grid()) < GRID_LIMIT:
        proved = Fraction(ceil(proved * grid), grid)
    lower = Fraction(header["lower"])
    require(lower <= proved, f"less is proved than the {header['lower']} of the header")
    return Verdict(header, lower, sum(map(len, weights)))


def sentences(verdict: Verdict) -> list[str]:
    """Say what was verified, as a person may quote it."""
    header, lower, price, costs = verdict.header, verdict.lower, verdict.header["price"], verdict.header["leaf_costs"]
    size, any_depth = most_literals(header), header["depth"] == "any"
    positive = "positive " if header["literals"] == "positive" else ""
    literals = (
        f"conjunctions of {positive}literals"
        if any_depth
        else (f"conjunctions of at most {size} {positive}literal{'s' * (size != 1)}")
    )
    tests, rows = f"these {len(header['tests'])} yes/no tests", f"these {header['rows']} rows"
    parts = f"partition of {rows} into {literals} of {tests}"
    depth = "" if any_depth else f" of depth at most {header['depth']}"
    trees = "" if positive else f", hence every decision tree{depth},"
    errors = "errors" if header["row_costs"] is None else "cost of errors"
    counted = "parts" if costs is None else f"the sum of K over its parts, K = {', '.join(costs)} by their literals,"
    charged = "" if price is None else f" + {'' if price == '1' else f'{price} * '}{errors}"
    free = " that is without errors" if price is None else ""
    lines = [f"Every {parts}{trees}{free} has {counted}{charged} >= {lower}."]
    if price is None and lower > header["rows"] * max(map(Fraction, costs or ["1"])):
        lines = [f"No {parts}{trees.replace('every', 'no')} is without errors."]
    if costs is not None and not positive and all(Fraction(own) == Fraction(1, 2**j) for j, own in enumerate(costs)):
        least = (lower - 1) / Fraction(price) if price is not None else Fraction(0)
        if least > 0:
            number = str(least) if header["row_costs"] is not None else str(ceil(least))
            lines.append(
                f"K adds up to 1 over the leaves of a tree: every decision tree{depth} has {errors} >= {number}."
            )
    if not verdict.n_weights:
        lines.append("This is trivial: one part costs that much, and so do two with the errors that equal rows force.")
    lines.append("The rows are canonical rows, whose digest the certificate names; it does not name their table.")
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
