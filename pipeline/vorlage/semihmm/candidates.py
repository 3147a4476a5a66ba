"""The candidates of some pairs of texts: the phrase pairs that the rewrite model can use, and where."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.files.arrays import concatenate_ragged, split_ragged
from vorlage.semihmm.table import PADDING, PhraseTable, unique_phrases
from vorlage.semihmm.wordnet import FAR, WordNetDistances
from vorlage.text.words import stem
from vorlage.types import Bytes, Ints, LongInts

# Phrases of words that are repeated on both sides have the square of their occurrences as places.
MAX_PLACES = 200 * 200
BITS = 32  # of a phrase in the key of a phrase pair


class Side(NamedTuple):
    """A side of a pair: the numbers of its words (n), the word after the last one of each sentence, and the
    most words of a phrase."""

    words: Ints
    sentence_ends: Ints
    longest: int

    @property
    def ends(self) -> Ints:
        """The word after the last one of the sentence of each word (n)."""
        return np.repeat(self.sentence_ends, np.diff(self.sentence_ends, prepend=0))


TextPair: TypeAlias = tuple[Side, Side]  # document and summary


class Candidates(NamedTuple):
    """The phrase table of some pairs, and where its entries occur in each pair.

    `readings` (V+P): the WordNet reading of each phrase, −1 for none. `distance` (E): WordNet distances, FAR
    if there is none. `cells` (U, V): the entry of each pair of a
    distinct summary word and a distinct document word. `places` (m, 4): the longer phrase pairs (t, k, j, l),
    sorted; `entries` (m): their entries.
    """

    table: PhraseTable
    readings: Ints
    distance: Bytes
    cells: list[Ints]
    places: list[Ints]
    entries: list[Ints]


def find_candidates(
    pairs: Sequence[TextPair],
    words: Sequence[str],
    wordnet: WordNetDistances | None,
    language: str = "en",
    full: bool = False,
) -> Candidates:
    """Return the candidates of some pairs.

    Args:
        pairs: document and summary of each.
        words: sorted; the sides have their numbers.
        wordnet: None to do without WordNet.
        language: of stems.
        full: whether all phrase pairs of a pair of texts are candidates.
    """
    numbers: dict[str, int] = {}
    stems = np.array(
        [numbers.setdefault(stem(word, language), len(numbers)) for word in words], dtype=np.int32
    )
    if full:
        places = [_all_places(*pair) for pair in pairs]
    else:
        places = [_same_stems(*pair, stems) for pair in pairs]
        if wordnet is not None:
            finder = _WordNetFinder(wordnet, words)
            places = [np.concatenate([p, finder.find(*pair)]) for p, pair in zip(places, pairs, strict=True)]
        places = [_sort(part) for part in places]
    longer, phrases = _number_phrases(pairs, places, len(words))
    grids = [_all_words(*pair) for pair in pairs]
    keys, at = concatenate_ragged([*grids, *(d.astype(np.int64) << BITS | s for d, s in phrases)], np.int64)
    # Those of a pair of texts are sorted: with an index, the sort is one that merges.
    distinct, _, entries = np.unique(keys, return_index=True, return_inverse=True)
    documents, partners = distinct >> BITS, (distinct & (1 << BITS) - 1).astype(np.int32)
    of_stems = len(words) + unique_phrases(np.append(stems, PADDING).astype(np.int32)[longer])[1]
    of_phrases = np.concatenate([stems, of_stems])
    kind = (of_phrases[documents] == of_phrases[partners]).astype(np.uint8) + (documents == partners)
    rows = np.searchsorted(documents, np.arange(len(of_phrases) + 1))
    readings = np.full(len(of_phrases), -1, dtype=np.int32)
    distance = np.full(len(partners), FAR, dtype=np.uint8)
    if wordnet is not None:
        readings = wordnet.readings(words, longer)
        distance = wordnet.distances(readings[documents], readings[partners])
    parts = split_ragged(entries.ravel().astype(np.int32), at)
    widths = [len(np.unique(document.words)) for document, _ in pairs]
    cells = [np.ascontiguousarray(p.reshape(n, -1).T) for p, n in zip(parts, widths, strict=False)]
    table = PhraseTable(longer, rows, partners, kind)
    return Candidates(table, readings, distance, cells, places, parts[len(pairs) :])


def _all_words(document: Side, summary: Side) -> LongInts:
    """Return the keys of the pairs of distinct words of a pair of texts, by document word."""
    documents, summaries = np.unique(document.words), np.unique(summary.words)
    return (documents.astype(np.int64)[:, None] << BITS | summaries).ravel()


def _number_phrases(
    pairs: Sequence[TextPair], places: Sequence[Ints], size: int
) -> tuple[Ints, list[tuple[Ints, Ints]]]:
    """Return the longer phrases at some places of each pair, sorted and padded, and the numbers of the
    document and the summary phrase at each place; words are below `size`."""
    width = max([1, *(int(part[:, 1::2].max(initial=1)) for part in places)])
    phrases, numbers = [np.empty((0, width), dtype=np.int32)], []
    for (document, summary), (t, k, j, span) in zip(pairs, (part.T for part in places), strict=True):
        for words, starts, sizes in ((document.words, j, span), (summary.words, t, k)):
            spans, at = np.unique(starts.astype(np.int64) << 8 | sizes, return_inverse=True)
            offsets = (spans >> 8)[:, None] + np.arange(width)
            inside = np.arange(width) < (spans & 255)[:, None]
            rows = np.where(inside, words.take(offsets, mode="clip"), PADDING).astype(np.int32)
            numbers.append((rows[:, 0].copy(), inside[:, 1:].any(axis=1), at.ravel()))
            phrases.append(rows[numbers[-1][1]])
    longer, found = unique_phrases(np.concatenate(phrases))
    first, sides = 0, []
    for single, several, at in numbers:
        last = first + int(several.sum())
        single[several] = size + found[first:last]
        sides.append(single[at])
        first = last
    return longer, list(zip(sides[::2], sides[1::2], strict=True))


def _sort(places: Ints) -> Ints:
    """Return places sorted, each once."""
    places = places[np.lexsort(places.T[::-1])]
    return places[np.append(True, (places[1:] != places[:-1]).any(axis=1))[: len(places)]]


def _all_places(document: Side, summary: Side) -> Ints:
    """Return the places of all phrase pairs with a longer phrase (m, 4), sorted."""
    d_spans, s_spans = _all_spans(document), _all_spans(summary)
    s, d = np.nonzero((s_spans[:, 1, None] > 1) | (d_spans[None, :, 1] > 1))
    return np.concatenate([s_spans[s], d_spans[d]], axis=1)


def _all_spans(side: Side) -> Ints:
    """Return start and length of all phrases of a side, sorted."""
    starts = np.repeat(np.arange(len(side.words), dtype=np.int32), side.longest)
    sizes = np.tile(np.arange(1, side.longest + 1, dtype=np.int32), len(side.words))
    inside = starts + sizes <= side.ends[starts]
    return np.stack([starts[inside], sizes[inside]], axis=1)


def _same_stems(document: Side, summary: Side, stems: Ints) -> Ints:
    """Return the places of phrases of several words with equal stems (m, 4), unsorted.

    A pair of stems that would have more than `MAX_PLACES` places has none. `stems`: of the words.
    """
    of_document, of_summary = stems[document.words], stems[summary.words]
    keys, others = _successive(of_document, document.ends), _successive(of_summary, summary.ends)
    order = np.argsort(others, kind="stable")
    first, last = (np.searchsorted(others[order], keys, side) for side in ("left", "right"))
    counts = np.where(keys >= 0, last - first, 0)
    _, numbers, repeats = np.unique(keys, return_inverse=True, return_counts=True)
    counts[repeats[numbers] * counts > MAX_PLACES] = 0
    j = np.repeat(np.arange(len(keys)), counts)
    t = order[np.arange(len(j)) - np.repeat(np.cumsum(counts) - counts - first, counts)]
    rows = [np.empty((0, 4), np.int32)]
    for size in range(2, min(document.longest, summary.longest) + 1):
        if size > 2:
            inside = (j + size <= document.ends[j]) & (t + size <= summary.ends[t])
            j, t = j[inside], t[inside]
            same = of_document[j + size - 1] == of_summary[t + size - 1]
            j, t = j[same], t[same]
        sizes = np.full_like(t, size)
        rows.append(np.stack([t, sizes, j, sizes], axis=1).astype(np.int32))
    return np.concatenate(rows)


def _successive(stems: Ints, ends: Ints) -> LongInts:
    """Return a number for each stem and the next one; −1 at the end of a sentence."""
    keys = np.full(len(stems), -1, dtype=np.int64)
    keys[:-1] = stems[:-1].astype(np.int64) << 32 | stems[1:]
    keys[np.arange(1, len(stems) + 1) == ends] = -1
    return keys


class _WordNetFinder:
    """Finds the phrases of WordNet in texts of some words."""

    def __init__(self, wordnet: WordNetDistances, words: Sequence[str]) -> None:
        self._wordnet, self._words = wordnet, words
        self._begins = np.array([wordnet.begins(word) for word in words], dtype=bool)
        self._readings = wordnet.readings(words)

    def find(self, document: Side, summary: Side) -> Ints:
        """Return the places of related phrases, one of several words (m, 4), unsorted."""
        of_document, of_summary = self._phrases(document), self._phrases(summary)
        d, s = np.nonzero((of_document[:, 1, None] > 1) | (of_summary[None, :, 1] > 1))
        near = self._wordnet.distances(of_document[d, 2], of_summary[s, 2]) < FAR
        return np.concatenate([of_summary[s[near], :2], of_document[d[near], :2]], axis=1)

    def _phrases(self, side: Side) -> Ints:
        """Return where phrases of WordNet occur: (m, 3) of start, length and reading."""
        readings = self._readings[side.words]
        [known] = np.nonzero(readings >= 0)
        rows = np.stack([known, np.ones_like(known), readings[known]], axis=1)
        names = [self._words[word] for word in side.words.tolist()]
        [begins] = np.nonzero(self._begins[side.words])
        longer = [
            (start, size, reading)
            for start, end in zip(begins.tolist(), side.ends[begins].tolist(), strict=True)
            for size, reading in self._wordnet.beginning(names[start : min(start + side.longest, end)])
        ]
        return np.concatenate([rows, np.array(longer, dtype=np.int64).reshape(-1, 3)]).astype(np.int32)
