"""Distances between words in WordNet: the shortest path over hypernym links between first senses."""

from functools import lru_cache

import numpy as np

from pipeline.semihmm.kernels.hypernyms import FAR, LONGEST, distance_histograms, pair_distances

PARTS_OF_SPEECH = ("n", "v", "a", "r")
REMEMBERED = 1 << 17  # phrases of which the reading is kept; new texts bring new ones without end


class Senses:
    """First senses of words and phrases, and what lies above them.

    A *reading* is the tuple of first synsets over noun, verb, adjective, adverb (−1 where a part of
    speech lacks the word); readings are numbered as they are met. ``reader`` is an NLTK WordNet reader.
    What is kept is bounded by WordNet, and by ``REMEMBERED``.
    """

    def __init__(self, reader):
        self._reader = reader
        self._readings = {}  # tuple of synset numbers → reading number
        self._numbers = {}  # synset → number
        self._known = lru_cache(REMEMBERED)(self._look_up)
        self._above = _Rows(2)  # rows (ancestor, distance) of each synset, one after the other
        self._first = _Rows(1)  # where each synset's rows begin, and one more
        self._first.append([[0]])
        self._numbered = _Rows(4)  # reading number → synset numbers
        self._prefixes = {lemma.rsplit("_", 1)[0] for lemma in reader.all_lemma_names() if "_" in lemma}
        self._beginnings = {prefix.split("_", 1)[0] for prefix in self._prefixes}

    def reading(self, words):
        """The number of the reading of a phrase (a tuple of lower-case words), −1 when WordNet lacks it."""
        if len(words) > 1 and "_".join(words[:-1]) not in self._prefixes:
            return -1
        return self._known("_".join(words))

    def beginning(self, words):
        """Yield ``(size, reading)`` of the longer phrases of WordNet that ``words`` begin with."""
        name = words[0]
        for size, word in enumerate(words[1:], start=2):
            known = name in self._prefixes
            name = f"{name}_{word}"
            if known and (reading := self._known(name)) >= 0:
                yield size, reading

    def begins(self, word):
        """Whether a longer phrase of WordNet may begin with this lower-case word."""
        return word.split("_", 1)[0] in self._beginnings

    def offsets(self, readings):
        """The WordNet offsets of readings, int64 (len(readings), 4), −1 for none."""
        synsets = list(self._numbers)
        tuples = list(self._readings)
        return np.array(
            [[synsets[x].offset() if x >= 0 else -1 for x in tuples[reading]] for reading in readings],
            dtype=np.int64,
        ).reshape(-1, 4)

    def from_offsets(self, offsets):
        """The inverse of :meth:`offsets`: reading numbers, a list of int."""
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

    def _look_up(self, lemma):
        """The number of the reading of a lemma, −1 when WordNet lacks it."""
        first = []
        for part in PARTS_OF_SPEECH:
            synsets = self._reader.synsets(lemma, part)
            first.append(self._number(synsets[0]) if synsets else -1)
        return self._reading(tuple(first))

    def _reading(self, numbers):
        if max(numbers) < 0:
            return -1
        if numbers not in self._readings:
            self._readings[numbers] = len(self._readings)
            self._numbered.append([numbers])
        return self._readings[numbers]

    def _number(self, synset):
        if synset not in self._numbers:
            own = {}
            for parent in synset.hypernyms() + synset.instance_hypernyms():
                for ancestor, distance in self._ancestors(self._number(parent)):
                    own[ancestor] = min(own.get(ancestor, FAR), distance + 1)
            number = self._numbers[synset] = len(self._numbers)
            own[number] = 0
            self._above.append(sorted(own.items()))
            self._first.append([[len(self._above)]])
        return self._numbers[synset]

    def _ancestors(self, number):
        first, last = self._first.rows()[number : number + 2, 0]
        return self._above.rows()[first:last].tolist()

    def arrays(self):
        """``(readings, first, above)`` for :mod:`pipeline.semihmm.kernels.hypernyms`, int32.

        ``readings`` (number of readings, 4): synset numbers. The ancestors of synset x, itself included,
        are rows ``first[x, 0] : first[x+1, 0]`` of ``above``, (ancestor, distance), sorted by ancestor.
        """
        return self._numbered.rows(), self._first.rows(), self._above.rows()

    def histograms(self, documents, summaries, counts):
        """How many summary phrases lie at each distance of each document reading.

        ``documents`` (D), ``summaries`` (S): reading numbers; ``counts`` (S): phrases with that reading.
        Returns float64 (D, LONGEST): entry [i, x] counts the phrases at distance x of documents[i].
        """
        documents, summaries = np.asarray(documents, np.int32), np.asarray(summaries, np.int32)
        return distance_histograms(documents, summaries, np.asarray(counts, float), *self.arrays())

    def distances(self, documents, summaries):
        """Distances of pairs of readings (two int arrays, −1 for none), uint8; FAR is infinite."""
        return pair_distances(
            np.asarray(documents, np.int32), np.asarray(summaries, np.int32), *self.arrays()
        )


class _Rows:
    """A growing int32 array of rows."""

    def __init__(self, width):
        self._buffer = np.empty((1024, width), dtype=np.int32)
        self._size = 0

    def __len__(self):
        return self._size

    def append(self, rows):
        size = self._size + len(rows)
        if size > len(self._buffer):
            grown = np.empty((2 * size, self._buffer.shape[1]), dtype=np.int32)
            grown[: self._size] = self.rows()
            self._buffer = grown
        self._buffer[self._size : size] = rows
        self._size = size

    def rows(self):
        return self._buffer[: self._size]
