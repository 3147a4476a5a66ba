"""Distances between words in WordNet: the shortest path over hypernym links between their senses."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from threading import Lock
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.files.arrays import concatenate_ragged
from vorlage.semihmm.kernels.hypernyms import (
    FAR,
    LONGEST,
    Ancestry,
    HypernymLinks,
    count_distances,
    find_ancestors,
    pair_distances,
)
from vorlage.text.wordnet import PARTS_OF_SPEECH, WordNet
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS
from vorlage.types import Bytes, Floats, Ints

__all__ = ["FAR", "LONGEST", "WordNetDistances"]

# Phrases whose reading is kept in memory, because new texts bring new phrases without end.
REMEMBERED = 1 << 17

Senses: TypeAlias = tuple[tuple[int, int], ...]  # numbers of synsets, and what each adds to a distance


class Readings(NamedTuple):
    """The readings (R) of some phrases, which a model keeps: WordNet takes a while to look them up.

    `first` (R, 5), `above` (A, 2): their ancestors, as in `vorlage.semihmm.kernels.hypernyms`; `counts` (R):
    how many phrases have each.
    """

    first: Ints = np.empty((0, 5), dtype=np.int32)
    above: Ints = np.empty((0, 2), dtype=np.int32)
    counts: Floats = np.empty(0)


class WordNetDistances:
    """Senses of words and phrases, their ancestors, and distances between them.

    A *reading* is the senses of a phrase, by part of speech (noun, verb, adjective, adverb). WordNet has them
    by frequency: the first adds 0 to a distance, the second 1, the third and fourth 2, the next four 3, and
    so on. The distance of two readings is the shortest path between two senses of the same part of speech,
    with what both add. A link goes to a hypernym, and is as long as the information content that it loses, or
    from an adjective to the main one that it is similar to, with length 1. Closed-class words have no
    reading, and auxiliaries only one as verbs.

    With `first_senses`, the distance is that of the first senses in the first part of speech that both
    phrases have, all words are looked up, only hypernyms are links, and all links have length 1.

    Readings are numbered in the order in which they are met. Memory is bounded by the size of WordNet and by
    `REMEMBERED`. Threads may share the object.
    """

    def __init__(self, wordnet: WordNet, first_senses: bool = False) -> None:
        self._wordnet, self._first_senses = wordnet, first_senses
        self._lock = Lock()  # around what gives numbers
        self._readings: dict[tuple[Senses, ...], int] = {}  # senses by part of speech → reading number
        self._known = lru_cache(REMEMBERED)(self._look_up)
        self._links = HypernymLinks(*wordnet.links())
        # Of readings, as the arrays of vorlage.semihmm.kernels.hypernyms.
        self._above, self._first = _Rows(2), _Rows(5)

    def __reduce__(self) -> tuple[type, tuple[WordNet, bool]]:
        return WordNetDistances, (self._wordnet, self._first_senses)

    def reading(self, words: tuple[str, ...]) -> int:
        """Return the number of the reading of a phrase of lower-case words, −1 if it is not in WordNet."""
        if len(words) > 1 and "_".join(words[:-1]) not in self._wordnet.beginnings(words[0]):
            return -1
        return self._known("_".join(words))

    def beginning(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield `(size, reading)` of the longer phrases of WordNet that `words` begin with."""
        name, beginnings = words[0], self._wordnet.beginnings(words[0])
        for size, word in enumerate(words[1:], start=2):
            if name not in beginnings:
                break
            name = f"{name}_{word}"
            if (reading := self._known(name)) >= 0:
                yield size, reading

    def begins(self, word: str) -> bool:
        """Return whether a longer phrase of WordNet may begin with this lower-case word."""
        return bool(self._wordnet.beginnings(word))

    def count(self, phrases: Iterable[str]) -> tuple[list[int], list[float]]:
        """Return the readings of phrases, words between spaces, and how many phrases have each."""
        counts = Counter(self.reading(tuple(phrase.split(" "))) for phrase in phrases)
        del counts[-1]
        return list(counts), [float(count) for count in counts.values()]

    def collect(self, phrases: Iterable[str]) -> Readings:
        """Return the readings of phrases, words between spaces."""
        readings, counts = self.count(phrases)
        rows = self._first.rows()[np.array(readings, dtype=np.int64)]
        spans = [self._above.rows()[first:last] for first, *_, last in rows.tolist()]
        above, at = concatenate_ragged([Readings().above, *spans])
        first = rows - rows[:, :1] + at[1:-1, None]
        return Readings(first.astype(np.int32), above, np.array(counts))

    def add(self, readings: Readings) -> Ints:
        """Add what `collect` returned; return the numbers of the readings."""
        with self._lock:
            size = len(self._first)
            self._first.append(readings.first + len(self._above))
            self._above.append(readings.above)
            return np.arange(size, len(self._first), dtype=np.int32)

    def _look_up(self, lemma: str) -> int:
        """Return the number of the reading of a lemma, −1 if WordNet does not have it."""
        if not self._wordnet.knows(lemma):  # as with most new pairs of words
            return -1
        with self._lock:
            reading = tuple(self._senses(lemma, part) for part in PARTS_OF_SPEECH)
            if not any(reading):
                return -1
            if reading not in self._readings:
                self._readings[reading] = len(self._first)
                self._climb(reading)
            return self._readings[reading]

    def _senses(self, lemma: str, part: str) -> Senses:
        synsets = self._wordnet.senses(lemma, part)
        if not synsets:
            return ()
        if self._first_senses:
            synsets = synsets[:1]
        elif CLOSED_CLASS.issuperset(lemma.split("_")) or (part != "v" and lemma in AUXILIARIES):
            return ()
        return tuple((synset, i.bit_length()) for i, synset in enumerate(synsets))

    def _climb(self, reading: tuple[Senses, ...]) -> None:
        """Add the ancestors of a new reading to those of the others."""
        senses, further = np.array(list(chain.from_iterable(reading)), dtype=np.int32).T.copy()
        bounds = np.array([0, *accumulate(map(len, reading))], dtype=np.int32)
        only = self._first_senses
        above, ends = find_ancestors(senses, further.astype(np.uint8), bounds, self._links, only)
        self._first.append(ends[None] + len(self._above))
        self._above.append(above)

    def histograms(
        self, documents: Ints | list[int], summaries: Ints | list[int], counts: Floats | list[float]
    ) -> Floats:
        """Count the summary phrases at each distance of each document reading (D, LONGEST).

        `documents` (D), `summaries` (S): reading numbers; `counts` (S): phrases with that reading.
        """
        document, summary = np.asarray(documents, np.int32), np.asarray(summaries, np.int32)
        out, ancestry = np.zeros((len(document), LONGEST)), self._ancestry()
        for begin in range(0, len(document), 64):
            some = slice(begin, begin + 64)
            out[some] = count_distances(document[some], summary, np.asarray(counts, float), ancestry)
        return out

    def distances(self, documents: Ints, summaries: Ints) -> Bytes:
        """Return the distances of pairs of readings (−1 for a phrase without one); FAR is infinite."""
        document, summary = np.asarray(documents, np.int32), np.asarray(summaries, np.int32)
        return pair_distances(document, summary, self._ancestry())

    def _ancestry(self) -> Ancestry:
        """Return the readings as the kernels take them."""
        synsets = len(self._links.climbs)
        return Ancestry(self._first.rows(), self._above.rows(), synsets, self._first_senses)


class _Rows:
    """A growing int32 array of rows."""

    def __init__(self, width: int) -> None:
        self._buffer = np.empty((1024, width), dtype=np.int32)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, rows: Ints) -> None:
        size = self._size + len(rows)
        if size > len(self._buffer):
            grown = np.empty((2 * size, self._buffer.shape[1]), dtype=np.int32)
            grown[: self._size] = self.rows()
            self._buffer = grown
        self._buffer[self._size : size] = rows
        self._size = size

    def rows(self) -> Ints:
        return self._buffer[: self._size]
