"""Finds the stretches of a document that words of a text come from, by their posteriors.

Words are numbered over the whole text and the whole document. `sources` (T, n) are the posteriors of
`vorlage.semihmm.decode.posteriors.Posteriors`: the probability that a word of the text comes from a word of
the document, for those that were aligned.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from statistics import fmean
from typing import NamedTuple

import numpy as np
from rich.console import Console, RenderableType
from rich.text import Text

from vorlage.alignments.alignment import Columns, Link
from vorlage.attribution.documents import Documents
from vorlage.attribution.result import AttributedSpan, Source
from vorlage.attribution.terminal import Drawing
from vorlage.documents.pair import Pair
from vorlage.text.words import is_punctuation, is_stop_word
from vorlage.types import Bools, Floats, Ints, Span

# The least probability of a source that is listed.
MIN_PROBABILITY = 0.1
# Words between two parts of one source: *chief officer* comes from *chief executive officer*.
MAX_BETWEEN = 2


class Stretch(NamedTuple):
    """A stretch of document words inside one sentence, and the probability that words come from it."""

    words: Span
    probability: float


def linked_words(links: Iterable[Link], text: Sequence[str], document: Sequence[str]) -> dict[int, set[int]]:
    """Return the document words that each word of the text is linked to, by the words of both sides."""
    linked: dict[int, set[int]] = {}
    for link in links:
        for t, j in link.cells(text, document):
            linked.setdefault(t, set()).add(j)
    return linked


def find_stretches(
    words: Sequence[int],
    sources: Columns,
    linked: Mapping[int, Set[int]],
    sentences: Ints,
    punctuation: Bools,
) -> list[Stretch]:
    """Return the stretches of the document that `words` of the text come from, the likeliest first.

    A stretch holds document words that the decoder linked to one of `words`, or whose posterior as a source
    of one is at least `MIN_PROBABILITY`, with at most `MAX_BETWEEN` others between them, inside one sentence.
    Its probability is the mean over `words` of the posteriors that they come from it. It is at least
    `MIN_PROBABILITY`, unless the decoder chose the stretch.

    Args:
        words: words of the text.
        sources: (T, n): the posteriors of each word of the text.
        linked: the document words that each word of the text is linked to.
        sentences: (n): the number of the sentence of each document word.
        punctuation: (n): the document words that are only between others.
    """
    chosen = {j for t in words for j in linked.get(t, ()) if not punctuation[j]}
    posteriors, positions = sources.values[list(words)], sources.positions
    likely = positions[(posteriors.max(axis=0) >= MIN_PROBABILITY) & ~punctuation[positions]]
    stretches = []
    for start, end in _runs(sorted(chosen.union(likely.tolist())), sentences):
        columns = slice(*np.searchsorted(positions, (start, end)))
        probability = float(posteriors[:, columns].sum(axis=1).mean())
        if probability >= MIN_PROBABILITY or not chosen.isdisjoint(range(start, end)):
            stretches.append(Stretch((start, end), probability))
    return sorted(stretches, key=lambda stretch: (-stretch.probability, stretch.words))


def _runs(places: Iterable[int], sentences: Ints) -> list[Span]:
    """Return the half-open runs of ascending `places` in one sentence, bridged over `MAX_BETWEEN` others."""
    runs: list[Span] = []
    for place in places:
        if runs and place - runs[-1][1] <= MAX_BETWEEN and sentences[place] == sentences[runs[-1][0]]:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def sentence_probabilities(words: Sequence[int], sources: Columns, sentences: Ints) -> Floats:
    """Return for each document sentence the mean probability that one of `words` comes from it.

    `sentences` (n): the number of the sentence of each document word.
    """
    probabilities = np.zeros(int(sentences[-1]) + 1)
    np.add.at(probabilities, sentences[sources.positions], sources.values[list(words)].mean(axis=0))
    return probabilities


def find_phrases(links: Iterable[Link], text: Ints, document: Ints) -> list[Span]:
    """Return the spans of text words that the links make, in order.

    Links that share a word of the text are one span, and so are links that continue one another on both sides
    inside one sentence. `text` (T) and `document` (n): the numbers of the sentences of the words.
    """
    phrases: list[Span] = []
    ends: list[int] = []  # of the document sides of the links that end where the last phrase ends
    for link in sorted(link for link in links if link.document):
        assert link.document
        (first, end), (start, stop) = link.summary, link.document
        last = phrases[-1][1] if phrases else 0
        continued = (
            first == last
            and start in ends
            and text[first] == text[first - 1]
            and document[start] == document[start - 1]
        )
        if first < last or continued:
            phrases[-1] = (phrases[-1][0], max(last, end))
        else:
            phrases.append((first, end))
        if end > last:
            ends = []
        if end >= last:
            ends.append(stop)
    return phrases


def draw_alignment(pair: Pair, links: Iterable[Link], console: Console) -> Iterator[RenderableType]:
    """Yield each sentence of a summary with its sources, then what the marks mean."""
    links, sentences = sorted(links, key=lambda link: link.summary), []
    for first, end in pair.summary.sentences:
        sentence_links = [link for link in links if first <= link.summary[0] < end]
        sources, spans = sentence_sources(pair, sentence_links), list(phrase_spans(pair, sentence_links))
        sentences.append((pair.summary.characters((first, end)), sources, spans))
    texts = Documents(pair.document, pair.document.raw).texts
    drawing = Drawing(pair.summary.raw, texts, [sources for _, sources, _ in sentences], console)
    for sentence, sources, spans in sentences:
        rows = [*drawing.source_rows(sources, spans), *drawing.note_rows(spans)]
        yield drawing.beside(drawing.marked_sentence(sentence, spans), rows)
        yield Text()
    yield drawing.legend()


def sentence_sources(pair: Pair, links: Iterable[Link]) -> list[Source]:
    """Return the document sentences that a sentence comes from, the one with most words first.

    It comes from a document sentence by the words that are linked to it, unless they are all stop words. The
    probability is the mean over these words.

    Args:
        pair: the summary and its document.
        links: those of the sentence.
    """
    summary, document = pair.summary, pair.document
    posteriors: dict[int, list[float]] = defaultdict(list)
    for link in links:
        is_stop = (is_stop_word(word, summary.language) for word in _words(pair, link))
        if link.document and not all(is_stop):
            posteriors[pair.document.sentence_numbers[link.document[0]]] += _word_posteriors(link)
    ordered = sorted(posteriors.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_source(pair, document.sentences[number], fmean(values)) for number, values in ordered]


def phrase_spans(pair: Pair, links: Iterable[Link]) -> Iterator[AttributedSpan]:
    """Yield the phrases of a sentence, with their sources or none.

    A phrase has links that follow each other on both sides, inside one document sentence. Punctuation at its
    ends is left out. Probabilities are means over its words.

    Args:
        pair: the summary and its document.
        links: those of the sentence, in order.
    """
    runs: list[list[Link]] = []
    for link in links:
        if runs and _follows(pair, runs[-1][-1], link):
            runs[-1].append(link)
        else:
            runs.append([link])
    for run in runs:
        spoken = [k for k, link in enumerate(run) if not all(map(is_punctuation, _words(pair, link)))]
        if spoken:
            run = run[spoken[0] : spoken[-1] + 1]
            probability = fmean(posterior for link in run for posterior in _word_posteriors(link))
            text = pair.summary.characters((run[0].summary[0], run[-1].summary[1]))
            quote, start, end = pair.summary.raw[slice(*text)], run[0].document, run[-1].document
            if start and end:
                source = _source(pair, (start[0], end[1]), probability)
                yield AttributedSpan(text, quote, 1.0 - probability, (source,))
            else:
                yield AttributedSpan(text, quote, probability, ())


def _follows(pair: Pair, link: Link, following: Link) -> bool:
    """Return whether a link continues another on both sides, inside one document sentence."""
    if link.summary[1] != following.summary[0]:
        return False
    if link.document is None or following.document is None:
        return link.document is following.document
    (_, end), (start, _) = link.document, following.document
    sentences = pair.document.sentence_numbers
    return end == start and sentences[end - 1] == sentences[start]


def _words(pair: Pair, link: Link) -> list[str]:
    return pair.summary.words[slice(*link.summary)]


def _source(pair: Pair, words: Span, probability: float) -> Source:
    """Return document words as a source."""
    characters = pair.document.characters(words)
    quote = pair.document.raw[slice(*characters)]
    return Source(None, characters, quote, pair.document.sentence_numbers[words[0]], probability)


def _word_posteriors(link: Link) -> list[float]:
    """Return the posterior of a link for each of its summary words."""
    return [link.posterior or 0.0] * (link.summary[1] - link.summary[0])
