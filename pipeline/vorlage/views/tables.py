"""An attribution as JSON, as Markdown, and as tables: a row for each word, or for each source and finding."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from vorlage.attribution.result import AttributionResult, Unsupported
from vorlage.files.jsonl import FORMAT
from vorlage.types import JsonObject, Span
from vorlage.views.console import sentence_name
from vorlage.views.terminal import SIGNS, headline

# Kinds of findings, those that mislead most first.
KINDS = ("number", "unit", "date", "name", "negation", "opposite", "quantity", "role")
COLUMNS = tuple(
    """id start end text null state kind severity message
    name page sentence document_start document_end document probability judged""".split()
)
Cell: TypeAlias = str | int | float | None
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$])")  # what Markdown would take for markup


def by_gravity(findings: Iterable[Unsupported]) -> list[Unsupported]:
    """Return findings by severity, then what differs, then by kind, then in the order of the text."""

    def order(finding: Unsupported) -> tuple[int, bool, int, Span]:
        rank = KINDS.index(finding.kind) if finding.kind in KINDS else len(KINDS)
        return -finding.severity, finding.reason != "differs", rank, finding.text

    return sorted(findings, key=order)


def attribution_json(attribution: AttributionResult) -> JsonObject:
    """Return an attribution as a JSON object; the sources of sentences, whole ones, have no quotes."""
    names = ("supported", "sentences", "spans", "words", "unsupported", "notes")
    parts = {
        name: _to_json(getattr(attribution, name)) for name in (*names, *["citations"] * attribution.marks)
    }
    for sentence in parts["sentences"]:
        for source in sentence["sources"]:
            del source["quote"]
    return {"format": FORMAT, "id": attribution.id, **parts}


def _to_json(value: Any) -> Any:
    """Return a part of an attribution as JSON holds it: its fields in order, without those that are None."""
    if is_dataclass(value):
        items = ((item.name, getattr(value, item.name)) for item in fields(value))
        return {name: _to_json(part) for name, part in items if part is not None}
    return list(map(_to_json, value)) if isinstance(value, tuple) else value


def markdown(attribution: AttributionResult) -> str:
    """Return the text as Markdown: a sentence a paragraph, with footnotes for findings and sources."""
    text, texts, footnotes = attribution.text.raw, attribution.documents.texts, list[str]()
    paragraphs = [f"**{headline(attribution)}**", *map(_escaped, attribution.notes)]
    for sentence in attribution.sentences:
        start, end = sentence.text
        paragraph = f"{SIGNS[sentence.verdict]} "
        for finding in sorted(attribution.unsupported, key=lambda finding: finding.text[1]):
            if sentence.holds(finding.text):
                footnotes.append(f"{finding.reason} ({finding.kind}): {finding.message}")
                paragraph += f"{_escaped(text[start : finding.text[1]])}[^{len(footnotes)}]"
                start = finding.text[1]
        paragraph += _escaped(text[start:end])
        for source in sentence.sources:
            label, quote = sentence_name(source.name, source.sentence, source.page), texts[source.name]
            quote = quote[slice(*source.document)]
            footnotes.append(f"source: {label} ({source.probability:.2f}): “{quote}”")
            paragraph += f"[^{len(footnotes)}]"
        paragraphs.append(paragraph)
    notes = (f"[^{number}]: {_escaped(note)}" for number, note in enumerate(footnotes, 1))
    return "\n\n".join([*paragraphs, *notes]) + "\n"


def word_rows(attribution: AttributionResult) -> Iterator[Mapping[str, object]]:
    """Yield a row for each word of the text: its place and state, and the gravest finding that it is in."""
    text, texts = attribution.text.raw, attribution.documents.texts
    findings = by_gravity(attribution.unsupported)
    for word in attribution.words:
        start, end = word.text
        finding = next((part for part in findings if part.text[0] < end and start < part.text[1]), None)
        number, sentence = next(
            numbered for numbered in enumerate(attribution.sentences) if numbered[1].holds(word.text)
        )
        name = word.name if finding is None or finding.name is None else finding.name
        source = texts[finding.name][slice(*finding.document)] if finding and finding.document else None
        yield {
            "start": start,
            "end": end,
            "word": text[start:end],
            "state": word.state,
            "supported": word.supported,
            "sentence": number,
            "verdict": sentence.verdict,
            "kind": finding and finding.kind,
            "severity": finding and finding.severity,
            "message": finding and finding.message,
            "document": name or None,
            "source": source,
            "source_sentence": word.sentence,
        }


def source_rows(attribution: AttributionResult) -> Iterator[tuple[Cell, ...]]:
    """Yield a row of `COLUMNS` for each source of a span, each finding, and each word that is an aside."""
    text, texts = attribution.text.raw, attribution.documents.texts
    rows: list[tuple[Span, tuple[Cell, ...]]] = []  # the cells from `null` to `probability`
    for span in attribution.spans:
        for source in span.sources:
            state = span.null, "sourced", None, None, None
            source_place = source.name, source.page, source.sentence, *source.document, source.quote
            rows.append((span.text, (*state, *source_place, source.probability)))
    for part in attribution.unsupported:
        finding = part.null, part.reason, part.kind, part.severity, part.message
        place: tuple[Cell, ...] = (None,) * 5
        if part.document:
            page = attribution.documents.page(part.name, part.document[0])
            place = page, None, *part.document, texts[part.name][slice(*part.document)]
        rows.append((part.text, (*finding, part.name, *place, None)))
    for word in attribution.words:
        if word.is_aside:
            aside = word.name, None, word.sentence, *[None] * 4
            rows.append((word.text, (None, word.state, *[None] * 3, *aside)))
    starts = [sentence.text[0] for sentence in attribution.sentences]
    for characters, cells in sorted(rows, key=lambda row: row[0]):
        judged = attribution.sentences[bisect_right(starts, characters[0]) - 1].judged
        yield (attribution.id, *characters, text[slice(*characters)], *cells, judged)


def _escaped(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", re.sub(r"\s+", " ", text))
