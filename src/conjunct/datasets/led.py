"""Digits on a seven-segment display whose segments fail at random, and the exact error no classifier can beat."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_below, random_bits, random_flips
from conjunct.settings import flag, probability, whole_number
from conjunct.tables.table import Table

if TYPE_CHECKING:
    from conjunct.theory import Exact

__all__ = ["led", "led_bayes_error", "led_shares"]

_NAMES = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")
_DIGITS = (
    (1, 1, 1, 0, 1, 1, 1),
    (0, 0, 1, 0, 0, 1, 0),
    (1, 0, 1, 1, 1, 0, 1),
    (1, 0, 1, 1, 0, 1, 1),
    (0, 1, 1, 1, 0, 1, 0),
    (1, 1, 0, 1, 0, 1, 1),
    (1, 1, 0, 1, 1, 1, 1),
    (1, 0, 1, 0, 0, 1, 0),
    (1, 1, 1, 1, 1, 1, 1),
    (1, 1, 1, 1, 0, 1, 1),
)
_DIGIT_STREAM, _FLIP_STREAM, _EXTRA_STREAM = 0, 1, 2


def led(
    n_rows: int, *, seed: int, noise: Exact = Fraction(1, 10), two_classes: bool = False, irrelevant: int = 0
) -> Table:
    """Random digits on a seven-segment display, each segment flipped with a given probability.

    Parameters
    ----------
    n_rows : int
        Number of rows, at least 1.
    seed : int
        Seed of digits, flips and irrelevant variables. The first rows stay the same when `n_rows` grows; the digits
        stay the same when `noise` changes.
    noise : int, float, str or Fraction, default=1/10
        Probability that a segment is flipped, from 0 to 1. A float means the decimal it prints as: 0.1 is 1/10.
    two_classes : bool, default=False
        Label 1 for the digits 0 to 4 and 0 for 5 to 9, instead of the digit itself.
    irrelevant : int, default=0
        Number of further variables, extra1, extra2, ..., each a fair coin; 17 make the usual harder form.

    Returns
    -------
    Table
        Variables ``top``, ``upper_left``, ``upper_right``, ``middle``, ``lower_left``, ``lower_right`` and ``bottom``,
        then the irrelevant ones. The label is the digit shown, whatever the flips did to it.

    Examples
    --------
    >>> table = led(4, seed=0, noise=0)
    >>> table.labels.tolist(), table.rows.to_array()[0].tolist()
    ([8, 4, 0, 9], [1, 1, 1, 1, 1, 1, 1])
    """
    n_rows = whole_number(n_rows, "n_rows")
    irrelevant = whole_number(irrelevant, "irrelevant", least=0)
    rate = probability(noise, "noise")
    two_classes = flag(two_classes, "two_classes")
    digits = random_below(seed, 10, n_rows, stream=_DIGIT_STREAM)
    flips = random_flips(seed, n_rows * len(_NAMES), rate, stream=_FLIP_STREAM).reshape(n_rows, len(_NAMES))
    segments = np.array(_DIGITS, dtype=np.uint8)[digits] ^ flips
    extra = random_bits(seed, (n_rows, irrelevant), stream=_EXTRA_STREAM)
    names = [*_NAMES, *(f"extra{number}" for number in range(1, irrelevant + 1))]
    labels = (digits < 5).astype(np.int64) if two_classes else digits
    shown = "1 for the digits 0-4, 0 for 5-9" if two_classes else "the digit"
    target = f"{shown} on a seven-segment display before each segment is flipped with probability {rate}"
    return Table("led", BitMatrix.from_array(np.hstack([segments, extra]), names), labels, target)


def led_bayes_error(noise: Exact = Fraction(1, 10), *, two_classes: bool = False) -> Fraction:
    """Return the exact error of the best possible classifier of `led` rows.

    Parameters
    ----------
    noise : int, float, str or Fraction, default=1/10
        Probability that a segment is flipped.
    two_classes : bool, default=False
        Whether the digits 0 to 4 are told from 5 to 9, or all ten from each other.

    Returns
    -------
    Fraction

    Notes
    -----
    A digit d shows the pattern p with probability q(p, d) = noise**h (1 - noise)**(7 - h), h the number of segments
    in which they differ. The best classifier names on each pattern the class whose digits show it most often, so its
    error is 1 - sum over the 128 patterns of the largest, over the classes c, of the sum of q(p, d) / 10 over d in c.

    Examples
    --------
    >>> led_bayes_error(two_classes=True), float(led_bayes_error(two_classes=True))
    (Fraction(870491, 6250000), 0.13927856)
    """
    return 1 - sum(
        (max(shares.values()) for shares in led_shares(noise, two_classes=two_classes).values()), Fraction(0)
    )


def led_shares(
    noise: Exact = Fraction(1, 10), *, two_classes: bool = False
) -> dict[tuple[int, ...], dict[int, Fraction]]:
    """Return the exact probability of each pattern of the seven segments together with each label.

    Parameters
    ----------
    noise, two_classes
        As in `led`, whose labels these are.

    Examples
    --------
    >>> shares = led_shares(noise=0, two_classes=True)
    >>> len(shares), shares[1, 1, 1, 1, 1, 1, 1] == {1: 0, 0: Fraction(1, 10)}
    (128, True)
    """
    rate = probability(noise, "noise")
    shares_of = {}
    for pattern in product((0, 1), repeat=len(_NAMES)):
        shares: dict[int, Fraction] = {}
        for digit, segments in enumerate(_DIGITS):
            n_flips = sum(seen != sent for seen, sent in zip(pattern, segments, strict=True))
            share = rate**n_flips * (1 - rate) ** (len(_NAMES) - n_flips) / len(_DIGITS)
            label = int(digit < 5) if two_classes else digit
            shares[label] = shares.get(label, Fraction(0)) + share
        shares_of[pattern] = shares
    return shares_of
