"""A second checker of bounds: Fractions, an explicit Gram matrix, definitions, and no cleverness.

It shares no code with `conjunct.certificates.bound_checker`; the tests hold the verdicts of the two against each other.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from itertools import combinations, product
from math import ceil, lcm
from typing import Any

__all__ = ["claim_of", "naive_bound_check"]

KEYS = ["format", "kind", "rows", "classes", "tests", "reading", "literals", "depth", "leaf_costs", "price"]
KEYS += ["row_costs", "digest", "form", "exponent", "lower"]
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
    header, weights = parsed(certificate)
    table = canonical(rows, header)
    n_classes, n_tests = len(header["classes"]), len(header["tests"])
    size = n_tests if header["depth"] == "any" else min(header["depth"], n_tests)
    costs = [Fraction(1)] * (size + 1)
    if header["leaf_costs"] is not None:
        need(len(header["leaf_costs"]) == size + 1)
        costs = [ratio(own, is_positive=True) for own in header["leaf_costs"]]
    is_free = header["price"] is None
    price = None if is_free else ratio(header["price"], is_positive=True)
    values = [trivial(table, costs, price, n_classes)]
    if weights:
        outputs = [1] if n_classes <= 2 else list(range(n_classes))
        need(len(weights) == len(outputs))
        lam = Fraction(0) if price is None else (4 / price if n_classes <= 2 else 8 / (n_classes * price))
        proved = [value(table, own, line, header, costs, lam) for own, line in zip(outputs, weights, strict=True)]
        values.append(max(proved) if is_free else sum(proved) / len(proved))
    best = max(values)
    units = [*costs, *([] if price is None else [price * cost for _, _, cost in table])]
    grid = lcm(*(unit.denominator for unit in units))
    if grid < 10**40:
        best = Fraction(ceil(best * grid), grid)
    lower = ratio(header["lower"])
    need(lower <= best)
    return lower


def parsed(text: str) -> tuple[dict[str, Any], list[list[int]]]:
    """Read header and weights."""
    lines = text.split("\n")
    need(len(lines) >= 3 and lines[-1] == "")
    try:
        header = json.loads(lines[0])
    except (ValueError, RecursionError):
        raise RefusedError from None
    need(type(header) is dict and list(header) == KEYS)
    need(json.dumps(header, separators=(",", ":")) == lines[0])
    need(header["format"] == "conjunct bound 1" and header["kind"] == "partition" and header["reading"] == "canonical")
    need(type(header["rows"]) is int and 0 < header["rows"] < 10**400)
    need(type(header["classes"]) is list and all(type(name) is str for name in header["classes"]))
    need(len(set(header["classes"])) == len(header["classes"]))
    need(type(header["tests"]) is list)
    need(all(type(own) is list and len(own) == 1 and type(own[0]) is str for own in header["tests"]))
    for name in [*header["classes"], *(own[0] for own in header["tests"])]:
        need(not any("\ud800" <= letter <= "\udfff" for letter in name) and "\x7f" not in name)
    need(header["literals"] in ("both", "positive") and header["form"] in ("svm", "ridge", "box"))
    depth = header["depth"]
    need(depth == "any" or (type(depth) is int and 0 <= depth < 10**9))
    need(type(header["exponent"]) is int and abs(header["exponent"]) < 10**5)
    need(type(header["digest"]) is str and re.fullmatch("[0-9a-f]{64}", header["digest"]) is not None)
    for key in ("leaf_costs", "row_costs"):
        need(header[key] is None or type(header[key]) is list)
    need(header["price"] is not None or header["form"] != "box")
    weights = []
    for line in lines[1:-2]:
        need(re.fullmatch(r"w( (0|-?[1-9][0-9]{0,399}))+", line) is not None)
        weights.append([int(word) for word in line.split(" ")[1:]])
    need(lines[-2] == f"end {len(weights)} {sum(map(len, weights))}")
    ratio(header["lower"])
    return header, weights


def canonical(text: str, header: dict[str, Any]) -> list[tuple[str, int, Fraction]]:
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


def trivial(
    table: list[tuple[str, int, Fraction]], costs: list[Fraction], price: Fraction | None, n_classes: int
) -> Fraction:
    """Return what one part costs, or two at least."""
    least = min(cost for _, _, cost in table)
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


def value(
    table: list[tuple[str, int, Fraction]],
    positive: int,
    weights: list[int],
    header: dict[str, Any],
    costs: list[Fraction],
    lam: Fraction,
) -> Fraction:
    """Return what the weights of one output prove, by the features of every cell."""
    cells = sorted({digits for digits, _, _ in table})
    p = [sum((c for d, k, c in table if d == cell and k == positive), Fraction()) for cell in cells]
    n = [sum((c for d, k, c in table if d == cell and k != positive), Fraction()) for cell in cells]
    norm_of = partial_norm(cells, costs, header["literals"] == "both")
    if header["form"] == "box":
        need(len(weights) == len(cells))
        b = [Fraction(2) ** header["exponent"] * own for own in weights]
        gain = sum((p[c] + n[c] - abs(p[c] - n[c] - lam * b[c]) for c in range(len(cells))), Fraction())
        return 2 / lam * gain - norm_of(b)
    groups = [(c, sign) for c in range(len(cells)) for sign in (1, -1) if (p if sign > 0 else n)[c]]
    need(len(weights) == len(groups) and (header["form"] == "ridge" or min(weights) >= 0))
    net = [Fraction()] * len(cells)
    charge = Fraction()
    for (c, sign), own in zip(groups, weights, strict=True):
        net[c] += sign * own
        charge += Fraction(own * own) / (p if sign > 0 else n)[c]
    form, total = norm_of(net) + lam * charge, Fraction(sum(weights))
    if form == 0 and total != 0:
        return len(table) * max(costs) + 1
    return total**2 / form if total else Fraction(0)


def partial_norm(cells: list[str], costs: list[Fraction], has_negations: bool) -> Any:
    """Return a function of weights: the sum over all conjunctions of the square of what their cells weigh, over K."""
    n = len(cells[0])
    features = [
        (costs[length], [all(cell[v] == x for v, x in zip(variables, values, strict=True)) for cell in cells])
        for length in range(len(costs))
        for variables in combinations(range(n), length)
        for values in product("01" if has_negations else "1", repeat=length)
    ]

    def norm(b: list[Fraction]) -> Fraction:
        return sum(
            (sum((x for x, h in zip(b, held, strict=True) if h), Fraction()) ** 2 / k for k, held in features),
            Fraction(),
        )

    return norm
