"""The heaviest conjunctions of weighted cells, and whether any conjunction passes a limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from conjunct import _core
from conjunct.bits import holds_on, thread_count
from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.settings import choice, exact, flag, positive_number, whole_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from conjunct.bits import BitMatrix
    from conjunct.settings import Exact

__all__ = ["ConjunctionSearch", "HeavyConjunction", "search_conjunctions"]

StopReason = Literal["closed", "nodes", "time", "found", "memory"]
REASONS: tuple[StopReason, ...] = ("closed", "nodes", "time", "found", "memory")
LARGEST = (1 << 64) - 1
LARGEST_SUM = 1 << 61
MOST_FOUND = 1_000_000


class HeavyConjunction(NamedTuple):
    """A conjunction and its weight; literal 2j + 1 says that variable j is true, 2j that it is false."""

    literals: tuple[int, ...]
    weight: Fraction


@dataclass(frozen=True)
class ConjunctionSearch:
    """What a search for the heaviest conjunctions has found.

    Attributes
    ----------
    found : tuple of HeavyConjunction
        The heaviest first; of equal weight the shorter, then in the order of their literals.
    bound : Fraction or None
        What conjunctions that were not looked at weigh at most; None where the search came to its end.
    n_nodes : int
        Conjunctions that were weighed.
    stopped_by : {"closed", "nodes", "time", "found", "memory"}
        "closed" where nothing was left out, otherwise the limit that was met; "found" where there are a million.
    """

    found: tuple[HeavyConjunction, ...]
    bound: Fraction | None
    n_nodes: int
    stopped_by: StopReason

    @property
    def proved(self) -> bool:
        """Whether `found` is proved to be complete and in order."""
        return self.bound is None


def search_conjunctions(
    cells: BitMatrix,
    weights: ArrayLike,
    *,
    max_size: int | None = None,
    literals: str = "both",
    scales: Sequence[Exact] | None = None,
    top: int | None = 20,
    min_weight: Exact | None = None,
    signed: bool = False,
    sets: str = "all",
    time_limit: float | None = None,
    max_nodes: int | None = None,
) -> ConjunctionSearch:
    """Find the heaviest conjunctions of weighted cells and prove that there are no heavier ones, within limits.

    A conjunction of j literals weighs ``scales[j]`` times the sum of the weights of the cells on which it holds. One
    that holds on no cell is not listed.

    Parameters
    ----------
    cells : BitMatrix
        Rows; equal ones may be pooled.
    weights : array-like of int, shape (cells,)
        Of any sign; their sizes add up to at most 2**61.
    max_size : int, optional
        The most literals; every size if absent.
    literals : {"both", "positive"}
        Whether a conjunction may say that a variable is false.
    scales : sequence of int, Fraction, "p/q" or float, optional
        By the number of literals, from 0 on; not negative, of any length, and 0 leaves a size out. 1 each if absent.
    top : int or None
        The most to list; None for all that weigh `min_weight`.
    min_weight : int, Fraction, "p/q" or float, optional
        The least to list. If absent, any: without `signed` that is 0.
    signed : bool
        Whether the heaviest have the largest weights; otherwise the weights of largest size, of either sign.
    sets : {"all", "shortest", "longest"}
        Whether of conjunctions that hold on the same cells all are listed, or one: the first, or the one of all
        literals that hold on these cells, which may pass `max_size` and weighs what the first does.
    time_limit : float, optional
        Seconds after which to stop.
    max_nodes : int, optional
        Conjunctions to weigh at most, on one thread: the same on every machine.

    Notes
    -----
    Branch and bound, depth first, one size after another. Two sums bound what further literals can do: positive
    weights only fall, and a literal takes away from a part of a set no more negative weight than from the set.

    Examples
    --------
    >>> from conjunct import BitMatrix
    >>> found = search_conjunctions(BitMatrix.of(["110", "111", "011"]), [3, -1, -4], max_size=2, top=3)
    >>> [(heavy.literals, int(heavy.weight)) for heavy in found.found]
    [((5,), -5), ((3, 5), -5), ((0,), -4)]
    >>> found.proved
    True
    >>> once = search_conjunctions(BitMatrix.of(["110", "111", "011"]), [3, -1, -4], top=3, sets="longest")
    >>> [(heavy.literals, int(heavy.weight)) for heavy in once.found]
    [((3, 5), -5), ((0, 3, 5), -4), ((1, 3, 4), 3)]
    """
    numbers = whole_weights(weights, (cells.n_rows,), "one whole number for each cell")
    most_size = cells.n_variables if max_size is None else whole_number(max_size, "max_size", least=0)
    factors = exact_scales(scales, min(most_size, cells.n_variables))
    least = None if min_weight is None else exact(min_weight, "min_weight")
    limits = [-LARGEST_SUM if least is None else least_sum(least, factor) for factor in factors]
    has_negations = choice(literals, "literals", ["positive", "both"]) == "both"
    listed = choice(sets, "sets", ["all", "shortest", "longest"])
    found, unvisited, n_nodes, reason = _core.heaviest_conjunctions(
        cells.words,
        cells.n_variables,
        numbers,
        scale_words(factors),
        np.array(limits, np.int64),
        has_negations,
        flag(signed, "signed"),
        listed != "all",
        LARGEST if top is None else min(whole_number(top, "top"), LARGEST),
        MOST_FOUND,
        LARGEST if max_nodes is None else min(whole_number(max_nodes, "max_nodes"), LARGEST),
        float("inf") if time_limit is None else float(positive_number(time_limit, "time_limit")),
        thread_count() if max_nodes is None else 1,
    )
    heavy = [HeavyConjunction(own, total * factors[len(own)]) for own, total in found[:MOST_FOUND]]
    if listed == "longest":
        heavy = [HeavyConjunction(closure(cells, own, has_negations), weight) for own, weight in heavy]
    bounds = [factor * total for factor, total in zip(factors, unvisited, strict=True) if total is not None]
    return ConjunctionSearch(tuple(heavy), max(bounds, default=None), n_nodes, REASONS[reason])


def whole_weights(weights: ArrayLike, shape: tuple[int | None, ...], expected: str) -> NDArray[np.int64]:
    """Return weights as an array of 64 bits, or refuse them."""
    given = np.asarray(weights)
    numbers = given.astype(np.int64) if given.dtype.kind in "iu" else np.empty(0, np.int64)
    fits = numbers.ndim == len(shape) and all(own in (None, n) for own, n in zip(shape, numbers.shape, strict=True))
    if (
        given.dtype.kind not in "iu"
        or not fits
        or 0 in numbers.shape
        or (given.dtype.kind == "u" and (numbers < 0).any())
    ):
        raise SettingError(f"weights of type {given.dtype} and shape {given.shape}: expected {expected}")
    for own in numbers.reshape(-1, numbers.shape[-1]).tolist():
        if (total := sum(map(abs, own))) > LARGEST_SUM:
            raise SettingError(f"weights: their sizes add up to {shortened(total)}, limit is 2**61; scale them down")
    return np.ascontiguousarray(numbers)


def exact_scales(scales: Sequence[Exact] | None, max_size: int) -> list[Fraction]:
    """Return the factor of every number of literals."""
    if scales is None:
        return [Fraction(1)] * (max_size + 1)
    factors = [exact(scale, f"scales[{j}]") for j, scale in enumerate(scales)][: max_size + 1]
    if len(factors) <= max_size or any(factor.numerator < 0 for factor in factors):
        raise SettingError(f"scales={shortened(scales)}: expected {max_size + 1} numbers of at least 0, from size 0 up")
    return factors


def least_sum(least: Fraction, factor: Fraction) -> int:
    """Return the least whole number that, times a factor, comes to a weight; limits past all sums where none does."""
    return min(max(-(-least // factor), -LARGEST_SUM), LARGEST_SUM + 1) if factor else LARGEST_SUM + 1


def scale_words(factors: Sequence[Fraction]) -> NDArray[np.uint64]:
    """Return whole numbers in the proportions of the factors: a row of words for each, the lowest first."""
    common = lcm(*(factor.denominator for factor in factors))
    numbers = [factor.numerator * (common // factor.denominator) for factor in factors]
    divisor = gcd(*numbers) or 1
    whole = [number // divisor for number in numbers]
    n_words = max(1, -(-max(whole).bit_length() // 64))
    packed = b"".join(number.to_bytes(8 * n_words, "little") for number in whole)
    return np.frombuffer(packed, "<u8").astype(np.uint64).reshape(len(whole), n_words)


def closure(cells: BitMatrix, conjunction: Sequence[int], has_negations: bool) -> tuple[int, ...]:
    """Return all literals that hold on every cell on which a conjunction does."""
    held: NDArray[np.bool_] = cells[holds_on(cells, conjunction)].to_array() == 1
    always, never = np.logical_and.reduce(held), ~np.logical_or.reduce(held)
    return tuple(2 * j + int(always[j]) for j in np.flatnonzero(always | (never & has_negations)).tolist())
