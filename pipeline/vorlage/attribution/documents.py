"""Several documents as one: their texts are concatenated, and places in them are found again."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from vorlage.command.errors import InputError, shorten
from vorlage.command.progress import warn_once
from vorlage.documents.records import Named, Side, raw_text
from vorlage.text.tokenize import make_text, split_text
from vorlage.text.tokenized import Text
from vorlage.types import Span

MANY = 3  # sentences in each string of a list that may be whole documents


@dataclass(frozen=True)
class Documents:
    """The documents of an attribution as one text.

    `text`: all of them, separated by line breaks; `raw`: the same characters as the user gave them.
    `names`: of the documents, empty for a single one without a name. `characters` and `sentences`: the
    first character and sentence of each in `text`. `given`: all names, also of documents that are empty and
    therefore left out; `notes`: what to know about the documents, in a sentence each.
    """

    text: Text
    raw: str
    names: tuple[str, ...] = ()
    characters: tuple[int, ...] = (0,)
    sentences: tuple[int, ...] = (0,)
    given: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: Side | Named, tokenized: bool = False, language: str = "en") -> "Documents":
        """Return a document, or several by name, each split into sentences and tokens by itself.

        Args:
            document: one, or several by name, of which one has some text.
            tokenized: whether single spaces separate the tokens.
            language: two letters.
        """
        several = isinstance(document, Mapping)
        given: Named = document if isinstance(document, Mapping) else {"": document}
        sides = {name: side for name, side in given.items() if raw_text(side).strip()}
        notes = []
        if empty := [name for name in given if name not in sides]:
            notes.append(f"documents left out, because they are empty: {', '.join(empty)}")
        tokens: list[Span] = []
        sentences: list[Span] = []
        starts, first_sentences, texts, start = [], [], [], 0
        for side in sides.values():
            if isinstance(side, list) and not (several or tokenized):
                notes += note_documents(side, language)
            text = make_text(side, tokenized, language)
            texts.append(text.raw)
            starts.append(start)
            first_sentences.append(len(sentences))
            sentences += [(len(tokens) + first, len(tokens) + end) for first, end in text.sentences]
            tokens += [(start + first, start + end) for first, end in text.tokens]
            start += len(text.raw) + 1
        merged = Text("\n".join(texts), tuple(tokens), tuple(sentences), language)
        names = [tuple(each) if several else () for each in (sides, given)]
        places = tuple(starts), tuple(first_sentences)
        return cls(merged, raw_text(sides), names[0], *places, names[1], tuple(notes))

    @cached_property
    def texts(self) -> dict[str | None, str]:
        """The characters of each document by its name, which is None for a single one."""
        ends = [start - 1 for start in self.characters[1:]] + [len(self.raw)]
        spans = zip(self.names or (None,), self.characters, ends, strict=True)
        return {name: self.raw[start:end] for name, start, end in spans}

    def number(self, name: str | None) -> int:
        """Return the number of the document of a name, from 0."""
        return 0 if name is None else self.names.index(name)

    def page(self, name: str | None, character: int) -> int | None:
        """Return the page of a character of a document, from 1, or None if it has no form feed."""
        text = self.texts[name]
        return text.count("\f", 0, character) + 1 if "\f" in text else None

    def locate(self, characters: Span, sentence: int) -> tuple[str | None, Span, int]:
        """Return the name of the document, the characters and the sentence of a place, counted in it alone.

        `characters` and `sentence` count in `text`.
        """
        number = bisect_right(self.sentences, sentence) - 1
        start = self.characters[number]
        name = self.names[number] if self.names else None
        return name, (characters[0] - start, characters[1] - start), sentence - self.sentences[number]


def note_documents(strings: list[str], language: str) -> list[str]:
    """Return a note if the strings of a document may be whole documents: `MANY` sentences each on average."""
    if len(split_text("\n".join(strings), language).sentences) < MANY * len(strings):
        return []
    note = "each string of a list is read as one sentence; give several documents as {name: text}"
    warn_once(f"note: {note}")
    return [note]


def check_span(span: Span, text: str) -> None:
    """Raise `InputError` unless `span` is a span of characters of a text, not only white space."""
    whole = isinstance(span, tuple | list) and len(span) == 2 and all(type(end) is int for end in span)
    if not (whole and 0 <= span[0] < span[1] <= len(text)):
        raise InputError(
            f"the span {shorten(span)} is outside of the text, which has {len(text)} characters; "
            f"give its start and end, with 0 ≤ start < end ≤ {len(text)}"
        )
    if not text[slice(*span)].strip():
        raise InputError(f"the span {shorten(span)} of the text is only white space; give one with a word")
