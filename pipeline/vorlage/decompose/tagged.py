"""A decomposed summary sentence with its phrases tagged, as text: Figures 3 and 5 of Jing (2002).

The phrases of the summary are numbered from left to right. In the text, `(F2:S0 told the board)` is phrase
2, which comes from document sentence 0, or from nowhere if that is -1, and `(F2 told the board)` is its
place in a document sentence; where two phrases come from the same words, both are named: `(F2,F5 the)`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from vorlage.corpus.pair import Pair
from vorlage.decompose.borrowed import Phrase, has_words
from vorlage.decompose.decomposed import Decomposed
from vorlage.text.tokenized import Text
from vorlage.text.words import is_punctuation
from vorlage.types import Span


class Piece(NamedTuple):
    """A stretch of a text: what is `between` it and the piece before it, its text, its phrase numbers."""

    between: str
    text: str
    phrases: tuple[int, ...]


class TaggedSource(NamedTuple):
    """A document sentence, counted from 0, with the places of phrases."""

    number: int
    pieces: list[Piece]


@dataclass(frozen=True)
class Tagged:
    """A summary sentence and its sources in pieces.

    `phrases`: those of the sentence that are more than punctuation; the numbers of phrases in pieces are
    indices into it. Punctuation between phrases has no number.
    """

    pair: Pair
    decomposed: Decomposed
    phrases: list[Phrase]
    summary: list[Piece]
    sources: list[TaggedSource]


def tag(decomposed: Decomposed, phrases: Sequence[Phrase]) -> Tagged:
    """Return the summary sentence and its sources with `phrases` tagged, those of `borrowed_phrases`."""
    pair = decomposed.sentence.pair
    words = pair.summary.words
    numbered = [_trim(phrase, words) for phrase in phrases if has_words(words, phrase.summary)]
    of_summary = _numbers([phrase.summary for phrase in numbered])
    of_document = _numbers([phrase.document for phrase in numbered])
    sources = [
        TaggedSource(number, list(_pieces(pair.document, pair.document.sentences[number], of_document)))
        for number in decomposed.sources
    ]
    summary = list(_pieces(pair.summary, decomposed.sentence.span, of_summary))
    return Tagged(pair, decomposed, numbered, summary, sources)


def position(pair: Pair, token: int) -> tuple[int, int]:
    """Return the position of a document token: its sentence and the word in it, both from 0 (Figure 1)."""
    number = next(n for n, (_, end) in enumerate(pair.document.sentences) if token < end)
    return number, token - pair.document.sentences[number][0]


def headline(decomposed: Decomposed) -> str:
    """Return what is known of a summary sentence as a line of text, counted from 0 as in the figures."""
    made = "cut and pasted" if decomposed.is_cut_and_pasted else "not cut and pasted"
    facts = [f"{made} ({decomposed.copied} of {decomposed.words} words copied)", *decomposed.operations]
    return f"Summary sentence {decomposed.number}: {', '.join(facts)}"


def figure_text(tagged: Tagged) -> str:
    """Return the figure as lines of text, with the positions of the phrases at the end.

    The positions (sentence, word) of the first and the last word of each phrase are the path of the HMM.
    Control characters of the texts are spaces.
    """
    summary = [
        piece._replace(text=f"(F{piece.phrases[0]}:S{tagged.phrases[piece.phrases[0]].source} {piece.text})")
        if piece.phrases
        else piece
        for piece in tagged.summary
    ]
    lines = [headline(tagged.decomposed), "", _line(summary), "", "Source document sentences:"]
    for source in tagged.sources:
        pieces = [
            piece._replace(text=f"({','.join(f'F{number}' for number in piece.phrases)} {piece.text})")
            if piece.phrases
            else piece
            for piece in source.pieces
        ]
        lines += ["", f"Sentence {source.number}: {_line(pieces)}"]
    places = [
        f"F{number} {position(tagged.pair, start)}-{position(tagged.pair, end - 1)}".replace(", ", ",")
        for number, phrase in enumerate(tagged.phrases)
        if phrase.document
        for start, end in [phrase.document]
    ]
    if places:
        lines += ["", f"Positions: {' '.join(places)}"]
    return "\n".join(lines)


def _trim(phrase: Phrase, words: Sequence[str]) -> Phrase:
    """Return a phrase from nowhere without the punctuation at its ends, any other phrase unchanged."""
    if phrase.document:
        return phrase
    spoken = [token for token in range(*phrase.summary) if not is_punctuation(words[token])]
    return phrase._replace(summary=(spoken[0], spoken[-1] + 1))


def _numbers(spans: Sequence[Span | None]) -> dict[int, tuple[int, ...]]:
    """Return for each token the numbers of the spans that it is in."""
    numbers: dict[int, tuple[int, ...]] = {}
    for number, span in enumerate(spans):
        for token in range(*span) if span else ():
            numbers[token] = (*numbers.get(token, ()), number)
    return numbers


def _pieces(text: Text, span: Span, numbers: Mapping[int, tuple[int, ...]]) -> Iterator[Piece]:
    """Yield the pieces of a sentence: maximal runs of tokens with the same numbers."""
    end = text.tokens[span[0]][0]
    for of_run, run in groupby(range(*span), lambda token: numbers.get(token, ())):
        tokens = list(run)
        start, last = text.tokens[tokens[0]][0], text.tokens[tokens[-1]][1]
        yield Piece(text.raw[end:start], text.raw[start:last], of_run)
        end = last


def _line(pieces: Sequence[Piece]) -> str:
    text = "".join(piece.between + piece.text for piece in pieces)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
