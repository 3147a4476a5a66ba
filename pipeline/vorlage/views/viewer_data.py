"""An attribution in the form that the viewer reads: its texts in pieces, its places as spans of pieces."""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import pairwise

from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.attribution.result import AttributedWord, AttributionResult, Unsupported
from vorlage.attribution.support import MIN_LINKED, UNCLEAR
from vorlage.files.jsonl import to_line
from vorlage.text.tokenized import Text, trim
from vorlage.types import JsonObject, Span
from vorlage.views.tables import by_gravity
from vorlage.views.viewer import rounded, text_data


def attribution_data(attribution: AttributionResult) -> JsonObject:
    """Return what the viewer shows of an attribution: a dict that JSON can hold.

    It has the `id`, `supported`, `sentences`, `spans`, `unsupported` (the gravest first) and `notes` of the
    attribution, with probabilities of three decimals, and those of its `words` that are asides. Their places
    are half-open spans of pieces, and sentences are numbers, those of all documents counted together.
    `least`: what `supported` and `linked` of a supported sentence reach. `digest` tells these texts from
    others. `s` (text) and `d` (documents) hold the pieces as `vorlage.views.viewer.pair_data` does
    words; `names` of `d` has the first sentence and the name of each document that has one, `pages` the first
    sentence that begins on each page, and its number.
    """
    text, documents, spans = attribution.text, attribution.documents, attribution.spans
    findings = by_gravity(attribution.unsupported)
    words = [word for word in attribution.words if word.is_aside]

    def characters(part: Source | Unsupported) -> Span | None:
        """Return the characters of a source, or of what a finding contradicts, in all documents together."""
        start = documents.characters[documents.number(part.name)]
        return part.document and (start + part.document[0], start + part.document[1])

    parts: list[AttributedSpan | Unsupported | AttributedWord] = [*spans, *findings, *words]
    pieces = _Pieces(text, [part.text for part in parts])
    sources: list[Source | Unsupported] = [source for span in spans for source in span.sources]
    document_pieces = _Pieces(documents.text, filter(None, map(characters, [*sources, *findings])))

    def document_span(part: Source | Unsupported) -> Span | None:
        span = characters(part)
        return span and document_pieces.find(span)

    def sentence_number(part: Source | AttributedWord) -> int | None:
        first = documents.sentences[documents.number(part.name)]
        return None if part.sentence is None else first + part.sentence

    names = list(zip(documents.sentences, documents.names, strict=False))
    pages: list[tuple[int, int | None]] = []
    for number, sentence in enumerate(documents.text.sentences):
        name, (start, _), _ = documents.locate(documents.text.characters(sentence), number)
        page = documents.page(name, start)
        if page != (pages[-1][1] if pages else None):
            pages.append((number, page))
    return {
        "id": attribution.id,
        "supported": rounded(attribution.supported),
        "notes": list(attribution.notes),
        "least": [UNCLEAR, MIN_LINKED],
        "digest": hashlib.sha256(to_line({"texts": [documents.raw, text.raw]}).encode()).hexdigest()[:16],
        "s": pieces.data(),
        "d": document_pieces.data() | {"names": names, "pages": pages},
        "sentences": [
            {
                "sentence": pieces.sentence(sentence.text),
                **_values(sentence, "supported", "linked", "verdict", "reason", "judged"),
                "marks": [
                    [text.raw[slice(*citation.text)], str(citation), citation.mark]
                    for citation in attribution.citations
                    if sentence.holds(citation.statement)
                ],
                "sources": [
                    {"sentence": sentence_number(source), **_values(source, "probability")}
                    for source in sentence.sources
                ],
            }
            for sentence in attribution.sentences
        ],
        "spans": [
            {
                "text": pieces.find(span.text),
                **_values(span, "null"),
                "sources": [
                    {"document": document_span(source), **_values(source, "probability")}
                    for source in span.sources
                ],
            }
            for span in spans
        ],
        "unsupported": [
            {
                "text": pieces.find(part.text),
                **_values(part, "null", "kind", "severity", "message"),
                "document": document_span(part),
            }
            for part in findings
        ],
        "words": [
            {"text": pieces.find(word.text), "state": word.state, "sentence": sentence_number(word)}
            for word in words
        ],
    }


def _values(part: object, *names: str) -> JsonObject:
    """Return fields of a part of an attribution, probabilities with few decimals."""
    values = {name: getattr(part, name) for name in names}
    return {name: rounded(value) if isinstance(value, float) else value for name, value in values.items()}


class _Pieces:
    """A text whose sentences are cut where `spans` of characters begin and end."""

    def __init__(self, text: Text, spans: Iterable[Span]) -> None:
        self._raw = text.raw
        self._places: list[Span] = []  # the characters of the pieces
        self._sentences: list[int] = []  # the first piece after each sentence
        cuts = sorted({place for span in spans for place in span})
        for first, end in text.sentences:
            start, stop = text.tokens[first][0], text.tokens[end - 1][1]
            inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, stop)]
            pieces = (trim(text.raw, span) for span in pairwise([start, *inside, stop]))
            self._places += (piece for piece in pieces if piece[0] < piece[1])
            self._sentences.append(len(self._places))
        self._starts, self._ends = zip(*self._places, strict=True)

    def find(self, span: Span) -> Span:
        """Return the pieces of a span of characters."""
        return bisect_right(self._ends, span[0]), bisect_left(self._starts, span[1])

    def sentence(self, span: Span) -> int:
        """Return the number of the sentence that a span of characters is."""
        return bisect_right(self._sentences, self.find(span)[0])

    def data(self) -> JsonObject:
        """Return the pieces in the form that the viewer reads."""
        return text_data(self._raw, self._places, self._sentences)
