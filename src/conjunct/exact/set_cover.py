"""The fewest sets that cover all elements: exact by branch and bound within a budget, greedy beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Cover", "smallest_cover"]


@dataclass(frozen=True, slots=True)
class Cover:
    """A choice of sets that cover everything.

    Attributes
    ----------
    chosen : tuple of int
        The numbers of the sets, in order.
    lower_bound : int
        No choice has fewer sets.
    """

    chosen: tuple[int, ...]
    lower_bound: int

    @property
    def is_minimal(self) -> bool:
        """Whether it is proven that no fewer sets suffice."""
        return len(self.chosen) == self.lower_bound


def smallest_cover(holds: NDArray[np.bool_], budget: int) -> Cover:
    """Find the fewest sets that cover all elements; every element is in one of them.

    Parameters
    ----------
    holds : ndarray of bool, shape (sets, elements)
        Which set holds which element.
    budget : int
        How many looks at elements and pairs the search may take.

    Notes
    -----
    Sets within others and elements that others bring along are left out first. Then: branch on the element with the
    fewest sets, the largest first, each later one without those before it. Elements with no set in common need one
    set each, which bounds from below. Greedy choices are within a factor 1 + ln(elements) [chvatal1979].

    Examples
    --------
    >>> smallest_cover(np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0]], bool), budget=1000)
    Cover(chosen=(0, 1), lower_bound=2)
    """
    n_elements = holds.shape[1]
    if n_elements == 0:
        return Cover((), 0)
    sets = as_integers(holds)
    best = irredundant(greedy_cover(sets, n_elements), sets, n_elements)
    maximal = without_subsets(sets, budget)
    columns = without_supersets(as_integers(holds[maximal].T), budget)
    core = holds[np.ix_(maximal, columns)]
    problem = Search(as_integers(core), as_integers(core.T), budget)
    bound = max(disjoint_bound(problem.members), 1)
    if bound < len(best):
        # From above, which finds shorter ones; then from below, which proves how short none can be.
        problem.budget = budget // 2
        cover, is_finished = problem.below(len(best))
        best = best if cover is None else [maximal[number] for number in cover]
        bound = len(best) if is_finished else bound
        problem.budget += budget - budget // 2
    while bound < len(best):
        cover, is_finished = problem.below(bound + 1)
        if not is_finished:
            break
        best = best if cover is None else [maximal[number] for number in cover]
        bound += cover is None
    return Cover(tuple(sorted(best)), bound)


def as_integers(table: NDArray[np.bool_]) -> list[int]:
    """Return each row as an integer: bit j is column j."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(table, axis=1, bitorder="little")]


def bits(mask: int) -> Iterator[int]:
    """List the places of the ones, in time linear in the length."""
    digits = f"{mask:b}"[::-1]
    position = digits.find("1")
    while position >= 0:
        yield position
        position = digits.find("1", position + 1)


def greedy_cover(sets: list[int], n_elements: int) -> list[int]:
    """Take the set that covers most of what is left, the first of equals, until nothing is left."""
    uncovered, chosen = (1 << n_elements) - 1, []
    while uncovered:
        number = max(range(len(sets)), key=lambda k: (sets[k] & uncovered).bit_count())
        chosen.append(number)
        uncovered &= ~sets[number]
    return chosen


def irredundant(chosen: list[int], sets: list[int], n_elements: int) -> list[int]:
    """Leave out sets that the others make needless; the first chosen are the first to go."""
    everything, cover = (1 << n_elements) - 1, list(chosen)
    for number in chosen:
        covered = 0
        for other in cover:
            if other != number:
                covered |= sets[other]
        if covered == everything:
            cover.remove(number)
    return cover


def without_subsets(sets: list[int], budget: int) -> list[int]:
    """Find the sets that lie in no other, the first of equals; past the budget only equal ones are left out."""
    first: dict[int, int] = {}
    for number, mask in enumerate(sets):
        first.setdefault(mask, number)
    maximal = sorted(first, key=lambda mask: (-mask.bit_count(), first[mask]))
    if len(maximal) ** 2 <= budget:
        maximal = minimal([~mask for mask in maximal])
        maximal = [~mask for mask in maximal]
    return sorted(first[mask] for mask in maximal)


def without_supersets(members: list[int], budget: int) -> list[int]:
    """Find the elements, those in the fewest sets first, that no other one brings along; the first of equals."""
    first: dict[int, int] = {}
    for number, mask in enumerate(members):
        first.setdefault(mask, number)
    masks = sorted(first, key=lambda mask: (mask.bit_count(), first[mask]))
    if len(masks) ** 2 <= budget:
        masks = minimal(masks)
    return [first[mask] for mask in masks]


def minimal(masks: list[int]) -> list[int]:
    """Leave out masks that hold all bits of one before them."""
    smallest: list[int] = []
    for mask in masks:
        if not any(mask & smaller == smaller for smaller in smallest):
            smallest.append(mask)
    return smallest


def disjoint_bound(members: list[int]) -> int:
    """Count elements, the first first, that share no set: each needs its own."""
    union = count = 0
    for mask in members:
        if not mask & union:
            union |= mask
            count += 1
    return count


class Search:
    """Covers of a table by depth-first search.

    Attributes
    ----------
    covers, members : list of int
        The elements of every set, and the sets of every element.
    budget : int
        How many looks are left.
    """

    def __init__(self, covers: list[int], members: list[int], budget: int) -> None:
        self.covers, self.members, self.budget = covers, members, budget

    def below(self, limit: int) -> tuple[tuple[int, ...] | None, bool]:
        """Find the smallest cover of fewer sets than a limit, None if there is none; and whether that is proven."""
        covers, members = self.covers, self.members
        best: tuple[int, ...] | None = None
        price = len(covers) * (1 + len(members) // 2048)  # counting bits takes as long as a look for some 2000 of them
        stack: list[tuple[int, int, tuple[int, ...]]] = [((1 << len(members)) - 1, (1 << len(covers)) - 1, ())]
        while stack:
            uncovered, available, chosen = stack.pop()
            if not uncovered:
                if len(chosen) < limit:
                    best, limit = chosen, len(chosen)
                continue
            self.budget -= uncovered.bit_count() + price
            if self.budget < 0:
                return best, False
            room = limit - 1 - len(chosen)
            if room * self._largest(uncovered, available) < uncovered.bit_count():
                continue
            open_elements = sorted((members[e] & available for e in bits(uncovered)), key=int.bit_count)
            if not open_elements[0] or disjoint_bound(open_elements) > room:
                continue
            stack += reversed(self._branches(uncovered, available, chosen, open_elements[0]))
        return best, True

    def _largest(self, uncovered: int, available: int) -> int:
        return max((self.covers[number] & uncovered).bit_count() for number in bits(available)) if available else 0

    def _branches(
        self, uncovered: int, available: int, chosen: tuple[int, ...], candidates: int
    ) -> list[tuple[int, int, tuple[int, ...]]]:
        """Take each candidate, the one that covers most first; a later branch does without those before it."""
        branches: list[tuple[int, int, tuple[int, ...]]] = []
        reaches: list[int] = []
        for number in sorted(bits(candidates), key=lambda number: -(self.covers[number] & uncovered).bit_count()):
            reach = self.covers[number] & uncovered
            available &= ~(1 << number)
            if not any(reach & larger == reach for larger in reaches):
                reaches.append(reach)
                branches.append((uncovered & ~reach, available, (*chosen, number)))
        return branches
