"""A text and its document as they are read: their words, how they are linked, and findings in the text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, overload

from vorlage.text.detect import UNKNOWN
from vorlage.text.english import ENGLISH
from vorlage.text.marks import Names, find_marks
from vorlage.text.tags import FINITE, NOUNS, tag
from vorlage.text.tokenized import Text
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_punctuation, is_stop_word, stem
from vorlage.types import Span

# How much a finding weighs: words in which both sides agree, which is not shown, words that state nothing, a
# word to check, likely wrong, contradicted.
AGREED, SILENT, CHECK, LIKELY, CONTRADICTED = -1, 0, 1, 2, 3
# Pronouns that are subjects where a clause begins, behind words with these tags.
SUBJECTS, BEFORE = frozenset("i he she it we they".split()), frozenset(["IN", "CC", ",", "WRB", "``", ":"])
# The kind of a finding of a number that follows from others of the document.
CALCULATED = "calculated"
# What a finding says for a person.
UNEQUAL, WITHOUT = "“{}” ≠ “{}”", "“{}” has no source"


class Finding(NamedTuple):
    """Words of the text that differ from the document, or have no source.

    `text`, `document`: half-open spans of words; the latter None if nothing there corresponds. `kind`: of the
    finding. `severity`: `AGREED`, `SILENT`, `CHECK`, `LIKELY` or `CONTRADICTED`. `message`: a sentence for a
    person.
    """

    text: Span
    document: Span | None
    kind: str
    severity: int
    message: str


@dataclass(frozen=True, eq=False, repr=False)
class TextReading:
    """A text or its document, as it is read: T words in S sentences.

    - `tokenized`: with its tokens and its language;
    - `language`: of the stems; empty for a pair in two languages;
    - `words`, `lower` (T): in normal form, with the capitals of ordinary writing, and in lower case;
    - `stems` (T): of the words; `stem_places`: the places of each stem, ascending;
    - `cased` (S): whether the capitals of a sentence tell something;
    - `marks`: the words that state nothing, such as the number of an item;
    - `content` (T): whether a word is neither a function word nor such a mark.
    """

    tokenized: Text
    language: str
    words: list[str]
    lower: list[str]
    stems: list[str]
    stem_places: Mapping[str, list[int]]
    cased: list[bool]
    marks: set[int]
    content: list[bool]

    @cached_property
    def tags(self) -> "Tags":
        """The Penn Treebank tags of the words."""
        return Tags(self)

    @property
    def sentences(self) -> list[int]:
        """The number of the sentence of each word."""
        return self.tokenized.sentence_numbers

    def sentence(self, place: int) -> range:
        """Return the places of the sentence of a word."""
        return range(*self.tokenized.sentences[self.sentences[place]])

    def clause(self, place: int) -> range:
        """Return the places of the clause of a word: its sentence from one boundary to the next."""
        sentence, first, end = self.sentence(place), place, place
        while first > sentence.start and self.lower[first - 1] not in ENGLISH.clause_boundaries:
            first -= 1
        while end < sentence.stop and (end == place or self.lower[end] not in ENGLISH.clause_boundaries):
            end += 1
        return range(first, end)

    def clauses(self, number: int) -> Iterator[Span]:
        """Yield the clauses of a sentence that have a content word."""
        start, stop = self.tokenized.sentences[number]
        while start < stop:
            end = max(self.clause(start).stop, start + 1)
            if any(self.content[start:end]):
                yield start, end
            start = end

    def content_words(self, number: int) -> list[int]:
        """Return the places of the content words of a sentence; those of all words of one without any."""
        span = self.tokenized.sentences[number]
        return [t for t in range(*span) if self.content[t]] or list(range(*span))

    def quote(self, span: Span) -> str:
        """Return the characters of a span of words, on one line."""
        return " ".join(self.tokenized.raw[slice(*self.tokenized.characters(span))].split())


class Tags(Sequence[str]):
    """The tags of a text. Those of a sentence are found when they are needed: a document may be long."""

    def __init__(self, reading: TextReading) -> None:
        self._reading = reading
        self._tags: list[str] = [""] * len(reading.words)

    def __len__(self) -> int:
        return len(self._tags)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[t] for t in range(*place.indices(len(self)))]
        if not self._tags[place]:
            first, end = self._reading.tokenized.sentences[self._reading.sentences[place]]
            self._tags[first:end] = _tags(self._reading.words[first:end])
        return self._tags[place]


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A text of T words with its document.

    - `links` (T): the document words that each word of the text is linked to, none for those of marks;
    - `language`: of both; empty if they differ;
    - `is_read`: whether the model reads their languages, so that a sentence may be called supported.
    """

    text: TextReading
    document: TextReading
    links: Mapping[int, set[int]]
    language: str
    is_read: bool

    def finding(
        self, text: Span, document: Span | None, kind: str, severity: int, message: str = UNEQUAL
    ) -> Finding:
        """Return a finding, with the words of both spans in the places of its message."""
        quotes = self.text.quote(text), self.document.quote(document) if document else ""
        return Finding(text, document, kind, severity, message.format(*quotes))


def read_pair(
    text: Text,
    document: Text,
    links: Mapping[int, set[int]],
    names: Names = (),
    many_languages: bool = False,
) -> Reading:
    """Read a text and its document.

    Args:
        text: the text.
        document: the document.
        links: the document words that each word of the text is linked to.
        names: of documents, which marks in the text may name.
        many_languages: whether the model reads other languages than English.
    """
    language = text.language if text.language == document.language else ""
    capitals = _capitals((*text.sentence_words(), *document.sentence_words()))
    here, there = _read_text(text, language, capitals, names), _read_text(document, language, capitals)
    linked = {t: set[int]() if t in here.marks else links.get(t, set()) for t in range(len(text.words))}
    languages = {text.language, document.language}
    is_read = languages == {"en"} or (many_languages and UNKNOWN not in languages)
    return Reading(here, there, linked, language, is_read)


def _read_text(text: Text, language: str, capitals: frozenset[str], names: Names = ()) -> TextReading:
    """Read a text, or its document.

    Args:
        text: the text.
        language: of stems; empty for a pair in two languages, in which words are compared as written.
        capitals: the words that begin with a capital in ordinary writing, in lower case.
        names: of documents, which its marks may name.
    """
    sentences = text.sentence_words()
    # In a text with capitals at the beginnings of sentences alone, they tell nothing.
    capitals_tell = any(word[:1].isupper() for sentence in sentences for word in sentence[1:])
    cased = [capitals_tell and _has_two_cases(sentence) for sentence in sentences]
    words = [
        word
        for sentence, is_cased in zip(sentences, cased, strict=True)
        for word in (sentence if is_cased else _with_capitals(sentence, capitals))
    ]
    stems = [stem(word, language) for word in words]
    stem_places: dict[str, list[int]] = {}
    for place, stemmed in enumerate(stems):
        stem_places.setdefault(stemmed, []).append(place)
    spans = (span for span in find_marks(text.raw, names) if span[0] < span[1])
    marks = {t for span in spans for t in text.tokens_in(span)}
    content = [t not in marks and not is_function(word, text.language) for t, word in enumerate(text.words)]
    lower = [word.lower() for word in words]
    return TextReading(text, language, words, lower, stems, stem_places, cased, marks, content)


@lru_cache(maxsize=1 << 16)
def is_function(word: str, language: str = "en") -> bool:
    """Return whether a token is punctuation, a stop word, or of a closed class."""
    lower = word.lower()
    closed = language == "en" and (lower in CLOSED_CLASS or lower in AUXILIARIES)
    return closed or is_punctuation(word) or is_stop_word(word, language)


def _has_two_cases(words: Sequence[str]) -> bool:
    """Return whether a sentence has capitals that tell something: small letters, and a capital beside."""
    return any(map(str.islower, words)) and any(word[:1].isupper() for word in words)


def _capitals(sentences: Iterable[Sequence[str]]) -> frozenset[str]:
    """Return the words, in lower case, that have a capital wherever capitals tell something."""
    upper, lower = set[str](), set[str]()
    for words in filter(_has_two_cases, sentences):
        upper.update(word.lower() for word in words if word[:1].isupper())
        lower.update(word for word in words if word[:1].islower())
    return frozenset(upper - lower)


def _with_capitals(words: list[str], capitals: frozenset[str]) -> list[str]:
    """Return a sentence in small letters, but for the words that have a capital elsewhere."""
    return [word.capitalize() if word.lower() in capitals else word.lower() for word in words]


def _tags(words: list[str]) -> list[str]:
    """Return the tags of a sentence, with the verbs that only their place shows.

    They stand behind an auxiliary and an adverb, as in *cannot park*, behind the pronoun of a clause, as in
    *if it rains*, or are the only verb there may be.
    """
    tags = tag(words)
    for i in range(1, len(tags)):
        if tags[i] in ("NN", "NNS") and words[i - 1].lower() in SUBJECTS and (i < 2 or tags[i - 2] in BEFORE):
            tags[i] = "VBZ" if tags[i] == "NNS" else "VBP"
    for i in range(2, len(tags)):
        if tags[i] in ("NN", "JJ", "VBP") and tags[i - 1].startswith("RB"):
            before = next((k for k in range(i - 2, 0, -1) if not tags[k].startswith("RB")), 0)
            if tags[before] == "MD" or words[before].lower() in ("do", "does", "did"):
                tags[i] = "VB"
    if FINITE.isdisjoint(tags):  # *the company plans to build*
        for i in range(1, len(tags) - 2):
            if tags[i] == "NNS" and tags[i - 1] in NOUNS and tags[i + 1 : i + 3] == ["TO", "VB"]:
                tags[i] = "VBZ"
    if not any(label.startswith("VB") or label == "MD" for label in tags):
        for i in range(1, len(tags) - 1):
            if tags[i] == "NN" and tags[i - 1] in NOUNS and tags[i + 1] in ("DT", "PRP", "PRP$", "NNP"):
                tags[i] = "VBD"
                break
    return tags
