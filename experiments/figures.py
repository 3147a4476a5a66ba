"""Draws the figures of docs/: SVG in light and dark colours, which follow the colour scheme of the reader.

`replication.py` draws those of scores, jumps and curves, `papers_page.py` those of the examples.
"""

import io
import re
from collections.abc import Callable, Iterable, Sequence
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


def save(name: str, draw: Callable[[], Figure]) -> None:
    """Save what `draw` draws as docs/NAME.svg, whose colours are variables with a light and a dark value."""
    with matplotlib.rc_context(STYLE | TEXT):
        svg = io.StringIO()
        draw().savefig(svg, format="svg", metadata={"Date": None}, transparent=True)
    used = sorted(
        {colour.lower() for colour in DARK} & set(re.findall("#[0-9a-f]{6}", svg.getvalue().lower()))
    )
    dark = {light.lower(): colour.lower() for light, colour in DARK.items()}
    light_values, dark_values = (
        "".join(f"--c{c[1:]}:{of[c]};" for c in used) for of in ({c: c for c in used}, dark)
    )
    style = f":root{{{light_values}}}@media(prefers-color-scheme:dark){{:root{{{dark_values}}}}}"
    text = re.sub("#[0-9a-f]{6}", lambda m: f"var(--c{m[0][1:]})" if m[0] in used else m[0], svg.getvalue())
    text = text.replace("<defs>", f"<style>{style}</style>\n <defs>", 1)
    (DOCS / f"{name}.svg").write_text(text, encoding="utf-8")


def draw_systems(
    rows: Sequence[tuple[str, float, Sequence[tuple[float, float, float] | None]]], runs: Sequence[str]
) -> Figure:
    """Draw SoftF of systems: of the paper, and here with intervals.

    `rows`: the name of a system, the number of the paper, and SoftF, low and high by each run.
    """
    figure, axes = make_panels(1, 1, 5.6, 0.8 + 0.36 * len(rows))
    axis, heights = axes[0, 0], np.arange(len(rows))[::-1]
    axis.plot([paper for _, paper, _ in rows], heights, "x", color=INK, label="the paper, Ziff-Davis")
    for number, run in enumerate(runs):
        shown = [
            (height, each[number]) for height, (*_, each) in zip(heights, rows, strict=True) if each[number]
        ]
        places = np.array([height for height, _ in shown]) + 0.15 - 0.3 * number
        values, low, high = np.array([values for _, values in shown]).T
        style = {"fmt": "os"[number], "color": COLOURS[number], "markersize": 4, "capsize": 2, "label": run}
        axis.errorbar(values, places, xerr=[values - low, high - values], **style)
    axis.set(
        yticks=heights,
        yticklabels=[name for name, *_ in rows],
        xlim=(0, 1),
        xlabel="SoftF, 95 % interval over documents",
    )
    axis.grid(axis="y", visible=False)
    axis.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncols=3, fontsize=7, columnspacing=1)
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
    for panels, name in zip(axes, sets, strict=True):
        for axis, setting in zip(panels, settings, strict=True):
            rows = table[(table["scored_on"] == name) & (table["settings"] == setting)]
            for jump, (line, colour) in styles.items():
                of_jump = rows[rows["jump"] == jump]
                mean = of_jump.groupby(x)[value].mean()
                axis.plot(of_jump[x], of_jump[value], ".", color=colour, markersize=3, alpha=0.6)
                axis.plot(mean.index, mean, line, color=colour, label=jump)
            axis.set(
                xscale="log",
                title=f"{name}, {setting}",
                xlabel=f"{x} of EM" if x == "iteration" else x,
                ylabel=label,
            )
            ticks = sorted(rows[x].unique())
            axis.set_xticks(ticks, [str(tick) for tick in ticks])
            axis.minorticks_off()
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize=7)
    return figure


def _words(axis: Axes, words: Sequence[str], y: float, width: float, colours: dict[int, str]) -> list[float]:
    """Write words in a row; return the middle of each."""
    x, middles = 0.0, []
    for number, word in enumerate(words):
        size = width * (len(word) + 1.2)
        middles.append(x + size / 2)
        axis.text(
            middles[-1], y, word, ha="center", va="center", fontsize=8.5, color=colours.get(number, INK)
        )
        x += size
    return middles


def draw_alignment(pair: Pair, links: Iterable[tuple[range, range]]) -> Figure:
    """Draw the links of a pair: the summary above, the sentences of the document below (Figure 1)."""
    sentences, links = pair.document.sentences, list(links)
    figure, axes = make_panels(1, 1, 9.2, 1.2 + 1.1 * len(sentences))
    axis = axes[0, 0]
    linked = {i for summary, _ in links for i in summary}
    null = {i: GREY for i in range(len(pair.summary.words)) if i not in linked}
    above = _words(axis, pair.summary.words, 0, 1.0, null)
    below: dict[int, tuple[float, float]] = {}
    for number, (first, last) in enumerate(sentences, start=1):
        middles = _words(axis, pair.document.words[first:last], -number, 1.0, {})
        below |= {first + i: (x, -float(number)) for i, x in enumerate(middles)}
    for number, (summary, document) in enumerate(links):
        x, y = np.mean([above[i] for i in summary]), below[document[0]][1]
        to = np.mean([below[j][0] for j in document])
        colour = COLOURS[number % len(COLOURS)]
        axis.plot([x, to], [-0.12, y + 0.14], color=colour, linewidth=1)
        for places, level in (
            (([above[i] for i in summary]), -0.11),
            ([below[j][0] for j in document], y + 0.13),
        ):
            axis.plot([places[0] - 1.2, places[-1] + 1.2], [level, level], color=colour, linewidth=1.6)
    axis.margins(x=0.01)
    axis.set(ylim=(-len(sentences) - 0.3, 0.3))
    axis.set_axis_off()
    return figure


def draw_path(pair: Pair, steps: Sequence[tuple[range, range]]) -> Figure:
    """Draw a path through the semi-HMM: a step for each summary phrase, at its document words (Figure 3)."""
    figure, axes = make_panels(1, 1, 8.6, 4.6)
    axis, before = axes[0, 0], None
    labels = [" ".join(pair.summary.words[i] for i in summary) for summary, _ in steps]
    for number, (_, document) in enumerate(steps):
        if not document:
            axis.plot(-1.5, number, "o", color=GREY, markersize=5, fillstyle="none")
            continue
        if before:
            axis.plot([before[1], document[0]], [before[0], number], color=BLUE, linewidth=0.8)
        axis.plot(
            [document[0], document[-1]], [number, number], "o-", color=BLUE, markersize=4, linewidth=2.5
        )
        before = number, document[-1]
    words = ["∅", *pair.document.words]
    axis.set_xticks([-1.5, *range(len(words) - 1)], words, rotation=90)
    axis.set(yticks=range(len(labels)), yticklabels=labels, ylim=(len(labels) - 0.5, -0.5))
    return figure


def draw_states(words: Sequence[str], jumps: Callable[[int], float], null: float) -> Figure:
    """Draw the states of a document of two words, and jumps with their probabilities (Figure 4)."""
    figure, axes = make_panels(1, 1, 6.2, 3.2)
    axis, (a, b) = axes[0, 0], words
    # The first and the last position of each state.
    states = {
        "start": (0, 0, 0, 0),
        a: (1, 1, 1.4, 0),
        b: (2, 2, 3.0, 0),
        f"{a} {b}": (1, 2, 2.2, 1.1),
        "end": (3, 3, 4.4, 0),
    }
    states |= {f"∅ at {a}": (1, 1, 1.4, -1.6), f"∅ at {b}": (2, 2, 3.0, -1.6)}
    arrow = {"arrowstyle": "-|>", "shrinkA": 15, "shrinkB": 15, "linewidth": 0.9}

    def draw(
        one: str,
        other: str,
        bend: float,
        probability: float,
        colour: str,
        lift: float = 0.1,
        aside: float = 0.0,
    ) -> None:
        (x, y), (u, v) = states[one][2:], states[other][2:]
        shape = arrow | {"connectionstyle": f"arc3,rad={bend}", "color": colour}
        axis.annotate("", (u, v), (x, y), arrowprops=shape)
        middle = (x + u) / 2 + bend * (v - y) / 2 + aside, (y + v) / 2 - bend * (u - x) / 2 + lift
        axis.text(*middle, f"{probability:.2g}", fontsize=7, ha="center", va="center", color=colour)

    both = f"{a} {b}"
    bends = {(a, b): 0.0, ("start", b): 0.3, (a, "end"): 0.3, (b, a): 0.35}
    bends |= {("start", a): 0.0, (b, "end"): 0.0, ("start", both): -0.2, (both, "end"): -0.2}
    for (one, other), bend in bends.items():
        far = 0.35 if states[other][0] - states[one][1] == 2 else 0.0
        draw(one, other, bend, jumps(states[other][0] - states[one][1]), BLUE, 0.12, far)
    for word in words:
        draw(word, f"∅ at {word}", 0.0, null, ORANGE, 0.0, -0.2)
    draw(f"∅ at {a}", b, 0.15, jumps(1), GREEN, -0.1)
    draw(f"∅ at {b}", "end", 0.15, jumps(1), GREEN, -0.1)
    for name, (*_, x, y) in states.items():
        colour = ORANGE if name.startswith("∅") else INK
        box = {"boxstyle": "round,pad=0.35", "facecolor": "#FFFFFF", "edgecolor": colour}
        axis.text(x, y, name, ha="center", va="center", color=colour, bbox=box)
    axis.set(xlim=(-0.4, 4.8), ylim=(-1.9, 1.5))
    axis.set_axis_off()
    return figure


def draw_tree(tree, skipped: Iterable[tuple[int, int]]) -> Figure:
    """Draw a tree of NLTK, and lines under the words that jumps skip (Figure 6)."""
    figure, axes = make_panels(1, 1, 9.2, 3.6)
    axis, x, places = axes[0, 0], 0.0, []
    leaves, depth = tree.leaves(), tree.height() - 1
    for leaf in leaves:
        size = max(len(leaf), 3) + 1.6
        places.append(x + size / 2)
        axis.text(places[-1], -depth, leaf, ha="center", va="center", fontsize=8.5)
        x += size

    def place(node, first: int, level: int) -> float:
        if isinstance(node, str):
            return places[first]
        xs, start = [], first
        for child in node:
            xs.append(place(child, start, level + 1))
            start += 1 if isinstance(child, str) else len(child.leaves())
        middle = (xs[0] + xs[-1]) / 2
        for child, at in zip(node, xs, strict=True):
            down = -depth + 0.25 if isinstance(child, str) else -level - 0.8
            axis.plot([middle, at], [-level - 0.2, down], color=GREY, linewidth=0.7)
        axis.text(middle, -level, node.label(), ha="center", va="center", fontsize=8, color=BLUE)
        return middle

    place(tree, 0, 0)
    for number, (first, last) in enumerate(skipped):
        y = -depth - 0.45
        axis.plot([places[first] - 2, places[last - 1] + 2], [y, y], color=COLOURS[number + 1], linewidth=2)
    axis.margins(x=0.01)
    axis.set(ylim=(-depth - 0.7, 0.4))
    axis.set_axis_off()
    return figure


def draw_extract(pair: Pair, extract: Extract) -> Figure:
    """Draw which document sentences an extract has, and for which summary sentence (Figure 7)."""
    figure, axes = make_panels(1, 1, 6.6, 2.6)
    axis, kept = axes[0, 0], list(extract.sentences)
    rows = {"summary": (2.0, range(len(pair.summary.sentences))), "extract": (1.0, kept)}
    rows |= {"document": (0.0, range(len(pair.document.sentences)))}
    count, middles = len(pair.document.sentences), {}
    for name, (y, sentences) in rows.items():
        axis.text(-0.6, y, name, ha="right", va="center")
        for place, sentence in enumerate(sentences):
            x = (place + 0.5) * count / len(sentences)
            middles[name, sentence] = x
            colour = COLOURS[sentence] if name == "summary" else INK if sentence in kept else GREY
            style = {"boxstyle": "round,pad=0.3", "facecolor": "#FFFFFF", "edgecolor": colour}
            axis.text(x, y, str(sentence + 1), ha="center", va="center", color=colour, fontsize=7, bbox=style)
    for sentence in kept:
        axis.plot(
            [middles["document", sentence], middles["extract", sentence]],
            [0.2, 0.8],
            color=GREY,
            linewidth=0.8,
        )
    for number, chosen in enumerate(extract.by_summary_sentence):
        for sentence in chosen:
            ends = [middles["summary", number], middles["extract", sentence]]
            axis.plot(ends, [1.8, 1.2], color=COLOURS[number], linewidth=1)
    axis.set(xlim=(-3.2, count + 0.3), ylim=(-0.4, 2.4))
    axis.set_axis_off()
    return figure
