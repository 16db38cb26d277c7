"""Square systems of integer equations solved exactly, by digits to the base of a prime."""

from __future__ import annotations

from math import gcd, isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_EQUATIONS", "common_measure", "solve_exactly"]

PRIMES = (33_554_393, 33_554_383, 33_554_371)  # below 2**25: a sum of 2**12 products of two digits stays below 2**62
MOST_EQUATIONS = 1 << 12
LARGEST_ENTRY = 1 << 20


def solve_exactly(matrix: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[list[int], int] | None:
    """Solve ``matrix @ x = right`` in rational numbers: return the numerators of x and their one positive denominator.

    None says that the matrix is singular, or so to each of three primes, or that the system is too large for 64 bits.

    Notes
    -----
    Dixon's lifting: with C the inverse modulo p, each step takes the digit C r mod p of the solution to the base p and
    leaves the remainder (r - A digit) / p, whole and no longer than the rows of A. When enough digits are known the
    fractions follow from Euclid's algorithm; enough is tried at 1, 2, 4, ... digits, and no later than Hadamard's bound
    on the determinant says. What comes out is multiplied back and compared, so that an early guess cannot be wrong.
    Source: [dixon1982].

    Examples
    --------
    >>> solve_exactly(np.array([[2, 1], [1, 3]]), np.array([1, 0]))
    ([3, -1], 5)
    >>> solve_exactly(np.array([[2, 1], [4, 2]]), np.array([1, 0])) is None
    True
    """
    size = len(matrix)
    largest = max(int(np.abs(matrix).max()), int(np.abs(right).max()))
    if size > MOST_EQUATIONS or largest > LARGEST_ENTRY:
        return None
    for prime in PRIMES:
        inverse = _inverse(matrix, prime)
        if inverse is not None:
            return _lift(matrix, right, inverse, prime)
    return None


def common_measure(numbers: list[int]) -> list[int]:
    """Divide whole numbers by their greatest common divisor.

    Examples
    --------
    >>> common_measure([6, 0, -9])
    [2, 0, -3]
    """
    measure = gcd(*numbers)
    return [number // measure for number in numbers] if measure > 1 else numbers


def _inverse(matrix: NDArray[np.int64], prime: int) -> NDArray[np.int64] | None:
    """Return the inverse modulo a prime, by elimination in place; None where there is none."""
    work = matrix % prime
    swaps: list[tuple[int, int]] = []
    for step in range(len(work)):
        usable = np.flatnonzero(work[step:, step])
        if not usable.size:
            return None
        other = step + int(usable[0])
        work[[step, other]] = work[[other, step]]
        swaps.append((step, other))
        reciprocal = pow(int(work[step, step]), -1, prime)
        work[step, step] = 1
        work[step] = work[step] * reciprocal % prime
        targets = np.flatnonzero(work[:, step])
        targets = targets[targets != step]
        factors = work[targets, step]
        work[targets, step] = 0
        work[targets] = (work[targets] - factors[:, None] * work[step]) % prime
    for step, other in reversed(swaps):
        work[:, [step, other]] = work[:, [other, step]]
    return work


def _lift(
    matrix: NDArray[np.int64], right: NDArray[np.int64], inverse: NDArray[np.int64], prime: int
) -> tuple[list[int], int] | None:
    lengths = (matrix * matrix).sum(axis=1)
    bits = sum(int(length).bit_length() for length in lengths) // 2 + int((right * right).sum()).bit_length() + 2
    most_digits = 2 * (2 * bits // (prime.bit_length() - 1) + 2)
    whole = matrix.astype(object)
    remainder = right.astype(np.int64)
    residues: NDArray[Any] = np.zeros(len(matrix), object)
    modulus, n_digits, next_look = 1, 0, 1
    while n_digits <= most_digits:
        digit = inverse @ (remainder % prime) % prime
        remainder = (remainder - matrix @ digit) // prime
        residues = residues + digit.astype(object) * modulus
        modulus *= prime
        n_digits += 1
        if n_digits >= next_look:
            next_look *= 2
            solution = _fractions(residues.tolist(), modulus)
            if solution is not None:
                numerators, denominator = solution
                if np.array_equal(whole @ np.array(numerators, object), right.astype(object) * denominator):
                    return solution
    return None


def _fractions(residues: list[int], modulus: int) -> tuple[list[int], int] | None:
    """Find small fractions of one denominator that are these residues; None where they are not small."""
    limit = isqrt(modulus // 2)
    denominator = 1
    parts: list[tuple[int, int]] = []
    for residue in residues:
        shifted = residue * denominator % modulus
        shifted = shifted - modulus if shifted > modulus // 2 else shifted
        if abs(shifted) > limit:
            older, newer, old_factor, new_factor = modulus, shifted % modulus, 0, 1
            while newer > limit:
                quotient, remainder = divmod(older, newer)
                older, newer = newer, remainder
                old_factor, new_factor = new_factor, old_factor - quotient * new_factor
            shifted, factor = (newer, new_factor) if new_factor > 0 else (-newer, -new_factor)
            denominator *= factor
            if denominator > limit or not factor:
                return None
        parts.append((shifted, denominator))
    return [numerator * (denominator // divisor) for numerator, divisor in parts], denominator
