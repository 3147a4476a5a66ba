"""Draws a text with its sources in a terminal: each sentence with its sources under it or beside it.

Colours show probabilities. Where there are none, as in a pipe, words without a source are in square brackets,
and words of a document that the text comes from in guillemets.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from vorlage.attribution.result import AttributedSpan, AttributedWord, AttributionResult, Source, Unsupported
from vorlage.text.tokenized import trim
from vorlage.text.words import is_stop_word
from vorlage.types import Span
from vorlage.views.console import printable

NARROW = 60  # columns below which the sources have no columns of their own
BESIDE = 120  # columns from which sources are beside the text
MAX_SOURCES = 3  # of a sentence
PROBABILITY = 4  # columns of a probability
AROUND = 50  # characters that are shown on both sides of what a long sentence has in common with the text
# The least probability of a grade, its style, and what the legend says of it.
GRADES = ((0.8, "green", "0.8 or more"), (0.5, "yellow", "0.5 or more"), (0.0, "magenta", "less"))
WITHOUT = "bold red underline"
FAINT = "bright_black"
FINDING = "red"
# The sign of each verdict, and its style.
SIGNS = {"supported": "✓", "unclear": "?", "unsupported": "✗", "no statement": "·"}
STYLES = {"supported": "green", "unclear": "yellow", "unsupported": "bold red", "no statement": FAINT}
PUNCTUATION = " ,;:.!?'\"‘’“”()"  # left out of marks

# A span of a text, its style, and what is before and after it where there are no colours.
MarkedSpan: TypeAlias = tuple[Span, str, str]
# A line about a sentence: the name of a source, a probability, and what is said; the first two may be empty.
Line: TypeAlias = tuple[Text, Text, Text]
TextsByName: TypeAlias = Mapping[str | None, str]  # of documents, by name


def draw_attribution(attribution: AttributionResult, console: Console) -> Iterator[RenderableType]:
    """Yield the verdicts, each sentence with its sources, then what the marks mean."""
    sources = [sentence.sources for sentence in attribution.sentences]
    drawing = Drawing(attribution.text.raw, attribution.documents.texts, sources, console)
    yield Text(headline(attribution), "bold")
    yield from (Text(f"note: {note}", FAINT) for note in attribution.notes)
    yield Text()
    for sentence in attribution.sentences:
        spans = [span for span in attribution.spans if span.sources and sentence.holds(span.text)]
        findings = [finding for finding in attribution.unsupported if sentence.holds(finding.text)]
        asides = [word for word in attribution.words if word.is_aside and sentence.holds(word.text)]
        verdict = Text(f"{SIGNS[sentence.verdict]} ", STYLES[sentence.verdict])
        text = Text.assemble(verdict, drawing.marked_sentence(sentence.text, spans, findings))
        rows = list(drawing.source_rows(sentence.sources, spans, findings))
        if sentence.judged is not None:
            judgement = Text("supported, according to the judge", FAINT)
            rows.append((Text(), _probability(sentence.judged), judgement))
        support = f"supported {sentence.supported:.2f}; words with a source {sentence.linked:.0%}"
        rows.append((Text(), Text(), Text(support, FAINT)))
        rows += drawing.note_rows(spans, findings, asides)
        for citation in attribution.citations:
            if sentence.holds(citation.statement):
                style = FAINT if citation.mark == "right" else FINDING
                mark = Text(f"{attribution.text.raw[slice(*citation.text)]} {citation}", style)
                rows.append((Text(), Text(), mark))
        yield drawing.beside(text, rows if sentence.verdict != "no statement" else [])
        yield Text()
    yield Text("✓ supported, ? unclear, ✗ differs or has no source", FAINT)
    yield drawing.legend()


def headline(attribution: AttributionResult) -> str:
    """Return a line that counts the statements that pass."""
    supported, total = len(attribution.passing), len(attribution.statements)
    if not total:
        return "nothing to check"
    line = f"{supported} of {total} {'statement' if total == 1 else 'statements'} supported"
    return f"{line}; {total - supported} to check" if supported < total else line


def sentence_name(name: str | None, sentence: int, page: int | None = None, alone: str = "sentence ") -> str:
    """Return the name of a document or, without one, `alone`; the number of a sentence from 1; its page."""
    label = f"{printable(name)}:{sentence + 1}" if name else f"{alone}{sentence + 1}"
    return f"{label}, page {page}" if page else label


class Drawing:
    """Draws the sentences of a text on a console.

    Args:
        text: what has the sources.
        texts: those of the documents.
        sources: those of each sentence, the best first.
        console: which may be narrow, and may have no colours.
    """

    def __init__(
        self, text: str, texts: TextsByName, sources: Iterable[Sequence[Source]], console: Console
    ) -> None:
        self._text, self._texts, self._width = text, texts, console.width
        self._plain = console.color_system is None or console.no_color
        labels = (cell_len(_label(source)) for each in sources for source in each[:MAX_SOURCES])
        self._labels = min(max(labels, default=0), console.width // 4)  # columns

    def marked_sentence(
        self, sentence: Span, spans: Iterable[AttributedSpan], findings: Iterable[Unsupported] = ()
    ) -> Text:
        """Return a sentence with its spans marked, and over them what has no source or differs."""
        marks = [(span.text, _grade(span.sources[0].probability), "") for span in spans if span.sources]
        without = [span.text for span in spans if not span.sources]
        without += [finding.text for finding in findings if finding.severity > 1]
        marks += ((span, WITHOUT, "[]") for span in without)
        return _marked(self._text, sentence, marks, self._plain)

    def source_rows(
        self,
        sources: Sequence[Source],
        spans: Iterable[AttributedSpan],
        findings: Iterable[Unsupported] = (),
    ) -> Iterator[Line]:
        """Yield the sources of a sentence, with the sources of its spans marked, and what it contradicts."""
        marks: list[tuple[str | None, MarkedSpan]] = []  # the name of the document, and a mark in it
        for source in (source for span in spans for source in span.sources[:1]):
            marks.append((source.name, (source.document, _grade(source.probability), "«»")))
        for finding in findings:
            if finding.document and finding.severity > 1:
                marks.append((finding.name, (finding.document, WITHOUT, "[]")))
        for source in sources[:MAX_SOURCES]:
            quote_marks = (mark for name, mark in marks if name == source.name)
            quote = _excerpt(self._texts[source.name], source.document, quote_marks, self._plain)
            yield Text(_label(source), FAINT), _probability(source.probability), quote

    def note_rows(
        self,
        spans: Sequence[AttributedSpan],
        findings: Sequence[Unsupported] = (),
        asides: Iterable[AttributedWord] = (),
    ) -> Iterator[Line]:
        """Yield what differs, has no source, is to check, frames the text or was reworded, a row each."""
        text, notes = self._text, defaultdict[str, list[Text]](list, {"differs": [], "no source": []})
        for finding in sorted(findings, key=lambda finding: -finding.severity):
            if finding.document and finding.severity > 1:
                notes["differs"].append(Text(finding.message, FINDING))
            elif finding.severity == 1:
                notes["words to check"].append(Text(_quoted(text, finding.text), FAINT))
            else:
                notes["no source"].append(_without_source(text, finding))
        notes["no source"] += [_without_source(text, span) for span in spans if not span.sources]
        for word in asides:
            place = "" if word.sentence is None else f" ({sentence_name(word.name, word.sentence)})"
            notes[word.state].append(Text(_quoted(text, word.text) + place))
        contradicted = [finding.text for finding in findings if finding.document and finding.severity > 1]
        for span in spans:
            for source in span.sources[:1]:
                document = self._texts[source.name]
                notes["reworded"] += _rewordings(text, document, span.text, source, contradicted)
        for title, quotes in notes.items():
            if quotes:
                yield Text(), Text(), Text(f"{title}: ", FAINT) + Text("; ", FAINT).join(quotes)

    def beside(self, text: Text, rows: Iterable[Line]) -> RenderableType:
        """Return a sentence with the rows about it, beside it where there is room."""
        if self._width < NARROW:
            lines = Group(*(Text(" ").join(filter(None, row)) for row in rows))
            return Group(text, Padding(lines, (0, 0, 0, 2)))
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", overflow="fold", width=self._labels)
        table.add_column(width=PROBABILITY)
        table.add_column(overflow="fold")
        for row in rows:
            table.add_row(*row)
        if self._width < BESIDE:
            return Group(text, Padding(table, (0, 0, 0, 2)))
        beside = Table.grid(padding=(0, 3), expand=True)
        beside.add_column(ratio=2, overflow="fold")
        beside.add_column(ratio=3, overflow="fold")
        beside.add_row(text, table)
        return beside

    def legend(self) -> Text:
        """Return what the marks mean."""
        if self._plain:
            return Text("[words] differ or have no source, «words» the text comes from, probabilities")
        grades = [Text.assemble(("■ ", style), (meaning, FAINT)) for _, style, meaning in GRADES]
        without = Text("differs or no source", WITHOUT)
        return Text.assemble(("probability: ", FAINT), Text("  ").join([*grades, without]))


def _excerpt(raw: str, span: Span, marks: Iterable[MarkedSpan], plain: bool) -> Text:
    """Return a sentence of a document with marks, or the parts around the marks of a long one.

    Marks that begin outside of the sentence are left out.
    """
    first, end = span
    marks = [mark for mark in marks if first <= mark[0][0] < end]
    parts: list[Span] = []
    for (start, stop), _, _ in sorted(marks):
        if start - 2 * AROUND <= first:
            start = first
        else:  # cut at a space, if there is one
            start = raw.rfind(" ", first, start - AROUND) + 1 or start - AROUND
        stop = end if stop + 2 * AROUND >= end else raw.rfind(" ", stop, stop + AROUND) + 1 or stop + AROUND
        if parts and start <= parts[-1][1] + AROUND:
            start, stop = parts[-1][0], max(stop, parts.pop()[1])
        parts.append((start, stop))
    parts = parts or [span]
    quote = Text(" … ").join(_marked(raw, part, marks, plain) for part in parts)
    return Text.assemble("… " * (parts[0][0] > first), quote, "…" * (parts[-1][1] < end))


def _rewordings(
    text: str, document: str, span: Span, source: Source, findings: Iterable[Span]
) -> Iterator[Text]:
    """Yield the words of a span of a text that are others in its source, except those in `findings`.

    Words with the same content are left out: *the centre* from *centre of*, *it* from *its*.
    """
    style = _grade(source.probability)
    for words, source_words in _changes(text, span, document, source.document):
        quotes = _quoted(text, words), _quoted(document, source_words)
        said, in_source = map(_content, quotes)
        if said != in_source and not any(start < words[1] and words[0] < end for start, end in findings):
            change = (quotes[0], style), (" ← ", FAINT), (quotes[1], style)
            yield Text.assemble(*change, f" {source.probability:.2f}")


def _content(quote: str) -> set[str]:
    """Return the words of a quote but those on the ignore list, without case."""
    return {word for word in re.findall(r"\w+", quote.casefold()) if not is_stop_word(word)}


def _changes(text: str, span: Span, document: str, source: Span) -> list[tuple[Span, Span]]:
    """Return the words of a span that are others in its source; both whole if words are only added."""
    words, source_words = _words(text, span), _words(document, source)
    matcher = SequenceMatcher(
        None,
        [text[slice(*word)].casefold() for word in words],
        [document[slice(*word)].casefold() for word in source_words],
        autojunk=False,
    )
    codes = matcher.get_opcodes()
    if all(code == "equal" for code, *_ in codes):
        return []
    replaced = [
        ((words[a][0], words[b - 1][1]), (source_words[c][0], source_words[d - 1][1]))
        for code, a, b, c, d in codes
        if code == "replace"
    ]
    return replaced or [(span, source)]


def _words(raw: str, span: Span) -> list[Span]:
    """Return the words of a span, without the punctuation marks around it."""
    start, end = trim(raw, span, PUNCTUATION)
    return [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", raw[start:end])]


def _marked(raw: str, span: Span, marks: Iterable[MarkedSpan], plain: bool) -> Text:
    """Return a span of a text with marks: styles or, if `plain`, characters; later ones cover earlier."""
    start, end = span
    owners: list[MarkedSpan] = [(span, "", "")] * (end - start)
    for mark in marks:
        trimmed = trim(raw, mark[0], PUNCTUATION)
        first, last = max(trimmed[0], start) - start, min(trimmed[1], end) - start
        owners[first:last] = [mark] * max(0, last - first)
    text = Text()
    looks = ((around if plain else style) for _, style, around in owners)
    for look, group in groupby(zip(looks, printable(raw[slice(*span)]), strict=True), itemgetter(0)):
        part = re.sub(" +", " ", "".join(character for _, character in group))
        core = part.strip(PUNCTUATION) if plain else part  # signs stand beside words
        start, signs = part.index(core), plain and any(map(str.isalnum, core))
        text.append(part[:start])
        text.append(f"{look[:1]}{core}{look[1:]}" if signs else core, "" if plain else look)
        text.append(part[start + len(core) :])
    return text


def _quoted(raw: str, span: Span) -> str:
    """Return a span of a text on one line, without the punctuation marks around it."""
    return re.sub(" +", " ", printable(raw[slice(*trim(raw, span, PUNCTUATION))]))


def _without_source(text: str, part: AttributedSpan | Unsupported) -> Text:
    return Text.assemble((_quoted(text, part.text), WITHOUT), f" {part.null:.2f}")


def _label(source: Source) -> str:
    return sentence_name(source.name, source.sentence, source.page, alone="")


def _probability(probability: float) -> Text:
    return Text(f"{probability:.2f}", _grade(probability))


def _grade(probability: float) -> str:
    """Return the style of a probability."""
    return next(style for minimum, style, _ in GRADES if probability >= minimum)
