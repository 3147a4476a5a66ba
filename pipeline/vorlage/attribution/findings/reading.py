"""A text and its document as the rules read them: what each sentence states, and how the two are linked."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import NamedTuple

from vorlage.attribution.findings.names import Name, read_names
from vorlage.attribution.findings.scope import NEGATIVE, read_hedged, read_negated
from vorlage.text.dates import read_dates, read_ordinals
from vorlage.text.english import ENGLISH
from vorlage.text.marks import Names, find_marks
from vorlage.text.number_words import number_words, read_numbers
from vorlage.text.quantities import read_quantities
from vorlage.text.tags import NOUNS, tag
from vorlage.text.tokenized import Text
from vorlage.text.values import Value
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_punctuation, is_stop_word, stem
from vorlage.types import Span

NOUNS_WITH_CAPITALS = frozenset(("de", "lb"))  # in which a capital tells no name
# How much a finding weighs: a word to check, likely wrong, contradicted.
CHECK, LIKELY, CONTRADICTED = 1, 2, 3
# What a difference says for a person.
UNEQUAL, SAYS, ABSENT = "“{}” ≠ “{}”", "“{}”: the source says “{}”", "“{}” is nowhere in the source"

_CUT = re.compile(r"\d{1,3}(?:,\s?\d{3}){1,4}(?:\.\s?\d{1,9})?|\d{1,9}\.\s\d{1,9}")


class Difference(NamedTuple):
    """Words of the text that differ from the document.

    `text`, `document`: half-open spans of words; the latter None if nothing there corresponds. `kind`: of the
    difference. `severity`: `CHECK`, `LIKELY` or `CONTRADICTED`. `message`: a sentence for a person.
    """

    text: Span
    document: Span | None
    kind: str
    severity: int
    message: str


class Fact(NamedTuple):
    """A value that words state, and the half-open span of these words."""

    words: Span
    value: Value


class ReadText:
    """A text or its document, as the rules read it: T words, with what they state.

    - `words`, `lower` (T): in normal form, with the capitals of ordinary writing, and in lower case;
    - `sentences` (T): the number of the sentence of each word;
    - `marks`: the words that state nothing, such as the number of an item;
    - `content` (T): whether a word is neither a function word nor such a mark.

    Facts of a sentence are read when they are needed, because a document may have very many.

    Args:
        text: the text.
        language: of stems; empty for a pair in two languages, in which words are compared as written.
        capitals: the words that begin with a capital in ordinary writing, in lower case.
        names: of documents, which its marks may name.
    """

    def __init__(self, text: Text, language: str, capitals: frozenset[str], names: Names = ()) -> None:
        self.text, self._language = text, language
        self.sentences = text.sentence_numbers
        sentences = text.sentence_words()
        # In a text with capitals at the beginnings of sentences alone, they tell nothing.
        capitals_tell = any(map(_has_capital, sentences))
        self._cased = [capitals_tell and _has_two_cases(words) for words in sentences]
        self.words = [
            word
            for words, cased in zip(sentences, self._cased, strict=True)
            for word in (words if cased else _with_capitals(words, capitals))
        ]
        self.lower = [word.lower() for word in self.words]
        spans = (span for span in find_marks(text.raw, names) if span[0] < span[1])
        self.marks = {t for span in spans for t in text.tokens_in(span)}
        self.content = [
            t not in self.marks and not is_function(word, text.language) for t, word in enumerate(text.words)
        ]
        self._facts: dict[int, list[Fact]] = {}

    def _read(self, sentence: Span) -> Iterator[Fact]:
        """Yield the facts of a sentence in order."""
        first, end = sentence
        words = ["" if t in self.marks else self.words[t] for t in range(first, end)]
        if self.text.language != "en":
            yield from self._read_characters(first, words)
            return
        line = " ".join(filter(None, words)).replace("İ", "I")  # whose small form has two characters
        if not line.isprintable():  # digits of a newer Unicode than Python's, which `int` cannot read
            line = "".join(letter if letter.isprintable() else "_" for letter in line)
        lower, starts = line.lower(), list(accumulate((len(word) + bool(word) for word in words), initial=0))
        cased = line if self._cased[self.sentences[first]] else None
        facts: dict[int, Fact] = {}
        for read in (partial(read_dates, cased=cased), read_quantities, read_ordinals):
            for (start, stop), value in list(read(lower)):
                place = bisect_left(starts, start + 1) - 1
                facts[place] = Fact((first + place, first + bisect_left(starts, stop)), value)
                lower = f"{lower[:start]}{'_' * (stop - start)}{lower[stop:]}"
        taken = {t - first for fact in facts.values() for t in range(*fact.words)}
        for place, name in read_names(words):
            if place not in taken:
                facts[place] = Fact((first + place, first + place + 1), name)
        yield from (facts[place] for place in sorted(facts))

    def _read_characters(self, first: int, words: Sequence[str]) -> Iterator[Fact]:
        """Yield the numbers of a sentence in another language than English, and its names as characters."""
        facts = {
            start: Fact((start, stop), value)
            for (start, stop), value in read_numbers(words, self.text.language)
        }
        if self._language and self.text.language not in NOUNS_WITH_CAPITALS:
            facts = {place: Fact((place, place + 1), name) for place, name in read_names(words)} | facts
        for _, ((start, stop), value) in sorted(facts.items()):
            yield Fact((first + start, first + stop), value)

    @cached_property
    def cut_numbers(self) -> frozenset[float]:
        """The numbers that are cut by a space behind a comma or a point: *3, 800*, *2. 4*."""
        cut = (number for number in _CUT.findall(self.text.raw) if re.search(r"\s", number))
        return frozenset(float(re.sub(r"[,\s]", "", number)) for number in cut)

    @cached_property
    def facts(self) -> list[Fact]:
        """What is stated, in order."""
        return list(chain.from_iterable(map(self.facts_of, range(len(self.text.sentences)))))

    @cached_property
    def stems(self) -> list[str]:
        """The stems of the words."""
        return [stem(word, self._language) for word in self.words]

    @cached_property
    def stem_places(self) -> Mapping[str, list[int]]:
        """The places of each stem, ascending."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, stemmed in enumerate(self.stems):
            places[stemmed].append(place)
        return places

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words in lower case."""
        return frozenset(self.lower)

    @cached_property
    def names(self) -> list[Name]:
        """The capitalised words, at the beginning of a sentence too, as names."""
        return [Name(word.lower()) for word in {*self.words} if len(word) > 2 and word[0].isupper()]

    @cached_property
    def tags(self) -> list[str]:
        """The Penn Treebank tags of the words."""
        return [label for first, end in self.text.sentences for label in _tags(self.words[first:end])]

    @cached_property
    def _negations(self) -> tuple[dict[int, int], set[int]]:
        return read_negated(self)

    @property
    def negated(self) -> dict[int, int]:
        """The place of the cue of each negated word."""
        return self._negations[0]

    @cached_property
    def negative(self) -> frozenset[int]:
        """The places of the words that negate, or may stand for a negation."""
        idle = self._negations[1]
        return frozenset(t for t, word in enumerate(self.lower) if word in NEGATIVE and t not in idle)

    @cached_property
    def hedged(self) -> dict[int, int]:
        """The place of the cue of each hedged verb."""
        return read_hedged(self)

    def places(self, number: int) -> range:
        """Return the places of the words of a sentence."""
        return range(*self.text.sentences[number])

    def sentence(self, place: int) -> range:
        """Return the places of the sentence of a word."""
        return self.places(self.sentences[place])

    def facts_of(self, number: int) -> list[Fact]:
        """Return the facts of a sentence."""
        if number not in self._facts:
            self._facts[number] = list(self._read(self.text.sentences[number]))
        return self._facts[number]

    def fact_at(self, place: int) -> Fact | None:
        """Return the fact that a word is part of; None outside of the text."""
        near = self.facts_of(self.sentences[place]) if 0 <= place < len(self.words) else []
        return next((fact for fact in near if place in range(*fact.words)), None)

    def around(self, place: int, reach: int) -> range:
        """Return the places of the words around one, itself included, in its sentence."""
        return self.beside((place, place + 1), reach)

    def beside(self, span: Span, reach: int) -> range:
        """Return the places of some words and of those around them, in their sentence."""
        sentence = self.sentence(span[0])
        return range(max(sentence.start, span[0] - reach), min(sentence.stop, span[1] + reach))

    def clause(self, place: int) -> range:
        """Return the places of the clause of a word: its sentence from one boundary to the next."""
        sentence, first, end = self.sentence(place), place, place
        while first > sentence.start and self.lower[first - 1] not in ENGLISH.clause_boundaries:
            first -= 1
        while end < sentence.stop and (end == place or self.lower[end] not in ENGLISH.clause_boundaries):
            end += 1
        return range(first, end)

    def clauses(self, place: int) -> Iterator[Span]:
        """Yield the clauses of the sentence of a word that have a content word."""
        sentence = self.sentence(place)
        start = sentence.start
        while start < sentence.stop:
            end = max(self.clause(start).stop, start + 1)
            if any(self.content[start:end]):
                yield start, end
            start = end

    def quote(self, span: Span) -> str:
        """Return the characters of a span of words, on one line."""
        return " ".join(self.text.raw[slice(*self.text.characters(span))].split())


class Linked:
    """A text with its document.

    - `links` (T): the document words that each word of the text is linked to; `reverse`: the other way round;
    - `language`: of both; empty if they differ;
    - `scaled`: whether words such as *million* and *Millionen* are read on both sides.
    """

    def __init__(self, text: Text, document: Text, links: Mapping[int, set[int]], names: Names = ()) -> None:
        self.language = text.language if text.language == document.language else ""
        capitals = _capitals((*text.sentence_words(), *document.sentence_words()))
        self.text = ReadText(text, self.language, capitals, names)
        self.document = ReadText(document, self.language, capitals)
        self.scaled = all(
            side.language == "en" or number_words(side.language).scales for side in (text, document)
        )
        self.links = {
            t: set[int]() if t in self.text.marks else links.get(t, set()) for t in range(len(text.words))
        }
        self.reverse: dict[int, set[int]] = defaultdict(set)
        for t, places in self.links.items():
            for j in places:
                self.reverse[j].add(t)

    def linked(self, places: Iterable[int]) -> set[int]:
        """Return the document words that words of the text are linked to."""
        return {j for t in places for j in self.links[t]}

    def same(self, place: int) -> list[int]:
        """Return the document words with the stem of a word of the text that it is linked to."""
        return [j for j in sorted(self.links[place]) if self.document.stems[j] == self.text.stems[place]]

    def same_behind(self, place: int, reach: int) -> Iterator[tuple[int, int]]:
        """Yield the first content word behind a word of the text that is `same`, with the document words."""
        for t in range(place + 1, min(place + 1 + reach, self.text.sentence(place).stop)):
            if self.text.content[t] and (same := self.same(t)):
                yield from ((t, j) for j in same)
                return

    def homes(self, places: Iterable[int]) -> Counter[int]:
        """Return how many of some words of the text are linked to each document sentence."""
        return Counter(n for t in places for n in {self.document.sentences[j] for j in self.links[t]})

    def home(self, place: int) -> set[int]:
        """Return the document sentences that the words around a word of the text are linked to."""
        return set(self.homes(t for t in self.text.around(place, 4) if self.text.content[t]))

    def difference(
        self, text: Span, document: Span | None, kind: str, severity: int, message: str = UNEQUAL
    ) -> Difference:
        """Return a difference, with the words of both spans in the places of its message."""
        quotes = self.text.quote(text), self.document.quote(document) if document else ""
        return Difference(text, document, kind, severity, message.format(*quotes))


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


def _has_capital(words: Sequence[str]) -> bool:
    """Return whether a word of a sentence begins with a capital, but the first."""
    return any(word[:1].isupper() for word in words[1:])


def _with_capitals(words: list[str], capitals: frozenset[str]) -> list[str]:
    """Return a sentence in small letters, but for the words that have a capital elsewhere."""
    return [word.capitalize() if word.lower() in capitals else word.lower() for word in words]


def _tags(words: list[str]) -> list[str]:
    """Return the tags of a sentence, with the verbs that only their place shows.

    They stand behind an auxiliary and an adverb, as in *cannot park*, or are the only verb there may be.
    """
    tags = tag(words)
    for i in range(2, len(tags)):
        before = next((k for k in range(i - 1, 0, -1) if not tags[k].startswith("RB")), 0)
        helped = tags[before] == "MD" or words[before].lower() in ("do", "does", "did")
        if tags[i] in ("NN", "JJ", "VBP") and helped and before < i - 1:
            tags[i] = "VB"
    if not any(label.startswith("VB") or label == "MD" for label in tags):
        for i in range(1, len(tags) - 1):
            if tags[i] == "NN" and tags[i - 1] in NOUNS and tags[i + 1] in ("DT", "PRP", "PRP$", "NNP"):
                tags[i] = "VBD"
                break
    return tags
