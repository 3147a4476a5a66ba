"""Shows how the sentences of a summary were made, as Figures 3 and 5 of Jing (2002):

    python experiments/decomposition_figure.py DOCUMENT SUMMARY

prints, for two text files, the phrases of each summary sentence and their places in its source sentences, by
Cut & Paste. The phrases of the summary are numbered from left to right: `(F2:S0 told the board)` is phrase 2,
which comes from document sentence 0, or from nowhere if that is -1, and `(F2 told the board)` is its place in
a document sentence; where two phrases come from the same words, both are named: `(F2,F5 the)`.
"""

import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from vorlage.alignments.alignment import Link, soft_links
from vorlage.documents.formats import read_text
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.text.tokenize import make_text
from vorlage.text.tokenized import Text
from vorlage.text.wordnet import open_wordnet
from vorlage.text.words import is_punctuation
from vorlage.types import Span
from vorlage.workflow.baselines.systems import cutpaste
from vorlage.workflow.decompose.borrowed import BorrowedPhrase, borrowed_phrases
from vorlage.workflow.decompose.operations import Hypernymy, SentenceDecomposition, decompose
from vorlage.workflow.settings import CutPaste

# Her figures have no phrase of one stop word, which her two rules of post-editing do not say, and no stems.
AS_PRINTED = CutPaste(run=1, stem=False, lone_stop_words=False)


class Tagged(NamedTuple):
    """A summary sentence, and its phrases that are more than punctuation, in their order."""

    decomposed: SentenceDecomposition
    phrases: list[BorrowedPhrase]


def tag(decomposed: SentenceDecomposition, links: Sequence[Link]) -> Tagged:
    """Return a summary sentence with its borrowed phrases; `links`: of the pair."""
    words, phrases = decomposed.pair.summary.words, []
    for phrase in borrowed_phrases(decomposed, links):
        tokens = [token for token in range(*phrase.summary) if not is_punctuation(words[token])]
        if tokens and not phrase.document:  # without the punctuation at its ends
            phrase = phrase._replace(summary=(tokens[0], tokens[-1] + 1))
        if tokens:
            phrases.append(phrase)
    return Tagged(decomposed, phrases)


def headline(decomposed: SentenceDecomposition) -> str:
    """Return what is known of a summary sentence as a line of text, counted from 0 as in the figures."""
    origin = "cut and pasted" if decomposed.is_cut_and_pasted else "not cut and pasted"
    copied = f"{decomposed.copied} of {len(decomposed.words)} words copied"
    facts = ", ".join([f"{origin} ({copied})", *decomposed.operations])
    return f"Summary sentence {decomposed.number}: {facts}"


def figure_text(tagged: Tagged) -> str:
    """Return the figure as lines of text, with the positions of the phrases at the end.

    The positions (sentence, word) of the first and the last word of each phrase are the path of the HMM.
    Control characters of the texts are spaces.
    """
    decomposed, phrases = tagged
    document, sentences = decomposed.pair.document, decomposed.pair.document.sentences
    in_summary, in_document = ([getattr(each, side) for each in phrases] for side in ("summary", "document"))
    sources = [f"F{number}:S{phrase.source}" for number, phrase in enumerate(phrases)]
    summary = marked(decomposed.pair.summary, decomposed.span, in_summary, sources.__getitem__)
    lines = [headline(decomposed), "", summary, "", "Source document sentences:"]
    for number in decomposed.sources:
        line = marked(document, sentences[number], in_document, "F{}".format)
        lines += ["", f"Sentence {number}: {line}"]

    def position(token: int) -> str:
        number = next(n for n, (_, end) in enumerate(sentences) if token < end)
        return f"({number},{token - sentences[number][0]})"

    places = [(number, place) for number, place in enumerate(in_document) if place]
    ends = (f"F{number} {position(first)}-{position(end - 1)}" for number, (first, end) in places)
    return "\n".join([*lines, *(["", f"Positions: {' '.join(ends)}"] if places else [])])


def marked(text: Text, span: Span, phrases: Sequence[Span | None], tag: Callable[[int], str]) -> str:
    """Return a stretch of a text as a line, each phrase in brackets with the tags of its numbers."""

    def numbers(token: int) -> tuple[int, ...]:
        return tuple(number for number, place in enumerate(phrases) if place and token in range(*place))

    line, end = "", text.tokens[span[0]][0]
    for run_numbers, run in groupby(range(*span), numbers):
        tokens = list(run)
        start, last = text.characters((tokens[0], tokens[-1] + 1))
        words = text.raw[start:last]
        line += text.raw[end:start]
        line += f"({','.join(map(tag, run_numbers))} {words})" if run_numbers else words
        end = last
    return " ".join("".join(c if c.isprintable() else " " for c in line).split())


def cut_and_paste(pair: Pair, settings: CutPaste = AS_PRINTED) -> list[Tagged]:
    """Return the figure of each summary sentence of a pair by Jing's HMM."""
    links = cutpaste.align(settings, True, pair, Extract(pair.id, (), ()))
    cells = soft_links(links, pair.summary.words, pair.document.words)
    return [tag(decomposed, links) for decomposed in decompose(pair, cells, Hypernymy(open_wordnet()))]


def main() -> None:
    document, summary = (make_text(read_text(path)) for path in sys.argv[1:])
    print("\n\n".join(map(figure_text, cut_and_paste(Pair("figure", document, summary)))))


if __name__ == "__main__":
    main()
