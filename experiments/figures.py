"""Draws the figures of docs/: SVG in light and dark colours, which follow the colour scheme of the reader.

`replication.py` draws those of scores, jumps and curves, `papers_page.py` those of the examples.
"""

import io
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.semihmm.model import Model
from vorlage.workflow.report.figures import draw_head_to_head
from vorlage.workflow.report.style import COLOURS, DARK, GREY, INK, LINES, STYLE, make_panels

DOCS = Path("docs")
BLUE, ORANGE, GREEN, PINK = COLOURS[:4]
TEXT = {"svg.fonttype": "none", "font.family": "sans-serif", "font.sans-serif": ["sans-serif", "DejaVu Sans"]}
CENTRED = {"ha": "center", "va": "center"}


def save(name: str, draw: Callable[[], Figure]) -> None:
    """Save what `draw` draws as docs/NAME.svg, whose colours are variables with a light and a dark value."""
    with matplotlib.rc_context(STYLE | TEXT):
        svg = io.StringIO()
        draw().savefig(svg, format="svg", metadata={"Date": None}, transparent=True)
    dark, text = {light.lower(): colour.lower() for light, colour in DARK.items()}, svg.getvalue()
    used = sorted(dark.keys() & set(re.findall("#[0-9a-f]{6}", text)))
    light_values = "".join(f"--c{colour[1:]}:{colour};" for colour in used)
    dark_values = "".join(f"--c{colour[1:]}:{dark[colour]};" for colour in used)
    style = f":root{{{light_values}}}@media(prefers-color-scheme:dark){{:root{{{dark_values}}}}}"
    text = re.sub("|".join(used), lambda match: f"var(--c{match[0][1:]})", text)
    text = text.replace("<defs>", f"<style>{style}</style>\n <defs>", 1)
    (DOCS / f"{name}.svg").write_text(text, encoding="utf-8")


def draw_systems(of_papers: Mapping[str, float], runs: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw SoftF of systems: of the papers, and here with intervals.

    `runs`: a table for each label, with a row for each system: `soft_f`, `low` and `high`, NaN for none.
    """
    figure, axes = make_panels(1, 1, 7.6, 0.8 + 0.3 * len(of_papers))
    axis, heights = axes[0, 0], np.arange(len(of_papers))[::-1]
    axis.plot(list(of_papers.values()), heights, "x", color=INK, label="the paper, Ziff-Davis")
    for number, (label, table) in enumerate(runs.items()):
        known = table["soft_f"].notna().to_numpy()
        values, low, high = table[known].to_numpy(dtype=float).T
        style = {"fmt": "os"[number], "color": COLOURS[number], "markersize": 4, "capsize": 2, "label": label}
        places = heights[known] + 0.15 - 0.3 * number
        axis.errorbar(values, places, xerr=[values - low, high - values], **style)
    axis.set(yticks=heights, yticklabels=list(of_papers), xlim=(0, 1))
    axis.set_xlabel("SoftF, 95 % interval over documents")
    axis.grid(axis="y", visible=False)
    figure.legend(loc="outside upper center", ncols=3, fontsize=7)
    return figure


def draw_jumps(run: Path, jumps: Iterable[str]) -> Figure:
    """Draw the jumps of the gold (2005, Figure 2) and those that the models by distance have learned."""
    models = [Model.load(run / f"train/{jump}/model.npz") for jump in jumps]
    return draw_head_to_head(models, pd.read_table(run / "score/jumps.tsv"), pd.DataFrame())


def draw_curves(table: pd.DataFrame, x: str, value: str, label: str) -> Figure:
    """Draw a value by `pairs` or `iteration`: a row of panels for each set, a column for each setting."""
    sets, settings = table["scored_on"].unique(), table["settings"].unique()
    figure, axes = make_panels(len(sets), len(settings), 3.1, 2.4, sharey="row")
    styles = dict(zip(sorted(table["jump"].unique()), zip(LINES, COLOURS, strict=False), strict=False))
    for (row, column), axis in np.ndenumerate(axes):
        rows = table[(table["scored_on"] == sets[row]) & (table["settings"] == settings[column])]
        for jump, (line, colour) in styles.items():
            of_jump = rows[rows["jump"] == jump]
            mean = of_jump.groupby(x)[value].mean()
            axis.plot(of_jump[x], of_jump[value], ".", color=colour, markersize=3, alpha=0.6)
            axis.plot(mean.index, mean, line, color=colour, label=jump)
        axis.set(xscale="log", title=f"{sets[row]}, {settings[column]}", ylabel=label)
        axis.set_xlabel(f"{x} of EM" if x == "iteration" else x)
        ticks = sorted(rows[x].unique())
        axis.set_xticks(ticks, map(str, ticks))
        axis.minorticks_off()
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize=7)
    return figure


def _make_canvas(width: float, height: float, **limits: tuple[float, float]) -> tuple[Figure, Axes]:
    """Return a figure of a drawing without axes, and what is drawn on; `limits`: `xlim` and `ylim`."""
    figure, axes = make_panels(1, 1, width, height)
    axes[0, 0].set_axis_off()
    axes[0, 0].set(**limits)
    return figure, axes[0, 0]


def _draw_words(axis: Axes, words: Sequence[str], y: float, grey: Container[int] = ()) -> list[float]:
    """Write words in a row, those of some numbers in grey; return the middle of each."""
    sizes = [max(len(word), 3) + 1.4 for word in words]
    middles = np.cumsum(sizes) - np.array(sizes) / 2
    axis.set_xlim(0, max(axis.get_xlim()[1], sum(sizes)))
    for number, (x, word) in enumerate(zip(middles, words, strict=True)):
        axis.text(x, y, word, fontsize=8.5, color=GREY if number in grey else INK, **CENTRED)
    return middles.tolist()


def _box(colour: str) -> dict[str, object]:
    return {"boxstyle": "round,pad=0.3", "facecolor": "#FFFFFF", "edgecolor": colour}


def draw_alignment(pair: Pair, links: Iterable[tuple[range, range]]) -> Figure:
    """Draw the links of a pair: the summary above, the sentences of the document below (Figure 1)."""
    sentences, links = pair.document.sentences, list(links)
    ylim, words = (-len(sentences) - 0.3, 0.3), pair.summary.words
    figure, axis = _make_canvas(9.2, 1.2 + 1.1 * len(sentences), ylim=ylim)
    linked = {i for summary, _ in links for i in summary}
    above = _draw_words(axis, words, 0, grey=set(range(len(words))) - linked)
    below = []  # the place of each document word
    for number, (first, last) in enumerate(sentences, start=1):
        below += [(x, -number) for x in _draw_words(axis, pair.document.words[first:last], -number)]
    for number, (summary, document) in enumerate(links):
        style, y = {"color": COLOURS[number % len(COLOURS)]}, below[document[0]][1] + 0.13
        for places, level in (([above[i] for i in summary], -0.12), ([below[j][0] for j in document], y)):
            axis.plot([places[0] - 1.2, places[-1] + 1.2], [level, level], linewidth=1.6, **style)
        ends = np.mean([above[i] for i in summary]), np.mean([below[j][0] for j in document])
        axis.plot(ends, [-0.12, y], linewidth=1, **style)
    return figure


def draw_path(pair: Pair, steps: Sequence[tuple[range, range]]) -> Figure:
    """Draw a path through the semi-HMM: a step for each summary phrase, at its document words (Figure 3)."""
    figure, axes = make_panels(1, 1, 8.6, 4.6)
    axis, words = axes[0, 0], ["∅", *pair.document.words]
    places = [(number, document) for number, (_, document) in enumerate(steps) if document]
    nulls = [number for number, (_, document) in enumerate(steps) if not document]
    axis.plot([-1.5] * len(nulls), nulls, "o", color=GREY, markersize=5, fillstyle="none")
    for y, document in places:
        axis.plot([document[0], document[-1]], [y, y], "o-", color=BLUE, markersize=4, linewidth=2.5)
    for (y, document), (v, following) in pairwise(places):
        axis.plot([document[-1], following[0]], [y, v], color=BLUE, linewidth=0.8)
    axis.set_xticks([-1.5, *range(len(pair.document.words))], words, rotation=90)
    labels = [" ".join(pair.summary.words[i] for i in summary) for summary, _ in steps]
    axis.set(yticks=range(len(labels)), yticklabels=labels, ylim=(len(labels) - 0.5, -0.5))
    return figure


def draw_states(words: Sequence[str], jumps: Callable[[int], float], null: float) -> Figure:
    """Draw the states of a document of two words, and jumps with their probabilities (Figure 4)."""
    figure, axis = _make_canvas(6.2, 3.2, xlim=(-0.4, 4.8), ylim=(-1.9, 1.5))
    a, b = words
    both, null_a, null_b = f"{a} {b}", f"∅ at {a}", f"∅ at {b}"
    # The place of each state, and the first and the last position of those that jumps enter.
    places = {"start": (0, 0), a: (1.4, 0), b: (3.0, 0), both: (2.2, 1.1), "end": (4.4, 0)}
    places |= {null_a: (1.4, -1.6), null_b: (3.0, -1.6)}
    positions = {"start": (0, 0), a: (1, 1), b: (2, 2), both: (1, 2), "end": (3, 3)}

    def draw(one: str, other: str, bend: float, probability: float, colour: str, at: tuple[float, float]):
        """Draw a jump; `at`: where its probability is, from the middle of the arrow."""
        (x, y), (u, v) = places[one], places[other]
        shape = {"arrowstyle": "-|>", "shrinkA": 15, "shrinkB": 15, "linewidth": 0.9, "color": colour}
        arc = {"connectionstyle": f"arc3,rad={bend}"}
        axis.annotate("", (u, v), (x, y), arrowprops=shape | arc)
        middle = (x + u) / 2 + bend * (v - y) / 2 + at[0], (y + v) / 2 - bend * (u - x) / 2 + at[1]
        axis.text(*middle, f"{probability:.2g}", fontsize=7, color=colour, **CENTRED)

    bends = {("start", a): 0.0, (a, b): 0.0, (b, "end"): 0.0, ("start", b): 0.3, (a, "end"): 0.3}
    bends |= {(b, a): 0.35, ("start", both): -0.2, (both, "end"): -0.2}
    for (one, other), bend in bends.items():
        distance = positions[other][0] - positions[one][1]
        draw(one, other, bend, jumps(distance), BLUE, (0.35 if distance == 2 else 0.0, 0.12))
    for word, at_null, following in ((a, null_a, b), (b, null_b, "end")):
        draw(word, at_null, 0.0, null, ORANGE, (-0.2, 0.0))
        draw(at_null, following, 0.15, jumps(1), GREEN, (0.0, -0.1))
    for name, place in places.items():
        colour = ORANGE if name.startswith("∅") else INK
        axis.text(*place, name, color=colour, bbox=_box(colour), **CENTRED)
    return figure


def draw_tree(tree, skipped: Iterable[tuple[int, int]]) -> Figure:
    """Draw a tree of NLTK, and lines under the words that jumps skip (Figure 6)."""
    depth = tree.height() - 1
    figure, axis = _make_canvas(9.2, 3.6, ylim=(-depth - 0.7, 0.4))
    places = _draw_words(axis, tree.leaves(), -depth)
    leaves = iter(places)

    def draw(node, level: int) -> float:
        """Draw what is below a node, and return its place."""
        if isinstance(node, str):
            return next(leaves)
        xs = [draw(child, level + 1) for child in node]
        middle = (xs[0] + xs[-1]) / 2
        for child, x in zip(node, xs, strict=True):
            down = -depth + 0.25 if isinstance(child, str) else -level - 0.8
            axis.plot([middle, x], [-level - 0.2, down], color=GREY, linewidth=0.7)
        axis.text(middle, -level, node.label(), fontsize=8, color=BLUE, **CENTRED)
        return middle

    draw(tree, 0)
    for colour, (first, last) in zip(COLOURS[1:], skipped, strict=False):
        ends = [places[first] - 2, places[last - 1] + 2]
        axis.plot(ends, [-depth - 0.45] * 2, color=colour, linewidth=2)
    return figure


def draw_extract(pair: Pair, extract: Extract) -> Figure:
    """Draw which document sentences an extract has, and for which summary sentence (Figure 7)."""
    kept, count = list(extract.sentences), len(pair.document.sentences)
    figure, axis = _make_canvas(6.6, 2.6, xlim=(-3.2, count + 0.3), ylim=(-0.4, 2.4))

    def draw_row(name: str, y: float, colours: Mapping[int, str]) -> dict[int, float]:
        """Draw a row of sentences by their numbers; return the place of each."""
        axis.text(-0.6, y, name, ha="right", va="center")
        places = {number: (k + 0.5) * count / len(colours) for k, number in enumerate(colours)}
        for number, colour in colours.items():
            style = {"color": colour, "bbox": _box(colour), "fontsize": 7}
            axis.text(places[number], y, str(number + 1), **style, **CENTRED)
        return places

    summary = draw_row("summary", 2, dict(enumerate(COLOURS[: len(pair.summary.sentences)])))
    chosen = draw_row("extract", 1, dict.fromkeys(kept, INK))
    document = draw_row("document", 0, dict.fromkeys(range(count), GREY) | dict.fromkeys(kept, INK))
    for sentence in kept:
        axis.plot([document[sentence], chosen[sentence]], [0.2, 0.8], color=GREY, linewidth=0.8)
    for number, sentences in enumerate(extract.by_summary_sentence):
        for sentence in sentences:
            ends = [summary[number], chosen[sentence]]
            axis.plot(ends, [1.8, 1.2], color=COLOURS[number], linewidth=1)
    return figure
