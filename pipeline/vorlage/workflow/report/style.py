"""How figures look on light and on dark pages, and how they are saved: as vectors and as PNG."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
from cycler import cycler
from matplotlib.figure import Figure

from vorlage.files.outputs import replacing, write_text
from vorlage.types import AnyArray

# The colours of Okabe & Ito, which most colour-blind readers can tell apart, without yellow: it is too light.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
GREY = "#8A8A8A"
INK, PAPER, GRID = "#1A1A1A", "#FFFFFF", "#E2E2E2"
# What dark pages have in place of each colour.
DARK = {
    **dict(zip(COLOURS, ["#56B4E9", "#FF8A3D", "#2FC29A", "#E08FBF", "#F0B93A", "#9DB4FF"], strict=True)),
    **{INK: "#E6E6E6", PAPER: "#17191C", GRID: "#3A3D42"},
}
LINES = ["-", "--", "-.", ":"]
DPI = 200


STYLE = {
    "svg.hashsalt": "vorlage",  # the same figure gives the same bytes
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=COLOURS),
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    **{f"{part}.color": INK for part in ("text", "xtick", "ytick")},
    **{f"axes.{part}": INK for part in ("edgecolor", "labelcolor", "titlecolor")},
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
}


def make_panels(
    rows: int, columns: int, width: float, height: float, **options: Any
) -> tuple[Figure, AnyArray]:
    """Return a figure of panels of `width` × `height` inches, and its axes, an array (rows, columns)."""
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def escape_mathematics(text: str) -> str:
    """Return a text with its dollar signs escaped, which matplotlib would read as mathematics."""
    return text.replace("$", r"\$")


def save_all(draw: Callable[[], Figure], folder: Path, name: str) -> None:
    """Save what `draw` draws in `folder`: as SVG for light pages, as SVG for dark pages, as PNG and as PDF.

    No file has a date.
    """
    with matplotlib.rc_context(STYLE):
        figure, svg = draw(), io.StringIO()
        figure.savefig(svg, format="svg", metadata={"Date": None}, transparent=True)
        figure.set_layout_engine("none")  # the PNG has the layout of the SVG, which took most of the time
        for form, about in (("png", {}), ("pdf", {"CreationDate": None})):
            with replacing(folder / f"{name}.{form}") as temporary:
                figure.savefig(temporary, format=form, dpi=DPI, metadata=about)
    write_text(folder / f"{name}.svg", svg.getvalue())
    write_text(folder / f"{name}.dark.svg", darken(svg.getvalue()))


def darken(svg: str) -> str:
    """Return an SVG of matplotlib in the colours of dark pages."""
    dark_of = {light.lower(): dark.lower() for light, dark in DARK.items()}
    return re.sub("#[0-9a-f]{6}", lambda match: dark_of.get(match[0], match[0]), svg)
