"""Weights that are products of powers: kept as exponents, so that they never overflow and never round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WeightPowers"]

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
    >>> powers.weight(3, 1), powers.floats(np.array([3, 0]), np.array([1, 2])).tolist()
    (Fraction(9, 4), [2.25, 0.4444444444444444])
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

    def size(self, p: int, d: int) -> Fraction:
        """Return the sum of the two weights of a balanced variable."""
        return self.initial * (self.promotion ** (p - d) + self.promotion ** (d - p))

    def by_net(self, n: int) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        """Return the weights for p - d from -n to n as nearest floats, and which of them are exact.

        Where a demotion eliminates, what is below 0 is a weight of 0.
        """
        return _table(self, n)

    def size_by_net(self, n: int) -> NDArray[np.float64]:
        """Return the sizes for p - d from -n to n."""
        half, _ = _half(lambda net: self.size(net, 0), n)
        return np.array([*half[:0:-1], *half])

    def apart(self, n: int) -> tuple[Scaled, Scaled]:
        """Return initial * promotion**k and demotion**-k for k from 0 to n, each as a float times a power of two."""
        return _powers(self.initial, self.promotion, n), _powers(Fraction(1), 1 / self.demotion, n)

    def floats(self, promotions: NDArray[Any], demotions: NDArray[Any]) -> NDArray[np.float64]:
        """Return the weights as nearest floats."""
        pairs = np.stack([promotions, demotions], axis=-1).reshape(-1, 2)
        distinct, place = np.unique(pairs, axis=0, return_inverse=True)
        values = np.array([nearest(self.weight(p, d)) for p, d in distinct.tolist()])
        return values[place.reshape(-1)].reshape(promotions.shape)

    def total(self, promotions: NDArray[Any], demotions: NDArray[Any], n_unseen: int = 0) -> Fraction:
        """Return the exact sum of weights, `n_unseen` initial ones among them."""
        pairs = Counter(zip(promotions.tolist(), demotions.tolist(), strict=True))
        pairs[0, 0] += n_unseen
        return sum((n * self.weight(p, d) for (p, d), n in pairs.items()), Fraction(0))


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
    up, up_is_exact = _half(lambda net: powers.weight(net, 0), n)
    down, down_is_exact = _half(lambda net: powers.weight(0, net), 0 if powers.eliminates else n)
    floats, is_exact = np.zeros(2 * n + 1), np.full(2 * n + 1, powers.eliminates, np.uint8)
    floats[n:], is_exact[n:] = up, up_is_exact
    floats[n - len(down) + 1 : n + 1], is_exact[n - len(down) + 1 : n + 1] = down[::-1], down_is_exact[::-1]
    return floats, is_exact


def _half(weight: Callable[[int], Fraction], n: int) -> tuple[list[float], list[bool]]:
    floats: list[float] = []
    is_exact: list[bool] = []
    for net in range(n + 1):
        value = weight(net)
        floats.append(nearest(value))
        is_exact.append(abs(floats[-1]) < inf and Fraction(floats[-1]) == value)
        if floats[-1] in (0.0, inf, -inf) and value != 0:
            break
    missing = n + 1 - len(floats)
    return floats + floats[-1:] * missing, is_exact + [False] * missing
