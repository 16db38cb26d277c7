"""One figure with one pair of axes, as the bytes of a picture."""

from __future__ import annotations

import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from conjunct.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

__all__ = ["FIGURES", "GREY", "RULE", "figure_bytes"]

FIGURES = (".svg", ".png", ".pdf")  # how the name of a picture ends
STYLE: dict[str, Any] = {"font.size": 9, "svg.fonttype": "path", "svg.hashsalt": "conjunct"}
GREY, RULE = "#475569", "#cbd5e1"


def figure_bytes(draw: Callable[[Axes], tuple[float, float]], kind: str = "svg") -> bytes:
    """Let a function draw, which returns width and height in inches; the same bytes for the same drawing."""
    if find_spec("matplotlib") is None:
        raise SettingError("a figure needs the package matplotlib: pip install 'conjunct[lab]'")
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    style: Any = STYLE
    with rc_context(style):
        figure = Figure(layout="constrained")
        FigureCanvasAgg(figure)
        figure.set_size_inches(*draw(figure.subplots()))
        picture = io.BytesIO()
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
        figure.savefig(picture, format=kind, dpi=150, metadata=metadata)
    return picture.getvalue()
