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
    kept = without_subsets(sets, budget)
    columns = without_supersets(as_integers(holds[kept].T), budget)
    core = holds[np.ix_(kept, columns)]
    problem = Search(as_integers(core), as_integers(core.T), budget)
    bound = max(disjoint_bound(problem.members), 1)
    if bound < len(best):
        # From above, which finds shorter ones; then from below, which proves how short none can be.
        problem.budget = budget // 2
        found, is_finished = problem.below(len(best))
        best = best if found is None else [kept[place] for place in found]
        bound = len(best) if is_finished else bound
        problem.budget += budget - budget // 2
    while bound < len(best):
        found, is_finished = problem.below(bound + 1)
        if not is_finished:
            break
        best = best if found is None else [kept[place] for place in found]
        bound += found is None
    return Cover(tuple(sorted(best)), bound)


def as_integers(table: NDArray[np.bool_]) -> list[int]:
    """Return each row as an integer: bit j is column j."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(table, axis=1, bitorder="little")]


def bits(mask: int) -> Iterator[int]:
    """List the places of the ones, in time linear in the length."""
    digits = f"{mask:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def greedy_cover(sets: list[int], n_elements: int) -> list[int]:
    """Take the set that covers most of what is left, the first of equals, until nothing is left."""
    left, chosen = (1 << n_elements) - 1, []
    while left:
        number = max(range(len(sets)), key=lambda k: (sets[k] & left).bit_count())
        chosen.append(number)
        left &= ~sets[number]
    return chosen


def irredundant(chosen: list[int], sets: list[int], n_elements: int) -> list[int]:
    """Leave out sets that the others make needless; the first chosen are the first to go."""
    everything, kept = (1 << n_elements) - 1, list(chosen)
    for number in chosen:
        covered = 0
        for other in kept:
            if other != number:
                covered |= sets[other]
        if covered == everything:
            kept.remove(number)
    return kept


def without_subsets(sets: list[int], budget: int) -> list[int]:
    """Find the sets that lie in no other, the first of equals; past the budget only equal ones are left out."""
    first: dict[int, int] = {}
    for number, each in enumerate(sets):
        first.setdefault(each, number)
    kept = sorted(first, key=lambda each: (-each.bit_count(), first[each]))
    if len(kept) ** 2 <= budget:
        kept = minimal([~each for each in kept])
        kept = [~each for each in kept]
    return sorted(first[each] for each in kept)


def without_supersets(members: list[int], budget: int) -> list[int]:
    """Find the elements, those in the fewest sets first, that no other one brings along; the first of equals."""
    first: dict[int, int] = {}
    for number, each in enumerate(members):
        first.setdefault(each, number)
    kept = sorted(first, key=lambda each: (each.bit_count(), first[each]))
    if len(kept) ** 2 <= budget:
        kept = minimal(kept)
    return [first[each] for each in kept]


def minimal(masks: list[int]) -> list[int]:
    """Leave out masks that hold all bits of one before them."""
    kept: list[int] = []
    for each in masks:
        if not any(each & smaller == smaller for smaller in kept):
            kept.append(each)
    return kept


def disjoint_bound(members: list[int]) -> int:
    """Count elements, the first first, that share no set: each needs its own."""
    used = count = 0
    for each in members:
        if not each & used:
            used |= each
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
            left, available, chosen = stack.pop()
            if not left:
                if len(chosen) < limit:
                    best, limit = chosen, len(chosen)
                continue
            self.budget -= left.bit_count() + price
            if self.budget < 0:
                return best, False
            room = limit - 1 - len(chosen)
            if room * self._largest(left, available) < left.bit_count():
                continue
            open_elements = sorted((members[e] & available for e in bits(left)), key=int.bit_count)
            if not open_elements[0] or disjoint_bound(open_elements) > room:
                continue
            stack += reversed(self._branches(left, available, chosen, open_elements[0]))
        return best, True

    def _largest(self, left: int, available: int) -> int:
        return max((self.covers[place] & left).bit_count() for place in bits(available)) if available else 0

    def _branches(
        self, left: int, available: int, chosen: tuple[int, ...], candidates: int
    ) -> list[tuple[int, int, tuple[int, ...]]]:
        """Take each candidate, the one that covers most first; a later branch does without those before it."""
        branches: list[tuple[int, int, tuple[int, ...]]] = []
        reaches: list[int] = []
        for place in sorted(bits(candidates), key=lambda place: -(self.covers[place] & left).bit_count()):
            reach = self.covers[place] & left
            available &= ~(1 << place)
            if not any(reach & larger == reach for larger in reaches):
                reaches.append(reach)
                branches.append((left & ~reach, available, (*chosen, place)))
        return branches
