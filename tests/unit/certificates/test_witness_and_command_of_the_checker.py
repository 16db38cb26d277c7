"""The tree in a certificate, node by node, and the command that checks it."""

from fractions import Fraction

import pytest

from conjunct.certificates import checker
from reference.plain_trees import PlainTable, canonical_text, certificate_text
from reference.tampering import outcome

XOR = PlainTable(("00", "01", "10", "11"), (0, 1, 1, 0), price=Fraction(3))


def said_of(table, depth, **header):
    """0 or the code of a refusal, and its sentence."""
    return outcome(checker, (certificate_text(table, depth, **header).encode(), canonical_text(table).encode()))


@pytest.mark.parametrize("witness", [[0, 1, -1, -2, -2], [0, -2, 1, -2, -1]])
def test_each_side_of_a_test_is_a_level_deeper(witness):
    assert said_of(XOR, 1, witness=witness, upper="6") == (1, "the witness is deeper than the claim")
    assert said_of(XOR, 2, witness=witness, upper="6")[0] == 0


def test_the_help_says_what_is_checked(capsys):
    with pytest.raises(SystemExit) as ended:
        checker.main(["--help"])
    assert ended.value.code == 0
    assert "Check what a certificate claims about every decision tree" in " ".join(capsys.readouterr().out.split())
