"""Turns the posteriors and links of a pair into an attribution: sources, and what has none."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Alignment, Columns
from vorlage.attribution.citations import Citation, find_citations
from vorlage.attribution.documents import Documents
from vorlage.attribution.findings.differences import are_read, find_differences, language_notes
from vorlage.attribution.findings.frames import find_frames
from vorlage.attribution.findings.reading import CHECK, LIKELY, Difference, Linked
from vorlage.attribution.judges import Judge, Judgement
from vorlage.attribution.result import (
    AttributedSentence,
    AttributedSpan,
    AttributedWord,
    Attribution,
    Source,
    State,
    Unsupported,
    Verdict,
)
from vorlage.attribution.sources import (
    MIN_PROBABILITY,
    find_phrases,
    find_stretches,
    linked_words,
    sentence_probabilities,
)
from vorlage.attribution.support import MIN_LINKED, UNCLEAR, find_evidence, open_support, word_features
from vorlage.command.progress import describe_step
from vorlage.documents.pair import Pair
from vorlage.text.tokenized import number_sentences
from vorlage.text.words import is_punctuation
from vorlage.types import Floats, Span

# Content words in a row without a source that are likely wrong: their least mean null posterior, with the
# likeness that they have on average to the likest words of the document at most, and without.
LONG, MIN_NULL, MAX_LIKENESS, SURE_NULL = 4, 0.4, 0.45, 0.75
# The least probability that a sentence of the text comes from that which it is said to differ from.
MIN_SOURCE = 0.05
# How many document sentences a judge reads beside a sentence at most, the share of their probability that the
# first of them need, and from which probability of a contradiction the sentence differs.
READ_BY_JUDGE, ENOUGH_FOR_JUDGE, CONTRADICTED_BY_JUDGE = 3, 0.7, 0.98

# The kind of a finding by a judge.
JUDGED = "judge"


class Found(NamedTuple):
    """What a model finds in a pair of a document of n words and a text of T words.

    - `sources` (T, n): the probability that a word of the text comes from a word of the document;
    - `nulls` (T): the probability that it has no source, which makes the sum of each word 1;
    - `alignment`: of the pair, in positions of the whole document;
    - `cosines` (T, n): those of the contextual vectors of the words; None without an encoder.
    """

    sources: Columns
    nulls: Floats
    alignment: Alignment
    cosines: Columns | None


def attribute(
    pair: Pair,
    found: Found,
    documents: Documents,
    text: str,
    span: Span | None = None,
    judge: Judge | None = None,
    many_languages: bool = False,
    marks: bool = False,
) -> Attribution:
    """Return the sources of a text in its documents, and what they do not support.

    Args:
        pair: the documents as one, and the text.
        found: what the model finds in the pair.
        documents: those that are the document of the pair.
        text: the text of the pair, with the characters that the user gave.
        span: the characters to attribute; None for all phrases.
        judge: what says whether its sources support a sentence.
        many_languages: whether the encoder knows other languages than English.
        marks: whether marks of citations are checked.
    """
    describe_step("sources are found", len(pair.document.tokens) * len(pair.summary.tokens))
    notes = list(language_notes(pair.summary, pair.document, many_languages))
    attributor = _Attributor(pair, found, documents, text, many_languages)
    if not attributor.statements:
        notes.append("nothing to check: the text states nothing")
    if judge:
        attributor.judge(judge)
    unsupported = sorted(attributor.unsupported(), key=lambda part: part.text)
    sentences = [
        attributor.sentence(number, unsupported)
        for number, sentence in enumerate(pair.summary.sentences)
        if span is None or _overlap(pair.summary.characters(sentence), span)
    ]
    words = attributor.words()
    if span is None:
        phrases = [(range(*words), pair.summary.characters(words)) for words in attributor.phrases()]
    else:
        phrases = [(pair.summary.tokens_in(span), span)]
        words = [word for word in words if _overlap(word.text, span)]
        unsupported = [part for part in unsupported if _overlap(part.text, span)]
    return Attribution(
        id=pair.id,
        supported=min(attributor.supported, default=1.0),
        sentences=tuple(sentences),
        spans=tuple(attributor.span(*phrase) for phrase in phrases),
        words=tuple(words),
        unsupported=tuple(unsupported),
        notes=(*documents.notes, *notes),
        text=pair.summary,
        documents=documents,
        citations=attributor.citations(unsupported) if marks and documents.names else (),
        marks=marks and bool(documents.names),
    )


class _Attributor:
    """Makes the parts of an attribution.

    The arguments are those of `attribute`.
    """

    def __init__(self, pair: Pair, found: Found, documents: Documents, text: str, many: bool) -> None:
        self._text, self._document, self._links = pair.summary, pair.document, found.alignment.links
        self._sources, self._nulls = found.sources, found.nulls
        self._documents, self._raw = documents, text
        self._linked = linked_words(self._links, pair.summary.words, pair.document.words)
        self._pair = Linked(pair.summary, pair.document, self._linked, documents.given)
        self._sentences = number_sentences(pair.document.sentences)
        self._punctuation = np.array([is_punctuation(word) for word in pair.document.words])
        self._content = self._pair.text.content
        self._evidence = find_evidence(self._pair, found.cosines)
        self._is_read = are_read(pair.summary, pair.document, many)
        self._frames = find_frames(self._pair) if self._pair.language == "en" else set()
        silent = self._frames | self._pair.text.marks
        self._differences = [
            self._with_source(difference)
            for difference in find_differences(self._pair)
            if (words := {*range(*difference.text)} - self._pair.text.marks) and words.isdisjoint(silent)
        ]
        self.statements = {
            number
            for number, span in enumerate(pair.summary.sentences)
            if any(t not in silent and not is_punctuation(pair.summary.words[t]) for t in range(*span))
        }
        word_model, self._sentence_model = open_support(encoder=found.cosines is not None)
        features = word_features(self._pair, self._nulls, self._evidence, self._differences)
        self._words_supported = 1 / (1 + np.exp(word_model.log_odds(features)))
        self._judgements: dict[int, Judgement] = {}

    @cached_property
    def supported(self) -> list[float]:
        """The probability that each sentence of the text is supported; 1 for one that states nothing."""
        found = {
            self._pair.text.sentences[each.text[0]]
            for each in self._findings
            if each.severity > CHECK and each.kind != JUDGED
        }
        return [
            self._sentence_model.supported(
                self._null(self._content_words(number)), number in found, self._judgements.get(number)
            )
            if number in self.statements
            else 1.0
            for number in range(len(self._text.sentences))
        ]

    @cached_property
    def _findings(self) -> list[Difference]:
        """What differs from its source, and what has none."""
        return [*self._differences, *self._without_source()]

    def judge(self, judge: Judge) -> None:
        """Let a judge read the statements; what it finds contradicted becomes a difference."""
        numbers = sorted(self.statements)
        pairs = [(self._sources_for_judge(number), self._quote(number)) for number in numbers]
        self._judgements = dict(zip(numbers, judge(pairs), strict=True))
        differing = {
            self._pair.text.sentences[each.text[0]] for each in self._differences if each.severity > CHECK
        }
        for (sources, _), (number, judgement) in zip(pairs, self._judgements.items(), strict=True):
            if judgement.contradicted >= CONTRADICTED_BY_JUDGE and number not in differing:
                self._differences.append(self._judged_difference(number, sources, judge))

    def _judged_difference(self, number: int, sources: str, judge: Judge) -> Difference:
        """Return the clause that a judge finds contradicted: without it, the rest is contradicted least."""
        first, end = self._text.sentences[number]
        clauses = list(self._pair.text.clauses(first)) or [(first, end)]
        start = self._text.characters((first, end))[0]
        sentence, rests = self._quote(number), []
        for clause in clauses if len(clauses) > 1 else ():
            a, b = self._text.characters(clause)
            rests.append((sources, sentence[: a - start] + sentence[b - start :]))
        values = [judgement.contradicted for judgement in judge(rests)] if rests else [0.0]
        span = clauses[int(np.argmin(values))]
        best = int(self._probabilities[number].argmax())
        message = f"“{self._pair.text.quote(span)}”: according to the judge, the source contradicts it"
        return Difference(span, self._document.sentences[best], JUDGED, LIKELY, message)

    def _quote(self, number: int) -> str:
        return self._raw[slice(*self._text.characters(self._text.sentences[number]))]

    def _with_source(self, difference: Difference) -> Difference:
        """Return a difference; without its source if the sentence hardly comes from there."""
        if difference.document is None or difference.severity == CHECK:
            return difference
        number = self._pair.text.sentences[difference.text[0]]
        source = self._pair.document.sentences[difference.document[0]]
        if self._probabilities[number][source] >= MIN_SOURCE:
            return difference
        message = f"“{self._pair.text.quote(difference.text)}” has no source"
        return difference._replace(document=None, severity=LIKELY, message=message)

    @cached_property
    def _probabilities(self) -> list[Floats]:
        """The probabilities that each sentence of the text comes from each of the document."""
        rows = []
        for number in range(len(self._text.sentences)):
            words = self._content_words(number)
            rows.append(sentence_probabilities(words, self._sources, self._sentences))
        return rows

    def _content_words(self, number: int) -> list[int]:
        """Return the content words of a sentence; all words of one without any."""
        span = self._text.sentences[number]
        return [t for t in range(*span) if self._content[t]] or list(range(*span))

    def phrases(self) -> Iterator[Span]:
        """Yield the spans of words that have a source, without punctuation and marks at their ends."""
        text_sentences = np.array(self._pair.text.sentences)
        for span in find_phrases(self._links, text_sentences, self._sentences):
            words = [
                t
                for t in range(*span)
                if not (is_punctuation(self._text.words[t]) or t in self._pair.text.marks)
            ]
            if words:
                yield words[0], words[-1] + 1

    def sentence(self, number: int, unsupported: Sequence[Unsupported]) -> AttributedSentence:
        """Return a sentence of the text with its sources and what the judge says of it.

        The sources are the likely ones, the one with most evidence first.
        """
        span = self._text.sentences[number]
        probabilities = self._probabilities[number]
        scores = self._evidence.scores[number]
        order = sorted(
            np.flatnonzero(probabilities >= MIN_PROBABILITY).tolist(),
            key=lambda sentence: (-scores[sentence], -probabilities[sentence]),
        )
        characters, supported = self._text.characters(span), self.supported[number]
        severity = max((part.severity for part in unsupported if _overlap(part.text, characters)), default=0)
        linked, judgement = 1.0 - self._null(self._content_words(number)), self._judgements.get(number)
        is_clear = self._is_read and supported >= UNCLEAR and linked >= MIN_LINKED
        verdict: Verdict = "supported" if is_clear else "unclear"
        if severity >= LIKELY:
            verdict = "unsupported"
        if number not in self.statements:
            verdict, order = "no statement", []
        spans = self._document.sentences
        sources = tuple(self._source(spans[number], float(probabilities[number])) for number in order)
        judged = judgement or (None, None)
        return AttributedSentence(characters, supported, linked, verdict, sources, *judged)

    def words(self) -> list[AttributedWord]:
        """Return the words of the text, punctuation marks left out, with their states."""
        words, supported = [], self._words_supported.copy()
        for each in self._findings:  # a word of a finding has the number of its sentence at most
            if each.severity > CHECK:
                most = self.supported[self._pair.text.sentences[each.text[0]]]
                supported[slice(*each.text)] = np.minimum(supported[slice(*each.text)], most)
        for t, state in enumerate(self._states):
            if not is_punctuation(self._text.words[t]):
                source = None
                if state == "elsewhere":  # at the likeliest place, the first of equals
                    places = self._evidence.places[t]
                    place = int(places[self._sources.at(t, places).argmax()])
                    source = self._source((place, place + 1), 0.0)
                name, sentence = (source.name, source.sentence) if source else (None, None)
                words.append(AttributedWord(self._text.tokens[t], state, float(supported[t]), name, sentence))
        return words

    def span(self, words: Sequence[int], characters: Span) -> AttributedSpan:
        """Return a span, given by its words and characters, with its sources."""
        stretches = find_stretches(words, self._sources, self._linked, self._sentences, self._punctuation)
        sources = tuple(self._source(stretch.words, stretch.probability) for stretch in stretches)
        return AttributedSpan(characters, self._raw[slice(*characters)], self._null(words), sources)

    def citations(self, unsupported: Sequence[Unsupported]) -> tuple[Citation, ...]:
        """Return the marks of citations in the text; `unsupported`: the findings in it."""
        likeness = self._evidence.by_sentence
        return tuple(find_citations(self._text, self._documents, self._content, likeness, unsupported))

    def unsupported(self) -> Iterator[Unsupported]:
        """Yield what differs from its source, and what has none."""
        for words, document, kind, severity, message in self._findings:
            characters = self._text.characters(words)
            span = characters, self._raw[slice(*characters)], self._null(range(*words))
            if document:
                source = self._source(document, 0.0)
                yield Unsupported(*span, "differs", kind, severity, message, source.name, source.document)
            else:
                yield Unsupported(*span, "no source", kind, severity, message)

    @cached_property
    def _states(self) -> list[State]:
        """The state of each word."""
        differing = {
            t
            for difference in self._differences
            if difference.document and difference.severity > CHECK
            for t in range(*difference.text)
        }

        def state(t: int) -> State:
            if t in self._pair.text.marks:
                return "mark"
            if t in differing:
                return "differs"
            if t in self._linked:
                return "sourced"
            if t in self._frames:
                return "frame"
            if not self._content[t]:
                return "function"
            return "no source" if self._evidence.absent[t] else "elsewhere"

        return list(map(state, range(len(self._text.words))))

    def _without_source(self) -> Iterator[Difference]:
        """Yield the stretches of words without a source: from one content word to another, in a sentence.

        Those whose content words are all in other findings are left out, and a verb alone, which a paraphrase
        often changes.
        """
        in_findings = {t for difference in self._differences for t in range(*difference.text)}
        for first, end in self._text.sentences:
            for is_without, words in groupby(range(first, end), self._is_without):
                content = [t for t in words if self._content[t]]
                lone_verb = len(content) == 1 and self._pair.text.tags[content[0]].startswith("VB")
                if is_without and not in_findings.issuperset(content) and not lone_verb:
                    span = content[0], content[-1] + 1
                    likely = len(content) >= LONG and self._is_absent(content)
                    message = f"“{self._pair.text.quote(span)}” has no source"
                    yield Difference(span, None, "no source", LIKELY if likely else CHECK, message)

    def _is_absent(self, words: Sequence[int]) -> bool:
        """Return whether words without a source are unlike all of the document, or surely without one."""
        null, likeness = self._null(words), self._evidence.likeness[list(words)].mean()
        return bool(null >= SURE_NULL or (null >= MIN_NULL and likeness < MAX_LIKENESS))

    def _is_without(self, t: int) -> bool:
        """Return whether a word has no source: a function word none by a link."""
        state = self._states[t]
        return state == "no source" or (state == "function" and t not in self._linked)

    def _sources_for_judge(self, number: int) -> str:
        """Return what a judge reads beside a sentence: the likeliest sources that together suffice.

        Beside several sources, which need a context, the sentence before each is read as well.
        """
        probabilities = self._probabilities[number]
        likeliest = np.argsort(-probabilities, kind="stable")[:READ_BY_JUDGE]
        shares = np.cumsum(probabilities[likeliest]) / max(probabilities[likeliest].sum(), 1e-9)
        chosen = set(likeliest[: int(np.searchsorted(shares, ENOUGH_FOR_JUDGE)) + 1].tolist())
        if len(chosen) > 1:
            chosen |= {n - 1 for n in chosen.difference(self._documents.sentences)}
        spans = [self._document.characters(self._document.sentences[n]) for n in sorted(chosen)]
        return " ".join(self._documents.raw[slice(*span)] for span in spans)

    def _null(self, words: Sequence[int]) -> float:
        """Return the mean probability that one of the words has no source."""
        return float(self._nulls[list(words)].mean())

    def _source(self, words: Span, probability: float) -> Source:
        """Return the source that a span of document words is."""
        characters = self._document.characters(words)
        name, place, sentence = self._documents.locate(characters, int(self._sentences[words[0]]))
        quote = self._documents.raw[slice(*characters)]
        return Source(name, place, quote, sentence, probability, self._documents.page(name, place[0]))


def _overlap(span: Span, other: Span) -> bool:
    return span[0] < other[1] and other[0] < span[1]
