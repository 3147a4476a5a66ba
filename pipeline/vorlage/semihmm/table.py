"""The phrase table: the phrase pairs that the rewrite model can use, sums over them, and the search for them.

An *entry* is a phrase pair (d̄, s̄). Phrases have numbers: w < V is the one-word phrase of word w, V + i the
i-th longer phrase. A *row* holds the entries of one document phrase, whose number it has, by summary phrase.
Entries are the pairs of two words that occur in a document and its summary, and the pairs with a longer
phrase that are equal, equal up to stem, or both in WordNet, or all that occur in a document and its summary.

Phrase pairs to which no part of the rewrite model gives a probability are not listed, so the table is as
sparse as co-occurrence; nothing is dense over the vocabulary. Sums are linear, float64, and rounded after
every operation.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.types import AnyArray, Bools, Bytes, Floats, Ints, LongInts

UNLIKE, SAME_STEM, IDENTICAL = 0, 1, 2  # the kinds of entries
PADDING = -1  # after the words of a phrase in an array of phrases
UNKNOWN = -2  # in a phrase, a word that a table does not have


class PhraseTable(NamedTuple):
    """Rows and entries: V words, P longer phrases and E entries.

    - `longer` (P, K) int32: the words of the longer phrases, sorted, padded with −1;
    - `rows` (V+P+1) int64: row d has the entries `rows[d] : rows[d+1]`;
    - `partners` (E) int32: the summary phrase of each entry, ascending in a row;
    - `kind` (E) uint8: UNLIKE, SAME_STEM or IDENTICAL.
    """

    longer: Ints
    rows: LongInts
    partners: Ints
    kind: Bytes


def count_words(table: PhraseTable) -> int:
    """Return V, the number of words, which is the number of the first longer phrase."""
    return len(table.rows) - 1 - len(table.longer)


def row_of_entries(table: PhraseTable) -> Ints:
    """Return the row of each entry (E)."""
    return np.repeat(np.arange(len(table.rows) - 1, dtype=np.int32), np.diff(table.rows))


def are_longer(table: PhraseTable) -> Bools:
    """Return which entries have a longer phrase on either side (E)."""
    words = count_words(table)
    return (table.partners >= words) | (np.arange(len(table.partners)) >= table.rows[words])


def phrase_texts(words: Sequence[str], longer: Ints) -> list[str]:
    """Return the phrases of a table, by number, words between spaces; `longer`: as in `PhraseTable`."""
    return [*words, *(" ".join(words[word] for word in row if word != PADDING) for row in longer.tolist())]


def select_entries(table: PhraseTable, kept: Bools) -> tuple[PhraseTable, LongInts]:
    """Return the table of the entries that are `kept` (E), and the numbers that its rows have in `table`.

    All words keep their numbers; longer phrases without a kept entry are left out.
    """
    words, documents, partners = count_words(table), row_of_entries(table)[kept], table.partners[kept]
    longer = np.unique(np.concatenate([part[part >= words] for part in (documents, partners)]))
    rows = np.concatenate([np.arange(words), longer]).astype(np.int64)
    selected = PhraseTable(
        table.longer[longer - words],
        np.searchsorted(documents, np.append(rows, len(table.rows))).astype(np.int64),
        np.searchsorted(rows, partners).astype(np.int32),
        table.kind[kept],
    )
    return selected, rows


def row_keys(*arrays: AnyArray) -> list[AnyArray]:
    """Return a key for each row of some arrays of numbers from −2 on, in the order of the rows.

    A shorter row ends with −1. Keys are numbers, or bytes if rows do not fit into 63 bits.
    """
    width = max(rows.shape[1] for rows in arrays)
    padded = [np.full((width, len(rows)), PADDING + 2) for rows in arrays]
    for columns, rows in zip(padded, arrays, strict=True):
        columns[: rows.shape[1]] = rows.T + 2
    sizes = [max(int(columns[i].max(initial=0)) for columns in padded) + 1 for i in range(width)]
    if math.prod(sizes) < 2**63:
        return [np.ravel_multi_index(tuple(columns), sizes) for columns in padded]
    return [columns.T.astype(">i4", order="C").view(f"S{4 * width}")[:, 0] for columns in padded]


def unique_phrases(phrases: Ints) -> tuple[Ints, LongInts]:
    """Return the distinct phrases, padded, sorted, and where each phrase is among them."""
    [keys] = row_keys(phrases)
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    return phrases[first], places


def find_phrases(table: PhraseTable, numbers: Ints, target: PhraseTable) -> LongInts:
    """Return the row that each phrase of a table has in another one (V+P), −1 for a phrase without one.

    `numbers` (V): the same of the words.
    """
    longer = np.append(np.where(numbers >= 0, numbers, UNKNOWN), PADDING)[table.longer]
    keys, others = row_keys(longer, target.longer)
    places = np.searchsorted(others, keys)
    known = np.zeros(len(keys), dtype=bool)
    known[places < len(others)] = others[places[places < len(others)]] == keys[places < len(others)]
    return np.concatenate([numbers, np.where(known, count_words(target) + places, -1)])


@exact_kernel
def transpose(table: PhraseTable) -> tuple[PhraseTable, Ints]:
    """Return the table with its sides swapped, and the number there of each of its entries (E)."""
    rows, numbers = np.zeros_like(table.rows), np.empty_like(table.partners)
    for partner in table.partners:
        rows[partner + 1] += 1
    rows = np.cumsum(rows)
    free, partners, kind = rows.copy(), np.empty_like(table.partners), np.empty_like(table.kind)
    for row in range(rows.shape[0] - 1):
        for e in range(table.rows[row], table.rows[row + 1]):
            new = free[table.partners[e]]
            free[table.partners[e]] += 1
            numbers[e], partners[new], kind[new] = new, row, table.kind[e]
    return PhraseTable(table.longer, rows, partners, kind), numbers


@exact_kernel
def match(table: PhraseTable, target: PhraseTable, rows: LongInts) -> LongInts:
    """Return the entry of another table that is the same phrase pair (E), −1 for a pair that it lacks.

    `rows` (V+P): of `find_phrases`; without −1, they ascend among the words and among the longer phrases.
    """
    entries = np.full(table.partners.shape[0], -1, np.int64)
    for row in range(rows.shape[0]):
        if rows[row] < 0:
            continue
        place, end = target.rows[rows[row]], target.rows[rows[row] + 1]
        for e in range(table.rows[row], table.rows[row + 1]):
            partner = rows[table.partners[e]]
            while place < end and target.partners[place] < partner:
                place += 1
            if place < end and target.partners[place] == partner:
                entries[e] = place
    return entries


def stem_table(table: PhraseTable, of_words: Sequence[str]) -> tuple[list[str], PhraseTable, LongInts]:
    """Return the table over stems of a phrase table.

    Args:
        table: the phrase table.
        of_words: the stem of each of its words.

    Returns:
        the distinct stems, sorted; the table of the pairs of their phrases; the entry there of each entry of
        the phrase table (E).
    """
    stems = sorted(set(of_words))
    by_stem = {text: number for number, text in enumerate(stems)}
    numbers = np.array([by_stem[text] for text in of_words], dtype=np.int32)
    longer, places = unique_phrases(np.append(numbers, PADDING).astype(np.int32)[table.longer])
    phrases = np.concatenate([numbers, len(stems) + places])
    pairs, groups = unique_phrases(phrases[np.column_stack([row_of_entries(table), table.partners])])
    documents, summaries = pairs.T
    rows = np.searchsorted(documents, np.arange(len(stems) + len(longer) + 1))
    kind = np.where(documents == summaries, SAME_STEM, UNLIKE).astype(np.uint8)
    return stems, PhraseTable(longer, rows, summaries.astype(np.int32), kind), groups


def pick(values: AnyArray, places: AnyArray) -> Floats:
    """Return the values at some places, 0 where a place is −1."""
    out, known = np.zeros(len(places)), np.flatnonzero(places >= 0)
    out[known] = values[places[known]]
    return out


@exact_kernel
def add_at(out: Floats, places: AnyArray, values: Floats) -> None:
    """Add out[places[i]] += values[i] in order; a place may occur several times."""
    for i in range(places.shape[0]):
        out[places[i]] += values[i]


@exact_kernel
def row_totals(table: PhraseTable, fake: Floats, counts: Floats, unigram: float, known: Floats) -> Floats:
    """Return total(d̄) of each row (R): the counts and fake counts of its entries.

    `fake` (2, 3): fake counts of entries of two words and of others, by kind; `counts` (E); `unigram`:
    further fake counts of each word; `known` (R): totals, 0 if one is not known, or empty.
    """
    totals = np.zeros(table.rows.shape[0] - 1)
    words = totals.shape[0] - table.longer.shape[0]
    for row in range(totals.shape[0]):
        if known.size and known[row] > 0.0:
            totals[row] = known[row]
            continue
        for e in range(table.rows[row], table.rows[row + 1]):
            longer = int(row >= words or table.partners[e] >= words)
            totals[row] += counts[e] + fake[longer, table.kind[e]]
        if row < words:
            totals[row] += unigram
    return totals


class Factors(NamedTuple):
    """The factors of the parts of the rewrite model that the table has, weights λ included, float64.

    - `identical`: λ_id;
    - `stem` (R): λ_stem times the chance of the row;
    - `related` (R): λ_wn / Z of the row;
    - `lexical` (R): λ_rw / total of the row;
    - `decay`: e^(−η·distance) by WordNet distance, 0 without a path;
    - `fake` (2, 3): as for `row_totals`;
    - `spread` (V): further fake counts of entries of two words, by summary word.
    """

    identical: float
    stem: Floats
    related: Floats
    lexical: Floats
    decay: Floats
    fake: Floats
    spread: Floats


@inner_kernel
def _uses(table: PhraseTable, factors: Factors, counts: Floats, longer: int, e: int) -> float:
    """Return the count and the fake counts of an entry; `longer`: 1 unless it is of two words."""
    count: float = counts[e]
    if longer == 0:
        count += factors.spread[table.partners[e]]
    return count + factors.fake[longer, table.kind[e]]


@exact_kernel
def rewrite_values(table: PhraseTable, distance: Bytes, factors: Factors, counts: Floats) -> Floats:
    """Return r(s̄|d̄) of every entry (E); `distance` (E) uint8: of WordNet; `counts` (E)."""
    out, words = np.empty(counts.shape[0]), factors.spread.shape[0]
    for row in range(factors.stem.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        same = (0.0, stem, factors.identical + stem)
        for e in range(table.rows[row], table.rows[row + 1]):
            longer = int(row >= words or table.partners[e] >= words)
            count = _uses(table, factors, counts, longer, e)
            out[e] = same[table.kind[e]] + related * factors.decay[distance[e]] + lexical * count
    return out


@exact_kernel
def split(
    table: PhraseTable, distance: Bytes, factors: Factors, counts: Floats, values: Floats, expected: Floats
) -> tuple[Floats, Floats, float]:
    """Split the expected uses of every entry among the four parts of the table, by their responsibilities.

    The first arguments are those of `rewrite_values`; `values` (E): r of each entry; `expected` (E): expected
    uses, overwritten with those of the lexical part. Returned are the uses of the identity, stem, WordNet and
    lexical parts (4), those of the WordNet part by row (R), and the total WordNet distance of these.
    """
    used, by_row, path = np.zeros(4), np.zeros(factors.stem.shape[0]), 0.0
    words = factors.spread.shape[0]
    for row in range(by_row.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        row_path = 0.0
        row_used = np.zeros(4)
        for e in range(table.rows[row], table.rows[row + 1]):
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
            longer = int(row >= words or table.partners[e] >= words)
            expected[e] = share * lexical * _uses(table, factors, counts, longer, e)
            row_used[3] += expected[e]
        used += row_used
        path += row_path
        by_row[row] = row_used[2]
    return used, by_row, path


@exact_kernel
def log_prior(
    table: PhraseTable, fake: Floats, spread: Floats, unigram: float, counts: Floats, totals: Floats
) -> float:
    """Return Σ fake · log(t / t_0) over the entries with fake counts, natural log; t_0: by these alone.

    The arguments are those of `row_totals` and of `Factors`, and `totals` (R): total(d̄) of each row.
    """
    out, words = 0.0, spread.shape[0]
    for row in range(totals.shape[0]):
        part, start = 0.0, unigram if row < words else 0.0
        for e in range(table.rows[row], table.rows[row + 1]):
            longer = int(row >= words or table.partners[e] >= words)
            prior = fake[longer, table.kind[e]]
            start += prior
            if longer == 0:
                prior += spread[table.partners[e]]
            if prior > 0:
                part += prior * _log1p(counts[e] / prior)
        if start > 0:
            part -= start * np.log(totals[row] / start)
        out += part
    return out


@inner_kernel
def _log1p(x: float) -> float:
    """Return log(1 + x), for a small x ten times as fast by its series, whose rest is below rounding."""
    if x < 1e-4:
        return x * (1.0 - x * (0.5 - x * (1.0 / 3.0 - x * 0.25)))
    return float(np.log1p(x))
