"""The experiments by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from conjunct.errors import SettingError
from conjunct.lab.experiment import Experiment
from conjunct.lab.experiments.boosting_versus_margin import BOOSTING_VERSUS_MARGIN
from conjunct.lab.experiments.cart_is_regularised_risk import CART_IS_REGULARISED_RISK
from conjunct.lab.experiments.certificate_ladder import CERTIFICATE_LADDER
from conjunct.lab.experiments.decision_list_linear import DECISION_LIST_LINEAR
from conjunct.lab.experiments.dnf_terms import DNF_TERMS
from conjunct.lab.experiments.eg_loss import EG_LOSS
from conjunct.lab.experiments.elimination import ELIMINATION
from conjunct.lab.experiments.frontier_figure import FRONTIER_FIGURE
from conjunct.lab.experiments.halfspace_intersection_learning import HALFSPACE_INTERSECTION_LEARNING
from conjunct.lab.experiments.halfspace_network import HALFSPACE_NETWORK
from conjunct.lab.experiments.infinite_attributes import INFINITE_ATTRIBUTES
from conjunct.lab.experiments.k_dnf_linear import K_DNF_LINEAR
from conjunct.lab.experiments.led_bounds import LED_BOUNDS
from conjunct.lab.experiments.led_table import LED_TABLE
from conjunct.lab.experiments.margin_on_hard_sequence import MARGIN_ON_HARD_SEQUENCE
from conjunct.lab.experiments.margin_perceptron_convergence import MARGIN_PERCEPTRON_CONVERGENCE
from conjunct.lab.experiments.naive_bayes_threshold import NAIVE_BAYES_THRESHOLD
from conjunct.lab.experiments.non_realizable import NON_REALIZABLE
from conjunct.lab.experiments.online_to_pac import ONLINE_TO_PAC
from conjunct.lab.experiments.optimal_trees import OPTIMAL_TREES
from conjunct.lab.experiments.perceptron_bound import PERCEPTRON_BOUND
from conjunct.lab.experiments.perceptron_versus_winnow import PERCEPTRON_VERSUS_WINNOW
from conjunct.lab.experiments.subset_margin import SUBSET_MARGIN
from conjunct.lab.experiments.trees_span_polynomials import TREES_SPAN_POLYNOMIALS
from conjunct.lab.experiments.winnow_bound import WINNOW_BOUND
from conjunct.messages import nearest_names, shortened

__all__ = ["EXPERIMENTS", "find_experiment"]

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        each.name: each
        for each in (
            PERCEPTRON_BOUND,
            WINNOW_BOUND,
            ELIMINATION,
            EG_LOSS,
            INFINITE_ATTRIBUTES,
            PERCEPTRON_VERSUS_WINNOW,
            NON_REALIZABLE,
            NAIVE_BAYES_THRESHOLD,
            K_DNF_LINEAR,
            DECISION_LIST_LINEAR,
            HALFSPACE_NETWORK,
            HALFSPACE_INTERSECTION_LEARNING,
            TREES_SPAN_POLYNOMIALS,
            CART_IS_REGULARISED_RISK,
            FRONTIER_FIGURE,
            ONLINE_TO_PAC,
            LED_TABLE,
            LED_BOUNDS,
            MARGIN_PERCEPTRON_CONVERGENCE,
            MARGIN_ON_HARD_SEQUENCE,
            OPTIMAL_TREES,
            CERTIFICATE_LADDER,
            DNF_TERMS,
            SUBSET_MARGIN,
            BOOSTING_VERSUS_MARGIN,
        )
    }
)


def find_experiment(name: str) -> Experiment:
    """Return the experiment of that name.

    Raises
    ------
    SettingError
        When none has that name; the message lists the names, the nearest first.

    Examples
    --------
    >>> find_experiment("winnow-bound").name
    'winnow-bound'
    >>> find_experiment("winow")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    conjunct.errors.SettingError: no experiment is called 'winow'; did you mean 'winnow-bound'? known names: ...
    """
    if not isinstance(name, str) or name not in EXPERIMENTS:
        nearest = nearest_names(name, EXPERIMENTS)
        raise SettingError(
            f"no experiment is called {shortened(name)}; did you mean {nearest[0]!r}? known names: {', '.join(nearest)}"
        )
    return EXPERIMENTS[name]
