"""The checker of bounds, rule by rule: what a linear program, a cover, a trace and a witness must be."""

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
ORDER = [0, 1, 2, 3, 4, 5]


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
    """How many nodes a walk has that does not reject."""
    for n_nodes in range(1, 200):
        own = files[0].replace(b"order 0 ", f"order {n_nodes} ".encode()), files[1]
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
    """Each of 011, 101 and 110 has a weight of 1; a walk over all conjunctions shows it, or one row by row."""
    weights = ["w", 0, 0, 0, 1, 0, 1, 1, 0]
    assert nodes_of(majority([weights, ["order", 0, *ORDER]], lower="3"), tmp_path) == 10
    assert nodes_of(majority([weights, ["order", 0, *ORDER[::-1]]], lower="3"), tmp_path) == 10
    traced = [weights, ["order", 10, *ORDER], ["trace", 0, 4, 2, 1]]
    assert verdict(majority(traced, lower="3"), tmp_path) == 0
    code, own = refusal(majority(traced, lower="3"), tmp_path)
    assert (code, own.lower, own.n_weights) == (0, 3, 8)


def test_literals_that_hold_on_all_cells_or_on_none_are_no_nodes(tmp_path: Path) -> None:
    """Majority beside a test that all rows pass, and one that none does."""
    rows = [f"{row}10" for row in ROWS]
    weights, order = ["w", 0, 0, 0, 1, 0, 1, 1, 0], [9, 8, 0, 1, 2, 3, 6, 7, 4, 5]
    for kind, labels in [("dnf", MAJORITY), ("cnf", [1 - label for label in MAJORITY])]:
        files = forged(rows, labels, [weights, ["order", 0, *order]], kind=kind, lower="3")
        assert nodes_of(files, tmp_path) == 10
        lines = [weights, ["order", 0, *order], ["trace", 0, 4, 2, 1]]
        assert nodes_of(forged(rows, labels, lines, kind=kind, lower="3"), tmp_path) == 14


@pytest.mark.parametrize(
    ("lines", "header", "words"),
    [
        ([["w", 1], ["order", 1, *ORDER]], {}, "8 cells and {1} weights"),
        ([["w", 0, 0, 0, -1, 0, 1, 1, 0], ["order", 1, *ORDER]], {}, "a weight of a DNF is below 0"),
        ([["w", 1, 0, 0, 0, 0, 1, 1, 0], ["order", 1, *ORDER]], {}, "a weight of a DNF is below 0 or above"),
        ([["w", 0, 0, 0, 2, 0, 0, 0, 0], ["order", 1, *ORDER]], {"price": "1"}, "above what its rows cost"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, 0, 1, 2, 3, 4]], {}, "does not list each literal once"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, 0, 1, 2, 3, 4, 4]], {}, "does not list each literal once"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, 0, 1, 2, 3, 4, 6]], {}, "does not list each literal once"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 9, *ORDER]], {}, "more nodes than announced"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 11, *ORDER]], {}, "has 10 nodes, not 11"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 0, *ORDER]], {}, "more nodes than announced"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 1], ["order", 99, *ORDER]], {}, "passes the limit of the linear program"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 1], ["order", 99, *ORDER], ["trace", 0, 4, 2]], {}, "passes the limit"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, *ORDER], ["trace"]], {}, "does not name a negative cell"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, *ORDER], ["trace", 3]], {}, "does not name a negative cell"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, *ORDER], ["trace", 0, 0]], {}, "does not name a negative cell"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, *ORDER], ["trace", "9" * 400]], {}, "does not name a negative"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, *ORDER], ["trace", 0, 4, 2, 1, 1]], {}, "the trace goes on"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 9, *ORDER], ["trace", 0, 4, 2, 1]], {}, "more nodes than"),
        ([["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 11, *ORDER], ["trace", 0, 4, 2, 1]], {}, "has 10 nodes, not 11"),
        ([["w", 0, 0, 0, 0, 0, 0, 0, 0], ["order", 1, *ORDER]], {"lower": "2"}, "less is proved than the 2"),
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
        ([["order", 1, *ORDER]], {}),
        ([["w", *[0] * 8], ["order"]], {}),
        ([["w"], ["order", 1, *ORDER]], {}),
        ([["order", 1, *ORDER], ["w", *[0] * 8]], {}),
        ([["w", *[0] * 8], ["order", 1, *ORDER], ["trace"], ["trace"]], {}),
        ([["w", *[0] * 8], ["order", 1, *ORDER], ["trace"]], {"price": "1"}),
        ([["w", *[0] * 8], ["order", 1, *ORDER], ["trace"]], {"kind": "partition"}),
        ([["w", *[0] * 8], ["order", -1, *ORDER]], {}),
        ([["w", *[0] * 8], ["order", 1, *ORDER]], {"form": "cover"}),
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
    huge = [["w", 0, 0, 0, most, 0, most, most, 0], ["order", 10, *ORDER]]
    assert verdict(majority(huge), tmp_path) == 1
    for exponent in (-9999, 9999, -1329):
        codes = {verdict(majority(huge, exponent=exponent, price=price), tmp_path) for price in (None, "1", str(most))}
        assert codes <= {0, 1, 3}
    tiny = [["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 1, *ORDER]]
    assert verdict(majority(tiny, exponent=-9999, price="1/3"), tmp_path) == 0
    assert verdict(majority(tiny, exponent=9999), tmp_path) == 1


def test_a_walk_that_is_announced_as_longer_than_the_limit_is_not_begun(tmp_path: Path) -> None:
    lines = [["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10**12, *ORDER]]
    code, sentence = refusal(majority(lines), tmp_path)
    assert (code, sentence.endswith("allows it")) == (3, True)
    assert refusal(majority([lines[0], ["order", 10, *ORDER]]), tmp_path, limit=0)[0] == 3
    assert refusal(majority([lines[0], ["order", 10, *ORDER]]), tmp_path, limit=1)[0] == 0
    assert refusal(majority([lines[0], ["order", 10, *ORDER]]), tmp_path, limit=None)[0] == 0


def test_literals_that_are_skipped_count_against_the_limit() -> None:
    """A hundred tests that are equal but for one: the walk looks at every pair of them, and no pair is a node."""
    cells = ["0" * 100, "1" * 99 + "0", "1" * 100]
    walk = bound_checker.Walk(cells, [[0, 2, -1]], 1, 101, 1)
    walk.hold_all(list(range(1, 200, 2)), 2)
    assert (walk.n_nodes, walk.n_looks) == (101, 100 + 99 * 98 // 2)
    walk = bound_checker.Walk(cells, [[0, 2, -1]], 1, 101, 1)
    walk.most_looks = 1000
    with pytest.raises(bound_checker.CheckError, match="looking at literals takes longer") as ended:
        walk.hold_all(list(range(1, 200, 2)), 2)
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
            lines = [["w", 1], ["order", 1]] if form == "lp" else [["w", 1]]
            assert verdict(forged(["", ""], labels, lines, kind=kind, form=form, price="1"), tmp_path) in (0, 1)
    lines = [["w", 1], ["order", 1], ["trace"]]
    assert verdict(forged([""], [1], lines, lower="1"), tmp_path) == 0
    assert verdict(forged([""], [0], lines, kind="cnf", lower="1", witness=[[]], upper="1"), tmp_path) == 0


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
    files = forged(["00", "01", "10"], [0, 1, 2], [["w", 1, 1, 1], ["order", 0, 0, 1, 2, 3]], lower="3", **header)
    assert nodes_of(files, tmp_path) == 1
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
        trace = [line for line in found.lemmas if line.startswith("trace ")]
        code, own = refusal(files_of(found), tmp_path)
        assert (code, own.lower, len(trace)) == (0, found.bound, 1)
        n_named.append(len(trace[0].split(" ")) - len(set(trace[0].split(" "))))
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
    lines = [["w", 0, 0, 0, 1, 0, 1, 1, 0], ["order", 10, *ORDER]]
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
