from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.datasets import random_dnf
from conjunct.errors import SettingError

GOOD = {"n_variables": 10, "n_terms": 4, "term_size": 3, "n_rows": 50, "seed": 7}


def parse(target):
    """Terms as sets of (variable name, wanted value)."""
    return [
        {(literal.lstrip("~"), int(not literal.startswith("~"))) for literal in term.split(" & ")}
        for term in target.split(" | ")
    ]


def slow_labels(table):
    terms = parse(table.target)
    labels = []
    for row in table.rows.to_array().tolist():
        literals = set(zip(table.rows.names, row, strict=True))
        labels.append(int(any(term <= literals for term in terms)))
    return labels


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("monotone", [False, True])
def test_labels_are_the_value_of_the_target(seed, monotone):
    table = random_dnf(12, 5, term_size=3, n_rows=400, seed=seed, monotone=monotone)
    assert table.rows.names == tuple(f"x{i}" for i in range(1, 13))
    assert table.labels.dtype == np.int64
    assert table.labels.tolist() == slow_labels(table)
    assert 0 < table.labels.sum() < 400


def test_terms_differ_and_have_the_size_asked_for():
    terms = parse(random_dnf(6, 40, term_size=3, n_rows=1, seed=0).target)
    assert len({frozenset(term) for term in terms}) == 40
    assert all(len({name for name, _ in term}) == 3 for term in terms)


@pytest.mark.parametrize(("monotone", "n_possible"), [(False, 12), (True, 3)])
def test_every_possible_term_can_be_asked_for_and_no_more(monotone, n_possible):
    terms = parse(random_dnf(3, n_possible, term_size=2, n_rows=1, seed=0, monotone=monotone).target)
    assert len({frozenset(term) for term in terms}) == n_possible
    with pytest.raises(SettingError, match=f"n_terms={n_possible + 1}: .* from 1 to {n_possible}"):
        random_dnf(3, n_possible + 1, term_size=2, n_rows=1, seed=0, monotone=monotone)


def test_signs_are_mixed_unless_monotone():
    assert "~" not in random_dnf(30, 20, term_size=5, n_rows=1, seed=3, monotone=True).target
    n_negated = random_dnf(30, 20, term_size=5, n_rows=1, seed=3).target.count("~")
    assert 25 < n_negated < 75


def test_rows_are_uniform():
    bits = random_dnf(3, 1, term_size=1, n_rows=16_000, seed=2).rows.to_array()
    counts = np.bincount(bits @ np.array([4, 2, 1]), minlength=8)
    assert np.abs(counts - 2000).max() < 210  # five standard deviations


def test_a_seed_reproduces_the_table_and_another_gives_another():
    first, again = random_dnf(**GOOD, noise=0.2), random_dnf(**GOOD, noise=0.2)
    other = random_dnf(**{**GOOD, "seed": 8}, noise=0.2)
    assert first.target == again.target != other.target
    assert np.array_equal(first.rows.to_array(), again.rows.to_array())
    assert np.array_equal(first.labels, again.labels)
    assert not np.array_equal(first.rows.to_array(), other.rows.to_array())


def test_more_rows_keep_the_formula_and_the_first_rows():
    short, long = random_dnf(**GOOD, noise="1/3"), random_dnf(**{**GOOD, "n_rows": 500}, noise="1/3")
    assert short.target == long.target
    assert np.array_equal(short.rows.to_array(), long.rows.to_array()[:50])
    assert np.array_equal(short.labels, long.labels[:50])


def test_noise_flips_labels_at_the_rate_asked_for():
    settings = {**GOOD, "n_rows": 20_000}
    clean, noisy = random_dnf(**settings), random_dnf(**settings, noise=0.1)
    assert clean.target == noisy.target
    assert np.array_equal(clean.rows.to_array(), noisy.rows.to_array())
    is_flipped = clean.labels != noisy.labels
    for label in (0, 1):
        assert abs(is_flipped[clean.labels == label].mean() - 0.1) < 0.015


def test_noise_does_not_depend_on_the_rows():
    settings = {**GOOD, "n_variables": 64, "n_rows": 4000}  # each row is one random word
    clean, noisy = random_dnf(**settings), random_dnf(**settings, noise="1/2")
    is_flipped = clean.labels != noisy.labels
    n_agreements = (clean.rows.to_array() == is_flipped[:, np.newaxis]).sum(axis=0)
    assert np.abs(n_agreements - 2000).max() < 160  # five standard deviations


def test_noise_means_the_same_in_every_spelling():
    labels = [random_dnf(**GOOD, noise=noise).labels.tolist() for noise in (0.1, "1/10", "0.1", Fraction(1, 10))]
    assert labels.count(labels[0]) == 4


def test_noise_one_flips_every_label():
    assert np.array_equal(random_dnf(**GOOD, noise=1).labels, 1 - random_dnf(**GOOD).labels)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_variables", 0),
        ("n_variables", "10"),
        ("n_terms", 0),
        ("n_terms", 10**6),
        ("term_size", 0),
        ("term_size", 11),
        ("n_rows", 0),
        ("n_rows", 2.5),
        ("seed", "seven"),
        ("noise", -0.1),
        ("noise", 1.5),
        ("noise", "some"),
    ],
)
def test_bad_arguments_are_refused_by_name(name, value):
    with pytest.raises(SettingError) as caught:
        random_dnf(**{**GOOD, name: value})
    assert f"{name}={value!r}" in str(caught.value)
