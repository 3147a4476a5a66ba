"""Searches in sorted rows, compiled."""

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel
from vorlage.types import Floats, Ints, LongInts


@exact_kernel
def first_rows(rows: Ints, queries: Ints) -> LongInts:
    """Return the index of the first row that is not less than each query.

    `rows`: sorted lexicographically; `queries`: may have fewer columns, which are the ones compared.
    """
    out = np.empty(queries.shape[0], np.int64)
    for i in range(queries.shape[0]):
        low, high = 0, rows.shape[0]
        while low < high:
            middle = (low + high) // 2
            before = False
            for k in range(queries.shape[1]):
                if rows[middle, k] != queries[i, k]:
                    before = rows[middle, k] < queries[i, k]
                    break
            if before:
                low = middle + 1
            else:
                high = middle
        out[i] = low
    return out


@exact_kernel
def look_up_counts(
    word_rows: LongInts, summary: Ints, known: Ints, rows: LongInts, partners: Ints, counts: Floats
) -> Floats:
    """Return the stored count of the word pair of each entry, 0 if none is stored.

    `word_rows`, `summary`: rows and summary words of the entries; `known`: the number that the stored table
    has for each word, −1 for none, each number at most once; `rows`, `partners`, `counts`: the stored table,
    of the same layout.

    Each stored row is read once, which is faster than a search for each of the many entries.
    """
    out, entries = np.zeros(summary.shape[0]), np.full(rows.shape[0], -1, np.int64)
    for row in range(known.shape[0]):
        d = known[row]
        if d < 0:
            continue
        for e in range(word_rows[row], word_rows[row + 1]):
            if known[summary[e]] >= 0:
                entries[known[summary[e]]] = e  # of the row at hand
        for at in range(rows[d], rows[d + 1]):
            if entries[partners[at]] >= 0:
                out[entries[partners[at]]] = counts[at]
        for e in range(word_rows[row], word_rows[row + 1]):
            if known[summary[e]] >= 0:
                entries[known[summary[e]]] = -1
    return out


@exact_kernel
def find_entries(
    bounds: LongInts, partners: Ints, rows: Ints, index_bounds: LongInts, index_partners: Ints
) -> LongInts:
    """Return the number that each entry of a table has in an index, which has all of them (E).

    `bounds` (R+1), `partners` (E): the rows of the table and the partners of its entries; `rows`: the number
    of every phrase of the table in the index, ascending; `index_bounds`, `index_partners`: the same of the
    index. Partners ascend within each row.
    """
    numbers = np.empty(partners.shape[0], np.int64)
    for row in range(bounds.shape[0] - 1):
        low, end = index_bounds[rows[row]], index_bounds[rows[row] + 1]
        for e in range(bounds[row], bounds[row + 1]):
            high = end
            while low < high:
                middle = (low + high) // 2
                if index_partners[middle] < rows[partners[e]]:
                    low = middle + 1
                else:
                    high = middle
            numbers[e] = low
    return numbers
