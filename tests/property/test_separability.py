import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix, separable
from conjunct.exact.simplex import balance_or_weights
from reference.threshold_functions import agrees_with_a_threshold, cube
from strategies import seeded, tables


@st.composite
def labelled_places(draw):
    """Places of a small cube, some of them twice, with labels of both kinds."""
    n_variables = draw(st.integers(1, 4))
    places = draw(st.lists(st.integers(0, 2**n_variables - 1), min_size=2, max_size=20))
    labels = draw(st.lists(st.booleans(), min_size=len(places), max_size=len(places)))
    labels[0], labels[-1] = False, True
    return n_variables, places, labels


@seeded
@given(labelled_places())
def test_the_answer_is_that_of_all_threshold_functions(case):
    n_variables, places, labels = case
    rows = cube(n_variables)[places]
    found = separable(rows, labels)
    assert found.is_separable is agrees_with_a_threshold(n_variables, places, labels)
    assert found.verify(rows, labels)
    if not found:
        assert sum(number > 0 for number in found.multipliers) <= n_variables + 2


@seeded
@given(tables(min_rows=2, max_rows=30), st.data())
def test_every_answer_is_proved_and_the_rational_simplex_agrees(rows, data):
    signs = np.array(data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(rows), max_size=len(rows))))
    signs[0], signs[-1] = -1, 1
    found = separable(rows, signs)
    assert found.is_separable is not None
    assert found.verify(rows, signs)
    signed = np.hstack((rows.astype(np.int64), -np.ones((len(rows), 1), np.int64))) * signs[:, None]
    balance, weights, _ = balance_or_weights(signed, 10_000)
    assert (balance is None) is found.is_separable
    assert (weights is None) is not found.is_separable


@seeded
@given(tables(n_variables=6, min_rows=2, max_rows=40), st.data())
def test_larger_conjunctions_never_lose_an_answer(rows, data):
    cells = np.unique(rows, axis=0)
    labels = np.array(data.draw(st.lists(st.booleans(), min_size=len(cells), max_size=len(cells))))
    if labels.all() or not labels.any():
        return
    answers = [separable(BitMatrix.of(cells), labels, max_size) for max_size in range(1, 7)]
    assert all(answer.verify(cells, labels) for answer in answers)
    assert [bool(answer) for answer in answers] == sorted(bool(answer) for answer in answers)
    assert answers[-1]
