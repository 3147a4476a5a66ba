"""Draws a text with its sources in a terminal: each sentence with its sources under it or beside it.

Colours show probabilities. Where there are none, as in a pipe, words without a source are in square brackets,
and words of a document that the text comes from in guillemets.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from vorlage.alignments.terminal import printable
from vorlage.types import Span

if TYPE_CHECKING:
    from vorlage.attribution.result import AttributedSpan, AttributedWord, Attribution, Source, Unsupported

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


class Layout(NamedTuple):
    """How a text is shown: `plain` or in colours, in `width` columns, `labels` of them for sources."""

    plain: bool
    width: int
    labels: int


def draw_attribution(attribution: "Attribution", console: Console) -> Iterator[RenderableType]:
    """Yield the verdicts, each sentence with its sources, then what the marks mean."""
    text, texts = attribution.text.raw, attribution.documents.texts
    layout = make_layout(console, (sentence.sources for sentence in attribution.sentences))
    yield Text(headline(attribution), "bold")
    yield from (Text(f"note: {note}", FAINT) for note in attribution.notes)
    yield Text()
    for sentence in attribution.sentences:
        spans = [span for span in attribution.spans if span.sources and sentence.holds(span.text)]
        findings = [finding for finding in attribution.unsupported if sentence.holds(finding.text)]
        asides = [word for word in attribution.words if word.is_aside and sentence.holds(word.text)]
        rows = list(source_rows(texts, sentence.sources, spans, findings, layout.plain))
        if sentence.judged is not None:
            judgement = Text("supported, according to the judge", FAINT)
            rows.append((Text(), _probability(sentence.judged), judgement))
        support = f"supported {sentence.supported:.2f}; words with a source {sentence.linked:.0%}"
        rows.append((Text(), Text(), Text(support, FAINT)))
        rows += note_rows(text, texts, spans, findings, asides)
        if sentence.verdict == "no statement":
            rows = []
        verdict = f"{SIGNS[sentence.verdict]} ", STYLES[sentence.verdict]
        marked = mark_sentence(text, sentence.text, spans, findings, layout.plain)
        yield draw_sentence(Text.assemble(verdict, marked), rows, layout)
        yield Text()
    yield Text("✓ supported, ? unclear, ✗ differs or has no source", FAINT)
    yield legend(layout.plain)


def headline(attribution: "Attribution") -> str:
    """Return a line that counts the verdicts on the sentences."""
    verdicts = Counter(sentence.verdict for sentence in attribution.sentences)
    supported, total = verdicts["supported"], verdicts.total() - verdicts["no statement"]
    if not total:
        return "nothing to check"
    line = f"{supported} of {total} {'statement' if total == 1 else 'statements'} supported"
    return f"{line}; {total - supported} to check" if supported < total else line


def sentence_name(name: str | None, sentence: int, page: int | None = None) -> str:
    """Return the name of a document, if it has one, the number of a sentence of it, from 1, and its page."""
    label = f"{name}:{sentence + 1}" if name else f"sentence {sentence + 1}"
    return f"{label}, page {page}" if page else label


def make_layout(console: Console, sources: Iterable[Sequence["Source"]]) -> Layout:
    """Return the layout for a console; `sources`: those of each sentence."""
    plain, width = console.color_system is None or console.no_color, console.width
    labels = (cell_len(_label(source)) for each in sources for source in each[:MAX_SOURCES])
    return Layout(plain, width, min(max(labels, default=0), width // 4))


def mark_sentence(
    text: str,
    sentence: Span,
    spans: Iterable["AttributedSpan"],
    findings: Iterable["Unsupported"],
    plain: bool,
) -> Text:
    """Return a sentence of a text with its spans marked, and over them what has no source or differs."""
    marks = [(span.text, _grade(span.sources[0].probability), "") for span in spans if span.sources]
    without = [span.text for span in spans if not span.sources]
    without += [finding.text for finding in findings if finding.severity > 1]
    return _marked(text, sentence, [*marks, *((span, WITHOUT, "[]") for span in without)], plain)


def source_rows(
    texts: TextsByName,
    sources: Sequence["Source"],
    spans: Iterable["AttributedSpan"],
    findings: Iterable["Unsupported"],
    plain: bool,
) -> Iterator[Line]:
    """Yield the sources of a sentence, with the sources of its spans marked, and what it contradicts.

    Args:
        texts: those of the documents.
        sources: document sentences, the best first.
        spans: those of the sentence.
        findings: those in the sentence.
        plain: whether there are no colours.
    """
    marks: list[tuple[str | None, MarkedSpan]] = []  # the name of the document, and a mark in it
    for source in (source for span in spans for source in span.sources[:1]):
        marks.append((source.name, (source.document, _grade(source.probability), "«»")))
    for finding in findings:
        if finding.document and finding.severity > 1:
            marks.append((finding.name, (finding.document, WITHOUT, "[]")))
    for source in sources[:MAX_SOURCES]:
        quote_marks = (mark for name, mark in marks if name == source.name)
        quote = _excerpt(texts[source.name], source.document, quote_marks, plain)
        yield Text(_label(source), FAINT), _probability(source.probability), quote


def note_rows(
    text: str,
    texts: TextsByName,
    spans: Sequence["AttributedSpan"],
    findings: Sequence["Unsupported"] = (),
    asides: Iterable["AttributedWord"] = (),
) -> Iterator[Line]:
    """Yield what differs from a source or has none, what to check, and what was reworded, a row each.

    Args:
        text: what has the sources.
        texts: those of the documents.
        spans: of a sentence.
        findings: in the sentence.
        asides: words of the sentence that have a state to show.
    """
    notes = defaultdict[str, list[Text]](list, {"differs": [], "no source": []})
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
            notes["reworded"] += _rewordings(text, texts[source.name], span.text, source, contradicted)
    for title, quotes in notes.items():
        if quotes:
            yield Text(), Text(), Text(f"{title}: ", FAINT) + Text("; ", FAINT).join(quotes)


def draw_sentence(text: Text, rows: Sequence[Line], layout: Layout) -> RenderableType:
    """Return a sentence with the rows about it, beside it where there is room."""
    if layout.width < NARROW:
        lines = Group(*(Text(" ").join(filter(None, row)) for row in rows))
        return Group(text, Padding(lines, (0, 0, 0, 2)))
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", overflow="fold", width=layout.labels)
    table.add_column(width=PROBABILITY)
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    if layout.width < BESIDE:
        return Group(text, Padding(table, (0, 0, 0, 2)))
    beside = Table.grid(padding=(0, 3), expand=True)
    beside.add_column(ratio=2, overflow="fold")
    beside.add_column(ratio=3, overflow="fold")
    beside.add_row(text, table)
    return beside


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
    text: str, document: str, span: Span, source: "Source", findings: Iterable[Span]
) -> Iterator[Text]:
    """Yield the words of a span of a text that are others in its source, except those in `findings`."""
    style = _grade(source.probability)
    for words, source_words in _changes(text, span, document, source.document):
        quote = _quoted(text, words)
        if quote != "s" and not any(start < words[1] and words[0] < end for start, end in findings):
            change = (quote, style), (" ← ", FAINT), (_quoted(document, source_words), style)
            yield Text.assemble(*change, f" {source.probability:.2f}")  # the s is that of a genitive


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
    start, end = _trim(raw, span)
    return [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", raw[start:end])]


def _marked(raw: str, span: Span, marks: Iterable[MarkedSpan], plain: bool) -> Text:
    """Return a span of a text with marks: styles or, if `plain`, characters; later ones cover earlier."""
    start, end = span
    owners: list[MarkedSpan] = [(span, "", "")] * (end - start)
    for mark in marks:
        trimmed = _trim(raw, mark[0])
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


def _trim(raw: str, span: Span) -> Span:
    """Return a span of a text without the punctuation marks around it."""
    start, quote = span[0], raw[slice(*span)]
    first = len(quote) - len(quote.lstrip(PUNCTUATION))
    return start + first, start + max(first, len(quote.rstrip(PUNCTUATION)))


def _quoted(raw: str, span: Span) -> str:
    """Return a span of a text on one line, without the punctuation marks around it."""
    return re.sub(" +", " ", printable(raw[slice(*_trim(raw, span))]))


def _without_source(text: str, part: "AttributedSpan | Unsupported") -> Text:
    return Text.assemble((_quoted(text, part.text), WITHOUT), f" {part.null:.2f}")


def _label(source: "Source") -> str:
    """Return the document of a source, if it has a name, the number of the sentence from 1, and the page."""
    name = printable(source.name) if source.name else None
    return sentence_name(name, source.sentence, source.page).removeprefix("sentence ")


def _probability(probability: float) -> Text:
    return Text(f"{probability:.2f}", _grade(probability))


def _grade(probability: float) -> str:
    """Return the style of a probability."""
    return next(style for minimum, style, _ in GRADES if probability >= minimum)


def legend(plain: bool) -> Text:
    """Return what the marks mean."""
    if plain:
        return Text("[words] differ or have no source, «words» the text comes from, probabilities")
    grades = [Text.assemble(("■ ", style), (meaning, FAINT)) for _, style, meaning in GRADES]
    without = Text("differs or no source", WITHOUT)
    return Text.assemble(("probability: ", FAINT), Text("  ").join([*grades, without]))
