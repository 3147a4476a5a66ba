"""Shows the sources of a text in a terminal: each sentence with its sources under it or beside it.

Colours show probabilities. Where there are none, as in a pipe, words without a source are in square brackets,
and words of a document that the text comes from in guillemets.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from vorlage.cli.passages import Passage, ShownSentence, ShownSource, View
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
MARKS = {"supported": "✓", "unclear": "?", "unsupported": "✗"}
VERDICTS = {"supported": "green", "unclear": "yellow", "unsupported": "bold red"}
PUNCTUATION = " ,;:.!?'\"‘’“”()"  # left out of marks
JOINERS = "\u200c\u200d"  # They join letters and emoji, although Python does not count them as printable.

# A span of a text, its style, and what is before and after it where there are no colours.
Mark: TypeAlias = tuple[Span, str, str]


class Layout(NamedTuple):
    """How a text is shown: `plain` or in colours, in `width` columns, `labels` of them for names."""

    plain: bool
    width: int
    labels: int


def show(view: View, console: Console) -> None:
    """Print each sentence of a text with its sources, then what the marks mean."""
    plain = console.color_system is None or console.no_color
    labels = (
        cell_len(_label(source)) for sentence in view.sentences for source in sentence.sources[:MOST_SOURCES]
    )
    layout = Layout(plain, console.width, min(max(labels, default=0), console.width // 4))
    parts: list[RenderableType] = list(_overview(view))
    for sentence in view.sentences:
        parts += [_block(view, sentence, layout), ""]
    parts.append(_legend(plain))
    with console.capture() as capture:
        console.print(*parts, sep="\n")
    # A table pads its lines with spaces, which a file should not have.
    lines = capture.get().splitlines()
    console.file.write("\n".join(map(str.rstrip, lines)) + "\n")


def _overview(view: View) -> Iterator[Text]:
    """Yield a line that counts the verdicts on the sentences, and what was not checked."""
    verdicts = Counter(sentence.verdict for sentence in view.sentences)
    if None not in verdicts:
        unclear, wrong = verdicts["unclear"], verdicts["unsupported"]
        supported = f"{verdicts['supported']} of {verdicts.total()} statements supported"
        yield Text(f"{supported}; {unclear} to check, {wrong} likely wrong")
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
    if sentence.verdict and sentence.sources:
        rows.append((Text(), Text(), Text(f"words with a source {sentence.linked:.0%}", FAINT)))
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
    """Return what differs from a source or has none, the gravest first, and what was reworded, by title."""
    notes: dict[str, list[Text]] = {"differs": [], "no source": [], "to check": [], "reworded": []}
    findings = [passage for passage in sentence.passages if passage.message or passage.source is None]
    for passage in sorted(findings, key=lambda passage: -passage.severity):
        quote = Text(_quoted(view.text, passage.span), WITHOUT)
        if passage.like and passage.severity > 1:
            notes["differs"].append(Text(passage.message))
        else:
            title = "to check" if passage.severity == 1 else "no source"
            notes[title].append(Text.assemble(quote, f" {passage.probability:.2f}"))
    told = [_quoted(view.text, passage.span) for passage in findings if passage.like]
    for passage in sentence.passages:
        if passage.source is None:
            continue
        words, grade = _quoted(view.text, passage.span), _grade(passage.probability)
        document = view.documents[passage.source.name]
        for here, there in _changes(words, _quoted(document, passage.source.span)):
            if here != "s" and not any(
                other in here or here in other for other in told
            ):  # the s of a genitive
                arrow, number = (" ← ", FAINT), f" {passage.probability:.2f}"
                notes["reworded"].append(Text.assemble((here, grade), arrow, (there, grade), number))
    return notes


def _changes(here: str, there: str) -> list[tuple[str, str]]:
    """Return the words of one text that are others in the other one; both texts if words are only added."""
    words, others = here.split(), there.split()
    folded = here.casefold().split(), there.casefold().split()
    codes = SequenceMatcher(None, *folded, autojunk=False).get_opcodes()
    if all(code == "equal" for code, *_ in codes):
        return []
    replaced = [(words[a:b], others[c:d]) for code, a, b, c, d in codes if code == "replace"]
    return [(" ".join(left), " ".join(right)) for left, right in replaced or [(words, others)]]


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
        part = "".join(character for _, character in group)
        text.append(f"{look[:1]}{part}{look[1:]}" if plain else part, "" if plain else look)
    return text


def _trim(raw: str, span: Span) -> Span:
    """Return a span of a text without the punctuation marks around it."""
    start, quote = span[0], raw[slice(*span)]
    first = len(quote) - len(quote.lstrip(PUNCTUATION))
    return start + first, start + max(first, len(quote.rstrip(PUNCTUATION)))


def _clean(raw: str, span: Span) -> str:
    """Return the characters of a span with spaces for those that could move the cursor or hide others."""
    return "".join(c if c.isprintable() or c in JOINERS else " " for c in raw[slice(*span)])


def _quoted(raw: str, span: Span) -> str:
    return _clean(raw, _trim(raw, span))


def _grade(probability: float) -> str:
    return next(style for least, style, _ in GRADES if probability >= least)


def _legend(plain: bool) -> Text:
    """Return what the marks mean."""
    if plain:
        return Text("[words] differ or have no source, «words» the text comes from, probabilities")
    grades = [Text.assemble(("■ ", style), (meaning, FAINT)) for _, style, meaning in GRADES]
    return Text.assemble(("probability: ", FAINT), Text("  ").join([*grades, Text("no source", WITHOUT)]))
