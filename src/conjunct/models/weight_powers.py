"""Weights that are products of powers: kept as exponents, so that they never overflow and never round."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, inf, log2
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WeightPowers"]

TABLE_BITS = 128  # of cut-off powers: 75 more than a float has
Scaled: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.int32]]"


@dataclass(frozen=True)
class WeightPowers:
    """What a variable's weight is after p promotions and d demotions.

    Parameters
    ----------
    initial, promotion, demotion : Fraction
        The weight is initial * promotion**p / demotion**d.
    eliminates : bool
        The first demotion makes it 0.
    is_balanced : bool
        Of two weights that start alike one is promoted where the other is demoted: their difference.

    Examples
    --------
    >>> powers = WeightPowers(Fraction(1), Fraction(3, 2), Fraction(3, 2))
    >>> powers.weight(3, 1), powers.total(np.array([3, 0]), np.array([1, 2]))
    (Fraction(9, 4), Fraction(97, 36))
    """

    initial: Fraction
    promotion: Fraction
    demotion: Fraction
    eliminates: bool = False
    is_balanced: bool = False

    @property
    def is_net(self) -> bool:
        """Whether a weight depends on p - d only (or is 0)."""
        return self.promotion == self.demotion

    def weight(self, p: int, d: int) -> Fraction:
        """Return the exact weight."""
        if self.eliminates and d:
            return Fraction(0)
        if self.is_balanced:
            return self.initial * (self.promotion ** (p - d) - self.promotion ** (d - p))
        return self.initial * self.promotion**p / self.demotion**d

    def reduced(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the least promotions and demotions that lead to the same weights."""
        if self.eliminates:
            return np.where(counts[1] > 0, [[0], [1]], counts)
        return counts - counts.min(axis=0) if self.is_net else counts

    def size(self, p: int, d: int) -> Fraction:
        """Return the sum of the two weights of a balanced variable."""
        return self.initial * (self.promotion ** (p - d) + self.promotion ** (d - p))

    def total_size(self, nets: NDArray[Any]) -> Fraction:
        """Return the exact sum of the sizes of variables with these p - d."""
        distinct, counts = np.unique(np.abs(nets), return_counts=True)
        parts = (n * self.size(net, 0) for net, n in zip(distinct.tolist(), counts.tolist(), strict=True))
        return sum(parts, Fraction(0))

    def by_net(self, n: int) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        """Return the weights for p - d from -n to n as nearest floats, and which of them are exact.

        Where a demotion eliminates, what is below 0 is a weight of 0.
        """
        return _table(self, n)

    def size_by_net(self, n: int) -> NDArray[np.float64]:
        """Return the sizes for p - d from -n to n."""
        half, _ = _half(self.initial, self.promotion, 1, n)
        return np.array([*half[:0:-1], *half])

    def apart(self, n: int) -> tuple[Scaled, Scaled]:
        """Return initial * promotion**k and demotion**-k for k from 0 to n, each as a float times a power of two."""
        return _powers(self.initial, self.promotion, n), _powers(Fraction(1), 1 / self.demotion, n)

    def total(self, promotions: NDArray[Any], demotions: NDArray[Any], n_unseen: int = 0) -> Fraction:
        """Return the exact sum of weights, `n_unseen` initial ones among them."""
        pairs = Counter(zip(promotions.tolist(), demotions.tolist(), strict=True))
        pairs[0, 0] += n_unseen
        return self.weighed(pairs)

    def weighed(self, coefficients: Mapping[tuple[int, int], int]) -> Fraction:
        """Return the exact sum of whole coefficients times the weights after (p, d): one denominator, no fractions."""
        powers: dict[tuple[int, int], int] = defaultdict(int)
        for (p, d), coefficient in coefficients.items():
            if self.is_balanced:
                powers[max(p - d, 0), max(d - p, 0)] += coefficient
                powers[max(d - p, 0), max(p - d, 0)] -= coefficient
            elif not (self.eliminates and d):
                powers[p, d] += coefficient
        nonzero = {pair: coefficient for pair, coefficient in powers.items() if coefficient}
        most, least = (max((pair[kind] for pair in nonzero), default=0) for kind in (0, 1))
        up, under = self.promotion.as_integer_ratio()
        over, down = self.demotion.as_integer_ratio()
        total = sum(n * up**p * under ** (most - p) * down**d * over ** (least - d) for (p, d), n in nonzero.items())
        return self.initial * Fraction(total, under**most * over**least)

    def scaled(self, pairs: Sequence[tuple[int, int]], shift: int) -> tuple[list[int], bool]:
        """Return the weights after (p, d) times 2**shift as integers off by less than 2; and whether all are exact."""
        if self.is_net:
            exact = [self.weight(*pair) * Fraction(2) ** shift for pair in pairs]
            return [floor(weight) for weight in exact], all(weight.denominator == 1 for weight in exact)
        most, least = (max((pair[kind] for pair in pairs), default=0) for kind in (0, 1))
        # A product of so many truncated factors is off by little, and then the last bit is cut.
        bits = max(0, shift + self.size_log2(pairs)) + max(most, least).bit_length() + 8
        up, down = _truncated(self.initial, self.promotion, most, bits), _truncated(1, 1 / self.demotion, least, bits)
        scaled = []
        for p, d in pairs:
            mantissa, exponent = up[p][0] * down[d][0], up[p][1] + down[d][1] + shift
            scaled.append(mantissa << exponent if exponent >= 0 else mantissa >> -exponent)
        return scaled, False

    def size_log2(self, pairs: Sequence[tuple[int, int]]) -> int:
        """Return k such that no weight after (p, d) is 2**k or more in absolute value."""
        first = floor_log2(self.initial) + 1
        up, down = (log2(factor.numerator) - log2(factor.denominator) for factor in (self.promotion, self.demotion))
        if self.is_balanced:
            return first + 1 + max((ceil(abs(p - d) * up) for p, d in pairs), default=0)
        return first + 1 + max((ceil(p * up - d * down) for p, d in pairs), default=0)


def distinct_pairs(
    promotions: NDArray[Any], demotions: NDArray[Any]
) -> tuple[list[tuple[int, int]], NDArray[np.int64]]:
    """Return the different pairs of counts below 2**31, and for every pair given which of them it is."""
    keys, pair_index = np.unique(promotions.astype(np.int64) << 32 | demotions, return_inverse=True)
    return [divmod(key, 1 << 32) for key in keys.tolist()], pair_index


def floor_log2(value: Fraction) -> int:
    """Return the integer k with 2**k <= abs(value) < 2**(k + 1); value is not 0.

    Examples
    --------
    >>> floor_log2(Fraction(1)), floor_log2(Fraction(-7, 2)), floor_log2(Fraction(1, 3))
    (0, 1, -2)
    """
    size = abs(value)
    k = size.numerator.bit_length() - size.denominator.bit_length()
    return k if Fraction(2) ** k <= size else k - 1


def _truncated(value: Fraction | int, factor: Fraction, n: int, bits: int) -> list[tuple[int, int]]:
    """Return value * factor**k for k from 0 to n as mantissas of so many bits, cut off, and exponents of two."""
    up, down = factor.as_integer_ratio()
    first = Fraction(value)
    exponent = floor_log2(first) - bits
    mantissa = floor(first / Fraction(2) ** exponent)
    powers = [(mantissa, exponent)]
    for _ in range(n):
        mantissa = (mantissa * up << down.bit_length()) // down
        extra = max(0, mantissa.bit_length() - bits - 1)
        exponent += extra - down.bit_length()
        mantissa >>= extra
        powers.append((mantissa, exponent))
    return powers


def _powers(value: Fraction, factor: Fraction, n: int) -> Scaled:
    """Return value * factor**k as mantissas from 1/2 to 2, rounded once, and exponents: in no danger of overflow."""
    up, down = value.numerator, value.denominator
    mantissas, exponents = np.empty(n + 1), np.empty(n + 1, np.int32)
    for k in range(n + 1):
        exponent = up.bit_length() - down.bit_length()
        mantissas[k] = up / (down << exponent) if exponent >= 0 else (up << -exponent) / down
        exponents[k] = exponent
        up, down = up * factor.numerator, down * factor.denominator
    return mantissas, exponents


def nearest(value: Fraction) -> float:
    """Return the float nearest to an exact number; infinity past their range."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


@lru_cache(maxsize=32)
def _table(powers: WeightPowers, n: int) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Past the range of floats every entry is that of the last exponent computed, and none is exact."""
    up, up_is_exact = _half(powers.initial, powers.promotion, -1 if powers.is_balanced else 0, n)
    if powers.is_balanced:
        down, down_is_exact = [0.0 - weight for weight in up], up_is_exact
    else:
        down, down_is_exact = _half(powers.initial, 1 / powers.demotion, 0, 0 if powers.eliminates else n)
    floats, is_exact = np.zeros(2 * n + 1), np.full(2 * n + 1, powers.eliminates, np.uint8)
    floats[n:], is_exact[n:] = up, up_is_exact
    floats[n - len(down) + 1 : n + 1], is_exact[n - len(down) + 1 : n + 1] = down[::-1], down_is_exact[::-1]
    return floats, is_exact


def _half(initial: Fraction, factor: Fraction, sign: int, n: int) -> tuple[list[float], list[bool]]:
    """Return initial * (factor**k + sign * factor**-k) for k from 0 to n as nearest floats, and which are exact.

    Unless the factor is a power of two, none is exact after the first: an odd prime of the factor is k times in the
    denominator, or more than 53 bits are in the numerator. These are rounded from cut-off powers where that is enough.
    """
    n_first = n if _is_power_of_two(factor) else 64 + sum(part.bit_length() for part in initial.as_integer_ratio())
    up = _truncated(initial, factor, n, TABLE_BITS)
    down = _truncated(initial, 1 / factor, n, TABLE_BITS) if sign else []
    floats: list[float] = []
    is_exact: list[bool] = []
    for k in range(n + 1):
        nearby = None if k <= n_first else _enclosed(up[k], down[k] if sign else (0, 0), sign, 4 * k + 4)
        if nearby is None:
            value = initial * (factor**k + sign * factor**-k)
            nearby = nearest(value)
            is_exact.append(abs(nearby) < inf and Fraction(nearby) == value)
        else:
            is_exact.append(False)
        floats.append(nearby)
        if abs(nearby) in (0.0, inf) and not is_exact[-1]:
            break
    missing = n + 1 - len(floats)
    return floats + floats[-1:] * missing, is_exact + [False] * missing


def _enclosed(more: tuple[int, int], less: tuple[int, int], sign: int, slack: int) -> float | None:
    """Return the float nearest to more + sign * less, both mantissas up to `slack` too small; None where that is open.

    The exponent of `more` is the larger one.
    """
    exponent = less[1] if sign else more[1]
    low = more[0] << more[1] - exponent
    high = more[0] + slack << more[1] - exponent
    low, high = low + sign * less[0], high + sign * less[0]
    if sign:
        low, high = min(low, low + sign * slack), max(high, high + sign * slack)
    rounded = _rounded(low, exponent)
    return rounded if rounded == _rounded(high, exponent) else None


def _rounded(mantissa: int, exponent: int) -> float:
    """Return the float nearest to mantissa * 2**exponent; infinity past their range."""
    try:
        return float(mantissa << exponent) if exponent >= 0 else mantissa / (1 << -exponent)
    except OverflowError:
        return inf


def _is_power_of_two(factor: Fraction) -> bool:
    return all(part.bit_count() == 1 for part in factor.as_integer_ratio())
