"""Finds the document sentences most similar to each summary sentence (Daumé & Marcu 2005, Section 5.1).

A sentence is a bag of stems without stop words. A stem weighs tf · idf, where idf = 1 + ln((1 + N) / (1 +
df)) and df is how many of the N sentences of all documents of the corpus contain the stem: of sentences,
because sentences are compared, and of the whole corpus, because a single document is small. Stems that no
document contains are left out; they would not change any order.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from pipeline.corpus.tokenize import Text
from pipeline.extract.stem_counts import StemCounts, content_stems
from pipeline.run.errors import InputError
from pipeline.types import Floats, LongInts

# Similarities are rounded to this many digits before they are compared: rounding errors decide no tie.
DIGITS = 12


class Weights(NamedTuple):
    """The stems of a corpus: the ``column`` of each in a matrix of weights, and their ``idf`` by column."""

    column: dict[str, int]
    idf: Floats


def fit_weights(counts: StemCounts) -> Weights:
    """Return the weights of stems from the counts of a corpus.

    Raise :class:`InputError` if every word of the documents is a stop word.
    """
    if not counts.stems:
        raise InputError(
            "no document of the corpus has a word outside the stop list, so no sentences can be compared; "
            "check the corpus and its `language`"
        )
    stems = sorted(counts.stems)
    frequencies = np.array([counts.stems[stem] for stem in stems], dtype=float)
    idf = np.log((counts.sentences + 1) / (frequencies + 1)) + 1
    return Weights({stem: column for column, stem in enumerate(stems)}, idf)


def weigh(weights: Weights, text: Text) -> csr_matrix:
    """Return the tf · idf weights of a text: sparse, sentences × stems, not normalised."""
    return weigh_sentences(weights, text.sentence_words(), text.language)


def weigh_sentences(weights: Weights, sentences: Iterable[list[str]], language: str) -> csr_matrix:
    """Return the tf · idf weights of some sentences, given as lists of words."""
    ends, columns, values = [0], [], []
    for words in sentences:
        found = (weights.column.get(stem) for stem in content_stems(words, language))
        counts = sorted(Counter(column for column in found if column is not None).items())
        columns += [column for column, _ in counts]
        values += [count * weights.idf[column] for column, count in counts]
        ends.append(len(columns))
    parts = np.array(values, float), np.array(columns, np.int32), np.array(ends, np.int32)
    return csr_matrix(parts, shape=(len(ends) - 1, len(weights.idf)))


def similarities(summary: csr_matrix, document: csr_matrix) -> Floats:
    """Return the cosines of two weight matrices: a dense array, summary sentences × document sentences.

    A sentence of stop words alone has similarity 0 to every other.
    """
    product: Floats = (_normalised(summary) @ _normalised(document).T).toarray()
    return product.round(DIGITS)


def _normalised(weights: csr_matrix) -> csr_matrix:
    """Return a matrix of weights with rows of length 1, except for those of zeros."""
    row_of_value = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    lengths = np.sqrt(np.bincount(row_of_value, weights.data * weights.data))
    rows = weights.copy()
    rows.data /= lengths[row_of_value]
    return rows


def most_similar(similarity: Floats, count: int) -> list[LongInts]:
    """Return the ``count`` columns with the largest values of each row, largest first.

    Ties go to the earlier column. A row of zeros gets the first columns (the lead of the document), and a row
    of fewer than ``count`` columns gets them all.
    """
    return list(np.argsort(-similarity, axis=1, kind="stable")[:, :count])
