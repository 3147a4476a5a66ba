"""What an attribution holds: its documents, the sources of sentences and spans of a text, what has none.

Several documents are one: their texts are concatenated, and places in them are found again.

All spans are half-open and in characters of the strings that were given; for a list of sentences, of
`"\\n".join(sentences)`. With several documents, a span of a document counts in the document with that name
alone, and so does the number of a sentence.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from vorlage.alignments.sources import AttributedSpan, Source
from vorlage.command.errors import InputError, shorten
from vorlage.command.progress import warn_once
from vorlage.documents.records import NamedTexts, TextInput, raw_text
from vorlage.text.tokenize import make_text, split_text
from vorlage.text.tokenized import Text
from vorlage.types import Span

Mark: TypeAlias = Literal["right", "misattributed", "unsupported", "unknown"]
Reason: TypeAlias = Literal["no source", "differs"]
State: TypeAlias = Literal["sourced", "differs", "no source", "elsewhere", "function", "frame", "mark"]
Verdict: TypeAlias = Literal["supported", "unclear", "unsupported", "no statement"]

MANY = 3  # sentences in each string of a list that may be whole documents
ONE_SENTENCE = "each string of a list is read as one sentence; give several documents as {name: text}"


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
    def merge(
        cls, document: TextInput | NamedTexts, tokenized: bool = False, language: str = "en"
    ) -> "Documents":
        """Return a document, or several by name, each split into sentences and tokens by itself.

        Args:
            document: one, or several by name, of which one has some text.
            tokenized: whether single spaces separate the tokens.
            language: two letters.
        """
        several = isinstance(document, Mapping)
        given: NamedTexts = document if isinstance(document, Mapping) else {"": document}
        sides = {name: side for name, side in given.items() if raw_text(side).strip()}
        notes = []
        if empty := [name for name in given if name not in sides]:
            notes.append(f"documents left out, because they are empty: {', '.join(empty)}")
        tokens: list[Span] = []
        sentences: list[Span] = []
        starts, first_sentences, texts, start = [], [], [], 0
        for side in sides.values():
            if isinstance(side, list) and not (several or tokenized):
                whole = split_text("\n".join(side), language)
                if len(whole.sentences) >= MANY * len(side):
                    notes.append(ONE_SENTENCE)
                    warn_once(f"note: {ONE_SENTENCE}")
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


@dataclass(frozen=True)
class Citation:
    """Marks of citations, and whether the documents that they name bear out the statement before them.

    `text`: the characters of the marks; `statement`: those of the statement; `names`: the documents that the
    marks name; `mark`: `right` if one of these bears it out, `misattributed` if only others hold it,
    `unsupported` if none does, or if a finding says that the statement differs, `unknown` if the marks name a
    document that is not there. `sources`: the documents that bear it out, or hold most of it, the best first.
    """

    text: Span
    statement: Span
    names: tuple[str, ...]
    mark: Mark
    sources: tuple[str, ...]

    def __str__(self) -> str:
        """Return what is said of the marks."""
        count = len(self.sources)
        if self.mark == "right":
            return f"{count} sources: {', '.join(self.sources)}" if count > 1 else "right"
        return f"{self.mark}: see {self.sources[0]}" if count and self.mark != "unsupported" else self.mark


@dataclass(frozen=True)
class AttributedSentence:
    """A sentence of the text and the document sentences that it comes from, the best first.

    `text`: its characters; `supported`: the probability that the documents support it; `linked`: the
    probability that a content word of it has a source, as the mean over its content words. The
    probabilities of its `sources` are the parts of that mean that each document sentence has. `verdict`:
    `unsupported` if a finding in it is likely or contradicted, otherwise `unclear` for a `reason`, otherwise
    `supported`; `no statement` for a heading, a greeting or a mark alone; its `supported` is 1, and it is
    left out of all counts. `judged` and `contradicted`: the probabilities that its sources entail and
    contradict it by a judge, None without. `reason`: why it is unclear: a number is calculated, its language,
    code or a row of a table is not checked, few of its words have a source, or its support is unlikely; None
    with another verdict.
    """

    text: Span
    supported: float
    linked: float
    verdict: Verdict
    sources: tuple[Source, ...]
    judged: float | None = None
    contradicted: float | None = None
    reason: str | None = None

    def holds(self, span: Span) -> bool:
        """Return whether a span of the text begins in the sentence."""
        return self.text[0] <= span[0] < self.text[1]


@dataclass(frozen=True)
class AttributedWord:
    """A word of the text, its `state`, and the probability that the documents support it.

    `sourced`: linked to the document; `differs`: part of a finding that contradicts it; `no source`: a word
    with a meaning of its own that is not in the document; `elsewhere`: it is in the document, but not in
    what the sentence comes from: in `sentence` of the document `name`; `function`: it only joins others;
    `frame`: it introduces what the text says, as *the passage describes* does, or addresses the reader;
    `mark`: it states nothing, as the number of an item, a heading and the mark of a citation.
    """

    text: Span
    state: State
    supported: float
    name: str | None = None
    sentence: int | None = None

    @property
    def is_aside(self) -> bool:
        """Whether the word stands elsewhere or frames the text: no span and no finding shows it."""
        return self.state in ("elsewhere", "frame")


@dataclass(frozen=True)
class Unsupported:
    """A span of the text without a source, or one that differs from what its source says.

    `text`, `quote`, `null`: as in `AttributedSpan`. `reason`: `no source` or `differs`. `kind`: what
    differs, such as `negation` or `number`. `severity`: 1 for a word to check, 2 for what is likely wrong, 3
    for what the source contradicts. `message`: a sentence for a person. `document`: the characters that it
    differs from, if any, and `name`: their document, None for a single one.
    """

    text: Span
    quote: str
    null: float
    reason: Reason
    kind: str
    severity: int
    message: str
    name: str | None = None
    document: Span | None = None


@dataclass(frozen=True)
class AttributionResult:
    """The sources of a text in its documents, without what shows them.

    `id`: of the pair. `supported`: the probability that the documents support the whole text. `sentences`:
    every sentence of the text. `spans`: its phrases that have a source. `words`: every word of the text.
    `unsupported`: what has no source, and what differs from its source. All in the order of the text; if
    one span was asked for, `spans` is that span, and the others are what overlaps it. `notes`: what was not
    checked, in a sentence each. `citations`: the marks of citations, if they were asked for; `marks`: whether
    they were, which JSON shows by the key `citations`. `text` and `documents`: what was attributed, for the
    page.
    """

    id: str
    supported: float
    sentences: tuple[AttributedSentence, ...]
    spans: tuple[AttributedSpan, ...]
    words: tuple[AttributedWord, ...]
    unsupported: tuple[Unsupported, ...]
    notes: tuple[str, ...]
    text: Text = field(repr=False)
    documents: Documents = field(repr=False)
    citations: tuple[Citation, ...] = ()
    marks: bool = field(default=False, repr=False)

    @property
    def statements(self) -> list[AttributedSentence]:
        """The sentences that state something."""
        return [sentence for sentence in self.sentences if sentence.verdict != "no statement"]

    @property
    def passing(self) -> list[AttributedSentence]:
        """The statements that are supported and have no wrong mark of a citation, if marks were checked."""
        wrong = [citation.statement for citation in self.citations if citation.mark != "right"]
        return [
            sentence
            for sentence in self.statements
            if sentence.verdict == "supported" and not any(map(sentence.holds, wrong))
        ]

    def ok(self, threshold: float = 1.0) -> bool:
        """Return whether at least this share of the statements passes; a text without any is right.

        Raise `InputError` unless the share is from 0 to 1.
        """
        if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
            raise InputError(f"threshold is {shorten(threshold)}; give a number from 0 to 1")
        return not self.statements or len(self.passing) / len(self.statements) >= threshold
