"""How the meanings of two English words relate: by WordNet, by prefixes, and by the direction they state."""

from functools import lru_cache
from typing import Literal, TypeAlias

from vorlage.text.english import ENGLISH
from vorlage.text.wordnet import PARTS_OF_SPEECH, open_wordnet
from vorlage.text.words import stem

Relation: TypeAlias = Literal["same", "synonym", "broader", "narrower", "antonym", "none"]

# Links to hypernyms that are followed, and senses of a word that are looked at, the most frequent.
DEPTH, SENSES = 3, 6


@lru_cache(maxsize=1 << 16)
def opposite(word: str, other: str) -> bool:
    """Return whether two words in lower case are antonyms, or state opposite directions."""
    for words in (ENGLISH.directions, ENGLISH.alternatives):
        lines = {line: side for line, side in words.get(other, ())}
        if any(lines.get(line, side) != side for line, side in words.get(word, ())):
            return True
    for first, second in ((word, other), (other, word)):
        for prefix in ENGLISH.negative_prefixes:
            if first.startswith(prefix) and len(second) > 3 and stem(first[len(prefix) :]) == stem(second):
                return True
    wordnet = open_wordnet()
    return not wordnet.antonyms(word).isdisjoint(wordnet.lemmas_of(other))


@lru_cache(maxsize=1 << 16)
def relation(word: str, other: str) -> Relation:
    """Return how the meaning of a word relates to that of another, both in lower case.

    They are the `same` with a common stem; `broader` and `narrower` follow up to `DEPTH` links to hypernyms.
    """
    if stem(word) == stem(other):
        return "same"
    if opposite(word, other):
        return "antonym"
    wordnet = open_wordnet()
    if not wordnet.lemmas_of(word).isdisjoint(wordnet.lemmas_of(other)):
        return "same"
    senses, others = _senses(word), _senses(other)
    if senses & others:
        return "synonym"
    if senses & _above(other):
        return "broader"
    return "narrower" if others & _above(word) else "none"


@lru_cache(maxsize=1 << 16)
def _senses(word: str) -> frozenset[int]:
    wordnet = open_wordnet()
    return frozenset(sense for part in PARTS_OF_SPEECH for sense in wordnet.senses(word, part)[:SENSES])


@lru_cache(maxsize=1 << 16)
def _above(word: str) -> frozenset[int]:
    """Return the synsets above the senses of a word."""
    wordnet, synsets, level = open_wordnet(), set[int](), set(_senses(word))
    for _ in range(DEPTH):
        level = {above for synset in level for above, _ in wordnet.above(synset)} - synsets
        synsets |= level
    return frozenset(synsets)
