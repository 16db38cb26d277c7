"""The papers that experiments examine, and the experiments by paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from conjunct.lab.experiment import Experiment

__all__ = ["PAPERS", "Paper", "by_paper"]


class Paper(NamedTuple):
    """A paper as a figure or a list cites it.

    Examples
    --------
    >>> print(PAPERS["novikoff1962"])
    Novikoff 1962, On Convergence Proofs on Perceptrons
    """

    authors: str
    year: int
    title: str

    def __str__(self) -> str:
        return f"{self.authors} {self.year}, {self.title}"


# By their keys in docs/references.bib.
PAPERS: Mapping[str, Paper] = MappingProxyType(
    {
        "novikoff1962": Paper("Novikoff", 1962, "On Convergence Proofs on Perceptrons"),
        "breiman1984": Paper("Breiman, Friedman, Olshen and Stone", 1984, "Classification and Regression Trees"),
        "rivest1987": Paper("Rivest", 1987, "Learning Decision Lists"),
        "littlestone1988": Paper(
            "Littlestone",
            1988,
            "Learning Quickly When Irrelevant Attributes Abound: A New Linear-Threshold Algorithm",
        ),
        "littlestone1989": Paper("Littlestone", 1989, "From On-Line to Batch Learning"),
        "thrun1991": Paper(
            "Thrun and others", 1991, "The MONK's Problems: A Performance Comparison of Different Learning Algorithms"
        ),
        "blum1992": Paper("Blum", 1992, "Learning Boolean Functions in an Infinite Attribute Space"),
        "blumrivest1992": Paper("Blum and Rivest", 1992, "Training a 3-Node Neural Network is NP-Complete"),
        "quinlan1993": Paper("Quinlan", 1993, "C4.5: Programs for Machine Learning"),
        "domingos1997": Paper(
            "Domingos and Pazzani", 1997, "On the Optimality of the Simple Bayesian Classifier under Zero-One Loss"
        ),
        "kivinen1997": Paper(
            "Kivinen and Warmuth", 1997, "Exponentiated Gradient versus Gradient Descent for Linear Predictors"
        ),
        "schapire1998": Paper(
            "Schapire, Freund, Bartlett and Lee",
            1998,
            "Boosting the Margin: A New Explanation for the Effectiveness of Voting Methods",
        ),
        "freund1999": Paper("Freund and Schapire", 1999, "Large Margin Classification Using the Perceptron Algorithm"),
        "kowalczyk2002": Paper("Kowalczyk, Smola and Williamson", 2002, "Kernel Machines and Boolean Functions"),
        "khardon2005": Paper(
            "Khardon, Roth and Servedio",
            2005,
            "Efficiency versus Convergence of Boolean Kernels for On-Line Learning Algorithms",
        ),
        "lin2020": Paper(
            "Lin, Zhong, Hu, Rudin and Seltzer", 2020, "Generalized and Scalable Optimal Sparse Decision Trees"
        ),
    }
)


def by_paper(experiments: Iterable[Experiment]) -> dict[Paper, list[Experiment]]:
    """Put every experiment under the first of its papers, the oldest paper first."""
    groups: dict[Paper, list[Experiment]] = {}
    for experiment in experiments:
        groups.setdefault(PAPERS[experiment.source[0][0]], []).append(experiment)
    return dict(sorted(groups.items(), key=lambda group: group[0].year))
