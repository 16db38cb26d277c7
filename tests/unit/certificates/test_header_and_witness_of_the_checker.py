"""Headers, rows and witnesses: what the checker of certificates reads, and what it refuses in which words."""

from fractions import Fraction
from random import Random

import pytest

from conjunct.certificates import checker
from reference.changed_certificates import XOR, assert_accepted, changed, refusal
from reference.naive_checker import naive_check
from reference.plain_trees import PlainTable, canonical_text, certificate_text
from reference.random_tables import random_table
from reference.tampering import outcome


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


@pytest.mark.parametrize("witness", [[0, 1, -1, -2, -2], [0, -2, 1, -2, -1]])
def test_each_side_of_a_test_is_a_level_deeper(witness):
    said = []
    for depth in (1, 2):
        text = certificate_text(XOR, depth, witness=witness, upper="6")
        said.append(outcome(checker, (text.encode(), canonical_text(XOR).encode())))
    assert said[0] == (1, "the witness is deeper than the claim")
    assert said[1][0] == 0
