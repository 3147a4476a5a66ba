"""What a text and its document state: their values, sentence by sentence, and the places that are linked."""

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import NamedTuple

from vorlage.attribution.reading import Reading, TextReading
from vorlage.checks.dates import read_dates, read_ordinals
from vorlage.checks.names import Name, read_names
from vorlage.checks.number_words import number_words, read_numbers
from vorlage.checks.quantities import Value
from vorlage.checks.quantity_phrases import read_quantities
from vorlage.text.english import ENGLISH
from vorlage.text.tags import is_known, tag
from vorlage.text.words import is_punctuation
from vorlage.types import Span

NOUNS_WITH_CAPITALS = frozenset(("de", "lb"))  # in which a capital tells no name
# What a finding says for a person.
SAYS, ABSENT = "“{}”: the source says “{}”", "“{}” is nowhere in the source"

# The farthest words around a place in a text that show the place in its document, and those around that.
AROUND_TEXT, AROUND_DOCUMENT = 3, 4
# The least number of sentences of a document that is not read whole for a value; one is read in 0.2 ms.
LONG = 2000
_NUMERAL = re.compile(r"\d{1,15}(?:\.\d{1,9})?")
_NUMBER_WORDS = frozenset(
    (*ENGLISH.ones, *ENGLISH.tens, *ENGLISH.scales, *ENGLISH.parts, *ENGLISH.ordinals, *ENGLISH.changes)
    + (*ENGLISH.months, *ENGLISH.weekdays, *(name[:3] for name in ENGLISH.months), "noon", "midnight")
)
_CUT = re.compile(r"\d{1,3}(?:,\s?\d{3}){1,4}(?:\.\s?\d{1,9})?|\d{1,9}\.\s\d{1,9}")


class Fact(NamedTuple):
    """A value that words state, and the half-open span of these words."""

    words: Span
    value: Value


class Numerals(NamedTuple):
    """The numbers in digits, as numbers from 1 to 10 with the same digits, ascending, with their sentences.

    `worded`: the sentences with numbers or dates in words.
    """

    leading: list[float]
    sentences: list[int]
    worded: set[int]


@dataclass(frozen=True, eq=False, repr=False)
class Statements(TextReading):
    """A text or its document with what it states.

    Facts of a sentence are read when they are needed, because a document may have very many.
    """

    _facts: dict[int, list[Fact]] = field(default_factory=dict)
    _places: dict[int, Fact] = field(default_factory=dict)  # of the words of these facts

    @cached_property
    def cut_numbers(self) -> frozenset[float]:
        """The numbers that are cut by a space behind a comma or a point: *3, 800*, *2. 4*."""
        cut = (number for number in _CUT.findall(self.tokenized.raw) if re.search(r"\s", number))
        return frozenset(float(re.sub(r"[,\s]", "", number)) for number in cut)

    @cached_property
    def facts(self) -> list[Fact]:
        """What is stated, in order."""
        return list(chain.from_iterable(map(self.facts_of, range(len(self.tokenized.sentences)))))

    def facts_like(self, value: Value) -> Iterable[Fact]:
        """Return the facts that may agree with a value.

        Those of a long document are of the sentences with digits like its own, or with numbers in words.
        """
        ranges = value.numerals() if self.tokenized.language == "en" else None
        if ranges is None or len(self.tokenized.sentences) < LONG:
            return self.facts
        numbers = set(self._numerals.worded)
        for low, high in ranges:
            scale = 10.0 ** math.floor(math.log10(low))
            for first, last in ((low / scale, high / scale), (low / scale / 10, high / scale / 10)):
                start, stop = (bisect_left(self._numerals.leading, end) for end in (first, last + 1e-9))
                numbers.update(self._numerals.sentences[start:stop])
        return chain.from_iterable(map(self.facts_of, sorted(numbers)))

    @cached_property
    def _numerals(self) -> "Numerals":
        """The numbers in digits and the sentences with numbers in words."""
        pairs, worded = list[tuple[float, int]](), set[int]()
        for word, number in zip(self.lower, self.sentences, strict=True):
            if word.isalpha():
                if word.rstrip("s") in _NUMBER_WORDS:
                    worded.add(number)
                continue
            if word.partition("-")[0] in _NUMBER_WORDS:
                worded.add(number)
            for written in _NUMERAL.findall(word.replace(",", "")):
                if (size := float(written)) > 0:
                    pairs.append((size / 10.0 ** math.floor(math.log10(size)), number))
        pairs.sort()
        return Numerals([leading for leading, _ in pairs], [number for _, number in pairs], worded)

    @cached_property
    def _inner_capitals(self) -> frozenset[str]:
        """The words with a capital inside of a sentence."""
        inner = (self.words[first + 1 : end] for first, end in self.tokenized.sentences)
        return frozenset(word for words in inner for word in words if word[:1].isupper())

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words in lower case."""
        return frozenset(self.lower)

    @cached_property
    def names(self) -> list[Name]:
        """The capitalised words, at the beginning of a sentence too, as names."""
        return [Name(word.lower()) for word in {*self.words} if len(word) > 2 and word[0].isupper()]

    def places(self, number: int) -> range:
        """Return the places of the words of a sentence."""
        return range(*self.tokenized.sentences[number])

    def facts_of(self, number: int) -> list[Fact]:
        """Return the facts of a sentence."""
        if number not in self._facts:
            self._facts[number] = list(self._read(self.tokenized.sentences[number]))
            for fact in reversed(self._facts[number]):
                self._places.update(dict.fromkeys(range(*fact.words), fact))
        return self._facts[number]

    def fact_at(self, place: int) -> Fact | None:
        """Return the fact that a word is part of; None outside of the text."""
        if 0 <= place < len(self.words):
            self.facts_of(self.sentences[place])  # reads them
        return self._places.get(place)

    def around(self, place: int, reach: int) -> range:
        """Return the places of the words around one, itself included, in its sentence."""
        return self.beside((place, place + 1), reach)

    def beside(self, span: Span, reach: int) -> range:
        """Return the places of some words and of those around them, in their sentence."""
        sentence = self.sentence(span[0])
        return range(max(sentence.start, span[0] - reach), min(sentence.stop, span[1] + reach))

    def _read(self, sentence: Span) -> Iterator[Fact]:
        """Yield the facts of a sentence in order."""
        first, end = sentence
        words = ["" if t in self.marks else self.words[t] for t in range(first, end)]
        if self.tokenized.language != "en":
            yield from self._read_characters(first, words)
            return
        line = " ".join(filter(None, words)).replace("İ", "I")  # whose small form has two characters
        if not line.isprintable():  # digits of a newer Unicode than Python's, which `int` cannot read
            line = "".join(letter if letter.isprintable() else "_" for letter in line)
        lower, starts = line.lower(), list(accumulate((len(word) + bool(word) for word in words), initial=0))
        cased = line if self.cased[self.sentences[first]] else None
        facts: dict[int, Fact] = {}
        for read in (partial(read_dates, cased=cased), read_quantities, read_ordinals):
            for (start, stop), value in list(read(lower)):
                place = bisect_left(starts, start + 1) - 1
                facts[place] = Fact((first + place, first + bisect_left(starts, stop)), value)
                lower = f"{lower[:start]}{'_' * (stop - start)}{lower[stop:]}"
        taken = {t - first for fact in facts.values() for t in range(*fact.words)}
        for place, name in read_names(words, self._begins_with_name(first)):
            if place not in taken:
                facts[place] = Fact((first + place, first + place + 1), name)
        yield from (facts[place] for place in sorted(facts))

    def _begins_with_name(self, first: int) -> bool:
        """Return whether the first word of a sentence is a name, and not a word with the capital of any."""
        if self.tokenized.words[first].isupper():
            return False
        if self.words[first] in self._inner_capitals:
            return True
        words = self.words[slice(*self.tokenized.sentences[self.sentences[first]])]
        return not is_known(self.lower[first]) and tag(words)[0].startswith("NNP")

    def _read_characters(self, first: int, words: Sequence[str]) -> Iterator[Fact]:
        """Yield the numbers of a sentence in another language than English, and its names as characters."""
        facts = {
            start: Fact((start, stop), value)
            for (start, stop), value in read_numbers(words, self.tokenized.language)
        }
        if self.language and self.tokenized.language not in NOUNS_WITH_CAPITALS:
            facts = {place: Fact((place, place + 1), name) for place, name in read_names(words)} | facts
        for _, ((start, stop), value) in sorted(facts.items()):
            yield Fact((first + start, first + stop), value)


@dataclass(frozen=True, eq=False, repr=False)
class StatementPair(Reading):
    """A text with its document, and what both state."""

    text: Statements
    document: Statements

    @cached_property
    def reverse(self) -> Mapping[int, set[int]]:
        """The words of the text that are linked to each document word."""
        reverse: dict[int, set[int]] = defaultdict(set)
        for t, places in self.links.items():
            for j in places:
                reverse[j].add(t)
        return reverse

    @property
    def scaled(self) -> bool:
        """Whether words such as *million* and *Millionen* are read on both sides."""
        languages = self.text.tokenized.language, self.document.tokenized.language
        return all(language == "en" or number_words(language).scales for language in languages)

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

    def support(self, span: Span, source: Span) -> tuple[int, int]:
        """Return how many words of two places are linked in the same order, and how many directly beside."""
        near = self.document.beside(source, AROUND_DOCUMENT)
        pairs = [
            (i, k)
            for i in self.text.beside(span, AROUND_TEXT)
            for k in self.links[i]
            if k in near and _side(i, span) == _side(k, source)
        ]
        beside = {(span[0] - 1, source[0] - 1), (span[1], source[1])}
        return len({i for i, _ in pairs if not is_punctuation(self.text.words[i])}), len(beside & {*pairs})

    def home(self, place: int) -> set[int]:
        """Return the document sentences that the words around a word of the text are linked to."""
        return set(self.homes(t for t in self.text.around(place, 4) if self.text.content[t]))


def _side(place: int, span: Span) -> int:
    """Return −1 for a place before a span, 1 for one behind it, 0 inside."""
    return (place >= span[1]) - (place < span[0])


def read_statements(reading: Reading) -> StatementPair:
    """Return a reading with what both sides state."""
    text, document = (
        Statements(**{part.name: getattr(side, part.name) for part in fields(side)})
        for side in (reading.text, reading.document)
    )
    return StatementPair(text, document, reading.links, reading.language, reading.is_read)
