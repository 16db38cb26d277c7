"""Random words, bits, permutations and flips that are the same bytes on every platform and numpy version."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.errors import SettingError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["derived_seed", "random_below", "random_bits", "random_flips", "random_permutation", "random_words"]

_MASK = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15
_MULTIPLIERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def random_words(seed: int, count: int, *, stream: int = 0) -> NDArray[np.uint64]:
    """Random 64-bit words; word i depends only on seed, stream and i.

    Parameters
    ----------
    seed : int
        Any integer, taken modulo 2**64.
    count : int
        How many words.
    stream : int, default=0
        Which of the 2**64 unrelated sequences of this seed, taken modulo 2**64.

    Returns
    -------
    ndarray of uint64, shape (count,)

    Notes
    -----
    Stream 0 is SplitMix64 as published [steele2014]: word i is mix(seed + (i + 1) * gamma) modulo 2**64. Stream
    s > 0 is the same sequence started at mix(mix(seed) + s * gamma) instead of seed, so no two streams of a seed start
    at the same place.
    It is a generator for experiments, not for secrets.

    Examples
    --------
    >>> [hex(word) for word in random_words(0, 2).tolist()]
    ['0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4']
    """
    return _words_at(_start(seed, stream), np.arange(_natural("count", count), dtype=np.uint64))


def derived_seed(seed: int, *numbers: int) -> int:
    """Return a seed of its own for each list of numbers, such as a setting and a repetition.

    Examples
    --------
    >>> derived_seed(0, 64, 1) != derived_seed(0, 64, 2) != derived_seed(1, 64, 2)
    True
    """
    for number in numbers:
        seed = int(random_words(seed, 1, stream=number + 1)[0])
    return seed


def random_bits(seed: int, shape: int | tuple[int, ...], *, stream: int = 0) -> NDArray[np.uint8]:
    """Fair coins, 0 or 1, in an array of the given shape.

    Entry j, in row-major order, is bit j mod 64 (the least significant is bit 0) of random word j // 64, so asking
    for more rows of the same width keeps the first ones.

    Parameters
    ----------
    seed, stream : int
        As in `random_words`.
    shape : int or tuple of int
        Shape of the result.

    Returns
    -------
    ndarray of uint8

    Examples
    --------
    >>> random_bits(0, (2, 4)).tolist()
    [[1, 1, 1, 1], [0, 1, 0, 1]]
    """
    sides = tuple(_natural("shape", side) for side in (shape if isinstance(shape, tuple) else (shape,)))
    count = math.prod(sides)
    octets = random_words(seed, -(-count // 64), stream=stream).astype("<u8").view(np.uint8)
    return np.unpackbits(octets, count=count, bitorder="little").reshape(sides)


def random_permutation(seed: int, n: int, *, stream: int = 0) -> NDArray[np.int64]:
    """Numbers 0 .. n - 1 in random order.

    Parameters
    ----------
    seed, stream : int
        As in `random_words`.
    n : int
        How many numbers.

    Returns
    -------
    ndarray of int64, shape (n,)
        The order that sorts the first n random words; equal words keep their order.

    Examples
    --------
    >>> random_permutation(0, 5).tolist()
    [2, 4, 1, 0, 3]
    """
    words = random_words(seed, _natural("n", n), stream=stream)
    return np.argsort(words, kind="stable").astype(np.int64)


def random_below(seed: int, bound: int, count: int, *, stream: int = 0) -> NDArray[np.int64]:
    """Random integers in 0 .. bound - 1, each equally likely.

    Parameters
    ----------
    seed, stream : int
        As in `random_words`.
    bound : int
        How many different integers, from 1 to 2**63.
    count : int
        How many draws.

    Returns
    -------
    ndarray of int64, shape (count,)
        Draw i depends only on seed, stream, bound and i.

    Notes
    -----
    Draw i is the high word of the 128-bit product word * bound. A product whose low word is below 2**64 mod bound
    is redrawn, after which every integer has exactly floor(2**64 / bound) words that lead to it [lemire2019].
    Redraws take word i of further sequences.

    Examples
    --------
    >>> random_below(0, 6, 8).tolist()
    [5, 2, 0, 5, 0, 1, 1, 4]
    """
    bound = _natural("bound", bound)
    if not 1 <= bound <= 2**63:
        raise SettingError(f"bound={shortened(bound)} is out of range; expected an integer from 1 to 2**63.")
    start = _start(seed, stream)
    pending = np.arange(_natural("count", count), dtype=np.uint64)
    draws = np.zeros(pending.size, dtype=np.int64)
    n_redraws = 0
    while pending.size:
        words = _words_at(start if n_redraws == 0 else _start(~start, n_redraws), pending)
        is_fair = words * np.uint64(bound) >= np.uint64(2**64 % bound)
        draws[pending[is_fair].astype(np.int64)] = _high_words(words[is_fair], bound).astype(np.int64)
        pending = pending[~is_fair]
        n_redraws += 1
    return draws


def random_flips(seed: int, count: int, rate: Fraction, *, stream: int = 0) -> NDArray[np.bool_]:
    """Independent coins, each true with probability `rate`.

    Parameters
    ----------
    seed, stream : int
        As in `random_words`.
    count : int
        How many coins.
    rate : Fraction
        Probability of true, from 0 to 1. A coin is true iff its word is below floor(rate * 2**64).

    Returns
    -------
    ndarray of bool, shape (count,)

    Examples
    --------
    >>> int(random_flips(0, 1000, Fraction(1, 10)).sum())
    92
    """
    if not 0 <= rate <= 1:
        raise SettingError(f"rate={shortened(rate)} is not a probability; expected a Fraction from 0 to 1.")
    words = random_words(seed, count, stream=stream)
    threshold = int(Fraction(rate) * 2**64)
    return words <= np.uint64(threshold - 1) if threshold else np.zeros(words.size, dtype=np.bool_)


def _start(seed: int, stream: int) -> int:
    """Where the sequence of a stream starts; stream 0 starts at the seed."""
    seed, stream = _integer("seed", seed) & _MASK, _integer("stream", stream) & _MASK
    return _mix(_mix(seed) + stream * _GAMMA) if stream else seed


def _mix(value: int) -> int:
    """Scramble a 64-bit word by the bijection that ends SplitMix64."""
    value &= _MASK
    value = (value ^ value >> 30) * _MULTIPLIERS[0] & _MASK
    value = (value ^ value >> 27) * _MULTIPLIERS[1] & _MASK
    return value ^ value >> 31


def _words_at(start: int, positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Words mix(start + (i + 1) * gamma) for each position i: integer arrays wrap in silence, scalars would warn."""
    words = (positions + np.uint64(1)) * np.uint64(_GAMMA) + np.uint64(start)
    words = (words ^ words >> np.uint64(30)) * np.uint64(_MULTIPLIERS[0])
    words = (words ^ words >> np.uint64(27)) * np.uint64(_MULTIPLIERS[1])
    return words ^ words >> np.uint64(31)


def _high_words(words: NDArray[np.uint64], bound: int) -> NDArray[np.uint64]:
    """floor(word * bound / 2**64), from four products of 32-bit halves that cannot overflow."""
    half, low_half = np.uint64(32), np.uint64(2**32 - 1)
    bound_high, bound_low = np.uint64(bound >> 32), np.uint64(bound & 2**32 - 1)
    high, low = words >> half, words & low_half
    middle = high * bound_low + (low * bound_low >> half)
    carry = low * bound_high + (middle & low_half) >> half
    product_high: NDArray[np.uint64] = high * bound_high + (middle >> half) + carry
    return product_high


def _integer(name: str, value: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise SettingError(f"{name}={shortened(value)} is not an integer.") from None


def _natural(name: str, value: int) -> int:
    number = _integer(name, value)
    if number < 0:
        raise SettingError(f"{name}={shortened(number)} is negative; expected 0 or more.")
    return number
