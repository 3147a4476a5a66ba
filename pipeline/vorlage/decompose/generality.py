"""Compares how general two words are, by WordNet: the operation of generalization or specification."""

from functools import lru_cache

from vorlage.text.wordnet import WordNet, open_wordnet
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS

PARTS_OF_SPEECH = ("n", "v")  # those with hypernyms
REMEMBERED = 1 << 16  # words whose ancestors are kept in memory


class Generality:
    """Says whether one of two words is more general than the other.

    A word stands for its most frequent sense as a noun and its most frequent one as a verb. The synsets above
    a sense are its hypernyms and the classes of an instance, theirs, and so on. Closed-class words and
    auxiliaries have no senses here.
    """

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._first = lru_cache(REMEMBERED)(self._look_up)
        self._above = lru_cache(REMEMBERED)(self._climb)

    def differ(self, word: str, other: str) -> bool:
        """Return whether the sense of one word is above that of the other, as nouns or as verbs."""
        return any(
            (sense in self._above(second) or second in self._above(sense))
            for sense, second in zip(self._first(word.lower()), self._first(other.lower()), strict=True)
            if sense is not None and second is not None
        )

    def _look_up(self, word: str) -> list[int | None]:
        """Return the first sense of a lower-case word for each of `PARTS_OF_SPEECH`, or None."""
        if word in CLOSED_CLASS or word in AUXILIARIES:
            return [None] * len(PARTS_OF_SPEECH)
        return [next(iter(self._wordnet.senses(word, part)), None) for part in PARTS_OF_SPEECH]

    def _climb(self, synset: int) -> frozenset[int]:
        """Return all synsets above a synset, without itself."""
        reached: set[int] = set()
        ahead = [synset]
        while ahead:
            above = {parent for child in ahead for parent, _ in self._wordnet.above(child, True)} - reached
            reached |= above
            ahead = sorted(above)
        return frozenset(reached)


def open_generality() -> Generality:
    """Return the `Generality` by the WordNet in the package."""
    return Generality(open_wordnet())
