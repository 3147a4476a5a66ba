"""Reads the names in an English sentence: capitalised words that are not function words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from os.path import commonprefix

from vorlage.text.english import ENGLISH
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS, is_stop_word

# The first letters that *Russia* and *Russian* share, and their least share of the longer name.
_SAME_START, _START_SHARE = 4, 0.6
_SAME_SHARE = 0.75  # of the letters of two spellings of a name


@dataclass(frozen=True)
class Name:
    """A name of one word, in lower case."""

    word: str

    kind = "name"

    def is_comparable(self, source: object) -> bool:
        """Return whether the source is a name, too."""
        return isinstance(source, Name)

    def agrees(self, source: object) -> bool:
        """Return whether two names may be one, as *Russia* and *Russian*, or *Reagan* and *Regan*, may."""
        if not isinstance(source, Name):
            return False
        name, other = self.word, source.word
        start = len(commonprefix((name, other)))
        if (
            start >= max(_SAME_START, _START_SHARE * max(len(name), len(other)))
            or name in other
            or other in name
        ):
            return True
        return SequenceMatcher(None, name, other, autojunk=False).ratio() >= _SAME_SHARE

    def is_misspelled(self, source: "Name") -> bool:
        """Return whether it differs by a letter or two, and not by an ending such as *-n* of *Russian*."""
        name, other = self.word, source.word
        if name.startswith(other) or other.startswith(name) or abs(len(name) - len(other)) > 2:
            return False
        blocks = SequenceMatcher(None, name, other, autojunk=False).get_matching_blocks()
        shared = sum(block.size for block in blocks)
        return len(name) > 3 and max(len(name), len(other)) - shared <= 2 and name[:1] == other[:1]


def read_names(words: Sequence[str]) -> Iterator[tuple[int, Name]]:
    """Yield the places of the names in a sentence, but for its first word."""
    for place, word in enumerate(words[1:], 1):
        if is_name(word):
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
