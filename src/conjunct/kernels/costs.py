"""What a conjunction of size j costs: the weights 1/K_j of a kernel's features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from conjunct.errors import KernelError
from conjunct.messages import shortened
from conjunct.theory import Exact, exact

__all__ = ["Costs", "Geometric", "cost_function", "exact_costs"]


@dataclass(frozen=True)
class Geometric:
    """Costs K_j = eps**-j: a conjunction of size j weighs eps**j.

    Parameters
    ----------
    eps : int, Fraction, "p/q" or float
        Positive; below 1 short conjunctions weigh more, above 1 long ones.

    Examples
    --------
    >>> Geometric(0.5)
    Geometric(eps=Fraction(1, 2))
    """

    eps: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "eps", exact(self.eps, "eps"))
        if Fraction(self.eps) <= 0:
            raise KernelError(f"eps={shortened(self.eps)}: expected a positive number")


Costs = Geometric | tuple[Fraction, ...] | None


def exact_costs(costs: Sequence[Exact] | Geometric | None, max_size: int | None) -> Costs:
    """Check the costs K_0..K_d given to a kernel and make them exact."""
    if costs is None or isinstance(costs, Geometric):
        return costs
    if isinstance(costs, str) or not isinstance(costs, Sequence):
        raise KernelError(f"costs={shortened(costs)}: expected None, a sequence K_0..K_d or Geometric(eps)")
    numbers = tuple(exact(cost, f"costs[{j}]") for j, cost in enumerate(costs))
    for j, cost in enumerate(numbers):
        if cost <= 0:
            raise KernelError(f"costs[{j}]={shortened(cost)}: expected a positive number")
    if max_size is not None and len(numbers) != max_size + 1:
        raise KernelError(
            f"{len(numbers)} costs given; max_size={shortened(max_size)} needs {shortened(max_size + 1)}, "
            "from the empty conjunction up"
        )
    if len(numbers) < 2:
        raise KernelError("costs need at least two entries, K_0 for the empty conjunction and K_1")
    return numbers


def cost_function(costs: Costs) -> Callable[[int], Fraction] | None:
    """Return j -> K_j, or None where every cost is 1."""
    if costs is None:
        return None
    if isinstance(costs, Geometric):
        eps = Fraction(costs.eps)
        return lambda j: 1 / eps**j
    return lambda j: costs[j]
