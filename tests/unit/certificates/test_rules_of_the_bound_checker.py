"""The checker of bounds, rule by rule: what a linear program, its walks, a cover and a witness must be."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from conjunct import certify_dnf
from conjunct.certificates import bound_checker
from conjunct.datasets import monks
from reference.bound_verdicts import Files, files_of, refusal, verdict
from reference.naive_bound_checker import naive_bound_check

ROWS = ["".join(row) for row in product("01", repeat=3)]
MAJORITY = [int(row.count("1") >= 2) for row in ROWS]
THIRDS: list[Any] = ["w", 0, 0, 0, 1, 0, 1, 1, 0]  # three cells of majority, no two in a term
SPREAD: list[Any] = ["w", -1, 2, 2, 2, 2, 2, 2, -1]  # on majority, in halves: all cells but 000 and 111


def forged(
    rows: list[str],
    labels: list[int],
    lines: list[list[Any]] | None = None,
    /,
    row_costs: list[str] | None = None,
    **header: Any,
) -> Files:
    """A bound on rows, with any header and evidence; digest and end line fit."""
    n_tests, lines = len(rows[0]), lines or []
    names = [f"x{k + 1}" for k in range(n_tests)]
    costs = [""] * len(rows) if row_costs is None else [f" {cost}" for cost in row_costs]
    canonical = [f"{len(rows)} {n_tests}", json.dumps(names, separators=(",", ":"))]
    canonical += [f"{row} {label}{cost}" for row, label, cost in zip(rows, labels, costs, strict=True)]
    data = "".join(f"{line}\n" for line in canonical).encode()
    full = {
        "format": "conjunct bound 1",
        "kind": "dnf",
        "rows": len(rows),
        "classes": ["no", "yes"],
        "tests": [[name] for name in names],
        "reading": "canonical",
        "literals": "both",
        "depth": "any",
        "leaf_costs": None,
        "price": None,
        "row_costs": row_costs,
        "digest": hashlib.sha256(data).hexdigest(),
        "form": "lp",
        "exponent": 0,
        "lower": "0",
        "upper": None,
        "witness": None,
    } | header
    end = f"end {len(lines)} {sum(len(line) - 1 for line in lines)}"
    texts = [json.dumps(full, separators=(",", ":")), *(" ".join(map(str, line)) for line in lines), end, ""]
    return "\n".join(texts).encode(), data


def majority(lines: list[list[Any]], **header: Any) -> Files:
    return forged(ROWS, MAJORITY, lines, **header)


def nodes_of(files: Files, folder: Path) -> int:
    """How many nodes walks have that do not reject, written as 0."""
    for n_nodes in range(1, 200):
        own = files[0].replace(b"walk 0", f"walk {n_nodes}".encode()), files[1]
        if refusal(own, folder)[0] == 0:
            assert verdict(own, folder) == 0
            return n_nodes
    raise AssertionError("no number of nodes is right")


def test_the_checker_is_600_lines_of_the_standard_library() -> None:
    text = Path(bound_checker.__file__).read_text(encoding="utf-8")
    words = [line.split()[1].split(".")[0] for line in text.split("\n") if line[:5] in ("impor", "from ")]
    assert set(words) <= sys.stdlib_module_names
    assert text.count("\n") <= 600


def test_majority_needs_three_terms_by_weights_of_three_cells(tmp_path: Path) -> None:
    """Each of 011, 101 and 110 has a weight of 1; a test passed holds on two of them, and on a row without majority.

    A test failed weighs 1 at most. With a pick the walk tries those passed that fail on the row: two, or all three.
    """
    for pick in (0, 1, 2, 4):
        for literals, n_literals in (("both", 6), ("positive", 3)):
            files = majority([THIRDS, ["walk", 0, pick]], lower="3", literals=literals)
            assert nodes_of(files, tmp_path) == 1 + n_literals + 2 + 1
    code, own = refusal(majority([THIRDS, ["walk", 10, 1]], lower="3"), tmp_path)
    assert (code, own.lower, own.n_weights) == (0, 3, 8)


def test_parity_needs_a_term_for_each_row(tmp_path: Path) -> None:
    """Three literals fail on 001; each holds on two rows, and 5, 4 and 3 literals are left beside it.

    By the definition of a walk 000 is not to be picked, as it is not charged: 1 + 6 + 5 + 4 + 3 + 2 would be weighed.
    """
    even, weights = [1 - row.count("1") % 2 for row in ROWS], ["w", 1, 0, 0, 1, 0, 1, 1, 0]
    assert verdict(forged(ROWS, even, [weights, ["walk", 1 + 6 + 5 + 4 + 3, 1]], lower="4"), tmp_path) == 0
    assert verdict(forged(ROWS, even, [weights, ["walk", 21, 0, 1]], lower="4"), tmp_path) == 1


def test_an_error_that_is_not_allowed_costs_what_the_weights_above_0_add_up_to(tmp_path: Path) -> None:
    """Parity: with any odd row all even rows are within the limit, also where odd rows have weights below 0."""
    even = [1 - row.count("1") % 2 for row in ROWS]
    for odd in (0, -1, -9):
        lines = [["w", 1, odd, odd, 1, odd, 1, 1, odd], ["walk", 1], ["walk", 19, 1]]
        assert verdict(forged(ROWS, even, lines, kind="partition", lower="2"), tmp_path) == 0, odd


def test_weights_of_parts_may_be_negative_and_a_walk_may_keep_what_they_charge(tmp_path: Path) -> None:
    """Majority at 3/2 an error, in halves: a part may weigh 2, and an error takes 3.

    As parts without majority 001, 010 and 100 weigh 2 each, 000 and the cells with two ones -1, and 111 -4. A test
    passed holds on 2 at most, one failed on 4, and always on 000: that is kept. Picking 111, the walk tries all three
    tests failed; picking 011 it tries two, and the third keeps 000 and 011. The other class is the mirror image.
    """
    header: dict[str, Any] = {"kind": "partition", "price": "3/2", "exponent": -1, "lower": "5"}
    walks = [["walk", 10, 7], ["walk", 10, 0]]
    assert verdict(majority([SPREAD, *walks], **header), tmp_path) == 0
    assert verdict(majority([SPREAD, ["walk", 10, 3], ["walk", 10, 4]], **header), tmp_path) == 0
    assert verdict(majority([SPREAD, *walks], **header | {"lower": "11/2"}), tmp_path) == 1
    unnamed, passed = "the trace does not name a charged cell that is left", "a conjunction passes the limit"
    for lines, words in [
        ([SPREAD, ["walk", 10], walks[1]], unnamed),
        ([SPREAD, walks[0], ["walk", 10]], unnamed),
        ([SPREAD, ["walk", 10, 0, 7], walks[1]], unnamed),  # 000 is kept
        ([SPREAD, ["walk", 10, 3, 0], walks[1]], "the trace goes on after the last visit"),
        ([SPREAD, ["walk", 9, 7], walks[1]], "the walk has more nodes than announced"),
        ([SPREAD, ["walk", 11, 7], walks[1]], "the walk has 10 nodes, not 11"),
        ([SPREAD, walks[0], ["walk", 9, 0]], "the walk has more nodes than announced"),
        ([SPREAD, walks[0], ["walk", 11, 0]], "the walk has 10 nodes, not 11"),
        ([SPREAD, walks[0]], "2 walks belong to these classes"),
        ([SPREAD, *walks, walks[1]], "2 walks belong to these classes"),
        ([["w", 0, *SPREAD[2:]], ["walk", 99, 7], ["walk", 99, 0]], passed),  # x1 failed weighs 3
        ([["w", -1, 3, *SPREAD[3:]], ["walk", 99, 7], ["walk", 99, 0]], passed),
    ]:
        code, sentence = refusal(majority(lines, **header), tmp_path)
        assert (code, words in sentence) == (1, True), (lines, sentence)
        assert naive_bound_check(*majority(lines, **header)) is None


@pytest.mark.parametrize("kind", ["dnf", "cnf"])
@pytest.mark.parametrize(
    ("added", "n_nodes"),
    [
        (["10"] * 8, 14),
        ([row[0] for row in ROWS], 12),
        (["10"[int(row[0])] for row in ROWS], 12),
        ([row[0] for row in ROWS[:-1]] + ["0"], 12),
    ],
    ids=["passed by all and by none", "the same", "the opposite", "the same but where no row has a weight"],
)
def test_literals_that_say_nothing_new_are_weighed_once(
    added: list[str], n_nodes: int, kind: str, tmp_path: Path
) -> None:
    """Majority beside tests that all cells pass, or none, or that are as good as another; a CNF is its mirror image."""
    rows, labels, lines = ROWS, MAJORITY, [THIRDS, ["walk", 0, 1]]
    if kind == "cnf":
        rows, labels = ROWS[::-1], [1 - label for label in MAJORITY]
        lines = [["w", *THIRDS[:0:-1]], ["walk", 0, 6]]
    rows = [row + more for row, more in zip(rows, added, strict=True)]
    assert nodes_of(forged(rows, labels, lines, kind=kind, lower="3"), tmp_path) == n_nodes


def test_of_literals_that_hold_on_the_same_cells_the_first_is_tried(tmp_path: Path) -> None:
    """The last test is the first once more; were it tried in its place, among others as heavy, 0 would not be named."""
    rows = ["".join(row) + row[0] for row in product("01", repeat=4)]
    lines = [["w", -1, 0, 1, -1, 1, -2, 0, 1, -9, 0, 0, 1, 0, -9, -1, -1], ["walk", 26, 8, 0], ["walk", 1]]
    assert verdict(forged(rows, [0] * 16, lines, kind="partition", price="9"), tmp_path) == 0


def test_terms_that_are_longer_than_the_claim_are_not_weighed(tmp_path: Path) -> None:
    """With 111 two tests passed weigh 2, but a charge of 4 is on every test passed alone."""
    lines = [["w", 0, 0, 0, 1, 0, 1, 1, 1], ["walk", 7, 1]]
    assert verdict(majority(lines, depth=1, lower="4"), tmp_path) == 0
    assert verdict(majority(lines, depth=2, lower="4"), tmp_path) == 1
    for nodes, trace in [(1, []), (1, [1])]:
        code, sentence = refusal(majority([THIRDS, ["walk", nodes, *trace]], depth=0), tmp_path)
        assert code == len(trace), sentence


@pytest.mark.parametrize(
    ("lines", "header", "words"),
    [
        ([["w", 1], ["walk", 1]], {}, "8 cells and {1} weights"),
        ([["w", 0, 0, 0, -1, 0, 1, 1, 0], ["walk", 1]], {}, "a weight of a DNF is below 0"),
        ([["w", 1, 0, 0, 0, 0, 1, 1, 0], ["walk", 1]], {}, "a weight of a DNF is below 0 or above"),
        ([["w", 0, 0, 0, 2, 0, 0, 0, 0], ["walk", 1]], {"price": "1"}, "above what its rows cost"),
        ([THIRDS, ["walk", 10, 1], ["walk", 10, 1]], {}, "1 walks belong to these classes"),
        ([["w", *[0] * 8], ["walk", 1]], {"kind": "partition"}, "2 walks belong to these classes"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 1], ["walk", 99, 1, 4]], {}, "a conjunction passes the limit of the linear"),
        ([["w", 0, 0, 0, 2, 0, 0, 0, 0], ["walk", 99, 1, 2, 4]], {}, "a conjunction passes the limit of the linear"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 1], ["walk", 99, 1, 1]], {}, "the trace does not name a charged cell"),
        ([THIRDS, ["walk", 10]], {}, "the trace does not name a charged cell that is left"),
        ([THIRDS, ["walk", 10, 3]], {}, "the trace does not name a charged cell that is left"),
        ([THIRDS, ["walk", 10, 3, 1]], {}, "the trace does not name a charged cell that is left"),
        ([THIRDS, ["walk", 10, 7]], {}, "the trace does not name a charged cell that is left"),
        ([THIRDS, ["walk", 10, 8]], {}, "the trace does not name a charged cell that is left"),
        ([THIRDS, ["walk", 10, "9" * 400]], {}, "the trace does not name a charged cell that is left"),
        ([THIRDS, ["walk", 10, 1, 1]], {}, "the trace goes on after the last visit"),
        ([THIRDS, ["walk", 0, 1]], {}, "the walk has more nodes than announced"),
        ([THIRDS, ["walk", 6, 1]], {}, "the walk has more nodes than announced"),
        ([THIRDS, ["walk", 9, 1]], {}, "the walk has more nodes than announced"),
        ([THIRDS, ["walk", 11, 1]], {}, "the walk has 10 nodes, not 11"),
        ([["w", *[0] * 8], ["walk", 0]], {}, "the walk has more nodes than announced"),
        ([["w", *[0] * 8], ["walk", 1, 0]], {}, "the trace goes on after the last visit"),
        ([["w", *[0] * 8], ["walk", 1]], {"lower": "2"}, "less is proved than the 2"),
        ([["w", 0, 0, 0, -1, 0, 1, 1, 0]], {"form": "cover"}, "a weight of a positive row is below 0"),
        ([["w", -9, 0, 0, 1, 0, 1, 1, 0]], {"form": "cover", "price": "1"}, "below what its negative rows allow"),
        ([["w", 0, 0]], {"form": "cover"}, "8 cells and {2} weights"),
        ([["w", *[0] * 8]] * 2, {"form": "cover"}, "1 lists of weights belong to these classes"),
        ([["w", 1, 1]], {"kind": "partition", "form": "svm"}, "8 groups of rows and 2 weights"),
        ([["w", *[1] * 7, -1]], {"kind": "partition", "form": "svm"}, "a weight of the form svm is negative"),
        ([], {"witness": [[1, 3], [1, 5]], "upper": "2"}, "has some"),
        ([], {"witness": [[1, 3], [1, 5], [3, 5]], "upper": "4"}, "the formula costs 3, the header says 4"),
        ([], {"witness": [[1, 3, 5], [1, 5, 3]], "upper": "2", "price": "1"}, "a term of the claim is not"),
        ([], {"witness": [[1, 0]], "upper": "2", "price": "1"}, "a term of the claim is not"),
        ([], {"witness": [[6]], "upper": "2", "price": "1"}, "a term of the claim is not"),
        ([], {"witness": [[1, 3]], "upper": "2", "price": "1", "depth": 1}, "a term of the claim is not"),
        ([], {"witness": [[0]], "upper": "2", "price": "1", "literals": "positive"}, "a term of the claim is not"),
    ],
)
def test_evidence_that_breaks_a_rule_is_rejected(
    lines: list[list[Any]], header: dict[str, Any], words: str, tmp_path: Path
) -> None:
    files = majority(lines, **header)
    code, sentence = refusal(files, tmp_path)
    assert (code, words in sentence) == (1, True), (code, sentence)
    assert naive_bound_check(*files) is None


@pytest.mark.parametrize(
    ("lines", "header"),
    [
        ([["w", *[0] * 8]], {}),
        ([["walk", 1]], {}),
        ([["w", *[0] * 8], ["walk"]], {}),
        ([["w"], ["walk", 1]], {}),
        ([["walk", 1], ["w", *[0] * 8]], {}),
        ([["w", *[0] * 8], ["walk", 1], ["w", *[0] * 8]], {}),
        ([["w", *[0] * 8], ["w", *[0] * 8], ["walk", 1]], {"kind": "partition"}),
        ([["w", *[0] * 8], ["walk", -1]], {}),
        ([["w", *[0] * 8], ["walk", 1, -1]], {}),
        ([["w", *[0] * 8], ["walk", "01"]], {}),
        ([["w", *[0] * 8], ["order", 1, *range(6)]], {}),
        ([["w", *[0] * 8], ["walk", 1], ["trace", 0]], {}),
        ([["w", *[0] * 8], ["walk", 1]], {"form": "cover"}),
        ([["w", *[0] * 8], ["walk", 1]], {"form": "box", "kind": "partition", "price": "1"}),
        ([["v", *[0] * 8]], {"form": "cover"}),
        ([], {"form": "svm"}),
        ([], {"kind": "partition", "form": "cover"}),
        ([], {"kind": "partition", "form": "box"}),
        ([], {"kind": "partition", "upper": "1", "witness": [[]]}),
        ([], {"leaf_costs": ["1", "1", "1", "1"]}),
        ([], {"leaf_costs": ["1", "1", "1", "1"], "kind": "partition"}),
        ([], {"kind": "cnf", "literals": "positive"}),
        ([], {"kind": "dnf", "classes": ["no", "yes", "else"]}),
        ([], {"upper": "1"}),
        ([], {"witness": []}),
        ([], {"upper": "1", "witness": [1]}),
        ([], {"upper": "1", "witness": [[-1]]}),
        ([], {"upper": "1", "witness": [["1"]]}),
        ([], {"upper": 1, "witness": [[]]}),
        ([], {"exponent": 10000}),
        ([], {"exponent": -10000}),
    ],
)
def test_what_is_no_evidence_or_header_of_a_formula_is_not_readable(
    lines: list[list[Any]], header: dict[str, Any], tmp_path: Path
) -> None:
    assert verdict(majority(lines, **header), tmp_path) == 2


def test_costs_whose_common_denominator_is_too_long_are_not_readable(tmp_path: Path) -> None:
    """Sums of many of them would take longer than any limit."""
    costs = [f"1/{10**390 + k}" for k in range(8)]
    for price in ("1", None):
        files = forged(ROWS, MAJORITY, row_costs=costs, price=price)
        assert verdict(files, tmp_path) == 2
    assert verdict(forged(ROWS, MAJORITY, row_costs=["1", costs[0], *costs[:1] * 6], price="2/3"), tmp_path) == 0


def test_numbers_as_long_as_the_format_allows_are_counted_exactly(tmp_path: Path) -> None:
    most = 10**400 - 1
    huge = [["w", 0, 0, 0, most, 0, most, most, 0], ["walk", 10, 1]]
    assert verdict(majority(huge), tmp_path) == 1
    for exponent in (-9999, 9999, -1329):
        codes = {verdict(majority(huge, exponent=exponent, price=price), tmp_path) for price in (None, "1", str(most))}
        assert codes <= {0, 1, 3}
    tiny = [THIRDS, ["walk", 1]]
    assert verdict(majority(tiny, exponent=-9999, price="1/3"), tmp_path) == 0
    assert verdict(majority(tiny, exponent=9999), tmp_path) == 1


def test_a_walk_that_is_announced_as_longer_than_the_limit_is_not_begun(tmp_path: Path) -> None:
    code, sentence = refusal(majority([THIRDS, ["walk", 10**12, 1]]), tmp_path)
    assert (code, sentence.endswith("allows it")) == (3, True)
    assert refusal(majority([THIRDS, ["walk", 10, 1]]), tmp_path, limit=0)[0] == 3
    assert refusal(majority([THIRDS, ["walk", 10, 1]]), tmp_path, limit=1)[0] == 0
    assert refusal(majority([THIRDS, ["walk", 10, 1]]), tmp_path, limit=None)[0] == 0


def test_looks_at_literals_count_against_the_limit() -> None:
    """A hundred tests, each passed by two cells that weigh 2 - 1: with all tried for one cell there are few nodes.

    The walk looks at the hundred for what they keep, and at a hundred for each that it tries; then none is left.
    """
    units = ["".join("01"[j == k] for j in range(100)) for k in range(100)]
    cells, weights = [*units, *units, "0" * 100], [*[2] * 100, *[-1] * 100, -200]
    walk = bound_checker.Walk(cells, weights, 1, 101, 1)
    walk.hold(list(range(1, 200, 2)), 1, [200])
    assert (walk.n_nodes, walk.n_looks) == (101, 100 + 100 * 100)
    for seconds, most in ((1, 10_099), (None, 10_100)):
        walk = bound_checker.Walk(cells, weights, 1, 101, seconds)
        assert walk.most_looks > 10_100
        walk.most_looks = most
        if most == 10_100:
            walk.hold(list(range(1, 200, 2)), 1, [200])
            continue
        with pytest.raises(bound_checker.CheckError, match="looking at literals takes longer") as ended:
            walk.hold(list(range(1, 200, 2)), 1, [200])
        assert ended.value.args[0] == 3


def test_a_long_witness_and_many_classes_are_predicted_to_take_long(tmp_path: Path) -> None:
    for header in [{"upper": "9", "witness": [[1, 3, 5]] * 9}, {"kind": "partition", "classes": list("abcde")}]:
        assert refusal(forged(ROWS, MAJORITY, price="1", **header), tmp_path)[0] in (0, 1)
        assert refusal(forged(ROWS, MAJORITY, price="1", rows=10**9, **header), tmp_path)[0] == 3


def test_what_is_trivial_about_formulas(tmp_path: Path) -> None:
    two = ["0", "1"]
    for labels, header, most in [
        ([0, 0], {}, "0"),  # no row is positive
        ([0, 1], {}, "1"),
        ([0, 1], {"price": "1/4"}, "1/4"),
        ([0, 1], {"price": "4"}, "1"),
        ([0, 0], {"price": "4"}, "0"),
        ([0, 0], {"kind": "cnf"}, "1"),  # all rows are those of the DNF that is its negation
        ([1, 1], {"kind": "cnf"}, "0"),
        ([0, 0], {"classes": ["no"]}, "0"),
        ([0, 0], {"classes": ["no"], "kind": "cnf"}, "1"),
        ([0, 0], {"classes": ["no"], "form": "cover"}, "0"),
    ]:
        assert verdict(forged(two, labels, lower=most, **header), tmp_path) == 0, (labels, header)
        more = str(Fraction(most) + Fraction(1, 100))
        assert verdict(forged(two, labels, lower=more, **header), tmp_path) == 1, (labels, header)
    forced = ["0", "0", "1"]
    assert verdict(forged(forced, [0, 1, 1], lower="4"), tmp_path) == 0
    assert verdict(forged(forced, [0, 1, 1], lower="5"), tmp_path) == 1
    assert verdict(forged(forced, [0, 1, 1], lower="3/2", price="1/2", row_costs=["1", "1", "9"]), tmp_path) == 0
    assert verdict(forged(forced, [0, 1, 1], lower="8/5", price="1/2", row_costs=["1", "1", "9"]), tmp_path) == 1


def test_rows_without_tests_have_the_empty_conjunction_alone(tmp_path: Path) -> None:
    for labels, kind, form in product([[0, 1], [1, 1], [0, 0]], ["partition", "dnf", "cnf"], ["lp", "cover"]):
        if (kind, form) != ("partition", "cover"):
            assert verdict(forged(["", ""], labels, kind=kind, form=form, price="1"), tmp_path) == 0
            own = [["w", 1], *[["walk", 1]] * (2 if kind == "partition" else form == "lp")]
            assert verdict(forged(["", ""], labels, own, kind=kind, form=form, price="1"), tmp_path) in (0, 1)
    lines: list[list[Any]] = [["w", 1], ["walk", 1]]
    assert verdict(forged([""], [1], lines, lower="1"), tmp_path) == 0
    assert verdict(forged([""], [0], lines, kind="cnf", lower="1", witness=[[]], upper="1"), tmp_path) == 0
    assert verdict(forged([""], [1], [["w", 2], ["walk", 1]], lower="1"), tmp_path) == 1


def test_a_cover_without_negative_rows_proves_what_is_trivial(tmp_path: Path) -> None:
    """A DNF with the empty term is 1: weights over other conjunctions say nothing about it."""
    lines = [["w", 9, 9]]
    for price in (None, "8"):
        assert verdict(forged(["0", "1"], [1, 1], lines, form="cover", price=price, lower="1"), tmp_path) == 0
        assert verdict(forged(["0", "1"], [1, 1], lines, form="cover", price=price, lower="2"), tmp_path) == 1


def test_a_cover_with_a_price_proves_its_gain_less_its_norm(tmp_path: Path) -> None:
    """Exclusive or: 5/8 on positive cells, -3/8 on the others: 5/2 - 21/16 is above 1, hence 2."""
    rows, labels, lines = ["00", "01", "10", "11"], [0, 1, 1, 0], [["w", -3, 5, 5, -3]]
    header: dict[str, Any] = {"form": "cover", "price": "8", "exponent": -3}
    assert verdict(forged(rows, labels, lines, lower="2", **header), tmp_path) == 0
    assert verdict(forged(rows, labels, lines, lower="17/8", **header), tmp_path) == 1


def test_a_cover_with_a_price_proves_no_more_than_the_empty_term_costs(tmp_path: Path) -> None:
    """With positive literals no other term holds on the row that fails all tests: its weight has no norm."""
    costs, lines = ["10", "3"], [["w", 10, 0]]
    header: dict[str, Any] = {"form": "cover", "price": "2", "literals": "positive", "row_costs": costs}
    assert verdict(forged(["0", "1"], [1, 0], lines, lower="7", **header), tmp_path) == 0
    assert verdict(forged(["0", "1"], [1, 0], lines, lower="15/2", **header), tmp_path) == 1


def test_a_cover_may_say_that_there_is_no_formula(tmp_path: Path) -> None:
    """Positive literals: a negative row that passes all tests, and weights of which every conjunction has none."""
    rows, labels = ["0", "1"], [1, 0]
    header: dict[str, Any] = {"form": "cover", "literals": "positive"}
    assert verdict(forged(rows, labels, [["w", 1, 0]], lower="3", **header), tmp_path) == 0
    assert verdict(forged(rows, labels, [["w", 1, 0]], lower="4", **header), tmp_path) == 1
    assert verdict(forged(rows, labels, [["w", 0, 5]], lower="1", **header), tmp_path) == 0
    assert verdict(forged(rows, labels, [["w", 0, 5]], lower="2", **header), tmp_path) == 1


def test_several_classes_have_a_list_each(tmp_path: Path) -> None:
    header: dict[str, Any] = {"kind": "partition", "classes": ["a", "b", "c"], "price": "1"}
    lines = [["w", 1, 1, 1], *[["walk", 0]] * 3]
    assert nodes_of(forged(["00", "01", "10"], [0, 1, 2], lines, lower="3", **header), tmp_path) == 1
    lines = [["w", 1, 1, 1], *[["walk", 1]] * 2]
    assert verdict(forged(["00", "01", "10"], [0, 1, 2], lines, lower="3", **header), tmp_path) == 1
    box = [["w", 0, 0, 0]] * 3
    assert verdict(forged(["00", "01", "10"], [0, 1, 2], box, **header | {"form": "box"}), tmp_path) == 0
    box = [["w", 0, 0, 0], ["w", 0, 0], ["w", 0, 0, 0]]
    assert verdict(forged(["00", "01", "10"], [0, 1, 2], box, **header | {"form": "box"}), tmp_path) == 1


@pytest.mark.parametrize("literals", ["both", "positive"])
@pytest.mark.parametrize("form", ["svm", "cover"])
def test_many_cells_of_short_conjunctions_are_summed_by_conjunctions(form: str, literals: str, tmp_path: Path) -> None:
    rows = ["".join(row) for row in product("01", repeat=8)]
    labels = [int(row[0]) for row in rows]
    lines = [["w", *[1] * 256]] if form == "svm" else [["w", *labels]]
    kind = "partition" if form == "svm" else "dnf"
    for depth in (1, 2):
        files = forged(rows, labels, lines, kind=kind, form=form, literals=literals, depth=depth, price="1/64")
        code, own = refusal(files, tmp_path)
        assert code == 0
        assert naive_bound_check(*files) == own.lower


def test_conjunctions_of_more_than_four_literals_are_summed_by_pairs(tmp_path: Path) -> None:
    rows = ["00000", "00011", "01100", "11111", "10101"]
    for form, weights in [("box", [1, -1, 1, -1, 0]), ("ridge", [1, 2, 1, -1, 3])]:
        files = forged(rows, [1, 0, 1, 0, 1], [["w", *weights]], kind="partition", form=form, price="1", exponent=-3)
        assert verdict(files, tmp_path) == 0


def test_weights_that_cancel_say_that_no_partition_is_without_errors(tmp_path: Path) -> None:
    header: dict[str, Any] = {"kind": "partition", "form": "svm", "depth": 0}
    assert verdict(forged(["0", "1"], [1, 0], [["w", 1, 1]], lower="3", **header), tmp_path) == 0
    assert verdict(forged(["0", "1"], [1, 0], [["w", 1, 1]], lower="9", **header), tmp_path) == 1
    assert verdict(forged(["0", "1"], [1, 0], [["w", 0, 0]], lower="0", **header), tmp_path) == 0


def test_traces_of_short_terms_and_of_many_visits_are_followed(tmp_path: Path) -> None:
    n_named = []
    for problem, size in [(1, None), (2, None), (2, 3), (3, 1)]:
        data = monks(problem)
        found = certify_dnf(data.rows, data.labels, max_term_size=size, max_nodes=100, check=False)
        walks = [line.split(" ")[2:] for line in found.lemmas if line.startswith("walk ")]
        code, own = refusal(files_of(found), tmp_path)
        assert (code, own.lower, len(walks)) == (0, found.bound, 1)
        n_named.append(len(walks[0]) - len(set(walks[0])))
    assert max(n_named) > 0  # some cell is named in several branches


def test_files_that_cannot_be_read_are_not_readable(tmp_path: Path) -> None:
    certificate, rows = majority([])
    assert refusal((gzip.compress(certificate), lzma.compress(rows)), tmp_path)[0] == 0
    for files in [
        (gzip.compress(certificate)[:-9], rows),
        (lzma.compress(certificate)[:-9], rows),
        (b"\x1f\x8bno", rows),
        (b"\xff\xfe", rows),
        (certificate, b"\xff"),
    ]:
        assert refusal(files, tmp_path)[0] == 2


def test_a_file_of_too_many_bytes_is_not_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bound_checker, "MOST_BYTES", 100)
    monkeypatch.setattr(bound_checker, "BLOCK_BYTES", 10)
    code, words = refusal(majority([]), tmp_path)
    assert (code, words.endswith("more than 100 bytes")) == (2, True)


def test_the_command_prints_what_was_verified_or_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [THIRDS, ["walk", 10, 1]]
    witness = {"witness": [[1, 3], [1, 5], [3, 5]], "upper": "3"}
    for name, data in zip(("bound", "rows"), majority(lines, lower="3", **witness), strict=True):
        (tmp_path / name).write_bytes(data)
    paths = [str(tmp_path / "bound"), str(tmp_path / "rows")]
    assert bound_checker.main(paths) == 0
    assert capsys.readouterr().out.split("\n") == [
        "Every DNF whose terms have literals of these 3 yes/no tests, if it tells class 'yes' from the rest of these "
        "8 rows, has at least 3 terms.",
        "The DNF in the certificate has 3 terms and costs 3: none costs less.",
        "The rows are canonical rows, whose digest the certificate names; it does not name their table.",
        "accepted: 8 weights",
        "",
    ]
    command = [sys.executable, bound_checker.__file__, *paths]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert bound_checker.main([*paths, "--limit", "0"]) == 3
    assert bound_checker.main([paths[0], str(tmp_path / "none")]) == 2
    assert bound_checker.main([paths[1], paths[1]]) == 2
    monkeypatch.setattr(bound_checker, "read_rows", lambda *_: (_ for _ in ()).throw(MemoryError))
    assert bound_checker.main(paths) == 3
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 4)
    assert printed.err.endswith("not checked: it takes more memory than there is\n")
