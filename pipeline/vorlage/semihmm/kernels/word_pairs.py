"""The pairs of words of the pairs of texts, compiled.

A pair of texts has T summary and n document words, of which U and V are distinct. Its *cells* (U, V) int32
are the entries of its pairs of distinct words in a phrase table, see
`vorlage.semihmm.kernels.phrase_table`. Sums are linear, float64, and rounded after every operation.
"""

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel
from vorlage.types import Floats, Ints, LongInts


@exact_kernel
def number_pairs(
    summaries: Ints, owners: Ints, order: LongInts, documents: Ints, at: LongInts, size: int
) -> tuple[LongInts, Ints, Ints]:
    """Number the pairs of words that occur in a document and its summary, by document word.

    Return the bounds of each document word, int64 (size + 1), the summary word of each pair, int32, ascending
    between the bounds, and the cells of all pairs of texts, flat.

    `summaries`: the distinct summary words of all pairs of texts; `owners`: the pair that each is of;
    `order`: sorts them; `documents`: the distinct document words of pair i, from `at[i]` to `at[i+1]`;
    `size`: of the vocabulary.
    """
    bounds, total = np.zeros(size + 1, dtype=np.int64), 0
    last = np.full(size, -1, dtype=np.int32)  # the last summary word that each document word was met with
    first = np.empty(summaries.shape[0], dtype=np.int64)  # cell of each summary word
    for i in range(summaries.shape[0]):
        first[i] = total
        total += at[owners[i] + 1] - at[owners[i]]
    for i in order:
        for d in documents[at[owners[i]] : at[owners[i] + 1]]:
            if last[d] != summaries[i]:
                last[d] = summaries[i]
                bounds[d + 1] += 1
    for d in range(size):
        bounds[d + 1] += bounds[d]
    ends = bounds[:-1].copy()  # after the last pair of each document word that is numbered
    partners, cells = np.empty(bounds[-1], dtype=np.int32), np.empty(total, dtype=np.int32)
    last[:] = -1
    for i in order:
        cell = first[i]
        for d in documents[at[owners[i]] : at[owners[i] + 1]]:
            if last[d] != summaries[i]:
                last[d] = summaries[i]
                partners[ends[d]] = summaries[i]
                ends[d] += 1
            cells[cell] = ends[d] - 1
            cell += 1
    return bounds, partners, cells


@exact_kernel
def spread(values: Floats, cells: Ints, rows: Ints, columns: Ints) -> Floats:
    """Return the value of every pair of words (T, n).

    `values` (E): of the entries; `rows` (T), `columns` (n): the cell of each word.
    """
    of_types = np.empty(cells.shape)
    for v in range(cells.shape[1]):  # the entries of a document word lie side by side
        for u in range(cells.shape[0]):
            of_types[u, v] = values[cells[u, v]]
    out = np.empty((rows.shape[0], columns.shape[0]))
    for t in range(rows.shape[0]):
        of_type = of_types[rows[t]]
        for j in range(columns.shape[0]):
            out[t, j] = of_type[columns[j]]
    return out


@exact_kernel
def multiply(words: Floats, factors: Floats, rows: Ints, columns: Ints) -> None:
    """Multiply every pair of words (T, n) by the factor of its sentences, in place.

    `factors` (S, D); `rows` (T), `columns` (n): the sentence of each word.
    """
    for t in range(words.shape[0]):
        word, of_sentence = words[t], factors[rows[t]]
        for j in range(columns.shape[0]):
            word[j] *= of_sentence[columns[j]]


@exact_kernel
def gather(words: Floats, shape: tuple[int, int], rows: Ints, columns: Ints) -> Floats:
    """Return the sums over the words of each pair of distinct words, in order, of the `shape` (U, V).

    `words` (T, n); `rows` (T), `columns` (n): the cell of each word.
    """
    out = np.zeros(shape)
    for t in range(rows.shape[0]):
        word, of_type = words[t], out[rows[t]]
        for j in range(columns.shape[0]):
            of_type[columns[j]] += word[j]
    return out
