"""Shows how the sentences of a summary were made, as Figures 3 and 5 of Jing (2002).

    vorlage decomposition-figure --corpus corpus.jsonl --alignments alignments.jsonl --id a1

prints the phrases of each summary sentence and their places in its source sentences. The phrases of the
summary are numbered from left to right: `(F2:S0 told the board)` is phrase 2, which comes from document
sentence 0, or from nowhere if that is -1, and `(F2 told the board)` is its place in a document sentence;
where two phrases come from the same words, both are named: `(F2,F5 the)`. With `--html` it writes a page with
the same in colours, and the path of the words through the positions of the document.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from vorlage.alignments.alignment import Alignment, Link, check_tokens, soft_links
from vorlage.command.errors import InputError, command, did_you_mean
from vorlage.command.options import CommandParser
from vorlage.corpus.pair import Pair, read_pairs
from vorlage.decompose.borrowed import BorrowedPhrase, borrowed_phrases
from vorlage.decompose.generality import Generality, open_generality
from vorlage.decompose.operations import Decomposed, decompose
from vorlage.files.outputs import write_text
from vorlage.score.systems import read_one_system
from vorlage.text.tokenized import Text
from vorlage.text.words import is_punctuation
from vorlage.types import JsonObject, Span, StrPath
from vorlage.viewer.viewer import page_parts, render

COLOURS = 6  # of phrases on the page, in turn
STEP, LANE = 14, 72  # pixels of a summary word, and of a document sentence, in the drawing of a path


class Piece(NamedTuple):
    """A stretch of a text: what is `between` it and the previous piece, its text, its phrase numbers."""

    between: str
    text: str
    phrases: tuple[int, ...]


@dataclass(frozen=True)
class Tagged:
    """A summary sentence in pieces, and its sources by their numbers from 0.

    `phrases`: those of the sentence that are more than punctuation; the numbers of phrases in pieces are
    indices into it. Punctuation between phrases has no number.
    """

    decomposed: Decomposed
    phrases: list[BorrowedPhrase]
    summary: list[Piece]
    sources: dict[int, list[Piece]]


def tag(decomposed: Decomposed, links: Sequence[Link]) -> Tagged:
    """Return a summary sentence and its sources with the borrowed phrases tagged; `links`: of the pair."""
    pair, span = decomposed.pair, decomposed.span
    words = pair.summary.words
    phrases = []
    for phrase in borrowed_phrases(decomposed, links):
        tokens = [token for token in range(*phrase.summary) if not is_punctuation(words[token])]
        if tokens and not phrase.document:  # without the punctuation at its ends
            phrase = phrase._replace(summary=(tokens[0], tokens[-1] + 1))
        if tokens:
            phrases.append(phrase)
    in_document = [phrase.document for phrase in phrases]
    sources = {
        number: list(_pieces(pair.document, pair.document.sentences[number], in_document))
        for number in decomposed.sources
    }
    summary = list(_pieces(pair.summary, span, [phrase.summary for phrase in phrases]))
    return Tagged(decomposed, phrases, summary, sources)


def position(pair: Pair, token: int) -> tuple[int, int]:
    """Return the position of a document token: its sentence and the word in it, both from 0 (Figure 1)."""
    number = next(n for n, (_, end) in enumerate(pair.document.sentences) if token < end)
    return number, token - pair.document.sentences[number][0]


def headline(decomposed: Decomposed) -> str:
    """Return what is known of a summary sentence as a line of text, counted from 0 as in the figures."""
    origin = "cut and pasted" if decomposed.is_cut_and_pasted else "not cut and pasted"
    facts = [
        f"{origin} ({decomposed.copied} of {len(decomposed.words)} words copied)",
        *decomposed.operations,
    ]
    return f"Summary sentence {decomposed.number}: {', '.join(facts)}"


def figure_text(tagged: Tagged) -> str:
    """Return the figure as lines of text, with the positions of the phrases at the end.

    The positions (sentence, word) of the first and the last word of each phrase are the path of the HMM.
    Control characters of the texts are spaces.
    """
    pair = tagged.decomposed.pair
    summary = _line(tagged.summary, lambda number: f"F{number}:S{tagged.phrases[number].source}")
    lines = [headline(tagged.decomposed), "", summary, "", "Source document sentences:"]
    for number, pieces in tagged.sources.items():
        lines += ["", f"Sentence {number}: {_line(pieces, 'F{}'.format)}"]
    places = []
    for number, phrase in enumerate(tagged.phrases):
        if phrase.document:
            ends = (position(pair, token) for token in (phrase.document[0], phrase.document[1] - 1))
            places.append(f"F{number} " + "-".join(f"({sentence},{word})" for sentence, word in ends))
    if places:
        lines += ["", f"Positions: {' '.join(places)}"]
    return "\n".join(lines)


def _pieces(text: Text, span: Span, phrases: Sequence[Span | None]) -> Iterator[Piece]:
    """Yield the pieces of a sentence: maximal runs of tokens that are in the same phrases."""

    def numbers(token: int) -> tuple[int, ...]:
        return tuple(number for number, place in enumerate(phrases) if place and token in range(*place))

    end = text.tokens[span[0]][0]
    for run_numbers, run in groupby(range(*span), numbers):
        tokens = list(run)
        start, last = text.characters((tokens[0], tokens[-1] + 1))
        yield Piece(text.raw[end:start], text.raw[start:last], run_numbers)
        end = last


def _line(pieces: Sequence[Piece], tag: Callable[[int], str]) -> str:
    """Return the pieces as a line, each phrase in brackets with its tags."""
    text = "".join(
        f"{piece.between}({','.join(map(tag, piece.phrases))} {piece.text})"
        if piece.phrases
        else piece.between + piece.text
        for piece in pieces
    )
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def path_of(tagged: Tagged) -> list[JsonObject]:
    """Return the points of the words that come from the document: the path of the HMM.

    A word is in the column of its place in the summary sentence, and in the row of its source sentence, the
    lower, the later its position in it is. A point has `x` and `y` in pixels, the number of its `phrase`, and
    a `label`.
    """
    pair, first = tagged.decomposed.pair, tagged.decomposed.span[0]
    rows = {number: row for row, number in enumerate(tagged.sources)}
    points = []
    for number, phrase in enumerate(tagged.phrases):
        for token in range(*phrase.summary):
            place = phrase.place(token)
            if place is not None:
                sentence, word = position(pair, place)
                start, end = pair.document.sentences[sentence]
                down = (word + 0.5) / (end - start) * (LANE - 12) + 6
                x, y = (token - first + 0.5) * STEP, rows[sentence] * LANE + down
                label = f"{pair.summary.words[token]} ({sentence},{word})"
                points.append({"x": x, "y": y, "phrase": number, "label": label})
    return points


def figure_page(title: str, sentences: Sequence[Tagged]) -> str:
    """Return a standalone page with a figure for each summary sentence."""
    figures = []
    for tagged in sentences:
        start, end = tagged.decomposed.span
        figures.append(
            {
                "headline": headline(tagged.decomposed),
                "tagged": tagged,
                "points": path_of(tagged),
                "width": STEP * (end - start),
            }
        )
    return render("decomposition", title=title, figures=figures, colours=COLOURS, lane=LANE, **page_parts(()))


def find_pair(corpus: StrPath, alignments: StrPath, key: str) -> tuple[Pair, Alignment]:
    """Return the pair with the id `key` and its alignment.

    Raises:
        InputError: for a missing one.
    """
    pair = next((pair for pair in read_pairs(corpus) if pair.id == key), None)
    if pair is None:
        similar = did_you_mean(key, (pair.id for pair in read_pairs(corpus)))
        raise InputError(f"{corpus}: has no pair with the id {key}; check --id{similar}")
    alignment = next((item for item in read_one_system(alignments) if item.id == key), None)
    if alignment is None:
        raise InputError(f"{alignments}: has no alignment of pair {key}; check --id")
    check_tokens(alignment, pair, alignments)
    return pair, alignment


def tag_sentences(pair: Pair, alignment: Alignment, generality: Generality | None) -> list[Tagged]:
    """Return the figure of each summary sentence of a pair."""
    cells = soft_links(alignment.links, alignment.summary_words, alignment.document_words)
    return [tag(decomposed, alignment.links) for decomposed in decompose(pair, cells, generality)]


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
    figures = tag_sentences(pair, alignment, open_generality())
    if options.sentence is not None:
        if not 0 <= options.sentence < len(figures):
            raise InputError(
                f"--sentence {options.sentence}: the summary of {options.id} has {len(figures)} sentences; "
                f"choose one from 0 to {len(figures) - 1}"
            )
        figures = figures[options.sentence :][:1]
    if options.html:
        write_text(options.html, figure_page(f"{pair.id} by {alignment.system}", figures))
        return
    text = "\n\n".join(map(figure_text, figures)) + "\n"
    if options.output:
        write_text(options.output, text)
    else:
        sys.stdout.write(text)
