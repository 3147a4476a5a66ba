"""The candidates of some pairs of texts: the phrase pairs that the rewrite model can use, and where."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.files.arrays import Ragged
from vorlage.semihmm.table import PADDING, PhraseTable, row_of_entries, unique_phrases
from vorlage.semihmm.wordnet import FAR, WordNetDistances
from vorlage.types import Bytes, Ints, LongInts, Span

# Phrases of words that are repeated on both sides have the square of their occurrences as places.
MAX_PLACES = 200 * 200
BITS = 32  # of a phrase in the key of a phrase pair
LONGEST = 256  # above the words of a phrase


class Side(NamedTuple):
    """One text of each of N pairs.

    - `words` (n) int32: the numbers of the words;
    - `sentences` (n) int32: the sentence of each word;
    - `sentence_ends` (D) int32: the word after the last one of each sentence;
    - `types` (V) int32: the distinct words, sorted;
    - `type_of` (n) int32: the place of each word among them.
    """

    words: Ragged
    sentences: Ragged
    sentence_ends: Ragged
    types: Ragged
    type_of: Ragged

    @classmethod
    def of(cls, words: Sequence[Ints], sentences: Sequence[Sequence[Span]], size: int) -> "Side":
        """Return the side of some texts, whose numbers of words are below `size`, with their sentences."""
        every = Ragged.of(words)
        sizes = [np.array([last - first for first, last in spans], dtype=np.int32) for spans in sentences]
        numbers = [np.arange(len(of_text), dtype=np.int32).repeat(of_text) for of_text in sizes]
        ends = Ragged.of([of_text.cumsum(dtype=np.int32) for of_text in sizes])
        types, at, index = find_types(every, size)
        return cls(every, Ragged.of(numbers), ends, Ragged(types, at), Ragged(index, every.at))

    def ends(self) -> Ints:
        """Return the word after the last one of the sentence of each word, flat."""
        first = np.repeat(self.sentence_ends.at[:-1], np.diff(self.words.at))
        ends: Ints = self.sentence_ends.flat[first + self.sentences.flat]
        return ends


class Candidates(NamedTuple):
    """The phrase table of some pairs, and where its entries occur in each pair.

    `readings` (V+P): the WordNet reading of each phrase, −1 for none. `distance` (E): WordNet distances, FAR
    if there is none. `cells` (V, U): the entry of each pair of distinct words. `places`
    (m, 4): the longer phrase pairs (t, k, j, l), sorted; `entries` (m): their entries. `related`: the phrases
    of WordNet in the documents and in the summaries, of `_related_phrases`.
    """

    table: PhraseTable
    readings: Ints
    distance: Bytes
    cells: Ragged
    places: Ragged
    entries: Ragged
    related: tuple[Ragged, Ragged]


def find_candidates(
    document: Side,
    summary: Side,
    longest: tuple[int, int],
    words: Sequence[str],
    stems: Ints,
    wordnet: WordNetDistances | None,
    full: bool = False,
    apart: bool = False,
) -> Candidates:
    """Return the candidates of some pairs.

    Args:
        document: the documents.
        summary: the summaries.
        longest: the most words of a phrase of either.
        words: sorted; the sides have their numbers.
        stems: a number for the stem of each word.
        wordnet: None to do without WordNet.
        full: whether all phrase pairs of a pair of texts are candidates.
        apart: whether each pair has its own numbers of longer phrases.
    """
    ends = document.ends(), summary.ends()
    nothing = Ragged(np.empty((0, 3), dtype=np.int32), np.zeros_like(document.words.at))
    related = nothing, nothing, np.empty((0, 0), dtype=np.uint8)
    if wordnet is not None:
        related = _related_phrases(document, summary, ends, longest, words, wordnet)
    sides = document.words, summary.words
    places, at = find_places(sides, ends, longest, stems, related, full)
    longer, documents, partners = _number_phrases(document, summary, places, at, len(words), apart)
    keys, entries = np.unique(documents.astype(np.int64) << BITS | partners, return_inverse=True)
    of_longer = (keys >> BITS).astype(np.int32), (keys & (1 << BITS) - 1).astype(np.int32)
    size = len(words) + len(longer)
    types = document.types, summary.types
    rows, partners, cells, of_keys = list_entries(len(words), size, types, of_longer)
    of_stems = len(words) + unique_phrases(np.append(stems, PADDING).astype(np.int32)[longer])[1]
    of_phrases = np.concatenate([stems, of_stems])
    table = PhraseTable(longer, rows, partners, np.empty(len(partners), np.uint8))
    documents = row_of_entries(table)
    table.kind[:] = (of_phrases[documents] == of_phrases[partners]).astype(np.uint8) + (documents == partners)
    readings = np.full(size, -1, dtype=np.int32)
    distance = np.full(len(partners), FAR, dtype=np.uint8)
    if wordnet is not None:
        readings = wordnet.readings(words, longer)
        matrix, d, s = _distances(wordnet, readings[documents], readings[partners])
        distance = matrix[s, d]
    cells_at = np.append(0, np.cumsum(np.diff(types[0].at) * np.diff(types[1].at)))
    places_at = 4 * at
    return Candidates(
        table,
        readings,
        distance,
        Ragged(cells, cells_at),
        Ragged(places.ravel(), places_at),
        Ragged(of_keys[entries], at),
        related[:2],
    )


def _distances(
    wordnet: WordNetDistances, documents: Ints, summaries: Ints
) -> tuple[Bytes, LongInts, LongInts]:
    """Return the distances of some distinct readings, and the place of each reading on either side."""
    (document, d), (summary, s) = map(_distinct, (documents, summaries))
    return wordnet.distances(document, summary), d, s


def _distinct(readings: Ints) -> tuple[Ints, LongInts]:
    """Return the distinct numbers from −1 on, sorted, and the place of each number among them."""
    has = np.zeros(readings.max(initial=-1) + 2, dtype=bool)
    has[readings + 1] = True
    return (np.flatnonzero(has) - 1).astype(np.int32), (np.cumsum(has) - 1)[readings + 1]


def _number_phrases(
    document: Side, summary: Side, places: Ints, at: LongInts, size: int, apart: bool
) -> tuple[Ints, Ints, Ints]:
    """Return the longer phrases at some places of each pair, sorted and padded, and the numbers of the
    document and the summary phrase at each place (M); words are below `size`.

    `places` (M, 4): those of pair i are `at[i] : at[i+1]`. `apart`: as for `find_candidates`.
    """
    width = int(places[:, 1::2].max(initial=1))
    steps, phrases, counts = np.arange(width), [], np.diff(at)
    for side, starts, sizes in ((document, *places[:, 2:].T), (summary, *places[:, :2].T)):
        first = starts + np.repeat(side.words.at[:-1], counts)
        inside = steps < sizes[:, None]
        phrases.append(
            np.where(inside, side.words.flat.take(first[:, None] + steps, mode="clip"), PADDING).astype(
                np.int32
            )
        )
    every = np.concatenate(phrases)
    numbers, several = every[:, 0].copy(), (every[:, 1:] != PADDING).any(axis=1)
    of_pairs = np.tile(np.repeat(np.arange(len(counts), dtype=np.int32) * apart, counts), 2)
    longer, found = unique_phrases(np.column_stack([every, of_pairs])[several])
    longer = np.ascontiguousarray(longer[:, :-1])
    numbers[several] = size + found
    return longer, numbers[: len(places)], numbers[len(places) :]


def _related_phrases(
    document: Side,
    summary: Side,
    ends: tuple[Ints, Ints],
    longest: tuple[int, int],
    words: Sequence[str],
    wordnet: WordNetDistances,
) -> tuple[Ragged, Ragged, Bytes]:
    """Return where phrases of WordNet occur on both sides, and the distances of their readings.

    The first two are (m, 3) arrays of start, length and place in the distances (S, D) by pair.
    """
    begins = np.array([wordnet.begins(word) for word in words], dtype=bool)
    known, found = wordnet.readings(words), []
    for side, of_words, most in zip((document, summary), ends, longest, strict=True):
        flat, at = side.words
        rows = [np.stack([np.arange(len(flat)), np.ones_like(flat), known[flat]], axis=1)[known[flat] >= 0]]
        last = of_words + np.repeat(at[:-1], np.diff(at))
        [starts] = np.nonzero(begins[flat] & (np.arange(1, len(flat) + 1) < last))
        names = [words[word] for word in flat.tolist()] if len(starts) else []
        longer = [
            (start, size, reading)
            for start, end in zip(starts.tolist(), last[starts].tolist(), strict=True)
            if wordnet.starts(names[start], names[start + 1])
            for size, reading in wordnet.beginning(names[start : min(start + most, end)])
        ]
        every = np.concatenate([*rows, np.array(longer, dtype=np.int64).reshape(-1, 3)])
        every = every[np.argsort(every[:, 0], kind="stable")]
        bounds = np.searchsorted(every[:, 0], at)
        every[:, 0] -= np.repeat(at[:-1], np.diff(bounds))
        found.append((every, bounds))
    (of_document, d_at), (of_summary, s_at) = found
    matrix, of_document[:, 2], of_summary[:, 2] = _distances(wordnet, of_document[:, 2], of_summary[:, 2])
    return Ragged(of_document.astype(np.int32), d_at), Ragged(of_summary.astype(np.int32), s_at), matrix


@exact_kernel
def find_types(words: Ragged, size: int) -> tuple[Ints, LongInts, Ints]:
    """Return the distinct words of each text, sorted, their bounds, and the place of each word among them.

    `words`: numbers below `size`.
    """
    flat, at = words
    types, index, count = np.empty_like(flat), np.empty_like(flat), 0
    bounds, met, place = np.zeros_like(at), np.full(size, -1, np.int32), np.empty(size, np.int32)
    for i in range(at.shape[0] - 1):
        for x in range(at[i], at[i + 1]):
            if met[flat[x]] != i:
                met[flat[x]] = i
                types[count] = flat[x]
                count += 1
        bounds[i + 1] = count
        types[bounds[i] : count].sort()
        for x in range(bounds[i], count):
            place[types[x]] = x - bounds[i]
        for x in range(at[i], at[i + 1]):
            index[x] = place[flat[x]]
    return types[:count].copy(), bounds, index


@inner_kernel
def _list_occurrences(numbers: Ints, first: Ints, after: Ints) -> None:
    """Write the first place of each number to `first`, and to `after` the next place of the same number."""
    for x in range(numbers.shape[0] - 1, -1, -1):
        after[x] = first[numbers[x]]
        first[numbers[x]] = x


@exact_kernel
def find_places(
    words: tuple[Ragged, Ragged],
    ends: tuple[Ints, Ints],
    longest: tuple[int, int],
    stems: Ints,
    related: tuple[Ragged, Ragged, Bytes],
    full: bool,
) -> tuple[Ints, LongInts]:
    """Return the places of the longer phrase pairs of each pair (M, 4), sorted, and the bounds of pairs.

    They are phrases of several words with equal stems, and phrases of WordNet that are related, one of
    several words. A pair of stems that would have more than `MAX_PLACES` places has none.

    Args:
        words: of documents and summaries.
        ends: of the sentence of each word.
        longest: the most words of a phrase of either side.
        stems: of all words.
        related: of `_related_phrases`.
        full: whether all phrase pairs with a longer phrase are wanted instead.
    """
    most, (of_document, of_summary, distances) = min(longest), related
    first = np.full(stems.shape[0] + 1, -1, np.int32)
    at, found = np.zeros(words[0].at.shape[0], np.int64), [np.int64(0)]
    parts = [np.empty((0, 4), np.int32)]
    for i in range(at.shape[0] - 1):
        d0, d1, s0, s1 = words[0].at[i], words[0].at[i + 1], words[1].at[i], words[1].at[i + 1]
        document, summary = stems[words[0].flat[d0:d1]], stems[words[1].flat[s0:s1]]
        d_ends, s_ends, n = ends[0][d0:d1], ends[1][s0:s1], d1 - d0
        after = np.empty(n, np.int32)
        found.clear()
        _list_occurrences(document, first, after)
        for t in range(summary.shape[0] if full else 0):
            for k in range(1, min(longest[1], s_ends[t] - t) + 1):
                for j in range(n):
                    for span in range(1 if k > 1 else 2, min(longest[0], d_ends[j] - j) + 1):
                        found.append(((t * LONGEST + k) * n + j) * LONGEST + span)
        for t in range(summary.shape[0] - 1 if most > 1 and not full else 0):
            if t + 1 == s_ends[t]:
                continue
            often, j = 0, first[summary[t]]
            while j >= 0:
                often += j + 1 < d_ends[j] and document[j + 1] == summary[t + 1]
                j = after[j]
            if often * summary.shape[0] > MAX_PLACES:
                others = 0
                for x in range(summary.shape[0] - 1):
                    same = summary[x] == summary[t] and summary[x + 1] == summary[t + 1]
                    others += same and x + 1 < s_ends[x]
                if often * others > MAX_PLACES:
                    continue
            j = first[summary[t]]
            while j >= 0:
                k = 1
                while (
                    k < most and t + k < s_ends[t] and j + k < d_ends[j] and document[j + k] == summary[t + k]
                ):
                    k += 1
                    found.append(((t * LONGEST + k) * n + j) * LONGEST + k)
                j = after[j]
        for word in document:
            first[word] = -1
        for y in range(of_summary.at[i], of_summary.at[i + 1]):
            t, k, reading = of_summary.flat[y]
            for x in range(of_document.at[i], of_document.at[i + 1]):
                j, span, other = of_document.flat[x]
                if k * span > 1 and distances[reading, other] < FAR:
                    found.append(((t * LONGEST + k) * n + j) * LONGEST + span)
        keys = np.unique(np.array(found)) if len(found) else np.empty(0, np.int64)
        places = np.empty((keys.shape[0], 4), np.int32)
        for x in range(keys.shape[0]):
            left, right = divmod(keys[x] // LONGEST, n)
            places[x, 0], places[x, 1], places[x, 2] = left // LONGEST, left % LONGEST, right
            places[x, 3] = keys[x] % LONGEST
        parts.append(places)
        at[i + 1] = at[i] + keys.shape[0]
    every = np.empty((at[-1], 4), np.int32)
    for i in range(at.shape[0] - 1):
        every[at[i] : at[i + 1]] = parts[i + 1]
    return every, at


@exact_kernel
def list_entries(
    words: int, size: int, types: tuple[Ragged, Ragged], longer: tuple[Ints, Ints]
) -> tuple[LongInts, Ints, Ints, Ints]:
    """Return the rows and partners of a phrase table of V words and V+P phrases.

    Args:
        words: V.
        size: V+P.
        types: the distinct words of documents and summaries.
        longer: the document and the summary phrase of each entry with a longer phrase, sorted.

    Returns:
        rows (V+P+1); partners (E); the entry of each pair of a distinct document word and a distinct summary
        word (V, U) of each pair, flat; those of `longer`.
    """
    (d_types, d_at), (s_types, s_at) = types
    count, pairs = d_types.shape[0], d_at.shape[0] - 1
    # The pairs that have each document word, and its column there.
    first, of_pair, column = (
        np.zeros(words + 1, np.int64),
        np.empty(count, np.int32),
        np.empty(count, np.int32),
    )
    for x in range(count):
        first[d_types[x] + 1] += 1
    first[:] = np.cumsum(first)
    next_one, cells_at = first.copy(), np.zeros(pairs + 1, np.int64)
    for i in range(pairs):
        width = d_at[i + 1] - d_at[i]
        cells_at[i + 1] = cells_at[i] + width * (s_at[i + 1] - s_at[i])
        for x in range(width):
            word = d_types[d_at[i] + x]
            of_pair[next_one[word]], column[next_one[word]] = i, x
            next_one[word] += 1
    rows, cells = np.zeros(size + 1, np.int64), np.empty(cells_at[-1], np.int32)
    partners, of_longer = np.empty(cells_at[-1] + longer[0].shape[0], np.int32), np.empty_like(longer[0])
    met, entry, e, q = np.full(words, -1, np.int32), np.empty(words, np.int32), 0, 0
    for row in range(size):
        if row < words:
            for x in range(first[row], first[row + 1]):
                for y in range(s_at[of_pair[x]], s_at[of_pair[x] + 1]):
                    if met[s_types[y]] != row:
                        met[s_types[y]] = row
                        partners[e] = s_types[y]
                        e += 1
            if first[row + 1] - first[row] > 1:
                partners[rows[row] : e].sort()
            for x in range(rows[row], e):
                entry[partners[x]] = x
            for x in range(first[row], first[row + 1]):
                i = of_pair[x]
                height = s_at[i + 1] - s_at[i]
                for y in range(height):
                    cells[cells_at[i] + column[x] * height + y] = entry[s_types[s_at[i] + y]]
        while q < longer[0].shape[0] and longer[0][q] == row:
            partners[e], of_longer[q] = longer[1][q], e
            e += 1
            q += 1
        rows[row + 1] = e
    return rows, partners[:e].copy(), cells, of_longer


@exact_kernel
def transpose(table: PhraseTable) -> tuple[LongInts, Ints, Ints]:
    """Return rows (V+P+1) and partners (E) of a table with its sides swapped, and its entries there."""
    rows = np.zeros_like(table.rows)
    for partner in table.partners:
        rows[partner + 1] += 1
    rows[:] = np.cumsum(rows)
    at, partners, numbers = rows.copy(), np.empty_like(table.partners), np.empty_like(table.partners)
    for row in range(rows.shape[0] - 1):
        for e in range(table.rows[row], table.rows[row + 1]):
            new = at[table.partners[e]]
            at[table.partners[e]] += 1
            partners[new], numbers[e] = row, new
    return rows, partners, numbers


@exact_kernel
def transpose_cells(cells: Ragged, types: tuple[Ragged, Ragged], numbers: Ints) -> Ints:
    """Return the cells of each pair (U, V) with new numbers of entries, flat; `types`: of both sides."""
    flat, at = cells
    out = np.empty_like(flat)
    for i in range(at.shape[0] - 1):
        width, height = types[0].at[i + 1] - types[0].at[i], types[1].at[i + 1] - types[1].at[i]
        for v in range(width):
            for u in range(height):
                out[at[i] + u * width + v] = numbers[flat[at[i] + v * height + u]]
    return out
