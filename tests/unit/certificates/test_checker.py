"""What the checker of certificates accepts, what it refuses and in which words, and how it is run."""

import gzip
import lzma
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random

import pytest

from conjunct.certificates import checker
from parts import parts
from reference.naive_checker import naive_check
from reference.plain_trees import PlainTable, PlainTrees, canonical_text, certificate_text, write_certificate
from reference.random_tables import PRICES, function_of_three, random_table
from reference.tampering import assembled, outcome, parsed


def assert_accepted(table, depth, **options):
    """Both checkers accept the certificate of a table, count the same work, and prove no more than is true."""
    files = certificate_text(table, depth, **options).encode(), canonical_text(table).encode()
    code, verdict = outcome(checker, files)
    assert code == 0, (table, depth, verdict)
    trees = PlainTrees(table)
    best = trees.best(trees.all_rows, inf if depth is None else depth)[0]
    assert verdict.lower <= best
    assert verdict.upper is None or verdict.upper == verdict.lower
    naive = naive_check(*files)
    announced = files[0].decode().split("\n")[-2].split(" ")[2:]
    assert (naive.lower, str(naive.n_pairs), str(naive.n_splits)) == (verdict.lower, *announced)
    return files[0].decode().split("\n")[1:-2]


@pytest.mark.parametrize("part", parts(12, quick=1))
def test_certificates_of_all_functions_of_three_variables_are_accepted(part):
    random, depths = Random(part), [None, 0, 1, 2, 3]
    for number in range(256):
        drawn = [(random.choice(PRICES), random.choice(depths))]
        for price, depth in drawn if part == 0 else [(PRICES[part - 1], depth) for depth in depths]:
            assert_accepted(function_of_three(number, price), depth)


@pytest.mark.parametrize("part", parts(12, quick=1))
def test_certificates_of_random_tables_are_accepted(part):
    random, kinds = Random(part), set()
    for _ in range(300):
        table = random_table(random)
        hints = table.least_rows == 1 and random.random() < 0.5
        depth = random.choice([None, *range(table.n_tests + 2)])
        lemmas = assert_accepted(table, depth, with_hints=hints, with_chains=random.random() < 0.5)
        kinds |= {(lemma[0], "|" in lemma) for lemma in lemmas}
    assert kinds == {("E", False), ("N", False), ("N", True), ("C", False)}


XOR = PlainTable(("00", "01", "10", "11"), (0, 1, 1, 0), price=Fraction(3))


def changed(table=XOR, depth=2, lemmas=None, end="", **header):
    """The certificate of a table with other lemmas or another header; its digest and its bound fit them."""
    files = certificate_text(table, depth).encode(), canonical_text(table).encode()
    own, old, table = parsed(files)
    return assembled(own | header, old if lemmas is None else lemmas, table, end)


def refusal(files):
    code, sentence = outcome(checker, files)
    assert not naive_check(*files).accepted
    return code, sentence


NOT_PROVED = "lemma 0 is not proved: "


@pytest.mark.parametrize(
    ("lemmas", "code", "words"),
    [
        (["E 2 5"], 1, NOT_PROVED + "a tree that tests 'x1' first may cost less"),
        (["E any 8"], 1, NOT_PROVED + "a leaf costs less"),
        (["E 2 2 0"], 1, "the last lemma must have no path and enough depth"),
        (["E 1 4"], 1, "the last lemma must have no path and enough depth"),
        (["E 3 4"], 2, "lemma 0: pair counts reach depths 1, 2 and any"),
        (["E 2 4 0 1"], 2, "lemma 0: the tests of its path must ascend"),
        (["E 2 4 2 2"], 2, "lemma 0: the tests of its path must ascend"),
        (["E 2 4 4"], 2, "lemma 0 names no test of the list"),
        (["N 2 4 | 5:0"], 2, "lemma 0 names no test of the list"),
        (["E 2 4 | 0:0"], 2, "lemma 0: only a lemma of kind N takes hints"),
        (["N 2 4 | 0:0"], 1, "lemma 0 hints a lemma not before it"),
        (["E 2 4", "N 2 4 | 0:1"], 1, "lemma 1 hints a lemma not before it"),
        (["E 2 4", "N 2 4 | 0:0 0:0"], 2, "lemma 1 hints a literal twice"),
        (["E 1 4", "N 3 4 | 0:0"], 1, "lemma 1: lemma 0 is not as deep as the hint needs"),
        (["N 2 4"], 1, ""),
        (["C 2 4"], 1, NOT_PROVED + "a tree that tests 'x1' first may cost less"),
        (["X 2 4"], 2, "lemma 0 is not written as the format says: 'X 2 4'"),
        (["X" * 70], 2, f"lemma 0 is not written as the format says: {'X' * 60!r}"),
    ],
)
def test_a_lemma_is_refused_with_its_reason(lemmas, code, words):
    if not words:  # each part costs 2 leaves
        assert outcome(checker, changed(lemmas=lemmas))[0] == 0
        return
    assert refusal(changed(lemmas=lemmas)) == (code, words)


def test_only_the_lowest_of_equal_or_complementary_splits_is_hinted():
    table = PlainTable(
        ("001", "010", "110", "101"), (0, 1, 0, 1), price=Fraction(3)
    )  # the third test is not the second
    lemmas = ["E any 2 3", "N any 4 | 3:0"]
    assert outcome(checker, changed(table, None, lemmas))[0] == 0
    assert refusal(changed(table, None, ["E any 2 3", "N any 4 | 5:0"])) == (1, "lemma 1 hints what is no lowest split")


def test_a_path_to_no_row_is_refused():
    table = PlainTable(("00", "01", "11"), (0, 1, 0), price=Fraction(3))
    assert refusal(changed(table, 2, ["E 2 1 1 2", "E 2 3"])) == (1, "lemma 0 is about no row")


def test_hints_are_refused_where_leaves_must_have_rows():
    table = PlainTable(("00", "01", "10", "11") * 2, (0, 1, 1, 0) * 2, price=Fraction(3), least_rows=2)
    words = "lemma 1: with least rows of a leaf there are no hints"
    assert refusal(changed(table, 2, ["E 2 2 0", "N 2 4 | 0:0"])) == (1, words)


PARITY = PlainTable(tuple(f"{i:03b}" for i in range(8)), tuple(i.bit_count() % 2 for i in range(8)))


@pytest.mark.parametrize(
    "end", ["end 1 8 0", "end 1 0 9", "end 0 9 9", "end 2 9 9", "end 1 9", "end 1 09 0", "END 1 9 0"]
)
def test_an_end_line_that_counts_too_little_or_wrongly_is_refused(end):
    assert outcome(checker, changed(PARITY, 2, ["E 2 5"], "end 1 9 0"))[0] == 0
    code, words = refusal(changed(PARITY, 2, ["E 2 5"], end))
    counts = {
        "end 0 9 9": "the end line counts 0 lemmas, the file has 1",
        "end 2 9 9": "the end line counts 2 lemmas, the file has 1",
    }
    too_little = "more pairs or splits than the end line announces"
    cut = "the certificate is cut short: it has no end line"
    assert (code, words) == ((1, too_little) if end in ("end 1 8 0", "end 1 0 9") else (2, counts.get(end, cut)))


def test_splits_and_cuts_are_announced_too():
    assert outcome(checker, changed(lemmas=["N 2 4"], end="end 1 0 2"))[0] == 0
    assert refusal(changed(lemmas=["N 2 4"], end="end 1 0 1"))[0] == 1
    chain = PlainTable(("000", "001", "011", "111"), (0, 1, 0, 1), price=Fraction(3))
    for depth, value, work in [("any", 4, 9), ("2", 4, 9), ("1", 4, 18)]:
        files = [changed(chain, 1, [f"C {depth} {value}"], end=f"end 1 {own} 0") for own in (work, work - 1)]
        assert outcome(checker, files[0])[0] == 0
        assert refusal(files[1]) == (1, "more pairs or splits than the end line announces")
    assert outcome(checker, changed(chain, 1, ["C 1 5"]))[0] == 0  # two leaves with an error; four leaves cost 4
    assert refusal(changed(chain, 1, ["C any 5"]))[0] == refusal(changed(chain, 1, ["C 2 5"]))[0] == 1
    assert refusal(changed(chain, 1, ["C 1 6"]))[0] == 1


def test_work_of_one_kind_pays_for_none_of_another():
    chain = PlainTable(("000", "001", "011", "111"), (0, 1, 0, 1), price=Fraction(3))
    cases = [(PARITY, 2, ["N 2 4", "E 2 5"]), (chain, None, ["N any 2", "C any 4"])]
    for table, depth, lemmas in [*cases, *((table, depth, lemmas[::-1]) for table, depth, lemmas in cases)]:
        assert outcome(checker, changed(table, depth, lemmas, "end 2 9 3"))[0] == 0
        assert refusal(changed(table, depth, lemmas, "end 2 8 3"))[0] == 1
        assert refusal(changed(table, depth, lemmas, "end 2 9 2"))[0] == 1


def test_a_chain_is_cut_into_as_many_leaves_as_the_depth_allows():
    three = PlainTable(("00", "01", "11"), (0, 1, 0), price=Fraction(3))
    assert outcome(checker, changed(three, 1, ["C 1 4"], "end 1 8 0"))[0] == 0  # a leaf; two leaves have an error
    assert refusal(changed(three, 2, ["C 2 4"]))[0] == 1  # three leaves
    nine = PlainTable(tuple(f"{2**k - 1:08b}" for k in range(9)), (0, 1) * 4 + (0,), price=Fraction(3))
    assert outcome(checker, changed(nine, 3, ["C 3 10"], f"end 1 {64 * 8} 0"))[0] == 0  # seven leaves and an error
    assert refusal(changed(nine, 3, ["C 3 11"]))[0] == 1
    assert outcome(checker, changed(nine, None, ["C any 9"], "end 1 64 0"))[0] == 0


def test_nothing_follows_the_end_line():
    certificate, rows = certificate_text(XOR, 2).encode(), canonical_text(XOR).encode()
    cut = (2, "the certificate is cut short: it has no end line")
    for other in (certificate + b"x", certificate + b"\n", certificate[:-1], certificate.split(b"\n")[0] + b"\n"):
        assert refusal((other, rows)) == cut


def test_a_lemma_of_a_great_depth_is_not_one_of_any_depth():
    for depth in (90, 10**8, 999999999):
        assert outcome(checker, changed(depth=2, lemmas=[f"N {depth} 4"]))[0] == 0
        assert outcome(checker, changed(XOR, None, [f"N {depth} 4"]))[0] == 1


def test_a_lemma_of_a_great_depth_supports_none_of_any_depth():
    parity = PlainTable(
        tuple(f"{k:03b}" for k in range(8)), tuple(k.bit_count() % 2 for k in range(8)), price=Fraction(9)
    )
    for depth, code in (("any", 0), (999999999, 1)):
        files = changed(parity, None, [*(f"N {depth} 4 {literal}" for literal in range(6)), "N any 8"], "end 7 0 15")
        assert outcome(checker, files)[0] == code
        assert naive_check(*files).accepted == (code == 0)


def test_at_most_a_thousand_lemmas_are_about_the_same_rows():
    assert outcome(checker, changed(lemmas=["E 2 4"] * 1000))[0] == 0
    assert refusal(changed(lemmas=["E 2 4"] * 1001)) == (2, "too many lemmas are about the same rows")


def test_lemmas_prove_nothing_about_partitions():
    assert refusal(changed(kind="partition")) == (1, "lemmas are about trees, not about all partitions")
    claim = changed(lemmas=[], kind="partition", lower="2", upper=None, witness=None)
    assert outcome(checker, claim)[0] == 0


@pytest.mark.parametrize(
    ("header", "code", "words"),
    [
        ({"lower": "5"}, 1, "4 is proved, not the 5 of the header"),
        ({"upper": None}, 1, "upper and witness go together"),
        ({"witness": None}, 1, "upper and witness go together"),
        ({"upper": "5"}, 1, "the tree costs 4, not the 5 of the header"),
        ({"witness": [0, 1, -1, -2, 1, -2, -1, -1]}, 1, "the witness is no tree: it goes on after its last leaf"),
        ({"witness": [0, 1, -1, -2, 1, -2]}, 1, "the witness is no tree: it lacks leaves"),
        ({"witness": []}, 1, "the witness is no tree: it lacks leaves"),
        ({"witness": [2, -1, -1]}, 1, "the witness has a test that is not listed"),
        ({"witness": [0, 0, -1, -1, -1]}, 1, "a test of the witness leaves too few rows on one side"),
        ({"witness": [-3]}, 1, "the witness has a leaf of no class"),
        ({"rows": 5}, 1, "the table has 4 rows, the certificate 5"),
        ({"rows": 0}, 2, "the header's rows is not as the format says"),
        ({"price": "0"}, 2, "the header's price is not as the format says"),
        ({"price": "0/5"}, 2, "the header's price is not as the format says"),
        ({"price": "1/" + "9" * 41}, 2, "the header's price is not as the format says"),
        ({"row_costs": []}, 1, "there is not one cost for each row of the table"),
        ({"row_costs": ["0/3", "1", "1", "1"]}, 2, "the header's row_costs is not as the format says"),
        ({"classes": ["0", "0"]}, 2, "two classes have the same name"),
        ({"classes": ["0", "\ud800"]}, 2, "the header's classes is not as the format says"),
        ({"classes": ["0", "\udc00\ud800"]}, 2, "the header's classes is not as the format says"),
        ({"classes": ["0", "\ud83d\ud83d\ude00"]}, 2, "the header's classes is not as the format says"),
        ({"tests": [["x1", 0, "=", "a"], ["x2"]]}, 2, "the tests do not fit the reading"),
        ({"cost_matrix": [["0", "1"]]}, 2, "the cost matrix is no square of the classes"),
        ({"cost_matrix": [["0"], ["1"]]}, 2, "the cost matrix is no square of the classes"),
        ({"cost_matrix": [["0", "1"], ["1", "2"]]}, 2, "the cost matrix charges what is right"),
        ({"cost_matrix": [["0", "1"], ["1", "0"]], "price": None}, 2,
         "a claim about trees without errors takes no cost matrix"),
        ({"digest": "0" * 64}, 1, "the certificate is about other data: the digest of the rows differs"),
    ],
)  # fmt: skip
def test_a_header_is_refused_with_its_reason(header, code, words):
    text = certificate_text(XOR, 2, **header).encode()
    assert refusal((text, canonical_text(XOR).encode())) == (code, words)


def test_a_header_is_one_text_of_sixteen_keys_and_no_more():
    for names in (["n", "é\x7f"], ["\U0001f600", "\uffff\ue000"], ['"', "\\ ~/\n\t\r\b\f"], ["\x00\x1f", ""]):
        own = certificate_text(XOR, 2, classes=names).encode(), canonical_text(XOR).encode()
        assert outcome(checker, own)[0] == 0
        assert naive_check(*own).accepted
    text, rows = certificate_text(XOR, 2, classes=["n", "é"]), canonical_text(XOR).encode()
    for old, new, words in [
        ("\\u00e9", "é", "the header's classes is not as the format says"),
        ("\\u00e9", "\\u00E9", "the header's classes is not as the format says"),
        ("\\u00e9", "\x7f", "the header's classes is not as the format says"),
        ('"n"', '"\\u006e"', "the header's text has needless escapes"),
        ('"n"', '"\\x"', "the header's classes is not as the format says"),
        ("-1]}", '-1],"other":0}', "the header does not end after its last key"),
        ("-1]}", "-1]} ", "the header does not end after its last key"),
        ("-1]}", "-1]", "the header does not end after its last key"),
        ('{"format"', ' {"format"', "the header's format is not as the format says"),
        ('{"format"', ',"format"', "the header's format is not as the format says"),
        (',"kind"', '{"kind"', "the header's kind is not as the format says"),
    ]:
        assert old in text
        assert refusal((text.replace(old, new, 1).encode(), rows)) == (2, words)


def test_a_witness_as_deep_as_the_claim_is_accepted_and_a_deeper_one_refused():
    tree = [0, 1, -1, -2, 1, -2, -1]
    assert outcome(checker, (certificate_text(XOR, 2, witness=tree).encode(), canonical_text(XOR).encode()))[0] == 0
    deeper = certificate_text(XOR, 1, witness=tree, upper="4").encode()
    assert refusal((deeper, canonical_text(XOR).encode())) == (1, "the witness is deeper than the claim")


def test_a_witness_with_errors_is_refused_for_a_claim_about_trees_without():
    table = PlainTable(XOR.rows, XOR.labels, price=None)
    with_errors = certificate_text(table, 2, witness=[0, -1, -2], upper="12").encode()
    words = "the witness of a claim about trees without errors has some"
    assert refusal((with_errors, canonical_text(table).encode())) == (1, words)


def test_costs_have_a_common_denominator_of_forty_digits():
    table = PlainTable(("0", "1"), (0, 1), costs=(Fraction(1, 10**19 + 9), Fraction(1, 10**19 + 7)))
    assert_accepted(table, 1)
    assert_accepted(PlainTable(("0", "1"), (0, 1), costs=(Fraction(1, 2**40), Fraction(1, 5**39))), 1)
    table = PlainTable(("0", "1"), (0, 1), costs=(Fraction(1, 2**40), Fraction(1, 5**40)))
    files = certificate_text(table, 1).encode(), canonical_text(table).encode()
    assert refusal(files) == (2, "the costs have no common denominator of at most 40 digits")


def test_canonical_rows_are_those_of_the_digest_to_the_letter():
    costs = PlainTable(("0", "1"), (0, 1), costs=(Fraction(1, 2), Fraction(3)))
    certificate, rows = certificate_text(costs, 1).encode(), canonical_text(costs)
    assert outcome(checker, (certificate, rows.encode()))[0] == 0
    assert outcome(checker, (certificate, ("\ufeff" + rows.replace("\n", "\r\n")[:-2]).encode()))[0] == 0
    other = "the certificate is about other data: the digest of the rows differs"
    for old, new in [("x1", "x2"), ("1/2", "1/3"), ("0 0 1/2", "0 1 1/2"), ("2 1", "2 2"), ("1/2", "2/4")]:
        assert refusal((certificate, rows.replace(old, new, 1).encode())) == (1, other)
    for old, new in [("0 0 1/2", "0 2 1/2"), ("0 0 1/2", "00 0 1/2"), ("0 0 1/2\n", ""), ("1/2\n", "1/2\n0 0 1\n")]:
        assert refusal((certificate, rows.replace(old, new, 1).encode()))[0] == 1
    assert outcome(checker, (certificate, rows.encode() + b"\0")) == (2, "'rows' holds NUL")
    fewer = changed(lemmas=[], classes=["0"], lower="1", upper=None, witness=None)  # the digest knows no classes
    assert refusal(fewer) == (1, "the table has 2 rows, the certificate 4")


def test_rows_of_cost_zero_are_dropped_before_the_digest(tmp_path):
    table = PlainTable(("1", "0"), (0, 1), costs=(Fraction(1), Fraction(2)), classes=("a", "b"), names=("x=1",))
    reading = {
        "format": "delimited",
        "delimiter": ",",
        "header": False,
        "label": 1,
        "missing": [],
        "skip_unlabelled": False,
    }
    own = {"tests": [["x=1", 0, "=", "1"]], "reading": reading, "row_costs": ["1", "0", "2"]}
    (tmp_path / "certificate").write_text(certificate_text(table, 1, **own))
    (tmp_path / "table").write_text("1,a\n5,b\n0,b\n")
    verdict = checker.check(str(tmp_path / "certificate"), str(tmp_path / "table"))
    assert verdict.header["rows"] == 2
    assert len(checker.sentences(verdict)) == 2  # a table is named by its tests: not a word of canonical rows


def test_a_file_of_more_bytes_than_the_limit_is_not_read(monkeypatch):
    files = certificate_text(XOR, 2).encode(), canonical_text(XOR).encode()
    monkeypatch.setattr(checker, "MOST_BYTES", len(files[0]))
    assert outcome(checker, files)[0] == 0
    monkeypatch.setattr(checker, "MOST_BYTES", len(files[0]) - 1)
    assert outcome(checker, files) == (2, f"'certificate': more than {len(files[0]) - 1} bytes")


def test_rows_of_many_costs_count_like_rows_of_few(monkeypatch):
    random = Random(5)
    for _ in range(40):
        table = random_table(random, most_tests=4, most_rows=10)
        for groups in (0, 2, 16):
            monkeypatch.setattr(checker, "MOST_COST_GROUPS", groups)
            assert_accepted(table, 3)


def said(table, depth, **options):
    files = certificate_text(table, depth, **options).encode(), canonical_text(table).encode()
    return checker.sentences(outcome(checker, files)[1])


CANONICAL = "The rows are canonical rows, whose digest the certificate names; it does not name their table."


def test_the_claim_is_said_in_sentences():
    any_tree = "decision tree over these 2 yes/no tests, of any depth,"
    best = "The tree in the certificate has 4 leaves and costs 4: no such tree costs less."
    assert said(XOR, None) == [f"Every {any_tree} has leaves + 3 * errors >= 4 on these 4 rows.", best, CANONICAL]
    one = PlainTable(XOR.rows, XOR.labels)
    assert said(one, 2, witness=None, upper=None)[0] == (
        "Every decision tree over these 2 yes/no tests, of depth at most 2, has leaves + errors >= 3 on these 4 rows."
    )
    none = PlainTable(XOR.rows, XOR.labels, price=None)
    assert said(none, None)[0] == f"Every {any_tree} that is without errors on these 4 rows has at least 4 leaves."
    assert said(none, 1)[0].startswith(
        "No decision tree over these 2 yes/no tests, of depth at most 1, is without errors"
    )
    rows = PlainTable(("0", "1") * 4, (0, 1) * 4, price=None)  # as many leaves as rows are not too many
    assert said(PlainTable(("0", "1"), (0, 1), price=None), 1)[0].endswith("on these 2 rows has at least 2 leaves.")
    assert said(rows, 1, min_samples_leaf=2)[0].startswith(
        "Every decision tree over these 1 yes/no tests, of depth at most 1 and with at least 2 rows in every leaf, that"
    )


def test_the_sentences_name_partitions_costs_and_gaps():
    table = PlainTable(
        ("0", "1"), (0, 1), price=Fraction(3), matrix=((Fraction(0), Fraction(2)), (Fraction(1), Fraction(0)))
    )
    lines = said(table, 1, kind="partition", witness=[-2], upper="7")
    assert lines[0].startswith(
        "Every partition of the rows by conjunctions of these 1 yes/no tests, of depth at most 1, has "
    )
    assert lines[0].endswith(" has leaves + 3 * cost of errors >= 2 on these 2 rows.")
    assert lines[1] == "The tree in the certificate has 1 leaves and costs 7: the best costs between 2 and 7."
    weighed = PlainTable(("0", "1"), (0, 1), costs=(Fraction(1), Fraction(1)))
    assert "cost of errors" in said(weighed, 1)[0]


CODE_OF = {"accepted": 0, "rejected": 1, "not readable": 2, "not checked": 3}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Certificates in a folder, by what is to come of them, beside the rows of one."""
    folder = tmp_path_factory.mktemp("certificates")
    table = PlainTable(
        tuple(f"{i:04b}" for i in range(16)), tuple(i.bit_count() % 2 for i in range(16)), price=Fraction(2)
    )
    accepted, rows = write_certificate(table, 4, folder)
    lines = accepted.read_text().split("\n")
    texts = {
        "rejected": "\n".join([lines[0].replace('"lower":"16"', '"lower":"17"'), *lines[1:]]),
        "not readable": "\n".join(lines[:-2]),
        "not checked": "\n".join([*lines[:-2], f"end {len(lines) - 3} {10**13} {10**3}", ""]),
    }
    for name, text in texts.items():
        assert text != accepted.read_text()
        (folder / name).write_text(text)
    return {"accepted": accepted, **{name: folder / name for name in texts}}, rows


def run(*arguments, folder=None, command=None):
    done = subprocess.run(
        [sys.executable, *(command or ["-I", "-S", "checker.py"]), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, cwd=folder, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_processes_of_the_checker_alone_in_an_empty_folder_give_the_four_exit_codes(written, tmp_path):
    shutil.copy(checker.__file__, tmp_path / "checker.py")
    certificates, rows = written
    for name, path in certificates.items():
        for jobs in (1, 2):
            code, out, err = run(path, rows, "--jobs", jobs, folder=tmp_path)
            assert code == CODE_OF[name], err
            if code == 0:
                assert err == ""
                assert out.split("\n")[-2].startswith("accepted: ")
            else:
                assert out == ""
                assert err.startswith(f"{name}: ")
                assert err.count("\n") == 1
    assert run(certificates["not checked"], rows, "--limit", 10**9, folder=tmp_path)[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["checker.py"]


@pytest.mark.skipif("CONJUNCT_SANITIZED" in os.environ, reason="the sanitizers take memory of their own")
def test_the_checker_sets_no_memory_aside_for_what_a_file_might_hold(written, tmp_path):
    shutil.copy(checker.__file__, tmp_path / "checker.py")
    certificates, rows = written
    limited = f"ulimit -v 500000; {sys.executable} -I -S checker.py {certificates['accepted']} {rows}"
    done = subprocess.run(limited, shell=True, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr  # what a file may hold is not set aside for it


def test_processes_of_the_checker_read_pipes_and_run_as_a_module(written, tmp_path):
    certificates, rows = written
    command = ["-m", "conjunct.certificates.checker"]
    with certificates["accepted"].open() as text:
        done = subprocess.run(
            [sys.executable, *command, "/dev/stdin", rows], stdin=text, capture_output=True, timeout=120, check=False
        )
    assert done.returncode == 0
    piped = f"cat {certificates['accepted']} | {sys.executable} -m conjunct.certificates.checker /dev/stdin {rows}"
    assert subprocess.run(piped, shell=True, capture_output=True, timeout=120, check=False).returncode == 0
    code, _, err = run(tmp_path / "nothing", rows, command=command)
    assert (code, err.count("\n")) == (2, 1)


def test_a_wrong_lemma_is_found_whichever_of_the_processes_has_it(written, tmp_path, capsys):
    certificates, rows = written
    lines = certificates["accepted"].read_text().split("\n")
    for k in (len(lines) - 3, len(lines) - 4):
        words = lines[k].split(" ")
        other = " ".join([*words[:2], str(int(words[2]) + 1), *words[3:]])
        (tmp_path / "wrong").write_text("\n".join([*lines[:k], other, *lines[k + 1 :]]))
        code, _, err = run(tmp_path / "wrong", rows, "--jobs", 2, command=[checker.__file__])
        assert (code, err) == (1, err)
        assert f"lemma {k - 1} is not proved" in err
        assert checker.main([str(tmp_path / "wrong"), str(rows)]) == 1
        assert capsys.readouterr().err == err
    n_lemmas, n_pairs, n_splits = map(int, lines[-2].split(" ")[1:])
    lines = [lines[0], "E 2 17", "E 2 17", *lines[1:]]  # of 4 splits, each of which needs counts, in two processes
    own = ["end", str(n_lemmas + 2), str(n_pairs + 32), str(n_splits)]
    for k, less in [(2, 1), (3, 1), (3, 0)]:
        end = [str(int(word) - less) if place == k else word for place, word in enumerate(own[1:], start=1)]
        (tmp_path / "less").write_text("\n".join([*lines[:-2], " ".join(["end", *end]), ""]))
        code, _, err = run(tmp_path / "less", rows, "--jobs", 3, command=[checker.__file__])
        assert code == less, err


def test_main_says_in_one_line_what_is_wrong(written, capsys, monkeypatch):
    certificates, rows = written
    arguments = [str(certificates["accepted"]), str(rows)]
    assert checker.main(arguments) == 0
    assert capsys.readouterr().out.endswith("lemmas proved\n")
    monkeypatch.setattr(checker, "MOST_JOBS", 1)
    assert checker.main([*arguments, "--jobs", "1"]) == 0
    monkeypatch.undo()
    capsys.readouterr()
    for jobs in ("0", "-1", "1001"):
        assert checker.main([*arguments, "--jobs", jobs]) == 2
        assert capsys.readouterr().err == f"not readable: --jobs {jobs}: expected 1 to 1000\n"
    assert checker.main([str(rows.parent), str(rows)]) == 2
    assert checker.main([str(rows.parent / "a\nb"), str(rows)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert checker.main([str(certificates["not checked"]), str(rows)]) == 3
    words = r"not checked: about (\d+) s predicted, the limit is 600; --limit \1 allows it\n"
    assert re.fullmatch(words, capsys.readouterr().err)
    for failure in (MemoryError(), BrokenExecutor()):
        monkeypatch.setattr(checker, "read_rows", lambda *_, failure=failure: (_ for _ in ()).throw(failure))
        assert checker.main(arguments) == 3
        assert capsys.readouterr().err == "not checked: it takes more memory than there is\n"


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_compressed_files_are_read_and_cut_ones_refused(pack):
    files = certificate_text(XOR, 2).encode(), canonical_text(XOR).encode()
    assert outcome(checker, (pack(files[0]), pack(files[1])))[0] == 0
    code, words = outcome(checker, (pack(files[0])[:-5], files[1]))
    assert code == 2
    assert words.startswith("'certificate': Compressed file ended before the end")
    assert outcome(checker, (files[0], pack(files[1])[:40]))[0] == 2


def test_the_checker_imports_the_standard_library_alone():
    words = [
        line.split()[1].split(".")[0]
        for line in Path(checker.__file__).read_text().split("\n")
        if line[:5] in ("impor", "from ")
    ]
    assert set(words) <= sys.stdlib_module_names
    assert Path(checker.__file__).read_text().count("\n") <= 600
