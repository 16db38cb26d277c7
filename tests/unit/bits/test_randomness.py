from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from conjunct.bits.randomness import random_below, random_bits, random_flips, random_permutation, random_words
from conjunct.errors import SettingError

MASK = 2**64 - 1


def splitmix64(state: int, count: int) -> list[int]:
    """Step the published generator one word at a time."""
    words = []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        words.append(z ^ (z >> 31))
    return words


def test_seed_zero_gives_the_published_words():
    words = random_words(0, 3)
    assert words.dtype == np.uint64
    assert words.tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


@pytest.mark.parametrize("seed", [0, 1, 1234567, 2**63, MASK])
def test_stream_zero_is_the_sequential_generator(seed):
    assert random_words(seed, 200).tolist() == splitmix64(seed, 200)


def test_seeds_and_streams_are_taken_modulo_two_to_the_64():
    assert random_words(-1, 5).tolist() == random_words(MASK, 5).tolist()
    assert random_words(2**200 + 7, 5, stream=3).tolist() == random_words(7, 5, stream=3 - 2**64).tolist()
    assert random_words(np.int64(7), 5).tolist() == random_words(7, 5).tolist()


def test_a_stream_is_the_generator_started_elsewhere():
    mixed_seed = splitmix64(42 - 0x9E3779B97F4A7C15, 1)[0]
    start = splitmix64(mixed_seed, 9)[8]
    assert random_words(42, 50, stream=9).tolist() == splitmix64(start, 50)


def test_streams_and_seeds_share_no_word():
    words = [random_words(seed, 500, stream=stream) for seed in (0, 1, 2) for stream in range(20)]
    assert np.unique(np.concatenate(words)).size == 3 * 20 * 500


def test_bits_of_neighbouring_streams_agree_half_of_the_time():
    bits = [random_bits(5, 100_000, stream=stream) for stream in range(6)]
    for one, other in pairwise(bits):
        assert abs(int((one == other).sum()) - 50_000) < 800  # five standard deviations


def test_numpys_own_generators_are_not_used(monkeypatch):
    monkeypatch.setattr(np, "random", None)
    assert random_words(3, 20).size == random_bits(3, (4, 5)).size == random_permutation(3, 20).size == 20
    assert random_below(3, 10, 20).size == random_flips(3, 20, Fraction(1, 2)).size == 20


def test_asking_for_more_keeps_the_first():
    assert random_words(3, 100, stream=2)[:10].tolist() == random_words(3, 10, stream=2).tolist()
    assert random_bits(3, (100, 7), stream=2)[:10].tolist() == random_bits(3, (10, 7), stream=2).tolist()
    assert random_below(3, 3 * 2**61, 100, stream=2)[:10].tolist() == random_below(3, 3 * 2**61, 10, stream=2).tolist()
    rate = Fraction(1, 3)
    assert random_flips(3, 100, rate, stream=2)[:10].tolist() == random_flips(3, 10, rate, stream=2).tolist()


def test_bits_are_the_bits_of_the_words_from_the_least_significant_on():
    bits = random_bits(11, (3, 50), stream=4)
    expected = [word >> i & 1 for word in random_words(11, 3, stream=4).tolist() for i in range(64)][:150]
    assert bits.dtype == np.uint8
    assert bits.reshape(-1).tolist() == expected


def test_bits_are_fair():
    assert abs(int(random_bits(1, 1_000_000).sum()) - 500_000) < 2_500  # five standard deviations


@pytest.mark.parametrize("shape", [0, (0, 3), (3, 0)])
def test_empty_shapes_give_empty_arrays(shape):
    assert random_bits(0, shape).shape == (shape if isinstance(shape, tuple) else (shape,))


@pytest.mark.parametrize("n", [0, 1, 2, 100])
def test_a_permutation_holds_each_number_once(n):
    order = random_permutation(8, n)
    assert order.dtype == np.int64
    assert sorted(order.tolist()) == list(range(n))


def test_a_permutation_sorts_the_words():
    words = splitmix64(8, 40)
    assert random_permutation(8, 40).tolist() == sorted(range(40), key=words.__getitem__)


def test_all_permutations_of_three_are_equally_frequent():
    orders = [tuple(random_permutation(seed, 3, stream=1).tolist()) for seed in range(6000)]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert all(abs(count - 1000) < 150 for count in counts)


@pytest.mark.parametrize("bound", [1, 2, 6, 1000, 2**32 - 1, 2**32 + 1, 10**15, 2**62])
def test_draws_below_a_bound_are_high_words_of_exact_products(bound):
    draws = random_below(2, bound, 300)
    assert draws.dtype == np.int64
    assert draws.tolist() == [word * bound >> 64 for word in splitmix64(2, 300)]


def test_draws_below_two_to_the_63_drop_the_last_bit():
    assert random_below(2, 2**63, 50).tolist() == [word >> 1 for word in splitmix64(2, 50)]


def test_uneven_products_are_redrawn_and_only_they():
    bound = 3 * 2**61  # 2**64 mod bound is 2**62: a quarter of the words is uneven
    words = splitmix64(2, 4000)
    is_fair = [word * bound % 2**64 >= 2**64 % bound for word in words]
    draws = random_below(2, bound, 4000).tolist()
    assert 0.2 < is_fair.count(False) / 4000 < 0.3
    assert [d for d, fair in zip(draws, is_fair, strict=True) if fair] == [
        word * bound >> 64 for word, fair in zip(words, is_fair, strict=True) if fair
    ]
    assert all(0 <= draw < bound for draw in draws)
    # without redraws the residues modulo 3 would share the words 3 : 3 : 2
    residues = [sum(draw % 3 == residue for draw in draws) for residue in range(3)]
    assert all(abs(count - 4000 / 3) < 150 for count in residues)


def test_every_face_of_a_die_is_equally_frequent():
    counts = np.bincount(random_below(9, 6, 60_000), minlength=6)
    assert counts.size == 6
    assert np.abs(counts - 10_000).max() < 500


def test_flips_compare_words_with_the_exact_threshold():
    rate = Fraction(1, 3)
    expected = [word < 2**64 // 3 for word in splitmix64(4, 1000)]
    assert random_flips(4, 1000, rate).tolist() == expected
    assert 280 < expected.count(True) < 390


def test_rate_zero_never_flips_and_rate_one_always():
    assert not random_flips(0, 1000, Fraction(0)).any()
    assert random_flips(0, 1000, Fraction(1)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: random_words(0, -1), "count=-1"),
        (lambda: random_words(0.5, 1), "seed=0.5"),
        (lambda: random_words(0, 1, stream="a"), "stream='a'"),
        (lambda: random_bits(0, (2, -3)), "shape=-3"),
        (lambda: random_permutation(0, -2), "n=-2"),
        (lambda: random_below(0, 0, 1), "bound=0"),
        (lambda: random_below(0, 2**63 + 1, 1), "bound=9223372036854775809"),
        (lambda: random_below(0, 2, 1.5), "count=1.5"),
        (lambda: random_flips(0, 1, Fraction(3, 2)), "rate=3/2"),
        (lambda: random_flips(0, 1, Fraction(-1, 2)), "rate=-1/2"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, message):
    with pytest.raises(SettingError) as caught:
        call()
    assert message in str(caught.value)
