"""Shorter disjunctions of terms for the same function."""

from __future__ import annotations

from collections.abc import Sequence

from conjunct.logic.covering import Codes, OutOfNodesError, Search, absorbed, bits
from conjunct.logic.formula import everywhere, natural_order, variable_table
from conjunct.logic.term import Term

__all__ = ["simplified"]

MAX_PAIRS = 2_000_000  # of terms compared on the way to the prime implicants: about a second
MAX_VISITS = 2_000_000  # of terms at nodes, in all searches for rows that a term alone covers: seconds
NODES_PER_SEARCH = 200  # of one of these searches
MOST_COVERED_VARIABLES = 10  # variables up to which a smallest cover is looked for, row by row
MOST_COVER_NODES = 1000  # nodes of that search
MOST_COVER_IMPLICANTS = 300  # prime implicants up to which a cover is also chosen from all of them


def simplified(terms: Sequence[Term]) -> list[Term]:
    """Return terms for the same function: not more of them, and not more literals in all.

    Notes
    -----
    Every term is replaced by the shortest implicant found inside it, and those that the others cover are
    dropped, as `Search` proves; a cover chosen from all implicants replaces these where it is smaller. Up to 10
    variables that is mostly a smallest one. The implicants are all the prime ones unless there are too many; any
    that were found keep the function.
    """
    codes = Codes(natural_order({name for term in terms for name in term.variables}))
    irredundant = absorbed(codes.code(term) for term in terms if not term.is_contradictory)
    implicants = prime_implicants(irredundant, codes)
    primes = set(implicants)
    inside = {code if code in primes else next(p for p in implicants if p & code == p) for code in irredundant}
    covers = [_irredundant(sorted(inside, key=lambda code: (code.bit_count(), code)), codes)]
    if len(implicants) <= MOST_COVER_IMPLICANTS:
        covers.append(_irredundant(_smallest(implicants, codes), codes))
    fitting = [cover for cover in covers if _n_literals(cover) <= _n_literals(covers[0])]
    return [codes.term(code) for code in min(fitting, key=lambda cover: (len(cover), _n_literals(cover)))]


def prime_implicants(terms: Sequence[int], codes: Codes) -> list[int]:
    """Return the prime implicants of a disjunction, the shortest first; or implicants, if they are too many.

    The terms given must be `absorbed`.

    Notes
    -----
    Tison's method: for one variable after the other, add the consensus of every two terms that differ in that
    variable alone (what is left of both without it), and drop the terms that hold another one
    [tison1967]. Every term that was there at the start holds one of those at the end.
    """
    implicants, n_pairs = list(terms), 0
    for position in range(0, len(codes.literals), 2):
        pair = 3 << position
        ones = [term for term in implicants if term & pair == 1 << position]
        zeros = [term for term in implicants if term & pair == 2 << position]
        n_pairs += len(ones) * len(zeros)
        if n_pairs > MAX_PAIRS:
            break
        consensuses = {
            (one | zero) & ~pair for one in ones for zero in zeros if not (one & ~pair) & codes.opposite(zero & ~pair)
        }
        n_pairs += (len(implicants) + len(consensuses)) ** 2 // 2 if consensuses else 0
        if n_pairs > MAX_PAIRS:
            break
        implicants = absorbed([*implicants, *consensuses]) if consensuses else implicants
    return implicants


def _irredundant(cover: list[int], codes: Codes) -> list[int]:
    """Return a cover without the terms that the others cover, the last and longest tried first."""
    remaining, n_nodes = list(cover), MAX_VISITS // max(1, len(cover))
    for code in reversed(cover):
        if n_nodes <= 0:
            break
        others = [other for other in remaining if other != code]
        search = Search(codes, min(NODES_PER_SEARCH, n_nodes))
        try:
            is_redundant = search.uncovered(code, others) is None
        except OutOfNodesError:
            is_redundant = False
        n_nodes -= search.n_nodes
        if is_redundant:
            remaining = others
    return remaining


def _smallest(implicants: list[int], codes: Codes) -> list[int]:
    """Choose as few implicants as cover all rows, among equals those of fewest literals; all where rows are too many.

    A row asks for one of the implicants that hold on it, so the choice must meet every such set; of these only the
    smallest count. Branches go through the members of one set; the best choice at the end of the nodes is returned.
    This is no plain set cover, which `exact` has: of as few implicants those with the fewest literals are wanted.
    """
    n_variables = len(codes.literals) // 2
    if n_variables > MOST_COVERED_VARIABLES:
        return implicants
    tables = [_table(code, codes, n_variables) for code in implicants]
    demands = {sum(1 << k for k, table in enumerate(tables) if table >> row & 1) for row in range(1 << n_variables)}
    best, best_cost = (1 << len(implicants)) - 1, (len(implicants), _n_literals(implicants))
    stack = [(absorbed(demands - {0}), 0)]
    for _ in range(MOST_COVER_NODES):
        if not stack:
            break
        sets, chosen = stack.pop()
        cost = chosen.bit_count(), sum(implicants[bit.bit_length() - 1].bit_count() for bit in bits(chosen))
        if not sets and cost < best_cost:
            best, best_cost = chosen, cost
        elif sets and cost[0] + _n_apart(sets) <= best_cost[0]:
            stack.extend(reversed([(rest, chosen | bit) for bit, rest in _choices(sets)]))
    return [code for k, code in enumerate(implicants) if best >> k & 1]


def _choices(sets: list[int]) -> list[tuple[int, list[int]]]:
    """Return the members of a smallest set, each with the sets left to meet if it and none before it is chosen."""
    choices, refused = [], 0
    for bit in sorted(bits(min(sets, key=int.bit_count)), key=lambda bit: -sum(1 for members in sets if members & bit)):
        rest = [members & ~refused for members in sets if not members & bit]
        if all(rest):
            choices.append((bit, rest))
        refused |= bit
    return choices


def _n_apart(sets: list[int]) -> int:
    """Return a number of sets without a common member: as many must be chosen at least."""
    union = count = 0
    for members in sorted(sets, key=int.bit_count):
        if not members & union:
            union |= members
            count += 1
    return count


def _table(code: int, codes: Codes, n_variables: int) -> int:
    every = everywhere(n_variables)
    table = every
    for bit in bits(code):
        index = bit.bit_length() - 1
        column = variable_table(index // 2, n_variables)
        table &= every ^ column if index % 2 else column
    return table


def _n_literals(cover: Sequence[int]) -> int:
    return sum(code.bit_count() for code in cover)
