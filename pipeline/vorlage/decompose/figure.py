"""Shows how the sentences of a summary were made, as Figures 3 and 5 of Jing (2002).

    vorlage decomposition-figure --corpus corpus.jsonl --alignments alignments.jsonl --id a1

prints the phrases of each summary sentence and their places in its source sentences. With `--html` it
writes a page with the same in colours, and the path of the words through the positions of the document.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from vorlage.alignments.alignment import Alignment, check_tokens, soft_links
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.corpus.corpus_file import read_pairs
from vorlage.corpus.pair import Pair
from vorlage.decompose.borrowed import borrowed_phrases
from vorlage.decompose.decomposed import decompose
from vorlage.decompose.generality import Generality, open_generality
from vorlage.decompose.tagged import Tagged, figure_text, headline, position, tag
from vorlage.files.outputs import write_text
from vorlage.score.systems import read_one_system
from vorlage.types import StrPath
from vorlage.viewer.viewer import page_parts, render

COLOURS = 6  # of phrases on the page, in turn
STEP, LANE = 14, 72  # pixels of a summary word, and of a document sentence, in the drawing of a path


class Point(NamedTuple):
    """A summary word in the drawing of a path, in pixels, with the number of its phrase and a label."""

    x: float
    y: float
    phrase: int
    label: str


def path_of(tagged: Tagged) -> list[Point]:
    """Return the points of the words that come from the document: the path of the HMM.

    A word is in the column of its place in the summary sentence, and in the row of its source sentence, the
    lower, the later its position in it is.
    """
    pair, first = tagged.pair, tagged.decomposed.sentence.span[0]
    rows = {source.number: row for row, source in enumerate(tagged.sources)}
    points = []
    for number, phrase in enumerate(tagged.phrases):
        for token in range(*phrase.summary):
            place = phrase.place(token)
            if place is not None:
                sentence, word = position(pair, place)
                start, end = pair.document.sentences[sentence]
                down = (word + 0.5) / (end - start) * (LANE - 12) + 6
                label = f"{pair.summary.words[token]} ({sentence},{word})"
                points.append(
                    Point((token - first + 0.5) * STEP, rows[sentence] * LANE + down, number, label)
                )
    return points


def figure_page(title: str, tagged: Sequence[Tagged]) -> str:
    """Return a standalone page with a figure for each summary sentence."""
    figures = []
    for of_sentence in tagged:
        start, end = of_sentence.decomposed.sentence.span
        figures.append(
            {
                "headline": headline(of_sentence.decomposed),
                "tagged": of_sentence,
                "points": path_of(of_sentence),
                "width": STEP * (end - start),
            }
        )
    return render("decomposition", title=title, figures=figures, colours=COLOURS, lane=LANE, **page_parts(()))


def find_pair(corpus: StrPath, alignments: StrPath, key: str) -> tuple[Pair, Alignment]:
    """Return the pair with the id `key` and its alignment; raise `InputError` for a missing one."""
    pair = next((pair for pair in read_pairs(corpus) if pair.id == key), None)
    if pair is None:
        raise InputError(f"{corpus}: has no pair with the id {key}; check --id")
    alignment = next((made for made in read_one_system(alignments) if made.id == key), None)
    if alignment is None:
        raise InputError(f"{alignments}: has no alignment of pair {key}; check --id")
    check_tokens(alignment, pair, alignments)
    return pair, alignment


def tag_sentences(pair: Pair, alignment: Alignment, generality: Generality | None) -> list[Tagged]:
    """Return the figure of each summary sentence of a pair."""
    cells = soft_links(alignment.links, alignment.summary_words, alignment.document_words)
    return [
        tag(decomposed, borrowed_phrases(decomposed, alignment.links))
        for decomposed in decompose(pair, cells, generality)
    ]


@command
def main(arguments: list[str] | None = None) -> None:
    """Show how the sentences of a summary were made."""
    parser = CommandParser("decomposition-figure", main, log=False)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--alignments", required=True, help="alignments.jsonl of a system")
    parser.add_argument("--id", required=True, help="id of the pair")
    parser.add_argument("--sentence", type=int, help="summary sentence, from 0 (default: all)")
    outputs = parser.add_mutually_exclusive_group()
    outputs.add_argument("--output", help="text file to write (default: standard output)")
    outputs.add_argument("--html", metavar="FILE", help="page to write, which opens from disk")
    options = parser.parse(arguments)
    pair, alignment = find_pair(options.corpus, options.alignments, options.id)
    chosen = tag_sentences(pair, alignment, open_generality())
    if options.sentence is not None:
        if not 0 <= options.sentence < len(chosen):
            raise InputError(
                f"--sentence {options.sentence}: the summary of {options.id} has {len(chosen)} sentences; "
                f"choose one from 0 to {len(chosen) - 1}"
            )
        chosen = chosen[options.sentence :][:1]
    if options.html:
        write_text(options.html, figure_page(f"{pair.id} by {alignment.system}", chosen))
        return
    text = "\n\n".join(map(figure_text, chosen)) + "\n"
    if options.output:
        write_text(options.output, text)
    else:
        sys.stdout.write(text)
