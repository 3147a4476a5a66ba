"""A text and its document as rules look for differences in them: words, facts and links."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from vorlage.attribution.findings.facts import Fact, read_fact, scales
from vorlage.text.english import ENGLISH
from vorlage.text.tags import tag
from vorlage.text.tokenized import Text
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_punctuation, is_stop_word, stem
from vorlage.types import Span

# How much a finding weighs: a word to check, likely wrong, contradicted.
CHECK, LIKELY, CONTRADICTED = 1, 2, 3


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


class ReadText:
    """A text or its document, as the rules read it: T words with their sentences, stems, tags and facts.

    - `words`, `lower` (T): as written, and in lower case;
    - `sentences` (T): the number of the sentence of each word;
    - `content` (T): whether a word is not a function word;
    - `facts`: what a word states, by its number.

    Args:
        text: the text.
        language: of stems; empty for a pair in two languages, in which words are compared as written.
    """

    def __init__(self, text: Text, language: str) -> None:
        self.text, self.words, self._language = text, text.words, language
        self.lower = [word.lower() for word in text.words]
        self.sentences = text.sentence_numbers
        self.content = [not is_function(word, text.language) for word in text.words]
        self.facts: dict[int, Fact] = {}
        for first, end in text.sentences:
            for place in range(first, end):
                if fact := read_fact(self.words, place, first, text.language):
                    # Another language may have a word for the unit or the currency.
                    plain = not language and fact.kind.startswith(("number", "amount", "percentage"))
                    self.facts[place] = fact._replace(kind="number") if plain else fact

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
    def names(self) -> list[Fact]:
        """The capitalised words, at the beginning of a sentence too, as names."""
        return [Fact("name", w.lower()) for w in {*self.words} if len(w) > 2 and w[0].isupper()]

    @cached_property
    def tags(self) -> list[str]:
        """The Penn Treebank tags of the words."""
        return [label for words in self.text.sentence_words() for label in tag(words)]

    def sentence(self, place: int) -> range:
        """Return the places of the sentence of a word."""
        return range(*self.text.sentences[self.sentences[place]])

    def around(self, place: int, reach: int) -> range:
        """Return the places of the words around one, itself included, in its sentence."""
        first, end = self.text.sentences[self.sentences[place]]
        return range(max(first, place - reach), min(end, place + reach + 1))

    def clause(self, place: int) -> range:
        """Return the places of the clause of a word: its sentence from one boundary to the next."""
        sentence, first, end = self.sentence(place), place, place
        while first > sentence.start and self.lower[first - 1] not in ENGLISH.clause_boundaries:
            first -= 1
        while end < sentence.stop and (end == place or self.lower[end] not in ENGLISH.clause_boundaries):
            end += 1
        return range(first, end)

    def quote(self, span: Span) -> str:
        """Return the characters of a span of words, on one line."""
        return " ".join(self.text.raw[slice(*self.text.characters(span))].split())


class Linked:
    """A text with its document.

    - `links`: the document words that each word of the text is linked to; `reverse`: the words of the text;
    - `language`: of both; empty if they differ.
    """

    def __init__(self, text: Text, document: Text, links: Mapping[int, set[int]]) -> None:
        self.language = text.language if text.language == document.language else ""
        self.text, self.document = ReadText(text, self.language), ReadText(document, self.language)
        # Whether words such as *million* and *Millionen* are read on both sides.
        self.scaled = bool(scales(text.language) and scales(document.language))
        self.links = links
        self.reverse: dict[int, set[int]] = defaultdict(set)
        for t, places in links.items():
            for j in places:
                self.reverse[j].add(t)

    def home(self, place: int) -> set[int]:
        """Return the document sentences that the words around a word of the text are linked to."""
        return {
            self.document.sentences[j]
            for t in self.text.around(place, 4)
            if self.text.content[t]
            for j in self.links.get(t, ())
        }

    def slot(self, place: int) -> Span | None:
        """Return the one to three document words between those of the neighbours of a word of the text.

        The neighbours are the nearest linked words, at most two away. What they are linked to has the same
        order and is in one sentence. Without such a place, the result is None.
        """
        linked = [t for t in self.text.around(place, 2) if self.links.get(t)]
        before = [t for t in linked if t < place][-1:]
        after = [t for t in linked if t > place][:1]
        ends = [
            (j, k)
            for left, right in zip(before, after, strict=False)
            for j in sorted(self.links[left])
            for k in sorted(self.links[right])
            if 1 < k - j <= 4 and self.document.sentences[j] == self.document.sentences[k]
        ]
        return (ends[0][0] + 1, ends[0][1]) if ends else None


def is_function(word: str, language: str = "en") -> bool:
    """Return whether a token is punctuation, a stop word, or of a closed class."""
    lower = word.lower()
    closed = language == "en" and (lower in CLOSED_CLASS or lower in AUXILIARIES)
    return closed or is_punctuation(word) or is_stop_word(word, language)
