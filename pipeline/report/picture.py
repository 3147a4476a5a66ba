"""Draw one alignment: ``python -m pipeline.report.picture``.

A summary sentence stands above the document sentences it was made from; each link is a curve between
the two phrases, the stronger the higher its posterior. Null-generated words are grey.
"""

import argparse
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from pipeline.alignments import read_alignments
from pipeline.corpus.pair import read_pairs
from pipeline.report.style import COLOURS, GREY, INK, look, save
from pipeline.run.errors import InputError, command

LINE_HEIGHT = 1.0
COLUMN_INCHES, LINE_INCHES = 0.083, 0.30


@dataclass(frozen=True)
class Place:
    """Where a word stands: ``line`` from the top, ``first`` and ``last`` column."""

    line: float
    first: int
    last: int


def lay_out(words, tokens, first_line, columns):
    """Place words in lines of up to ``columns`` characters; ``tokens``: their numbers, in order.

    Returns a dict of token number → :class:`Place`, and the line after the last.
    """
    places, line, column = {}, first_line, 0
    for token in tokens:
        width = len(words[token])
        if column and column + width > columns:
            line, column = line + LINE_HEIGHT, 0
        places[token] = Place(line, column, column + width)
        column += width + 1
    return places, line + LINE_HEIGHT


def draw(pair, alignment, sentence, columns=104):
    """A matplotlib figure of the links of one summary sentence (its index) of an alignment."""
    first, last = pair.summary.sentences[sentence]
    links = [link for link in alignment.links if first <= link.summary[0] < last]
    above, line = lay_out(pair.summary.words, range(first, last), 0.0, columns)
    used = {j for link in links if link.document for j in range(*link.document)}
    below, line = {}, line + 3.2
    for start, end in pair.document.sentences:
        if used & set(range(start, end)):
            places, line = lay_out(pair.document.words, range(start, end), line, columns)
            below |= places
            line += 0.7
    figure = Figure(figsize=(columns * COLUMN_INCHES, line * LINE_INCHES))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-1, columns + 1), ylim=(line - 0.4, -0.9))
    axes.axis("off")
    colour = _draw_links(axes, links, above, below)
    _write(axes, pair.summary.words, above, {t: colour.get(("summary", t), GREY) for t in above})
    _write(axes, pair.document.words, below, {t: colour.get(("document", t), INK) for t in below})
    return figure


def _draw_links(axes, links, above, below):
    """Draw the curves; return the colour of each linked (side, token)."""
    colours = {}
    linked = [link for link in links if link.document]
    for number, link in enumerate(linked):
        colour = COLOURS[number % len(COLOURS)]
        x0, y0 = _middle(above, link.summary)
        x1, y1 = _middle(below, link.document)
        y0, y1 = y0 + 0.42, y1 - 0.42
        bend = (y1 - y0) * 0.5
        curve = Curve([(x0, y0), (x0, y0 + bend), (x1, y1 - bend), (x1, y1)], [1, 4, 4, 4])
        strength = 1.0 if link.posterior is None else link.posterior
        axes.add_patch(
            PathPatch(curve, fill=False, edgecolor=colour, lw=0.5 + 1.3 * strength, alpha=strength)
        )
        for side, span, places in (("summary", link.summary, above), ("document", link.document, below)):
            colours |= {(side, token): colour for token in range(*span)}
            for a, b in _runs(places, span):
                y = a.line + (0.42 if side == "summary" else -0.42)
                axes.plot([a.first, b.last], [y, y], color=colour, lw=1.4, solid_capstyle="butt")
    return colours


def _runs(places, span):
    """The first and last place of a phrase on each line it is broken over."""
    lines = {}
    for token in range(*span):
        lines.setdefault(places[token].line, []).append(places[token])
    return [(run[0], run[-1]) for run in lines.values()]


def _middle(places, span):
    a, b = _runs(places, span)[0]
    return (a.first + b.last) / 2, a.line


def _write(axes, words, places, colours):
    for token, place in places.items():
        axes.text(
            place.first,
            place.line,
            words[token],
            family="monospace",
            fontsize=9.6,
            color=colours[token],
            va="center",
            weight="normal",
        )


@command
def main(arguments=None):
    """Draw the alignment of one summary sentence."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.report.picture", description=main.__doc__)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--alignments", required=True, help="alignments.jsonl of a system")
    parser.add_argument("--id", required=True, help="id of the pair")
    parser.add_argument("--sentence", type=int, default=0, help="summary sentence, from 0 (default: 0)")
    parser.add_argument("--output", required=True, help="file to write: .svg, .png or .pdf")
    given = parser.parse_args(arguments)
    pair = _find(read_pairs(given.corpus), given.id, given.corpus)
    alignment = _find(read_alignments(given.alignments), given.id, given.alignments)
    if not 0 <= given.sentence < len(pair.summary.sentences):
        raise InputError(
            f"--sentence {given.sentence}: the summary of {given.id} has "
            f"{len(pair.summary.sentences)} sentences, counted from 0"
        )
    kind = given.output.rsplit(".", 1)[-1]
    if kind not in ("svg", "png", "pdf"):
        raise InputError(f"--output {given.output}: choose a name that ends in .svg, .png or .pdf")
    with look():
        save(draw(pair, alignment, given.sentence), given.output, kind)


def _find(items, name, path):
    for item in items:
        if item.id == name:
            return item
    raise InputError(f"{path}: no pair with id {name}; check --id")


if __name__ == "__main__":
    main()
