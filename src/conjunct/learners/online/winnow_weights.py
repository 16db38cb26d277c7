"""Winnow's weights while it learns: kept as exponents, looked up as floats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.learners.online.linear_run import widened
from conjunct.models.weight_powers import WeightPowers, nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ApartWeights", "NetWeights", "Reach", "first_weights"]

Reach = tuple[int, int, float]  # the lowest and the highest exponent there ever was, and no smaller than any weight
FIRST_TABLE = 64


def first_weights(powers: WeightPowers) -> NetWeights | ApartWeights:
    """Return the weights of a run without variables; the last entry of every array is the constant's, used or not."""
    if powers.is_net:
        return NetWeights(powers, np.zeros(1, np.int32))
    return ApartWeights(powers, np.zeros((1, 2), np.int32), np.full(1, nearest(powers.weight(0, 0))))


@dataclass(frozen=True)
class NetWeights:
    """One exponent per variable, promotions less demotions; -1 for good where a demotion eliminates."""

    powers: WeightPowers
    exponents: NDArray[np.int32]
    n_table: int = FIRST_TABLE

    @cached_property
    def native(self) -> _core.NetWeights:
        """The same for the core, which changes the exponents."""
        return _core.NetWeights(self.exponents, *self._table, self.powers.eliminates, self.is_saturated)

    @cached_property
    def size_by_net(self) -> NDArray[np.float64]:
        """The sum of both weights of a balanced variable, for exponents as in the table."""
        return self.powers.size_by_net(self.n_table)

    @property
    def _table(self) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        return self.powers.by_net(self.n_table)

    @cached_property
    def is_saturated(self) -> bool:
        """Whether the table ends past the range of floats on both sides."""
        table, _ = self._table
        return bool(table[-1] == inf and (self.powers.eliminates or table[0] in (0.0, -inf)))

    def with_table(self, n: int) -> NetWeights:
        """Return the same weights with a table for exponents up to n, or as far as floats go."""
        weights = self
        while weights.n_table < n and not weights.is_saturated:
            weights = replace(weights, n_table=2 * weights.n_table)
        return weights

    def widened(self, n_variables: int) -> NetWeights:
        """Return weights with room for more variables."""
        return replace(self, exponents=widened(self.exponents, n_variables))

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """What the core changes."""
        return [self.exponents]

    def counts(self, variables: Any = slice(None)) -> NDArray[np.int32]:
        """Return promotions and demotions that lead to these weights."""
        exponents = self.exponents[variables]
        return np.stack([np.maximum(exponents, 0), np.maximum(-exponents, 0)])

    def floats(self) -> NDArray[np.float64]:
        """Return every weight as the core rounds it."""
        return self._looked_up(self.exponents)

    def floats_of(self, promotions: NDArray[Any], demotions: NDArray[Any]) -> NDArray[np.float64]:
        """Return what weights are after so many promotions and demotions, as the core rounds them."""
        return self._looked_up(self._exponents_of(promotions, demotions))

    def of_counts(
        self, promotions: NDArray[Any], demotions: NDArray[Any], passed: NDArray[Any]
    ) -> tuple[NetWeights, Reach]:
        """Return weights after so many promotions and demotions of each variable, with tables for counts passed too."""
        exponents = self._exponents_of(promotions, demotions).astype(np.int32)
        all_exponents = np.concatenate([exponents, self._exponents_of(*passed)])
        lowest, highest = min(0, int(all_exponents.min())), max(0, int(all_exponents.max()))
        weights = replace(self, exponents=exponents).with_table(max(-lowest, highest))
        ends = weights._looked_up(np.array([lowest, highest]))
        return weights, (lowest, highest, float(np.abs(ends).max()))

    def _exponents_of(self, promotions: NDArray[Any], demotions: NDArray[Any]) -> NDArray[Any]:
        net = promotions - demotions
        return np.where(demotions > 0, -1, net) if self.powers.eliminates else net

    def _looked_up(self, exponents: NDArray[Any]) -> NDArray[np.float64]:
        floats: NDArray[np.float64] = self._table[0][np.clip(exponents, -self.n_table, self.n_table) + self.n_table]
        return floats


@dataclass(frozen=True)
class ApartWeights:
    """Two exponents per variable, promotions and demotions, and its weight."""

    powers: WeightPowers
    pairs: NDArray[np.int32]
    weights: NDArray[np.float64]
    n_table: int = FIRST_TABLE
    is_saturated = False
    size_by_net = None

    @cached_property
    def native(self) -> _core.ApartWeights:
        """The same for the core, which changes pairs and weights."""
        up, down = self._tables
        return _core.ApartWeights(self.pairs, self.weights, *up, *down)

    @cached_property
    def _tables(self) -> Any:
        return self.powers.apart(self.n_table)

    def with_table(self, n: int) -> ApartWeights:
        """Return the same weights with tables for counts up to n."""
        size = self.n_table
        while size < n:
            size *= 2
        return self if size == self.n_table else replace(self, n_table=size)

    def widened(self, n_variables: int) -> ApartWeights:
        """Return weights with room for more variables."""
        first = nearest(self.powers.weight(0, 0))
        return replace(self, pairs=widened(self.pairs, n_variables), weights=widened(self.weights, n_variables, first))

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """What the core changes."""
        return [self.pairs, self.weights]

    def counts(self, variables: Any = slice(None)) -> NDArray[np.int32]:
        """Return promotions and demotions."""
        pairs: NDArray[np.int32] = self.pairs[variables].T
        return pairs

    def floats(self) -> NDArray[np.float64]:
        """Return every weight."""
        return self.weights

    def floats_of(self, promotions: NDArray[Any], demotions: NDArray[Any]) -> NDArray[np.float64]:
        """Return what weights are after so many promotions and demotions, as the core rounds them."""
        (up, up_exponents), (down, down_exponents) = self._tables
        exponents = up_exponents[promotions] + down_exponents[demotions]
        with np.errstate(over="ignore", under="ignore"):
            weights: NDArray[np.float64] = np.ldexp(up[promotions] * down[demotions], exponents)
        return weights

    def of_counts(
        self, promotions: NDArray[Any], demotions: NDArray[Any], passed: NDArray[Any]
    ) -> tuple[ApartWeights, Reach]:
        """Return weights after so many promotions and demotions of each variable, with tables for counts passed too."""
        most = [
            max(int(counts.max()), int(others.max(initial=0)))
            for counts, others in zip((promotions, demotions), passed, strict=True)
        ]
        roomy = self.with_table(max(most))
        weights = roomy.floats_of(promotions, demotions)
        pairs = np.stack([promotions, demotions], axis=1).astype(np.int32)
        largest = float(np.concatenate([weights, roomy.floats_of(*passed)]).max())
        return replace(roomy, pairs=pairs, weights=weights), (-most[1], most[0], largest)
