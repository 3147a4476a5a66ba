"""Turns the posteriors and links of a pair into an attribution: sources, and what has none."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import PosteriorAlignment
from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.attribution.citations import find_citations
from vorlage.attribution.evidence import (
    MIN_PROBABILITY,
    Evidence,
    find_evidence,
    find_phrases,
    find_stretches,
    linked_words,
)
from vorlage.attribution.findings import CheckResult, check, find_unsourced, judge_statements, word_states
from vorlage.attribution.judges import Judge, Judgement
from vorlage.attribution.reading import CALCULATED, CHECK, LIKELY, Finding, Reading, read_pair
from vorlage.attribution.result import (
    AttributedSentence,
    AttributedWord,
    AttributionResult,
    Citation,
    Documents,
    State,
    Unsupported,
    Verdict,
)
from vorlage.attribution.support import MIN_LINKED, UNCLEAR, Support, score
from vorlage.command.progress import describe_step
from vorlage.text.marks import find_unread
from vorlage.text.tokenized import number_sentences
from vorlage.text.words import is_punctuation
from vorlage.types import Span


def attribute(
    pair: PosteriorAlignment,
    documents: Documents,
    raw: str,
    span: Span | None = None,
    judge: Judge | None = None,
    many_languages: bool = False,
    marks: bool = False,
) -> AttributionResult:
    """Return the sources of a text in its documents, and what they do not support.

    Args:
        pair: what a model finds in the documents as one, and the text.
        documents: those that are the document of the pair.
        raw: the characters of the text, as the user gave them.
        span: the characters to attribute; None for all phrases.
        judge: what says whether its sources support a sentence.
        many_languages: whether the encoder knows other languages than English.
        marks: whether marks of citations are checked.
    """
    text, document = pair.pair.summary, pair.pair.document
    describe_step("sources are found", len(document.tokens) * len(text.tokens))
    links = linked_words(pair.alignment.links, text.words, document.words)
    reading = read_pair(text, document, links, documents.given, many_languages)
    evidence = find_evidence(reading, pair)
    checks = check(reading, evidence)
    judgements: dict[int, Judgement] = {}
    differing = checks.findings
    if judge:
        judgements, contradicted = judge_statements(judge, reading, evidence, checks, documents, raw)
        differing = [*differing, *contradicted]
    states = word_states(reading, evidence, checks.frames, differing)
    findings = [*differing, *find_unsourced(reading, evidence, states, differing)]
    support = score(reading, evidence, checks, findings, judgements)
    analysis = Analysis(
        pair, reading, evidence, links, checks, judgements, findings, states, support, documents, raw
    )
    return assemble(analysis, span, marks and bool(documents.names))


class Analysis(NamedTuple):
    """What is known of a text.

    - `pair`: what the model finds; `links`: the document words that each word is linked to, also in marks;
    - `reading`, `evidence`: of and for its words;
    - `checks`: what the checks say; `judgements`: of a judge, by the numbers of sentences;
    - `findings`: of checks and judge, and what has no source;
    - `states`, `support`: of the words; the latter of the sentences too;
    - `documents`: those of the text; `raw`: its characters, as the user gave them.
    """

    pair: PosteriorAlignment
    reading: Reading
    evidence: Evidence
    links: Mapping[int, Set[int]]
    checks: CheckResult
    judgements: Mapping[int, Judgement]
    findings: Sequence[Finding]
    states: Sequence[State]
    support: Support
    documents: Documents
    raw: str


def assemble(analysis: Analysis, span: Span | None, marks: bool) -> AttributionResult:
    """Return the attribution of a text, or of a span of it, with the `marks` of citations."""
    text, documents = analysis.reading.text.tokenized, analysis.documents
    unsupported = sorted(_unsupported(analysis), key=lambda part: part.text)
    sentences = [
        _sentence(analysis, number, unsupported)
        for number, words in enumerate(text.sentences)
        if span is None or _overlap(text.characters(words), span)
    ]
    words = list(_words(analysis))
    citations = _citations(analysis, unsupported) if marks else ()
    if span is None:
        phrases = [(range(*phrase), text.characters(phrase)) for phrase in _phrases(analysis)]
    else:
        phrases = [(text.tokens_in(span), span)]
        words = [word for word in words if _overlap(word.text, span)]
        unsupported = [part for part in unsupported if _overlap(part.text, span)]
    return AttributionResult(
        id=analysis.pair.pair.id,
        supported=min(analysis.support.sentences, default=1.0),
        sentences=tuple(sentences),
        spans=tuple(_spans(analysis, phrases)),
        words=tuple(words),
        unsupported=tuple(unsupported),
        notes=(*documents.notes, *analysis.checks.notes),
        text=text,
        documents=documents,
        citations=citations,
        marks=marks,
    )


def _sentence(analysis: Analysis, number: int, unsupported: Sequence[Unsupported]) -> AttributedSentence:
    """Return a sentence of the text with its sources and what the judge says of it.

    The sources are the likely ones, the one with most evidence first. `unsupported`: what is found in the
    text.
    """
    reading, evidence, support = analysis.reading, analysis.evidence, analysis.support.sentences[number]
    origins, scores = evidence.origins[number], evidence.scores[number]
    order = sorted(
        np.flatnonzero(origins >= MIN_PROBABILITY).tolist(),
        key=lambda sentence: (-scores[sentence], -origins[sentence]),
    )
    characters = reading.text.tokenized.characters(reading.text.tokenized.sentences[number])
    linked = 1.0 - evidence.null(reading.text.content_words(number))
    found = [part for part in unsupported if _overlap(part.text, characters)]
    doubts = list(_doubts(analysis, characters, support, linked, found))
    verdict: Verdict = "unclear" if doubts else "supported"
    if any(part.severity >= LIKELY for part in found):
        verdict = "unsupported"
    if number not in analysis.checks.statements:
        verdict, order = "no statement", []
    spans = analysis.documents.text.sentences
    sources = tuple(_source(analysis.documents, spans[source], float(origins[source])) for source in order)
    judged, contradicted = analysis.judgements.get(number) or (None, None)
    reason = doubts[0] if verdict == "unclear" else None
    return AttributedSentence(characters, support, linked, verdict, sources, judged, contradicted, reason)


def _doubts(
    analysis: Analysis, characters: Span, support: float, linked: float, found: Sequence[Unsupported]
) -> Iterator[str]:
    """Yield why a sentence cannot be called supported; `characters`: its own, `found`: its findings."""
    if not analysis.reading.is_read:
        yield "its language is not checked"
    yield from (part.message for part in found if part.kind == CALCULATED)
    for span, name in find_unread(analysis.reading.text.tokenized.raw):
        if _overlap(span, characters):
            yield f"{name} is not checked"
    if linked < MIN_LINKED:
        yield "few of its words have a source"
    if support < UNCLEAR:
        yield "little in the document supports it"


def _words(analysis: Analysis) -> Iterator[AttributedWord]:
    """Yield the words of the text, punctuation marks left out, with their states."""
    text, evidence = analysis.reading.text.tokenized, analysis.evidence
    for t, state in enumerate(analysis.states):
        if not is_punctuation(text.words[t]):
            source = None
            if state == "elsewhere":  # at the likeliest place, the first of equals
                places = evidence.places[t]
                place = int(places[analysis.pair.source_columns.look_up(t, places).argmax()])
                source = _source(analysis.documents, (place, place + 1), 0.0)
            name, sentence = (source.name, source.sentence) if source else (None, None)
            yield AttributedWord(text.tokens[t], state, float(analysis.support.words[t]), name, sentence)


def _phrases(analysis: Analysis) -> Iterator[Span]:
    """Yield the spans of words that have a source, without punctuation and marks at their ends."""
    text, document = analysis.reading.text, analysis.reading.document
    numbers = np.array(text.sentences), np.array(document.sentences)
    for span in find_phrases(analysis.pair.alignment.links, *numbers):
        words = [t for t in range(*span) if not (is_punctuation(text.tokenized.words[t]) or t in text.marks)]
        if words:
            yield words[0], words[-1] + 1


def _spans(analysis: Analysis, phrases: Sequence[tuple[range, Span]]) -> Iterator[AttributedSpan]:
    """Yield spans of the text, given by their words and characters, with their sources."""
    documents, document = analysis.documents, analysis.documents.text
    punctuation = np.array([is_punctuation(word) for word in document.words])
    places = analysis.links, number_sentences(document.sentences), punctuation
    for words, characters in phrases:
        stretches = find_stretches(words, analysis.pair.source_columns, *places)
        sources = tuple(_source(documents, stretch.words, stretch.probability) for stretch in stretches)
        yield AttributedSpan(
            characters, analysis.raw[slice(*characters)], analysis.evidence.null(words), sources
        )


def _unsupported(analysis: Analysis) -> Iterator[Unsupported]:
    """Yield what differs from its source, and what has none."""
    for words, document, kind, severity, message in analysis.findings:
        characters = analysis.reading.text.tokenized.characters(words)
        span = characters, analysis.raw[slice(*characters)], analysis.evidence.null(range(*words))
        if document:
            source = _source(analysis.documents, document, 0.0)
            yield Unsupported(*span, "differs", kind, severity, message, source.name, source.document)
        else:
            yield Unsupported(*span, "no source", kind, severity, message)


def _citations(analysis: Analysis, unsupported: Sequence[Unsupported]) -> tuple[Citation, ...]:
    """Return the marks of citations in the text; `unsupported`: the findings in it."""
    text, likeness = analysis.reading.text, analysis.evidence.by_sentence
    wrong = [part.text for part in unsupported if part.severity > CHECK]
    return tuple(find_citations(text.tokenized, analysis.documents, text.content, likeness, wrong))


def _source(documents: Documents, words: Span, probability: float) -> Source:
    """Return the source that a span of document words is."""
    characters = documents.text.characters(words)
    name, place, sentence = documents.locate(characters, documents.text.sentence_numbers[words[0]])
    quote = documents.raw[slice(*characters)]
    return Source(name, place, quote, sentence, probability, documents.page(name, place[0]))


def _overlap(span: Span, other: Span) -> bool:
    return span[0] < other[1] and other[0] < span[1]
