"""Phrase pairs that the rewrite model can use, as entries of a table in rows.

An *entry* is a phrase pair (d̄, s̄). Entries are grouped in *rows*, one a document phrase: row w < V is
the one-word phrase of vocabulary word w, rows from V on are longer phrases. They lie in two blocks:

- the word block: every one-word pair whose summary word occurs in a summary whose document holds the
  document word. Row w's entries are ``word_rows[w] : word_rows[w+1]``, sorted by summary word;
- the phrase block: pairs with a longer phrase on either side, equal up to stem or both in WordNet.
  Row ρ's entries are ``phrase_rows[ρ] : phrase_rows[ρ+1]``.

Phrase pairs that no part of the rewrite model gives any probability are never listed, so the table is
as sparse as co-occurrence and nothing is dense over the vocabularies.
"""

from dataclasses import dataclass

import numpy as np

from pipeline.semihmm.kernels.phrase_table import IDENTICAL as IDENTICAL
from pipeline.semihmm.kernels.phrase_table import SAME_STEM as SAME_STEM
from pipeline.semihmm.kernels.phrase_table import UNLIKE as UNLIKE

PADDING = -1  # after the words of a phrase in a table of phrases


@dataclass(frozen=True)
class Support:
    """Entries and rows, see the module. V is the size of the vocabulary.

    ``summary`` (word block): summary word numbers, int32. ``longer``: the longer phrases, tuples of word
    numbers, sorted; phrase V + i is ``longer[i]``. ``phrase_pairs`` (phrase block, 2) int32: document and
    summary phrase numbers. ``kind`` (E): UNLIKE, SAME_STEM or IDENTICAL, uint8. ``distance`` (E): WordNet
    distance, FAR for none, uint8. ``row_reading``: the WordNet reading of each row, −1 for none. ``held``
    (word block): how many instances hold each pair, int32.

    For each instance, in order: ``cells`` (U, V) int32, the entry of each pair of distinct words;
    ``places`` (m, 4) int32, its longer phrase pairs (t, k, j, l) sorted by t; ``by_end`` (m), the same
    sorted by t + k; ``place_entries`` (m) their entries.
    """

    word_rows: np.ndarray
    phrase_rows: np.ndarray
    summary: np.ndarray
    longer: list
    phrase_pairs: np.ndarray
    kind: np.ndarray
    distance: np.ndarray
    row_reading: np.ndarray
    held: np.ndarray
    cells: list
    places: list
    by_end: list
    place_entries: list


def row_chances(chance, longer):
    """The stem part's value in each row: 1 / Π |{w : stem(w) = stem(d_i)}| over the words of its phrase.

    ``chance``: of every word, see :class:`StemClasses`; ``longer``: the phrases of the rows after those,
    :func:`padded`.
    """
    return np.concatenate([chance, np.where(longer == PADDING, 1.0, chance[longer]).prod(axis=1)])


def padded(phrases):
    """Phrases, tuples of word numbers, as rows of an int32 array, padded at their ends."""
    out = np.full((len(phrases), max(map(len, phrases), default=1)), PADDING, dtype=np.int32)
    for row, phrase in zip(out, phrases, strict=True):
        row[: len(phrase)] = phrase
    return out
