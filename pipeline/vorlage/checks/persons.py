"""Reads the names in an English text, and whom pronouns stand for."""

from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile
from os.path import commonprefix
from typing import TypeAlias

from vorlage.checks.facts import Statements
from vorlage.checks.phrases import PROPER
from vorlage.text.english import ENGLISH
from vorlage.text.tags import FINITE
from vorlage.text.wordnet import PARTS_OF_SPEECH, open_wordnet

BACK = 2  # sentences before that of a pronoun in which its name may stand
_SAME_START = 4  # letters that two forms of a name share: *Lyon*, *Lyonnais*

Stems: TypeAlias = frozenset[str]  # those of a name


def is_proper(side: Statements, place: int) -> bool:
    """Return whether a word is part of a name; the first of a sentence, only if it is no common word."""
    word, first = side.lower[place], side.sentence(place).start
    if side.tags[place] not in PROPER or word.rstrip(".") in ENGLISH.titles:
        return False
    if place > first or side.tags[place + 1 : place + 2] in (["NNP"], ["NNPS"]):
        return True
    return not any(open_wordnet().senses(word, part) for part in PARTS_OF_SPEECH)


def _names_in(side: Statements, places: Iterable[int]) -> Iterator[Stems]:
    """Yield the names among some words."""
    for is_name, run in groupby(places, lambda i: side.tags[i] in PROPER):
        if is_name:
            yield frozenset(side.stems[i] for i in run if side.lower[i].rstrip(".") not in ENGLISH.titles)


def referents(side: Statements, pronoun: int) -> list[Stems]:
    """Return the names before a pronoun that it may stand for.

    They are those of its sentence and of the sentences before, back to the first whose subject is a name.
    """
    number, names = side.sentences[pronoun], list[Stems]()
    own = range(side.sentence(pronoun).start, pronoun)
    for before in range(number, max(number - BACK, 0) - 1, -1):
        sentence = own if before == number else side.places(before)
        names += _names_in(side, sentence)
        subject = list(takewhile(lambda i: side.tags[i] not in FINITE, sentence))
        if len(subject) < len(sentence) and any(side.tags[i] in PROPER for i in subject):
            return names
    return []


def share_a_word(name: Stems, other: Stems) -> bool:
    """Return whether two names have a word, in forms that begin alike, or one abbreviates the other."""
    alike = any(a == b or len(commonprefix((a, b))) >= _SAME_START for a in name for b in other)
    return alike or _abbreviates(name, other) or _abbreviates(other, name)


def _abbreviates(acronym: Stems, name: Stems) -> bool:
    """Return whether a name of one word has the first letters of the words of another, in any order."""
    return len(acronym) == 1 and sorted(*acronym) == sorted(word[0] for word in name)
