"""Phrase tables made, selected from and read; see
`vorlage.semihmm.kernels.phrase_table.PhraseTable`.
"""

from collections.abc import Sequence

import numpy as np

from vorlage.semihmm.kernels.phrase_table import PhraseTable
from vorlage.types import Bools, Bytes, Floats, Ints, LongInts

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
