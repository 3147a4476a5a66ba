"""The rewrite model (Daumé & Marcu 2005, Section 4.2): identity, stem, WordNet and lexical parts, mixed.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄)
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: ``word`` for one word to one word, ``identical``
and ``stem`` more for phrases that are equal, or equal up to stem.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.optimize import brentq

from pipeline.semihmm.senses import FAR, LONGEST

PARTS = ("id", "stem", "wn", "rw")
STEEPEST = 50.0  # η is looked for between 0 and this


@dataclass(frozen=True)
class Mixture:
    """``weights`` (4): λ over PARTS, sums to one; ``eta``: decay of the WordNet part a link of distance."""

    weights: np.ndarray
    eta: float

    @classmethod
    def start(cls, wordnet):
        """Equal weights over the enabled parts; η = 1."""
        weights = np.array([1.0, 1.0, float(wordnet), 1.0])
        return cls(weights / weights.sum(), 1.0)


class Table(NamedTuple):
    """What the kernels want of a support: see :class:`pipeline.semihmm.support.Support`, and ``fake``."""

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
    """Evaluates and re-estimates the rewrite model over a support.

    ``fake_counts``: the setting of that name. ``histograms`` (H, LONGEST): for each distinct reading of a
    row, how many summary phrases of the training corpus lie at each distance; ``row_histogram``: which
    of them a row has, −1 for none. Without them :meth:`values` wants norms.
    """

    def __init__(self, support, fake_counts, histograms=None, row_histogram=None):
        self.support = support
        self.table = Table(
            support.word_rows, support.phrase_rows, support.kind, support.distance, fake_table(fake_counts)
        )
        self.histograms = histograms
        self.row_histogram = row_histogram

    def totals(self, counts):
        """total(d̄) of every row: the sum of counts and fake counts over its entries."""
        return _totals(self.table, counts)

    def values(self, mixture, counts, totals, norms=None):
        """r(s̄|d̄) of every entry, float64; ``norms``: Z of every row, 0 for none, where they are known."""
        return _values(self.table, self._factors(mixture, totals, norms), counts)

    def log_prior(self, counts, totals):
        """The fake counts' share of the objective: Σ fake · log t, natural log."""
        return _log_prior(self.table, counts, totals)

    def maximised(self, mixture, counts, totals, values, expected):
        """The M-step: ``(mixture, counts)`` from the expected uses of every entry.

        λ and the lexical counts are closed-form, from the responsibilities of the four parts; η
        maximises the expected log-likelihood of the WordNet part, −η Σ n·distance − Σ n·log Z_d̄(η),
        which is concave. ``expected`` is overwritten with the new counts.
        """
        used, related, distance = _split(self.table, self._factors(mixture, totals), counts, values, expected)
        eta = mixture.eta
        if used[2] > 0:
            has = self.row_histogram >= 0
            mass = np.bincount(self.row_histogram[has], related[has], minlength=len(self.histograms))
            eta = best_eta(self.histograms, mass, distance)
        return Mixture(used / used.sum(), eta), expected

    def _factors(self, mixture, totals, norms=None):
        identical, stem, related, lexical = mixture.weights
        decay = decays(mixture.eta)
        if norms is None:
            # One more norm, 0, for the rows without a histogram, whose number −1 is its index.
            norms = np.append(self.histograms @ decay[:LONGEST], 0.0)[self.row_histogram]
        return Factors(
            identical,
            stem * self.support.row_chance,
            np.divide(related, norms, out=np.zeros_like(norms), where=norms > 0),
            np.divide(lexical, totals, out=np.zeros_like(totals), where=totals > 0),
            decay,
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


def best_eta(histograms, mass, distance):
    """The η that maximises −η·distance − Σ_h mass[h] · log Σ_x histograms[h, x] e^(−ηx), in [0, STEEPEST].

    ``mass`` (H): expected uses by reading; ``distance``: expected total distance, in hypernym links.
    """
    x = np.arange(LONGEST)

    def slope(eta):
        weighted = histograms * np.exp(-eta * x)
        norm = weighted.sum(axis=1)
        mean = np.divide(weighted @ x, norm, out=np.zeros_like(norm), where=norm > 0)
        return float(mass @ mean) - distance

    if slope(0.0) <= 0:
        return 0.0
    if slope(STEEPEST) >= 0:
        return STEEPEST
    return brentq(slope, 0.0, STEEPEST, xtol=1e-12, rtol=1e-14)


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
def _totals(table, counts):
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
def _log_prior(table, counts, totals):
    out = 0.0
    for row in range(totals.shape[0]):
        part = 0.0
        for block in range(2):
            first, last = _span(table, block, row)
            for e in range(first, last):
                prior = table.fake[block, table.kind[e]]
                if prior > 0:
                    part += prior * np.log((counts[e] + prior) / totals[row])
        out += part
    return out


@njit(cache=True, nogil=True)
def _split(table, factors, counts, values, expected):
    """Split expected uses among the parts; ``expected`` becomes the uses of the lexical part.

    Returns the uses of each of PARTS (4), those of the WordNet part by row, and their total distance.
    """
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
