from __future__ import annotations

from fractions import Fraction

from conjunct.bits import random_words
from conjunct.theory import conjunction_table, floor_carry_sign, signed_histogram, signed_sum, votes


def test_the_carries_give_the_sign_of_the_sum_on_thousands_of_histograms():
    for seed in range(3000):
        words = random_words(seed, 1 + seed % 12)
        histogram = [int(w % 7) - 3 for w in words.tolist()]
        value = sum(count << s for s, count in enumerate(histogram))
        assert floor_carry_sign(histogram) == (value > 0) - (value < 0)


def test_a_histogram_has_the_same_sum_as_the_terms():
    table = conjunction_table(6, max_size=2)
    indices, weights = [0, 6, 3, 3, 5], [4, -1, 2, 2, -7]
    direct = sum((w * table[i] for i, w in zip(indices, weights, strict=True)), Fraction(0))
    assert signed_sum(signed_histogram(indices, weights, 7), table) == direct


def test_a_tie_votes_for():
    assert votes([Fraction(1, 2)], [3], Fraction(1, 2)) == 3
