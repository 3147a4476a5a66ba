"""Distances between words in WordNet: the shortest path over hypernym links between first senses."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pipeline.semihmm.kernels.hypernyms import FAR, LONGEST, distance_histograms, pair_distances
from pipeline.types import Bytes, Floats, Ints, LongInts

__all__ = ["FAR", "LONGEST", "WordNetDistances"]

PARTS_OF_SPEECH = ("n", "v", "a", "r")
# Phrases whose reading is kept in memory, because new texts bring new phrases without end.
REMEMBERED = 1 << 17


class WordNetDistances:
    """First senses of words and phrases, their ancestors, and distances between them.

    A *reading* is the tuple of first synsets over noun, verb, adjective and adverb (−1 for a part of speech
    that the word does not have); readings are numbered in the order in which they are met. ``reader`` is an
    NLTK WordNet reader. Memory is bounded by the size of WordNet and by ``REMEMBERED``.
    """

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self._readings: dict[tuple[int, ...], int] = {}  # tuple of synset numbers → reading number
        self._numbers: dict[Any, int] = {}  # synset → number
        self._known = lru_cache(REMEMBERED)(self._look_up)
        self._ancestor_rows = _Rows(2)  # rows (ancestor, distance) of each synset, concatenated
        self._first = _Rows(1)  # where the rows of each synset begin, and one more
        self._first.append([[0]])
        self._numbered = _Rows(4)  # reading number → synset numbers
        self._prefixes = {lemma.rsplit("_", 1)[0] for lemma in reader.all_lemma_names() if "_" in lemma}
        self._beginnings = {prefix.split("_", 1)[0] for prefix in self._prefixes}

    def reading(self, words: tuple[str, ...]) -> int:
        """Return the number of the reading of a phrase of lower-case words, −1 if it is not in WordNet."""
        if len(words) > 1 and "_".join(words[:-1]) not in self._prefixes:
            return -1
        return self._known("_".join(words))

    def beginning(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield ``(size, reading)`` of the longer phrases of WordNet that ``words`` begin with."""
        name = words[0]
        for size, word in enumerate(words[1:], start=2):
            known = name in self._prefixes
            name = f"{name}_{word}"
            if known and (reading := self._known(name)) >= 0:
                yield size, reading

    def begins(self, word: str) -> bool:
        """Return whether a longer phrase of WordNet may begin with this lower-case word."""
        return word.split("_", 1)[0] in self._beginnings

    def offsets(self, readings: Sequence[int]) -> LongInts:
        """Return the WordNet offsets of readings (R, 4), −1 for a missing part of speech."""
        synsets = list(self._numbers)
        tuples = list(self._readings)
        return np.array(
            [[synsets[x].offset() if x >= 0 else -1 for x in tuples[reading]] for reading in readings],
            dtype=np.int64,
        ).reshape(-1, 4)

    def from_offsets(self, offsets: LongInts) -> list[int]:
        """Do the inverse of :meth:`offsets`: return reading numbers."""
        look_up = self._reader.synset_from_pos_and_offset
        return [
            self._reading(
                tuple(
                    self._number(look_up(part, int(offset))) if offset >= 0 else -1
                    for part, offset in zip(PARTS_OF_SPEECH, row, strict=True)
                )
            )
            for row in offsets
        ]

    def _look_up(self, lemma: str) -> int:
        """Return the number of the reading of a lemma, −1 if WordNet does not have it."""
        first = []
        for part in PARTS_OF_SPEECH:
            synsets = self._reader.synsets(lemma, part)
            first.append(self._number(synsets[0]) if synsets else -1)
        return self._reading(tuple(first))

    def _reading(self, numbers: tuple[int, ...]) -> int:
        if max(numbers) < 0:
            return -1
        if numbers not in self._readings:
            self._readings[numbers] = len(self._readings)
            self._numbered.append([numbers])
        return self._readings[numbers]

    def _number(self, synset: Any) -> int:
        if synset not in self._numbers:
            distances: dict[int, int] = {}
            for parent in synset.hypernyms() + synset.instance_hypernyms():
                for ancestor, distance in self._ancestors(self._number(parent)):
                    distances[ancestor] = min(distances.get(ancestor, FAR), distance + 1)
            number = self._numbers[synset] = len(self._numbers)
            distances[number] = 0
            self._ancestor_rows.append(sorted(distances.items()))
            self._first.append([[len(self._ancestor_rows)]])
        return self._numbers[synset]

    def _ancestors(self, number: int) -> list[list[int]]:
        first, last = self._first.rows()[number : number + 2, 0]
        return self._ancestor_rows.rows()[first:last].tolist()

    def arrays(self) -> tuple[Ints, Ints, Ints]:
        """Return ``(readings, first, above)`` for :mod:`pipeline.semihmm.kernels.hypernyms`.

        ``readings`` (number of readings, 4): synset numbers. The ancestors of synset x, x included, are the
        rows ``first[x, 0] : first[x+1, 0]`` of ``above``, (ancestor, distance), sorted by ancestor.
        """
        return self._numbered.rows(), self._first.rows(), self._ancestor_rows.rows()

    def histograms(self, documents: Sequence[int], summaries: Sequence[int], counts: Floats) -> Floats:
        """Count the summary phrases at each distance of each document reading.

        ``documents`` (D), ``summaries`` (S): reading numbers; ``counts`` (S): phrases with that reading.
        Return (D, LONGEST): entry [i, x] counts the phrases at distance x from documents[i].
        """
        document, summary = np.asarray(documents, np.int32), np.asarray(summaries, np.int32)
        return distance_histograms(document, summary, np.asarray(counts, float), *self.arrays())

    def distances(self, documents: Ints, summaries: Ints) -> Bytes:
        """Return the distances of pairs of readings (−1 for a phrase without one); FAR is infinite."""
        return pair_distances(
            np.asarray(documents, np.int32), np.asarray(summaries, np.int32), *self.arrays()
        )


class _Rows:
    """A growing int32 array of rows."""

    def __init__(self, width: int) -> None:
        self._buffer = np.empty((1024, width), dtype=np.int32)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, rows: Sequence[Sequence[int]]) -> None:
        size = self._size + len(rows)
        if size > len(self._buffer):
            grown = np.empty((2 * size, self._buffer.shape[1]), dtype=np.int32)
            grown[: self._size] = self.rows()
            self._buffer = grown
        self._buffer[self._size : size] = rows
        self._size = size

    def rows(self) -> Ints:
        return self._buffer[: self._size]
