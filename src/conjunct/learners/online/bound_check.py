"""What a theorem promised about a run, and what the run did."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.settings import exact

if TYPE_CHECKING:
    from conjunct.learners.online.transcript import Transcript

__all__ = ["BoundCheck", "Refutation"]


@dataclass(frozen=True)
class BoundCheck:
    """A bound on the mistakes of a run, for a target.

    Attributes
    ----------
    statement : str
        The bound in words.
    n_mistakes : int
    bound : int or Fraction
    """

    statement: str
    n_mistakes: int
    bound: int | Fraction

    @property
    def holds(self) -> bool:
        """Whether the run obeyed the bound. If not, the bound's hypotheses do not hold, or this library is wrong."""
        return self.n_mistakes <= self.bound

    @property
    def tightness(self) -> float:
        """Mistakes over bound; infinite where a bound of 0 is broken."""
        return float(self.n_mistakes / Fraction(self.bound)) if self.bound else inf if self.n_mistakes else 0.0

    def __str__(self) -> str:
        sign = "<=" if self.holds else ">"
        return f"{self.n_mistakes} mistakes {sign} {float(self.bound):g}: {self.statement}"


@dataclass(frozen=True)
class Refutation:
    """What a run with so many mistakes refutes.

    Attributes
    ----------
    width : int
        No disjunction of at most so many variables fits the rows; 0 where nothing is refuted.
    statement : str
    """

    width: int
    statement: str

    def __str__(self) -> str:
        return self.statement


def refutation(width: int, of: str, why: str) -> Refutation:
    """Put a refutation into words."""
    if width == 0:
        return Refutation(0, f"refutes no disjunction: {why}")
    return Refutation(width, f"no disjunction of at most {width} {of} fits this sequence: {why}")


def disjunction(target: Any, n_variables: int) -> frozenset[int]:
    """Check a target that is a set of variables."""
    if not isinstance(target, Set) or not all(isinstance(v, int | np.integer) for v in target):
        raise SettingError(f"target={shortened(target)}: expected a set of variable numbers, the disjunction of them")
    strange = [v for v in target if not 0 <= v < n_variables]
    if strange:
        raise SettingError(f"target has variable {strange[0]}, expected numbers from 0 to {n_variables - 1}")
    return frozenset(int(v) for v in target)


def weights(target: Any, n_variables: int) -> dict[int, Fraction]:
    """Check a target that gives weights to variables."""
    if not isinstance(target, Mapping):
        raise SettingError(
            f"target={shortened(target)}: expected a set of variables, or a dict of variables and weights"
        )
    disjunction(set(target), n_variables)
    return {int(variable): exact(weight, f"target[{variable}]") for variable, weight in target.items()}


def mistakes_of(transcript: Transcript) -> list[tuple[list[int], int]]:
    """Return the variables and the label of every mistake."""
    updates = np.flatnonzero(transcript.is_mistake).tolist()
    return [(transcript.rows.row(k).tolist(), int(transcript.label[k])) for k in updates]


def require_plain(transcript: Transcript, holds: bool, advice: str) -> None:
    """Refuse a run of a kind that no bound is known for."""
    if not holds or np.any(transcript.rate != 1):
        raise SettingError(f"no bound is known for this run; {advice}, and no class weights")
