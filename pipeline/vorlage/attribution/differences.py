"""Finds words of a text that differ from what their source says: numbers, dates, names, negation.

A word differs if the words around it are linked to the words around a word of the document of the same kind,
and the two disagree (`vorlage.attribution.facts`).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from vorlage.attribution.facts import CURRENCIES, NEGATIVE, Fact, is_negation, may_oppose, read_fact
from vorlage.attribution.sources import sentence_numbers
from vorlage.text.tokenized import Text
from vorlage.text.words import is_punctuation, is_stop_word
from vorlage.types import Span

# The farthest word around a word of the text, and around one of the document, and the least number of words
# around that are linked.
AROUND_TEXT, AROUND_DOCUMENT, ENOUGH = 3, 4, 2


class Difference(NamedTuple):
    """Words of the text, and the words of the document that they contradict: half-open spans of words."""

    text: Span
    document: Span


class TextFacts:
    """A text as differences are found in it.

    `sentences`: the number of the sentence of each word; `facts`: what words state, by their number.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.words = text.words
        self.sentences = sentence_numbers(text.sentences).tolist()
        self.facts: dict[int, Fact] = {}
        for first, end in text.sentences:
            for place in range(first, end):
                if fact := read_fact(self.words, place, first, text.language):
                    self.facts[place] = fact

    def around(self, place: int, reach: int) -> range:
        """Return the places of the words around one, itself included, in its sentence."""
        first, end = self.text.sentences[self.sentences[place]]
        return range(max(first, place - reach), min(end, place + reach + 1))

    def sentence_words(self, place: int) -> list[str]:
        """Return the words of the sentence of a place."""
        return self.words[slice(*self.text.sentences[self.sentences[place]])]


def find_differences(text: Text, document: Text, linked: Mapping[int, set[int]]) -> list[Difference]:
    """Return the words of the text that differ from their source, in order, neighbours as one.

    `linked`: the document words that each word of the text is linked to.
    """
    here, there = TextFacts(text), TextFacts(document)
    reverse: dict[int, set[int]] = defaultdict(set)
    for t, places in linked.items():
        for j in places:
            reverse[j].add(t)
    differences = [
        *_facts(here, there, linked, reverse),
        *(Difference(*places) for places in _negations(here, there, linked)),
        *(Difference(place, negation) for negation, place in _negations(there, here, reverse)),
    ]
    joined: list[Difference] = []
    for difference in sorted(differences):
        last = joined[-1] if joined else None
        if last and last.text[1] == difference.text[0] and last.document[1] == difference.document[0]:
            joined[-1] = Difference(
                (last.text[0], difference.text[1]), (last.document[0], difference.document[1])
            )
        else:
            joined.append(difference)
    return joined


def _facts(
    text: TextFacts, document: TextFacts, linked: Mapping[int, set[int]], reverse: Mapping[int, set[int]]
) -> Iterator[Difference]:
    """Yield the facts of the text that differ from the one in their place in the document.

    `linked`: from words of the text to those of the document; `reverse`: back.
    """
    words = {word.lower() for word in document.words}
    names = {word.lower() for word in document.words if len(word) > 2 and word[0].isupper()}

    def is_named(name: Fact) -> bool:
        return name.value in words or any(name.agrees(Fact("name", word)) for word in names)

    for t, fact in text.facts.items():
        around = (k for i in text.around(t, AROUND_TEXT) for k in linked.get(i, ()))
        near = {j for k in around for j in document.around(k, AROUND_DOCUMENT)}
        places = [j for j in near if j in document.facts and document.facts[j].kind == fact.kind]
        ranked = [(*_support(text, document, linked, t, j), -j) for j in places]
        support, _, negative = max(ranked, default=(0, 0, 0))
        place = -negative  # the first of equals
        if support < ENOUGH or _taken(text, document, reverse, t, place):
            continue
        first, end = document.text.sentences[document.sentences[place]]
        same = [document.facts[j] for j in {*range(first, end), *linked.get(t, ())} if j in document.facts]
        if not any(map(fact.agrees, same)) and not (fact.kind == "name" and is_named(fact)):
            yield Difference((t, t + 1), (place, place + 1))


def _taken(text: TextFacts, document: TextFacts, reverse: Mapping[int, set[int]], t: int, j: int) -> bool:
    """Return whether a document word is the source of an equal word of the text other than t."""
    return any(i != t and text.words[i].lower() == document.words[j].lower() for i in reverse.get(j, ()))


def _support(
    text: TextFacts, document: TextFacts, linked: Mapping[int, set[int]], t: int, j: int
) -> tuple[int, int]:
    """Return how many words around t are linked to words around j, and how many of those directly beside.

    The words around have the same order. A link of t itself counts twice, punctuation does not count, and
    stop words do not suffice. A word directly beside a name must be linked, as names often differ for
    other reasons; if it is a part of the same name, such as the first name, it counts twice.
    """
    near = document.around(j, AROUND_DOCUMENT)
    supporting = [
        i
        for i in text.around(t, AROUND_TEXT)
        if (text.words[i] in CURRENCIES or not is_punctuation(text.words[i]))
        and any(k in near and (k > j) - (k < j) == (i > t) - (i < t) for k in linked.get(i, ()))
    ]
    beside = [t + step for step in (-1, 1) if j + step in linked.get(t + step, ())]
    name = text.facts[t].kind == "name"
    if all(is_stop_word(text.words[i], text.text.language) for i in supporting) or (name and not beside):
        return 0, 0
    part = any(i in text.facts and text.facts[i].kind == "name" for i in beside)
    return len(supporting) + (name and part) + (j in linked.get(t, ())), len(beside)


def _negations(
    side: TextFacts, other: TextFacts, linked: Mapping[int, set[int]]
) -> Iterator[tuple[Span, Span]]:
    """Yield the negations of one side that the other side lacks: their place, and the words there.

    The linked words before and after the negation are linked to words near one another, in the same order,
    without punctuation between them, in a sentence without negations; no word there may replace one.
    `linked`: from words of `side` to those of `other`.
    """
    for t, word in enumerate(side.words):
        following = side.words[t + 1 : t + 2]
        if side.text.language != "en" or not is_negation(word) or following in (["only"], ["just"]):
            continue
        around = [
            i for i in side.around(t, AROUND_TEXT) if linked.get(i) and not is_punctuation(side.words[i])
        ]
        left, right = [i for i in around if i < t][-1:], [i for i in around if i > t][:1]
        places = [
            (c, d + 1)
            for a, b in zip(left, right, strict=False)
            for c in linked[a]
            for d in linked[b]
            if c < d and d in other.around(c, AROUND_DOCUMENT)
        ]
        for place in sorted(places)[:1]:
            elsewhere = all(other.sentences[j] != other.sentences[place[0]] for j in linked.get(t, ()))
            negative = NEGATIVE.intersection(map(str.lower, other.sentence_words(place[0])))
            beside = set(map(str.lower, side.sentence_words(t)))
            near = other.words[max(place[0] - 1, 0) : place[1] + 1]
            unlike = any(may_oppose(word, beside) for word in near)
            cut = any(map(is_punctuation, other.words[slice(*place)]))
            if elsewhere and not (negative or unlike or cut):
                yield (t, t + 1), place
