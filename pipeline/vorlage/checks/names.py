"""Names of one word, and how two of them relate: one name, another spelling, or names of two things."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, permutations
from os.path import commonprefix

from vorlage.checks.quantities import Value
from vorlage.checks.relations import plain
from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_stop_word
from vorlage.types import Span

# The first letters that *Russia* and *Russian* share, and their least share of the longer name.
_SAME_START, _START_SHARE = 4, 0.6
_SAME_SHARE = 0.75  # of the letters of two spellings of a name
_ACRONYM_SHARE = 0.6  # of the letters of two acronyms that are confused
_PEOPLE = re.compile(r"(?:[ie]?ans?|ese|ish)$")  # of a place, whose name loses its last vowels
_LIGHT_VOWELS = re.compile("[eijy]+")  # by which transliterations differ


@dataclass(frozen=True)
class Name(Value):
    """A name of one word, in lower case."""

    word: str

    def _follows(self, source: "Name") -> bool:
        """Return whether two names may be one, as *Russia* and *Russian*, or *Reagan* and *Regan*, may."""
        name, other = plain(self.word), plain(source.word)
        least = max(_SAME_START, _START_SHARE * max(len(name), len(other)))
        if name in other or other in name or len(commonprefix((name, other))) >= least:
            return True
        return (
            _are_namesakes(name, other)
            or SequenceMatcher(None, name, other, autojunk=False).ratio() >= _SAME_SHARE
        )

    def is_respelled(self, source: "Name") -> bool:
        """Return whether it differs as *Zurich* and *Zürich*, or as *Kiev* and *Kyiv*, alone."""
        name, other = (_LIGHT_VOWELS.sub("i", plain(word)) for word in (self.word, source.word))
        return name == other and len(self.word) > 3

    def is_misspelled(self, source: "Name") -> bool:
        """Return whether it differs by a letter or two, and not by an ending as *Russian* does."""
        name, other = plain(self.word), plain(source.word)
        if name.startswith(other) or other.startswith(name) or _are_namesakes(name, other):
            return False
        blocks = SequenceMatcher(None, name, other, autojunk=False).get_matching_blocks()
        shared = sum(block.size for block in blocks)
        return len(name) > 3 and max(len(name), len(other)) - shared <= 2 and name[:1] == other[:1]


def _are_namesakes(name: str, other: str) -> bool:
    """Return whether two names are those of a people and of its place, as *Mexican*, or of one person."""
    people = (
        _PEOPLE.sub("", first) == second.rstrip("aeiouy") for first, second in permutations((name, other))
    )
    return any(people) or ENGLISH.namesakes.get(name, -1) == ENGLISH.namesakes.get(other)


def read_names(words: Sequence[str], first_is_name: bool = False) -> Iterator[tuple[int, Name]]:
    """Yield the places of the names in a sentence; of its first word, if that is known to be one."""
    for place, word in enumerate(words):
        if (place or first_is_name) and is_name(word):
            yield place, Name(word.lower())


def is_name(word: str) -> bool:
    """Return whether a word may be a name, or a part of one."""
    lower = word.lower()
    common = lower in CLOSED_CLASS or lower in AUXILIARIES or lower.rstrip(".") in ENGLISH.titles
    return (
        word[:1].isupper()
        and len(word) > 2
        and word.isalpha()
        and not (common or is_stop_word(word) or word.isupper())
    )


def is_acronym(word: str) -> bool:
    """Return whether a word may be an acronym: three to six capitals."""
    return word.isalpha() and word.isupper() and 3 <= len(word) <= 6


def initials(words: Iterable[str]) -> str:
    """Return the first letters of some words, but for those of the closed class, in lower case."""
    return "".join(word[0].lower() for word in words if word.lower() not in CLOSED_CLASS)


def are_confused(acronym: str, other: str) -> bool:
    """Return whether two acronyms differ by a letter or two or by order, and neither begins the other."""
    if acronym[0] != other[:1] or acronym.startswith(other) or other.startswith(acronym):
        return False
    return SequenceMatcher(None, acronym, other, autojunk=False).ratio() >= _ACRONYM_SHARE


def read_acronyms(words: Sequence[str]) -> Iterator[tuple[Span, str]]:
    """Yield the acronyms and the long names of a text with their initials, all in lower case."""
    first = 0
    for is_part, run in groupby(words, lambda word: word[0].isupper() or word in ("of", "the", "for", "and")):
        name = list(run)
        if is_part:
            yield (first, first + len(name)), initials(name)
            yield from (((t, t + 1), word.lower()) for t, word in enumerate(name, first) if is_acronym(word))
        first += len(name)
