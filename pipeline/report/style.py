"""How figures look, light and dark, and how they are saved: vector and PNG."""

import contextlib

import matplotlib
from cycler import cycler
from matplotlib.figure import Figure

from pipeline.io.outputs import replacing

# Okabe & Ito's colours, which most colour-blind readers tell apart; yellow is too light on white.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
DARK_COLOURS = ["#56B4E9", "#FF8A3D", "#2FC29A", "#E08FBF", "#F0B93A", "#9DB4FF"]  # the same on dark
GREY = "#8A8A8A"
INK, PAPER = "#1A1A1A", "#FFFFFF"
DARK_INK, DARK_PAPER = "#E6E6E6", "#17191C"
LINES = ["-", "--", "-.", ":"]
# How a figure is saved, for light pages and for dark ones: endings of files and their formats.
FILES = {False: {".svg": "svg", ".png": "png"}, True: {".dark.svg": "svg"}}
DPI = 200


@contextlib.contextmanager
def look(dark=False):
    """The settings of matplotlib inside the block; the same figure gives the same bytes."""
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


def colours():
    """The colours of the look that is set."""
    return matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]


def panels(rows, columns, width, height, **options):
    """A figure of panels, each ``width`` × ``height`` inches, and its axes, an array (rows, columns)."""
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def plain(text):
    """A text that matplotlib shows as it is, and does not take for mathematics."""
    return text.replace("$", r"\$")


def save(figure, path, kind):
    """Write a figure as ``kind`` (``svg``, ``png`` or ``pdf``), whole or not at all, without the date."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}[kind]
    with replacing(path) as temporary:
        figure.savefig(temporary, format=kind, dpi=DPI, metadata=metadata)


def save_all(draw, folder, name):
    """Draw a figure (``draw()`` returns it) in each look and save it to ``folder`` under ``name``."""
    for dark, files in FILES.items():
        with look(dark):
            figure = draw()
            for ending, kind in files.items():
                save(figure, folder / f"{name}{ending}", kind)
