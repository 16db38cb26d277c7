"""Either weights separate or multipliers cancel, never both, for every function of few variables [gordan1873]."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from conjunct import BitMatrix, separable
from reference.threshold_functions import cube, threshold_functions

COUNTS = {1: 4, 2: 14, 3: 104, 4: 1882}


def truth(function, n_variables):
    return (function >> np.arange(2**n_variables) & 1).astype(bool)


def answer(function, n_variables):
    """Ask about one function, constants apart, and have the evidence checked."""
    labels = truth(function, n_variables)
    found = separable(BitMatrix.of(cube(n_variables)), labels)
    assert found.verify(cube(n_variables), labels)
    return found.is_separable


@pytest.mark.parametrize("n_variables", COUNTS)
def test_small_weights_reach_every_threshold_function(n_variables):
    assert len(threshold_functions(n_variables)) == COUNTS[n_variables]


@pytest.mark.parametrize("n_variables", [1, 2, 3])
def test_every_function_of_three_variables_is_decided(n_variables):
    last = 2**2**n_variables - 1
    separated = {0, last} | {function for function in range(1, last) if answer(function, n_variables)}
    assert separated == threshold_functions(n_variables)


def orbits(n_variables):
    """Yield each function that is the first of its class under permuted and negated inputs and negated output."""
    places = np.arange(2**n_variables)
    moves = []
    for order in permutations(range(n_variables)):
        permuted = sum((places >> source & 1) << target for target, source in enumerate(order))
        moves.extend(permuted ^ flips for flips in range(2**n_variables))
    targets = 1 << np.array(moves)
    seen = np.zeros(2**2**n_variables, bool)
    for function in range(2**2**n_variables):
        if not seen[function]:
            images = targets @ truth(function, n_variables).astype(np.int64)
            both = np.unique(np.concatenate((images, 2**2**n_variables - 1 - images)))
            seen[both] = True
            yield function, both


def test_1882_of_the_65536_functions_of_four_variables_are_separable():
    classes = list(orbits(4))
    assert len(classes) == 222
    assert sum(len(members) for _, members in classes) == 65536
    separated = set()
    for function, members in classes:
        if function == 0 or answer(function, 4):
            separated.update(members.tolist())
    assert len(separated) == 1882
    assert separated == threshold_functions(4)


def test_parity_needs_the_conjunction_of_all_its_variables():
    for n_variables in (2, 3, 4):
        labels = cube(n_variables).sum(axis=1) % 2
        for max_size in range(1, n_variables + 1):
            found = separable(cube(n_variables), labels, max_size)
            assert found.is_separable is (max_size == n_variables)
            assert found.verify(cube(n_variables), labels)
        assert set(separable(cube(n_variables), labels, n_variables - 1).multipliers) == {1}
