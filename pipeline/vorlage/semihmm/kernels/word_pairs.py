"""The pairs of words of the pairs of texts, compiled.

A pair of texts has T summary and n document words, of which U and V are distinct. Its *cells* (U, V) int32
are the entries of its pairs of distinct words in a phrase table, see
`vorlage.semihmm.kernels.phrase_table`. Sums are linear, float64, and rounded after every operation.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel
from vorlage.types import Floats, Ints, LongInts


class DistinctWords(NamedTuple):
    """The distinct words of pairs of texts.

    - `summaries`: those of the summaries of all pairs;
    - `owners`: the pair that each is of;
    - `documents`: those of the document of pair i are from `at[i]` to `at[i+1]`;
    - `at`: as above.
    """

    summaries: Ints
    owners: Ints
    documents: Ints
    at: LongInts


@exact_kernel
def number_pairs(
    words: DistinctWords, order: LongInts, first: LongInts, size: int
) -> tuple[LongInts, Ints, Ints]:
    """Number the pairs of words that occur in a document and its summary, by document word.

    Args:
        words: of the pairs of texts.
        order: sorts the summary words.
        first: the first cell of each summary word, and after the last one.
        size: V, the words of the vocabulary.

    Returns:
        the bounds of the pairs of each document word (V+1); the summary word of each pair, ascending between
        the bounds; the cells of all pairs of texts, flat.
    """
    summaries, owners, documents, at = words
    last, bounds = np.full(size, -1, np.int32), np.zeros(size + 2, np.int64)
    cells = np.empty(first[-1], np.int32)
    for i in order:
        for d in documents[at[owners[i]] : at[owners[i] + 1]]:
            if last[d] != summaries[i]:  # the last summary word that the document word was met with
                last[d] = summaries[i]
                bounds[d + 2] += 1
    for d in range(last.shape[0]):
        bounds[d + 2] += bounds[d + 1]
        last[d] = -1
    partners = np.empty(bounds[size + 1], np.int32)
    ends = bounds[1:]  # after the last pair of each document word that is numbered
    for i in order:
        cell = first[i]
        for d in documents[at[owners[i]] : at[owners[i] + 1]]:
            if last[d] != summaries[i]:
                last[d] = summaries[i]
                partners[ends[d]] = summaries[i]
                ends[d] += 1
            cells[cell] = ends[d] - 1
            cell += 1
    return bounds[:-1], partners, cells


@exact_kernel
def gather(words: Floats, rows: Ints, columns: Ints, sums: Floats) -> None:
    """Add the words of each pair of distinct words to its sum, in order: `words` (T, n), `sums` (U, V).

    `rows` (T), `columns` (n): the cell of each word.
    """
    for t in range(rows.shape[0]):
        word, of_type = words[t], sums[rows[t]]
        for j in range(columns.shape[0]):
            of_type[columns[j]] += word[j]
