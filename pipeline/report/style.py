"""How figures look on light and on dark pages, and how they are saved: as vectors and as PNG."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib
from cycler import cycler
from matplotlib.figure import Figure

from pipeline.io.outputs import replacing
from pipeline.types import AnyArray, StrPath

# The colours of Okabe & Ito, which most colour-blind readers can tell apart, without yellow: it is too light.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
DARK_COLOURS = ["#56B4E9", "#FF8A3D", "#2FC29A", "#E08FBF", "#F0B93A", "#9DB4FF"]  # the same on dark pages
GREY = "#8A8A8A"
INK, PAPER = "#1A1A1A", "#FFFFFF"
DARK_INK, DARK_PAPER = "#E6E6E6", "#17191C"
LINES = ["-", "--", "-.", ":"]
# File endings and formats, for light pages (False) and for dark pages (True).
FILES = {False: {".svg": "svg", ".png": "png"}, True: {".dark.svg": "svg"}}
DPI = 200


@contextlib.contextmanager
def figure_style(dark: bool = False) -> Iterator[None]:
    """Apply the settings of matplotlib inside the block; the same figure gives the same bytes."""
    ink, paper = (DARK_INK, DARK_PAPER) if dark else (INK, PAPER)
    settings = {
        "svg.hashsalt": "palimpsest",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.prop_cycle": cycler(color=DARK_COLOURS if dark else COLOURS),
        "grid.color": "#3A3D42" if dark else "#E2E2E2",
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "figure.facecolor": paper,
        "axes.facecolor": paper,
        "savefig.facecolor": paper,
        **{f"{part}.color": ink for part in ("text", "xtick", "ytick")},
        **{f"axes.{part}": ink for part in ("edgecolor", "labelcolor", "titlecolor")},
        "axes.titlesize": 9,
        "axes.titlelocation": "left",
    }
    with matplotlib.rc_context(settings):
        yield


def colours() -> list[str]:
    """Return the colours of the style that is applied."""
    return matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]


def make_panels(
    rows: int, columns: int, width: float, height: float, **options: Any
) -> tuple[Figure, AnyArray]:
    """Return a figure of panels of ``width`` × ``height`` inches, and its axes, an array (rows, columns)."""
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def escape_mathematics(text: str) -> str:
    """Return a text with its dollar signs escaped, which matplotlib would read as mathematics."""
    return text.replace("$", r"\$")


def save(figure: Figure, path: StrPath, kind: str) -> None:
    """Write a figure as ``kind`` (``svg``, ``png`` or ``pdf``), whole or not at all, without a date."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}[kind]
    with replacing(path) as temporary:
        figure.savefig(temporary, format=kind, dpi=DPI, metadata=metadata)


def save_all(draw: Callable[[], Figure], folder: Path, name: str) -> None:
    """Call ``draw`` for light and for dark pages, and save the figures in ``folder`` under ``name``."""
    for dark, files in FILES.items():
        with figure_style(dark):
            figure = draw()
            for ending, kind in files.items():
                save(figure, folder / f"{name}{ending}", kind)
