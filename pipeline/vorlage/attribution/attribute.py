"""Turns the posteriors and links of a pair into an attribution: sources, and what has none."""

from collections.abc import Iterator, Sequence

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.attribution.differences import find_differences
from vorlage.attribution.documents import Documents
from vorlage.attribution.result import (
    AttributedSentence,
    AttributedSpan,
    Attribution,
    Reason,
    Source,
    Unsupported,
)
from vorlage.attribution.sources import (
    MIN_PROBABILITY,
    find_phrases,
    find_stretches,
    linked_words,
    sentence_numbers,
    sentence_probabilities,
)
from vorlage.corpus.pair import Pair
from vorlage.judge.judges import Judge
from vorlage.text.words import is_punctuation, is_stop_word
from vorlage.types import Floats, Span

# The least null posterior of a word that has no source.
MIN_NULL = 0.4
# How many document sentences a judge reads beside a sentence.
MIN_EVIDENCE, MAX_EVIDENCE = 3, 5


def attribute(
    pair: Pair,
    sources: Floats,
    nulls: Floats,
    alignment: Alignment,
    documents: Documents,
    text: str,
    span: Span | None = None,
    judge: Judge | None = None,
) -> Attribution:
    """Return the sources of a text in its documents.

    Args:
        pair: the documents as one, and the text.
        sources: (T, n): the probability that a word of the text comes from a word of the document.
        nulls: (T): the probability that a word of the text has no source; with those of its sources 1.
        alignment: of the pair, in positions of the whole document.
        documents: those that are the document of the pair.
        text: the text of the pair, with the characters that the user gave.
        span: the characters to attribute; None for all phrases.
        judge: what says whether its sources support a sentence.
    """
    finder = _Finder(pair, sources, nulls, alignment, documents, text)
    sentences = [
        finder.sentence(sentence, judge)
        for sentence in pair.summary.sentences
        if span is None or _overlap(pair.summary.characters(sentence), span)
    ]
    unsupported = sorted([*finder.differing(), *finder.without_source()], key=lambda part: part.text)
    if span is None:
        spans = [finder.span(range(*words), pair.summary.characters(words)) for words in finder.phrases()]
    else:
        words = [t for t, token in enumerate(pair.summary.tokens) if _overlap(token, span)]
        spans = [finder.span(words, span)]
        unsupported = [part for part in unsupported if _overlap(part.text, span)]
    return Attribution(pair.id, tuple(sentences), tuple(spans), tuple(unsupported), pair.summary, documents)


class _Finder:
    """Finds the parts of an attribution; the arguments are those of `attribute`."""

    def __init__(
        self,
        pair: Pair,
        sources: Floats,
        nulls: Floats,
        alignment: Alignment,
        documents: Documents,
        text: str,
    ) -> None:
        self._text, self._document = pair.summary, pair.document
        self._sources, self._nulls, self._links = sources, nulls, alignment.links
        self._documents, self._raw = documents, text
        self._text_sentences = sentence_numbers(pair.summary.sentences)
        self._sentences = sentence_numbers(pair.document.sentences)
        self._punctuation = np.array([is_punctuation(word) for word in pair.document.words])
        language = pair.summary.language
        self._content = [not (is_stop_word(w, language) or is_punctuation(w)) for w in pair.summary.words]
        self._linked = linked_words(alignment.links, pair.summary.words, pair.document.words)
        self._differences = find_differences(pair.summary, pair.document, self._linked)

    def phrases(self) -> list[Span]:
        """Return the spans of words that have a source, without punctuation at their ends."""
        spans = []
        for first, end in find_phrases(self._links, self._text_sentences, self._sentences):
            words = [t for t in range(first, end) if not is_punctuation(self._text.words[t])]
            if words:
                spans.append((words[0], words[-1] + 1))
        return spans

    def sentence(self, sentence: Span, judge: Judge | None) -> AttributedSentence:
        """Return a sentence, a span of words, with its sources and what the judge says of it."""
        words = [t for t in range(*sentence) if self._content[t]] or list(range(*sentence))
        probabilities = sentence_probabilities(words, self._sources, self._sentences)
        numbers = np.argsort(-probabilities, kind="stable").tolist()
        likely = [number for number in numbers if probabilities[number] >= MIN_PROBABILITY]
        characters, judged = self._text.characters(sentence), None
        if judge:
            judged = judge.supported(self._evidence(numbers, len(likely)), self._raw[slice(*characters)])
        return AttributedSentence(
            characters,
            1.0 - self._null(words),
            tuple(
                self._source(self._document.sentences[number], float(probabilities[number]))
                for number in likely
            ),
            judged,
        )

    def _evidence(self, numbers: Sequence[int], likely: int) -> list[str]:
        """Return what a judge reads beside a sentence: its likely sources, or the likeliest few, in order.

        `numbers`: of the document sentences, the likeliest first; `likely`: how many are its sources.
        """
        count = min(max(likely, MIN_EVIDENCE), MAX_EVIDENCE)
        spans = [self._document.characters(self._document.sentences[n]) for n in sorted(numbers[:count])]
        return [self._documents.raw[slice(*span)] for span in spans]

    def span(self, words: Sequence[int], characters: Span) -> AttributedSpan:
        """Return a span, given by its words and characters, with its sources."""
        stretches = find_stretches(words, self._sources, self._linked, self._sentences, self._punctuation)
        return AttributedSpan(
            characters,
            self._raw[slice(*characters)],
            self._null(words),
            tuple(self._source(stretch.words, stretch.probability) for stretch in stretches),
        )

    def differing(self) -> Iterator[Unsupported]:
        """Yield what differs from its source."""
        for words, contradicted in self._differences:
            source = self._source(contradicted, 0.0)
            yield self._unsupported(words, "differs", source.name, source.document)

    def without_source(self) -> Iterator[Unsupported]:
        """Yield the stretches of words without a source: from one content word to another, in a sentence.

        None of these words is linked, and their null posteriors are at least `MIN_NULL`.
        """
        differing = {t for difference in self._differences for t in range(*difference.text)}
        stretch: list[int] = []
        for t, null in enumerate(self._nulls.tolist()):
            without = null >= MIN_NULL and t not in self._linked and t not in differing
            if stretch and not (without and self._text_sentences[t] == self._text_sentences[stretch[0]]):
                yield from self._trimmed(stretch)
                stretch = []
            if without:
                stretch.append(t)
        yield from self._trimmed(stretch)

    def _trimmed(self, words: Sequence[int]) -> Iterator[Unsupported]:
        content = [t for t in words if self._content[t]]
        if content:
            yield self._unsupported((content[0], content[-1] + 1), "no source")

    def _unsupported(
        self, words: Span, reason: Reason, name: str | None = None, document: Span | None = None
    ) -> Unsupported:
        characters = self._text.characters(words)
        quote, null = self._raw[slice(*characters)], self._null(range(*words))
        return Unsupported(characters, quote, null, reason, name, document)

    def _null(self, words: Sequence[int]) -> float:
        return float(self._nulls[list(words)].mean())

    def _source(self, words: Span, probability: float) -> Source:
        """Return the source that a span of document words is."""
        characters = self._document.characters(words)
        name, place, sentence = self._documents.locate(characters, int(self._sentences[words[0]]))
        quote = self._documents.raw[slice(*characters)]
        return Source(name, place, quote, sentence, probability)


def _overlap(span: Span, other: Span) -> bool:
    return span[0] < other[1] and other[0] < span[1]
