"""A second checker of bounds: Fractions, explicit lists of conjunctions, definitions, and no cleverness.

It shares no code with `conjunct.certificates.bound_checker`; the tests hold the verdicts of the two against each other.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil, lcm
from typing import Any

__all__ = ["claim_of", "naive_bound_check"]

KEYS = ["format", "kind", "rows", "classes", "tests", "reading", "literals", "depth", "leaf_costs", "price"]
KEYS += ["row_costs", "digest", "form", "exponent", "lower", "upper", "witness"]
Table = list[tuple[str, int, Fraction]]
RATIO = re.compile("0|[1-9][0-9]*(/[1-9][0-9]*)?")


class RefusedError(Exception):
    """Why a bound is not accepted."""


def need(holds: bool) -> None:
    """Refuse unless something holds."""
    if not holds:
        raise RefusedError


def ratio(text: Any, *, is_positive: bool = False) -> Fraction:
    """Read a ratio."""
    need(type(text) is str and RATIO.fullmatch(text) is not None and len(text) < 800)
    need(all(len(part) <= 400 for part in text.split("/")))
    need(not is_positive or Fraction(text) > 0)
    return Fraction(text)


def naive_bound_check(certificate: bytes, rows: bytes) -> Fraction | None:
    """Return the bound that a file proves about canonical rows, both as bytes; None where it is not accepted."""
    try:
        return checked(certificate.decode(), rows.decode())
    except (RefusedError, UnicodeDecodeError):
        return None


def claim_of(certificate: bytes) -> dict[str, Any]:
    """Return the header of a bound."""
    header: dict[str, Any] = json.loads(certificate.decode().split("\n")[0])
    return header


def checked(certificate: str, rows: str) -> Fraction:
    """Return the bound that a file proves."""
    header, lines = parsed(certificate)
    table = canonical(rows, header)
    n_tests = len(header["tests"])
    size = n_tests if header["depth"] == "any" else min(header["depth"], n_tests)
    costs = [Fraction(1)] * (size + 1)
    if header["leaf_costs"] is not None:
        need(len(header["leaf_costs"]) == size + 1 and header["form"] in ("svm", "ridge", "box"))
        costs = [ratio(own, is_positive=True) for own in header["leaf_costs"]]
    price = None if header["price"] is None else ratio(header["price"], is_positive=True)
    charged = [(1 if price is None else price) * cost for _, _, cost in table]
    for units in (costs, charged):
        need(lcm(*(unit.denominator for unit in units)) <= 10**1000)
    conjunctions = [
        frozenset(zip(variables, values, strict=True))
        for length in range(size + 1)
        for variables in combinations(range(n_tests), length)
        for values in product("01" if header["literals"] == "both" else "1", repeat=length)
    ]
    values = [(trivial if header["kind"] == "partition" else trivial_dnf)(table, costs, price, header)]
    if lines and header["form"] == "lp":
        values.append(linear_value(table, lines, header, conjunctions, price, size))
    elif lines:
        values.append(quadratic_value(table, [line[1] for line in lines], header, conjunctions, costs, price))
    best = max(values)
    grid = lcm(*(unit.denominator for unit in [*costs, *([] if price is None else charged)]))
    if grid < 10**40:
        best = Fraction(ceil(best * grid), grid)
    lower = ratio(header["lower"])
    need(lower <= best)
    if header["witness"] is not None:
        need(witness_cost(table, header, price, size) == ratio(header["upper"]))
    return lower


def parsed(text: str) -> tuple[dict[str, Any], list[tuple[str, list[int]]]]:
    """Read header and evidence."""
    lines = text.split("\n")
    need(len(lines) >= 3 and lines[-1] == "")
    try:
        header = json.loads(lines[0])
    except (ValueError, RecursionError):
        raise RefusedError from None
    need(type(header) is dict and list(header) == KEYS)
    need(json.dumps(header, separators=(",", ":")) == lines[0])
    need(header["format"] == "conjunct bound 1" and header["reading"] == "canonical")
    need(header["kind"] in ("partition", "dnf", "cnf"))
    need(type(header["rows"]) is int and 0 < header["rows"] < 10**400)
    need(type(header["classes"]) is list and all(type(name) is str for name in header["classes"]))
    need(len(set(header["classes"])) == len(header["classes"]))
    need(type(header["tests"]) is list)
    need(all(type(own) is list and len(own) == 1 and type(own[0]) is str for own in header["tests"]))
    for name in [*header["classes"], *(own[0] for own in header["tests"])]:
        need(not any("\ud800" <= letter <= "\udfff" for letter in name) and "\x7f" not in name)
    need(header["literals"] in ("both", "positive"))
    if header["kind"] == "partition":
        need(header["form"] in ("svm", "ridge", "box", "lp") and header["upper"] is None and header["witness"] is None)
    else:
        need(header["form"] in ("cover", "lp") and len(header["classes"]) <= 2)
        need(header["kind"] == "dnf" or header["literals"] == "both")
        need((header["upper"] is None) == (header["witness"] is None))
        need(header["upper"] is None or is_terms(header["witness"]))
        need(header["upper"] is None or ratio(header["upper"]) >= 0)
    depth = header["depth"]
    need(depth == "any" or (type(depth) is int and 0 <= depth < 10**9))
    need(type(header["exponent"]) is int and abs(header["exponent"]) < 10**4)
    need(type(header["digest"]) is str and re.fullmatch("[0-9a-f]{64}", header["digest"]) is not None)
    for key in ("leaf_costs", "row_costs"):
        need(header[key] is None or type(header[key]) is list)
    need(header["price"] is not None or header["form"] != "box")
    evidence: list[tuple[str, list[int]]] = []
    for line in lines[1:-2]:
        word, *numbers = line.split(" ")
        number = "0|-?[1-9][0-9]{0,399}" if word == "w" else "0|[1-9][0-9]{0,399}"
        need(bool(numbers) and all(re.fullmatch(number, own) is not None for own in numbers))
        evidence.append((word, [int(own) for own in numbers]))
    need(lines[-2] == f"end {len(evidence)} {sum(len(numbers) for _, numbers in evidence)}")
    words = [word for word, _ in evidence]
    if header["form"] != "lp":
        need(all(word == "w" for word in words))
    else:
        need(not words or (words[0] == "w" and len(words) > 1 and set(words[1:]) == {"walk"}))
    ratio(header["lower"])
    return header, evidence


def is_terms(witness: Any) -> bool:
    """Return whether something is a list of lists of whole numbers."""
    are_lists = type(witness) is list and all(type(term) is list for term in witness)
    return are_lists and all(type(k) is int and 0 <= k < 10**400 for term in witness for k in term)


def canonical(text: str, header: dict[str, Any]) -> Table:
    """Read canonical rows."""
    need(hashlib.sha256(text.encode()).hexdigest() == header["digest"])
    first, names, *lines = text.split("\n")
    need(first == f"{header['rows']} {len(header['tests'])}" and lines[-1] == "" and len(lines) == header["rows"] + 1)
    need(json.loads(names) == [own[0] for own in header["tests"]])
    table = []
    for k, line in enumerate(lines[:-1]):
        digits, label, *cost = line.split(" ")
        own = Fraction(1)
        if header["row_costs"] is not None:
            need(len(header["row_costs"]) == header["rows"])
            own = ratio(header["row_costs"][k], is_positive=True)
            need(cost == [str(own)])
        need(len(digits) == len(header["tests"]) and int(label) < len(header["classes"]))
        table.append((digits, int(label), own))
    return table


def trivial(table: Table, costs: list[Fraction], price: Fraction | None, header: dict[str, Any]) -> Fraction:
    """Return what one part costs, or two at least."""
    n_classes, least = len(header["classes"]), min(cost for _, _, cost in table)
    price = (len(table) + 1) / least if price is None else price
    by = {
        (digits, k): sum((c for d, label, c in table if d == digits and label == k), Fraction())
        for digits in {own[0] for own in table}
        for k in range(n_classes)
    }
    total = sum(by.values())
    forced = total - sum(max(by[digits, k] for k in range(n_classes)) for digits in {own[0] for own in table})
    one = min(costs) + price * (total - max(sum(v for (_, c), v in by.items() if c == k) for k in range(n_classes)))
    return min(one, 2 * min(costs[1:]) + price * forced) if len(costs) > 1 else one


def positive_class(header: dict[str, Any]) -> int:
    """Return the class of the rows that a DNF should be true on; a CNF is the negation of one for the other class."""
    return 0 if header["kind"] == "cnf" else 1


def masses_of(table: Table, positive: int) -> tuple[list[str], list[Fraction], list[Fraction]]:
    """Return the cells, what the rows of a class cost there, and what the others do."""
    cells = sorted({digits for digits, _, _ in table})
    p = [sum((c for d, k, c in table if d == cell and k == positive), Fraction()) for cell in cells]
    n = [sum((c for d, k, c in table if d == cell and k != positive), Fraction()) for cell in cells]
    return cells, p, n


def trivial_dnf(table: Table, costs: list[Fraction], price: Fraction | None, header: dict[str, Any]) -> Fraction:
    """Return what the DNF without a term costs, or one with a term at least."""
    _, p, n = masses_of(table, positive_class(header))
    has_forced = any(p[c] and n[c] for c in range(len(p)))
    if price is None:
        return Fraction(len(table) + 1) if has_forced else Fraction(1 if any(p) else 0)
    return min(price * sum(p), costs[0] + price * sum(map(min, p, n)))


def witness_cost(table: Table, header: dict[str, Any], price: Fraction | None, size: int) -> Fraction:
    """Return what the formula of the header costs."""
    n_errors = Fraction()
    for term in header["witness"]:
        need(all(a // 2 < b // 2 for a, b in pairwise(term)) and len(term) <= size)
        need(all(k < 2 * len(header["tests"]) and (k % 2 == 1 or header["literals"] == "both") for k in term))
    for digits, label, cost in table:
        n_held = sum(all(int(digits[k // 2]) == k % 2 for k in term) for term in header["witness"])
        n_errors += cost * (n_held if label != positive_class(header) else int(n_held == 0))
    need(price is not None or n_errors == 0)
    return len(header["witness"]) + (Fraction(0) if price is None else price * n_errors)


def linear_value(
    table: Table,
    lines: list[tuple[str, list[int]]],
    header: dict[str, Any],
    conjunctions: list[frozenset[tuple[int, str]]],
    price: Fraction | None,
    size: int,
) -> Fraction:
    """Return the sum of the weights, where every conjunction is within the limit and the walks are as written."""
    (_, weights), *walks = lines
    classes = range(len(header["classes"])) if header["kind"] == "partition" else [positive_class(header)]
    cells, p, n = masses_of(table, positive_class(header))
    need(len(weights) == len(cells))
    u = [Fraction(2) ** header["exponent"] * own for own in weights]
    above = sum(max(own, Fraction()) for own in u)
    lists = []
    for positive in classes:
        _, _, others = masses_of(table, positive)
        errors = [(above if own else Fraction()) if price is None else price * own for own in others]
        lists.append([own - error for own, error in zip(u, errors, strict=True)])
    if header["kind"] != "partition":
        for c, own in enumerate(u):
            need(0 <= own <= ((0 if n[c] else above) if price is None else price * p[c]))
    for conjunction in conjunctions:
        held = [c for c, cell in enumerate(cells) if all(cell[v] == x for v, x in conjunction)]
        need(all(sum((own[c] for c in held), Fraction()) <= 1 for own in lists))
    literals = [k for k in range(2 * len(header["tests"])) if k % 2 or header["literals"] == "both"]
    need(len(walks) == len(lists))
    for own, (_, (announced, *trace)) in zip(lists, walks, strict=True):
        need(walked_nodes(cells, own, literals, size, trace) == announced)
    return sum(u, Fraction())


def walked_nodes(cells: list[str], weights: list[Fraction], every: list[int], size: int, trace: list[int]) -> int:
    """Return how many conjunctions the walk weighs; all of the trace must be asked for."""
    steps = list(trace)

    def holds(literal: int, c: int) -> bool:
        return int(cells[c][literal // 2]) == literal % 2

    def above(members: set[int]) -> Fraction:
        return sum((max(weights[c], Fraction()) for c in members), Fraction())

    def visit(members: set[int], literals: list[int], length: int) -> int:
        if above(members) <= 1 or length == size:
            return 0
        n_nodes = len(literals)
        parts = {literal: {c for c in members if holds(literal, c)} for literal in literals}
        literals = [
            literal
            for k, literal in enumerate(literals)
            if parts[literal] != members and all(parts[literal] != parts[before] for before in literals[:k])
        ]
        charged = {c for c in members if weights[c] < 0}
        while True:
            kept = {c for c in charged if all(holds(literal, c) for literal in literals)}
            charge = -sum((weights[c] for c in kept), Fraction())
            light = [literal for literal in literals if above(parts[literal]) - charge <= 1]
            if above(members) - charge <= 1:
                return n_nodes
            if light:
                literals = [literal for literal in literals if literal not in light]
                continue
            need(bool(steps))
            x = steps.pop(0)
            need(x in charged - kept)
            for literal in sorted((own for own in literals if not holds(own, x)), key=lambda own: above(parts[own])):
                literals = [own for own in literals if own != literal]
                n_nodes += visit(parts[literal], literals, length + 1)

    n_nodes = 1 + visit({c for c in range(len(cells)) if weights[c]}, every, 0)
    need(not steps)
    return n_nodes


def quadratic_value(
    table: Table,
    weights: list[list[int]],
    header: dict[str, Any],
    conjunctions: list[frozenset[tuple[int, str]]],
    costs: list[Fraction],
    price: Fraction | None,
) -> Fraction:
    """Return the mean over outputs, or the largest where no error is allowed."""
    n_classes = len(header["classes"])
    outputs = [positive_class(header)] if n_classes <= 2 else list(range(n_classes))
    need(len(weights) == len(outputs))
    lam = Fraction(0) if price is None else (4 / price if n_classes <= 2 else 8 / (n_classes * price))
    if header["form"] == "cover":
        return cover_value(table, outputs[0], weights[0], header, conjunctions, price)
    pairs = zip(outputs, weights, strict=True)
    proved = [value(table, own, line, header, conjunctions, costs, lam) for own, line in pairs]
    return max(proved) if price is None else sum(proved, Fraction()) / len(proved)


def cover_value(
    table: Table,
    positive: int,
    weights: list[int],
    header: dict[str, Any],
    conjunctions: list[frozenset[tuple[int, str]]],
    price: Fraction | None,
) -> Fraction:
    """Return what weights of the cells prove about every DNF."""
    cells, p, n = masses_of(table, positive)
    need(len(weights) == len(cells))
    if not any(n):
        return Fraction(0)
    b = [Fraction(2) ** header["exponent"] * own for own in weights]
    norm = norm_of(cells, [own for own in conjunctions if own], [Fraction(1)] * (len(cells[0]) + 1), b)
    if price is None:
        total = sum((b[c] for c in range(len(cells)) if p[c]), Fraction())
        need(all(b[c] >= 0 for c in range(len(cells)) if p[c]))
        if total == 0:
            return Fraction(0)
        return total**2 / norm if norm else Fraction(len(table) + 1)
    need(all(b[c] >= -price * n[c] / 2 for c in range(len(cells))))
    gain = sum((min(price * p[c], 2 * b[c] + price * n[c]) for c in range(len(cells))), Fraction())
    return min(gain - norm, 1 + price * sum(n))


def value(
    table: Table,
    positive: int,
    weights: list[int],
    header: dict[str, Any],
    conjunctions: list[frozenset[tuple[int, str]]],
    costs: list[Fraction],
    lam: Fraction,
) -> Fraction:
    """Return what the weights of one output prove, by the features of every cell."""
    cells, p, n = masses_of(table, positive)
    if header["form"] == "box":
        need(len(weights) == len(cells))
        b = [Fraction(2) ** header["exponent"] * own for own in weights]
        gain = sum((p[c] + n[c] - abs(p[c] - n[c] - lam * b[c]) for c in range(len(cells))), Fraction())
        return 2 / lam * gain - norm_of(cells, conjunctions, costs, b)
    groups = [(c, sign) for c in range(len(cells)) for sign in (1, -1) if (p if sign > 0 else n)[c]]
    need(len(weights) == len(groups) and (header["form"] == "ridge" or min(weights) >= 0))
    net = [Fraction()] * len(cells)
    charge = Fraction()
    for (c, sign), own in zip(groups, weights, strict=True):
        net[c] += sign * own
        charge += Fraction(own * own) / (p if sign > 0 else n)[c]
    form, total = norm_of(cells, conjunctions, costs, net) + lam * charge, Fraction(sum(weights))
    if form == 0 and total != 0:
        return len(table) * max(costs) + 1
    return total**2 / form if total else Fraction(0)


def norm_of(
    cells: list[str], conjunctions: list[frozenset[tuple[int, str]]], costs: list[Fraction], b: list[Fraction]
) -> Fraction:
    """Return the sum over conjunctions of the square of what their cells weigh, over K."""
    total = Fraction()
    for own in conjunctions:
        held = [x for x, cell in zip(b, cells, strict=True) if all(cell[v] == digit for v, digit in own)]
        total += sum(held, Fraction()) ** 2 / costs[len(own)]
    return total
