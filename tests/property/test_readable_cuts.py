"""The cut between two numbers is the decimal that its definition in fractions names."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from conjunct.tables.cuts import readable_cut
from strategies import seeded

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-99, 99).map(float)


def multiples_inside(low: float, high: float, step: Fraction) -> list[float]:
    """Return the floats of the multiples of a step next to the middle that lie strictly between, nearest first."""
    middle = (Fraction(low) + Fraction(high)) / 2
    near = sorted({round(middle / step) + k for k in (-1, 0, 1)}, key=lambda k: (abs(k * step - middle), k % 2))
    between = [k * step for k in near if low < k * step < high]
    return [float(number) for number in between if low < float(number) < high]


@seeded
@given(NUMBERS, NUMBERS)
def test_no_decimal_of_fewer_digits_lies_between_and_none_of_as_many_is_nearer(one, other):
    low, high = sorted((one, other))
    if low == high:
        return
    cut = readable_cut(low, high)
    assert low <= cut < high
    width = Fraction(high) - Fraction(low)
    power = -340
    while Fraction(10) ** power <= width:
        power += 1
    for exponent in range(power, power - 6, -1):
        inside = multiples_inside(low, high, Fraction(10) ** exponent)
        if inside:
            assert cut == inside[0]
            return
    assert cut == low
