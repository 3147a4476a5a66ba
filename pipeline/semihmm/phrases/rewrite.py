"""The rewrite model (Daumé & Marcu 2005, Section 4.2): identity, stem, WordNet and lexical parts, mixed.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄) [+ λ_encoder·e]
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: ``word`` for one word to one word, ``identical``
and ``stem`` more for phrases that are equal, or equal up to stem; ``unigram`` are spread over the summary
words by their frequency. The encoder's part e depends on where the words stand, and is not of the table:
see :mod:`pipeline.semihmm.phrases.affinity`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from pipeline.semihmm.phrases.wordnet_distance import FAR

PARTS = ("id", "stem", "wn", "rw", "encoder")


@dataclass(frozen=True)
class Mixture:
    """``weights`` (5): λ over PARTS, sums to one; ``eta``: decay of the WordNet part a link of distance."""

    weights: np.ndarray
    eta: float

    @classmethod
    def start(cls, wordnet, encoder=False):
        """Equal weights over the enabled parts; η = 1."""
        weights = np.array([1.0, 1.0, float(wordnet), 1.0, float(encoder)])
        return cls(weights / weights.sum(), 1.0)


class Table(NamedTuple):
    """What the kernels want of a support: see :class:`pipeline.semihmm.phrases.table.Support`, and ``fake``."""

    word_rows: np.ndarray
    phrase_rows: np.ndarray
    kind: np.ndarray
    distance: np.ndarray
    fake: np.ndarray


class Factors(NamedTuple):
    """What each part gives an entry, weights included, float64.

    ``identical``: λ_id. By row: ``stem``, λ_stem times the row's chance; ``related``, λ_wn / Z; ``lexical``,
    λ_rw / total. ``decay``: e^(−η·distance) by distance, 0 for FAR.
    """

    identical: float
    stem: np.ndarray
    related: np.ndarray
    lexical: np.ndarray
    decay: np.ndarray


class Rewrite:
    """Evaluates the rewrite model over a support and says which of its parts was used how often.

    ``support`` has the rows and entries, ``row_chance`` the stem part's value in each row, see
    :func:`pipeline.semihmm.phrases.table.row_chances`; ``fake``: :func:`fake_table`. Counts are by
    entry; totals and norms by row: total(d̄), and Z_d̄, 0 for none.
    """

    def __init__(self, support, row_chance, fake):
        self.row_chance = row_chance
        self.table = Table(support.word_rows, support.phrase_rows, support.kind, support.distance, fake)

    def totals(self, counts):
        """total(d̄) of every row, were the support all there is: the counts and fake counts of its entries."""
        return row_totals(self.table, counts)

    def values(self, mixture, counts, totals, norms):
        """r(s̄|d̄) of every entry, float64."""
        return _values(self.table, self._factors(mixture, totals, norms), counts)

    def split(self, mixture, counts, totals, norms, values, expected):
        """Split the expected uses of every entry among the four parts, by their responsibilities.

        Returns the uses of each of these (4), those of the WordNet part by row, and their total distance in
        hypernym links. ``expected`` is overwritten with the uses of the lexical part.
        """
        return _split(self.table, self._factors(mixture, totals, norms), counts, values, expected)

    def _factors(self, mixture, totals, norms):
        identical, stem, related, lexical, _ = mixture.weights
        return Factors(
            identical,
            stem * self.row_chance,
            np.divide(related, norms, out=np.zeros_like(norms), where=norms > 0),
            np.divide(lexical, totals, out=np.zeros_like(totals), where=totals > 0),
            decays(mixture.eta),
        )


def decays(eta):
    """e^(−η·distance) by distance, float64, 0 for FAR."""
    decay = np.exp(-eta * np.arange(FAR + 1.0))
    decay[FAR] = 0.0
    return decay


def fake_table(fake_counts):
    """The fake counts as float64 (2, 3): word block and phrase block, by kind of entry."""
    word, identical, same = (float(fake_counts[key]) for key in ("word", "identical", "stem"))
    longer = np.array([0.0, same, same + identical])
    return np.stack([word + longer, longer])


@njit(cache=True, nogil=True)
def add_at(out, places, values):
    """out[places[i]] += values[i], one after another: a place may come more than once."""
    for i in range(places.shape[0]):
        out[places[i]] += values[i]


@njit(cache=True, nogil=True)
def _span(table, block, row):
    """The entries of a row in one of the two blocks."""
    offset = table.word_rows[-1]
    if block == 1:
        return offset + table.phrase_rows[row], offset + table.phrase_rows[row + 1]
    if row < table.word_rows.shape[0] - 1:
        return table.word_rows[row], table.word_rows[row + 1]
    return offset, offset


@njit(cache=True, nogil=True)
def row_totals(table, counts):
    """The counts and fake counts of the entries of each row, summed."""
    out = np.zeros(table.phrase_rows.shape[0] - 1)
    for row in range(out.shape[0]):
        for block in range(2):
            first, last = _span(table, block, row)
            for e in range(first, last):
                out[row] += counts[e] + table.fake[block, table.kind[e]]
    return out


@njit(cache=True, nogil=True)
def _values(table, factors, counts):
    out = np.empty(counts.shape[0])
    for row in range(factors.stem.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        same = (0.0, stem, factors.identical + stem)
        for block in range(2):
            first, last = _span(table, block, row)
            for e in range(first, last):
                kind = table.kind[e]
                count = counts[e] + table.fake[block, kind]
                out[e] = same[kind] + related * factors.decay[table.distance[e]] + lexical * count
    return out


@njit(cache=True, nogil=True)
def log_prior(table, counts, totals, spread):
    """The share of a table's fake counts in the objective: Σ fake · log t, natural log.

    ``spread``: further fake counts of the entries of the word block.
    """
    out = 0.0
    for row in range(totals.shape[0]):
        part = 0.0
        for block in range(2):
            first, last = _span(table, block, row)
            for e in range(first, last):
                prior = table.fake[block, table.kind[e]]
                if block == 0:
                    prior += spread[e]
                if prior > 0:
                    part += prior * np.log((counts[e] + prior) / totals[row])
        out += part
    return out


@njit(cache=True, nogil=True)
def _split(table, factors, counts, values, expected):
    used = np.zeros(4)
    by_row = np.zeros(factors.stem.shape[0])
    path = 0.0
    for row in range(by_row.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        row_path = 0.0
        row_used = np.zeros(4)
        for block in range(2):
            first, last = _span(table, block, row)
            for e in range(first, last):
                if expected[e] == 0.0:
                    continue
                kind, share = table.kind[e], expected[e] / values[e]
                if kind == 2:
                    row_used[0] += share * factors.identical
                if kind >= 1:
                    row_used[1] += share * stem
                wordnet = share * related * factors.decay[table.distance[e]]
                row_used[2] += wordnet
                row_path += wordnet * table.distance[e]
                expected[e] = share * lexical * (counts[e] + table.fake[block, kind])
                row_used[3] += expected[e]
        used += row_used
        path += row_path
        by_row[row] = row_used[2]
    return used, by_row, path
