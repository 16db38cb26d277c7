"""What the checker of certificates accepts, and which lemmas it refuses in which words."""

from fractions import Fraction
from random import Random

import pytest

from conjunct.certificates import checker
from parts import parts
from reference.changed_certificates import XOR, assert_accepted, changed, refusal
from reference.naive_checker import naive_check
from reference.plain_trees import PlainTable, canonical_text, certificate_text
from reference.random_tables import PRICES, function_of_three, random_table
from reference.tampering import outcome


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
