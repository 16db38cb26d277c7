"""Whether a margin problem fits the floats that search for its solution."""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import TYPE_CHECKING

from conjunct.errors import BitsError, KernelError, SettingError

if TYPE_CHECKING:
    from conjunct.kernels import Kernel
    from conjunct.learners.margin.labelled_cells import LabelledCells

__all__ = ["require_mass_range", "require_range"]

LARGEST_EXPONENT = 900  # of a value, or of 1 over it
LARGEST_PRODUCT_EXPONENT = 1000  # what is left of the 1023 of float64 is for sums
CHARACTERS_OF_A_KERNEL = 80


def require_range(kernel: Kernel, lam: Fraction, cells: LabelledCells) -> None:
    """Refuse kernel values, weights of rows and a lam that leave the range of floats, alone or multiplied."""
    reach = log2_of(kernel.layout(cells.rows).largest)
    if abs(reach) > LARGEST_EXPONENT:
        text = repr(kernel)
        if len(text) > CHARACTERS_OF_A_KERNEL:
            text = text[:CHARACTERS_OF_A_KERNEL] + "..."
        raise KernelError(
            f"kernel={text} reaches about 2**{reach:.0f} on "
            f"{cells.rows.n_variables} variables; margins are searched in floats, within 2**-{LARGEST_EXPONENT} and "
            f"2**{LARGEST_EXPONENT}. Set a smaller max_size, or other costs"
        )
    require_mass_range(lam, cells, reach, "lam=None takes half the mean of k(x, x)")


def require_mass_range(lam: Fraction, cells: LabelledCells, reach: float, advice: str) -> None:
    """Refuse weights of rows and a lam that leave the range of floats, alone or times values of up to 2**reach."""
    masses = {int(mass) for group in (cells.positive, cells.negative) for mass in set(group.tolist()) if mass}
    light, heavy = log2_of(cells.unit * min(masses)), log2_of(cells.mass)
    if max(-light, heavy) > LARGEST_EXPONENT:
        raise BitsError(
            f"the rows weigh from about 2**{light:.0f} to 2**{heavy:.0f} together; margins are searched in floats, "
            f"within 2**-{LARGEST_EXPONENT} and 2**{LARGEST_EXPONENT}. Divide all weights by one number"
        )
    price = -log2_of(lam)
    products = [price, reach + price, light + price, heavy + price, light + reach + price, heavy + reach + price]
    if max(map(abs, products)) > LARGEST_PRODUCT_EXPONENT:
        raise SettingError(
            f"lam is about 2**{-price:.0f}, too far for floats from kernel values of 2**{reach:.0f} and rows that "
            f"weigh 2**{light:.0f} to 2**{heavy:.0f}; {advice}"
        )


def log2_of(value: Fraction) -> float:
    """Return the logarithm of a positive ratio of any size."""
    return log2(value.numerator) - log2(value.denominator)
