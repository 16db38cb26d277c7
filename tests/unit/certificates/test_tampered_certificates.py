"""Tampered certificates: two checkers agree on every one, and none is accepted with a false claim."""

from random import Random

import pytest

from conjunct.certificates import checker
from parts import parts
from reference.naive_checker import naive_check
from reference.plain_trees import canonical_text, certificate_text
from reference.random_tables import random_table
from reference.tampering import changed_numbers, forgeries, is_true, outcome, spoiled, truncated


def certificate_with_lemmas(seed):
    """Draw a small certificate of three lemmas or more."""
    random = Random(seed)
    while True:
        table = random_table(random, most_tests=3, most_rows=8)
        options = {"with_hints": table.least_rows == 1, "with_chains": seed % 2 == 0}
        text = certificate_text(table, random.choice([None, 2, 3]), **options)
        if text.count("\n") > 4:
            return text.encode(), canonical_text(table).encode()


def accepted(files):
    """Hold the checkers against each other and what they accept against all trees; return whether they accept."""
    code, said = outcome(checker, files)
    naive = naive_check(*files)
    assert naive.accepted == (code == 0), (files, code, said, naive)
    if code == 0:
        assert said.lower == naive.lower, files
        assert is_true(files), files
    return code == 0


@pytest.mark.parametrize("part", parts(20, quick=1))
def test_no_forged_proof_makes_a_false_claim_pass(part):
    verdicts = [accepted(files) for files in forgeries(Random(part), 1000)]
    assert 250 < sum(verdicts) < 500  # what is still true passes, so that the checkers are not merely strict


@pytest.mark.parametrize("part", parts(10, quick=1))
def test_a_certificate_cut_at_any_byte_is_not_readable(part):
    files = certificate_with_lemmas(part)
    assert accepted(files)
    assert [outcome(checker, cut)[0] for cut in truncated(files)] == [2] * len(files[0])
    assert not any(naive_check(*cut).accepted for cut in truncated(files))


@pytest.mark.parametrize("part", parts(10, quick=1))
def test_no_changed_number_makes_a_false_claim_pass(part):
    verdicts = [accepted(files) for files in changed_numbers(certificate_with_lemmas(part))]
    assert len(verdicts) > 200
    assert sum(verdicts) < len(verdicts) / 6


@pytest.mark.parametrize("part", parts(10, quick=1))
def test_no_spoiled_file_is_read_as_another_claim(part):
    verdicts = [accepted(files) for files in spoiled(certificate_with_lemmas(part), Random(part))]
    assert len(verdicts) > 600
    assert sum(verdicts) < len(verdicts) / 12
