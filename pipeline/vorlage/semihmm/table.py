"""The phrase table: the phrase pairs that the rewrite model can use, and where those of other texts are.

An *entry* is a phrase pair (d̄, s̄). Phrases have numbers: w < V is the one-word phrase of word w, V + i the
i-th longer phrase. A *row* holds the entries of one document phrase, whose number it has, by summary phrase.
Entries are the pairs of two words that occur in a document and its summary, and the pairs with a longer
phrase that are equal, equal up to stem, or both in WordNet, or all that occur in a document and its summary.

Phrase pairs to which no part of the rewrite model gives a probability are not listed, so the table is as
sparse as co-occurrence; nothing is dense over the vocabulary.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vorlage.compiled import exact_kernel
from vorlage.text.words import stem
from vorlage.types import AnyArray, Bools, Bytes, Floats, Ints, LongInts

UNLIKE, SAME_STEM, IDENTICAL = 0, 1, 2  # the kinds of entries
PADDING = -1  # after the words of a phrase in an array of phrases
UNKNOWN = -2  # in a phrase, a word that a table does not have
# Tuned, see docs/model.md: the occurrences of a word that is in no summary of training.
UNSEEN = 0.5


class PhraseTable(NamedTuple):
    """Rows and entries: V words, P longer phrases and E entries.

    - `longer` (P, K) int32: the words of the longer phrases, sorted, padded with −1;
    - `rows` (V+P+1) int64: row d has the entries `rows[d] : rows[d+1]`;
    - `partners` (E) int32: the summary phrase of each entry, ascending in a row;
    - `kind` (E) uint8: UNLIKE, SAME_STEM or IDENTICAL.
    """

    longer: Ints
    rows: LongInts
    partners: Ints
    kind: Bytes


def count_words(table: PhraseTable) -> int:
    """Return V, the number of words, which is the number of the first longer phrase."""
    return len(table.rows) - 1 - len(table.longer)


def row_of_entries(table: PhraseTable) -> Ints:
    """Return the row of each entry (E)."""
    return np.repeat(np.arange(len(table.rows) - 1, dtype=np.int32), np.diff(table.rows))


def are_longer(table: PhraseTable) -> Bools:
    """Return which entries have a longer phrase on either side (E)."""
    words = count_words(table)
    return (table.partners >= words) | (np.arange(len(table.partners)) >= table.rows[words])


def phrase_texts(words: Sequence[str], longer: Ints) -> list[str]:
    """Return the phrases of a table, by number, words between spaces; `longer`: as in `PhraseTable`."""
    return [*words, *(" ".join(words[word] for word in row if word != PADDING) for row in longer.tolist())]


def select_entries(table: PhraseTable, kept: Bools) -> tuple[PhraseTable, LongInts]:
    """Return the table of the entries that are `kept` (E), and the numbers that its rows have in `table`.

    All words keep their numbers; longer phrases without a kept entry are left out.
    """
    words, documents, partners = count_words(table), row_of_entries(table)[kept], table.partners[kept]
    longer = np.unique(np.concatenate([part[part >= words] for part in (documents, partners)]))
    rows = np.concatenate([np.arange(words), longer]).astype(np.int64)
    selected = PhraseTable(
        table.longer[longer - words],
        np.searchsorted(documents, np.append(rows, len(table.rows))).astype(np.int64),
        np.searchsorted(rows, partners).astype(np.int32),
        table.kind[kept],
    )
    return selected, rows


def row_keys(*arrays: AnyArray) -> list[AnyArray]:
    """Return a key for each row of some arrays of numbers from −2 on, in the order of the rows.

    A shorter row ends with −1. Keys are numbers, or bytes if rows do not fit into 63 bits.
    """
    width = max(rows.shape[1] for rows in arrays)
    padded = [np.full((width, len(rows)), PADDING + 2) for rows in arrays]
    for columns, rows in zip(padded, arrays, strict=True):
        columns[: rows.shape[1]] = rows.T + 2
    sizes = [max(int(columns[i].max(initial=0)) for columns in padded) + 1 for i in range(width)]
    if math.prod(sizes) < 2**63:
        return [np.ravel_multi_index(tuple(columns), sizes) for columns in padded]
    return [columns.T.astype(">i4", order="C").view(f"S{4 * width}")[:, 0] for columns in padded]


def unique_phrases(phrases: Ints) -> tuple[Ints, LongInts]:
    """Return the distinct phrases, padded, sorted, and where each phrase is among them."""
    [keys] = row_keys(phrases)
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    return phrases[first], places


def find_phrases(table: PhraseTable, numbers: Ints, target: PhraseTable) -> LongInts:
    """Return the row that each phrase of a table has in another one (V+P), or −1; `numbers` (V): of words."""
    longer = np.append(np.where(numbers >= 0, numbers, UNKNOWN), PADDING)[table.longer]
    keys, others = row_keys(longer, target.longer)
    places = np.searchsorted(others, keys)
    known = np.zeros(len(keys), dtype=bool)
    known[places < len(others)] = others[places[places < len(others)]] == keys[places < len(others)]
    return np.concatenate([numbers, np.where(known, count_words(target) + places, -1)])


@exact_kernel
def transpose(table: PhraseTable) -> tuple[PhraseTable, Ints]:
    """Return the table with its sides swapped, and the number there of each of its entries (E)."""
    size, count = table.partners.shape[0], table.rows.shape[0] - 1
    rows, free = np.zeros(count + 1, np.int64), np.empty(count, np.int64)
    numbers, partners, kind = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.uint8)
    for e in range(size):
        rows[table.partners[e] + 1] += 1
    for row in range(count):
        free[row] = rows[row]
        rows[row + 1] += rows[row]
    for row in range(count):
        for e in range(table.rows[row], table.rows[row + 1]):
            new = free[table.partners[e]]
            free[table.partners[e]] += 1
            numbers[e], partners[new], kind[new] = new, row, table.kind[e]
    return PhraseTable(table.longer, rows, partners, kind), numbers


@exact_kernel
def match(table: PhraseTable, target: PhraseTable, rows: LongInts) -> LongInts:
    """Return the entry of another table that is the same phrase pair (E), −1 for a pair that it lacks.

    `rows` (V+P): of `find_phrases`; without −1, they ascend among the words and among the longer phrases.
    """
    entries = np.empty(table.partners.shape[0], np.int64)
    entries[:] = -1
    for row in range(rows.shape[0]):
        if rows[row] < 0:
            continue
        place, end = target.rows[rows[row]], target.rows[rows[row] + 1]
        for e in range(table.rows[row], table.rows[row + 1]):
            partner = rows[table.partners[e]]
            while place < end and target.partners[place] < partner:
                place += 1
            if place < end and target.partners[place] == partner:
                entries[e] = place
    return entries


def stem_table(table: PhraseTable, of_words: Sequence[str]) -> tuple[list[str], PhraseTable, LongInts]:
    """Return the table over stems of a phrase table; `of_words`: the stem of each of its words.

    Returned are the distinct stems, sorted, the table of the pairs of their phrases, and the entry there of
    each entry of the phrase table (E).
    """
    stems = sorted(set(of_words))
    by_stem = {text: number for number, text in enumerate(stems)}
    numbers = np.array([by_stem[text] for text in of_words], dtype=np.int32)
    longer, places = unique_phrases(np.append(numbers, PADDING).astype(np.int32)[table.longer])
    phrases = np.concatenate([numbers, len(stems) + places])
    pairs, groups = unique_phrases(phrases[np.column_stack([row_of_entries(table), table.partners])])
    documents, summaries = pairs.T
    rows = np.searchsorted(documents, np.arange(len(stems) + len(longer) + 1))
    kind = np.where(documents == summaries, SAME_STEM, UNLIKE).astype(np.uint8)
    return stems, PhraseTable(longer, rows, summaries.astype(np.int32), kind), groups


def pick(values: AnyArray, places: AnyArray) -> Floats:
    """Return the values at some places, 0 where a place is −1."""
    out, known = np.zeros(len(places)), np.flatnonzero(places >= 0)
    out[known] = values[places[known]]
    return out


@exact_kernel
def row_totals(table: PhraseTable, fake: Floats, counts: Floats, unigram: float, known: Floats) -> Floats:
    """Return total(d̄) of each row (R): the counts and fake counts of its entries.

    `fake` (2, 3): fake counts of entries of two words and of others, by kind; `counts` (E); `unigram`:
    further fake counts of each word; `known` (R): totals, 0 if one is not known, or empty.
    """
    totals = np.zeros(table.rows.shape[0] - 1)
    words = totals.shape[0] - table.longer.shape[0]
    for row in range(totals.shape[0]):
        if known.size and known[row] > 0.0:
            totals[row] = known[row]
            continue
        for e in range(table.rows[row], table.rows[row + 1]):
            longer = int(row >= words or table.partners[e] >= words)
            totals[row] += counts[e] + fake[longer, table.kind[e]]
        if row < words:
            totals[row] += unigram
    return totals


@dataclass(frozen=True)
class Vocabulary:
    """The V words of a corpus, lower-cased, sorted.

    `stems`: of the words; `frequency` (V) int64: occurrences of each word in its summaries; `language`: of
    the corpus, empty if its texts have two.
    """

    words: list[str]
    stems: list[str]
    frequency: LongInts
    language: str

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _sizes(self) -> Counter[str]:
        return Counter(self.stems)

    @cached_property
    def _alike(self) -> LongInts:
        return np.array([self._sizes[text] for text in self.stems])

    def find(self, words: Iterable[str]) -> Ints:
        """Return the number of each word, −1 for an unknown one."""
        return np.array([self._numbers.get(word, -1) for word in words], dtype=np.int32)

    def chance(self, words: Sequence[str], numbers: Ints) -> Floats:
        """Return 1 / |{w : stem(w) = stem(word)}| for each word; an unknown one (−1) counts itself too."""
        alike, unknown = pick(self._alike, numbers), np.flatnonzero(numbers < 0)
        alike[unknown] = [self._sizes[stem(words[word], self.language)] + 1 for word in unknown.tolist()]
        return 1.0 / alike


class StemNumbers(NamedTuple):
    """The table over stems of some pairs: where its rows and entries are in that of a model, −1 for none.

    `groups` (E): the entry there of each entry of the phrase table.
    """

    table: PhraseTable
    rows: LongInts
    entries: LongInts
    groups: LongInts


class PhraseNumbers(NamedTuple):
    """Where the phrases of some pairs are among those of a model, or of all pairs of a training.

    - `rows` (V+P): the number that each phrase has there, −1 for an unknown one;
    - `entries` (E): the same of the entries of the phrase table;
    - `chance` (V+P): the stem part's value in each row, 1 / Π |{w : stem(w) = stem(d_i)}|;
    - `shares` (V): of each word among the words of the summaries of training, as if it occurred `UNSEEN`
      times if it is in none;
    - `stems`: of the table over stems, or None.
    """

    rows: LongInts
    entries: LongInts
    chance: Floats
    shares: Floats
    stems: StemNumbers | None


def number_phrases(
    words: Sequence[str],
    table: PhraseTable,
    vocabulary: Vocabulary,
    target: PhraseTable,
    stems: tuple[list[str], PhraseTable] | None,
) -> PhraseNumbers:
    """Return the numbers that the phrases of some pairs have in a model.

    `words`, `table`: those of the pairs; `vocabulary`, `target`: those of the model; `stems`: its stems,
    sorted, and the table of their phrases, or None.
    """
    numbers, of_stems = vocabulary.find(words), None
    rows, chance = find_phrases(table, numbers, target), vocabulary.chance(words, numbers)
    if stems is not None:
        own, stem_pairs, groups = stem_table(table, [stem(word, vocabulary.language) for word in words])
        by_stem = {text: number for number, text in enumerate(stems[0])}
        of_own = np.array([by_stem.get(text, -1) for text in own], dtype=np.int32)
        stem_rows = find_phrases(stem_pairs, of_own, stems[1])
        of_stems = StemNumbers(stem_pairs, stem_rows, match(stem_pairs, stems[1], stem_rows), groups)
    frequency = pick(vocabulary.frequency, numbers)
    return PhraseNumbers(
        rows=rows,
        entries=match(table, target, rows),
        chance=np.append(chance, np.where(table.longer == PADDING, 1.0, chance[table.longer]).prod(axis=1)),
        shares=np.where(frequency > 0, frequency, UNSEEN) / max(vocabulary.frequency.sum(), 1),
        stems=of_stems,
    )
