"""An alignment in a terminal, each sentence of a summary with its sources and its phrases, and as a table."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import fmean

from rich.console import Console, RenderableType
from rich.text import Text

from vorlage.alignments.alignment import Alignment, Link
from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.documents.pair import Pair
from vorlage.text.words import is_punctuation, is_stop_word
from vorlage.types import Span
from vorlage.views.console import Drawing, note_rows

COLUMNS = (
    *("id", "summary_start", "summary_end", "summary"),
    *("document_start", "document_end", "document", "posterior"),
)


def draw_alignment(pair: Pair, links: Iterable[Link], console: Console) -> Iterator[RenderableType]:
    """Yield each sentence of a summary with its sources, then what the marks mean."""
    links, sentences = sorted(links, key=lambda link: link.summary), []
    for first, end in pair.summary.sentences:
        sentence_links = [link for link in links if first <= link.summary[0] < end]
        sources, spans = sentence_sources(pair, sentence_links), list(phrase_spans(pair, sentence_links))
        sentences.append((pair.summary.characters((first, end)), sources, spans))
    texts: dict[str | None, str] = {None: pair.document.raw}
    drawing = Drawing(pair.summary.raw, texts, [sources for _, sources, _ in sentences], console)
    for sentence, sources, spans in sentences:
        without = [drawing.without_source(span.text, span.null) for span in spans if not span.sources]
        notes = {"no source": without, "reworded": drawing.rewordings(spans)}
        rows = [*drawing.source_rows(sources, spans), *note_rows(notes)]
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


def phrase_rows(alignment: Alignment, pair: Pair) -> Iterator[list[str | int | float | None]]:
    """Yield a row with the columns `COLUMNS` for each phrase pair.

    A null word has a row without a document phrase.
    """
    for link in alignment.links:
        start, end = pair.summary.characters(link.summary)
        source: list[str | int | None] = [None, None, None]
        if link.document:
            first, last = pair.document.characters(link.document)
            source = [first, last, pair.document.raw[first:last]]
        yield [pair.id, start, end, pair.summary.raw[start:end], *source, link.posterior]
