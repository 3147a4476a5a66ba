"""Distances between words in WordNet: the shortest path over hypernym links between their senses.

A *reading* has ancestors in each of the four parts of speech. Ancestors are synsets, numbered from 0, and a
synset has one part of speech.

The distances of many readings from an ancestor lie side by side, so that the compiler can add to many of them
with one instruction.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from threading import Lock
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.compiled import exact_kernel
from vorlage.files.arrays import concatenate_ragged
from vorlage.text.wordnet import PARTS_OF_SPEECH, WordNet
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS
from vorlage.types import AnyArray, Bools, Bytes, Floats, Ints

FAR = 255  # represents an infinite distance
LONGEST = 64  # all other distances are below this
BEYOND = np.uint8(2 * LONGEST)  # at least LONGEST, also with a distance added, and still a uint8
GROUP = 256  # document readings whose distances are computed at once
# Phrases whose reading is kept in memory, because new texts bring new phrases without end.
REMEMBERED = 1 << 17

Senses: TypeAlias = tuple[tuple[int, int], ...]  # numbers of synsets, and what each adds to a distance


class Readings(NamedTuple):
    """The readings (R) of some phrases, which a model keeps: WordNet takes a while to look them up.

    - `first` (R, 5): reading x has the rows ``first[x, p] : first[x, p+1]`` of `above` in part p;
    - `above` (A, 2): an ancestor, and its distance;
    - `counts` (R): how many phrases have each.
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
        self.reading = lru_cache(REMEMBERED)(self._look_up_phrase)
        self.starts = lru_cache(REMEMBERED)(self._look_up_start)
        self._links = wordnet.links()
        self._above, self._first = _Rows(2), _Rows(5)  # as in `Readings`

    def __reduce__(self) -> tuple[type, tuple[WordNet, bool]]:
        return WordNetDistances, (self._wordnet, self._first_senses)

    def _look_up_phrase(self, words: tuple[str, ...]) -> int:
        """Return the number of the reading of a phrase of lower-case words, −1 if it is not in WordNet."""
        if len(words) > 1 and "_".join(words[:-1]) not in self._wordnet.beginnings(words[0]):
            return -1
        return self._known("_".join(words))

    def _look_up_start(self, first: str, second: str) -> bool:
        """Return whether a phrase of WordNet may begin with two words."""
        name = f"{first}_{second}"
        return name in self._wordnet.beginnings(first) or self._known(name) >= 0

    def readings(self, words: Sequence[str], longer: Ints | None = None) -> Ints:
        """Return the numbers of the readings of words and of longer phrases, padded rows of their numbers."""
        phrases = [] if longer is None else longer.tolist()
        of_phrases = [self.reading(tuple([words[word] for word in row if word >= 0])) for row in phrases]
        return np.array([*map(self._known, words), *of_phrases], dtype=np.int32)

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
        out, weights = np.zeros((len(documents), LONGEST)), np.asarray(counts, float)
        for some in (slice(begin, begin + GROUP) for begin in range(0, len(documents), GROUP)):
            out[some] = count_distances(self.distances(documents[some], summaries), weights)
        return out

    def distances(self, documents: Ints | list[int], summaries: Ints | list[int]) -> Bytes:
        """Return the distance of each summary reading from each document reading (S, D); FAR is infinite.

        `documents` (D), `summaries` (S): reading numbers, −1 for a phrase without one, which is far from all.
        """
        document, summary = np.asarray(documents, np.int32), np.asarray(summaries, np.int32)
        readings = self._first.rows(), self._above.rows()
        return distance_matrix(document, summary, readings, len(self._links[3]), self._first_senses)


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


@exact_kernel
def find_ancestors(
    senses: Ints, further: Bytes, bounds: Ints, links: tuple[Ints, Ints, AnyArray, Bools], only: bool
) -> tuple[Ints, Ints]:
    """Return the ancestors of a reading, senses included, with their distances (A, 2), part by part.

    Args:
        senses: synsets, those of part p from `bounds[p]` to `bounds[p + 1]`.
        further: what each of them adds to a distance.
        bounds: the bounds of the parts among the senses (5).
        links: between all synsets, see `vorlage.text.wordnet.WordNet.links`.
        only: whether only hypernyms are links, and all have length 1.

    Returns:
        the ancestors, and the bounds of the parts among them (5).
    """
    at, targets, lengths, climbs = links
    near, found = np.full(climbs.shape[0], FAR, np.uint8), np.empty(climbs.shape[0], np.int32)
    size, ends = 0, np.zeros(5, np.int32)
    for part in range(4):
        for i in range(bounds[part], bounds[part + 1]):
            if near[senses[i]] == FAR:
                found[size] = senses[i]
                size += 1
            near[senses[i]] = min(near[senses[i]], further[i])
        changed = True
        while changed:  # a longer way may be found before a shorter one
            changed, k = False, ends[part]
            while k < size:
                if climbs[found[k]] or not only:
                    for link in range(at[found[k]], at[found[k] + 1]):
                        distance = near[found[k]] + (1 if only else lengths[link])
                        if distance < near[targets[link]]:
                            if near[targets[link]] == FAR:
                                found[size] = targets[link]
                                size += 1
                            near[targets[link]] = distance
                            changed = True
                k += 1
        ends[part + 1] = size
    above = np.empty((size, 2), np.int32)
    for k in range(size):
        above[k, 0], above[k, 1] = found[k], near[found[k]]
    return above, ends


@exact_kernel
def distance_matrix(
    documents: Ints, summaries: Ints, readings: tuple[Ints, Ints], synsets: int, first_part: bool
) -> Bytes:
    """Return the least sum of the distances of two readings from an ancestor of both (S, D); FAR without one.

    Args:
        documents: readings, −1 for none (D).
        summaries: the same (S).
        readings: `first` and `above` of `Readings`.
        synsets: how many there are.
        first_part: whether only the first part of speech counts that two readings have.
    """
    first, above = readings
    out = np.full((summaries.shape[0], documents.shape[0]), FAR, np.uint8)
    place = np.empty(synsets, np.int32)
    best, closed = np.empty(GROUP, np.uint8), np.empty(GROUP, np.bool_)
    for begin in range(0, documents.shape[0], GROUP):
        some, places = documents[begin : begin + GROUP], 0
        size, known = some.shape[0], np.flatnonzero(some >= 0)
        place[:] = -1
        for d in known:
            for row in range(first[some[d], 0], first[some[d], 4]):
                if place[above[row, 0]] < 0:
                    place[above[row, 0]] = places
                    places += 1
        near = np.full((places, size), BEYOND, np.uint8)
        for d in known:
            for row in range(first[some[d], 0], first[some[d], 4]):
                near[place[above[row, 0]], d] = min(above[row, 1], BEYOND)
        for s in range(summaries.shape[0]):
            if summaries[s] < 0:
                continue
            distances = out[s, begin : begin + size]
            best[:], closed[:] = BEYOND, False
            for part in range(4):
                for row in range(first[summaries[s], part], first[summaries[s], part + 1]):
                    if place[above[row, 0]] >= 0 and above[row, 1] < LONGEST:
                        ancestor, further = place[above[row, 0]], np.uint8(above[row, 1])
                        for k in range(size):
                            best[k] = min(best[k], np.uint8(near[ancestor, k] + further))
                if first_part and first[summaries[s], part] < first[summaries[s], part + 1]:
                    for k in range(size):
                        has = some[k] >= 0 and first[some[k], part] < first[some[k], part + 1]
                        if has and not closed[k]:
                            closed[k] = True
                            distances[k] = best[k] if best[k] < LONGEST else FAR
                        best[k] = BEYOND
            if not first_part:
                for k in range(size):
                    distances[k] = best[k] if best[k] < LONGEST else FAR
    return out


@exact_kernel
def count_distances(distances: Bytes, counts: Floats) -> Floats:
    """Return the sum of the counts of the summary readings at each distance (D, LONGEST).

    `distances` (S, D), `counts` (S).
    """
    out = np.zeros((distances.shape[1], LONGEST))
    for s in range(distances.shape[0]):
        for k in range(distances.shape[1]):
            if distances[s, k] < LONGEST:
                out[k, distances[s, k]] += counts[s]
    return out
