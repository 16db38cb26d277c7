import numpy as np
import pytest

from conjunct import BitMatrix, _core
from conjunct.errors import BitsError

ROWS = BitMatrix.of(["10110", "00000"])


@pytest.mark.parametrize(
    ("starts", "literals", "labels", "said"),
    [
        ([0], [], [True], "starts: expected 2 numbers, for 1 labels"),
        ([], [], [], "starts: expected 1 numbers"),
        ([0, 2], [0], [True], "rising from 0 to 1, the number of literals"),
        ([1, 1], [0], [True], "starts: expected"),
        ([0, 2, 1, 3], [0, 0, 0], [1, 1, 1], "starts: expected"),
        ([0, 1], [0], [[True]], "starts: expected"),
        ([0, 1], [10], [True], "literal 10: expected 0 to 9 for 5 variables"),
        ([0, 1], [-1], [True], "literal -1: expected 0 to 9"),
        ([0, 1], [2**33], [True], "literals: a number does not fit int32"),
        ([0, 1], [0.0], [True], "literals: expected a flat array of integers, got float64"),
        ([[0, 1]], [0], [True], "starts: expected a flat array of integers"),
    ],
)
def test_rules_that_are_none_are_refused(starts, literals, labels, said):
    with pytest.raises(BitsError, match=said):
        ROWS.decide(starts, literals, labels, False)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1] * 4, "5 variables need as many weights, got 4"),
        ([1.0] * 5, "weights: expected a flat array of integers, got float64"),
        ([2**61, -(2**61), 0, 0, 0], r"add up to 2\*\*62 or more"),
        ([-(2**63), 0, 0, 0, 0], r"add up to 2\*\*62 or more"),
        (np.array([2**63, 0, 0, 0, 0], np.uint64), "weights: a number does not fit int64"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, said):
    with pytest.raises(BitsError, match=said):
        ROWS.weighted_sums(weights)


def integers(*values, dtype=np.int64):
    return np.array(values, dtype)


@pytest.mark.parametrize(
    ("starts", "literals", "labels", "n_out"),
    [
        (integers(0, 2), integers(0, dtype=np.int32), integers(1, dtype=np.uint8), 2),
        (integers(0, 1), integers(10, dtype=np.int32), integers(1, dtype=np.uint8), 2),
        (integers(0, 1), integers(-1, dtype=np.int32), integers(1, dtype=np.uint8), 2),
        (integers(0, 1), integers(0, dtype=np.int32), integers(2, dtype=np.uint8), 2),
        (integers(0, 1), integers(0, dtype=np.int32), integers(1, dtype=np.uint8), 1),
        (integers(), integers(dtype=np.int32), integers(dtype=np.uint8), 2),
    ],
)
def test_the_core_refuses_rules_that_would_lead_it_astray(starts, literals, labels, n_out):
    with pytest.raises(ValueError, match=r"^(starts|literals|labels|out):"):
        _core.first_rule(ROWS.words, 5, starts, literals, labels, False, 1, np.empty(n_out, np.uint8))


def test_the_core_refuses_weights_and_widths_that_would_lead_it_astray():
    out = np.empty(2, np.int64)
    for weights in (np.ones(65, np.int64), np.full(5, 2**61), np.full(5, -(2**63))):
        with pytest.raises(ValueError, match=r"^weights:"):
            _core.weighted_sums(ROWS.words, weights, 1, out)
    with pytest.raises(ValueError, match=r"^out:"):
        _core.weighted_sums(ROWS.words, np.ones(5, np.int64), 1, out[:1])


def test_the_core_refuses_numbers_of_variables_past_all_rows():
    no_words, out = np.zeros((2, 0), np.uint64), np.empty(2, np.uint8)
    for n_variables in (1, 2**64 - 62, 2**64 - 1):
        with pytest.raises(ValueError, match=r"^words: wrong width"):
            _core.first_rule(
                no_words, n_variables, integers(0, 1), integers(0, dtype=np.int32), np.ones(1, np.uint8), False, 1, out
            )
        with pytest.raises(ValueError, match=r"^words: wrong shape"):
            _core.pack_sparse(integers(0, 1, 1), integers(0), np.ones(1, np.uint8), n_variables, no_words.copy())


@pytest.mark.parametrize("labels", [[-1], [2], [0.5], ["no"], [None]])
def test_labels_that_are_not_true_or_false_are_refused(labels):
    with pytest.raises(BitsError, match=r"^labels: expected True and False, or 1 and 0$"):
        ROWS.decide([0, 1], [0], labels, default=True)
    assert ROWS.decide([0, 1], [0], [1], default=True).tolist() == ROWS.decide([0, 1], [0], [True], True).tolist()
