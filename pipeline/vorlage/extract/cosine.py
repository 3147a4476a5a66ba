"""Finds the document sentences most similar to each summary sentence (Daumé & Marcu 2005, Section 5.1).

A sentence is a bag of stems without stop words. A stem weighs tf · idf, where idf = 1 + ln((1 + N) / (1 +
df)) and df is how many of the N sentences of all documents of the corpus contain the stem: of sentences,
because sentences are compared, and of the whole corpus, because a single document is small. Stems that no
document contains are left out; they would not change any order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy.sparse import csr_matrix

from vorlage.command.errors import InputError
from vorlage.extract.stem_counts import StemCounts
from vorlage.types import Floats, LongInts

# Similarities are rounded to this many digits before they are compared: rounding errors decide no tie.
DIGITS = 12


@dataclass(frozen=True)
class StemWeights:
    """The stems of a corpus: `columns`: stem → its column, `idf`: the weight of each."""

    columns: dict[str, int]
    idf: Floats


def fit_weights(counts: StemCounts) -> StemWeights:
    """Return the weights for `weigh` from the counts of a corpus.

    Raise `InputError` if every word of the documents is a stop word.
    """
    if not counts.stems:
        raise InputError(
            "no document of the corpus has a word outside the stop list, so no sentences can be compared; "
            "check the corpus and its `language`"
        )
    stems = sorted(counts.stems)
    frequencies = np.array([counts.stems[stem] for stem in stems], dtype=float)
    idf = np.log((counts.sentences + 1) / (frequencies + 1)) + 1
    return StemWeights({stem: column for column, stem in enumerate(stems)}, idf)


def weigh(weights: StemWeights, sentences: Sequence[Iterable[str]]) -> csr_matrix:
    """Return the tf · idf weights of sentences of stems: sparse, sentences × stems, not normalised."""
    rows = [[weights.columns[stem] for stem in stems if stem in weights.columns] for stems in sentences]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=ends[-1])
    matrix = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), len(weights.columns)))
    matrix.sum_duplicates()
    matrix.data *= weights.idf[matrix.indices]
    return matrix


def similarities(summary: csr_matrix, document: csr_matrix) -> Floats:
    """Return the cosines of two weight matrices: a dense array, summary sentences × document sentences.

    A sentence of stop words alone has similarity 0 to every other.
    """
    cosines: Floats = (_normalise(summary) @ _normalise(document).T).toarray().round(DIGITS)
    return cosines


def _normalise(weights: csr_matrix) -> csr_matrix:
    """Return a matrix whose rows have length 1; a row of zeros stays as it is."""
    rows = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    lengths = np.sqrt(np.bincount(rows, weights.data**2, minlength=weights.shape[0]))
    values = weights.data * (1 / np.where(lengths, lengths, 1.0))[rows]
    return csr_matrix((values, weights.indices, weights.indptr), shape=weights.shape)


def most_similar(similarity: Floats, count: int) -> LongInts:
    """Return the `count` columns with the largest values of each row, largest first, as an array of rows.

    Ties go to the earlier column. A row of zeros gets the first columns (the lead of the document), and a row
    of fewer than `count` columns gets them all.
    """
    return np.argsort(-similarity, axis=1, kind="stable")[:, :count]
