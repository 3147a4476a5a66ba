"""Phrase tables made, selected from and read, and the lexical table t of a trained model.

The phrase table of a new pair finds its entries in that of the model; see
`vorlage.semihmm.kernels.phrase_table.PhraseTable`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vorlage.semihmm.constants import UNSEEN
from vorlage.semihmm.kernels.phrase_table import PhraseTable, first_rows
from vorlage.types import AnyArray, ArraySource, Bools, Bytes, Floats, Ints, LongInts

PADDING = -1  # after the words of a phrase in an array of phrases


def make_table(
    longer: Ints, word_rows: LongInts, partners: Ints, phrase_pairs: Ints, kind: Bytes
) -> PhraseTable:
    """Return the table of these arrays, with the bounds of the rows that `phrase_pairs` has."""
    rows = len(word_rows) - 1 + len(longer)
    phrase_rows = np.searchsorted(phrase_pairs[:, 0], np.arange(rows + 1)).astype(np.int64)
    return PhraseTable(longer, word_rows, partners, phrase_rows, phrase_pairs, kind)


def count_words(table: PhraseTable) -> int:
    """Return V, the number of words, which is the number of the first longer phrase."""
    return len(table.word_rows) - 1


def count_rows(table: PhraseTable) -> int:
    """Return V + P, the number of rows."""
    return len(table.phrase_rows) - 1


def row_of_entries(table: PhraseTable) -> Ints:
    """Return the row of each entry of the word block (W)."""
    return np.repeat(np.arange(count_words(table), dtype=np.int32), np.diff(table.word_rows))


def select_entries(table: PhraseTable, kept: Bools) -> tuple[PhraseTable, LongInts]:
    """Return the table of the entries that are `kept` (E), and the numbers that its rows have in `table`.

    All words keep their numbers; longer phrases without a kept entry are left out.
    """
    words, listed = count_words(table), len(table.partners)
    pairs = table.phrase_pairs[kept[listed:]]
    longer = np.unique(pairs[pairs >= words])
    rows = np.concatenate([np.arange(words), longer]).astype(np.int64)
    selected = make_table(
        table.longer[longer - words],
        np.searchsorted(np.flatnonzero(kept[:listed]), table.word_rows).astype(np.int64),
        table.partners[kept[:listed]],
        np.searchsorted(rows, pairs).astype(np.int32),
        table.kind[kept],
    )
    return selected, rows


def phrase_words(table: PhraseTable, phrase: int) -> list[int]:
    """Return the words of a phrase, known by its number."""
    words = count_words(table)
    if phrase < words:
        return [phrase]
    return [word for word in table.longer[phrase - words].tolist() if word != PADDING]


def row_chances(chance: Floats, longer: Ints) -> Floats:
    """Return the stem part's value in each row: 1 / Π |{w : stem(w) = stem(d_i)}| over the words of its
    phrase.

    `chance` (V): of every word, see `vorlage.semihmm.rewrite.support.StemClasses`; `longer`: the
    longer phrases, padded.
    """
    return np.concatenate([chance, np.where(longer == PADDING, 1.0, chance[longer]).prod(axis=1)])


def pad(phrases: Sequence[tuple[int, ...]]) -> Ints:
    """Return phrases, tuples of word numbers, as rows of an array, padded at their ends."""
    out = np.full((len(phrases), max(map(len, phrases), default=1)), PADDING, dtype=np.int32)
    for row, phrase in zip(out, phrases, strict=True):
        row[: len(phrase)] = phrase
    return out


# The arrays of the table that a model file has; the others follow from these.
STORED = ("longer", "word_rows", "partners", "phrase_pairs", "kind")
# In a phrase, a word that the model does not know.
UNKNOWN = -2
# A number after those of all words.
LAST = np.iinfo(np.int32).max


@dataclass(frozen=True)
class Lexicon:
    """The lexical table: an entry that is not listed has only its fake counts.

    `table`: pairs with a count, and longer phrase pairs that are equal or equal up to stem. `counts`
    (E): expected uses of each entry. `totals` (V+P): Σ (count + fake) over all entries of a row, unlisted
    ones included; 0 for a word that occurs in no document. `frequency` (V) int64: occurrences of each word
    in the summaries of training, by which the fake counts `unigram` are spread.
    """

    table: PhraseTable
    counts: Floats
    totals: Floats
    frequency: LongInts

    def spread(self, unigram: float, known: Ints) -> Floats:
        """Return the share of `unigram` fake counts of words, whose numbers are `known`, −1 for a new word.

        A word in no summary of training has the share of `UNSEEN` occurrences.
        """
        frequency = np.where(known >= 0, self.frequency[known], 0)
        return unigram * np.where(frequency > 0, frequency, UNSEEN) / max(self.frequency.sum(), 1)

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for the model file."""
        arrays = {name: getattr(self.table, name) for name in STORED}
        return arrays | {name: getattr(self, name) for name in ("counts", "totals", "frequency")}

    @classmethod
    def from_arrays(cls, arrays: ArraySource) -> "Lexicon":
        """Do the inverse of `to_arrays`."""
        table = make_table(*(arrays[name] for name in STORED))
        return cls(table, arrays["counts"], arrays["totals"], arrays["frequency"])


class LexiconSearch:
    """Finds longer phrases and their pairs in a `Lexicon` by their words.

    It searches sorted arrays, because a dict takes some 400 bytes a pair, too much for millions of pairs in
    each process.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        longer = lexicon.table.longer
        # The last row follows all phrases, so that every search ends at a row.
        self._longer = np.concatenate([longer, np.full((1, longer.shape[1]), LAST, dtype=np.int32)])
        documents, summaries = lexicon.table.phrase_pairs.astype(np.int64).T
        keys = documents * count_rows(lexicon.table) + summaries  # in the order of the entries
        self._pairs = np.append(keys, np.iinfo(np.int64).max)
        self._counts = np.append(lexicon.counts[len(lexicon.table.partners) :], 0.0)

    def rows(self, longer: Ints) -> LongInts:
        """Return the rows of phrases, padded in the model's numbers; −1 for an unknown phrase."""
        width = self._longer.shape[1]
        fitted = np.full((len(longer), width), PADDING, dtype=np.int32)
        fitted[:, : longer.shape[1]] = longer[:, :width]
        fitted[(longer[:, width:] != PADDING).any(axis=1)] = UNKNOWN
        at = first_rows(self._longer, fitted)
        found = (self._longer[at] == fitted).all(axis=1)
        return np.where(found, count_words(self._lexicon.table) + at, -1)

    def totals(self, rows: LongInts, otherwise: Floats) -> Floats:
        """Return the totals of document phrases, `otherwise` for a phrase that is on no document side."""
        begins = self._lexicon.table.phrase_rows
        has = (rows >= 0) & (begins[rows + 1] > begins[rows])
        return np.where(has, self._lexicon.totals[rows], otherwise)

    def counts(self, documents: LongInts, summaries: LongInts) -> Floats:
        """Return the counts of pairs of phrases, known by their rows; 0 for a pair that is not listed."""
        keys = documents * count_rows(self._lexicon.table) + summaries
        keys = np.where((documents >= 0) & (summaries >= 0), keys, -1)
        at = np.searchsorted(self._pairs, keys)
        return np.where(self._pairs[at] == keys, self._counts[at], 0.0)
