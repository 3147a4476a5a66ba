"""Distances between words in WordNet: the shortest path over hypernym links between their senses.

A *reading* has ancestors in each of the four parts of speech. Ancestors are synsets, numbered from 0, and a
synset has one part of speech.

The distances of many readings from an ancestor lie side by side, so that the compiler can add to many of them
with one instruction.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from threading import RLock
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.compiled import exact_kernel
from vorlage.files.arrays import concatenate_ragged
from vorlage.settings import Training
from vorlage.text.wordnet import PARTS_OF_SPEECH, WordNet, open_wordnet
from vorlage.text.words import AUXILIARIES, CLOSED_CLASS
from vorlage.types import AnyArray, Bools, Bytes, Floats, Ints, LongInts

FAR = 255  # represents an infinite distance
LONGEST = 64  # all other distances are below this
BEYOND = np.uint8(2 * LONGEST)  # at least LONGEST, also with a distance added, and still a uint8
GROUP = 256  # document readings whose distances are computed at once
REMEMBERED = 1 << 17  # phrases whose reading is kept in memory: new texts bring new ones without end

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

    Phrases are lower-case, with spaces or `_` between words. Readings are numbered in the order in which they
    are met. Memory is bounded by the size of WordNet and by `REMEMBERED`. Threads may share the object.
    """

    def __init__(self, wordnet: WordNet, first_senses: bool = False) -> None:
        self._wordnet, self._first_senses, self._links = wordnet, first_senses, wordnet.links()
        self._lock = RLock()  # around what changes the object
        self._numbers: dict[tuple[Senses, ...], int] = {}  # senses by part of speech → reading number
        self._known: dict[str, int] = {}  # phrase → reading number
        self._readings = Readings()  # all, without counts

    def __reduce__(self) -> tuple[type, tuple[WordNet, bool]]:
        return WordNetDistances, (self._wordnet, self._first_senses)

    def readings(self, phrases: Sequence[str]) -> Ints:
        """Return the numbers of the readings of phrases, −1 for one that is not in WordNet."""
        with self._lock:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            names = [phrase.replace(" ", "_") for phrase in phrases]
            numbers = list(map(self._known.get, names))
            if None in numbers:
                self._look_up(dict.fromkeys(name for name in names if name not in self._known))
                numbers = [self._known[name] for name in names]
            return np.array(numbers, dtype=np.int32)

    def _look_up(self, phrases: Iterable[str]) -> None:
        """Give numbers to the readings of new phrases, and add the ancestors of those that are new, too."""
        new: list[tuple[Senses, ...]] = []
        for phrase in phrases:
            reading, self._known[phrase] = self._senses(phrase), -1
            if any(reading):
                if reading not in self._numbers:
                    self._numbers[reading] = len(self._readings.first) + len(new)
                    new.append(reading)
                self._known[phrase] = self._numbers[reading]
        if new:
            of_parts = list(chain.from_iterable(new))
            senses = np.array(list(chain.from_iterable(of_parts)), dtype=np.int32)
            bounds = np.cumsum([0, *map(len, of_parts)])
            self.add(Readings(*find_ancestors(senses, bounds, self._links, self._first_senses)))

    def _senses(self, phrase: str) -> tuple[Senses, ...]:
        """Return the senses of a phrase by part of speech; only its last word may be inflected."""
        beginning, _, _ = phrase.rpartition("_")
        if not self._wordnet.knows(phrase):  # as with most new pairs of words
            return ()
        if beginning and beginning not in self._wordnet.beginnings(beginning.partition("_")[0]):
            return ()
        synsets = [self._wordnet.senses(phrase, part) for part in PARTS_OF_SPEECH]
        if self._first_senses:
            synsets = [of_part[:1] for of_part in synsets]
        elif CLOSED_CLASS.issuperset(phrase.split("_")):
            return ()
        elif phrase in AUXILIARIES:
            synsets = [[], synsets[1], [], []]  # verbs
        return tuple(
            tuple((synset, i.bit_length()) for i, synset in enumerate(of_part)) for of_part in synsets
        )

    def find(self, text: Ints, ends: LongInts, words: Sequence[str]) -> Ints:
        """Return the phrases of WordNet in a text: start, length and reading (m, 3), sorted.

        `text` (n): numbers of `words`; `ends` (n): the end of the longest phrase that begins at each word.
        """
        singles = self.readings(words)[text]
        beginnings = list(map(self._wordnet.beginnings, words))
        begins = np.array(list(map(bool, beginnings)), dtype=bool)
        [starts] = np.nonzero(begins[text] & (np.arange(1, len(text) + 1) < ends))
        numbers, spans, longer = text.tolist(), [], []
        for start, end in zip(starts.tolist(), ends[starts].tolist(), strict=True):
            phrase, begun, last = words[numbers[start]], beginnings[numbers[start]], start + 1
            while last < end and phrase in begun:
                phrase = f"{phrase}_{words[numbers[last]]}"
                last += 1
                if self._known.get(phrase) != -1:  # few phrases are in WordNet
                    spans.append((start, last - start))
                    longer.append(phrase)
        single = np.stack([np.arange(len(text)), np.ones_like(text), singles], axis=1)
        several = np.column_stack([np.array(spans, dtype=int).reshape(-1, 2), self.readings(longer)])
        found = np.concatenate([single, several]).astype(np.int32)
        found = found[found[:, 2] >= 0]
        return found[np.argsort(found[:, 0], kind="stable")]

    def collect(self, phrases: Sequence[str]) -> tuple[list[int], Readings]:
        """Return the readings of phrases, and their numbers."""
        counts = Counter(self.readings(phrases).tolist())
        del counts[-1]
        rows = self._readings.first[np.array(list(counts), dtype=np.int64)]
        spans = [self._readings.above[first:last] for first, *_, last in rows.tolist()]
        above, bounds = concatenate_ragged([Readings().above, *spans])
        first = (rows - rows[:, :1] + bounds[1:-1, None]).astype(np.int32)
        return list(counts), Readings(first, above, np.array(list(counts.values()), dtype=float))

    def add(self, readings: Readings) -> Ints:
        """Add readings; return their numbers."""
        with self._lock:
            first, above, _ = self._readings
            all_first = np.concatenate([first, readings.first + len(above)])
            self._readings = Readings(all_first, np.concatenate([above, readings.above]))
            return np.arange(len(first), len(all_first), dtype=np.int32)

    def histograms(self, documents: Sequence[int], summaries: Sequence[int] | Ints, counts: Floats) -> Floats:
        """Count the summary phrases at each distance of each document reading (D, LONGEST).

        `documents` (D), `summaries` (S): reading numbers; `counts` (S): phrases with that reading.
        """
        out = np.zeros((len(documents), LONGEST))
        for group in (slice(begin, begin + GROUP) for begin in range(0, len(documents), GROUP)):
            count_distances(self.distances(documents[group], summaries), counts, out[group])
        return out

    def distances(self, documents: Sequence[int] | Ints, summaries: Sequence[int] | Ints) -> Bytes:
        """Return the distance of each summary reading from each document reading (S, D); FAR is infinite.

        `documents` (D), `summaries` (S): reading numbers, −1 for a phrase without one, which is far from all.
        """
        document, summary = np.asarray(documents, np.int32), np.asarray(summaries, np.int32)
        first, above, _ = self._readings
        first = np.append(first, np.zeros((1, 5), np.int32), axis=0)  # −1 is the last, without ancestors
        if not self._first_senses:
            return distance_matrix(document, summary, first[:, ::4], above, len(self._links[3]))
        out = np.full((len(summary), len(document)), FAR, dtype=np.uint8)
        for part in reversed(range(4)):
            spans = first[:, part : part + 2]
            has = spans[:, 0] < spans[:, 1]
            both = has[summary, None] & has[document]
            out[both] = distance_matrix(document, summary, spans, above, len(self._links[3]))[both]
        return out


def open_distances(settings: Training) -> WordNetDistances | None:
    """Return the distances that the settings ask for, None without WordNet."""
    return WordNetDistances(open_wordnet(), settings.wordnet == "first") if settings.wordnet else None


@exact_kernel
def find_ancestors(
    senses: Ints, bounds: LongInts, links: tuple[Ints, Ints, AnyArray, Bools], only: bool
) -> tuple[Ints, Ints]:
    """Return `first` and `above` of `Readings`: the ancestors of readings, senses included.

    `senses` (m, 2): synsets, and what each adds to a distance; `bounds`: among them, of the four parts of
    speech of each reading; `links`: of `WordNet.links`; `only`: only hypernyms are links, all of length 1.
    """
    link_bounds, targets, lengths, climbs = links
    near, found = np.empty(climbs.shape[0], np.uint8), np.empty(climbs.shape[0], np.int32)
    near[:] = FAR
    first, above = np.zeros((bounds.shape[0] // 4, 5), np.int32), [np.int32(0)]
    above.clear()
    for i in range(bounds.shape[0] - 1):
        size = 0
        for sense in range(bounds[i], bounds[i + 1]):
            synset, further = senses[sense, 0], senses[sense, 1]
            if near[synset] == FAR:
                found[size] = synset
                size += 1
            near[synset] = min(near[synset], further)
        changed = True
        while changed:  # a longer way may be found before a shorter one
            changed, k = False, 0
            while k < size:
                if climbs[found[k]] or not only:
                    for link in range(link_bounds[found[k]], link_bounds[found[k] + 1]):
                        distance = near[found[k]] + (1 if only else lengths[link])
                        if distance < near[targets[link]]:
                            if near[targets[link]] == FAR:
                                found[size] = targets[link]
                                size += 1
                            near[targets[link]] = distance
                            changed = True
                k += 1
        first[i // 4, i % 4] = len(above) // 2
        for k in range(size):
            above.append(found[k])
            above.append(near[found[k]])
            near[found[k]] = FAR
        first[i // 4, i % 4 + 1] = len(above) // 2
    return first, np.array(above).reshape(-1, 2)


@exact_kernel
def distance_matrix(documents: Ints, summaries: Ints, spans: Ints, above: Ints, synsets: int) -> Bytes:
    """Return the least sum of the distances of two readings from an ancestor of both (S, D); FAR without one.

    `documents` (D), `summaries` (S): readings; `spans` (R, 2): the first row of each reading in `above` of
    `Readings`, and the one after the last, of which −1 has none; `synsets`: how many there are.
    """
    out = np.empty((summaries.shape[0], documents.shape[0]), np.uint8)
    place = np.empty(synsets, np.int32)
    for begin in range(0, documents.shape[0], GROUP):
        group, places = documents[begin : begin + GROUP], 0
        place[:] = -1
        for d in range(group.shape[0]):
            for row in range(spans[group[d], 0], spans[group[d], 1]):
                if place[above[row, 0]] < 0:
                    place[above[row, 0]] = places
                    places += 1
        near = np.empty((places, group.shape[0]), np.uint8)
        near[:] = BEYOND
        for d in range(group.shape[0]):
            for row in range(spans[group[d], 0], spans[group[d], 1]):
                near[place[above[row, 0]], d] = min(above[row, 1], BEYOND)
        for s in range(summaries.shape[0]):
            best = out[s, begin : begin + GROUP]
            best[:] = BEYOND
            for row in range(spans[summaries[s], 0], spans[summaries[s], 1]):
                if place[above[row, 0]] >= 0 and above[row, 1] < LONGEST:
                    ancestor, further = place[above[row, 0]], np.uint8(above[row, 1])
                    for k in range(best.shape[0]):
                        best[k] = min(best[k], np.uint8(near[ancestor, k] + further))
            for k in range(best.shape[0]):
                best[k] = np.uint8(FAR) if best[k] >= LONGEST else best[k]
    return out


@exact_kernel
def count_distances(distances: Bytes, counts: Floats, out: Floats) -> None:
    """Add the `counts` of summary readings (S), by their `distances` (S, D), to `out` (D, LONGEST)."""
    for s in range(counts.shape[0]):
        for d in range(out.shape[0]):
            if distances[s, d] < LONGEST:
                out[d, distances[s, d]] += counts[s]
