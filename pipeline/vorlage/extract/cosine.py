"""Finds the document sentences most similar to each summary sentence (Daumé & Marcu 2005, Section 5.1).

A sentence is a bag of stems without stop words. A stem weighs tf · idf, where idf = 1 + ln((1 + N) / (1 +
df)) and df is how many of the N sentences of all documents of the corpus contain the stem: of sentences,
because sentences are compared, and of the whole corpus, because a single document is small. Stems that no
document contains are left out; they would not change any order.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy.sparse import csr_matrix

from vorlage.command.errors import InputError
from vorlage.extract.stem_counts import StemCounts, content_stems
from vorlage.text.tokenized import Text
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


def weigh(weights: StemWeights, text: Text) -> csr_matrix:
    """Return the tf · idf weights of a text: sparse, sentences × stems, not normalised."""
    return weigh_stems(weights, (content_stems(words, text.language) for words in text.sentence_words()))


def weigh_stems(weights: StemWeights, sentences: Iterable[list[str]]) -> csr_matrix:
    """Return the tf · idf weights of some sentences, given as lists of stems."""
    rows = [[weights.columns.get(stem, -1) for stem in stems] for stems in sentences]
    shape = len(rows), len(weights.columns)
    numbers = np.repeat(np.arange(len(rows), dtype=np.int64), list(map(len, rows)))
    columns = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=len(numbers))
    known = columns >= 0
    cells, counts = np.unique(numbers[known] * shape[1] + columns[known], return_counts=True)
    ends = np.searchsorted(cells, np.arange(shape[0] + 1) * shape[1])
    columns = cells % max(shape[1], 1)
    return csr_matrix((counts * weights.idf[columns], columns, ends), shape=shape)


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


def most_similar(similarity: Floats, count: int) -> list[LongInts]:
    """Return the `count` columns with the largest values of each row, largest first.

    Ties go to the earlier column. A row of zeros gets the first columns (the lead of the document), and a row
    of fewer than `count` columns gets them all.
    """
    return list(np.argsort(-similarity, axis=1, kind="stable")[:, :count])
