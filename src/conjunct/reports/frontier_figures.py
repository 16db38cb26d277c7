"""The figure of a frontier: how few errors trees make by their leaves, and the best trees that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conjunct.reports.figure import GREY, RULE, figure_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from conjunct.certificates import TreeFrontier

__all__ = ["draw_frontier"]

BLUE = "#0b6e99"


def draw_frontier(frontier: TreeFrontier, kind: str = "svg") -> bytes:
    """Draw the least errors for every number of leaves, or bounds on them, and those of the best trees.

    Parameters
    ----------
    frontier : TreeFrontier
    kind : {"svg", "png", "pdf"}

    Returns
    -------
    bytes
        The same for the same frontier.
    """
    return figure_bytes(lambda axes: _draw(axes, frontier), kind)


def _draw(axes: Axes, frontier: TreeFrontier) -> tuple[float, float]:
    from matplotlib.ticker import MaxNLocator

    leaves, errors = list(frontier.errors), list(map(float, frontier.errors.values()))
    known = [frontier.known_errors(n) for n in leaves]
    axes.fill_between(leaves, errors, step="post", color=RULE, linewidth=0, label="no tree is here")
    if frontier.trees:
        label = "the best trees" if frontier.exact else "best trees known"
        axes.plot(leaves, [float(own or 0) for own in known], "o", color=BLUE, markersize=4, label=label)
    axes.set_xlabel("leaves")
    axes.set_ylabel("cost of errors" if frontier.certificates[0].has_costs else "errors")
    axes.set_xlim(left=0.5)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=GREY)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    certainty = ", certified" if frontier.certified else ", not certified"
    depth = frontier.certificates[-1].depth_words
    axes.set_title(f"Decision trees {depth}: {'exact' if frontier.exact else 'bounds'}{certainty}", loc="left")
    axes.legend(frameon=False)
    return 6.0, 3.6
