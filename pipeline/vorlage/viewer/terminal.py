"""Shows the sources of a text in a terminal: each sentence with its sources under it or beside it.

Colours show probabilities. Where there are none, as in a pipe, words without a source are in square brackets,
and words of a document that the text comes from in guillemets.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from io import StringIO
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from vorlage.types import Span

NARROW = 60  # columns below which the sources have no columns of their own
BESIDE = 120  # columns from which sources are beside the text
MOST_SOURCES = 3  # of a sentence
PROBABILITY = 4  # columns of a probability
AROUND = 50  # characters that are shown on both sides of what a long sentence has in common with the text
# The least probability of a grade, its style, and what the legend says of it.
GRADES = ((0.8, "green", "0.8 or more"), (0.5, "yellow", "0.5 or more"), (0.0, "magenta", "less"))
WITHOUT = "bold red underline"
FAINT = "bright_black"
FINDING = "red"
MARKS = {"supported": "✓", "unclear": "?", "unsupported": "✗"}
# What is shown for these signs where the encoding lacks them, as ASCII and Windows-1252 do.
SIGNS = {**dict(zip("✓✗«»■“”‘’–", "+x<>#\"\"''-", strict=True)), "←": "<-", "≠": "!=", "…": "..."}
VERDICTS = {"supported": "green", "unclear": "yellow", "unsupported": "bold red"}
PUNCTUATION = " ,;:.!?'\"‘’“”()"  # left out of marks
JOINERS = "\u200c\u200d"  # They join letters and emoji, although Python does not count them as printable.

# A span of a text, its style, and what is before and after it where there are no colours.
Mark: TypeAlias = tuple[Span, str, str]


class Place(NamedTuple):
    """A half-open span of characters in the document `name`, which is empty if there is one document."""

    name: str
    span: Span


class Passage(NamedTuple):
    """A span of the text with its source, or None, and the probability that this is right.

    `like`: a place in the document that says something else; `severity` and `message`: of a finding.
    """

    span: Span
    source: Place | None
    probability: float
    like: Place | None = None
    severity: int = 0
    message: str = ""


class ShownSource(NamedTuple):
    """A sentence of a document that a sentence of the text comes from; `number` counts from 1."""

    place: Place
    number: int
    probability: float


class ShownSentence(NamedTuple):
    """A sentence of the text: its span, its sources, the best first, and its passages in order.

    `verdict`, `supported` and `linked`: as in an attribution; an alignment has none. `asides`: words without
    a passage, each with its state and where it stands. `judged`: the
    probability that the sources support it, by a judge.
    """

    span: Span
    sources: list[ShownSource]
    passages: list[Passage]
    verdict: str | None = None
    supported: float = 0.0
    linked: float = 0.0
    asides: Sequence[tuple[str, Span, str]] = ()
    judged: float | None = None


class View(NamedTuple):
    """A text, the documents by name (empty for a single one), and the sentences of the text.

    `id`: of the pair; `title`: what counts the verdicts; `notes`: what was not checked.
    """

    id: str
    text: str
    documents: Mapping[str, str]
    sentences: Sequence[ShownSentence]
    title: str = ""
    notes: Sequence[str] = ()


class ShownTable(NamedTuple):
    """A table about the pair `id`, with `notes` below it; its columns `numbers` are aligned right."""

    id: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Container[str]
    notes: Sequence[str] = ()


class Layout(NamedTuple):
    """How a text is shown: `plain` or in colours, in `width` columns, `labels` of them for names."""

    plain: bool
    width: int
    labels: int


def show(view: View | ShownTable, console: Console) -> None:
    """Print a text with its sources, or a table."""
    parts = _sentences(view, console) if isinstance(view, View) else _table(view)
    with console.capture() as capture:
        console.print(*parts, sep="\n")
    # A table pads its lines with spaces, which a file should not have.
    lines = capture.get().splitlines()
    console.file.write("\n".join(map(str.rstrip, lines)) + "\n")


def replace_signs(error: UnicodeError) -> tuple[str, int]:
    """Return what is shown for characters that cannot be encoded: an error handler for `codecs`."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(SIGNS.get(character, "?") for character in missing), error.end


def shown_text(view: View | ShownTable, width: int) -> str:
    """Return what a console without colours shows."""
    buffer = StringIO()
    show(view, Console(file=buffer, color_system=None, width=width))
    return buffer.getvalue()


def _table(view: ShownTable) -> Iterator[RenderableType]:
    table = Table(box=None, pad_edge=False)
    for name in view.columns:
        table.add_column(name, justify="right" if name in view.numbers else "left")
    for row in view.rows:
        table.add_row(*(Text(_clean(cell, (0, len(cell)))) for cell in row))
    yield table
    yield from map(Text, view.notes)


def _sentences(view: View, console: Console) -> Iterator[RenderableType]:
    """Yield each sentence of a text with its sources, then what the marks mean."""
    plain = console.color_system is None or console.no_color
    labels = (
        cell_len(_label(source)) for sentence in view.sentences for source in sentence.sources[:MOST_SOURCES]
    )
    layout = Layout(plain, console.width, min(max(labels, default=0), console.width // 4))
    yield from _overview(view)
    for sentence in view.sentences:
        yield from (_block(view, sentence, layout), Text())
    yield _legend(plain, bool(view.title))


def _overview(view: View) -> Iterator[Text]:
    """Yield a line that counts the verdicts on the sentences, and what was not checked."""
    if view.title:
        yield Text(view.title, "bold")
        yield from (Text(f"note: {note}", FAINT) for note in view.notes)
        yield Text()


def _block(view: View, sentence: ShownSentence, layout: Layout) -> RenderableType:
    """Return a sentence with its sources."""
    marks = [
        (passage.span, _grade(passage.probability), "") if passage.source else (passage.span, WITHOUT, "[]")
        for passage in sorted(sentence.passages, key=lambda passage: passage.source is None)
    ]
    text, sources = _marked(view.text, sentence.span, marks, layout.plain), _sources(view, sentence, layout)
    if sentence.verdict:
        text = Text.assemble((f"{MARKS[sentence.verdict]} ", VERDICTS[sentence.verdict]), text)
    if layout.width >= BESIDE:
        grid = Table.grid(padding=(0, 3), expand=True)
        grid.add_column(ratio=2, overflow="fold")
        grid.add_column(ratio=3, overflow="fold")
        grid.add_row(text, sources)
        return grid
    return Group(text, Padding(sources, (0, 0, 0, 2)))


def _sources(view: View, sentence: ShownSentence, layout: Layout) -> RenderableType:
    """Return the sources of a sentence and, under them, what differs, has no source or was reworded."""
    rows = []
    for source in sentence.sources[:MOST_SOURCES]:
        probability = Text(f"{source.probability:.2f}", _grade(source.probability))
        quote = _quote(view, source, sentence.passages, layout.plain)
        rows.append((Text(_label(source), FAINT), probability, quote))
    if sentence.judged is not None:
        probability = Text(f"{sentence.judged:.2f}", _grade(sentence.judged))
        rows.append((Text(), probability, Text("supported, according to the judge", FAINT)))
    if sentence.verdict:
        verdict = f"supported {sentence.supported:.2f}; words with a source {sentence.linked:.0%}"
        rows.append((Text(), Text(), Text(verdict, FAINT)))
    for title, notes in _notes(view, sentence).items():
        if notes:
            rows.append((Text(), Text(), Text(f"{title}: ", FAINT) + Text("; ", FAINT).join(notes)))
    if layout.width < NARROW:
        return Group(*(Text(" ").join(filter(None, row)) for row in rows))
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", overflow="fold", width=layout.labels)
    grid.add_column(width=PROBABILITY)
    grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return grid


def _label(source: ShownSource) -> str:
    """Return the name of the document of a source, if it has one, and the number of the sentence."""
    name = _clean(source.place.name, (0, len(source.place.name)))
    return f"{name}:{source.number}" if name else str(source.number)


def _quote(view: View, source: ShownSource, passages: Iterable[Passage], plain: bool) -> Text:
    """Return a document sentence with what comes from it marked, or the parts around that of a long one."""
    (name, (first, end)), document = source.place, view.documents[source.place.name]
    marks = [
        (passage.source.span, _grade(passage.probability), "«»")
        for passage in passages
        if passage.source and passage.source.name == name and first <= passage.source.span[0] < end
    ]
    marks += [
        (passage.like.span, WITHOUT, "[]")
        for passage in passages
        if passage.like and passage.like.name == name and first <= passage.like.span[0] < end
    ]
    kept: list[Span] = []
    for (start, stop), _, _ in sorted(marks):
        if start - 2 * AROUND <= first:
            start = first
        else:  # cut at a space, if there is one
            start = document.rfind(" ", first, start - AROUND) + 1 or start - AROUND
        stop = (
            end if stop + 2 * AROUND >= end else document.rfind(" ", stop, stop + AROUND) + 1 or stop + AROUND
        )
        if kept and start <= kept[-1][1] + AROUND:
            start, stop = kept[-1][0], max(stop, kept.pop()[1])
        kept.append((start, stop))
    kept = kept or [(first, end)]
    quote = Text(" … ").join(_marked(document, span, marks, plain) for span in kept)
    return Text.assemble("… " * (kept[0][0] > first), quote, "…" * (kept[-1][1] < end))


def _notes(view: View, sentence: ShownSentence) -> dict[str, list[Text]]:
    """Return what differs from a source or has none, what to check, and what was reworded, by title."""
    notes: dict[str, list[Text]] = defaultdict(list, {"differs": [], "no source": []})
    findings = sorted((x for x in sentence.passages if x.source is None), key=lambda x: -x.severity)
    for passage in findings:
        if passage.like and passage.severity > 1:
            notes["differs"].append(Text(passage.message, FINDING))
        else:
            title = "words to check" if passage.severity == 1 else "no source"
            quote = Text(_quoted(view.text, passage.span), WITHOUT)
            notes[title].append(Text.assemble(quote, f" {passage.probability:.2f}"))
    for state, span, place in sentence.asides:
        notes[state].append(Text(_quoted(view.text, span) + (f" ({place})" if place else "")))
    contradicting = [passage.span for passage in findings if passage.like]
    for passage in sentence.passages:
        if passage.source:
            grade, document = _grade(passage.probability), view.documents[passage.source.name]
            for here, there in _changes(view.text, passage.span, document, passage.source.span):
                words = _quoted(view.text, here)
                told = any(start < here[1] and here[0] < end for start, end in contradicting)
                if words != "s" and not told:  # the s of a genitive
                    source = _quoted(document, there), grade
                    change = Text.assemble((words, grade), (" ← ", FAINT), source)
                    notes["reworded"].append(change.append(f" {passage.probability:.2f}"))
    return notes


def _changes(text: str, span: Span, document: str, source: Span) -> list[tuple[Span, Span]]:
    """Return the words of a passage that are others in its source; both whole if words are only added."""
    here, there = _words(text, span), _words(document, source)
    folded = [
        raw[slice(*word)].casefold() for raw, words in ((text, here), (document, there)) for word in words
    ]
    matcher = SequenceMatcher(None, folded[: len(here)], folded[len(here) :], autojunk=False)
    codes = matcher.get_opcodes()
    if all(code == "equal" for code, *_ in codes):
        return []
    replaced = [
        ((here[a][0], here[b - 1][1]), (there[c][0], there[d - 1][1]))
        for code, a, b, c, d in codes
        if code == "replace"
    ]
    return replaced or [(span, source)]


def _words(raw: str, span: Span) -> list[Span]:
    """Return the words of a span, without the punctuation marks around it."""
    start, end = _trim(raw, span)
    return [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", raw[start:end])]


def _marked(raw: str, span: Span, marks: Iterable[Mark], plain: bool) -> Text:
    """Return a span of a text with marks: styles or, if `plain`, characters; later ones cover earlier."""
    start, end = span
    owners: list[Mark] = [(span, "", "")] * (end - start)
    for mark in marks:
        marked = _trim(raw, mark[0])
        first, last = max(marked[0], start) - start, min(marked[1], end) - start
        owners[first:last] = [mark] * max(0, last - first)
    text = Text()
    looks = ((around if plain else style) for _, style, around in owners)
    for look, group in groupby(zip(looks, _clean(raw, span), strict=True), itemgetter(0)):
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


def _clean(raw: str, span: Span) -> str:
    """Return the characters of a span with spaces for those that could move the cursor or hide others.

    The marks `>` of a quoted e-mail become spaces where they follow a line break.
    """
    quote = re.sub(r"\n[ \t>]+", lambda found: " " * len(found[0]), raw[slice(*span)])
    return "".join(c if c.isprintable() or c in JOINERS else " " for c in quote)


def _quoted(raw: str, span: Span) -> str:
    return re.sub(" +", " ", _clean(raw, _trim(raw, span)))


def _grade(probability: float) -> str:
    return next(style for least, style, _ in GRADES if probability >= least)


def _legend(plain: bool, verdicts: bool) -> Text:
    """Return what the marks mean."""
    meanings = Text("✓ supported, ? unclear, ✗ differs or has no source\n" if verdicts else "", FAINT)
    if plain:
        return meanings + Text("[words] differ or have no source, «words» the text comes from, probabilities")
    grades = [Text.assemble(("■ ", style), (meaning, FAINT)) for _, style, meaning in GRADES]
    without = Text("differs or no source", WITHOUT)
    return Text.assemble(meanings, ("probability: ", FAINT), Text("  ").join([*grades, without]))
