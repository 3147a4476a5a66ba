"""Draw one alignment: ``python -m pipeline.report.picture``.

The picture shows a summary sentence above the document sentences that it is linked to. Each link is a curve
between its two phrases, wider and darker for a higher posterior. Null-generated words are grey.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from pipeline.alignments import Alignment, Link, read_alignments
from pipeline.corpus.corpus_file import read_pairs
from pipeline.corpus.pair import Pair
from pipeline.report.style import COLOURS, GREY, INK, figure_style, save
from pipeline.run.errors import InputError, command
from pipeline.run.options import CommandParser
from pipeline.types import Span, StrPath

LINE_HEIGHT = 1.0
COLUMN_INCHES, LINE_INCHES = 0.083, 0.30
UNDERLINE = 0.42  # lines from the middle of a word to its underline


@dataclass(frozen=True)
class Place:
    """The place of a word: its ``line`` from the top, its ``first`` and ``last`` column."""

    line: float
    first: int
    last: int


Places: TypeAlias = dict[int, Place]  # by the index of the token
Colours: TypeAlias = dict[int, str]  # by the index of the token
Item = TypeVar("Item", Pair, Alignment)


def lay_out(
    words: Sequence[str], tokens: Iterable[int], first_line: float, columns: int
) -> tuple[Places, float]:
    """Place the words with the indices ``tokens`` in lines of up to ``columns`` characters.

    Return the places, and the line after the last.
    """
    places: Places = {}
    line, column = first_line, 0
    for token in tokens:
        width = len(words[token])
        if column and column + width > columns:
            line, column = line + LINE_HEIGHT, 0
        places[token] = Place(line, column, column + width)
        column += width + 1
    return places, line + LINE_HEIGHT


def draw(pair: Pair, alignment: Alignment, sentence: int, columns: int = 104) -> Figure:
    """Draw the links of one summary sentence, given by its index."""
    first, last = pair.summary.sentences[sentence]
    links = [link for link in alignment.links if first <= link.summary[0] < last]
    above, line = lay_out(pair.summary.words, range(first, last), 0.0, columns)
    used = {j for link in links if link.document for j in range(*link.document)}
    below: Places = {}
    line += 3.2
    for start, end in pair.document.sentences:
        if used & set(range(start, end)):
            places, line = lay_out(pair.document.words, range(start, end), line, columns)
            below |= places
            line += 0.7
    figure = Figure(figsize=(columns * COLUMN_INCHES, line * LINE_INCHES))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-1, columns + 1), ylim=(line - 0.4, -0.9))
    axes.axis("off")
    summary_colours, document_colours = _draw_links(axes, links, above, below)
    _write(axes, pair.summary.words, above, summary_colours, GREY)
    _write(axes, pair.document.words, below, document_colours, INK)
    return figure


def _draw_links(axes: Axes, links: Iterable[Link], above: Places, below: Places) -> tuple[Colours, Colours]:
    """Draw the curves; return the colours of the linked words of the summary and of the document."""
    summary_colours: Colours = {}
    document_colours: Colours = {}
    spans = [(link.summary, link.document, link.posterior) for link in links if link.document]
    for number, (summary, document, posterior) in enumerate(spans):
        colour = COLOURS[number % len(COLOURS)]
        x0, y0 = _middle(above, summary)
        x1, y1 = _middle(below, document)
        y0, y1 = y0 + UNDERLINE, y1 - UNDERLINE
        bend = (y1 - y0) * 0.5
        curve = Curve([(x0, y0), (x0, y0 + bend), (x1, y1 - bend), (x1, y1)], [1, 4, 4, 4])
        strength = 1.0 if posterior is None else posterior
        axes.add_patch(
            PathPatch(curve, fill=False, edgecolor=colour, lw=0.5 + 1.3 * strength, alpha=strength)
        )
        summary_colours |= dict.fromkeys(range(*summary), colour)
        document_colours |= dict.fromkeys(range(*document), colour)
        _draw_rules(axes, above, summary, UNDERLINE, colour)
        _draw_rules(axes, below, document, -UNDERLINE, colour)
    return summary_colours, document_colours


def _draw_rules(axes: Axes, places: Places, span: Span, offset: float, colour: str) -> None:
    """Draw a rule below each line of a phrase, or above it for a negative ``offset``."""
    for first, last in _runs(places, span):
        y = first.line + offset
        axes.plot([first.first, last.last], [y, y], color=colour, lw=1.4, solid_capstyle="butt")


def _runs(places: Places, span: Span) -> list[tuple[Place, Place]]:
    """Return the first and the last place of a phrase on each of its lines."""
    lines: dict[float, list[Place]] = {}
    for token in range(*span):
        lines.setdefault(places[token].line, []).append(places[token])
    return [(run[0], run[-1]) for run in lines.values()]


def _middle(places: Places, span: Span) -> tuple[float, float]:
    """Return the column and the line of the middle of a phrase on its first line."""
    first, last = _runs(places, span)[0]
    return (first.first + last.last) / 2, first.line


def _write(
    axes: Axes, words: Sequence[str], places: Places, colours: Mapping[int, str], default: str
) -> None:
    for token, place in places.items():
        axes.text(
            place.first,
            place.line,
            words[token],
            family="monospace",
            fontsize=9.6,
            color=colours.get(token, default),
            va="center",
            weight="normal",
        )


@command
def main(arguments: list[str] | None = None) -> None:
    """Draw the alignment of one summary sentence."""
    parser = CommandParser(main, log=False)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--alignments", required=True, help="alignments.jsonl of a system")
    parser.add_argument("--id", required=True, help="id of the pair")
    parser.add_argument("--sentence", type=int, default=0, help="summary sentence, from 0 (default: 0)")
    parser.add_argument("--output", required=True, help="file to write: .svg, .png or .pdf")
    options = parser.parse(arguments)
    pair = _find_by_id(read_pairs(options.corpus), options.id, options.corpus)
    alignment = _find_by_id(read_alignments(options.alignments), options.id, options.alignments)
    count = len(pair.summary.sentences)
    if not 0 <= options.sentence < count:
        raise InputError(
            f"--sentence {options.sentence}: the summary of {options.id} has {count} sentences; "
            f"choose one from 0 to {count - 1}"
        )
    kind = options.output.rsplit(".", 1)[-1]
    if kind not in ("svg", "png", "pdf"):
        raise InputError(f"--output {options.output}: choose a name that ends in .svg, .png or .pdf")
    with figure_style():
        save(draw(pair, alignment, options.sentence), options.output, kind)


def _find_by_id(items: Iterable[Item], wanted: str, path: StrPath) -> Item:
    for item in items:
        if item.id == wanted:
            return item
    raise InputError(f"{path}: has no pair with the id {wanted}; check --id")


if __name__ == "__main__":
    main()
