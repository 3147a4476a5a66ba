"""How two words relate: forms of one word, equal in meaning, more general, opposite, or exclusive.

It follows from WordNet, from prefixes, from closed classes such as directions, and for compounds such as
*max_depth* from the parts in which they differ.
"""

import re
from functools import lru_cache
from typing import Literal, TypeAlias
from unicodedata import category, normalize

from vorlage.text.english import ENGLISH
from vorlage.text.tags import is_known
from vorlage.text.wordnet import PARTS_OF_SPEECH, open_wordnet
from vorlage.text.words import CLOSED_CLASS, stem

Relation: TypeAlias = Literal["same", "synonym", "broader", "narrower", "opposite", "exclusive", "none"]

# What agrees with a source.
AGREEING: frozenset[Relation] = frozenset(["same", "synonym", "broader"])
# Links to hypernyms that are followed, and senses of a word that are looked at, the most frequent.
DEPTH, SENSES = 3, 6
# Two nouns are kinds of one thing, and exclude each other: at most so many links above one of the first
# senses of both is a synset of so many bits. Chosen on SummEdits (podcast, ectsum, news, sales_email) on 28
# November 2026, of 1, 2, 3 and 6 senses, 1 to 3 links and 0, 6, 8 and 10 bits: verbs and adjectives below one
# synset mean the same too often (*slaughtered* and *executed*, *previous* and *last*).
KIND_SENSES, KIND_DEPTH, KIND_BITS = 2, 2, 6

_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_PARTS = re.compile(r"[-._/\\:@]+")


@lru_cache(maxsize=1 << 16)
def plain(word: str) -> str:
    """Return a word in lower case without accents and ligatures."""
    if not word.isascii():
        parts = normalize("NFKD", word.translate(_LETTERS))
        word = "".join(letter for letter in parts if category(letter) != "Mn")
    return word


@lru_cache(maxsize=1 << 16)
def relation(word: str, other: str) -> Relation:
    """Return how the meaning of a word relates to that of another, both in lower case.

    They are the `same` with a common stem; `broader` and `narrower` follow up to `DEPTH` links to hypernyms;
    `opposite` are two members of one closed class, too, and `exclusive` two kinds of one thing in WordNet.
    """
    word, other = plain(word).rstrip("."), plain(other).rstrip(".")
    if word == other:
        return "same"
    if _are_opposite(word, other):
        return "opposite"
    if stem(word) == stem(other):
        return "same"
    wordnet = open_wordnet()
    if not wordnet.lemmas_of(word).isdisjoint(wordnet.lemmas_of(other)):
        return "same"
    senses, others = _senses(word), _senses(other)
    if senses & others:
        return "synonym"
    if senses & _above(others, DEPTH):
        return "broader"
    if others & _above(senses, DEPTH):
        return "narrower"
    if parts := _differing_parts(word, other):
        return "exclusive" if all(map(str.isalpha, parts)) and "-" not in word else relation(*parts)
    return "exclusive" if _are_kinds(word, other) else "none"


def _differing_parts(word: str, other: str) -> tuple[str, str] | None:
    """Return the one part in which two compounds of several parts differ, as *max_depth* and *min_depth*."""
    parts, others = _PARTS.split(word), _PARTS.split(other)
    differing = [pair for pair in zip(parts, others, strict=False) if pair[0] != pair[1]]
    is_compound = len(parts) == len(others) > len(differing) == 1 and all(differing[0])
    return differing[0] if is_compound else None


def _are_opposite(word: str, other: str) -> bool:
    """Return whether two words are antonyms, or state opposite directions."""
    members, others = _memberships(word), _memberships(other)
    if any(members[line].isdisjoint(others[line]) for line in members.keys() & others.keys()):
        return True
    for first, second in ((word, other), (other, word)):
        for prefix in ENGLISH.negative_prefixes:
            if first.startswith(prefix) and len(second) > 3 and stem(first[len(prefix) :]) == stem(second):
                return True
    return _are_antonyms(word, other) or _are_antonyms(other, word)


@lru_cache(maxsize=1 << 16)
def _memberships(word: str) -> dict[tuple[int, int], set[int]]:
    """Return which members of the directions and of the alternatives a word in any form is."""
    members: dict[tuple[int, int], set[int]] = {}
    is_listed = word in CLOSED_CLASS or word in ENGLISH.directions or word in ENGLISH.alternatives
    for lemma in {word} if is_listed else open_wordnet().lemmas_of(word):
        for table, words in enumerate((ENGLISH.directions, ENGLISH.alternatives)):
            for line, side in words.get(lemma, ()):
                members.setdefault((table, line), set()).add(side)
    return members


def _are_antonyms(word: str, other: str) -> bool:
    """Return whether a word is an antonym of another, or of an adjective that the other is similar to."""
    wordnet, antonyms = open_wordnet(), open_wordnet().antonyms(word)
    if not antonyms:
        return False
    if not antonyms.isdisjoint(wordnet.lemmas_of(other)):
        return True
    senses = wordnet.senses(other, "a")
    similar = {sense for sense in senses[:KIND_SENSES] for sense, _ in wordnet.above(sense)}
    return other not in CLOSED_CLASS and any(
        sense in similar for antonym in antonyms for sense in wordnet.senses(antonym, "a")
    )


def _are_kinds(word: str, other: str) -> bool:
    """Return whether two common nouns are two kinds of one thing, in their most frequent senses."""
    if any(is_known(each.capitalize()) and not is_known(each) for each in (word, other)):
        return False
    is_one_number = word.endswith("s") == other.endswith("s")
    return is_one_number and any(_bits(synset) >= KIND_BITS for synset in _kinds(word) & _kinds(other))


@lru_cache(maxsize=1 << 16)
def _kinds(word: str) -> frozenset[int]:
    """Return what the most frequent senses of a noun are kinds of."""
    return _above(frozenset(open_wordnet().senses(word, "n")[:KIND_SENSES]), KIND_DEPTH)


@lru_cache(maxsize=1 << 16)
def _bits(synset: int) -> int:
    """Return the information content of a synset."""
    above = open_wordnet().above(synset, only_hypernyms=True)
    return min((length + _bits(up) for up, length in above), default=0)


@lru_cache(maxsize=1 << 16)
def _senses(word: str) -> frozenset[int]:
    wordnet = open_wordnet()
    return frozenset(sense for part in PARTS_OF_SPEECH for sense in wordnet.senses(word, part)[:SENSES])


@lru_cache(maxsize=1 << 16)
def _above(synsets: frozenset[int], depth: int) -> frozenset[int]:
    """Return the synsets above some, at most so many links."""
    wordnet, found, level = open_wordnet(), set[int](), set(synsets)
    for _ in range(depth):
        level = {above for synset in level for above, _ in wordnet.above(synset)} - found
        found |= level
    return frozenset(found)
