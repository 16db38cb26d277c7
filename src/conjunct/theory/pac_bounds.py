"""From mistake bounds to errors: how long a hypothesis must survive, and how many examples that takes."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from itertools import count
from math import ceil, floor

from conjunct.messages import shortened
from conjunct.settings import Exact, exact, whole_number
from conjunct.theory.linear_learners import require
from conjunct.theory.mistake_bounds import ceil_log, ln_interval

__all__ = ["pac_examples", "pac_printed_length", "pac_survival_error", "pac_survival_length"]

DECIMAL_PLACES = 12  # of the decimal that an error is rounded up to


def pac_survival_length(mistakes: int, epsilon: Exact, delta: Exact) -> int:
    """Find how many examples in a row a hypothesis must survive: ceil((1/eps) ln((M + 1)/delta)).

    Parameters
    ----------
    mistakes : int
        M, a bound on the mistakes of the learner on any examples of the target.
    epsilon, delta : int, Fraction, str or float
        The error to be kept and the probability to fail, both between 0 and 1.

    Notes
    -----
    A learner with at most M mistakes has at most M + 1 hypotheses. One of error above eps, fixed before its examples
    are drawn, survives l of them with probability below (1 - eps)**l <= exp(-eps l) <= delta/(M + 1), and the union
    over all of them stays below delta. Source: [littlestone1989]. Without the union (`pac_printed_length`) it fails.
    The logarithm of a rational other than 1 is irrational, so the ceiling is never at an integer.

    Examples
    --------
    >>> pac_survival_length(0, 0.1, 0.05), pac_survival_length(20, 0.1, 0.05)
    (30, 61)
    """
    mistakes = whole_number(mistakes, "mistakes", least=0)
    return length_for(exact(epsilon, "epsilon"), exact(delta, "delta"), mistakes + 1)


def pac_printed_length(epsilon: Exact, delta: Exact) -> int:
    """Find the run length of a single hypothesis, ceil((1/eps) ln(1/delta)), which is too short for several.

    Notes
    -----
    With M bad hypotheses of error just above eps one after the other, about min(1, M delta) of the runs end with a bad
    one: as a rule to stop a learner it is false. It is here to be refuted; see the lab's ``online-to-pac``.

    Examples
    --------
    >>> pac_printed_length(0.1, 0.05)
    30
    """
    return length_for(exact(epsilon, "epsilon"), exact(delta, "delta"), 1)


def pac_examples(mistakes: int, epsilon: Exact, delta: Exact) -> int:
    """Bound the examples until some hypothesis has survived long enough: (M + 1) l.

    Notes
    -----
    Each hypothesis that fails was shown at most l examples, its mistake the last of them, and M of them fail. Tight:
    a mistake on every l-th example. Source: [littlestone1989].

    Examples
    --------
    >>> pac_examples(20, 0.1, 0.05)
    1281
    """
    return pac_survival_length(mistakes, epsilon, delta) * (mistakes + 1)


def pac_survival_error(mistakes: int, survival: int, delta: Exact) -> Fraction:
    """Bound the error of a hypothesis that survived so many examples in a row: eps with (M + 1)(1 - eps)**l = delta.

    Returns
    -------
    Fraction
        Rounded up to 12 decimals; 1 after no example at all.

    Notes
    -----
    It may be used with the longest survival l that was seen, although l depends on the examples: let eps(s) be the
    error for s. A hypothesis of error e has e > eps(s) only from the least s on where (1 - e)**s < delta/(M + 1), and
    it survives that many examples with no more than this probability. The union over M + 1 hypotheses stays below
    delta. Of m examples with at most M mistakes, some hypothesis survived at least (m - M)/(M + 1) in a row.

    Examples
    --------
    >>> float(pac_survival_error(20, 61, 0.05)), pac_survival_error(0, 1, "1/2")
    (0.094275922041, Fraction(1, 2))
    """
    mistakes = whole_number(mistakes, "mistakes", least=0)
    survival = whole_number(survival, "survival", least=0)
    failure = exact(delta, "delta")
    require_probability(failure, "delta")
    if survival == 0:
        return Fraction(1)
    context = Context(
        prec=3 * DECIMAL_PLACES + length_in_digits(failure) + len(str(survival)), Emax=MAX_EMAX, Emin=MIN_EMIN
    )
    share = failure / (mistakes + 1)
    quotient = context.divide(Decimal(share.numerator), Decimal(share.denominator))
    root = context.exp(context.divide(context.ln(quotient), Decimal(survival)))
    guess = floor((1 - Fraction(root)) * 10**DECIMAL_PLACES)
    for scaled in count(max(1, guess - 1)):
        if (
            scaled >= 10**DECIMAL_PLACES
            or ceil_log(1 / (1 - Fraction(scaled, 10**DECIMAL_PLACES)), 1 / share) <= survival
        ):
            break
    return min(Fraction(1), Fraction(scaled, 10**DECIMAL_PLACES))


def length_for(epsilon: Fraction, delta: Fraction, n_hypotheses: int) -> int:
    """Round (1/eps) ln(n/delta) up: with an interval around the logarithm so narrow that both ends agree."""
    require_probability(epsilon, "epsilon")
    require_probability(delta, "delta")
    for digits in (50 << doubling for doubling in count()):
        low, high = (ceil(bound / epsilon) for bound in ln_interval(n_hypotheses / delta, digits))
        if low == high:
            break
    return low


def length_in_digits(x: Fraction) -> int:
    """Digits of numerator and denominator."""
    return len(str(x.numerator)) + len(str(x.denominator))


def require_probability(value: Fraction, name: str) -> None:
    """Refuse what is not strictly between 0 and 1."""
    require(0 < value < 1, f"{name}={shortened(value)}: expected a number between 0 and 1, neither of them")
