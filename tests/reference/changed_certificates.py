"""Certificates of small tables, changed and unchanged, before both checkers."""

from fractions import Fraction
from math import inf

from conjunct.certificates import checker
from reference.naive_checker import naive_check
from reference.plain_trees import PlainTable, PlainTrees, canonical_text, certificate_text
from reference.tampering import assembled, outcome, parsed

__all__ = ["XOR", "assert_accepted", "changed", "refusal"]

XOR = PlainTable(("00", "01", "10", "11"), (0, 1, 1, 0), price=Fraction(3))


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


def changed(table=XOR, depth=2, lemmas=None, end="", **header):
    """The certificate of a table with other lemmas or another header; its digest and its bound fit them."""
    files = certificate_text(table, depth).encode(), canonical_text(table).encode()
    own, old, table = parsed(files)
    return assembled(own | header, old if lemmas is None else lemmas, table, end)


def refusal(files):
    code, sentence = outcome(checker, files)
    assert not naive_check(*files).accepted
    return code, sentence
