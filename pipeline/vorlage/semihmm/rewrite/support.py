"""The support of the rewrite model: the phrase pairs that it can use in the pairs of a corpus."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.files.arrays import concatenate_ragged, split_ragged
from vorlage.semihmm.kernels.phrase_table import IDENTICAL, SAME_STEM, UNLIKE, PhraseTable
from vorlage.semihmm.kernels.word_pairs import DistinctWords, number_pairs
from vorlage.semihmm.rewrite.instances import Instance, Spans, Vocabulary
from vorlage.semihmm.rewrite.table import count_words, make_table, pad, row_of_entries
from vorlage.semihmm.rewrite.wordnet_distance import FAR, WordNetDistances
from vorlage.text.words import stem
from vorlage.types import Bytes, Floats, Ints, LongInts

Phrase: TypeAlias = tuple[int, ...]
PhraseSide: TypeAlias = tuple[
    Ints, Spans, int
]  # word numbers, sentences and longest phrase of a side of a pair


# Phrases of words that are repeated on both sides have the square of their occurrences as places.
MAX_PLACES = 200 * 200


class Occurrences(NamedTuple):
    """Where the entries of a phrase table occur in a pair of U distinct summary and V distinct document
    words.

    `cells` (U, V): the entry of each pair of distinct words. `places`, `by_end`: the longer phrase pairs, as
    in `vorlage.semihmm.kernels.arguments.KernelInputs`; `entries` (m): their entries.
    """

    cells: Ints
    places: Ints
    by_end: Ints
    entries: Ints


@dataclass(frozen=True)
class Support:
    """The phrase table of some instances, and where its entries occur.

    `distance` (E): WordNet distances, FAR if there is none. `reading` (V+P): the WordNet reading of each
    phrase, −1 for a phrase that is not in WordNet. `occurrences`: of each instance, in order.
    """

    table: PhraseTable
    distance: Bytes
    reading: Ints
    occurrences: list[Occurrences]


class StemClasses:
    """The number of words of a known vocabulary with each of their `stems`, which are of a `language`."""

    def __init__(self, words: Iterable[str], stems: Sequence[str], language: str = "en") -> None:
        self._stems, self._language = dict(zip(words, stems, strict=True)), language
        self._sizes = Counter(stems)

    def chance(self, words: Iterable[str]) -> Floats:
        """Return 1 / |{w : stem(w) = stem(word)}| for each word; an unknown word counts itself too."""
        sizes = [
            self._sizes[self._stems[word]]
            if word in self._stems
            else self._sizes[stem(word, self._language)] + 1
            for word in words
        ]
        return 1.0 / np.array(sizes, dtype=float)


def build_support(
    instances: Sequence[Instance],
    words: Sequence[str],
    wordnet: WordNetDistances | None,
    longest_document: int,
    longest_summary: int,
    language: str = "en",
    full: bool = False,
) -> Support:
    """Find the support of `instances`, whose words are numbered as in `words`.

    `wordnet`: None to do without WordNet. `longest_…`: the longest phrases of a side, in words.
    `language`: of stems. `full`: whether all phrase pairs of an instance are in its support.
    """
    numbers = Vocabulary()  # of stems
    stems = np.array([numbers.number(stem(word, language)) for word in words], dtype=np.int32)
    finder = PhraseFinder(words, stems, wordnet)
    word_rows, partners, cells = _cooccurring(instances, len(words))
    places = [finder.find(instance, longest_document, longest_summary, full) for instance in instances]
    longer, reading = finder.sort(places)
    phrase_pairs, entries = _number_pairs(places, len(reading))
    rows = np.repeat(np.arange(len(words), dtype=np.int32), np.diff(word_rows))
    word_kinds = (stems[rows] == stems[partners]).astype(np.uint8) + (rows == partners)
    kind = np.concatenate([word_kinds, finder.kinds(phrase_pairs)])
    table = make_table(pad(longer), word_rows, partners, phrase_pairs, kind)
    documents = np.concatenate([reading[rows], reading[phrase_pairs[:, 0]]])
    summaries = np.concatenate([reading[partners], reading[phrase_pairs[:, 1]]])
    distance = np.full(len(documents), FAR, dtype=np.uint8)
    if wordnet is not None:
        distance = wordnet.distances(documents, summaries)
    occurrences = [
        _occurrences(own, place[:, :4].copy(), (len(partners) + entry).astype(np.int32))
        for own, place, entry in zip(cells, places, entries, strict=True)
    ]
    return Support(table, distance, reading, occurrences)


def _occurrences(cells: Ints, places: Ints, entries: Ints) -> Occurrences:
    by_end = np.argsort(places[:, 0] + places[:, 1], kind="stable").astype(np.int32)
    return Occurrences(cells, places, by_end, entries)


def reverse_support(support: Support) -> Support:
    """Return the support of one instance with its sides swapped.

    It is what `build_support` finds for the reversed instance, if the longest phrases of both sides may have
    the same number of words.
    """
    table, [occurrences] = support.table, support.occurrences
    listed, words = len(table.partners), count_words(table)
    # The word block of one instance has every pair of its distinct words, so it is transposed.
    by_partner = occurrences.cells.ravel()
    by_summary = np.lexsort(table.phrase_pairs.T)
    order = np.concatenate([by_partner, listed + by_summary])
    ends = np.cumsum(np.bincount(table.partners, minlength=words))
    swapped = make_table(
        table.longer,
        np.concatenate([[0], ends]).astype(np.int64),
        row_of_entries(table)[by_partner],
        np.ascontiguousarray(table.phrase_pairs[by_summary, ::-1]),
        table.kind[order],
    )
    new_numbers = np.empty(len(order), dtype=np.int32)
    new_numbers[order] = np.arange(len(order), dtype=np.int32)
    places = occurrences.places[:, [2, 3, 0, 1]]
    by_place = np.lexsort(places.T[::-1]).astype(np.int32)
    places = np.ascontiguousarray(places[by_place])
    cells = np.ascontiguousarray(new_numbers[occurrences.cells].T)
    reversed_occurrences = _occurrences(cells, places, new_numbers[occurrences.entries[by_place]])
    return Support(swapped, support.distance[order], support.reading, [reversed_occurrences])


def _cooccurring(instances: Sequence[Instance], size: int) -> tuple[LongInts, Ints, list[Ints]]:
    """Return `word_rows` and `partners` of the word block of `size` words, and the cells of each instance."""
    summaries, summaries_at = concatenate_ragged([i.summary_types[0] for i in instances])
    documents, documents_at = concatenate_ragged([i.document_types[0] for i in instances])
    owners = np.repeat(np.arange(len(instances), dtype=np.int32), np.diff(summaries_at))
    order = np.argsort(summaries, kind="stable")
    first = np.append(0, np.cumsum(np.diff(documents_at)[owners]))
    words = DistinctWords(summaries, owners, documents, documents_at)
    word_rows, partners, cells = number_pairs(words, order, first, size)
    shapes = list(zip(np.diff(summaries_at).tolist(), np.diff(documents_at).tolist(), strict=True))
    parts = split_ragged(cells, np.cumsum([0, *(rows * columns for rows, columns in shapes)]))
    return word_rows, partners, [part.reshape(s) for part, s in zip(parts, shapes, strict=True)]


def _number_pairs(places: Sequence[Ints], phrases: int) -> tuple[Ints, list[LongInts]]:
    """Return the distinct phrase pairs of all places, sorted, and the number of the pair of each place."""
    keys, at = concatenate_ragged([p[:, 4].astype(np.int64) * phrases + p[:, 5] for p in places], np.int64)
    pairs, numbers = np.unique(keys, return_inverse=True)
    return np.stack(np.divmod(pairs, phrases), axis=1).astype(np.int32), split_ragged(numbers, at)


def _with_ends(side: PhraseSide) -> tuple[Ints, LongInts]:
    """Return the words of a side and for each the end of its sentence."""
    words, breaks, _ = side
    return words, np.repeat([end for _, end in breaks], [end - start for start, end in breaks]).astype(
        np.int64
    )


def _successive(stems: Ints, ends: LongInts) -> LongInts:
    """Return a number for each stem and the next one; −1 at the end of a sentence."""
    keys = np.full(len(stems), -1, dtype=np.int64)
    keys[:-1] = stems[:-1].astype(np.int64) << 32 | stems[1:]
    keys[np.arange(1, len(stems) + 1) == ends] = -1
    return keys


class PhraseFinder:
    """Numbers phrases, words first and longer ones as they are met, and finds where they form pairs."""

    def __init__(self, words: Sequence[str], stems: Ints, wordnet: WordNetDistances | None) -> None:
        self._longer: list[Phrase] = []
        self._words = words
        self._stems = stems
        self._wordnet = wordnet
        self._numbers: dict[Phrase, int] = {}
        readings = [-1 if wordnet is None else wordnet.reading((word,)) for word in words]
        self._readings = np.array(readings, dtype=np.int32)
        self._begins = np.array([wordnet is not None and wordnet.begins(word) for word in words], dtype=bool)

    def sort(self, places: Iterable[Ints]) -> tuple[list[Phrase], Ints]:
        """Number the longer phrases in sorted order, also in `places` (in place).

        Return them, and the WordNet reading of every phrase, −1 for a phrase that is not in WordNet.
        """
        first = len(self._words)
        order = sorted(range(len(self._longer)), key=self._longer.__getitem__)
        self._longer = [self._longer[old] for old in order]
        numbers = np.arange(first + len(order), dtype=np.int32)
        numbers[first + np.array(order, dtype=np.int64)] = np.arange(first, first + len(order))
        for place in places:
            place[:, 4:] = numbers[place[:, 4:]]
        readings = [
            self._wordnet.reading(tuple(self._words[w] for w in phrase))
            if self._wordnet and self._begins[phrase[0]]
            else -1
            for phrase in self._longer
        ]
        return self._longer, np.concatenate([self._readings, np.array(readings, dtype=np.int32)])

    def kinds(self, pairs: Ints) -> Bytes:
        """Return the kind of every phrase pair (document, summary)."""
        numbers = Vocabulary()  # of phrases of stems; −1 for a word, which is like no longer phrase
        stem_of = self._stems.tolist()
        stems = [numbers.number(str([stem_of[word] for word in phrase])) for phrase in self._longer]
        of_phrases = np.array([*[-1] * len(self._words), *stems], dtype=np.int32)
        documents, summaries = pairs.T
        same = (of_phrases[documents] == of_phrases[summaries]) & (of_phrases[documents] >= 0)
        return np.where(documents == summaries, IDENTICAL, np.where(same, SAME_STEM, UNLIKE)).astype(np.uint8)

    def find(self, instance: Instance, longest_document: int, longest_summary: int, full: bool) -> Ints:
        """Find the longer phrase pairs of an instance that are equal up to stem or related in WordNet.

        `full`: find all. Return an array (m, 6) of t, k, j, l, document and summary phrase, sorted.
        """
        document = instance.document, instance.document_breaks, longest_document
        summary = instance.summary, instance.summary_breaks, longest_summary
        if full:
            return self._all(document, summary)
        places = self._same_stems(document, summary)
        if self._wordnet is not None:
            places = np.concatenate([places, self._related(self._wordnet, document, summary)])
        places = places[np.lexsort(places.T[::-1])]
        distinct = np.append(True, (places[1:] != places[:-1]).any(axis=1))[: len(places)]
        return places[distinct]

    def _number(self, phrase: Phrase) -> int:
        if len(phrase) == 1:
            return phrase[0]
        if phrase not in self._numbers:
            self._numbers[phrase] = len(self._words) + len(self._longer)
            self._longer.append(phrase)
        return self._numbers[phrase]

    def _all(self, document_side: PhraseSide, summary_side: PhraseSide) -> Ints:
        """Return the places of all phrase pairs with a longer phrase, (m, 6) as `find` does."""
        document, summary = self._phrases(document_side), self._phrases(summary_side)
        s, d = np.nonzero((summary[:, 1, None] > 1) | (document[None, :, 1] > 1))
        return np.concatenate([summary[s, :2], document[d], summary[s, 2:]], axis=1)

    def _phrases(self, side: PhraseSide) -> Ints:
        """Return all phrases of a side, (m, 3) of start, length and number, sorted."""
        words, breaks, longest = side
        rows = [
            (start, size, self._number(tuple(words[start : start + size].tolist())))
            for first, last in breaks
            for start in range(first, last)
            for size in range(1, min(longest, last - start) + 1)
        ]
        return np.array(rows, dtype=np.int32).reshape(-1, 3)

    def _same_stems(self, document_side: PhraseSide, summary_side: PhraseSide) -> Ints:
        """Return the places of phrases of several words with equal stems, (m, 6) as `find` does, unsorted.

        A pair of stems that would have more than `MAX_PLACES` places has none.
        """
        (document, document_ends), (summary, summary_ends) = map(_with_ends, (document_side, summary_side))
        stems = self._stems[document], self._stems[summary]
        keys = [
            _successive(own, ends) for own, ends in zip(stems, (document_ends, summary_ends), strict=True)
        ]
        order = np.argsort(keys[1], kind="stable")
        bounds = [np.searchsorted(keys[1][order], keys[0], side) for side in ("left", "right")]
        counts = np.where(keys[0] >= 0, bounds[1] - bounds[0], 0)
        _, numbers, repeats = np.unique(keys[0], return_inverse=True, return_counts=True)
        counts[repeats[numbers] * counts > MAX_PLACES] = 0
        j = np.repeat(np.arange(len(document)), counts)
        t = order[np.arange(len(j)) - np.repeat(np.cumsum(counts) - counts - bounds[0], counts)]
        rows = [np.empty((0, 3), np.int64)]
        for size in range(2, min(document_side[2], summary_side[2]) + 1):
            if size > 2:
                inside = (j + size <= document_ends[j]) & (t + size <= summary_ends[t])
                j, t = j[inside], t[inside]
                same = stems[0][j + size - 1] == stems[1][t + size - 1]
                j, t = j[same], t[same]
            rows.append(np.stack([t, np.full_like(t, size), j], axis=1))
        t, sizes, j = np.concatenate(rows).T
        d, s = self._number_phrases(document, j, sizes), self._number_phrases(summary, t, sizes)
        return np.stack([t, sizes, j, sizes, d, s], axis=1).astype(np.int32)

    def _number_phrases(self, words: Ints, starts: LongInts, sizes: LongInts) -> Ints:
        """Return the numbers of the phrases of `sizes` words that begin at `starts`."""
        places, at = np.unique(starts << 8 | sizes, return_inverse=True)
        spans = np.stack([places >> 8, (places >> 8) + (places & 255)], axis=1).tolist()
        own = words.tolist()
        return np.array([self._number(tuple(own[start:end])) for start, end in spans], dtype=np.int32)[at]

    def _in_wordnet(self, wordnet: WordNetDistances, side: PhraseSide) -> Ints:
        """Return where phrases of WordNet occur: (m, 4) of start, length, phrase, reading."""
        (words, ends), longest = _with_ends(side), side[2]
        readings = self._readings[words]
        [known] = np.nonzero(readings >= 0)
        rows = np.stack([known, np.ones_like(known), words[known], readings[known]], axis=1)
        numbers = words.tolist()
        names = [self._words[word] for word in numbers]
        [begins] = np.nonzero(self._begins[words])
        longer = [
            (start, size, self._number(tuple(numbers[start : start + size])), reading)
            for start, end in zip(begins.tolist(), ends[begins].tolist(), strict=True)
            for size, reading in wordnet.beginning(names[start : min(start + longest, end)])
        ]
        return np.concatenate([rows, np.array(longer, dtype=np.int64).reshape(-1, 4)]).astype(np.int32)

    def _related(
        self, wordnet: WordNetDistances, document_side: PhraseSide, summary_side: PhraseSide
    ) -> Ints:
        document, summary = self._in_wordnet(wordnet, document_side), self._in_wordnet(wordnet, summary_side)
        d, s = np.nonzero((document[:, 1, None] > 1) | (summary[None, :, 1] > 1))
        near = wordnet.distances(document[d, 3], summary[s, 3]) < FAR
        d_rows, s_rows = document[d[near]], summary[s[near]]
        return np.stack([*s_rows[:, :2].T, *d_rows[:, :3].T, s_rows[:, 2]], axis=1)
