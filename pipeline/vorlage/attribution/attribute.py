"""Turns the posteriors and links of a pair into an attribution: sources, and what has none."""

from collections.abc import Iterator, Sequence

import numpy as np

from vorlage.alignments.alignment import Alignment
from vorlage.alignments.columns import Columns
from vorlage.attribution.differences import find_differences
from vorlage.attribution.documents import Documents
from vorlage.attribution.evidence import find_evidence
from vorlage.attribution.languages import language_notes
from vorlage.attribution.result import (
    AttributedSentence,
    AttributedSpan,
    AttributedWord,
    Attribution,
    Reason,
    Source,
    State,
    Unsupported,
    Verdict,
)
from vorlage.attribution.rules.linked import CHECK, LIKELY, Difference, Linked
from vorlage.attribution.rules.wording import find_frames
from vorlage.attribution.sources import (
    MIN_PROBABILITY,
    find_phrases,
    find_stretches,
    linked_words,
    sentence_numbers,
    sentence_probabilities,
)
from vorlage.attribution.support import UNCLEAR, Support, estimate_support, join_judge
from vorlage.command.progress import describe_step
from vorlage.corpus.pair import Pair
from vorlage.judge.judges import Judge
from vorlage.text.words import is_punctuation
from vorlage.types import Floats, Span

# Content words in a row without a source that are likely wrong, and their least mean null posterior.
LONG, MIN_NULL = 4, 0.4
# A sentence is unclear if fewer of its words have a source.
MIN_LINKED = 0.6
# How many document sentences a judge reads beside a sentence.
MIN_EVIDENCE, MAX_EVIDENCE = 3, 5


def attribute(
    pair: Pair,
    posteriors: tuple[Columns, Floats],
    alignment: Alignment,
    cosines: Columns | None,
    documents: Documents,
    text: str,
    span: Span | None = None,
    judge: Judge | None = None,
    many_languages: bool = False,
) -> Attribution:
    """Return the sources of a text in its documents, and what they do not support.

    Args:
        pair: the documents as one, and the text.
        posteriors: (T, n) and (T): the probabilities that a word of the text comes from a word of the
            document, and that it has no source; they sum to 1 for each word of the text.
        alignment: of the pair, in positions of the whole document.
        cosines: (T, n): those of the contextual vectors of the words; None without an encoder.
        documents: those that are the document of the pair.
        text: the text of the pair, with the characters that the user gave.
        span: the characters to attribute; None for all phrases.
        judge: what says whether its sources support a sentence.
        many_languages: whether the encoder knows other languages than English.
    """
    describe_step("sources are found", len(pair.document.tokens) * len(pair.summary.tokens))
    finder = _Finder(pair, posteriors, alignment, cosines, documents, text)
    unsupported = sorted([*finder.differing(), *finder.without_source()], key=lambda part: part.text)
    sentences = [
        finder.sentence(number, unsupported, judge)
        for number, sentence in enumerate(pair.summary.sentences)
        if span is None or _overlap(pair.summary.characters(sentence), span)
    ]
    words = finder.words()
    if span is None:
        spans = [finder.span(range(*words), pair.summary.characters(words)) for words in finder.phrases()]
    else:
        spans = [finder.span(pair.summary.tokens_in(span), span)]
        words = [word for word in words if _overlap(word.text, span)]
        unsupported = [part for part in unsupported if _overlap(part.text, span)]
    supported = finder.support.text
    if judge:
        supported = min((sentence.supported for sentence in sentences), default=supported)
    return Attribution(
        pair.id,
        supported,
        tuple(sentences),
        tuple(spans),
        tuple(words),
        tuple(unsupported),
        tuple(language_notes(pair.summary, pair.document, many_languages)),
        pair.summary,
        documents,
    )


class _Finder:
    """Finds the parts of an attribution; the arguments are those of `attribute`."""

    def __init__(
        self,
        pair: Pair,
        posteriors: tuple[Columns, Floats],
        alignment: Alignment,
        cosines: Columns | None,
        documents: Documents,
        text: str,
    ) -> None:
        self._text, self._document = pair.summary, pair.document
        (self._sources, self._nulls), self._links = posteriors, alignment.links
        self._documents, self._raw = documents, text
        self._linked = linked_words(self._links, pair.summary.words, pair.document.words)
        self._pair = Linked(pair.summary, pair.document, self._linked)
        self._text_sentences = self._pair.text.sentences
        self._sentences = sentence_numbers(pair.document.sentences)
        self._punctuation = np.array([is_punctuation(word) for word in pair.document.words])
        self._content = self._pair.text.content
        self._differences = find_differences(self._pair)
        self._evidence = find_evidence(self._pair, cosines)
        self._told = {t for difference in self._differences for t in range(*difference.text)}
        self._differing = {
            t
            for difference in self._differences
            if difference.document and difference.severity > CHECK
            for t in range(*difference.text)
        }
        self._frames = find_frames(self._pair.text) if pair.language == "en" else set()
        self._states = [self._state(t) for t in range(len(pair.summary.words))]
        self.support: Support = estimate_support(
            self._pair, self._nulls, self._evidence, self._differences, cosines is not None
        )

    def phrases(self) -> list[Span]:
        """Return the spans of words that have a source, without punctuation at their ends."""
        spans = []
        for first, end in find_phrases(self._links, np.array(self._text_sentences), self._sentences):
            words = [t for t in range(first, end) if not is_punctuation(self._text.words[t])]
            if words:
                spans.append((words[0], words[-1] + 1))
        return spans

    def sentence(
        self, number: int, unsupported: Sequence[Unsupported], judge: Judge | None
    ) -> AttributedSentence:
        """Return a sentence of the text with its sources and what the judge says of it.

        The sources are the likely ones, the one with most evidence first.
        """
        span = self._text.sentences[number]
        words = [t for t in range(*span) if self._content[t]] or list(range(*span))
        probabilities = sentence_probabilities(words, self._sources, self._sentences)
        scores = self._evidence.scores[number]
        order = sorted(
            np.flatnonzero(probabilities >= MIN_PROBABILITY).tolist(),
            key=lambda sentence: (-scores[sentence], -probabilities[sentence]),
        )
        characters, supported = self._text.characters(span), self.support.sentences[number]
        judged = None
        if judge:
            read = self._read_by_judge(probabilities, len(order))
            judged = judge.supported(read, self._raw[slice(*characters)])
            supported = join_judge(supported, judged)
        severity = max((part.severity for part in unsupported if _overlap(part.text, characters)), default=0)
        linked = 1.0 - self._null(words)
        verdict: Verdict = "unclear" if supported < UNCLEAR or linked < MIN_LINKED else "supported"
        if severity >= LIKELY:
            verdict = "unsupported"
        return AttributedSentence(
            characters,
            supported,
            linked,
            verdict,
            tuple(
                self._source(self._document.sentences[sentence], float(probabilities[sentence]))
                for sentence in order
            ),
            judged,
        )

    def words(self) -> list[AttributedWord]:
        """Return the words of the text, punctuation marks left out, with their states."""
        words = []
        for t, state in enumerate(self._states):
            if not is_punctuation(self._text.words[t]):
                name = sentence = None
                if state == "elsewhere":
                    place = self._elsewhere(t)
                    source = self._source((place, place + 1), 0.0)
                    name, sentence = source.name, source.sentence
                words.append(
                    AttributedWord(self._text.tokens[t], state, self.support.words[t], name, sentence)
                )
        return words

    def _read_by_judge(self, probabilities: Floats, likely: int) -> list[str]:
        """Return what a judge reads beside a sentence: its likely sources, or the likeliest few, in order."""
        count = min(max(likely, MIN_EVIDENCE), MAX_EVIDENCE)
        numbers = np.argsort(-probabilities, kind="stable")[:count].tolist()
        spans = [self._document.characters(self._document.sentences[n]) for n in sorted(numbers)]
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
        """Yield what differs from its source, and names and numbers that have none."""
        for difference in self._differences:
            source = self._source(difference.document, 0.0) if difference.document else None
            reason: Reason = "differs" if difference.document else "no source"
            yield self._unsupported(difference, reason, source)

    def without_source(self) -> Iterator[Unsupported]:
        """Yield the stretches of words without a source: from one content word to another, in a sentence."""
        stretch: list[int] = []
        for t, state in enumerate(self._states):
            inside = state == "no source" or (state == "function" and t not in self._linked)
            if stretch and not (inside and self._text_sentences[t] == self._text_sentences[stretch[0]]):
                yield from self._trimmed(stretch)
                stretch = []
            if inside:
                stretch.append(t)
        yield from self._trimmed(stretch)

    def _state(self, t: int) -> State:
        """Return the state of a word."""
        if t in self._differing:
            return "differs"
        if t in self._linked:
            return "sourced"
        if t in self._frames:
            return "frame"
        if not self._content[t]:
            return "function"
        if not self._evidence.absent[t]:
            return "elsewhere"
        return "no source"

    def _elsewhere(self, t: int) -> int:
        """Return the likeliest place of a word that is in the document, the first of equals."""
        places = self._evidence.places[t]
        return int(places[self._sources.at(t, places).argmax()])

    def _trimmed(self, words: Sequence[int]) -> Iterator[Unsupported]:
        """Yield a stretch without the function words around it, unless all of it is in findings already."""
        content = [t for t in words if self._content[t]]
        if not self._told.issuperset(content):
            span = content[0], content[-1] + 1
            likely = len(content) >= LONG and self._null(content) >= MIN_NULL
            severity = LIKELY if likely else CHECK
            message = f"“{self._pair.text.quote(span)}” has no source"
            yield self._unsupported(Difference(span, None, "no source", severity, message), "no source", None)

    def _unsupported(self, difference: Difference, reason: Reason, source: Source | None) -> Unsupported:
        words = difference.text
        characters = self._text.characters(words)
        quote, null = self._raw[slice(*characters)], self._null(range(*words))
        _, _, kind, severity, message = difference
        name, document = (source.name, source.document) if source else (None, None)
        return Unsupported(characters, quote, null, reason, kind, severity, message, name, document)

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
