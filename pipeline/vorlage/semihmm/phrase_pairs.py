"""The candidates of some pairs of texts: the phrase pairs that the rewrite model can use, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vorlage.compiled import exact_kernel
from vorlage.files.arrays import Ragged, concatenate_ragged
from vorlage.semihmm.table import PADDING, PhraseTable, phrase_texts, unique_phrases
from vorlage.semihmm.wordnet import FAR, WordNetDistances
from vorlage.settings import Training
from vorlage.types import Bytes, Ints, LongInts, Span

# Phrases of words that are repeated on both sides have the square of their occurrences as places.
MAX_PLACES = 200 * 200


class WordArrays(NamedTuple):
    """The words of a text.

    - `words` (n) int32: the numbers of the words;
    - `sentences` (n) int32: the sentence of each word;
    - `sentence_ends` (D) int32: the word after the last one of each sentence;
    - `types` (V) int32: the distinct words, sorted;
    - `type_of` (n) int32: the place of each word among them.
    """

    words: Ints
    sentences: Ints
    sentence_ends: Ints
    types: Ints
    type_of: Ints


class TextArrays(NamedTuple):
    """The `WordArrays` of one text of each of N pairs."""

    words: Ragged
    sentences: Ragged
    sentence_ends: Ragged
    types: Ragged
    type_of: Ragged

    def text(self, i: int) -> WordArrays:
        """Return those of a pair."""
        return WordArrays(*(arrays.part(i) for arrays in self))

    @classmethod
    def from_texts(
        cls, words: Sequence[Ints], sentences: Sequence[Sequence[Span]], size: int
    ) -> "TextArrays":
        """Return the side of some texts, whose numbers of words are below `size`, with their sentences."""
        flat = Ragged.join(words)
        sizes = [np.array([last - first for first, last in spans], dtype=np.int32) for spans in sentences]
        numbers = [np.arange(len(of_text), dtype=np.int32).repeat(of_text) for of_text in sizes]
        ends = Ragged.join([of_text.cumsum(dtype=np.int32) for of_text in sizes])
        types, index = np.unique(flat.flat + size * flat.numbers(), return_inverse=True)
        bounds = np.searchsorted(types, size * np.arange(len(words) + 1))
        type_of = Ragged((index - bounds[flat.numbers()]).astype(np.int32), flat.bounds)
        return cls(flat, Ragged.join(numbers), ends, Ragged((types % size).astype(np.int32), bounds), type_of)

    def phrase_ends(self, most: int) -> LongInts:
        """Return the place after the longest phrase that begins at each word, flat; `most`: of its words."""
        ends = self.sentence_ends.flat + self.words.bounds[self.sentence_ends.numbers()]
        return np.minimum(np.repeat(ends, np.diff(ends, prepend=0)), np.arange(len(self.words.flat)) + most)


@dataclass(frozen=True)
class PhrasePairs:
    """The phrase table of N pairs, and where its entries occur in each pair.

    - `readings` (V+P): the WordNet reading of each phrase, −1 for none;
    - `distance` (E): WordNet distances, FAR without one;
    - `cells` (V, U): the entry of each pair of distinct words;
    - `places` (m, 4): the longer phrase pairs (t, k, j, l), sorted; `entries` (m): their entries;
    - `related`: the phrases of WordNet in the documents and in the summaries, by `WordNetDistances.find`.
    """

    table: PhraseTable
    readings: Ints
    distance: Bytes
    cells: Ragged
    places: Ragged
    entries: Ragged
    related: tuple[Ints, Ints]


def find_phrase_pairs(
    document: TextArrays,
    summary: TextArrays,
    words: Sequence[str],
    stems: Ints,
    settings: Training,
    wordnet: WordNetDistances | None,
    apart: bool,
) -> PhrasePairs:
    """Return the candidates of some pairs.

    With fake counts of phrases, all phrase pairs are candidates. `words`: sorted; the sides have their
    numbers; `stems`: a number for the stem of each word; `apart`: whether each pair has its own numbers of
    longer phrases.
    """
    longest = settings.max_document_phrase, settings.max_summary_phrase
    texts, size = _AllWords.join(document, summary, longest), len(words)
    related = [np.empty((0, 3), dtype=np.int32)] * 2
    if wordnet:
        related = texts.split(wordnet.find(texts.words, texts.ends, words))
    known = [np.unique(np.append(phrases[:, 2], -1)) for phrases in related]
    distances = wordnet.distances(*known) if wordnet else np.full((1, 1), FAR, dtype=np.uint8)
    near = related, known, distances
    if settings.fake_counts.phrase > 0:
        sizes = texts.ends - np.arange(len(texts.ends))
        starts, more = np.nonzero(np.arange(sizes.max()) < sizes[:, None])  # of every phrase
        phrases = texts.split(np.column_stack([starts, more + 1, np.zeros_like(starts)]))
        near = phrases, [np.zeros(1, dtype=np.int32)] * 2, np.zeros((1, 1), dtype=np.uint8)
    places, _ = unique_phrases(np.concatenate([_equal_phrases(texts, stems), _near_phrases(texts, *near)]))
    longer, documents, summaries = _number_phrases(texts, places, size, apart)
    pairs, entries = unique_phrases(np.column_stack([documents, summaries]))
    _, of_longer = unique_phrases(np.append(stems, PADDING).astype(np.int32)[longer])
    names = phrase_texts(words, longer)
    readings = wordnet.readings(names) if wordnet else np.full(len(names), -1, dtype=np.int32)
    d_place, s_place = (np.searchsorted(of_side, readings) for of_side in known)
    order = np.argsort(document.types.flat, kind="stable")
    first = np.searchsorted(document.types.flat, np.arange(size + len(longer) + 1), sorter=order)
    rows, partners, kind, distance, cells, numbers = list_entries(
        (document.types, summary.types),
        (order, first),
        pairs,
        np.append(stems, size + of_longer),
        (distances, d_place, s_place),
    )
    of_pairs = texts.pairs[places[:, 0]]
    bounds = np.searchsorted(of_pairs, np.arange(len(document.words.bounds)))
    places[:, 0] -= texts.middle + summary.words.bounds[of_pairs]
    places[:, 2] -= document.words.bounds[of_pairs]
    return PhrasePairs(
        table=PhraseTable(longer, rows, partners, kind),
        readings=readings,
        distance=distance,
        cells=Ragged(
            cells, np.append(0, np.cumsum(np.diff(document.types.bounds) * np.diff(summary.types.bounds)))
        ),
        places=Ragged(places.astype(np.int32).ravel(), 4 * bounds),
        entries=Ragged(numbers[entries], bounds),
        related=(related[0], related[1] - np.array([texts.middle, 0, 0], dtype=np.int32)),
    )


class _AllWords(NamedTuple):
    """The words of all documents and then of all summaries, in one array.

    - `words` (n): their numbers;
    - `pairs` (n): the pair of each;
    - `ends` (n): the place after the longest phrase that begins at each;
    - `middle`: where the summaries begin.
    """

    words: Ints
    pairs: LongInts
    ends: LongInts
    middle: int

    @classmethod
    def join(cls, document: TextArrays, summary: TextArrays, longest: tuple[int, int]) -> "_AllWords":
        """Return those of two sides; `longest`: the most words of a phrase of either."""
        middle = len(document.words.flat)
        return cls(
            np.concatenate([document.words.flat, summary.words.flat]),
            np.concatenate([document.words.numbers(), summary.words.numbers()]),
            np.concatenate([document.phrase_ends(longest[0]), summary.phrase_ends(longest[1]) + middle]),
            middle,
        )

    def split(self, phrases: Ints) -> list[Ints]:
        """Return the phrases of documents and those of summaries; the first column has their starts."""
        return np.split(phrases, [np.searchsorted(phrases[:, 0], self.middle)])


def _equal_phrases(texts: _AllWords, stems: Ints) -> Ints:
    """Return the places (t, k, j, k) of phrases of several words with equal stems in a pair (m, 4).

    A pair of stems that would have more than `MAX_PLACES` places has none.
    """
    own, ends = stems[texts.words], texts.ends
    following = np.where(np.arange(1, len(own) + 1) < ends, np.roll(own, -1), PADDING)
    _, numbers = unique_phrases(np.column_stack([texts.pairs, own, following]))
    document, summary = np.split(numbers, [texts.middle])
    counts, others = (np.bincount(side, minlength=numbers.max() + 1) for side in (document, summary))
    [t] = np.nonzero((counts * (counts * others <= MAX_PLACES))[summary])
    occurrences = Ragged(np.argsort(document, kind="stable"), np.append(0, np.cumsum(counts)))
    j, bounds = concatenate_ragged([occurrences.part(number) for number in summary[t].tolist()], np.int64)
    t, size, places = texts.middle + np.repeat(t, np.diff(bounds)), 1, []
    while len(t):
        size += 1
        inside = (t + size <= ends[t]) & (j + size <= ends[j])
        t, j = t[inside], j[inside]
        same = own[t + size - 1] == own[j + size - 1]
        t, j = t[same], j[same]
        sizes = np.full_like(t, size)
        places.append(np.column_stack([t, sizes, j, sizes]))
    return np.concatenate([np.empty((0, 4), np.int64), *places])


def _near_phrases(
    texts: _AllWords, phrases: Sequence[Ints], known: Sequence[Ints], distances: Bytes
) -> LongInts:
    """Return the places (t, k, j, l) of phrases in a pair that are near, one of several words (m, 4).

    `phrases`: start, length and reading of phrases of documents and of summaries (…, 3), sorted; `known`: the
    readings of documents (D) and of summaries (S), sorted; `distances` (S, D): of these, FAR if not near.
    """
    places, near, sides = [], distances < FAR, []
    for of_side, readings in zip(phrases, known, strict=True):
        pairs = np.searchsorted(texts.pairs[of_side[:, 0]], np.arange(1, texts.pairs.max() + 1))
        of_side = np.column_stack([of_side[:, :2], np.searchsorted(readings, of_side[:, 2])])
        sides.append(np.split(of_side, pairs))
    for document, summary in zip(*sides, strict=True):
        several = summary[:, 1] > 1
        for s, d in ((summary[several], document), (summary[~several], document[document[:, 1] > 1])):
            y, x = np.nonzero(near[s[:, 2, None], d[:, 2]])
            places.append(np.column_stack([s[y, :2], d[x, :2]]))
    return np.concatenate(places)


def _number_phrases(texts: _AllWords, places: Ints, size: int, apart: bool) -> tuple[Ints, Ints, Ints]:
    """Return the longer phrases at some places, sorted and padded, and the number of the document and of the
    summary phrase of each place (m); words are below `size`; `apart`: as for `find_phrase_pairs`.
    """
    starts, sizes = np.concatenate([places[:, 2], places[:, 0]]), np.concatenate([places[:, 3], places[:, 1]])
    steps, several = np.arange(sizes.max(initial=1)), sizes > 1
    inside = steps < sizes[:, None]
    phrases = np.where(inside, texts.words.take(starts[:, None] + steps, mode="clip"), PADDING)
    numbers = phrases[:, 0].copy()
    longer, found = unique_phrases(np.column_stack([phrases, apart * texts.pairs[starts]])[several])
    numbers[several] = size + found
    return longer[:, :-1].astype(np.int32), numbers[: len(places)], numbers[len(places) :]


@exact_kernel
def list_entries(
    types: tuple[Ragged, Ragged],
    occurrences: tuple[LongInts, LongInts],
    longer: Ints,
    stems: LongInts,
    distances: tuple[Bytes, LongInts, LongInts],
) -> tuple[LongInts, Ints, Bytes, Bytes, Ints, Ints]:
    """Return the entries of a phrase table.

    Args:
        types: the distinct words of documents and summaries.
        occurrences: the places of the first, in the order of their words; where those of each phrase begin
            among these (V+P+1).
        longer: the document and the summary phrase of each entry with a longer phrase, sorted (m, 2).
        stems: a number for the stems of each phrase (V+P).
        distances: of phrases in WordNet, by row and column; the column of each document phrase (V+P); the row
            of each summary phrase.

    Returns:
        rows, partners and kind of a `PhraseTable`; the WordNet distance of each entry (E); the entry of each
        pair of a distinct document word and a distinct summary word (V, U) of each pair, flat; those of
        `longer`.
    """
    ((documents, document_bounds), (summaries, summary_bounds)), (matrix, columns, lines) = types, distances
    of_pair, cell_bounds = np.empty(documents.shape[0], np.int32), np.zeros(documents.shape[0] + 1, np.int64)
    for i in range(document_bounds.shape[0] - 1):
        for x in range(document_bounds[i], document_bounds[i + 1]):
            of_pair[x], cell_bounds[x + 1] = i, cell_bounds[x] + summary_bounds[i + 1] - summary_bounds[i]
    size, most = stems.shape[0], cell_bounds[-1] + longer.shape[0]
    (order, first), e, q, last = occurrences, 0, 0, 0
    rows, cells = np.zeros(size + 1, np.int64), np.empty(cell_bounds[-1], np.int32)
    partners, numbers = np.empty(most, np.int32), np.empty(longer.shape[0], np.int32)
    kind, distance = np.empty(most, np.uint8), np.empty(most, np.uint8)
    after = np.zeros(size, np.int32)  # the last entry of each summary word
    for row in range(size):
        places = order[first[row] : first[row + 1]]
        for x in places:
            for y in range(summary_bounds[of_pair[x]], summary_bounds[of_pair[x] + 1]):
                word = summaries[y]
                if after[word] <= rows[row]:
                    partners[e], last = word, max(last, word)
                    e += 1
                    after[word] = e
        if places.shape[0] > 1:  # in order; sorting them would take seconds to compile
            e = rows[row]
            for word in range(last + 1):
                if after[word] > rows[row]:
                    partners[e] = word
                    e += 1
        for x in range(rows[row], e):
            after[partners[x]] = x + 1
        for x in places:
            for y in range(cell_bounds[x + 1] - cell_bounds[x]):
                cells[cell_bounds[x] + y] = after[summaries[summary_bounds[of_pair[x]] + y]] - 1
        while q < longer.shape[0] and longer[q, 0] == row:
            partners[e], numbers[q] = longer[q, 1], e
            e += 1
            q += 1
        for x in range(rows[row], e):
            kind[x] = (stems[row] == stems[partners[x]]) + (row == partners[x])
            distance[x] = matrix[lines[partners[x]], columns[row]]
        rows[row + 1] = e
    return rows, partners[:e].copy(), kind[:e].copy(), distance[:e].copy(), cells, numbers
