"""The phrase table, sums over its entries, and searches in its sorted rows, compiled.

The phrase table lists the phrase pairs that the rewrite model can use. An *entry* is a phrase pair (d̄, s̄).
Phrases have numbers: w < V is the one-word phrase of vocabulary word w, V + i the i-th longer phrase. A *row*
holds the entries of one document phrase, whose number it has. The entries lie in two blocks:

- the word block: the pairs of two words that occur in a document and its summary, sorted by row and summary
  word;
- the phrase block: the pairs with a longer phrase on either side that are equal, equal up to stem, or both in
  WordNet, or all that occur in a document and its summary; sorted by row and summary phrase.

Phrase pairs to which no part of the rewrite model gives a probability are not listed, so the table is as
sparse as co-occurrence; nothing is dense over the vocabulary. Sums are linear, float64, and rounded after
every operation.
"""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.compile import exact_kernel, inner_kernel
from vorlage.types import AnyArray, Bytes, Floats, Ints, LongInts

UNLIKE, SAME_STEM, IDENTICAL = 0, 1, 2  # the kinds of entries


class PhraseTable(NamedTuple):
    """Rows and entries: V words, P longer phrases, W entries in the word block and E entries in all.

    - `longer` (P, K) int32: the words of the longer phrases, sorted, padded with −1;
    - `word_rows` (V+1) int64: row w has the entries `word_rows[w] : word_rows[w+1]` of the word block;
    - `partners` (W) int32: the summary word of each entry of the word block;
    - `phrase_rows` (V+P+1) int64: bounds of the rows in the phrase block, counted from its start;
    - `phrase_pairs` (E−W, 2) int32: the document and the summary phrase of each entry of the phrase block;
    - `kind` (E) uint8: UNLIKE, SAME_STEM or IDENTICAL.
    """

    longer: Ints
    word_rows: LongInts
    partners: Ints
    phrase_rows: LongInts
    phrase_pairs: Ints
    kind: Bytes


class Factors(NamedTuple):
    """The factors of the parts of the rewrite model, weights λ included, float64.

    - `identical`: λ_id;
    - `stem` (R): λ_stem times the chance of the row;
    - `related` (R): λ_wn / Z of the row;
    - `lexical` (R): λ_rw / total of the row;
    - `decay`: e^(−η·distance) by WordNet distance, 0 without a path.
    """

    identical: float
    stem: Floats
    related: Floats
    lexical: Floats
    decay: Floats


@exact_kernel
def add_at(out: Floats, places: AnyArray, values: Floats) -> None:
    """Add out[places[i]] += values[i] in order; a place may occur several times."""
    for i in range(places.shape[0]):
        out[places[i]] += values[i]


@inner_kernel
def _entries(table: PhraseTable, block: int, row: int) -> tuple[int, int]:
    """Return the bounds of a row's entries in one of the two blocks."""
    offset = table.word_rows[-1]
    if block == 1:
        return offset + table.phrase_rows[row], offset + table.phrase_rows[row + 1]
    if row < table.word_rows.shape[0] - 1:
        return table.word_rows[row], table.word_rows[row + 1]
    return offset, offset


@exact_kernel
def row_totals(table: PhraseTable, fake: Floats, counts: Floats) -> Floats:
    """Return the sum of the counts and fake counts of the entries of each row (R).

    `fake` (2, 3): the fake count of an entry by block and kind; `counts` (E).
    """
    totals = np.zeros(table.phrase_rows.shape[0] - 1)
    for row in range(totals.shape[0]):
        for block in range(2):
            first, last = _entries(table, block, row)
            for e in range(first, last):
                totals[row] += counts[e] + fake[block, table.kind[e]]
    return totals


@exact_kernel
def rewrite_values(
    table: PhraseTable, distance: Bytes, fake: Floats, factors: Factors, counts: Floats
) -> Floats:
    """Return r(s̄|d̄) of every entry (E).

    `distance` (E) uint8: WordNet distances; `fake`, `counts`: as for `row_totals`.
    """
    out = np.empty(counts.shape[0])
    for row in range(factors.stem.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        same = (0.0, stem, factors.identical + stem)
        for block in range(2):
            first, last = _entries(table, block, row)
            for e in range(first, last):
                kind = table.kind[e]
                count = counts[e] + fake[block, kind]
                out[e] = same[kind] + related * factors.decay[distance[e]] + lexical * count
    return out


@exact_kernel
def log_prior_gain(table: PhraseTable, fake: Floats, counts: Floats, spread: Floats) -> float:
    """Return Σ fake · log((count + fake) / fake) over the entries with fake counts, natural log.

    `spread` (V): further fake counts of the entries of the word block, by summary word; the others as for
    `row_totals`.
    """
    out = 0.0
    for row in range(table.phrase_rows.shape[0] - 1):
        part = 0.0
        for block in range(2):
            first, last = _entries(table, block, row)
            for e in range(first, last):
                prior = fake[block, table.kind[e]]
                if block == 0:
                    prior += spread[table.partners[e]]
                if prior > 0:
                    part += prior * np.log1p(counts[e] / prior)
        out += part
    return out


@exact_kernel
def split(
    table: PhraseTable,
    distance: Bytes,
    fake: Floats,
    factors: Factors,
    counts: Floats,
    values: Floats,
    expected: Floats,
) -> tuple[Floats, Floats, float]:
    """Split the expected uses of every entry among the four parts of the table, by their responsibilities.

    `values` (E): of `rewrite_values`, whose arguments the others are; `expected` (E): expected
    uses, overwritten with those of the lexical part. Return the uses of the identity, stem, WordNet and
    lexical parts (4), those of the WordNet part by row (R), and the total WordNet distance of these.
    """
    used = np.zeros(4)
    by_row = np.zeros(factors.stem.shape[0])
    path = 0.0
    for row in range(by_row.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        row_path = 0.0
        row_used = np.zeros(4)
        for block in range(2):
            first, last = _entries(table, block, row)
            for e in range(first, last):
                if expected[e] == 0.0:
                    continue
                kind, share = table.kind[e], expected[e] / values[e]
                if kind == IDENTICAL:
                    row_used[0] += share * factors.identical
                if kind >= SAME_STEM:
                    row_used[1] += share * stem
                wordnet = share * related * factors.decay[distance[e]]
                row_used[2] += wordnet
                row_path += wordnet * distance[e]
                expected[e] = share * lexical * (counts[e] + fake[block, kind])
                row_used[3] += expected[e]
        used += row_used
        path += row_path
        by_row[row] = row_used[2]
    return used, by_row, path


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
