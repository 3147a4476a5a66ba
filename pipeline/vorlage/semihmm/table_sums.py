"""Sums over the entries of a phrase table, compiled: linear, float64, and rounded after every operation."""

from typing import NamedTuple

import numpy as np

from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.semihmm.table import IDENTICAL, SAME_STEM, PhraseTable
from vorlage.types import AnyArray, Bytes, Floats


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
