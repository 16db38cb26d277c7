"""What was learned: frozen objects that predict."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.models.kernel_expansion import KernelExpansion
    from conjunct.models.linear_threshold import LinearThreshold
    from conjunct.models.mean_powers import MeanPowers, NormalisedMeanPowers
    from conjunct.models.mean_threshold import MeanThreshold
    from conjunct.models.pairwise_expansion import PairwiseExpansion
    from conjunct.models.power_history import PowerHistory
    from conjunct.models.power_threshold import PowerThreshold
    from conjunct.models.voted_expansion import VotedExpansion
    from conjunct.models.voted_threshold import VotedThreshold
    from conjunct.models.weight_powers import WeightPowers

__all__ = [
    "KernelExpansion",
    "LinearThreshold",
    "MeanPowers",
    "MeanThreshold",
    "NormalisedMeanPowers",
    "PairwiseExpansion",
    "PowerHistory",
    "PowerThreshold",
    "VotedExpansion",
    "VotedThreshold",
    "WeightPowers",
]

_HOMES = {
    "KernelExpansion": "kernel_expansion",
    "LinearThreshold": "linear_threshold",
    "MeanPowers": "mean_powers",
    "MeanThreshold": "mean_threshold",
    "NormalisedMeanPowers": "mean_powers",
    "PairwiseExpansion": "pairwise_expansion",
    "PowerHistory": "power_history",
    "PowerThreshold": "power_threshold",
    "VotedExpansion": "voted_expansion",
    "VotedThreshold": "voted_threshold",
    "WeightPowers": "weight_powers",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
