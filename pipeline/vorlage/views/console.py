"""Shows results in a terminal or as text: what draws itself by `__rich_console__`, tables, and sentences.

A sentence has its sources under it or beside it. Colours show probabilities. Where there are none, as in a
pipe, words without a source are in square brackets, and words that the text comes from in guillemets.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from io import StringIO
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, ConsoleRenderable, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.text.tokenized import trim
from vorlage.text.words import is_stop_word
from vorlage.types import Span

# What is shown for these signs where the encoding lacks them, as ASCII and Windows-1252 do.
SIGNS = {**dict(zip("✓✗«»■“”‘’–", "+x<>#\"\"''-", strict=True)), "←": "<-", "≠": "!=", "…": "..."}
JOINERS = "\u200c\u200d"  # They join letters and emoji, although Python does not count them as printable.
NARROW = 60  # columns below which the sources have no columns of their own
BESIDE = 120  # columns from which sources are beside the text
MAX_SOURCES = 3  # of a sentence
PROBABILITY = 4  # columns of a probability
AROUND = 50  # characters that are shown on both sides of what a long sentence has in common with the text
# The least probability of a grade, its style, and what the legend says of it.
GRADES = ((0.8, "green", "0.8 or more"), (0.5, "yellow", "0.5 or more"), (0.0, "magenta", "less"))
WITHOUT = "bold red underline"
FAINT = "bright_black"
PUNCTUATION = " ,;:.!?'\"‘’“”()"  # left out of marks

# A span of a text, its style, and what is before and after it where there are no colours.
MarkedSpan: TypeAlias = tuple[Span, str, str]
# A line about a sentence: the name of a source, a probability, and what is said; the first two may be empty.
Line: TypeAlias = tuple[Text, Text, Text]
TextsByName: TypeAlias = Mapping[str | None, str]  # of documents, by name
DocumentSpan: TypeAlias = tuple[str | None, Span]  # of the document with a name


class ShownTable(NamedTuple):
    """A table about the pair `id`, with `notes` below it; its columns `numbers` are aligned right."""

    id: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Container[str]
    notes: Sequence[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        table = Table(box=None, pad_edge=False)
        for name in self.columns:
            table.add_column(name, justify="right" if name in self.numbers else "left")
        for row in self.rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        yield table
        yield from map(Text, self.notes)


def show(result: ConsoleRenderable, console: Console) -> None:
    """Print a result, without spaces at the ends of lines."""
    with console.capture() as capture:
        console.print(result)
    # A table pads its lines with spaces, which a file should not have.
    lines = capture.get().splitlines()
    console.file.write("\n".join(map(str.rstrip, lines)) + "\n")


def shown_text(result: ConsoleRenderable, width: int) -> str:
    """Return what a console without colours shows."""
    buffer = StringIO()
    show(result, Console(file=buffer, color_system=None, width=width))
    return buffer.getvalue()


def replace_signs(error: UnicodeError) -> tuple[str, int]:
    """Return what is shown for characters that cannot be encoded: an error handler for `codecs`."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(SIGNS.get(character, "?") for character in missing), error.end


def printable(text: str) -> str:
    """Return a text with spaces for the characters that could move the cursor or hide others.

    The marks `>` of a quoted e-mail become spaces where they follow a line break.
    """
    text = re.sub(r"\n[ \t>]+", lambda match: " " * len(match[0]), text)
    return "".join(c if c.isprintable() or c in JOINERS else " " for c in text)


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
        self, sentence: Span, spans: Sequence[AttributedSpan], wrong: Iterable[Span] = ()
    ) -> Text:
        """Return a sentence with its spans marked, and over them what has no source or is `wrong`."""
        marks = [(span.text, _grade(span.sources[0].probability), "") for span in spans if span.sources]
        without = [span.text for span in spans if not span.sources]
        marks += ((span, WITHOUT, "[]") for span in (*without, *wrong))
        return _marked(self._text, sentence, marks, self._plain)

    def source_rows(
        self,
        sources: Sequence[Source],
        spans: Iterable[AttributedSpan],
        contradicted: Iterable[DocumentSpan] = (),
    ) -> Iterator[Line]:
        """Yield the sources of a sentence, with the sources of its spans marked, and what it contradicts."""
        marks: list[tuple[str | None, MarkedSpan]] = []  # the name of the document, and a mark in it
        for source in (span.sources[0] for span in spans if span.sources):
            marks.append((source.name, (source.document, _grade(source.probability), "«»")))
        marks += ((name, (span, WITHOUT, "[]")) for name, span in contradicted)
        for source in sources[:MAX_SOURCES]:
            quote_marks = (mark for name, mark in marks if name == source.name)
            quote = _excerpt(self._texts[source.name], source.document, quote_marks, self._plain)
            yield Text(_label(source), FAINT), shown_probability(source.probability), quote

    def without_source(self, span: Span, null: float) -> Text:
        """Return words without a source, and the probability that they have none."""
        return Text.assemble((quoted(self._text, span), WITHOUT), f" {null:.2f}")

    def rewordings(self, spans: Iterable[AttributedSpan], wrong: Sequence[Span] = ()) -> Iterator[Text]:
        """Yield the words of spans that are others in their source, except those that are `wrong`.

        Words with the same content are left out: *the centre* from *centre of*, *it* from *its*.
        """
        for span in (span for span in spans if span.sources):
            source = span.sources[0]
            document, style = self._texts[source.name], _grade(source.probability)
            for words, source_words in _changes(self._text, span.text, document, source.document):
                quotes = quoted(self._text, words), quoted(document, source_words)
                said, in_source = map(_content, quotes)
                if said != in_source and not any(start < words[1] and words[0] < end for start, end in wrong):
                    change = (quotes[0], style), (" ← ", FAINT), (quotes[1], style)
                    yield Text.assemble(*change, f" {source.probability:.2f}")

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


def note_rows(notes: Mapping[str, Iterable[Text]]) -> Iterator[Line]:
    """Yield a row for each kind of notes about a sentence that there are."""
    for title, kind in notes.items():
        if quotes := list(kind):
            yield Text(), Text(), Text(f"{title}: ", FAINT) + Text("; ", FAINT).join(quotes)


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


def quoted(raw: str, span: Span) -> str:
    """Return a span of a text on one line, without the punctuation marks around it."""
    return re.sub(" +", " ", printable(raw[slice(*trim(raw, span, PUNCTUATION))]))


def _label(source: Source) -> str:
    return sentence_name(source.name, source.sentence, source.page, alone="")


def shown_probability(probability: float) -> Text:
    """Return a probability in the colour of its grade."""
    return Text(f"{probability:.2f}", _grade(probability))


def _grade(probability: float) -> str:
    """Return the style of a probability."""
    return next(style for minimum, style, _ in GRADES if probability >= minimum)
